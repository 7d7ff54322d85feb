"""Exact counts over a whole shoe: how many orders of its first six cards end how.

Suits, and which of four ranks a zero is, do not matter here: coups are taken by card value and weighed with
the number of ways to draw them.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from math import perm, prod
from typing import NamedTuple

from shoe_daemon.game.cards import Outcome, points
from shoe_daemon.game.composition import size, value_counts
from shoe_daemon.game.drawing import next_third
from shoe_daemon.game.outcome import winner

_MOST_CARDS = 6


class ValueCoup(NamedTuple):
    """The card values of a complete coup, each hand in the order dealt."""

    player: tuple[int, ...]
    banker: tuple[int, ...]


def value_coups() -> Iterator[ValueCoup]:
    """Play every coup that differs in a card value, 339,400 in all, by the drawing tables."""
    for p1, b1, p2, b2 in product(range(10), repeat=4):
        yield from _thirds(ValueCoup((p1, p2), (b1, b2)))


def _thirds(coup: ValueCoup) -> Iterator[ValueCoup]:
    player, banker = points(coup.player), points(coup.banker)
    match next_third(player, banker, None):
        case "P3":
            for third in range(10):
                drawn = ValueCoup((*coup.player, third), coup.banker)
                if next_third(player, banker, third) == "B3":
                    yield from _banker_thirds(drawn)
                else:
                    yield drawn
        case "B3":
            yield from _banker_thirds(coup)
        case _:
            yield coup


def _banker_thirds(coup: ValueCoup) -> Iterator[ValueCoup]:
    for third in range(10):
        yield ValueCoup(coup.player, (*coup.banker, third))


@cache
def _tally() -> Counter[tuple[Outcome, tuple[int, ...]]]:
    """Count the coups by outcome and by how many cards of each value they hold."""
    return Counter(
        (
            winner(points(coup.player), points(coup.banker)),
            tuple(map((*coup.player, *coup.banker).count, range(10))),
        )
        for coup in value_coups()
    )


def outcome_counts(decks: int) -> dict[Outcome, int]:
    """Count the ordered draws of six cards from a full shoe that end in each outcome.

    A coup of four or five cards counts once for each way to lay further cards behind it, up to six.
    """
    shoe, cards = value_counts(decks), size(decks)
    counts: dict[Outcome, int] = {"player": 0, "banker": 0, "tie": 0}
    for (outcome, used), coups in _tally().items():
        behind = perm(cards - sum(used), _MOST_CARDS - sum(used))
        counts[outcome] += coups * prod(map(perm, shoe, used)) * behind
    return counts
