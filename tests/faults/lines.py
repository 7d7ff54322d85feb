"""The far end of a shoe's line, in the hand of who breaks it: a pseudo-terminal or a TCP server."""

import fcntl
import os
import select
import socket
import tty
from pathlib import Path

from shoe_daemon.clients.shoe_line import ShoeLine
from tests.process.running import PATIENCE_S, free_ports, until

MOST = 65_536
"""Bytes taken at once of what the reader sent."""


class Far(ShoeLine):
    """A line that is pulled and put back, maybe as another node; it tells what the reader left unread."""

    keeps = False
    """Whether what is sent to nobody waits at the near end."""

    def plug(self, *, busy: bool = False) -> None:
        """Put it back under the same name; `busy`: another program holds it until `let_go`."""
        raise NotImplementedError

    def unplug(self, *, keep_node: bool = False) -> None:
        """Pull it; with `keep_node` its node stays taken, so that the next one is another."""
        raise NotImplementedError

    def let_go(self) -> None:
        """The other program lets the line go."""
        raise NotImplementedError

    def unread(self) -> bool:
        """Whether bytes wait that the reader has not taken and would lose at a hang-up."""
        raise NotImplementedError

    def steal(self, size: int) -> bytes:
        """Read as a second reader does."""
        raise NotImplementedError


class FarPty(Far):
    """A pseudo-terminal behind a link, as /dev/serial/by-id has them.

    The slave stays open here, from before a reader locks it: what waits in it can be seen, and taken.
    """

    keeps = True

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.name = str(path)
        self._path = path
        self._master = self._slave = -1
        self.plug()

    def plug(self, *, busy: bool = False) -> None:
        if self._master >= 0:
            return
        before = self._slave
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._slave, False)
        if busy:
            fcntl.flock(self._slave, fcntl.LOCK_EX)
        fresh = self._path.with_name(self._path.name + ".new")
        fresh.symlink_to(os.ttyname(self._slave))
        fresh.replace(self._path)
        if before >= 0:
            os.close(before)

    def unplug(self, *, keep_node: bool = False) -> None:
        if self._master >= 0:
            os.close(self._master)
            self._master = -1
            self._path.unlink()
        if self._slave >= 0 and not keep_node:
            os.close(self._slave)
            self._slave = -1

    def let_go(self) -> None:
        fcntl.flock(self._slave, fcntl.LOCK_UN)

    def listened_to(self) -> bool:
        return self._master >= 0

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._master, data) :]

    def heard(self) -> bytes:
        if self._master < 0 or not select.select([self._master], [], [], 0)[0]:
            return b""
        return os.read(self._master, MOST)

    def unread(self) -> bool:
        # Polled, the terminal first takes over what its master has written.
        poll = select.poll()
        poll.register(self._slave, select.POLLIN)
        return any(event & select.POLLIN for _, event in poll.poll(0))

    def steal(self, size: int) -> bytes:
        until(self.unread)
        return os.read(self._slave, size)


class FarTcp(Far):
    """A server on 127.0.0.1; pulled, nothing listens at its port."""

    def __init__(self) -> None:
        (self._port,) = free_ports(1)
        self.name = f"tcp://127.0.0.1:{self._port}"
        self._server: socket.socket | None = None
        self._peer: socket.socket | None = None
        self.plug()

    def plug(self, *, busy: bool = False) -> None:
        assert not busy
        if self._server is None:
            self._server = socket.create_server(("127.0.0.1", self._port))
            self._server.settimeout(PATIENCE_S)

    def unplug(self, *, keep_node: bool = False) -> None:  # noqa: ARG002 - an address is its own node
        for one in (self._peer, self._server):
            if one is not None:
                one.close()
        self._peer = self._server = None

    def let_go(self) -> None:
        """Nobody can hold an address."""

    def listened_to(self) -> bool:
        """The newest reader is taken: an older one is gone."""
        while self._server is not None and select.select([self._server], [], [], 0)[0]:
            if self._peer is not None:
                self._peer.close()
            self._peer = self._server.accept()[0]
        return self._peer is not None

    def write(self, data: bytes) -> None:
        until(self.listened_to)
        assert self._peer is not None
        self._peer.sendall(data)

    def heard(self) -> bytes:
        if not self.listened_to() or self._peer is None or not select.select([self._peer], [], [], 0)[0]:
            return b""
        return self._peer.recv(MOST)

    def unread(self) -> bool:
        """What was sent arrives before the end of the connection."""
        return False


def far_end(transport: str, folder: Path) -> Far:
    """The far end of a line of its kind."""
    return FarTcp() if transport == "tcp" else FarPty(folder / "by-id" / "usb-Shoe_0001-if00-port0")
