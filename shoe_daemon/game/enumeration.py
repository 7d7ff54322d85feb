"""Exact counts over a whole shoe of what the predicates of side bets say, and the edges that follow.

A count is of ordered draws of six cards from a full shoe, as in `counts`: all predicates have one total.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm, prod
from typing import Final

from shoe_daemon.game.cards import DECK, Card, value
from shoe_daemon.game.composition import size, value_counts
from shoe_daemon.game.counts import value_coups
from shoe_daemon.game.outcome import decide_outcome
from shoe_daemon.game.side_bets import PREDICATES, Answer, Finished, PredicateName, SideBet, judge

_MOST_CARDS: Final = 6
_FIRST_CARDS: Final = 4
_OF_VALUE: Final = tuple(next(card for card in DECK if value(card) == number) for number in range(10))

_Said = tuple[tuple[PredicateName, Answer], ...]


def answer_counts(predicate: PredicateName, decks: int) -> Counter[Answer]:
    """Count the ordered draws of six cards from a full shoe by what a predicate says of their coup."""
    counts = Counter[Answer]()
    sees = PREDICATES[predicate].sees
    for said, ways in (_by_values if sees == "values" else _by_first_faces)(decks).items():
        counts[dict(said)[predicate]] += ways
    return counts


def house_edge(bet: SideBet, decks: int) -> Fraction:
    """Give what the house expects to keep of each unit staked on the first coup of a full shoe."""
    counts = answer_counts(bet.predicate, decks)
    return sum((ways * _kept(bet, answer) for answer, ways in counts.items()), Fraction()) / counts.total()


def _kept(bet: SideBet, answer: Answer) -> Fraction:
    ended = judge(bet, answer)
    if ended.odds is not None:
        return -Fraction(ended.odds)
    return Fraction(ended.result == "lose")


def _said(coup: Finished, names: tuple[PredicateName, ...]) -> _Said:
    return tuple((name, PREDICATES[name].says(coup)) for name in names)


def _finished(player: tuple[Card, ...], banker: tuple[Card, ...]) -> Finished:
    return Finished(player, banker, decide_outcome(player, banker))


def _names(sees: str) -> tuple[PredicateName, ...]:
    return tuple(name for name, predicate in PREDICATES.items() if predicate.sees == sees)


@cache
def _value_tally() -> Counter[tuple[_Said, tuple[int, ...]]]:
    """Count the coups that differ in a card value by what is said and how many cards of each value they hold.

    A hand's first two cards are taken in one order and counted for both: no predicate tells them apart.
    """
    names, tally = _names("values"), Counter[tuple[_Said, tuple[int, ...]]]()
    for player, banker in value_coups():
        if player[0] <= player[1] and banker[0] <= banker[1]:
            said = _said(_finished(_faces(player), _faces(banker)), names)
            orders = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
            tally[said, tuple(map((*player, *banker).count, range(10)))] += orders
    return tally


def _faces(values: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple(_OF_VALUE[number] for number in values)


@cache
def _by_values(decks: int) -> Counter[_Said]:
    shoe, cards = value_counts(decks), size(decks)
    counts = Counter[_Said]()
    for (said, used), coups in _value_tally().items():
        behind = perm(cards - sum(used), _MOST_CARDS - sum(used))
        counts[said] += coups * prod(map(perm, shoe, used)) * behind
    return counts


@cache
def _face_tally() -> Counter[tuple[_Said, tuple[int, ...]]]:
    """Count the first four cards by what is said and how many of each one's face lay before it.

    P1 is one face only: no predicate of faces tells one rank, or one suit, from another.
    """
    names = _names("first faces")
    return Counter(
        (_said(_finished((first, p2), (b1, b2)), names), tuple(_before((first, b1, p2, b2))))
        for first in DECK[:1]
        for b1, p2, b2 in product(DECK, repeat=_FIRST_CARDS - 1)
    )


def _before(cards: tuple[Card, ...]) -> Iterator[int]:
    return (cards[:place].count(card) for place, card in enumerate(cards))


@cache
def _by_first_faces(decks: int) -> Counter[_Said]:
    behind = perm(size(decks) - _FIRST_CARDS, _MOST_CARDS - _FIRST_CARDS)
    counts = Counter[_Said]()
    for (said, before), deals in _face_tally().items():
        counts[said] += len(DECK) * deals * prod(decks - earlier for earlier in before) * behind
    return counts
