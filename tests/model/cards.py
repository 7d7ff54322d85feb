"""Card values, the printed drawing tables and what exposed faces settle (NSW-10, LB-third, IC-third)."""

import itertools
from functools import cache
from typing import Final, Literal

Slot = Literal["P1", "B1", "P2", "B2", "P3", "B3"]
Place = Literal["P1", "B1", "P2", "B2", "P3", "B3", "none"]
Hand = Literal["player", "banker"]

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = ("S", "H", "C", "D")
FIRST: Final[tuple[Slot, ...]] = ("P1", "B1", "P2", "B2")
"""The initial deal, in the order drawn (NSW-7.3)."""
SLOTS: Final[tuple[Slot, ...]] = (*FIRST, "P3", "B3")
TURNS: Final[tuple[Slot, ...]] = ("P1", "P2", "B1", "B2", "P3", "B3")
"""The order in which cards that are turned together are told (details 8)."""

TABLE_1: Final = "DDDDDDSSNN"
"""Table 1: what the Player does with each count; N is a natural."""
TABLE_2: Final = (
    # no card, then the Player's third card 0 to 9
    "DDDDDDDDDDD",
    "DDDDDDDDDDD",
    "DDDDDDDDDDD",
    "DDDDDDDDDSD",
    "DSSDDDDDDSS",
    "DSSSSDDDDSS",
    "SSSSSSSDDSS",
    "SSSSSSSSSSS",
    "SSSSSSSSSSS",
    "SSSSSSSSSSS",
)
"""Table 2: a row for each count of the Banker."""


def value(card: str) -> int:
    """Value of a card in a hand, 0 to 9."""
    rank = card[:-1]
    return 1 if rank == "A" else 0 if rank in {"10", "J", "Q", "K"} else int(rank)


def count(*cards: str) -> int:
    """Point count of a hand."""
    return sum(map(value, cards)) % 10


def card_of(text: object) -> str | None:
    """The card that `text` names, `T` being 10, or None."""
    if not isinstance(text, str):
        return None
    rank, suit = text[:-1], text[-1:]
    rank = "10" if rank == "T" else rank
    return rank + suit if rank in RANKS and suit in SUITS else None


def thirds(player: int, banker: int, third: int) -> tuple[Place, ...]:
    """Third cards that the rules want, in the order of drawing; `third`: value of the Player's, if drawn."""
    if TABLE_1[player] == "N" or TABLE_1[banker] == "N":
        return ()
    if TABLE_1[player] == "D":
        return ("P3", "B3") if TABLE_2[banker][third + 1] == "D" else ("P3",)
    return ("B3",) if TABLE_2[banker][0] == "D" else ()


@cache
def due(player: int | None, banker: int | None, third: int | None, placed: tuple[Place, ...]) -> Place | None:
    """The place of a further card after the initial four and the third cards `placed`; None where open.

    `player`, `banker`: counts of two exposed cards, `third`: value of the exposed P3; None where hidden.
    """
    answers = set()
    every = range(10)
    for p, b, t in itertools.product(
        every if player is None else (player,),
        every if banker is None else (banker,),
        every if third is None else (third,),
    ):
        wanted = thirds(p, b, t)
        if wanted[: len(placed)] == placed:
            answers.add((*wanted, "none")[len(placed)])
    return answers.pop() if len(answers) == 1 else None
