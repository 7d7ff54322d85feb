"""How a coup ended, from the cards of its two hands."""

from collections.abc import Sequence

import msgspec

from shoe_daemon.game.cards import Card, Outcome, points, rank, value
from shoe_daemon.game.drawing import is_natural


class Decision(msgspec.Struct, frozen=True):
    """The end of a coup. `natural`: either hand's first two cards; pairs: first two cards of one rank."""

    outcome: Outcome
    player_points: int
    banker_points: int
    natural: bool
    player_pair: bool
    banker_pair: bool


def winner(player_points: int, banker_points: int) -> Outcome:
    """Give the outcome of two final point counts (NSW-1 Tie, NSW-10.8.2)."""
    if player_points == banker_points:
        return "tie"
    return "player" if player_points > banker_points else "banker"


def decide_outcome(player: Sequence[Card], banker: Sequence[Card]) -> Decision:
    """Give the end of a coup whose hands hold two or three cards each, in the order dealt."""
    player_values = tuple(value(card) for card in player)
    banker_values = tuple(value(card) for card in banker)
    player_points, banker_points = points(player_values), points(banker_values)
    return Decision(
        outcome=winner(player_points, banker_points),
        player_points=player_points,
        banker_points=banker_points,
        natural=is_natural(points(player_values[:2]), points(banker_values[:2])),
        player_pair=rank(player[0]) == rank(player[1]),
        banker_pair=rank(banker[0]) == rank(banker[1]),
    )
