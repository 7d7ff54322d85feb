"""A shoe behind a TCP port: a serial server, or the virtual shoe.

A peer that vanished without a word (power cut, cable) is found out by keepalive probes, for nothing is ever
sent that could fail. Names are looked up in a thread that nobody waits for: a name server may take minutes.
"""

import asyncio
import errno
import os
import socket
from typing import Any, Final

from shoe_daemon.runtime.ports import Now, OnAlarm, OnBytes, OnLink, Port, UnreachableError, unheard
from shoe_daemon.runtime.threads import in_thread

SCHEME: Final = "tcp://"
CONNECT_S: Final = 5.0
"""For the name, and for each address that it has."""
_UNSENT: Final = 4096
"""Bytes that may wait for a peer that reads nothing."""
_LARGEST_PORT: Final = 65535
KEEPALIVE: Final = {"TCP_KEEPIDLE": 5, "TCP_KEEPINTVL": 2, "TCP_KEEPCNT": 3}
"""A peer that is gone is missed after 11 s of silence."""


def address(text: str) -> tuple[str, int]:
    """Split `tcp://host:port` into host and port. Raises ValueError."""
    host, colon, port = text.removeprefix(SCHEME).rpartition(":")
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    number = int(port[:6]) if port.isascii() and port.isdecimal() else 0
    good = text.startswith(SCHEME) and colon and bare and (bare == host) == (":" not in bare)
    bad = set(bare) & set(" /@") or not bare.isprintable() or not _encodes(bare)
    if not good or bad or not 1 <= number <= _LARGEST_PORT:
        raise ValueError(
            f'"{text}" is no address: write "tcp://host:port" with a port from 1 to {_LARGEST_PORT}'
        )
    return bare, number


def _encodes(host: str) -> bool:
    """Whether a name server could be asked: no empty label, none above 63 characters."""
    try:
        host.encode("idna")
    except UnicodeError:
        return False
    return True


class TcpPort(Port):
    """A `Port` that connects to `host`:`port`."""

    hint = "a loose cable, or a server that takes one connection at a time and gives it to another program"

    def __init__(  # noqa: PLR0913, PLR0917 - the four of every port, and the address
        self,
        host: str,
        port: int,
        on_bytes: OnBytes,
        on_link: OnLink,
        now: Now,
        on_alarm: OnAlarm = unheard,
    ) -> None:
        super().__init__(on_bytes, on_link, now, on_alarm)
        self._host = host
        self._port = port
        self._last: Any = None
        self._attempt: asyncio.Task[socket.socket] | None = None
        self._transport: asyncio.Transport | None = None

    @property
    def where(self) -> str:
        """Host and port, as in a configuration."""
        return f"[{self._host}]:{self._port}" if ":" in self._host else f"{self._host}:{self._port}"

    async def _open(self) -> None:
        loop = asyncio.get_running_loop()
        self._attempt = loop.create_task(self._connect())
        try:
            wire = await self._attempt
        except asyncio.CancelledError:
            if not self._stopping.is_set():
                raise
            raise UnreachableError("stopped while it was being opened") from None
        self._transport, _ = await loop.create_connection(lambda: _Wire(self), sock=wire)

    async def _connect(self) -> socket.socket:
        """Connect to the first address that answers; the one of last time is tried first."""
        addresses = await self._addresses()
        addresses.sort(key=lambda one: one[4] != self._last)
        failures: list[OSError] = []
        for family, kind, protocol, _, place in addresses:
            try:
                wire = await _connected(socket.socket(family, kind, protocol), place)
            except OSError as error:
                failures.append(error)
            else:
                self._last = place
                return wire
        raise UnreachableError(self._why(failures))

    async def _addresses(self) -> list[Any]:
        """All that the host's name stands for. Raises UnreachableError."""
        host, port = self._host, self._port
        try:
            async with asyncio.timeout(CONNECT_S):
                return await in_thread(lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except TimeoutError:
            words = f"no name server answers for host {host}: use its address, or check the network"
            raise UnreachableError(f"absent: {words}") from None
        except socket.gaierror as error:
            raise UnreachableError(f"absent: host {host} is not known: {error.strerror}") from error

    def _why(self, failures: list[OSError]) -> str:
        """Say why no address could be connected to: a code, a colon, and what to do."""
        if any(isinstance(error, ConnectionRefusedError) for error in failures):
            return f"refused: nothing listens at {self.where}: start the server there"
        if all(isinstance(error, TimeoutError) for error in failures):
            return f"absent: {self.where} does not answer: check the network and the server"
        words = ", ".join(os.strerror(error.errno or errno.ETIMEDOUT) for error in failures)
        return f"absent: {self.where} cannot be reached: {words}"

    def _quiet(self) -> None:
        if self._transport:
            self._transport.abort()
        elif self._attempt:
            self._attempt.cancel()

    async def _close(self) -> None:
        self._quiet()
        self._transport = None

    def _write(self, data: bytes) -> int:
        if self._transport is None or self._transport.is_closing():
            return len(data)
        if self._transport.get_write_buffer_size() > _UNSENT:
            return 0
        self._transport.write(data)
        return len(data)

    def _moved(self) -> str | None:
        return None

    def take(self, data: bytes) -> None:
        """Bytes came."""
        self._on_bytes(data, self._now())

    def gone(self, error: Exception | None) -> None:
        """Give the connection up."""
        why = str(error) if error else "the other side closed it"
        self._lose(f"hangup: {self.where}: {why}")


async def _connected(wire: socket.socket, place: Any) -> socket.socket:  # noqa: ANN401 - as its family has it
    """Connect `wire` to `place`; it is closed where that fails, with OSError or by being given up."""
    try:
        wire.settimeout(0)
        _keep_alive(wire)
        async with asyncio.timeout(CONNECT_S):
            await asyncio.get_running_loop().sock_connect(wire, place)
        _not_itself(wire)
    except BaseException:
        wire.close()
        raise
    return wire


def _keep_alive(wire: socket.socket) -> None:
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in KEEPALIVE.items():
        if hasattr(socket, name):
            wire.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _not_itself(wire: socket.socket) -> None:
    """Raise ConnectionRefusedError where the two ends are one socket.

    A port that nobody listens at may be given to the connecting end itself; then it answers itself, and
    keeps the real server from ever having that port.
    """
    if wire.getsockname() == wire.getpeername():
        raise ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))


class _Wire(asyncio.Protocol):
    """One connection."""

    def __init__(self, port: TcpPort) -> None:
        self._port = port

    def data_received(self, data: bytes) -> None:
        """Pass bytes on as they come."""
        self._port.take(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Pass the end on."""
        self._port.gone(exc)
