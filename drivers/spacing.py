"""What the times between frames say: two for one card, two cards too fast, a tag that still lies there."""

from collections import deque
from typing import Final

_UNPAIRED: Final = 64
"""Unread cards remembered while their second frame may still come; no shoe passes more within the time."""


class Spacing:
    """How fast cards can come, and which tag lies in the field. Times in microseconds; 0: no such limit."""

    def __init__(self, gap: int, same_tag: int) -> None:
        self.gap, self.same_tag = gap, same_tag
        self._card: int | None = None
        self._tag: tuple[bytes, ...] = ()
        self._told = 0

    def soon(self, at: int) -> bool:
        """Whether a card at `at` comes sooner after the one before than the shoe can give two."""
        before, self._card = self._card, at
        return before is not None and 0 <= at - before < self.gap

    def lies_there(self, tag: tuple[bytes, ...], at: int) -> bool:
        """Whether this is the tag told last, and not long ago."""
        same = tag == self._tag and at - self._told <= self.same_tag
        self._tag, self._told = tag, at
        return same

    def forget(self) -> None:
        """Times before say nothing of those that follow."""
        self._card = None

    def clock_set(self, now: int) -> None:
        """The clock says `now`, and no time before counts: the tag told last may lie there still."""
        self.forget()
        self._told = now


class Coalesce:
    """Two frames for one unread card: the first counts, its partner of the other kind soon after does not."""

    def __init__(self, within: int) -> None:
        self._within = within
        self._kind = ""
        self._waiting: deque[int] = deque(maxlen=_UNPAIRED)

    def counts(self, kind: str, at: int) -> bool:
        """Whether this frame is a card of its own. A frame finds at most one partner, the oldest in time."""
        if not self._within:
            return True
        while self._waiting and at - self._waiting[0] > self._within:
            self._waiting.popleft()
        if self._waiting and kind != self._kind:
            self._waiting.popleft()
            return False
        self._kind = kind
        self._waiting.append(at)
        return True

    def forget(self) -> None:
        """No partner is waited for any more."""
        self._waiting.clear()
