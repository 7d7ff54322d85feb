"""The shape of a rules file: what it may say, and what in it contradicts itself.

Every value bears the id of the rule that it comes from; where the document does not state it, `not_stated`
says so with the reason for the default chosen.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Code = Annotated[
    Literal[
        "unreadable_card",
        "unknown_code",
        "duplicate_card",
        "composition_exceeded",
        "excess_card",
        "unauthorised_third_card",
        "third_card_missing",
        "disclosed_first_card",
        "face_up_card",
        "drawn_before_reveal",
        "misdeal",
        "too_many_cards",
        "insufficient_cards",
        "drawn_before_betting_closed",
        "beyond_last_coup",
        "suspect_double",
        "sequence_gap",
        "link_gap",
        "device_reset",
        "card_returned",
        "order_suspicious",
        "camera_mismatch",
        "result_mismatch",
        "set_changed",
        "equipment_fault",
        "other",
    ],
    Meta(description="the code of an irregularity"),
]

_Name = Annotated[
    str,
    Meta(
        pattern=r"^[a-z0-9][a-z0-9-]{0,31}\Z",
        description="a name of small letters, digits and hyphens, 32 at most",
    ),
]
_Text = Annotated[str, Meta(min_length=1)]
_RuleId = Annotated[
    str, Meta(pattern=r"^[A-Z]+-[A-Za-z0-9.]+\Z", description='the id of a rule, such as "NSW-13.4"')
]
_Odds = Annotated[
    str,
    Meta(
        pattern=r"^[1-9][0-9]*(/[1-9][0-9]*)?\Z",
        description='odds to one as a fraction, such as "19/20" or "8"',
    ),
]
_Decks = Annotated[int, Meta(ge=1, le=16)]
_Points = Annotated[
    Literal["1", "2", "3", "4", "5", "6", "7", "8", "9"], Meta(description="points that can win, 1 to 9")
]


class _Stated(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A value with its rule, or with why it has this default although no rule was found, or with both."""

    rule: _RuleId | None = None
    not_stated: _Text | None = None

    def __post_init__(self) -> None:
        if self.rule is None and self.not_stated is None:
            raise ValueError("needs the rule that says so, or not_stated with the reason for this value")


def _lowest_terms(odds: str) -> None:
    if str(Fraction(odds)) != odds:
        raise ValueError(f"odds {odds} are to be written in lowest terms, {Fraction(odds)}")


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The text that was read. `prefix` begins its rule ids; `missing` lists its parts that were not found."""

    title: _Text
    date: _Text
    prefix: Annotated[str, Meta(pattern=r"^[A-Z]+\Z", description='capital letters, such as "NSW"')]
    missing: tuple[_Text, ...]


class _DeckCounts(_Stated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    allowed: Annotated[tuple[_Decks, ...], Meta(min_length=1)]
    default: _Decks

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.default not in self.allowed:
            raise ValueError(f"default {self.default} is none of the allowed deck counts")


class _Deal(_Stated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    face_down: bool


class _Drawing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    natural: _RuleId
    player: _RuleId
    banker_after_draw: _RuleId
    banker_after_stand: _RuleId


class _Pay(_Stated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    odds: _Odds

    def __post_init__(self) -> None:
        super().__post_init__()
        _lowest_terms(self.odds)


class _BankerPay(_Pay, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`on_points`: other odds where the Banker wins with these points."""

    on_points: dict[_Points, _Odds] = {}

    def __post_init__(self) -> None:
        super().__post_init__()
        for odds in self.on_points.values():
            _lowest_terms(odds)


class _Push(_Stated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    bets: tuple[Literal["player", "banker"], ...]


class _Pays(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    player: _Pay
    banker: _BankerPay
    tie: _Pay
    push_on_tie: _Push


class _Gap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A matter on which the document is silent and which is no value of the profile."""

    matter: _Text
    default: _Text
    why: _Text


class RulesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that a rules file says."""

    name: _Name
    title: _Text
    document: _Document
    decks: _DeckCounts
    deal: _Deal
    drawing: _Drawing
    pay: _Pays
    irregularities: dict[Code, _RuleId] = {}
    no_bet_rule: _RuleId | None = None
    gaps: tuple[_Gap, ...] = ()


def rule_ids(stated: RulesFile) -> Iterator[tuple[str, str]]:
    """Give every rule id of a file with its dotted key."""
    pay = {f"pay.{bet}": getattr(stated.pay, bet) for bet in _Pays.__struct_fields__}
    for key, value in {"decks": stated.decks, "deal": stated.deal, **pay}.items():
        if value.rule is not None:
            yield f"{key}.rule", value.rule
    for part in _Drawing.__struct_fields__:
        yield f"drawing.{part}", getattr(stated.drawing, part)
    for code, rule in stated.irregularities.items():
        yield f"irregularities.{code}", rule
    if stated.no_bet_rule is not None:
        yield "no_bet_rule", stated.no_bet_rule
