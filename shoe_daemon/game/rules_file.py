"""The shape of a rules file: what it may say, and what in it contradicts itself.

Every value bears the id of the rule that it comes from; where the document does not state it, `not_stated`
says so with the reason for the default chosen.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from shoe_daemon.game.house_rules import HouseRules

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
    reshuffled: bool = False

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


class BankerPay(_Pay, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`commission` says whether one to one is won and 1 less `odds` taken of it: with each coup, or marked.

    `on_points`: other odds where the Banker wins with these points. `push_on_three_card`: where it wins with
    these on three cards, the wager is neither paid nor lost.
    """

    commission: Literal["none", "per_coup", "marked"]
    on_points: dict[_Points, _Odds] = {}
    push_on_three_card: tuple[_Points, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(set(self.push_on_three_card)) < len(self.push_on_three_card):
            raise ValueError("push_on_three_card lists the same points twice")
        for odds in self.on_points.values():
            _lowest_terms(odds)
        if self.commission != "none" and Fraction(self.odds) >= 1:
            raise ValueError(f"odds {self.odds} leave no commission: they are what is paid once it is taken")
        if self.commission != "none" and self.on_points:
            raise ValueError("on_points are odds without commission, and a commission is taken")


class _Push(_Stated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    bets: tuple[Literal["player", "banker"], ...]


class _Pays(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    player: _Pay
    banker: BankerPay
    tie: _Pay
    push_on_tie: _Push


class _BothSides(_Stated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whether one player may wager on the Player and on the Banker in the same coup."""

    allowed: bool


class _PayoutRounding(_Stated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What becomes of a wager that chips cannot pay exactly.

    `void_remainder`: only what they can pay is valid. `round_up`: the next higher amount is paid. `exact`: no
    chips, paid to the minor unit.
    """

    method: Literal["void_remainder", "round_up", "exact"]


class _BelowMinimum(_Stated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What becomes of a wager below the minimum that is placed in time."""

    treatment: Literal["refuse", "raise"]


class _Late(_Stated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whether a wager outside the limits stands if nobody refused it before the first card."""

    stands: bool


class _Differential(_Stated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whether the sign may limit the difference between all wagers on the Player and on the Banker."""

    used: bool


class _PlayerLimits(_Stated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whether a player may have limits of his own, shown by a sign at his place."""

    allowed: bool


class _Vouchers(_Stated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whether vouchers are wagers, and whether one that neither wins nor loses stays its player's."""

    accepted: bool
    stay_on_push: bool = True


class _OwnLimit(_Stated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player may lower his own maximum once a week; weeks begin at midnight, so many hours off UTC."""

    week_begins: Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    utc_offset_h: Annotated[int, Meta(ge=-12, le=14)]


class _StatedLimits(_Stated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Limits that the document itself names; `chip` is the smallest chip. All in minor units."""

    minimum: Annotated[int, Meta(ge=1)]
    maximum: Annotated[int, Meta(ge=1)]
    chip: Annotated[int, Meta(ge=1)]


class WagerRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the document says of wagers."""

    both_sides: _BothSides
    payout_rounding: _PayoutRounding
    below_minimum: _BelowMinimum
    late: _Late
    differential: _Differential
    player_limits: _PlayerLimits
    vouchers: _Vouchers
    own_limit: _OwnLimit | None = None
    stated_limits: _StatedLimits | None = None


class _Window(_Stated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Seconds in which a seat passes or deals, or sits the coup out."""

    seconds: Annotated[int, Meta(ge=1)]


class SeatRules(_Stated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Numbered places of the table, and the window to answer in where seats pass or deal."""

    places: Annotated[int, Meta(ge=1, le=99)]
    window: _Window | None = None


class _CutCard(_Stated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Coups dealt once the cut card is out, besides the one under way."""

    coups_after: Annotated[int, Meta(ge=0, le=5)]


class _Excess(_Stated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What becomes of a card drawn in excess."""

    goes_to: Literal["next_coup", "burned"]


class _Gap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A matter on which the document is silent and which is no value of the profile."""

    matter: _Text
    default: _Text
    why: _Text


class RulesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that a rules file says. `side_bets`: those offered, by their names in a file of side bets.

    `cut_card`, `excess`: where a document speaks of them. `void_rules`: by which a coup is void, where that
    is another rule than the irregularity's.
    """

    name: _Name
    title: _Text
    document: _Document
    decks: _DeckCounts
    deal: _Deal
    drawing: _Drawing
    pay: _Pays
    wagers: WagerRules
    seats: SeatRules
    side_bets: tuple[_Name, ...] = ()
    irregularities: dict[Code, _RuleId] = {}
    void_rules: dict[Literal["misdeal", "wagers_removed"], _RuleId] = {}
    no_bet_rule: _RuleId | None = None
    cut_card: _CutCard | None = None
    excess: _Excess | None = None
    house: HouseRules = HouseRules()
    gaps: tuple[_Gap, ...] = ()


def rule_ids(stated: RulesFile) -> Iterator[tuple[str, str]]:
    """Give every rule id of a file with its dotted key."""
    pay = {f"pay.{bet}": getattr(stated.pay, bet) for bet in _Pays.__struct_fields__}
    wagers = {f"wagers.{key}": getattr(stated.wagers, key) for key in WagerRules.__struct_fields__}
    seats = {"seats": stated.seats, "seats.window": stated.seats.window}
    cards = {"decks": stated.decks, "deal": stated.deal, "cut_card": stated.cut_card, "excess": stated.excess}
    for key, value in {**cards, **pay, **wagers, **seats}.items():
        if value is not None and value.rule is not None:
            yield f"{key}.rule", value.rule
    for part in _Drawing.__struct_fields__:
        yield f"drawing.{part}", getattr(stated.drawing, part)
    for code, rule in stated.irregularities.items():
        yield f"irregularities.{code}", rule
    for cause, rule in stated.void_rules.items():
        yield f"void_rules.{cause}", rule
    if stated.no_bet_rule is not None:
        yield "no_bet_rule", stated.no_bet_rule
    yield from stated.house.rule_ids()
