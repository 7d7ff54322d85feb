"""Each output with a peer that goes and comes back: what it says of what was delivered."""

import asyncio
import json
import os
import socket
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Final

import pytest

from shoe_daemon.clients.surveillance import rfc5424
from shoe_daemon.clients.surveillance.output import Output, Undelivered
from shoe_daemon.clients.surveillance.settings import load
from tests.process.running import free_ports
from tests.surveillance.peers import Frigate, Recorder
from tests.surveillance.told import RESULT, made

FACE = made("card.exposed", slot="P1", card="4S")
SAID = b"<BAC>\r\nBAC-07 S3 C41\r\n2026-11-30 12:00:00.123 N412\r\nP1 4S\r\n</BAC>\r\n"
PATIENCE_S: Final = 30.0


def output(folder: Path, toml: str) -> Output:
    """The output that a table of a configuration describes."""
    file = folder / "surveillance.toml"
    file.write_text(f"[outputs.one]\n{toml}\n", encoding="utf-8")
    return load(file).outputs["one"].output()


def run(play: Coroutine[Any, Any, None]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(PATIENCE_S):
            await play

    asyncio.run(bounded())


async def refused(output: Output) -> Undelivered:
    with pytest.raises(Undelivered) as failed:
        await output.deliver([FACE])
    return failed.value


def text(to: str, more: str = "") -> str:
    return f'kind = "text"\npreset = "milestone"\nto = "{to}"\n{more}'


def test_text_to_a_recorder_that_listens(tmp_path: Path) -> None:
    async def play() -> None:
        recorder = Recorder()
        one = output(tmp_path, text(f"tcp://127.0.0.1:{recorder.port}"))
        assert "Connection refused" in str(await refused(one))
        async with recorder:
            await one.deliver([FACE, FACE])
            assert await recorder.until(2 * len(SAID)) == 2 * SAID
            recorder.hang_up()
            await asyncio.sleep(0.05)
            await one.deliver([FACE])
            assert await recorder.until(3 * len(SAID)) == 3 * SAID
        await one.close()

    run(play())


def test_text_to_recorders_that_connect(tmp_path: Path) -> None:
    async def play() -> None:
        (port,) = free_ports(1)
        one = output(tmp_path, text(f"tcp-listen://127.0.0.1:{port}"))
        await one.open()
        assert "no recorder is connected" in str(await refused(one))
        (first, second), (reader, writer) = [await asyncio.open_connection("127.0.0.1", port) for _ in "ab"]
        await delivered(one)
        assert await first.readexactly(len(SAID)) == await reader.readexactly(len(SAID)) == SAID
        second.transport.abort()
        await asyncio.sleep(0.05)
        await one.deliver([FACE])
        assert await reader.readexactly(len(SAID)) == SAID
        writer.close()
        await one.close()

    async def delivered(one: Output) -> None:
        while True:
            try:
                return await one.deliver([FACE])
            except Undelivered:
                await asyncio.sleep(0.01)

    run(play())


def test_a_recorder_that_is_not_allowed_gets_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        (port,) = free_ports(1)
        one = output(tmp_path, text(f"tcp-listen://127.0.0.1:{port}", 'allow = ["127.0.0.2"]'))
        await one.open()
        stranger, writer = await asyncio.open_connection("127.0.0.1", port)
        assert await stranger.read() == b""
        writer.close()
        assert "no recorder is connected" in str(await refused(one))
        friend, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.2", 0))
        while True:
            try:
                await one.deliver([FACE])
            except Undelivered:
                await asyncio.sleep(0.01)
            else:
                break
        assert await friend.readexactly(len(SAID)) == SAID
        writer.close()
        await one.close()

    run(play())


def test_a_recorder_that_reads_nothing_is_put_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoe_daemon.clients.surveillance.wires.STUCK_S", 0.2)

    async def play() -> None:
        (port,) = free_ports(1)
        one = output(tmp_path, text(f"tcp-listen://127.0.0.1:{port}"))
        await one.open()
        with socket.socket() as stuck:
            stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            stuck.connect(("127.0.0.1", port))
            while "no recorder took it" not in str(await last(one)):
                pass
        await one.close()

    async def last(one: Output) -> str:
        while True:
            try:
                await one.deliver([made("coup.result", **RESULT)] * 100)
            except Undelivered as failed:
                if "is connected" not in str(failed):
                    return str(failed)
                await asyncio.sleep(0.01)

    run(play())


def test_text_over_udp_is_one_datagram_an_event(tmp_path: Path) -> None:
    async def play() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as recorder:
            recorder.bind(("127.0.0.1", 0))
            recorder.settimeout(PATIENCE_S)
            one = output(tmp_path, text(f"udp://127.0.0.1:{recorder.getsockname()[1]}"))
            await one.deliver([FACE, FACE])
            assert [recorder.recv(4096) for _ in "ab"] == [SAID, SAID]
            await one.close()

    run(play())


def test_text_over_a_serial_line_with_the_address_of_the_table(tmp_path: Path) -> None:
    async def play() -> None:
        controller, node = os.openpty()
        name = tmp_path / "line"
        more = 'preset = "ave-vsi"\naddress = 7\nstamp = false\n'
        one = output(tmp_path, f'kind = "text"\nto = "serial://{name}"\n{more}')
        assert "No such file" in str(await refused(one))
        name.symlink_to(os.ttyname(node))
        await one.deliver([FACE])
        assert os.read(controller, 4096) == b"\x1b\x07BAC-07 S3 C41\r\n\x1b\x07P1 4S\r\n\x1b\x07\r\n"
        await one.close()
        os.close(controller)
        os.close(node)

    run(play())


def test_zoneminder(tmp_path: Path) -> None:
    async def play() -> None:
        async with Recorder() as recorder:
            toml = f'kind = "zoneminder"\nto = "tcp://127.0.0.1:{recorder.port}"\nmonitor = 2'
            one = output(tmp_path, toml)
            await one.deliver([FACE, made("alarm.raised", code="unmasked")])
            stamp = "BAC-07 S3 C41 2026-11-30 12:00:00.123 N412"
            said = (
                f"2|show|0|CARD EXPOSED|{stamp} P1 4S|P1 4S\n"
                f"2|on+20|255|ALARM RAISED|{stamp} ALARM RAISED UNMASKED|ALARM RAISED UNMASKED\n"
            )
            assert (await recorder.until(len(said))).decode() == said
            await one.close()

    run(play())


def test_frigate(tmp_path: Path) -> None:
    async def play() -> None:
        peer = Frigate()
        toml = f'kind = "frigate"\nto = "http://127.0.0.1:{peer.port}"\ncamera = "bac 07/1"'
        one = output(tmp_path, toml)
        assert "Connection refused" in str(await refused(one))
        async with peer:
            peer.status = 404
            assert str(await refused(one)).endswith("/api/events/bac%2007%2F1/baccarat/create: answered 404")
            peer.status = 200
            await one.deliver([made("coup.result", **RESULT)])
        path, body = peer.posts[-1]
        assert path == "/api/events/bac%2007%2F1/baccarat/create"
        assert json.loads(body) == {
            "source_type": "api",
            "sub_label": "BAC-07 S3 C41 P 4H 9C UNREAD 3 B KS 8D 8 BANKER NATURAL",
            "duration": 30,
            "include_recording": True,
        }
        assert len(peer.posts) == 2

    run(play())


def test_syslog_over_tcp_is_counted_in_octets(tmp_path: Path) -> None:
    async def play() -> None:
        async with Recorder() as recorder:
            one = output(tmp_path, f'kind = "syslog"\nto = "tcp://127.0.0.1:{recorder.port}"\nhost = "h"')
            events = [made("seat.message", text="é\n"), FACE]
            await one.deliver(events)
            messages = [rfc5424.message(told, rfc5424.Header(host="h")) for told in events]
            said = b"".join(b"%d %s" % (len(message), message) for message in messages)
            assert await recorder.until(len(said)) == said
            await one.close()

    run(play())
