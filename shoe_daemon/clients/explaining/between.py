"""What was told of no coup from the end of one to the end of the next: the cards of that may rest on it."""

from collections.abc import Sequence
from typing import Final

from shoe_daemon.clients.told import Told

ENDS: Final = frozenset({"coup.result", "coup.void", "coup.pending"})
"""With the first of these of a coup dealing goes on to the next."""

_ITEMS: Final = frozenset({"irregularity.raised", "irregularity.resolved"})
_LINKS: Final = frozenset({"device.link", "service.started", "service.stopped", "clock.stepped"})


class Between:
    """Which messages without a coup belong on the page of `coup`. `seen`: all of its shoe, in order."""

    def __init__(self, seen: Sequence[Told], coup: int) -> None:
        first = 0 if coup == 1 else _after(seen, coup - 1)
        during = seen[first : _after(seen, coup)]
        self._links = {one.seq for one in during if one.coup is None and one.type in _LINKS}
        self._items = {one.data["id"] for one in during if one.coup is None and one.type in _ITEMS}

    def holds(self, told: Told) -> bool:
        """Whether it is one: the cable, the program or the clock in that time, or an irregularity of it."""
        if told.coup is not None:
            return False
        if told.type in _ITEMS:
            return told.data["id"] in self._items
        return told.type in _LINKS and told.seq in self._links


def _after(seen: Sequence[Told], coup: int) -> int:
    """How many messages there are up to the first end of `coup`: all where it has not ended."""
    ends = (place for place, one in enumerate(seen, start=1) if one.coup == coup and one.type in ENDS)
    return next(ends, len(seen))
