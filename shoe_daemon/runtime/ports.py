"""What every way to a shoe has in common: one owner, opened, lost, opened again for ever.

A link that comes and goes is told each time, for each time is a gap; in the log it is a line when that
begins and one when it is over.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Literal

import structlog

from shoe_daemon.runtime.flapping import SETTLED_S, Flapping
from shoe_daemon.table.inputs import LineFault

FIRST_PAUSE_S: Final = 0.05
LONGEST_PAUSE_S: Final = 0.4
"""Short: what the shoe sends while a device that is back is not open is lost. An attempt costs little."""
FLAPPING_PAUSE_S: Final = 2.0
"""After each loss of a link that flaps: each opening that does not last is a gap, which a person answers."""
STOP_S: Final = 1.0

State = Literal["up", "down"]
OnBytes = Callable[[bytes, int], None]
"""Bytes from the shoe, and when they came, µs since 1970 UTC."""
OnLink = Callable[[State, str | None, int], None]
"""The link came or went; why, in words, a code and a colon first; when, µs since 1970 UTC."""
OnAlarm = Callable[[LineFault, str, int], None]
"""Something of the line that no byte says: a code, words, when, µs since 1970 UTC."""
Now = Callable[[], int]

_log = structlog.get_logger("port")


class UnreachableError(Exception):
    """The shoe cannot be opened now; the text says why and what to do."""


def unheard(_code: LineFault, _text: str, _at: int) -> None:
    """An alarm that nobody listens for."""


class Port(ABC):
    """One way to a shoe. Callbacks run in the loop; `on_link` is told changes only, the first failure too."""

    hint = "look at the cable and the power"
    """What to do about a link that flaps."""

    def __init__(self, on_bytes: OnBytes, on_link: OnLink, now: Now, on_alarm: OnAlarm = unheard) -> None:
        self._on_bytes = on_bytes
        self._on_link = on_link
        self._on_alarm = on_alarm
        self._now = now
        self._flapping = Flapping()
        self._settling: asyncio.TimerHandle | None = None
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
        if self._settling:
            self._settling.cancel()
        if self._lost:
            self._lost.set()
        if self._task:
            _, late = await asyncio.wait({self._task}, timeout=STOP_S)
            if late:
                _log.warning("the device neither opens nor closes: left to the system")
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

    def _opened(self) -> dict[str, object]:
        """What is worth a word in the log at an opening."""
        return {}

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
            wait = pause
            try:
                await self._open()
            except UnreachableError as error:
                self._down(str(error))
                pause = min(2 * pause, LONGEST_PAUSE_S)
            else:
                if not self._stopping.is_set():
                    self._up()
                    await self._lost.wait()
                await self._close()
                pause = FIRST_PAUSE_S
                wait = FLAPPING_PAUSE_S if self._flapping.now else pause
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), wait)

    def _up(self) -> None:
        if self._lost and self._lost.is_set():
            return  # it went while it was being opened: told as down already
        self._state, self._reason = "up", None
        moved = self._moved()
        if not self._flapping.now:
            _log.info("link up", moved=moved, **self._opened())
        self._on_link("up", moved, self._now())

    def _down(self, reason: str) -> None:
        if self._stopping.is_set():
            return
        before, told = self._state, self._reason
        self._state, self._reason = "down", reason
        if reason != told and not self._flapping.now:
            _log.warning("link down", reason=reason)
        if before != "down":
            self._on_link("down", reason, self._now())
        if before == "up":
            self._count_loss()

    def _count_loss(self) -> None:
        """Note that the link went, and whether that is flapping."""
        loop = asyncio.get_running_loop()
        if self._flapping.lost(loop.time()):
            words = self._flapping.words()
            _log.warning("link comes and goes: told next when it has settled", so_far=words, hint=self.hint)
            self._on_alarm("link_flapping", f"{words}: {self.hint}", self._now())
        if self._flapping.now:
            if self._settling:
                self._settling.cancel()
            self._settling = loop.call_later(SETTLED_S, self._settled)

    def _settled(self) -> None:
        words = self._flapping.words()
        self._flapping.settle()
        _log.warning(f"link flapping: {words}", state=self._state, reason=self._reason)
        self._on_alarm("link_settled", f"{words}, now {self._state}", self._now())


class NodePort(Port):
    """A `Port` on a device file, whose descriptor is read in the loop. `path` may lead elsewhere later."""

    def __init__(
        self, path: str, on_bytes: OnBytes, on_link: OnLink, now: Now, on_alarm: OnAlarm = unheard
    ) -> None:
        super().__init__(on_bytes, on_link, now, on_alarm)
        self._path = path
        self._fd = -1
        self._reading = False
        self._node: str | None = None
        self._node_before: str | None = None

    @abstractmethod
    def _readable(self) -> None:
        """Take all that waits at the descriptor."""

    def _read(self, fd: int, node: str) -> None:
        """Read the open `fd` from now on; the path leads to `node`."""
        self._fd = fd
        self._node_before, self._node = self._node, node
        if not self._stopping.is_set():
            asyncio.get_running_loop().add_reader(fd, self._readable)
            self._reading = True

    def _quiet(self) -> None:
        if self._reading:
            asyncio.get_running_loop().remove_reader(self._fd)
            self._reading = False

    def _moved(self) -> str | None:
        if self._node_before is None or self._node == self._node_before:
            return None
        return f"moved: {self._path} was {self._node_before}, now it is {self._node}"


def _report(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (error := task.exception()):
        task.get_loop().call_exception_handler({"message": "the port's task failed", "exception": error})
