"""Errors of a serial line as the driver counts them: parity, framing, breaks, bytes lost to an overrun.

TIOCGICOUNT fills `struct serial_icounter_struct` of linux/serial.h: eleven ints (cts, dsr, rng, dcd, rx, tx,
frame, overrun, parity, brk, buf_overrun) and nine reserved. A pseudo-terminal and many adapters have none.
"""

import asyncio
import errno
import fcntl
import struct
import termios
from collections.abc import Callable, Iterator
from typing import Final

import msgspec
import structlog

from shoe_daemon.table.inputs import LineFault

FIRST_LOOK_S: Final = 0.5
LONGEST_LOOK_S: Final = 60.0
"""Between looks; doubled by each that finds errors, so that a line that never works is told once a minute."""
_STRUCT: Final = struct.Struct("@11i9i")
_UNSUPPORTED: Final = frozenset({errno.ENOTTY, errno.EINVAL, errno.EOPNOTSUPP})
_log = structlog.get_logger("port")


class Counters(msgspec.Struct, frozen=True):
    """How often each happened since the driver began to count.

    `overrun`: the device's own buffer was full; `buf_overrun`: the kernel's was.
    """

    frame: int = 0
    overrun: int = 0
    parity: int = 0
    brk: int = 0
    buf_overrun: int = 0


def decode(data: bytes) -> Counters:
    """Read a `serial_icounter_struct`."""
    _, _, _, _, _, _, frame, overrun, parity, brk, buf_overrun, *_ = _STRUCT.unpack(data)
    return Counters(frame, overrun, parity, brk, buf_overrun)


def counters(fd: int) -> Counters | None:
    """Ask the driver of `fd`; None where it does not count. Raises OSError where the device is gone."""
    try:
        return decode(fcntl.ioctl(fd, termios.TIOCGICOUNT, bytes(_STRUCT.size)))
    except OSError as error:
        if error.errno in _UNSUPPORTED:
            return None
        raise


def grown(before: Counters, now: Counters) -> Iterator[tuple[LineFault, str]]:
    """Say what has happened in between: a code, and how often in words.

    A number below the one before is that of a driver that counts anew, and says nothing.
    """
    faults: tuple[tuple[LineFault, int, str], ...] = (
        ("line_parity", now.parity - before.parity, "bytes with wrong parity"),
        ("line_frame", now.frame - before.frame, "bytes without a stop bit: is the baud rate right?"),
        ("line_break", now.brk - before.brk, "breaks: is the shoe switched on and the cable whole?"),
        (
            "line_overrun",
            now.overrun - before.overrun,
            "times bytes were lost: the adapter's buffer was full",
        ),
        (
            "line_overrun",
            now.buf_overrun - before.buf_overrun,
            "times bytes were lost: the kernel's buffer was full",
        ),
    )
    for code, count, words in faults:
        if count > 0:
            yield code, f"{count} {words}"


class LineErrors:
    """Watches the counters of one line: a look some time after bytes came, for errors come with bytes.

    `tell` gets a code and words. `read`: the driver's counters for a descriptor; what has none, such as a
    pseudo-terminal, shows here only that it has none.
    """

    def __init__(
        self, tell: Callable[[LineFault, str], None], read: Callable[[int], Counters | None] = counters
    ) -> None:
        self._tell = tell
        self._read = read
        self._fd = -1
        self._last: Counters | None = None
        self._pause = FIRST_LOOK_S
        self._look_due: asyncio.TimerHandle | None = None

    @property
    def counted(self) -> bool:
        """Whether the driver of the line counts errors."""
        return self._last is not None

    def open(self, fd: int) -> None:
        """The line was opened: what happened before is not told. Raises OSError where it went already."""
        self._fd, self._last, self._pause = fd, self._read(fd), FIRST_LOOK_S

    def came(self) -> None:
        """Bytes came: look soon."""
        if self.counted and self._look_due is None:
            self._look_due = asyncio.get_running_loop().call_later(self._pause, self._look)

    def close(self) -> None:
        """Look no more."""
        if self._look_due is not None:
            self._look_due.cancel()
            self._look_due = None

    def _look(self) -> None:
        self._look_due = None
        try:
            now = self._read(self._fd)
        except OSError:
            return  # the device is gone: the reader of its bytes finds that out too, and tells
        if now is None or self._last is None:
            return
        found = list(grown(self._last, now))
        self._last = now
        self._pause = min(2 * self._pause, LONGEST_LOOK_S) if found else FIRST_LOOK_S
        for code, words in found:
            _log.warning("errors on the line: surveillance is told how many", code=code)
            self._tell(code, words)
