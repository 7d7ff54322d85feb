"""What every way to a shoe has in common: one owner, opened, lost, opened again for ever."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final, Literal

import structlog

FIRST_PAUSE_S: Final = 0.05
LONGEST_PAUSE_S: Final = 2.0
STOP_S: Final = 1.0

State = Literal["up", "down"]
OnBytes = Callable[[bytes, int], None]
"""Bytes from the shoe, and when they came, µs since 1970 UTC."""
OnLink = Callable[[State, str | None, int], None]
"""The link came or went; why, in words, a code and a colon first; when, µs since 1970 UTC."""
Now = Callable[[], int]

_log = structlog.get_logger("port")


class UnreachableError(Exception):
    """The shoe cannot be opened now; the text says why and what to do."""


class Port(ABC):
    """One way to a shoe. Callbacks run in the loop; `on_link` is told changes only, the first failure too."""

    def __init__(self, on_bytes: OnBytes, on_link: OnLink, now: Now) -> None:
        self._on_bytes = on_bytes
        self._on_link = on_link
        self._now = now
        self._state: State | None = None
        self._reason: str | None = None
        self._stopping = asyncio.Event()
        self._full = False
        self._lost: asyncio.Event | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def state(self) -> State | None:
        """`up`, `down`, or None before the first attempt ended."""
        return self._state

    @property
    def reason(self) -> str | None:
        """Why the link is down, the latest attempt's word; None while it is up."""
        return self._reason

    def start(self) -> "asyncio.Task[None]":
        """Begin, in the running loop. The task ends at `stop`; before that, by a bug alone."""
        self._task = asyncio.get_running_loop().create_task(self._run())
        self._task.add_done_callback(_report)
        return self._task

    async def stop(self) -> None:
        """Let the device go, in a bounded time; no callback comes after this."""
        self._stopping.set()
        self._quiet()
        if self._lost:
            self._lost.set()
        if self._task:
            _, late = await asyncio.wait({self._task}, timeout=STOP_S)
            if late:
                _log.warning("device neither opens nor closes: left to the system")
                self._task.cancel()

    @abstractmethod
    async def _open(self) -> None:
        """Open and begin to read. Raises UnreachableError."""

    @abstractmethod
    def _quiet(self) -> None:
        """Read no more, at once; harmless where nothing is open."""

    @abstractmethod
    async def _close(self) -> None:
        """Close what `_open` opened."""

    @abstractmethod
    def _write(self, data: bytes) -> int:
        """Give the device what it takes of `data` at once, and tell how much that is; harmless if closed."""

    def send(self, data: bytes) -> None:
        """Send `data` to the device, from the loop. What it does not take at once is dropped, and said.

        Nothing waits for a device that reads nothing: it asks again, or is asked again.
        """
        if self._state != "up":
            return
        full = self._write(data) < len(data)
        if full and not self._full:
            _log.warning("the device takes no bytes: what is said to it is dropped")
        self._full = full

    def reopen(self, reason: str) -> None:
        """Let the device go and open it anew, from the loop."""
        self._lose(reason)

    @abstractmethod
    def _moved(self) -> str | None:
        """Say, in words, what is another device than last time, or None."""

    def _lose(self, reason: str) -> None:
        """Give the link up, from the loop; tells at once."""
        self._quiet()
        if self._lost and not self._lost.is_set():
            self._lost.set()
            self._down(reason)

    async def _run(self) -> None:
        pause = FIRST_PAUSE_S
        while not self._stopping.is_set():
            self._lost = asyncio.Event()
            try:
                await self._open()
            except UnreachableError as error:
                self._down(str(error))
            else:
                pause = FIRST_PAUSE_S
                if not self._stopping.is_set():
                    self._up()
                    await self._lost.wait()
                await self._close()
            try:
                await asyncio.wait_for(self._stopping.wait(), pause)
            except TimeoutError:
                pause = min(2 * pause, LONGEST_PAUSE_S)

    def _up(self) -> None:
        if self._lost and self._lost.is_set():
            return  # it went while it was being opened: told as down already
        self._state, self._reason = "up", None
        moved = self._moved()
        _log.info("link up", moved=moved)
        self._on_link("up", moved, self._now())

    def _down(self, reason: str) -> None:
        if self._stopping.is_set():
            return
        before, told = self._state, self._reason
        self._state, self._reason = "down", reason
        if reason != told:
            _log.warning("link down", reason=reason)
        if before != "down":
            self._on_link("down", reason, self._now())


def _report(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (error := task.exception()):
        task.get_loop().call_exception_handler({"message": "the port's task failed", "exception": error})
