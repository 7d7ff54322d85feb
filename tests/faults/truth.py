"""What lies on the felt: the cards that were drawn, and how their coup ends, by a reading of its own."""

from collections.abc import Sequence
from typing import NamedTuple

from shoe_daemon.game.cards import INITIAL, Card, Outcome, Slot, value

BANKER_DRAWS = {3: "01234567.9", 4: "..234567..", 5: "....4567..", 6: "......67.."}
"""By the Banker's points, the Player's third cards on which he draws; below three any, at seven none."""


class Coup(NamedTuple):
    """One coup as its cards lie; `slots`: where each of `cards` lies, in the order of the shoe."""

    cards: list[Card]
    slots: list[Slot]
    player: list[Card]
    banker: list[Card]
    outcome: Outcome


def points(hand: Sequence[Card]) -> int:
    return sum(value(card) for card in hand) % 10


def next_coup(shoe: Sequence[Card]) -> Coup:
    """The coup that the next cards of the shoe make."""
    player, banker, slots = [shoe[0], shoe[2]], [shoe[1], shoe[3]], list(INITIAL)
    used, low = 4, points(banker)
    if max(points(player), low) < 8:
        third = None
        if points(player) <= 5:
            third, used = shoe[used], used + 1
            player.append(third)
            slots.append("P3")
        draws_after = low < 3 or (third is not None and str(value(third)) in BANKER_DRAWS.get(low, ""))
        if low <= 5 if third is None else draws_after:
            banker.append(shoe[used])
            used += 1
            slots.append("B3")
    ahead = points(player) - points(banker)
    outcome: Outcome = "player" if ahead > 0 else "banker" if ahead < 0 else "tie"
    return Coup(list(shoe[:used]), slots, player, banker, outcome)
