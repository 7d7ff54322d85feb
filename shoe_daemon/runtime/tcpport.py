"""A shoe behind a TCP port: a serial server, or the virtual shoe."""

import asyncio
import socket
from typing import Final

from shoe_daemon.runtime.ports import Now, OnBytes, OnLink, Port, UnreachableError

SCHEME: Final = "tcp://"
_CONNECT_S: Final = 5.0
_UNSENT: Final = 4096
"""Bytes that may wait for a peer that reads nothing."""
_LARGEST_PORT: Final = 65535
_KEEPALIVE: Final = {"TCP_KEEPIDLE": 5, "TCP_KEEPINTVL": 2, "TCP_KEEPCNT": 3}


def address(text: str) -> tuple[str, int]:
    """Split `tcp://host:port` into host and port. Raises ValueError."""
    host, colon, port = text.removeprefix(SCHEME).rpartition(":")
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    number = int(port[:6]) if port.isascii() and port.isdecimal() else 0
    good = text.startswith(SCHEME) and colon and bare and (bare == host) == (":" not in bare)
    if not good or not bare.isprintable() or set(bare) & set(" /@") or not 1 <= number <= _LARGEST_PORT:
        raise ValueError(
            f'"{text}" is no address: write "tcp://host:port" with a port from 1 to {_LARGEST_PORT}'
        )
    return bare, number


class TcpPort(Port):
    """A `Port` that connects to `host`:`port`."""

    def __init__(self, host: str, port: int, on_bytes: OnBytes, on_link: OnLink, now: Now) -> None:
        super().__init__(on_bytes, on_link, now)
        self._host = host
        self._port = port
        self._transport: asyncio.Transport | None = None

    async def _open(self) -> None:
        loop = asyncio.get_running_loop()
        where = f"{self._host}:{self._port}"
        try:
            async with asyncio.timeout(_CONNECT_S):
                self._transport, _ = await loop.create_connection(lambda: _Wire(self), self._host, self._port)
        except TimeoutError:
            raise UnreachableError(
                f"absent: {where} does not answer: check the network and the server"
            ) from None
        except ConnectionRefusedError:
            raise UnreachableError(f"refused: nothing listens at {where}: start the server there") from None
        except socket.gaierror as error:
            raise UnreachableError(f"absent: host {self._host} is not known: {error.strerror}") from error
        except OSError as error:
            raise UnreachableError(f"absent: {where} cannot be reached: {error.strerror}") from error
        wire = self._transport.get_extra_info("socket")
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _KEEPALIVE.items():
            if hasattr(socket, name):
                wire.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)

    def _quiet(self) -> None:
        if self._transport:
            self._transport.abort()

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
        self._lose(f"hangup: {self._host}:{self._port}: {why}")


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
