"""Words to systemd, where it started us: ready, stopping, alive, and a line for `systemctl status`."""

import os
import socket
from collections.abc import Mapping
from typing import Final

import structlog

_LONGER_US: Final = 30_000_000
_log = structlog.get_logger("notify")


class Notifier:
    """Speaks to `$NOTIFY_SOCKET`; without one it is silent.

    `interval_s`: how often `alive` must be said, well under half of what systemd allows; None: never.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        path = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + path[1:] if path.startswith("@") else path
        self._socket: socket.socket | None = None
        self.interval_s = _interval(environment)
        if path:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._socket.setblocking(False)  # noqa: FBT003 - its only argument

    def starting(self, status: str) -> None:
        """Say that the start goes on, and ask for `_LONGER_US` from now."""
        self._say(f"EXTEND_TIMEOUT_USEC={_LONGER_US}\nSTATUS={_line(status)}")

    def ready(self, status: str) -> None:
        """Say that the start is done."""
        self._say(f"READY=1\nSTATUS={_line(status)}")

    def status(self, status: str) -> None:
        """Say how things are, in one line."""
        self._say(f"STATUS={_line(status)}")

    def alive(self) -> None:
        """Feed the watchdog; to be called by what proves that work is done."""
        self._say("WATCHDOG=1")

    def stopping(self) -> None:
        """Say that the end has begun."""
        self._say("STOPPING=1")

    def close(self) -> None:
        """Say no more."""
        if self._socket:
            self._socket.close()
            self._socket = None

    def _say(self, words: str) -> None:
        if self._socket:
            try:
                self._socket.sendto(words.encode(), self._address)
            except OSError as error:
                _log.warning("systemd does not listen", error=str(error))


def _interval(environment: Mapping[str, str]) -> float | None:
    """Give a third of the watchdog's time, seconds, if it is meant for this process."""
    allowed = environment.get("WATCHDOG_USEC", "")
    if not allowed.isdecimal() or environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    return int(allowed) / 3_000_000 or None


def _line(text: str) -> str:
    return " ".join(text.split())
