"""The far end of a shoe's line: a pseudo-terminal behind a stable name, or a TCP port."""

import os
import select
import socket
import tty
from abc import ABC, abstractmethod
from pathlib import Path

_MOST = 4096


class ShoeLine(ABC):
    """Where a virtual shoe writes; `name` is what a configuration calls it."""

    name: str

    @abstractmethod
    def listened_to(self) -> bool:
        """Whether somebody has the other end open."""

    @abstractmethod
    def write(self, data: bytes) -> None:
        """Send `data`, all of it, while somebody listens; raises BrokenPipeError where nobody does."""

    @abstractmethod
    def heard(self) -> bytes:
        """What the reader has sent since last time."""

    @abstractmethod
    def unplug(self) -> None:
        """Pull the cable."""

    @abstractmethod
    def plug(self) -> None:
        """Put it back, under the same name."""

    def close(self) -> None:
        """Let it go for good."""
        self.unplug()


class PtyLine(ShoeLine):
    """A pseudo-terminal; `path` is a link to its present node, as /dev/serial/by-id is."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._path = path
        self._master = -1
        self.plug()

    def plug(self) -> None:
        """Make a terminal and point the name at it."""
        if self._master >= 0:
            return
        self._master, slave = os.openpty()
        tty.setraw(slave)
        fresh = self._path.with_name(self._path.name + ".new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(slave))
        fresh.replace(self._path)
        os.close(slave)

    def unplug(self) -> None:
        """Hang up: whoever reads notices."""
        if self._master >= 0:
            os.close(self._master)
            self._master = -1
            self._path.unlink(missing_ok=True)

    def listened_to(self) -> bool:
        """A master hangs up while nobody has its slave open."""
        if self._master < 0:
            return False
        poll = select.poll()
        poll.register(self._master, select.POLLHUP)
        return not any(event & select.POLLHUP for _, event in poll.poll(0))

    def write(self, data: bytes) -> None:
        """Send `data`; waits where the reader's buffer is full."""
        while data:
            if not self.listened_to():
                raise BrokenPipeError(f"{self._path}: nobody listens")
            data = data[os.write(self._master, data) :]

    def heard(self) -> bytes:
        """What the reader has sent since last time."""
        if not self.listened_to() or not select.select([self._master], [], [], 0)[0]:
            return b""
        return os.read(self._master, _MOST)


class TcpLine(ShoeLine):
    """A server on 127.0.0.1 for one reader at a time; `port` 0 takes a free one."""

    def __init__(self, port: int) -> None:
        self._server = socket.create_server(("127.0.0.1", port))
        self._server.settimeout(0)
        self._peer: socket.socket | None = None
        self.name = f"tcp://127.0.0.1:{self._server.getsockname()[1]}"

    def plug(self) -> None:
        """The server listens all the time."""

    def unplug(self) -> None:
        """Drop the reader."""
        if self._peer is not None:
            self._peer.close()
            self._peer = None

    def close(self) -> None:
        """Stop listening too."""
        self.unplug()
        self._server.close()

    def listened_to(self) -> bool:
        """Whether a reader is connected; takes the one that waits, if any."""
        if select.select([self._server], [], [], 0)[0]:
            self.unplug()
            self._peer = self._server.accept()[0]
        if self._peer is None:
            return False
        if select.select([self._peer], [], [], 0)[0] and not self._peer.recv(64, socket.MSG_PEEK):
            self.unplug()
        return self._peer is not None

    def write(self, data: bytes) -> None:
        """Send `data` to the reader."""
        if not self.listened_to() or self._peer is None:
            raise BrokenPipeError(f"{self.name}: nobody listens")
        self._peer.sendall(data)

    def heard(self) -> bytes:
        """What the reader has sent since last time."""
        if not self.listened_to() or self._peer is None or not select.select([self._peer], [], [], 0)[0]:
            return b""
        return self._peer.recv(_MOST)
