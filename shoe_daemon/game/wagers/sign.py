"""The sign at the table: minimum, maximum and unit of each bet, the differential, limits of single players.

All amounts are minor units. `Terms` holds the sign with the rules: all that wagers are judged by.
"""

from typing import Final

import msgspec

from shoe_daemon.game.profile import RuleProfile
from shoe_daemon.game.wagers.wager import MAIN, Bettor, WagerRefused

_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_EPOCH_DAY: Final = 3
"""1 January 1970 was a Thursday."""
_HOUR: Final = 3_600_000_000
_DAY: Final = 24 * _HOUR


class BetLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of one bet (NSW-6.1). `maximum` None: none is stated.

    `unit`: wagers go up in such steps above the minimum; `multiples`: in multiples of the minimum.
    """

    minimum: int = 1
    maximum: int | None = None
    unit: int | None = None
    multiples: bool = False

    def __post_init__(self) -> None:
        if self.minimum < 1 or (self.unit is not None and self.unit < 1):
            raise ValueError("a minimum and a unit are from 1 up")
        if self.maximum is not None and self.maximum < self.minimum:
            raise ValueError(f"maximum {self.maximum} is below the minimum {self.minimum}")

    def step_fits(self, amount: int) -> bool:
        """Whether `amount` is one of the steps that the sign states, if it states any."""
        if self.multiples and amount % self.minimum:
            return False
        return self.unit is None or (amount - self.minimum) % self.unit == 0


class PlayerLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of one player, by a sign at his place (NSW-6.5); bets not named have the table's."""

    seat: int
    limits: dict[str, BetLimits]
    backer: str = ""


class OwnLimit(msgspec.Struct, frozen=True, kw_only=True):
    """A maximum that a player set himself, for each of his bets. `week`: when, see `week_of`."""

    seat: int
    maximum: int
    week: int
    backer: str = ""


class Sign(msgspec.Struct, frozen=True, kw_only=True):
    """The sign at one table. `chip`: the smallest one; `limits`: by bet; `differential` None: none stated."""

    chip: int
    limits: dict[str, BetLimits] = {}
    differential: int | None = None
    players: tuple[PlayerLimits, ...] = ()
    own: tuple[OwnLimit, ...] = ()

    def __post_init__(self) -> None:
        if self.chip < 1:
            raise ValueError("a chip is worth 1 or more")
        if self.differential is not None and self.differential < 1:
            raise ValueError("a differential is from 1 up")

    def of(self, bettor: Bettor, bet: str) -> BetLimits:
        """Give the limits of a player on a bet: his own sign's, else the table's."""
        for one in self.players:
            if Bettor(one.seat, one.backer) == bettor and bet in one.limits:
                return one.limits[bet]
        return self.limits.get(bet, BetLimits())

    def own_maximum(self, bettor: Bettor) -> int | None:
        """Give the maximum that a player set himself."""
        return next((one.maximum for one in self.own if Bettor(one.seat, one.backer) == bettor), None)


class Terms(msgspec.Struct, frozen=True):
    """What wagers are judged by. `side_bets`: of each that is offered, all the odds that it may pay."""

    rules: RuleProfile
    sign: Sign
    side_bets: dict[str, tuple[str, ...]] = {}

    def offers(self, bet: str) -> bool:
        """Whether this table takes wagers on `bet`."""
        return bet in MAIN or bet in self.side_bets

    def odds(self, bet: str) -> tuple[str, ...]:
        """Give all the odds that a winning wager on `bet` may be paid at, pushes left out."""
        pay = self.rules.stated.pay
        match bet:
            case "player":
                return (pay.player.odds,)
            case "banker":
                return (pay.banker.odds, *pay.banker.on_points.values())
            case "tie":
                return (pay.tie.odds,)
            case _:
                return self.side_bets[bet]


def stated_sign(rules: RuleProfile) -> Sign | None:
    """Make the sign of the limits that the document itself names; None where it names none (IC-limits)."""
    stated = rules.wagers.stated_limits
    if stated is None:
        return None
    limits = BetLimits(minimum=stated.minimum, maximum=stated.maximum)
    return Sign(chip=stated.chip, limits=dict.fromkeys(MAIN, limits))


def with_own_limit(terms: Terms, bettor: Bettor, maximum: int, at: int) -> Sign:
    """Set a player's own maximum, below each maximum of the table (IC-limits). `at`: as in `week_of`.

    Refused: `not_in_rules`, `above_maximum`, `below_minimum` (nothing could be wagered), `once_a_week`.
    """
    stated = terms.rules.wagers.own_limit
    if stated is None:
        raise WagerRefused("not_in_rules")
    week = week_of(at, stated.week_begins, stated.utc_offset_h)
    every = [terms.sign.of(bettor, bet) for bet in (*MAIN, *terms.side_bets)]
    if any(one.maximum is not None and maximum >= one.maximum for one in every):
        raise WagerRefused("above_maximum")
    if maximum < min(one.minimum for one in every):
        raise WagerRefused("below_minimum")
    if any(Bettor(one.seat, one.backer) == bettor and one.week >= week for one in terms.sign.own):
        raise WagerRefused("once_a_week")
    others = tuple(one for one in terms.sign.own if Bettor(one.seat, one.backer) != bettor)
    mine = OwnLimit(seat=bettor.seat, backer=bettor.backer, maximum=maximum, week=week)
    return msgspec.structs.replace(terms.sign, own=(*others, mine))


def week_of(at: int, begins: str, utc_offset_h: int) -> int:
    """Number the week that holds `at`, microseconds since 1970 UTC; `begins`: the weekday of its midnight."""
    first = (_WEEKDAYS.index(begins) - _EPOCH_DAY) % 7
    return (at + utc_offset_h * _HOUR - first * _DAY) // (7 * _DAY)
