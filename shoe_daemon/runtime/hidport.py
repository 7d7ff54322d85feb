"""A scanner that types as a keyboard. The package evdev opens and grabs it; asyncio reads the descriptor.

Grabbed, its keys reach no other program, no console and no window. What follows is handed on as bytes, like
those of a serial line. The kernel keeps few keys for a reader who is late, some 64 events, which is ten keys,
and then drops all of them: the link is given up for it, since nobody knows how many cards that were.
"""

import errno
import os
import re
import struct
from contextlib import suppress
from typing import Final, Protocol

import structlog

from drivers.keyboard import Keys
from shoe_daemon.runtime.ports import NodePort, Now, OnAlarm, OnBytes, OnLink, UnreachableError, unheard
from shoe_daemon.runtime.threads import in_thread

FOLDER: Final = "/dev/input/"
UNSTABLE: Final = re.compile(r"(?:/dev/input/)?event\d+")
MAJOR: Final = 13
"""Number of the kernel's input devices, all of them."""
_EVENT: Final = struct.Struct("@2L2Hi")
"""`struct input_event`: seconds, microseconds, type, code, value. The kernel gives whole ones alone."""
_READ: Final = 64 * _EVENT.size
_READS: Final = 64
"""Reads for one wake-up; what still waits comes after what else the loop has to do."""
_ONE: Final = 2
"""KEY_1: what has no such key types no code."""
_log = structlog.get_logger("port")


class Keyboard(Protocol):
    """An input device, open and grabbed; `fd` does not block."""

    fd: int

    def close(self) -> None:
        """Let it go."""


class HidPort(NodePort):
    """A `Port` on a keyboard, opened again by the same name however often it goes."""

    def __init__(
        self, path: str, on_bytes: OnBytes, on_link: OnLink, now: Now, on_alarm: OnAlarm = unheard
    ) -> None:
        super().__init__(path, on_bytes, on_link, now, on_alarm)
        self._keyboard: Keyboard | None = None
        self._keys = Keys()

    async def _open(self) -> None:
        keyboard, node = await in_thread(lambda: _open(self._path))
        self._keyboard, self._keys = keyboard, Keys()
        self._read(keyboard.fd, node)

    async def _close(self) -> None:
        if self._keyboard:
            keyboard, self._keyboard, self._fd = self._keyboard, None, -1
            await in_thread(lambda: _close(keyboard))

    def _write(self, data: bytes) -> int:  # noqa: ARG002 - as every port
        return 0  # nothing can be said to a keyboard; a profile that would is refused

    def _readable(self) -> None:
        """Take all that waits, with one time for it; then, if the device is gone or keys are lost, say so."""
        at = self._now()
        typed = bytearray()
        lost: str | None = None
        for _ in range(_READS):
            try:
                chunk = os.read(self._fd, _READ)
            except BlockingIOError:
                break
            except OSError as error:
                gone = error.errno == errno.ENODEV
                lost = f"hangup: {self._path} went away" if gone else f"error: {error.strerror}"
                break
            if not chunk:
                lost = f"hangup: {self._path} went away"
                break
            events = ((kind, code, value) for _, _, kind, code, value in _EVENT.iter_unpack(chunk))
            typed += self._keys.read(events)
            if self._keys.overrun:
                lost = f"overrun: keys of {self._path} came faster than they were read, and are lost"
                break
        if typed:
            self._on_bytes(bytes(typed), at)
        if lost:
            self._lose(lost)


def is_keyboard(port: str) -> bool:
    """Whether `port` names an input device."""
    return port.startswith(FOLDER) or UNSTABLE.fullmatch(port) is not None


def missing() -> str | None:
    """Why the package evdev cannot be used, or None."""
    try:
        import evdev  # noqa: F401, PLC0415 - an optional package, only tried
    except ImportError as error:
        return str(error)
    return None


def _open(path: str) -> tuple[Keyboard, str]:
    """Open and grab the keyboard at `path`, and tell its node. Raises UnreachableError.

    Runs in a thread: a sick device may take seconds.
    """
    import evdev  # noqa: PLC0415 - an optional package: a configuration without a keyboard needs none

    try:
        device = evdev.InputDevice(path, readonly=True)
    except OSError as error:
        raise UnreachableError(_why(error, path)) from error
    try:
        digits = _ONE in device.capabilities().get(evdev.ecodes.EV_KEY, ())
        if digits:
            device.grab()
    except OSError as error:
        _close(device)
        raise UnreachableError(_why(error, path)) from error
    if not digits:
        _close(device)
        raise UnreachableError(f"no_keyboard: {path} has no keys for digits: correct port in [shoe]")
    node = os.path.realpath(path)
    _log.info("keyboard open and grabbed", path=path, node=node, name=device.name)
    return device, node


def _close(keyboard: Keyboard) -> None:
    with suppress(OSError):  # the descriptor is free even where close reports an error of the device
        keyboard.close()


def _why(error: OSError, path: str) -> str:
    """Say why the keyboard could not be opened: a code, a colon, and what to do."""
    number = error.errno
    if number in {errno.ENOENT, errno.ENODEV, errno.ENXIO}:
        return f"absent: {path} is not there: plug the scanner in, or correct port in [shoe]"
    if number in {errno.EACCES, errno.EPERM}:
        return f"permission: {path} may not be opened: add the daemon's user to its group (input)"
    if number == errno.EBUSY:
        return f"busy: {path} is grabbed by another program: stop that one (fuser -v {path})"
    if number in {errno.ENOTTY, errno.EINVAL, errno.EISDIR}:
        return f"no_keyboard: {path} is no input device: correct port in [shoe]"
    return f"error: {path}: {error.strerror}"
