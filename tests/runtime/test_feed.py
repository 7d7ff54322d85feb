"""The feed over real sockets: what is told, told again, acknowledged; and what strangers send."""

import asyncio
import json
import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
import zmq

from shoe_daemon.runtime import ulid
from shoe_daemon.runtime.endpoints import Doors, Endpoint, parse, router_of
from shoe_daemon.runtime.feed import Feed
from shoe_daemon.runtime.journal import Journal
from shoe_daemon.runtime.messages import Message
from shoe_daemon.runtime.requests import PAGE, Requests
from shoe_daemon.runtime.rows import JournalError, acknowledged, told
from shoe_daemon.schema import ConfigError
from shoe_daemon.table.events import AUDIENCES
from tests.runtime.clients import Client, free_port
from tests.runtime.journals import message, open_journal


class House:
    """A journal with its feed, and the little of a pump that they need."""

    def __init__(self, folder: Path, journal: Journal, beat_s: float) -> None:
        self.journal = journal
        self.doors = {
            audience: Doors(parse(f"ipc://{folder}/{audience}"), parse(f"ipc://{folder}/{audience}-r"))
            for audience in AUDIENCES
        }
        self.kept: list[tuple[str, str, int]] = []
        self.broken = False
        requests = Requests(journal.id, journal, self._snapshot, self._ack)
        self.feed = Feed("BAC-07", self.doors, requests, beat_s=beat_s)

    def append(self, audience: str, count: int) -> list[Message]:
        """Messages of `audience` on disk, up to three in a row."""
        top = self.journal.tops()[audience]
        messages = [message(self.journal, audience, top + n) for n in range(1, count + 1)]
        self.journal.append([told(1, messages[at : at + 3]) for at in range(0, count, 3)])
        return messages

    def tell(self, audience: str, count: int = 1) -> list[Message]:
        messages = self.append(audience, count)
        self.feed.publish(messages)
        return messages

    def ask(self, audience: str = "public", identity: bytes | None = None) -> Client:
        return Client(zmq.DEALER, self.doors[audience].router.text, identity=identity)

    def listen(self, audience: str = "public", topic: bytes = b"") -> Client:
        return Client(zmq.SUB, self.doors[audience].pub.text, topic=topic)

    def _snapshot(self, audience: str) -> tuple[int, Any]:
        return self.journal.tops()[audience], {"audience": audience}

    async def _ack(self, audience: str, consumer: str, seq: int) -> None:
        if self.broken:
            raise JournalError("disk full")
        self.kept.append((audience, consumer, seq))
        await asyncio.to_thread(self.journal.append, [acknowledged(1, audience, consumer, seq)])


@asynccontextmanager
async def house(folder: Path, beat_s: float = 0.02) -> AsyncIterator[House]:
    journal = open_journal(folder / "j.db")
    home = House(folder, journal, beat_s)
    try:
        home.feed.open()
        yield home
    finally:
        await home.feed.close()
        journal.close()


def with_house(
    folder: Path, body: Callable[[House], Coroutine[Any, Any, None]], beat_s: float = 0.02
) -> None:
    async def main() -> None:
        async with house(folder, beat_s) as home:
            await body(home)

    asyncio.run(main())


def frames_of(journal: Journal, told: Message) -> list[bytes]:
    header = ulid.to_bytes(journal.id) + told.seq.to_bytes(8, "big")
    return [f"{told.audience}/BAC-07/card.dealt/".encode(), header, told.body]


def test_messages_have_three_frames_and_the_top_beats(tmp_path: Path) -> None:
    async def body(home: House) -> None:
        with home.listen() as client:
            beat = await client.receive()
            header = ulid.to_bytes(home.journal.id)
            assert beat == [b"public/BAC-07/heartbeat/", header + bytes(8), b"{}"]
            (row,) = home.tell("public")
            home.tell("cage", 3)
            got: list[list[bytes]] = []
            while len(got) < 3:
                frames = await client.receive()
                if frames[1] != beat[1]:
                    got.append(frames)
            assert got[0] == frames_of(home.journal, row)
            assert got[1:] == [[b"public/BAC-07/heartbeat/", header + (1).to_bytes(8, "big"), b"{}"]] * 2

    with_house(tmp_path, body)


def test_each_audience_has_its_own_socket_and_sequence(tmp_path: Path) -> None:
    async def body(home: House) -> None:
        for audience in AUDIENCES:
            with home.listen(audience) as client:
                assert (await client.receive())[0] == f"{audience}/BAC-07/heartbeat/".encode()
        for count, audience in enumerate(AUDIENCES, 1):
            home.tell(audience, count)
            with home.ask(audience) as client:
                rows, top = await client.rows({"id": "a", "after": 0})
                assert {json.loads(frames[2])["audience"] for frames in rows} == {audience}
                assert top == {"id": "a", "top": count}

    with_house(tmp_path, body)


def test_what_is_told_to_several_reaches_each_in_its_order(tmp_path: Path) -> None:
    async def body(home: House) -> None:
        said = [message(home.journal, audience, seq) for seq in range(1, 6) for audience in AUDIENCES]
        home.journal.append([told(1, said)])
        with home.listen("public") as one, home.listen("surveillance") as two, home.listen("cage") as three:
            ears = dict(zip(AUDIENCES, (one, two, three), strict=True))
            for ear in ears.values():
                await ear.receive()
            home.feed.publish(said)
            for audience, ear in ears.items():
                got: list[list[bytes]] = []
                while len(got) < 5:
                    frames = await ear.receive()
                    if not frames[0].endswith(b"/heartbeat/"):
                        got.append(frames)
                assert got == [frames_of(home.journal, one) for one in said if one.audience == audience]
                assert (await ear.receive())[1][16:] == (5).to_bytes(8, "big")

    with_house(tmp_path, body)


def test_the_beat_after_a_restart_bears_what_the_journal_holds(tmp_path: Path) -> None:
    async def first(home: House) -> None:
        home.append("public", 5)  # on disk, and killed before it was told

    async def second(home: House) -> None:
        with home.listen() as client:
            assert (await client.receive())[1][16:] == (5).to_bytes(8, "big")

    with_house(tmp_path, first)
    with_house(tmp_path, second)


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ({"after": 0}, range(1, 1001)),
        ({"after": 0, "limit": 3}, range(1, 4)),
        ({"after": 1497}, range(1498, 1501)),
        ({"after": 1500}, range(0)),
        ({"after": 9999}, range(0)),
        ({"after": 7, "limit": 0}, range(0)),
        ({"after": 0, "limit": PAGE}, range(1, PAGE + 1)),
        ({"after": 10, "limit": 2 * PAGE + 1}, range(11, 2 * PAGE + 12)),
        ({"after": 0, "limit": 2**62}, range(1, 1501)),
    ],
)
def test_stored_messages_are_told_again_unchanged(
    tmp_path: Path, request_: dict[str, int], expected: range
) -> None:
    async def body(home: House) -> None:
        stored = home.append("public", 1500)
        with home.ask() as client:
            rows, top = await client.rows({"id": "x", **request_})
            assert rows == [frames_of(home.journal, stored[seq - 1]) for seq in expected]
            assert top == {"id": "x", "top": 1500}

    with_house(tmp_path, body)


def test_a_snapshot_bears_its_sequence_number(tmp_path: Path) -> None:
    async def body(home: House) -> None:
        home.append("cage", 4)
        with home.ask("cage") as client:
            answer = await client.ask({"id": 7, "snapshot": True})
        assert answer == {"id": 7, "journal": home.journal.id, "seq": 4, "state": {"audience": "cage"}}

    with_house(tmp_path, body)


def test_cursors_grow_only_and_are_kept(tmp_path: Path) -> None:
    async def first(home: House) -> None:
        home.append("cage", 9)
        with home.ask("cage") as client:
            for seq, answer in ((5, 5), (3, 5), (9, 9)):
                said = await client.ask({"id": "a", "ack": seq, "consumer": "cage-1"})
                assert said == {"id": "a", "ack": answer, "consumer": "cage-1"}
            said = await client.ask({"id": "a", "ack": 10, "consumer": "cage-1"})
            assert said == {"id": "a", "error": "ack 10 is above the top, 9"}
        assert home.kept == [("cage", "cage-1", 5), ("cage", "cage-1", 9)]

    async def second(home: House) -> None:
        home.broken = True
        with home.ask("cage") as client:
            said = await client.ask({"id": "b", "ack": 8, "consumer": "cage-1"})
            assert said == {"id": "b", "ack": 9, "consumer": "cage-1"}
            said = await client.ask({"id": "b", "ack": 8, "consumer": "cage-2"})
            assert said == {"id": "b", "error": "disk full"}

    with_house(tmp_path, first)
    with_house(tmp_path, second)


@pytest.mark.parametrize(
    ("request_", "id_", "words"),
    [
        (b"", None, "truncated"),
        (b"\xff\xfe", None, "malformed"),
        (b"[]", None, "object"),
        (b"{}", None, "id"),
        (b"[" * 60_000, None, ""),
        (b'{"id":"a","after":' + b"[" * 60_000, None, ""),
        ({"id": "a"}, "a", "one of after, snapshot, cursors and ack"),
        ({"id": "a", "snapshot": False}, "a", "one of after, snapshot, cursors and ack"),
        ({"id": "a", "after": 0, "snapshot": True}, "a", "one of after, snapshot, cursors and ack"),
        ({"id": "a", "after": -1}, "a", "after"),
        ({"id": "a", "after": True}, "a", "after"),
        ({"id": "a", "after": 1.5}, "a", "after"),
        ({"id": "a", "after": "1"}, "a", "after"),
        ({"id": "a", "after": 2**63}, "a", "after"),
        ({"id": "a", "after": 0, "limit": -1}, "a", "limit"),
        ({"id": "a", "snapshot": True, "limit": 3}, "a", "limit"),
        ({"id": "a", "ack": 0}, "a", "consumer"),
        ({"id": "a", "ack": 0, "consumer": "no blanks"}, "a", "consumer"),
        ({"id": "a", "afer": 0}, "a", "afer"),
        ({"id": None, "after": 0}, None, "id"),
        ({"id": "a" * 129, "after": 0}, None, "id"),
    ],
)
def test_bad_requests_get_an_error(tmp_path: Path, request_: object, id_: str | None, words: str) -> None:
    async def body(home: House) -> None:
        with home.ask() as client:
            answer = await client.ask(request_)
            assert answer.keys() == {"id", "error"}
            assert answer["id"] == id_
            assert words in answer["error"]
            assert (await client.rows({"id": "b", "after": 0}))[1] == {"id": "b", "top": 0}

    with_house(tmp_path, body)


def test_an_empty_delimiter_is_answered_with_what_is_wrong(tmp_path: Path) -> None:
    async def body(home: House) -> None:
        with home.ask() as client:
            client.socket.send_multipart([b"", b'{"id":"a","after":0}'])
            assert await client.answer() == {
                "id": "a",
                "error": "a request is one frame, with no empty one before it",
            }

    with_house(tmp_path, body)


def test_noise_and_huge_frames_harm_nobody(tmp_path: Path) -> None:
    dice = random.Random(7)

    async def body(home: House) -> None:
        home.append("public", 3)
        with home.ask() as noisy, home.ask() as client:
            for _ in range(300):
                noisy.socket.send_multipart(
                    [dice.randbytes(dice.randrange(200)) for _ in range(dice.randint(1, 4))]
                )
            noisy.socket.send(bytes(1 << 20))
            for _ in range(20):
                rows, top = await client.rows({"id": "a", "after": 0})
                assert (len(rows), top["top"]) == (3, 3)

    with_house(tmp_path, body)


def test_a_huge_request_is_dropped_unread(tmp_path: Path) -> None:
    async def body(home: House) -> None:
        with home.ask() as client:
            client.socket.setsockopt(zmq.RCVTIMEO, 300)
            client.send({"id": "huge", "after": 0, "pad": "x" * (1 << 20)})
            for _ in range(60):  # the connection is cut, and the next request may go with it
                client.send({"id": "small", "snapshot": True})
                try:
                    assert (await client.answer())["id"] == "small"
                except zmq.Again:
                    continue
                return
            pytest.fail("no answer")

    with_house(tmp_path, body)


def test_what_waits_for_an_answer_is_bounded(tmp_path: Path) -> None:
    async def body(home: House) -> None:
        router = home.feed._routers["public"]
        for _ in range(50):
            router._take(b"nobody", [b"{}"], "")
        assert len(router._queues[b"nobody"]) == 8
        for number in range(300):
            router._take(b"nobody %d" % number, [b"{}"], "")
        assert len(router._queues) == 256
        await asyncio.gather(*router._tasks)

    with_house(tmp_path, body)


def test_the_top_is_never_below_a_row_that_was_told(tmp_path: Path) -> None:
    class Ahead:
        """A journal whose top is not yet counted up."""

        def __init__(self, journal: Journal) -> None:
            self.messages = journal.messages
            self.cursors = journal.cursors

        def tops(self) -> dict[str, int]:
            return dict.fromkeys(AUDIENCES, 0)

    async def body(home: House) -> None:
        home.append("public", 2)
        requests = Requests(home.journal.id, Ahead(home.journal), lambda _: (0, {}), _no_ack)
        answers = [frames async for frames in requests.answer("public", b'{"id":"a","after":0}')]
        assert answers[-1] == [b'{"id":"a","top":2}']
        requests.close()

    with_house(tmp_path, body)


def test_a_client_that_does_not_read_stops_nobody_and_loses_nothing(tmp_path: Path) -> None:
    async def body(home: House) -> None:
        stored = home.append("public", 6000)
        with home.ask() as slow, home.ask() as quick:
            slow.socket.setsockopt(zmq.RCVHWM, 10)
            slow.send({"id": "s", "after": 0, "limit": 6000})
            for _ in range(10):
                rows, top = await quick.rows({"id": "q", "after": 5990})
                assert (len(rows), top["top"]) == (10, 6000)

            def gather() -> list[list[bytes]]:
                return [slow.socket.recv_multipart() for _ in range(6001)]

            got = await asyncio.to_thread(gather)
        assert got[:-1] == [frames_of(home.journal, row) for row in stored]
        assert got[-1] == [b'{"id":"s","top":6000}']

    with_house(tmp_path, body)


def test_many_requests_at_once_get_an_answer_each(tmp_path: Path) -> None:
    async def body(home: House) -> None:
        with home.ask() as client:
            for n in range(40):
                client.send({"id": n, "snapshot": True})
            answers = [await client.answer() for _ in range(40)]
        assert sorted(answer["id"] for answer in answers) == list(range(40))
        assert answers[0]["id"] == 0 or "error" in answers[0]
        refused = [answer for answer in answers if "error" in answer]
        assert all(answer["error"] == "too many requests at a time" for answer in refused)
        served = [answer["id"] for answer in answers if "error" not in answer]
        assert served == sorted(served)
        assert len(served) >= 8

    with_house(tmp_path, body)


def test_a_client_that_goes_away_in_the_middle_is_forgotten(tmp_path: Path) -> None:
    async def body(home: House) -> None:
        home.append("public", 6000)
        for _ in range(5):
            with home.ask() as client:
                client.send({"id": "s", "after": 0, "limit": 6000})
                await client.receive()
        with home.ask() as client:
            assert (await client.rows({"id": "a", "after": 5999}))[1]["top"] == 6000
        tasks = home.feed._routers["public"]._tasks
        await asyncio.gather(*tasks)
        assert not home.feed._routers["public"]._queues

    with_house(tmp_path, body)


def test_a_client_that_comes_back_under_its_name_is_served(tmp_path: Path) -> None:
    async def body(home: House) -> None:
        with home.ask(identity=b"display") as first:
            await first.ask({"id": "a", "snapshot": True})
            with home.ask(identity=b"display") as second:
                assert (await second.ask({"id": "b", "snapshot": True}))["id"] == "b"

    with_house(tmp_path, body)


def test_a_subscriber_that_does_not_read_costs_messages_never_time(tmp_path: Path) -> None:
    async def body(home: House) -> None:
        with home.listen() as stuck:
            stuck.socket.setsockopt(zmq.RCVHWM, 1)
            await stuck.receive()
            stored = home.tell("public", 8000)
            with home.ask() as client:
                rows, _ = await client.rows({"id": "a", "after": 0, "limit": 8000})
        assert rows == [frames_of(home.journal, row) for row in stored]

    with_house(tmp_path, body)


def test_a_subscriber_that_does_not_read_costs_little_memory_and_the_others_nothing(tmp_path: Path) -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")

    async def body(home: House) -> None:
        with home.listen() as stuck, home.listen() as reads:
            await stuck.receive()
            await reads.receive()
            stored = home.append("public", 400)

            def gather() -> None:
                seen = 0
                while seen < len(stored):
                    seen += not reads.socket.recv_multipart()[0].endswith(b"/heartbeat/")

            for turn in range(300):
                home.feed.publish(stored)
                await reads.run(gather)
                if turn == 20:  # the queues of the one that does not read are full
                    before = resident()
            assert resident() - before < 10 << 20

    with_house(tmp_path, body)


def test_rows_from_a_thread_and_beats_from_the_loop_share_a_socket(tmp_path: Path) -> None:
    async def body(home: House) -> None:
        stored = home.append("public", 3000)

        def publish() -> None:
            for row in stored:
                home.feed.publish([row])

        with home.listen() as client:
            client.socket.setsockopt(zmq.RCVHWM, 0)
            await client.receive()
            seen: list[int] = []
            beats = 0
            publishing = asyncio.create_task(asyncio.to_thread(publish))
            while not seen or seen[-1] < 3000:
                topic, header, _ = await client.receive()
                if topic.endswith(b"/heartbeat/"):
                    beats += 1
                else:
                    seen.append(int.from_bytes(header[16:], "big"))
            await publishing
            assert seen == sorted(set(seen))
            assert beats

    with_house(tmp_path, body, beat_s=0.001)


def test_who_subscribes_and_unsubscribes_first_hears_the_next_event_or_of_it(tmp_path: Path) -> None:
    async def body(home: House) -> None:
        with home.ask() as empty:  # its context and its options, for a socket of our own
            ear = empty._context.socket(zmq.SUB)
            ear.setsockopt(zmq.RCVHWM, 1)
            ear.setsockopt(zmq.RCVTIMEO, 20_000)
            ear.connect(home.doors["public"].pub.text)
            for _ in range(50):
                for topic in (b"public/BAC-08/", b"public/BAC-07/"):
                    ear.subscribe(topic)
                    ear.unsubscribe(topic)
            ear.subscribe(b"public/BAC-07/")
            home.tell("public")
            top = 0
            while top < 1:
                top = int.from_bytes((await empty.run(ear.recv_multipart))[1][16:], "big")

    with_house(tmp_path, body)


def test_a_damaged_journal_is_an_error_answer(tmp_path: Path) -> None:
    async def body(home: House) -> None:
        home.journal._db.close()
        with home.ask() as client:
            answer = await client.ask({"id": "a", "after": 0})
            assert "cannot be read" in answer["error"]

    with_house(tmp_path, body)


def test_a_damaged_message_is_an_error_answer(tmp_path: Path) -> None:
    async def body(home: House) -> None:
        home.append("public", 9)
        with closing(sqlite3.connect(home.journal.path)) as db, db:
            db.execute("UPDATE row SET body = CAST('{' || body AS BLOB) WHERE public = 6")
        with home.ask() as client:
            assert (await client.rows({"id": "a", "after": 6}))[1] == {"id": "a", "top": 9}
            rows, answer = await client.rows({"id": "b", "after": 0})
            assert not rows
            assert answer["id"] == "b"
            assert "row 3 cannot be read" in answer["error"]

    with_house(tmp_path, body)


def test_ipc_sockets_are_private_locked_and_go_with_the_feed(tmp_path: Path) -> None:
    (tmp_path / "public").touch()  # left behind by a process that was killed

    async def body(home: House) -> None:
        names = {Path(end.path) for doors in home.doors.values() for end in (doors.pub, doors.router)}
        assert {stat.S_IMODE(name.stat().st_mode) for name in names} == {0o600}
        other = House(tmp_path, home.journal, 1)
        with pytest.raises(ConfigError) as failed:
            other.feed.open()
        keys = {problem.key for problem in failed.value.problems}
        assert keys == {f"feed.{audience}{suffix}" for audience in AUDIENCES for suffix in ("", "_replay")}
        assert all(f"held by process {os.getpid()}" in problem.message for problem in failed.value.problems)
        with home.ask() as client:
            assert (await client.ask({"id": "a", "snapshot": True}))["seq"] == 0

    with_house(tmp_path, body)
    assert not [name for name in tmp_path.iterdir() if stat.S_ISSOCK(name.stat().st_mode)]
    assert os.umask(0o022) == 0o022


def test_tcp_ports_in_use_are_all_named_and_nothing_stays_bound(tmp_path: Path) -> None:
    port = free_port()
    pub = parse(f"tcp://127.0.0.1:{port}")
    doors = {"public": Doors(pub, router_of(pub))}

    async def main() -> None:
        journal = open_journal(tmp_path / "j.db")

        def feed() -> Feed:
            requests = Requests(journal.id, journal, lambda _: (0, {}), _no_ack)
            return Feed("BAC-07", doors, requests, source="table.toml")

        first = feed()
        first.open()
        with pytest.raises(
            ConfigError, match=rf"^table.toml: feed.public: cannot bind tcp://127.0.0.1:{port}: address alre"
        ):
            feed().open()
        with Client(zmq.DEALER, doors["public"].router.text) as client:
            assert (await client.rows({"id": "a", "after": 0}))[1] == {"id": "a", "top": 0}
        await first.close()
        second = feed()
        second.open()
        await second.close()
        journal.close()

    asyncio.run(main())


async def _no_ack(audience: str, consumer: str, seq: int) -> None:
    raise AssertionError((audience, consumer, seq))


def test_ipv6_loopback_is_served(tmp_path: Path) -> None:
    if not Path("/proc/net/if_inet6").exists():
        pytest.skip("no IPv6 here")
    pub = parse(f"tcp://[::1]:{free_port()}")

    async def main() -> None:
        journal = open_journal(tmp_path / "j.db")
        requests = Requests(journal.id, journal, lambda _: (0, {}), _no_ack)
        feed = Feed("BAC-07", {"public": Doors(pub, router_of(pub))}, requests)
        feed.open()
        with Client(zmq.DEALER, router_of(pub).text) as client:
            assert (await client.ask({"id": "a", "snapshot": True}))["seq"] == 0
        await feed.close()
        journal.close()

    asyncio.run(main())


def test_a_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    code = """
import sys, time
from shoe_daemon.runtime.endpoints import parse
from shoe_daemon.runtime.bound import bind_all
import zmq
bound = bind_all(zmq.Context(), {"a": (zmq.PUB, parse(sys.argv[1]))})
print("bound", flush=True)
sys.stdin.read()
"""
    endpoint = f"ipc://{tmp_path}/s"
    with subprocess.Popen(
        [sys.executable, "-c", code, endpoint], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"bound\n"
        with pytest.raises(ConfigError, match=f"held by process {child.pid}"):
            _bind(parse(endpoint))
        child.send_signal(signal.SIGKILL)
    _bind(parse(endpoint))


def _bind(endpoint: Endpoint) -> None:
    from shoe_daemon.runtime.bound import bind_all  # noqa: PLC0415 - beside its one use

    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    for bound in bind_all(context, {"a": (zmq.PUB, endpoint)}).values():
        bound.close()
    context.term()
