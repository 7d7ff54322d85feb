"""What a shoe is made of: so many decks of 52, each face as often as there are decks (NSW-3)."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from shoe_daemon.game.cards import DECK, Card, value

DECK_SIZE: Final = 52


def size(decks: int) -> int:
    """Count the cards of a full shoe."""
    return DECK_SIZE * decks


def remaining(decks: int, seen: Iterable[Card]) -> dict[Card, int]:
    """Count what is left of each face once `seen` are out; below 0 where a face came too often."""
    out = Counter(seen)
    return {card: decks - out[card] for card in DECK}


def exceeded(decks: int, seen: Iterable[Card]) -> tuple[Card, ...]:
    """Name the faces seen more often than there are decks, in the order of a new deck."""
    return tuple(card for card, left in remaining(decks, seen).items() if left < 0)


def value_counts(decks: int) -> tuple[int, ...]:
    """Count the cards of a full shoe by value, 0 to 9."""
    counts = Counter(value(card) for card in DECK)
    return tuple(counts[number] * decks for number in range(10))
