"""The daemon's clock: UTC that runs evenly, and notices when the machine's clock was set."""

import time
from collections.abc import Callable
from typing import Final

STEP_US: Final = 500_000
"""A difference above this is a step; below, it is left to drift."""


class Clock:
    """µs since 1970 UTC, counted on from one look at the wall clock, so that timers see no step."""

    def __init__(
        self, wall: Callable[[], int] = time.time_ns, monotonic: Callable[[], int] = time.monotonic_ns
    ) -> None:
        """`wall`, `monotonic`: nanoseconds."""
        self._wall = wall
        self._monotonic = monotonic
        self._offset = 0
        self.rebase()

    def now(self) -> int:
        """Tell the time, µs since 1970 UTC; it never goes back but by `rebase`."""
        return (self._offset + self._monotonic()) // 1000

    def stepped(self) -> int:
        """Tell how far the wall clock is ahead of ours, µs; 0 while the difference is no step."""
        ahead = self._wall() // 1000 - self.now()
        return ahead if abs(ahead) > STEP_US else 0

    def rebase(self) -> int:
        """Take the wall clock's time over; give what our time moved by, µs."""
        offset = self._wall() - self._monotonic()
        moved, self._offset = offset - self._offset, offset
        return moved // 1000
