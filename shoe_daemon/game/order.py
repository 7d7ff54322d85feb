"""Whether cards follow each other as in a new deck: a sign that nobody shuffled."""

from typing import Final

from shoe_daemon.game.cards import RANKS, Card, rank

SUSPICIOUS: Final = 12
"""So many cards that follow each other as in a new deck do not come by chance."""

Run = tuple[Card, int, int] | None
"""The last card of a run, its length, its direction (0: one card alone); None before the first card."""


def step(before: Card, card: Card) -> int:
    """Give 1 where `card` follows `before` in a new deck, -1 where it comes just before it, else 0.

    Within a suit by rank; after a king comes an ace of any suit.
    """
    here, there = RANKS.index(rank(before)), RANKS.index(rank(card))
    same_suit = before[-1] == card[-1]
    last = len(RANKS) - 1
    if (same_suit and there == here + 1) or (here == last and there == 0):
        return 1
    if (same_suit and there == here - 1) or (here == 0 and there == last):
        return -1
    return 0


def run(known: Run, cards: tuple[Card, ...]) -> tuple[Run, bool]:
    """Extend a run by further cards; True where it became suspicious, and the next one began anew."""
    suspicious = False
    for card in cards:
        if known is None:
            known = (card, 1, 0)
            continue
        before, length, direction = known
        way = step(before, card)
        if way and direction in {0, way}:
            known = (card, length + 1, way)
        else:
            known = (card, 2, way) if way else (card, 1, 0)
        if known[1] >= SUSPICIOUS:
            known, suspicious = None, True
    return known, suspicious
