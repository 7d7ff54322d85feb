"""What a card is for. `expected_next` is the only authority, and it sees exposed faces alone.

A place is settled when every assignment of faces to the cards that are not exposed gives the same answer
(unread cards too). Cards are judged in order: while one has no place, none after it has.
"""

from collections.abc import Sequence
from typing import Final, Literal

from shoe_daemon.game.cards import Slot, points, value
from shoe_daemon.game.drawing import next_third
from shoe_daemon.table.procedure import INITIAL
from shoe_daemon.table.state import CoupCard

UNSETTLED: Final = "unsettled"
Expected = Slot | None | Literal["unsettled"]


def expected_next(cards: Sequence[CoupCard]) -> Expected:
    """Place of the card after `cards` (a coup's, in order): a slot, None (no card is due), or `unsettled`."""
    if len(cards) < len(INITIAL):
        return INITIAL[len(cards)]
    if any(card.slot is None for card in cards):
        return UNSETTLED
    by_slot = {card.slot: card for card in cards}
    if "B3" in by_slot:
        return None
    third = by_slot.get("P3")
    thirds: Sequence[int | None] = (None,) if third is None else _values(third)
    answers = {
        next_third(player, banker, player_third)
        for player in _totals(by_slot["P1"], by_slot["P2"])
        for banker in _totals(by_slot["B1"], by_slot["B2"])
        for player_third in thirds
    }
    return answers.pop() if len(answers) == 1 else UNSETTLED


def _values(card: CoupCard) -> Sequence[int]:
    return range(10) if card.card is None else (value(card.card),)


def _totals(first: CoupCard, second: CoupCard) -> Sequence[int]:
    if first.card is None or second.card is None:
        return range(10)
    return (points((value(first.card), value(second.card))),)
