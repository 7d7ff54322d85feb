"""Which function plays which fault."""

from collections.abc import Callable
from typing import Final

from tests.faults.cell import Cell

Play = Callable[[Cell], None]
PLAYS: Final[dict[str, Play]] = {}


def plays(key: str) -> Callable[[Play], Play]:
    """The function below plays the fault of this key in the catalogue, at one cell."""

    def register(play: Play) -> Play:
        assert key not in PLAYS
        PLAYS[key] = play
        return play

    return register
