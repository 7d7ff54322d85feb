"""A port that recorders connect to; each gets what comes while it is connected."""

import asyncio
import ipaddress
import os
import socket
from typing import Final

import structlog

from shoe_daemon.clients.surveillance.output import Undelivered
from shoe_daemon.clients.surveillance.wires import Place, drained, keep_alive, pour

RECORDERS: Final = 8
_log = structlog.get_logger("surveillance")


class ListeningWire:
    """A `Wire` that the peers open. `allowed`: the addresses that may, anybody's where there are none."""

    def __init__(self, where: Place, allowed: frozenset[str]) -> None:
        self._where = where
        self._allowed = allowed
        self._listener: socket.socket | None = None
        self._accepting: asyncio.Task[None] | None = None
        self._peers: list[socket.socket] = []

    async def open(self) -> None:
        """Listen from now on. Raises OSError where the port is taken."""
        family = socket.AF_INET6 if ":" in self._where.host else socket.AF_INET
        try:
            self._listener = socket.create_server((self._where.host, self._where.port), family=family)
        except OSError as error:
            raise OSError(error.errno, f"{self._where}: {os.strerror(error.errno or 0)}") from None
        self._listener.settimeout(0)
        self._accepting = asyncio.create_task(self._accept(self._listener))

    async def send(self, data: bytes) -> None:
        """Return once every recorder that is connected has `data`. Raises Undelivered where none has."""
        self._put_out([peer for peer in self._peers if not drained(peer)])
        peers = list(self._peers)
        if not peers:
            raise Undelivered(f"{self._where}: no recorder is connected")
        ends = await asyncio.gather(*(pour(peer, data) for peer in peers), return_exceptions=True)
        failed = [peer for peer, end in zip(peers, ends, strict=True) if end is not None]
        self._put_out(failed)
        if len(failed) == len(peers):
            raise Undelivered(f"{self._where}: no recorder took it")

    async def close(self) -> None:
        """Listen no more, and let all go."""
        if self._accepting is not None:
            self._accepting.cancel()
            await asyncio.wait({self._accepting})
        if self._listener is not None:
            self._listener.close()
        self._put_out(list(self._peers))

    async def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                peer, address = await loop.sock_accept(listener)
            except OSError as error:  # the peer went at once, or descriptors are short
                _log.warning("no connection", at=str(self._where), reason=os.strerror(error.errno or 0))
                await asyncio.sleep(1)
                continue
            self._put_out([one for one in self._peers if not drained(one)])
            host = str(ipaddress.ip_address(address[0].partition("%")[0]))
            if (self._allowed and host not in self._allowed) or len(self._peers) >= RECORDERS:
                _log.warning("refused a connection", at=str(self._where), peer=host)
                peer.close()
                continue
            keep_alive(peer)
            self._peers.append(peer)
            _log.info("a recorder connected", at=str(self._where), peer=host)

    def _put_out(self, peers: list[socket.socket]) -> None:
        for peer in peers:
            self._peers.remove(peer)
            peer.close()
