"""A link that comes and goes, told from one that went: counted, so that it is said once and not each time."""

from collections import deque
from typing import Final

MANY: Final = 3
WINDOW_S: Final = 10.0
SETTLED_S: Final = 5.0
"""A flapping link has settled, up or down, where it was not lost for that long."""


class Flapping:
    """Losses of one link. It flaps from the `MANY`th within `WINDOW_S` on, until `settle`.

    Times are seconds of a clock that never goes back.
    """

    def __init__(self) -> None:
        self._latest: deque[float] = deque(maxlen=MANY)
        self._first = 0.0
        self._times = 0

    @property
    def now(self) -> bool:
        """Whether the link flaps."""
        return self._times > 0

    def lost(self, at: float) -> bool:
        """Count a loss; whether the link flaps from this one on."""
        self._latest.append(at)
        if self.now:
            self._times += 1
            return False
        if len(self._latest) < MANY or at - self._latest[0] > WINDOW_S:
            return False
        self._first, self._times = self._latest[0], MANY
        return True

    def words(self) -> str:
        """How often it went since it began to flap, and in which time."""
        return f"{self._times} times in {self._latest[-1] - self._first:.1f} s"

    def settle(self) -> None:
        """It holds, or stays away: losses are counted anew."""
        self._latest.clear()
        self._times = 0
