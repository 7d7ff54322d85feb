"""What a script of the virtual shoe says of the felt, beside what a table told of it."""

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from drivers.script import Action, CoupOver, CoupVoided

Json = dict[str, Any]
Coup = tuple[int, int]
"""Numbers of a shoe and of a coup in it."""

ROUTINE: Final = {"table.opened", "shoe.loaded", "shoe.closed", "betting.opened", "betting.closed"}
"""What a supervisor's word brings about with nothing wrong: table and shoe, and the bets that they open."""


def ends(told: Iterable[Json]) -> dict[Coup, Any]:
    """How each ended coup did: both hands and whether it had no bets, by its last revision; or `void`."""
    found: dict[Coup, Any] = {}
    for one in told:
        data, key = one["data"], (one["shoe"], one["coup"])
        if one["type"] == "coup.result":
            found[key] = (data["player"]["cards"], data["banker"]["cards"], data["no_bet"])
        elif one["type"] == "coup.void":
            found[key] = "void"
    return found


def lay(actions: Iterable[Action]) -> dict[Coup, Any]:
    """The same, as it lay on the felt."""
    found: dict[Coup, Any] = {}
    for one in actions:
        if isinstance(one, CoupOver):
            found[one.shoe, one.coup] = (list(one.player), list(one.banker), one.no_bet)
        elif isinstance(one, CoupVoided):
            found[one.shoe, one.coup] = "void"
    return found


def mistakes(actions: Iterable[Action]) -> dict[Coup, str]:
    """What truly went wrong, by coup."""
    overs = [one for one in actions if isinstance(one, CoupOver | CoupVoided)]
    return {(one.shoe, one.coup): one.mistake for one in overs if one.mistake is not None}


def supervised(told: Iterable[Json]) -> set[Coup]:
    """Coups about which a supervisor had to say something; what it means for the next one is not counted."""
    said = [
        one
        for one in told
        if str(one["data"].get("actor")).startswith("supervisor:")
        and one["type"] not in ROUTINE
        and one["coup"] is not None
    ]
    first = [next(events) for _, events in groupby(said, key=itemgetter("at"))]  # one command has one time
    return {(one["shoe"], one["coup"]) for one in first}


def share(procedure: str, told: list[Json]) -> str:
    """The share of coups that needed a supervisor, in words."""
    needed, of = len(supervised(told)), len(ends(told))
    return f"{procedure}: {needed} of {of} coups needed a supervisor, {needed / of:.2%}"
