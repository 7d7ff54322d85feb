"""RELP against a server that misbehaves as it is told."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from shoe_daemon.clients.surveillance.output import Undelivered
from shoe_daemon.clients.surveillance.relp import LAST_TXNR, Frame, Relp, packed, taken
from shoe_daemon.clients.surveillance.wires import place
from tests.surveillance.peers import RelpServer, until

MESSAGES = [b"one", b"two", b"three"]


def played(play: Callable[[RelpServer, Relp], Awaitable[None]]) -> RelpServer:
    """Run `play` with a server and a client of it."""
    server = RelpServer()

    async def run() -> None:
        async with server:
            client = Relp(place(f"relp://127.0.0.1:{server.port}"))
            try:
                async with asyncio.timeout(30):
                    await play(server, client)
            finally:
                await client.close()

    asyncio.run(run())
    return server


def test_a_session_is_opened_once_numbered_and_closed() -> None:
    async def play(_: RelpServer, client: Relp) -> None:
        await client.send(MESSAGES)
        await client.send([b"four"])

    server = played(play)
    assert server.taken == [*MESSAGES, b"four"]
    assert server.commands == ["open", *["syslog"] * 4, "close"]
    assert server.txnrs == [1, 2, 3, 4, 5, 6]


def test_what_was_not_acknowledged_is_told_and_sent_again_in_a_new_session() -> None:
    async def play(server: RelpServer, client: Relp) -> None:
        await client.send([b"zero"])
        server.answer = "gone"
        with pytest.raises(Undelivered) as failed:
            await client.send(MESSAGES)
        assert failed.value.done == 0
        server.answer = "ok"
        await client.send(MESSAGES)

    server = played(play)
    # It had taken the first, and died before it could say so: that one is there twice, as RELP has it.
    assert server.taken == [b"zero", b"one", *MESSAGES]
    assert server.sessions == 2
    assert server.txnrs[-4:] == [2, 3, 4, 5]


def test_acknowledgements_count_that_came_before_the_connection_broke() -> None:
    async def play(server: RelpServer, client: Relp) -> None:
        server.last = 1_000
        with pytest.raises(Undelivered) as failed:
            await client.send([b"%4000d" % number for number in range(5_000)])
        # The last acknowledgements may have gone with the server's own buffer, those before them are here.
        assert 0 < failed.value.done < 1_000

    assert len(played(play).taken) == 1_000


def test_a_session_that_the_server_ended_meanwhile_is_not_used_again() -> None:
    async def play(server: RelpServer, client: Relp) -> None:
        await client.send([b"one"])
        server.say(b"0 serverclose 0\n")
        await asyncio.sleep(0.05)
        await client.send([b"two"])
        server.hang_up()
        await asyncio.sleep(0.05)
        await client.send([b"three"])

    server = played(play)
    assert server.taken == MESSAGES
    assert server.sessions == 3


def test_a_server_that_does_not_acknowledge_is_waited_for_and_nothing_is_sent_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("shoe_daemon.clients.surveillance.relp.LATE_S", 0.01)

    async def play(server: RelpServer, client: Relp) -> None:
        server.answer = "silent"
        sending = asyncio.create_task(client.send(MESSAGES))
        await until(lambda: len(server.taken) >= 3)
        await asyncio.wait({sending}, timeout=0.2)
        assert not sending.done()
        for txnr in (2, 3, 4):
            server.say(b"%d rsp 6 200 OK\n" % txnr)
        await sending

    server = played(play)
    assert server.taken == MESSAGES
    assert server.sessions == 1


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"3 rsp 6 200 OK\n", "answered out of order"),
        (b"2 rsp 6 500 NO\n", "refused a message with 500"),
        (b"0 serverclose 0\n", "ended the session"),
        (b"HTTP/1.1 400 Bad Request\r\n", "what came is no RELP"),
        (b"2 rsp 999999 ", "a frame that is too large"),
        (b"2 rsp 6 200 OK!", "a frame that does not end"),
        (b"9" * 100, "what came is no RELP"),
    ],
)
def test_an_answer_that_is_none_ends_the_session_and_is_no_acknowledgement(said: bytes, why: str) -> None:
    async def play(server: RelpServer, client: Relp) -> None:
        server.answer = "silent"
        sending = asyncio.create_task(client.send([b"one"]))
        await until(lambda: bool(server.taken))
        server.say(said)
        with pytest.raises(Undelivered, match=why) as failed:
            await sending
        assert failed.value.done == 0

    played(play)


@pytest.mark.parametrize("offers", [b"500 no", b"200 OK\nrelp_version=0\ncommands=other"])
def test_a_server_that_takes_no_syslog_gets_none(offers: bytes) -> None:
    async def play(server: RelpServer, client: Relp) -> None:
        server.offers = offers
        with pytest.raises(Undelivered):
            await client.send(MESSAGES)

    assert played(play).taken == []


def test_nobody_there_is_told() -> None:
    async def run() -> None:
        server = RelpServer()
        with pytest.raises(Undelivered, match="Connection refused"):
            await Relp(place(f"relp://127.0.0.1:{server.port}")).send(MESSAGES)

    asyncio.run(run())


def test_numbers_begin_again_after_the_last() -> None:
    async def play(_: RelpServer, client: Relp) -> None:
        await client.send([b"zero"])
        assert client._session is not None
        client._session._txnr = LAST_TXNR - 1
        await client.send(MESSAGES)

    assert played(play).txnrs == [1, 2, LAST_TXNR, 1, 2, 3]


def test_frames_come_in_any_pieces() -> None:
    frames = [Frame(1, "rsp", b"200 OK\nx=y"), Frame(0, "serverclose", b""), Frame(2, "rsp", b"200 OK")]
    data = b"".join(map(packed, frames))
    for size in range(1, len(data) + 1):
        buffer, found = bytearray(), []
        for begin in range(0, len(data), size):
            buffer += data[begin : begin + size]
            while (frame := taken(buffer)) is not None:
                found.append(frame)
        assert found == frames
        assert not buffer
