"""Peers that do as they are told, in the test's own loop: a RELP server, a recorder, Frigate."""

import asyncio
import sys
from collections.abc import Callable
from typing import Final, Self

from tests.process.running import free_ports

PATIENCE_S: Final = 30.0


async def until(done: Callable[[], bool]) -> None:
    """Look until `done`, however often the loop must turn."""
    async with asyncio.timeout(PATIENCE_S):
        while not done():  # noqa: ASYNC110 - peers are as plain as can be: none of them sets events
            await asyncio.sleep(0)


class RelpServer:
    """Speaks RELP by the book, but does what `answer` says with each message.

    `answer`: `ok`; `silent`, it takes the message and says nothing; `gone`, it takes the message and ends the
    connection; `refuse`, it answers 500. At the message of number `last` it ends the connection. `taken` are
    the messages, `sessions` counts them.
    """

    def __init__(self) -> None:
        (self.port,) = free_ports(1)
        self.answer = "ok"
        self.last = sys.maxsize
        self.offers = b"200 OK\nrelp_version=0\ncommands=syslog"
        self.taken: list[bytes] = []
        self.txnrs: list[int] = []
        self.commands: list[str] = []
        self.sessions = 0
        self._writers: list[asyncio.StreamWriter] = []
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.hang_up()

    def hang_up(self) -> None:
        """End every session."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    def say(self, data: bytes) -> None:
        """Send bytes of any kind in every session."""
        for writer in self._writers:
            writer.write(data)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.sessions += 1
        self._writers.append(writer)
        while head := await reader.readuntil(b" ") if not reader.at_eof() else b"":
            txnr = int(head)
            command = (await reader.readuntil(b" "))[:-1].decode()
            size = b""
            while (one := await reader.readexactly(1)).isdigit():
                size += one
            data = await reader.readexactly(int(size)) if int(size) else b""
            if int(size):
                assert await reader.readexactly(1) == b"\n"
            self.commands.append(command)
            self.txnrs.append(txnr)
            if not self._did(writer, txnr, command, data):
                return

    def _did(self, writer: asyncio.StreamWriter, txnr: int, command: str, data: bytes) -> bool:
        said = self.offers if command == "open" else b"200 OK"
        if command == "syslog":
            self.taken.append(data)
            if self.answer == "gone" or len(self.taken) >= self.last:
                writer.transport.abort()
                return False
            if self.answer == "silent":
                return True
            if self.answer == "refuse":
                said = b"500 no more room"
        writer.write(b"%d rsp %d %s\n" % (txnr, len(said), said))
        return True


class Recorder:
    """Listens at `port` and keeps what it gets; `hang_up` ends what is connected."""

    def __init__(self) -> None:
        (self.port,) = free_ports(1)
        self.got = b""
        self._writers: list[asyncio.StreamWriter] = []
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.hang_up()

    def hang_up(self) -> None:
        """End every connection."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def until(self, size: int) -> bytes:
        """What it got, once it is so many bytes."""
        await until(lambda: len(self.got) >= size)
        return self.got

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        while data := await reader.read(4096):
            self.got += data


class Frigate:
    """Answers a POST with `status`, and keeps path and body."""

    def __init__(self) -> None:
        (self.port,) = free_ports(1)
        self.status = 200
        self.posts: list[tuple[str, bytes]] = []
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        size = int(head.lower().partition("content-length: ")[2].split("\r\n")[0])
        self.posts.append((head.split()[1], await reader.readexactly(size)))
        writer.write(b'HTTP/1.1 %d -\r\nContent-Length: 16\r\n\r\n{"success":true}' % self.status)
        await writer.drain()
        writer.close()
