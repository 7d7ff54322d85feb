"""The serial port of a shoe. pyserial opens and configures; asyncio reads the descriptor.

pyserial reads lose bytes at a hang-up and its properties undo flags, so neither is used after the opening.
At a hang-up a descriptor stays readable for ever: the reader goes at the first sign.
"""

import asyncio
import errno
import fcntl
import os
import termios
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

import msgspec
import serial

from shoe_daemon.runtime.host.adapters import shared_name
from shoe_daemon.runtime.host.finding import this_host
from shoe_daemon.runtime.linecounters import Counters, LineErrors, counters
from shoe_daemon.runtime.ports import NodePort, Now, OnAlarm, OnBytes, OnLink, UnreachableError, unheard
from shoe_daemon.runtime.threads import in_thread
from shoe_daemon.table.inputs import LineFault

OPENING_S: Final = 5.0
"""A device that takes longer to open is told as one that hangs."""
_READ: Final = 4096
_READS: Final = 64
"""Reads for one wake-up; what still waits comes after what else the loop has to do."""
_PARITY: Final = {"none": serial.PARITY_NONE, "even": serial.PARITY_EVEN, "odd": serial.PARITY_ODD}
_PARITY_FLAGS: Final = {"none": 0, "even": termios.PARENB, "odd": termios.PARENB | termios.PARODD}
_BITS: Final = {7: termios.CS7, 8: termios.CS8}
_FORM: Final = termios.CSIZE | termios.PARENB | termios.PARODD | termios.CSTOPB


class Line(msgspec.Struct, frozen=True):
    """A serial line. `path`: best a stable name, as /dev/serial/by-id gives; `baud` in bits a second."""

    path: str
    baud: int
    bits: Literal[7, 8] = 8
    parity: Literal["none", "even", "odd"] = "none"
    stop: Literal[1, 2] = 1


class Opened(msgspec.Struct, frozen=True):
    """An open line. `node`: what its name led to; `low_latency`: whether the adapter holds no bytes back."""

    port: serial.Serial
    node: str
    low_latency: bool


class SerialPort(NodePort):
    """A `Port` on a serial line, opened again by the same name however often it goes.

    `count` reads the driver's counters of errors; a line that has none is as good as any.
    """

    hint = (
        "a loose plug, low power, or a program that takes the port (ModemManager, brltty):"
        " shoe-daemon doctor finds those"
    )

    def __init__(  # noqa: PLR0913 - the five of every port, the line, and what a test counts for it
        self,
        line: Line,
        on_bytes: OnBytes,
        on_link: OnLink,
        now: Now,
        on_alarm: OnAlarm = unheard,
        *,
        count: Callable[[int], Counters | None] = counters,
    ) -> None:
        super().__init__(line.path, on_bytes, on_link, now, on_alarm)
        self._line = line
        self._errors = LineErrors(self._line_error, count)
        self._serial: serial.Serial | None = None
        self._low_latency = False

    async def _open(self) -> None:
        opening = asyncio.ensure_future(in_thread(lambda: _open(self._line)))
        _, late = await asyncio.wait({opening}, timeout=OPENING_S)
        if late:
            self._down(
                f"hangs: {self._line.path} neither opens nor fails: unplug the adapter and plug it in again"
            )
        opened = await opening
        self._serial, self._low_latency = opened.port, opened.low_latency
        fd = opened.port.fileno()
        try:
            self._errors.open(fd)
        except OSError as error:
            await self._close()
            raise UnreachableError(_why(error, self._line)) from error
        self._read(fd, opened.node)

    def _quiet(self) -> None:
        super()._quiet()
        self._errors.close()

    async def _close(self) -> None:
        if self._serial:
            port, self._serial, self._fd = self._serial, None, -1
            await in_thread(lambda: _close(port))

    def _opened(self) -> dict[str, object]:
        return {
            "path": self._line.path,
            "node": self._node,
            "low_latency": self._low_latency,
            "errors_counted": self._errors.counted,
        }

    def _write(self, data: bytes) -> int:
        if self._fd < 0:
            return len(data)
        try:
            return os.write(self._fd, data)
        except BlockingIOError:
            return 0
        except OSError as error:
            self._lose(f"error: {error.strerror}")
            return len(data)

    def _readable(self) -> None:
        """Take all that waits, with one time for it; then, if the line is gone, say so."""
        at = self._now()
        chunks: list[bytes] = []
        lost: str | None = None
        for _ in range(_READS):
            try:
                chunk = os.read(self._fd, _READ)
            except BlockingIOError:
                break
            except OSError as error:
                lost = "hangup" if error.errno == errno.EIO else f"error: {error.strerror}"
                break
            if not chunk:
                lost = "hangup"
                break
            chunks.append(chunk)
        if chunks:
            self._on_bytes(b"".join(chunks), at)
            self._errors.came()
        if lost:
            self._lose(f"hangup: {self._line.path} went away" if lost == "hangup" else lost)

    def _line_error(self, code: LineFault, text: str) -> None:
        self._on_alarm(code, text, self._now())


def _open(line: Line) -> Opened:
    """Open `line` as we need it. Raises UnreachableError.

    Runs in a thread: a sick device may take seconds.
    """
    # Looked at each time: a second adapter may have been plugged in since.
    if (shared := shared_name(this_host(), line.path)) is not None:
        raise UnreachableError(f"ambiguous: {shared}")
    try:
        port = serial.Serial(
            line.path,
            line.baud,
            bytesize=line.bits,
            parity=_PARITY[line.parity],
            stopbits=line.stop,
            timeout=0,
            exclusive=True,
        )
    except (OSError, termios.error) as error:
        raise UnreachableError(_why(error, line)) from error
    try:
        _set_flags(port.fileno(), line)
    except (OSError, termios.error) as error:
        _close(port)
        raise UnreachableError(_why(error, line)) from error
    return Opened(port, os.path.realpath(line.path), _low_latency(port))


def _set_flags(fd: int, line: Line) -> None:
    """Set what pyserial leaves as it was, and check it: raw bytes, no flush at a break, DTR kept at close.

    With VMIN 0, as pyserial has it, a read of nothing looks like a hang-up. A byte with wrong parity becomes
    NUL, so that its frame is rejected; without INPCK it would pass for a good one.
    """
    os.set_blocking(fd, False)
    fcntl.ioctl(fd, termios.TIOCEXCL)
    _, _, cflag, _, ispeed, ospeed, chars = termios.tcgetattr(fd)
    form = _BITS[line.bits] | _PARITY_FLAGS[line.parity] | (termios.CSTOPB if line.stop > 1 else 0)
    iflag = 0 if line.parity == "none" else termios.INPCK
    cflag = cflag & ~(_FORM | termios.HUPCL | termios.CRTSCTS) | form | termios.CREAD | termios.CLOCAL
    chars[termios.VMIN], chars[termios.VTIME] = 1, 0
    termios.tcsetattr(fd, termios.TCSANOW, [iflag, 0, cflag, 0, ispeed, ospeed, chars])
    got = termios.tcgetattr(fd)
    # The call succeeds if it could do any part of what was asked.
    if (got[0], got[2] & _FORM, got[3], got[6][termios.VMIN]) != (iflag, form, 0, 1):
        raise OSError(errno.EINVAL, "the device does not take our settings")


def _low_latency(port: serial.Serial) -> bool:
    """Ask the adapter not to hold bytes back; many refuse, and a pseudo-terminal always."""
    try:
        port.set_low_latency_mode(True)
    except (ValueError, OSError, NotImplementedError):
        return False
    return True


def _close(port: serial.Serial) -> None:
    with suppress(OSError, termios.error):  # the device may be gone, and then nothing waits to be sent
        termios.tcflush(port.fileno(), termios.TCIOFLUSH)
    with suppress(OSError):  # the descriptor is free even where close reports an error of the device
        port.close()


def _why(error: OSError | termios.error, line: Line) -> str:
    """Say why the line could not be opened: a code, a colon, and what to do."""
    cause = error if isinstance(error, OSError) and error.errno else error.__context__ or error
    number = cause.errno if isinstance(cause, OSError) else (cause.args or (None,))[0]
    path = line.path
    if number in {errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO}:
        return f"absent: {path} is not there: plug the shoe in, or correct port in [shoe]"
    if number in {errno.EACCES, errno.EPERM}:
        return (
            f"permission: {path} may not be opened: add the daemon's user to the group that owns it (dialout)"
        )
    if number in {errno.EAGAIN, errno.EBUSY}:
        return f"busy: {path} is held by another program: stop that one (fuser -v {Path(path)})"
    if number == errno.ENOTTY:
        return f"no_terminal: {path} is no serial port: correct port in [shoe]"
    if number == errno.EINVAL:
        return f"settings: {path} takes no {line.baud} baud, {line.bits} bits, parity {line.parity}"
    return f"error: {path}: {error}"
