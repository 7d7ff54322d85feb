"""Cards: rank then suit, `10H`, `AS`; values and points (NSW-3, LB-cards; the same in every rule set)."""

from typing import Final, Literal, NewType

Card = NewType("Card", str)
"""A card's text: rank `A 2 … 10 J Q K`, then suit `S H C D`. Made by `parse` or taken from `DECK`."""

Slot = Literal["P1", "B1", "P2", "B2", "P3", "B3"]
Hand = Literal["player", "banker"]
Outcome = Literal["player", "banker", "tie"]

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = ("S", "H", "C", "D")
DECK: Final = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)

INITIAL: Final[tuple[Slot, ...]] = ("P1", "B1", "P2", "B2")
"""The first four cards, in the order they leave the shoe (NSW-7.3, LB-deal)."""

HANDS: Final[dict[Hand, tuple[Slot, ...]]] = {"player": ("P1", "P2", "P3"), "banker": ("B1", "B2", "B3")}
"""The places of each hand, in the order in which they are dealt."""

_VALUE: Final = {
    Card(rank + suit): (place + 1 if place < 9 else 0)  # noqa: PLR2004 - ace to nine count their pips
    for suit in SUITS
    for place, rank in enumerate(RANKS)
}
_BY_TEXT: Final = {**{str(card): card for card in DECK}, **{f"T{suit}": Card(f"10{suit}") for suit in SUITS}}


def parse(text: str) -> Card:
    """Card of `text`; `T` is read as 10. Raises ValueError on anything else."""
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise ValueError(f"{text!r} is no card: rank A 2-10 J Q K, then suit S H C D") from None


def rank(card: Card) -> str:
    """Rank of `card`, the text before its suit."""
    return card[:-1]


def value(card: Card) -> int:
    """Value of `card` in a hand, 0 to 9: ace 1, ten and pictures 0."""
    return _VALUE[card]


def points(values: tuple[int, ...]) -> int:
    """Point count of a hand of card values: the right-hand digit of their sum (NSW-3.3)."""
    return sum(values) % 10


def burn_count(first: Card) -> int:
    """How many cards follow the first one of a burn by value: ace 1 to nine, ten and pictures 10."""
    return value(first) or 10
