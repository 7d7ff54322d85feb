"""What a card is for. `expected_next` is the only authority, and it sees exposed faces alone.

A place is settled when every assignment of faces to the cards that are not exposed gives the same answer
(unread cards too). Cards are judged in order: while one has no place, none after it has.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, Literal

from shoe_daemon.game.cards import INITIAL, Slot, points, value
from shoe_daemon.game.drawing import next_third
from shoe_daemon.table.state import CoupCard

UNSETTLED: Final = "unsettled"
Expected = Slot | None | Literal["unsettled"]

_ANY: Final = tuple(range(10))


def expected_next(cards: Sequence[CoupCard]) -> Expected:
    """Place of the card after `cards` (a coup's, in order): a slot, None (no card is due), or `unsettled`."""
    by_slot = {card.slot: card for card in cards}
    if None in by_slot:
        return UNSETTLED
    if len(cards) < len(INITIAL):
        return next(slot for slot in INITIAL if slot not in by_slot)
    if "B3" in by_slot:
        return None
    player = _total(by_slot["P1"], by_slot["P2"])
    banker = _total(by_slot["B1"], by_slot["B2"])
    third = by_slot.get("P3")
    if third is None:
        return _settled(player, banker, (None,))
    return _settled(player, banker, _ANY if third.card is None else (value(third.card),))


def _total(first: CoupCard, second: CoupCard) -> tuple[int, ...]:
    """What two cards may count."""
    if first.card is None or second.card is None:
        return _ANY
    return (points((value(first.card), value(second.card))),)


@cache
def _settled(players: tuple[int, ...], bankers: tuple[int, ...], thirds: tuple[int | None, ...]) -> Expected:
    """The place that follows from all that the hands and the third card may count."""
    answers = {
        next_third(player, banker, third) for player in players for banker in bankers for third in thirds
    }
    return answers.pop() if len(answers) == 1 else UNSETTLED
