"""A shoe behind a TCP port."""

import asyncio
import errno
import os
import socket
import struct
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, suppress

import pytest

from shoe_daemon.runtime import ports, tcpport
from shoe_daemon.runtime.tcpport import TcpPort, address
from tests.runtime.cables import again, open_files
from tests.runtime.listeners import Listener

FRAME = b" [Game]<Card:4S> \r\n"


@asynccontextmanager
async def listening(port: int, listener: Listener, host: str = "127.0.0.1") -> AsyncIterator[TcpPort]:
    way = TcpPort(host, port, listener.on_bytes, listener.on_link, listener.now, listener.on_alarm)
    way.start()
    try:
        yield way
    finally:
        await way.stop()


class Shoe:
    """A TCP server that keeps its connections."""

    def __init__(self) -> None:
        self.readers: list[asyncio.StreamReader] = []
        self.writers: list[asyncio.StreamWriter] = []
        self.server: asyncio.Server | None = None

    async def start(self, port: int = 0, host: str = "127.0.0.1") -> int:
        self.server = await asyncio.start_server(self._connected, host, port)
        return int(self.server.sockets[0].getsockname()[1])

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.readers.append(reader)
        self.writers.append(writer)

    async def stop(self) -> None:
        assert self.server is not None
        self.server.close()
        for writer in self.writers:
            writer.transport.abort()
        self.writers.clear()
        await self.server.wait_closed()

    def send(self, data: bytes) -> None:
        self.writers[-1].write(data)


def test_bytes_arrive_and_a_lost_connection_comes_back() -> None:
    async def main() -> None:
        shoe, listener = Shoe(), Listener()
        number = await shoe.start()
        async with listening(number, listener) as port:
            await listener.until_links("up")
            shoe.send(FRAME)
            await listener.until_received(FRAME)
            await shoe.stop()
            await listener.until_links("up", "down")
            assert str(listener.links[1][1]).startswith(f"hangup: 127.0.0.1:{number}: ")
            await shoe.start(number)
            await listener.until_links("up", "down", "up")
            assert listener.links[2] == ("up", None)
            shoe.send(FRAME)
            await listener.until_received(FRAME * 2)
            assert port.state == "up"
        await shoe.stop()

    asyncio.run(main())


def test_a_closing_server_is_a_hang_up() -> None:
    async def main() -> None:
        shoe, listener = Shoe(), Listener()
        async with listening(await shoe.start(), listener):
            await listener.until_links("up")
            shoe.send(FRAME[:4])
            shoe.writers[-1].close()
            await listener.until(lambda: len(listener.links) > 1)
            assert listener.received == FRAME[:4]
            assert str(listener.links[1][1]).endswith("the other side closed it")
        await shoe.stop()

    asyncio.run(main())


def test_nothing_listening_is_told_and_waited_for() -> None:
    async def main() -> None:
        shoe, listener = Shoe(), Listener()
        number = await shoe.start()
        await shoe.stop()
        async with listening(number, listener):
            await listener.until_links("down")
            assert (
                listener.links[0][1]
                == f"refused: nothing listens at 127.0.0.1:{number}: start the server there"
            )
            await shoe.start(number)
            await listener.until_links("down", "up")
        await shoe.stop()

    asyncio.run(main())


def test_a_stop_closes_the_connection_and_tells_nothing() -> None:
    async def main() -> None:
        shoe, listener = Shoe(), Listener()
        async with listening(await shoe.start(), listener):
            await listener.until_links("up")
        with suppress(ConnectionError):
            assert await shoe.readers[-1].read() == b""
        await shoe.stop()
        assert listener.links == [("up", None)]

    asyncio.run(main())


def test_a_reset_in_the_middle_of_a_frame_comes_after_its_bytes() -> None:
    async def main() -> None:
        shoe, listener = Shoe(), Listener()
        async with listening(await shoe.start(), listener):
            await listener.until_links("up")
            shoe.send(FRAME[:9])
            await listener.until_received(FRAME[:9])
            wire = shoe.writers[-1].get_extra_info("socket")
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # close is a reset
            shoe.writers[-1].transport.abort()
            await listener.until(lambda: len(listener.links) > 1)
            assert "Connection reset by peer" in str(listener.links[1][1])
            await listener.until_links("up", "down", "up")
            shoe.send(FRAME)
            await listener.until_received(FRAME[:9] + FRAME)
        await shoe.stop()

    asyncio.run(main())


def test_a_peer_that_is_gone_without_a_word_is_asked_for() -> None:
    # Whether probes find a dead peer is the kernel's part; ours is to ask for them on each connection.
    async def main() -> None:
        shoe, listener = Shoe(), Listener()
        async with listening(await shoe.start(), listener) as way:
            await listener.until_links("up")
            assert way._transport is not None
            wire = way._transport.get_extra_info("socket")
            assert wire.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            asked = [wire.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) for name in tcpport.KEEPALIVE]
            assert asked == [5, 2, 3]
        await shoe.stop()

    asyncio.run(main())


class Names:
    """What the name server says; it may be made to wait."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *hosts: str) -> None:
        self.hosts = list(hosts)
        self.answers = threading.Event()
        self.answers.set()
        self._real = socket.getaddrinfo
        monkeypatch.setattr(socket, "getaddrinfo", self._look_up)

    def _look_up(self, host: str, port: int, *args: int, **more: int) -> list[object]:
        if host != "shoe-7.example":
            return list(self._real(host, port, *args, **more))
        self.answers.wait()
        return [one for name in self.hosts for one in self._real(name, port, *args, **more)]


def test_each_address_of_a_name_is_tried_and_the_good_one_is_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[str] = []
    real = tcpport._connected

    async def connected(wire: socket.socket, place: tuple[str, int]) -> socket.socket:
        tried.append(place[0])
        return await real(wire, place)

    monkeypatch.setattr(tcpport, "_connected", connected)
    Names(monkeypatch, "127.0.0.3", "127.0.0.2")

    async def main() -> None:
        shoe, listener = Shoe(), Listener()
        number = await shoe.start(host="127.0.0.2")
        async with listening(number, listener, "shoe-7.example"):
            await listener.until_links("up")
            assert tried == ["127.0.0.3", "127.0.0.2"]
            shoe.writers[-1].transport.abort()
            await listener.until_links("up", "down", "up")
            assert tried[2:] == ["127.0.0.2"]
        await shoe.stop()

    asyncio.run(main())


def test_a_name_of_which_no_address_listens_is_refused_like_one(monkeypatch: pytest.MonkeyPatch) -> None:
    Names(monkeypatch, "127.0.0.2", "127.0.0.3")

    async def main() -> None:
        shoe, listener = Shoe(), Listener()
        number = await shoe.start()
        before = open_files()
        async with listening(number, listener, "shoe-7.example"):
            await listener.until_links("down")
            assert str(listener.links[0][1]).startswith(
                f"refused: nothing listens at shoe-7.example:{number}"
            )
            assert open_files() == before
        await shoe.stop()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("failures", "words"),
    [
        ([errno.ECONNREFUSED], "refused: nothing listens at [::1]:7: start the server there"),
        (
            [errno.ENETUNREACH, errno.ECONNREFUSED],
            "refused: nothing listens at [::1]:7: start the server there",
        ),
        ([errno.ETIMEDOUT], "absent: [::1]:7 does not answer: check the network and the server"),
        (
            [errno.ENETUNREACH, errno.ETIMEDOUT],
            "absent: [::1]:7 cannot be reached: Network is unreachable, Connection timed out",
        ),
        ([errno.EACCES], "absent: [::1]:7 cannot be reached: Permission denied"),
    ],
)
def test_each_failure_has_its_words(failures: list[int], words: str) -> None:
    listener = Listener()
    way = TcpPort("::1", 7, listener.on_bytes, listener.on_link, listener.now)
    assert way._why([OSError(number, os.strerror(number)) for number in failures]) == words


def test_a_name_that_nobody_knows_is_told_and_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0

    def unknown(*_: object, **__: object) -> list[object]:
        nonlocal asked
        asked += 1
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    async def main() -> None:
        listener = Listener()
        monkeypatch.setattr(socket, "getaddrinfo", unknown)
        async with listening(7, listener, "shoe-7.example"):
            await listener.until_links("down")
            words = "absent: host shoe-7.example is not known: Name or service not known"
            assert listener.links[0][1] == words
            await listener.until(lambda: asked > 2 or again(listener))

    asyncio.run(main())


def test_a_name_server_that_is_silent_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    names = Names(monkeypatch, "127.0.0.1")
    names.answers.clear()
    monkeypatch.setattr(tcpport, "CONNECT_S", 0.01)

    async def main() -> None:
        shoe, listener = Shoe(), Listener()
        async with listening(await shoe.start(), listener, "shoe-7.example"):
            await listener.until_links("down")
            assert str(listener.links[0][1]).startswith(
                "absent: no name server answers for host shoe-7.example"
            )
            monkeypatch.setattr(tcpport, "CONNECT_S", 5.0)
            names.answers.set()
            await listener.until_links("down", "up")
        await shoe.stop()

    asyncio.run(main())


@pytest.fixture
def full() -> Iterator[int]:
    """A port that listens and takes nobody in: connecting to it hangs."""
    with ExitStack() as waiting:
        server = waiting.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        number = int(server.getsockname()[1])
        for _ in range(3):
            wire = waiting.enter_context(socket.socket())
            wire.settimeout(0)
            with suppress(BlockingIOError):
                wire.connect(("127.0.0.1", number))
        yield number


def test_a_server_that_takes_nobody_in_does_not_answer(full: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tcpport, "CONNECT_S", 0.05)

    async def main() -> None:
        listener = Listener()
        async with listening(full, listener):
            await listener.until_links("down")
            assert str(listener.links[0][1]).startswith(f"absent: 127.0.0.1:{full} does not answer")

    asyncio.run(main())


def test_a_stop_waits_neither_for_a_connection_nor_for_a_name(
    full: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = Names(monkeypatch, "127.0.0.1")
    names.answers.clear()
    monkeypatch.setattr(ports, "STOP_S", 3600)  # so that no limit but the test's own ends a wait
    monkeypatch.setattr(tcpport, "CONNECT_S", 3600)

    async def stopped(host: str) -> None:
        listener = Listener()
        way = TcpPort(host, full, listener.on_bytes, listener.on_link, listener.now)
        task = way.start()
        await listener.until(lambda: way._attempt is not None or again(listener))
        await asyncio.sleep(0)  # the attempt takes its first step
        await way.stop()
        assert task.done()
        assert not listener.links

    async def main() -> None:
        await stopped("127.0.0.1")
        await stopped("shoe-7.example")

    before = open_files()
    asyncio.run(main())
    assert open_files() == before
    names.answers.set()


def test_a_connection_to_itself_is_none() -> None:
    with socket.socket() as wire:
        wire.bind(("127.0.0.1", 0))
        wire.connect(wire.getsockname())
        with pytest.raises(ConnectionRefusedError):
            tcpport._not_itself(wire)


def test_a_server_that_drops_everybody_is_flapping_and_tried_less_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ports, "FLAPPING_PAUSE_S", 0.05)

    async def main() -> None:
        listener = Listener()
        server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
        async with listening(server.sockets[0].getsockname()[1], listener):
            await listener.until(lambda: len(listener.links) > 12)
            ((code, text),) = listener.alarms
            assert code == "link_flapping"
            assert "one connection at a time" in text
        server.close()
        await server.wait_closed()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("tcp://10.0.0.4:4001", ("10.0.0.4", 4001)),
        ("tcp://shoe-7.local:1", ("shoe-7.local", 1)),
        ("tcp://[::1]:65535", ("::1", 65535)),
    ],
)
def test_addresses(text: str, found: tuple[str, int]) -> None:
    assert address(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "10.0.0.4:4001",
        "tcp://",
        "tcp://:4001",
        "tcp://host",
        "tcp://host:",
        "tcp://host:0",
        "tcp://host:65536",
        "tcp://host:-1",
        "tcp://host:4001/",
        "tcp://ho st:1",
        "tcp://a/b:1",
        "tcp://u@h:1",
        "tcp://::1:5",
        "tcp://[host]:5",
        "tcp://a..b:5",
        f"tcp://{'a' * 64}.net:5",
        "udp://host:5",
    ],
)
def test_what_is_no_address_says_so(text: str) -> None:
    with pytest.raises(ValueError, match="is no address"):
        address(text)
