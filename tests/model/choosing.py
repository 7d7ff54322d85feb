"""Chance, as the runs use it: a seed's, or one that hypothesis draws and shrinks."""

from collections.abc import Sequence
from random import Random
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


class Seeded:
    """Decisions that follow from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def pick(self, options: Sequence[T]) -> T:
        """One of `options`."""
        return options[int(self._random.random() * len(options))]

    def chance(self, share: float) -> bool:
        """Whether it happens."""
        return self._random.random() < share

    def whole(self, low: int, high: int) -> int:
        """A whole number."""
        return self._random.randint(low, high)
