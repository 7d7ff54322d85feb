"""What an operator may say: each verb with its arguments and the roles that may use it.

`check` answers what depends on nobody's cards: role, second person, arguments, table and shoe, in that order.
"""

from collections.abc import Set as AbstractSet
from typing import Any, Final

import msgspec

from shoe_daemon.table import arguments as arg
from shoe_daemon.table.remedies import REMEDIES
from shoe_daemon.table.state import Table
from shoe_daemon.table.turn import Refused

ROLES: Final = (
    "dealer",
    "game_supervisor",
    "casino_supervisor",
    "supervisor",
    "duty_manager",
    "inspector",
    "surveillance",
    "technician",
)
"""Roles of an actor `role:id`; `supervisor` means `casino_supervisor`."""

SUPERVISORS: Final = frozenset({"game_supervisor", "casino_supervisor", "supervisor", "duty_manager"})
DEALER: Final = SUPERVISORS | {"dealer"}

EVERYBODY: Final = frozenset(ROLES)
OBSERVERS: Final = DEALER | {"surveillance", "technician"}
OVERSEERS: Final = frozenset({"casino_supervisor", "supervisor", "duty_manager", "inspector", "surveillance"})
"""Who may ask, two together, for faces that still lie hidden."""

DEALER_REMEDIES: Final = frozenset(
    remedy.name for remedy in REMEDIES.values() if remedy.dealer and not remedy.verb
)
"""Remedies that a dealer may choose by `resolve`."""

SECOND: Final = "second"
"""The argument that names the second person."""


class Verb(msgspec.Struct, frozen=True):
    """One verb. `shoe`: it needs one on the table, unless an argument `shoe` names another.

    `two`: a second person stands by it whatever the settings of the house.
    """

    name: str
    args: type[arg.Args]
    roles: frozenset[str]
    help: str
    shoe: bool = True
    closed: bool = False
    two: bool = False


VERBS: Final[dict[str, Verb]] = {
    verb.name: verb
    for verb in (
        Verb("open_table", arg.Args, SUPERVISORS, "open the table", shoe=False, closed=True),
        Verb("close_table", arg.CloseTable, SUPERVISORS, "close the table between coups", shoe=False),
        Verb("pause", arg.Pause, SUPERVISORS, "no betting opens until the table is resumed", shoe=False),
        Verb("resume", arg.Args, SUPERVISORS, "the pause is over", shoe=False),
        Verb(
            "attest",
            arg.Attest,
            DEALER,
            "what was done with the cards before",
            shoe=False,
            closed=True,
        ),
        Verb("load_shoe", arg.LoadShoe, SUPERVISORS, "a new shoe lies on the table", shoe=False),
        Verb("burn", arg.BurnArgs, DEALER, "the next cards are burned, or the coup's cards were"),
        Verb("cut_card", arg.Args, DEALER, "the cut card came out"),
        Verb("shoe_empty", arg.Args, DEALER, "no card is left in the shoe"),
        Verb("close_shoe", arg.CloseShoe, SUPERVISORS, "the shoe is finished"),
        Verb("open_betting", arg.Args, DEALER, "bets are taken; parks a coup held for evidence"),
        Verb("no_more_bets", arg.Args, DEALER, "no more bets"),
        Verb("reveal", arg.Reveal, DEALER, "cards are turned; the result button; the late press"),
        Verb("confirm", arg.Confirm, DEALER, "the coup is over; with outcome: the dealer's call"),
        Verb("advance", arg.Args, DEALER, "the next step of the procedure"),
        Verb("enter", arg.Enter, SUPERVISORS, "the next card, by hand"),
        Verb("enter_result", arg.EnterResult, SUPERVISORS, "a whole coup, by hand"),
        Verb("identify", arg.Name, DEALER, "name an open card that could not be read"),
        Verb("disclose", arg.Args, DEALER, "the excess card, or the coming first card, was seen"),
        Verb("undisclosed", arg.Args, DEALER, "nobody saw the excess card"),
        Verb("report", arg.Report, OBSERVERS, "an irregularity that the machine cannot see"),
        Verb("resolve", arg.Resolve, DEALER, "choose a remedy of an open irregularity", shoe=False),
        Verb("void", arg.Which, SUPERVISORS, "the coup is void"),
        Verb("invalidate", arg.Invalidate, SUPERVISORS, "a result no longer counts", closed=True),
        Verb("correct", arg.Name, SUPERVISORS, "an open card was another one"),
        Verb("declare_no_bet", arg.NoBet, SUPERVISORS, "the coming coup is dealt without wagers"),
        Verb(
            "set_method", arg.SetMethod, SUPERVISORS, "the dealing method from the next coup on", shoe=False
        ),
        Verb("bank", arg.Bank, DEALER, "who holds bank, marker or shoe", shoe=False),
        Verb("set_rules", arg.SetRules, SUPERVISORS, "the game in play from the next coup on", shoe=False),
        Verb(
            "set_limits",
            arg.SetLimits,
            SUPERVISORS,
            "limits of table or seat",
            shoe=False,
            closed=True,
        ),
        Verb("notice", arg.Notice, SUPERVISORS, "a sign was put on the table", shoe=False, closed=True),
        Verb(
            "dispute",
            arg.Dispute,
            OBSERVERS | {"inspector"},
            "a dispute by stage",
            shoe=False,
            closed=True,
        ),
        Verb("wager", arg.Bet, DEALER, "a wager of a seat"),
        Verb("withdraw", arg.Withdraw, DEALER, "wagers of a seat taken off"),
        Verb(
            "seat",
            arg.SeatAct,
            DEALER,
            "a seat joins, leaves, passes, deals, repeats, pays, speaks",
            shoe=False,
            closed=True,
        ),
        Verb(
            "acknowledge",
            arg.Acknowledge,
            EVERYBODY,
            "a request was seen",
            shoe=False,
            closed=True,
        ),
        Verb(
            "unmask",
            arg.Unmask,
            OVERSEERS,
            "two persons see the faces that lie hidden in the open shoe",
            closed=True,
            two=True,
        ),
        Verb("sign_in", arg.Args, EVERYBODY, "the actor takes his place", shoe=False, closed=True),
        Verb("sign_out", arg.Args, EVERYBODY, "the actor leaves it", shoe=False, closed=True),
    )
}


def role_of(actor: str) -> str | None:
    """The role in `actor` (`role:id`), or None where it is no such text."""
    role, colon, person = actor.partition(":")
    return role if colon and person and role in ROLES else None


def check(
    table: Table, verb: str, actor: str, args: dict[str, Any], two_persons: AbstractSet[str] = frozenset()
) -> arg.Args:
    """The checked arguments of a command.

    Refused: `not_allowed`, `second_needed`, `same_person`, `bad_args`, `table_closed`, `no_shoe`.
    """
    row = VERBS[verb]
    if role_of(actor) not in row.roles:
        raise Refused("not_allowed")
    if _needs_two(verb, args, two_persons):
        _second(_roles_beside(row, args), actor, args.get(SECOND))
    try:
        parsed = msgspec.convert({key: value for key, value in args.items() if key != SECOND}, row.args)
    except msgspec.ValidationError as error:
        raise Refused("bad_args") from error
    if not table.opened and not row.closed:
        raise Refused("table_closed")
    elsewhere = not row.shoe or (isinstance(parsed, arg.Which) and parsed.shoe is not None)
    if table.shoe is None and not elsewhere:
        raise Refused("no_shoe")
    return parsed


def is_emergency(args: arg.Args) -> bool:
    """Whether it closes the table in an emergency: whatever else stands against it, that is never refused."""
    return isinstance(args, arg.CloseTable) and args.emergency


def _needs_two(verb: str, args: dict[str, Any], two_persons: AbstractSet[str]) -> bool:
    """Whether a second person stands by it: by what it does, however it is said; in an emergency nobody."""
    if verb == "close_table" and args.get("emergency") is True:
        return False
    if verb == "burn" and args.get("reclassify") is True and "void" in two_persons:
        return True
    return VERBS[verb].two or verb in two_persons or (verb == "resolve" and args.get("remedy") in two_persons)


def _roles_beside(row: Verb, args: dict[str, Any]) -> frozenset[str]:
    """Who may stand by it: whoever may say it, and for a remedy whoever may choose that."""
    voids = row.name == "burn" and args.get("reclassify") is True
    if voids or (row.name == "resolve" and args.get("remedy") not in DEALER_REMEDIES):
        return SUPERVISORS
    return row.roles


def _second(roles: frozenset[str], actor: str, second: object) -> None:
    """A second person stands by what `actor` says: another one, who may say it too."""
    if not isinstance(second, str) or role_of(second) is None:
        raise Refused("second_needed")
    if second == actor or second.partition(":")[2] == actor.partition(":")[2]:
        raise Refused("same_person")
    if role_of(second) not in roles:
        raise Refused("not_allowed")
