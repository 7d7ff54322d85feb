"""The settings of the house at one table: games, side bets, second persons, the sign (`[house]`)."""

from collections.abc import Iterator
from datetime import time
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from zoneinfo import ZoneInfo

import msgspec

from shoe_daemon.game.profile import RuleProfile, parse_rules
from shoe_daemon.game.side_bets import SideBet
from shoe_daemon.game.side_bets_file import offer_problems, parse_bets
from shoe_daemon.game.wagers import BetLimits, Sign, stated_sign
from shoe_daemon.runtime.resources import bets_file, rules_file
from shoe_daemon.schema import ConfigError
from shoe_daemon.table.verbs import VERBS

BETS: Final = "standard"
"""The shipped file of side bets."""

_Money = Annotated[int, msgspec.Meta(ge=1, description="minor units, 1 or more")]


class LimitsSetting(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Limits of one bet, in minor units."""

    minimum: _Money = 1
    maximum: _Money | None = None
    unit: _Money | None = None
    multiples: bool = False

    def __post_init__(self) -> None:
        if self.maximum is not None and self.maximum < self.minimum:
            raise ValueError(f"maximum {self.maximum} is below the minimum {self.minimum}")


class WagersSetting(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The sign of a table that takes wagers over its control channel. `chip`: the smallest one."""

    chip: _Money
    differential: _Money | None = None
    limits: dict[str, LimitsSetting] = {}


class House(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[house]`. `side_bets` None: those that the rules offer; `wagers` None: none are taken here.

    `zone`, `day_begins`: the time zone that people at this table live in, and when its gaming day begins.
    """

    others: tuple[str, ...] = ()
    side_bets: tuple[str, ...] | None = None
    two_persons: tuple[str, ...] = ()
    attest: Literal["recorded", "required"] = "recorded"
    main_floor: bool = True
    zone: str = "UTC"
    day_begins: str = "06:00"
    wagers: WagersSetting | None = None


class Settled(msgspec.Struct, frozen=True):
    """The settings with what they name read from its files."""

    others: tuple[RuleProfile, ...]
    side_bets: dict[str, SideBet]
    sign: Sign | None

    def setup(self, house: House) -> dict[str, Any]:
        """Fields of the table's `Setup`."""
        return {
            "others": self.others,
            "side_bets": self.side_bets,
            "sign": self.sign,
            "two_persons": frozenset(house.two_persons),
            "attest": house.attest,
            "main_floor": house.main_floor,
        }


def settle(house: House, rules: RuleProfile, base: Path | None = None) -> tuple[Settled, dict[str, str]]:
    """Read what the settings name; with what is wrong, by key."""
    wrong: dict[str, str] = {}
    others = []
    for name in house.others:
        try:
            others.append(parse_rules(*rules_file(name, base)))
        except ConfigError as error:
            wrong["house.others"] = "; ".join(one.message for one in error.problems)
    names = [rules.name, *(other.name for other in others)]
    if len(set(names)) < len(names):
        wrong["house.others"] = f"a game is named twice among {', '.join(names)}"
    wrong |= dict(_verbs(house)) | dict(_times(house))
    bets = _bets(house, rules, wrong)
    return Settled(tuple(others), bets, _sign(house, rules, bets, wrong)), wrong


def _verbs(house: House) -> Iterator[tuple[str, str]]:
    for verb in house.two_persons:
        if verb not in VERBS:
            yield "house.two_persons", f'"{verb}" is no verb: one of {", ".join(VERBS)}'


def _times(house: House) -> Iterator[tuple[str, str]]:
    try:
        ZoneInfo(house.zone)
    except (ValueError, OSError, KeyError):  # no name of a zone at all, a folder, or a zone that is not here
        yield "house.zone", f'"{house.zone}" is no time zone that this machine knows, such as Europe/London'
    try:
        time.fromisoformat(house.day_begins)
    except ValueError:
        yield "house.day_begins", f'"{house.day_begins}" is no time of day, such as 06:00'


def _bets(house: House, rules: RuleProfile, wrong: dict[str, str]) -> dict[str, SideBet]:
    names = rules.side_bets if house.side_bets is None else house.side_bets
    if not names:
        return {}
    data, source = bets_file(BETS)
    known = parse_bets(data, source)
    found = offer_problems(data, source, names, known)
    if found:
        wrong["house.side_bets"] = "; ".join(one.message for one in found)
        return {}
    return known.offered(names)


def _sign(house: House, rules: RuleProfile, bets: dict[str, SideBet], wrong: dict[str, str]) -> Sign | None:
    """The sign, with the limits that the rules themselves name where the settings name none."""
    wagers = house.wagers
    if wagers is None:
        return None
    unknown = set(wagers.limits) - {"player", "banker", "tie", *bets}
    if unknown:
        wrong["house.wagers.limits"] = f"{', '.join(sorted(unknown))}: no bet of this table"
    by_rules = stated_sign(rules)
    limits = {} if by_rules is None else dict(by_rules.limits)
    limits |= {
        bet: BetLimits(minimum=one.minimum, maximum=one.maximum, unit=one.unit, multiples=one.multiples)
        for bet, one in wagers.limits.items()
    }
    return Sign(chip=wagers.chip, limits=limits, differential=wagers.differential)
