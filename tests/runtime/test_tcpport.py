"""A shoe behind a TCP port."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from shoe_daemon.runtime.tcpport import TcpPort, address
from tests.runtime.listeners import Listener

FRAME = b" [Game]<Card:4S> \r\n"


@asynccontextmanager
async def listening(port: int, listener: Listener) -> AsyncIterator[TcpPort]:
    way = TcpPort("127.0.0.1", port, listener.on_bytes, listener.on_link, listener.now)
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

    async def start(self, port: int = 0) -> int:
        self.server = await asyncio.start_server(self._connected, "127.0.0.1", port)
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
        "udp://host:5",
    ],
)
def test_what_is_no_address_says_so(text: str) -> None:
    with pytest.raises(ValueError, match="is no address"):
        address(text)
