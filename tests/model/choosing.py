"""Chance, as the runs use it."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Chooser(Protocol):
    """Where decisions come from."""

    def pick(self, options: Sequence[T]) -> T:
        """One of `options`, each as likely."""

    def chance(self, share: float) -> bool:
        """Whether something with probability `share` happens."""

    def whole(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
