"""The dealing methods: who holds the shoe, who handles the cards (NSW-8.1 to 8.32)."""

from typing import Final, Literal

Method = Literal["A", "B", "C", "D", "E"]

PLAYER_DRAWS: Final[frozenset[Method]] = frozenset({"D", "E"})
"""Methods in which a player draws the cards from the shoe (NSW-8.2)."""
