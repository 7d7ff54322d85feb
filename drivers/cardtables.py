"""How a frame names a card: by codes of rank and suit, by one code, by a number, by the tag in the card."""

from collections.abc import Mapping
from functools import cached_property
from itertools import product
from typing import Annotated, Final, Literal

import msgspec

from shoe_daemon.game.cards import DECK, RANKS, Card, parse

Text = Annotated[str, msgspec.Meta(min_length=1)]
Rank = Annotated[str, msgspec.Meta(pattern=r"^([A2-9JQK]|10)\Z", description="a rank: A 2-10 J Q K")]
Suit = Annotated[str, msgspec.Meta(pattern=r"^[SHCD]\Z", description="a suit: S H C D")]
Face = Annotated[str, msgspec.Meta(pattern=r"^([A2-9JQK]|10)[SHCD]\Z", description='a card, such as "10H"')]

Uid = Annotated[
    str, msgspec.Meta(pattern=r"^([0-9A-F]{2}){4,16}\Z", description="a tag, 8 to 32 digits 0-9 A-F")
]


File = Annotated[
    str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*\Z", description="the name of a file, no path")
]
Sha256 = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z", description="64 digits 0-9 a-f")]


class Numbered(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Cards by a number: `base` is the first one's. `suits`: their order; `by`: what changes slowest.

    `written`: decimal or hexadecimal digits, or one byte.
    """

    base: Annotated[int, msgspec.Meta(ge=0, le=200)] = 0
    suits: Annotated[str, msgspec.Meta(pattern=r"^[SHCD]{4}\Z", description="the four suits in order")]
    by: Literal["suit", "rank"] = "suit"
    written: Literal["decimal", "hex", "byte"] = "decimal"
    digits: Annotated[int, msgspec.Meta(ge=1, le=4)] = 2

    def codes(self) -> dict[str, Card]:
        """Every number as it is written, with its card."""
        pairs = (
            [(rank, suit) for suit in self.suits for rank in RANKS]
            if self.by == "suit"
            else [(rank, suit) for rank in RANKS for suit in self.suits]
        )
        return {self._write(self.base + n): parse(rank + suit) for n, (rank, suit) in enumerate(pairs)}

    def _write(self, number: int) -> str:
        if self.written == "byte":
            return chr(number)
        return f"{number:0{self.digits}{'d' if self.written == 'decimal' else 'X'}}"


class Cards(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """One of four tables, and `like`: a pattern; a damaged frame in which it is found takes the next place.

    `ranks` and `suits`: codes of each. `codes`: of whole cards. `numbers`: cards in an order. `uids`: tags in
    hexadecimal digits, of which many are one face; `uids_as`: whether a frame has those digits or the bytes.
    `uid_file` and `uid_sha256`: a file beside the profile with the tags, and the hash of its bytes.
    Without `like` no damaged frame is about a card: the device sends it again.
    """

    like: Text | None = None
    ranks: dict[Rank, tuple[Text, ...]] = {}
    suits: dict[Suit, tuple[Text, ...]] = {}
    codes: dict[Text, Face] = {}
    numbers: Numbered | None = None
    uids: dict[Uid, Face] = {}
    uids_as: Literal["digits", "bytes"] = "digits"
    uid_file: File | None = None
    uid_sha256: Sha256 | None = None

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables that are given."""
        given = {
            "ranks": bool(self.ranks or self.suits),
            "codes": bool(self.codes),
            "numbers": self.numbers is not None,
            "uids": bool(self.uids),
        }
        return tuple(name for name, there in given.items() if there)

    @property
    def groups(self) -> tuple[str, ...]:
        """Groups that the pattern of a card needs."""
        return GROUPS[self.tables[0]] if self.tables else ()

    @cached_property
    def faces(self) -> Mapping[tuple[bytes, ...], Card]:
        """Cards by the bytes of their groups."""
        if self.numbers is not None:
            return {(code.encode("latin-1"),): card for code, card in self.numbers.codes().items()}
        if self.uids:
            return {(self._uid(uid),): parse(face) for uid, face in self.uids.items()}
        if self.codes:
            return {(code.encode("latin-1"),): parse(face) for code, face in self.codes.items()}
        pairs = product(self.ranks.items(), self.suits.items())
        return {
            (rank_code.encode("latin-1"), suit_code.encode("latin-1")): parse(rank + suit)
            for (rank, ranks), (suit, suits) in pairs
            for rank_code in ranks
            for suit_code in suits
        }

    def _uid(self, uid: str) -> bytes:
        return bytes.fromhex(uid) if self.uids_as == "bytes" else uid.encode()

    @cached_property
    def spellings(self) -> Mapping[Card, tuple[tuple[str, ...], ...]]:
        """Codes of each card, every way in which it is written."""
        found: dict[Card, list[tuple[str, ...]]] = {card: [] for card in DECK}
        for codes, card in self.faces.items():
            found[card].append(tuple(code.decode("latin-1") for code in codes))
        return {card: tuple(codes) for card, codes in found.items()}


GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "ranks": ("rank", "suit"),
    "codes": ("code",),
    "numbers": ("index",),
    "uids": ("uid",),
}
"""By table, the groups that a card is looked up by."""
