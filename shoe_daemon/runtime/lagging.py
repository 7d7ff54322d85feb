"""Which consumers do not keep up: one is late once it has not acknowledged what was told so long before."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple


class _Mark(NamedTuple):
    top: int
    at: float


class Lagging:
    """Looks at the cursors of all consumers. `late_s` and times in seconds, of a clock that is never set."""

    def __init__(self, late_s: float) -> None:
        self._late_s = late_s
        self._marks: dict[tuple[str, str], _Mark] = {}
        self._late: set[tuple[str, str]] = set()

    def look(
        self, cursors: Mapping[tuple[str, str], int], tops: Mapping[str, int], now: float
    ) -> Iterator[tuple[str, str, bool]]:
        """Audience, consumer and whether it is late, of each for which that has changed."""
        for (audience, consumer), seq in cursors.items():
            key = (audience, consumer)
            top = tops[audience]
            mark = self._marks.setdefault(key, _Mark(top, now))
            if seq >= mark.top:
                self._marks[key] = _Mark(top, now)
                late = False
            else:
                late = now - mark.at >= self._late_s or key in self._late
            if late != (key in self._late):
                self._late ^= {key}
                yield audience, consumer, late
