"""What a device is asked for in time, and what its silence means."""

from typing import Final

from drivers.shapes import Session
from shoe_daemon.table.inputs import Silent

_LEAST: Final = 64
"""Bytes without a frame that are garbage, and no stray ones, if they last."""


class Watch:
    """The poll and the two silences of `session`, while the line is open. Times in integer microseconds."""

    def __init__(self, session: Session) -> None:
        self._poll = session.poll_ms * 1000
        self._silence = session.silence_ms * 1000
        self._garbage = session.garbage_ms * 1000
        self._next: int | None = None
        self._silent: int | None = None
        self._said = False
        self._stalled = False
        self._begun: int | None = None
        self._bytes = 0
        self._now = (0, 0)
        self._well_at = -1

    def opened(self, now: int) -> None:
        """The line opened at `now`. A device that was silent before is not waited for again."""
        self._next = now + self._poll if self._poll else None
        self._silent = now + self._silence if self._silence and not self._stalled else None
        self._well(now)

    def closed(self) -> None:
        """The line is down."""
        self._next = self._silent = None

    def clock_set(self, now: int) -> None:
        """Count on by another clock, which says `now`."""
        self._next = None if self._next is None else now + self._poll
        self._silent = None if self._silent is None else now + self._silence
        self._well(now)

    def _well(self, now: int) -> None:
        self._begun, self._bytes, self._now, self._said, self._well_at = None, 0, (now, 0), False, now

    def due(self) -> int | None:
        """When `tick` must be called."""
        if self._next is None or self._silent is None:
            return self._silent if self._next is None else self._next
        return min(self._next, self._silent)

    def frame(self, now: int) -> list[Silent]:
        """A whole frame came at `now`: the first one after a silence says that it is over."""
        back = [Silent(now, "back", "frames come again")] if self._stalled else []
        self._stalled = False
        if self._silence:
            self._silent = now + self._silence
        self._well(now)
        return back

    def bytes(self, size: int, now: int) -> list[Silent]:
        """`size` bytes came at `now`, whatever they are; those before may have been garbage for too long."""
        if not self._garbage:
            return []
        at, last = self._now
        if now > at:  # what came at one time counts as a whole, however it was cut
            self._bytes += last
            if last and self._begun is None:
                self._begun = at
            self._now = (now, 0)
        found: list[Silent] = []
        if self._begun is not None and self._bytes >= _LEAST and now - self._begun >= self._garbage:
            if not self._said:
                words = f"{self._bytes} bytes and no frame: check speed, parity, cable and profile"
                found.append(Silent(now, "garbage", words))
            self._said = True
        if now > self._well_at:
            self._now = (now, self._now[1] + size)
        return found

    def tick(self, now: int) -> tuple[bool, list[Silent]]:
        """Whether the device must be polled now, and what its silence means."""
        poll = self._next is not None and self._next <= now
        if poll and self._next is not None:
            self._next += self._poll
        if self._silent is None or self._silent > now:
            return poll, []
        at, self._silent, self._stalled = self._silent, None, True
        return poll, [Silent(at, "stalled", f"no frame for {self._silence // 1000} ms")]
