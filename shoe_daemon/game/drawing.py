"""Who draws a third card: Table 1 and Table 2, the same in every rule set.

NSW-10.2 to 10.5, NZG-9.2 to 9.5, LB-third, IC-third. All points and values are 0 to 9.
"""

from typing import Final, Literal

NATURAL: Final = 8
"""Least points of a natural (NSW-10.2)."""

PLAYER_DRAWS_TO: Final = 5
"""Table 1: most points on which the Player draws (NSW-10.3)."""

BANKER_DRAWS_TO: Final = 5
"""Most points on which the Banker draws when the Player stood (NSW-10.5)."""

BANKER_DRAWS: Final = (
    frozenset(range(10)),
    frozenset(range(10)),
    frozenset(range(10)),
    frozenset({0, 1, 2, 3, 4, 5, 6, 7, 9}),
    frozenset({2, 3, 4, 5, 6, 7}),
    frozenset({4, 5, 6, 7}),
    frozenset({6, 7}),
    frozenset[int](),
)
"""Table 2: by the Banker's points 0 to 7, the Player's third cards on which the Banker draws (NSW-10.4)."""


def next_third(player: int, banker: int, player_third: int | None) -> Literal["P3", "B3"] | None:
    """Give the third card that is due, None for no more cards (NSW-10.2 to 10.5).

    `player`, `banker`: points of the first two cards. `player_third`: value of P3 once dealt, else None.
    B3 has not been dealt.
    """
    if is_natural(player, banker):
        return None
    if player <= PLAYER_DRAWS_TO:
        if player_third is None:
            return "P3"
        return "B3" if player_third in BANKER_DRAWS[banker] else None
    return "B3" if banker <= BANKER_DRAWS_TO else None


def is_natural(player: int, banker: int) -> bool:
    """Tell whether either hand's first two cards count 8 or 9 (NSW-10.2)."""
    return player >= NATURAL or banker >= NATURAL
