"""Ways to a peer in the network, opened when they are needed and anew whenever they are gone.

A wire sends bytes and raises Undelivered. Sockets are used bare: a transport that fails to send throws away
what was received, and with it acknowledgements that are worth having.
"""

import asyncio
import errno
import fcntl
import os
import re
import socket
import struct
import termios
from typing import Final, Literal, Protocol

import msgspec

from shoe_daemon.clients.surveillance.output import Undelivered
from shoe_daemon.runtime.threads import in_thread

CONNECT_S: Final = 5.0
STUCK_S: Final = 30.0
"""A peer that takes nothing for so long is connected to anew."""
_SILENT_MS: Final = 10_000
"""A peer whose system acknowledges nothing for so long is gone."""
_KEEPALIVE: Final = {"TCP_KEEPIDLE": 5, "TCP_KEEPINTVL": 2, "TCP_KEEPCNT": 3}
_PAUSE_S: Final = (0.001, 0.05)
_READ: Final = 4096

_PORT: Final = r"([1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])"
PLACE: Final = rf"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?):{_PORT}"
"""Pattern of `host:port`, `192.0.2.7:514`, `[::1]:514`."""


class Place(msgspec.Struct, frozen=True):
    """Where a peer is: what to speak there, host and port."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.scheme}://{self.at}"

    @property
    def at(self) -> str:
        """Host and port."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def place(text: str) -> Place:
    """Read `scheme://host:port`, which the pattern has checked. Raises ValueError for anything else."""
    found = re.fullmatch(rf"([a-z-]+)://{PLACE}", text)
    if found is None:
        raise ValueError(f"{text} is no scheme://host:port")
    return Place(found[1], found[2].strip("[]"), int(found[3]))


class Wire(Protocol):
    """One way to a peer."""

    async def open(self) -> None:
        """Take what must be there from the start. Raises OSError."""

    async def send(self, data: bytes) -> None:
        """Return once the peer has `data`, as far as can be told. Raises Undelivered."""

    async def close(self) -> None:
        """Let it go."""


async def connected(where: Place) -> socket.socket:
    """A connection, which does not block. Raises Undelivered."""
    try:
        made = await in_thread(lambda: socket.create_connection((where.host, where.port), CONNECT_S))
    except (OSError, UnicodeError) as error:
        raise Undelivered(f"{where}: {_why(error)}") from None
    if made.getsockname() == made.getpeername():
        # A port that nobody listens at was given to our own end.
        made.close()
        raise Undelivered(f"{where}: {os.strerror(errno.ECONNREFUSED)}")
    made.settimeout(0)
    keep_alive(made)
    return made


def keep_alive(wire: socket.socket) -> None:
    """Notice within seconds that the peer's machine is gone; send small pieces at once."""
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _SILENT_MS)
    for name, value in _KEEPALIVE.items():
        wire.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def drained(wire: socket.socket) -> bool:
    """Pass over what the peer said, of which nothing is expected; False where it is gone."""
    try:
        while wire.recv(_READ):
            pass
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


async def pour(wire: socket.socket, data: bytes) -> None:
    """Return once the peer's system has acknowledged `data`. Raises OSError.

    The peer's program may still lose it. TCP tells no more than this.
    """
    async with asyncio.timeout(STUCK_S):
        await asyncio.get_running_loop().sock_sendall(wire, data)
        pause, longest = _PAUSE_S
        while _waiting(wire):
            # The system tells nobody when the last byte is acknowledged: it must be asked.
            if not drained(wire):
                raise ConnectionResetError("the peer closed the connection")
            await asyncio.sleep(pause)
            pause = min(2 * pause, longest)
    if (failed := wire.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)) != 0:
        raise OSError(failed, os.strerror(failed))


def _waiting(wire: socket.socket) -> int:
    """Bytes sent and not yet acknowledged by the peer's system."""
    size = fcntl.ioctl(wire.fileno(), termios.TIOCOUTQ, struct.pack("i", 0))
    return int(struct.unpack("i", size)[0])


def _why(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "does not answer"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


class TcpWire:
    """A connection that we make."""

    def __init__(self, where: Place) -> None:
        self._where = where
        self._wire: socket.socket | None = None

    async def open(self) -> None:
        """Nothing: it connects when there is something to send."""

    async def send(self, data: bytes) -> None:
        """Return once the peer's system has `data`. Raises Undelivered; part of it may be there then."""
        if self._wire is not None and not drained(self._wire):
            await self.close()
        if self._wire is None:
            self._wire = await connected(self._where)
        try:
            await pour(self._wire, data)
        except OSError as error:
            await self.close()
            raise Undelivered(f"{self._where}: {_why(error)}") from None
        except asyncio.CancelledError:
            await self.close()
            raise

    async def close(self) -> None:
        """Let the connection go."""
        if self._wire is not None:
            self._wire.close()
            self._wire = None


class UdpWire:
    """Datagrams. They may be lost anywhere, and nothing says so but, at times, the next one."""

    def __init__(self, where: Place) -> None:
        self._where = where
        self._wire: socket.socket | None = None

    async def open(self) -> None:
        """Nothing: a name may not be known yet."""

    async def send(self, data: bytes) -> None:
        """Return once `data` is on its way. Raises Undelivered where nobody is known to be there."""
        try:
            if self._wire is None:
                self._wire = await in_thread(self._made)
            await asyncio.get_running_loop().sock_sendall(self._wire, data)
        except (OSError, UnicodeError) as error:
            await self.close()
            raise Undelivered(f"{self._where}: {_why(error)}") from None

    def _made(self) -> socket.socket:
        family, kind, number, _, address = socket.getaddrinfo(
            self._where.host, self._where.port, type=socket.SOCK_DGRAM
        )[0]
        made = socket.socket(family, kind, number)
        made.settimeout(0)
        try:
            made.connect(address)
        except OSError:
            made.close()
            raise
        return made

    async def close(self) -> None:
        """Let the socket go."""
        if self._wire is not None:
            self._wire.close()
            self._wire = None


Scheme = Literal["tcp", "udp"]


def wire_to(where: Place) -> Wire:
    """The wire for a place of scheme `tcp` or `udp`."""
    return UdpWire(where) if where.scheme == "udp" else TcpWire(where)
