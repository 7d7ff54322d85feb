"""A serial port of ours on a pseudo-terminal behind a stable name."""

import asyncio
import os
import pty
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

from shoe_daemon.runtime.linecounters import Counters, counters
from shoe_daemon.runtime.serialport import Line, SerialPort
from tests.runtime.listeners import Listener


class Cable:
    """A pseudo-terminal behind a stable name. The shoe's end stays open until `unplug`."""

    def __init__(self, name: Path) -> None:
        self.name = name
        self.master = -1
        self.plug()

    def plug(self) -> None:
        self.master, slave = pty.openpty()
        os.set_blocking(self.master, False)
        self.node = os.ttyname(slave)
        os.close(slave)
        self.name.unlink(missing_ok=True)
        self.name.symlink_to(self.node)

    def unplug(self) -> None:
        os.close(self.master)
        self.master = -1
        self.name.unlink()

    def send(self, data: bytes) -> None:
        assert os.write(self.master, data) == len(data)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.master >= 0:
            os.close(self.master)


@asynccontextmanager
async def listening(
    path: Path, listener: Listener, count: Callable[[int], Counters | None] = counters
) -> AsyncIterator[SerialPort]:
    line = Line(str(path), 9600)
    port = SerialPort(line, listener.on_bytes, listener.on_link, listener.now, listener.on_alarm, count=count)
    port.start()
    try:
        yield port
    finally:
        await port.stop()


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - half of what iterdir would open itself


def again(listener: Listener) -> bool:
    """Have the waiting look again at the loop's next turn."""
    asyncio.get_running_loop().call_soon(listener._news.set)
    return False
