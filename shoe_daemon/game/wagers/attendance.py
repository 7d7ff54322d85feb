"""Who keeps a place without wagering (NSW-14.10)."""

from collections.abc import Collection
from typing import Final

MOST_MISSED: Final = 3
"""Consecutive rounds without a wager after which a player may be asked to give up the place."""


def after_round(
    missed: dict[int, int], *, places: int, used: Collection[int], wagered: Collection[int]
) -> dict[int, int]:
    """Count a round in which wagers could be made: rounds missed in a row, by place.

    `places`: how many the table has; `used`: those with a player; `wagered`: those with a wager in this
    round. A round counts only while all places are in use; one in which another was free begins the count
    anew. No-bet and void coups are no such rounds.
    """
    full = len(set(used)) == places
    idle = set(used) - set(wagered) if full else set()
    return {seat: missed.get(seat, 0) + 1 for seat in sorted(idle)}


def may_be_asked(missed: dict[int, int]) -> tuple[int, ...]:
    """Name the places whose players may be required to vacate them; a person decides."""
    return tuple(sorted(seat for seat, rounds in missed.items() if rounds >= MOST_MISSED))
