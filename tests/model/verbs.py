"""Who may give which verb, and with which arguments (contracts 7, details 31 to 43)."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tests.model.cards import SLOTS, card_of
from tests.model.reports import CODES
from tests.model.state import Args

Check = Callable[[Any], bool]

SUPERVISORS: Final = frozenset({"game_supervisor", "casino_supervisor", "supervisor", "duty_manager"})
DEALER: Final = SUPERVISORS | {"dealer"}
REPORTERS: Final = DEALER | {"surveillance", "technician"}
EVERYBODY: Final = REPORTERS | {"inspector"}
OVERSEERS: Final = EVERYBODY - {"dealer", "game_supervisor", "technician"}


def _whole(low: int) -> Check:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= low


def _one_of(*words: str) -> Check:
    return lambda value: isinstance(value, str) and value in words


def _text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _flag(value: object) -> bool:
    return isinstance(value, bool)


def _card(value: object) -> bool:
    return card_of(value) is not None


def _hand(value: object) -> bool:
    return isinstance(value, list) and len(value) in {2, 3} and all(map(_card, value))


def _seats(value: object) -> bool:
    return isinstance(value, list) and all(map(_whole(1), value))


def _amount(value: object) -> bool:
    return value is None or _whole(1)(value)


def _card_or_none(value: object) -> bool:
    return value is None or _card(value)


class Verb(NamedTuple):
    """A verb: who may give it, its arguments (those with `!` are needed), what it needs of the table.

    `two`: a second person always stands by it.
    """

    roles: frozenset[str]
    args: Mapping[str, Check] = MappingProxyType({})
    shoe: bool = True
    closed: bool = False
    two: bool = False


_COUP: Final = {"coup": _whole(1), "shoe": _whole(1)}
_ENDS: Final = _one_of("player", "banker", "tie")
_OPEN: Final = _one_of("A", "B", "C", "D", "E")

VERBS: Final[dict[str, Verb]] = {
    "open_table": Verb(SUPERVISORS, shoe=False, closed=True),
    "close_table": Verb(SUPERVISORS, {"players": _flag, "emergency": _flag}, shoe=False),
    "pause": Verb(
        SUPERVISORS,
        {"reason": _one_of("command", "equipment", "dispute", "incident")},
        shoe=False,
    ),
    "resume": Verb(SUPERVISORS, shoe=False),
    "attest": Verb(
        DEALER,
        {"what!": _one_of("inspection", "spread", "wash", "stack", "shuffle", "cut", "seal")},
        shoe=False,
        closed=True,
    ),
    "load_shoe": Verb(SUPERVISORS, {"set_id": _text}, shoe=False),
    "burn": Verb(DEALER, {"count": _whole(1), "end": _flag, "reclassify": _flag}),
    "cut_card": Verb(DEALER),
    "shoe_empty": Verb(DEALER),
    "close_shoe": Verb(SUPERVISORS, {"remaining": _whole(0)}),
    "open_betting": Verb(DEALER),
    "no_more_bets": Verb(DEALER),
    "reveal": Verb(
        DEALER,
        {
            "hand": _one_of("player", "banker"),
            "slot": _one_of(*SLOTS),
            "cards": _whole(1),
            "all": _flag,
        },
    ),
    "confirm": Verb(DEALER, {"outcome": _ENDS}),
    "advance": Verb(DEALER),
    "enter": Verb(SUPERVISORS, {"card!": _card_or_none}),
    "enter_result": Verb(SUPERVISORS, {"outcome!": _ENDS, "player!": _hand, "banker!": _hand}),
    "identify": Verb(DEALER, {"slot!": _one_of(*SLOTS), "card!": _card, **_COUP}),
    "disclose": Verb(DEALER),
    "undisclosed": Verb(DEALER),
    "report": Verb(REPORTERS, {"code!": _one_of(*CODES), "n": _whole(1), "text": _text}),
    "resolve": Verb(DEALER, {"id": _whole(1), "code": _text, "remedy!": _text}, shoe=False),
    "void": Verb(SUPERVISORS, _COUP),
    "invalidate": Verb(
        SUPERVISORS, {**_COUP, "ground!": _one_of("disruption", "fraud"), "forfeit": _seats}, closed=True
    ),
    "correct": Verb(SUPERVISORS, {"slot!": _one_of(*SLOTS), "card!": _card, **_COUP}),
    "declare_no_bet": Verb(SUPERVISORS, {"demonstration": _flag}),
    "set_method": Verb(
        SUPERVISORS,
        {"method!": _OPEN, "seat": _whole(1), "inspector": _text},
        shoe=False,
    ),
    "bank": Verb(
        DEALER,
        {"seat!": _amount, "reason": _one_of("accepted", "passed", "ordered")},
        shoe=False,
    ),
    "wager": Verb(DEALER, {"seat!": _whole(1), "bet!": _text, "amount!": _whole(1)}),
    "withdraw": Verb(DEALER, {"seat!": _whole(1)}),
    "seat": Verb(DEALER, {"seat!": _whole(1), "act!": _text}, shoe=False, closed=True),
    "set_rules": Verb(SUPERVISORS, {"rules!": _text, "consent": _flag}, shoe=False),
    "set_limits": Verb(
        SUPERVISORS,
        {
            "minimum": _amount,
            "maximum": _amount,
            "differential": _amount,
            "unit": _amount,
            "seat": _whole(1),
        },
        shoe=False,
        closed=True,
    ),
    "notice": Verb(
        SUPERVISORS,
        {"what!": _one_of("minimum", "closing", "game", "other"), "to": lambda to: _amount(to) or _text(to)},
        shoe=False,
        closed=True,
    ),
    "dispute": Verb(
        EVERYBODY,
        {
            **_COUP,
            "stage!": _one_of("raised", "game_supervisor", "casino_supervisor", "inspector"),
            "decision": _text,
            "seat": _whole(1),
        },
        shoe=False,
        closed=True,
    ),
    "acknowledge": Verb(EVERYBODY, {"what!": _text}, shoe=False, closed=True),
    "unmask": Verb(
        OVERSEERS,
        {"what!": _one_of("listen", "journal", "export"), "reason!": _text},
        closed=True,
        two=True,
    ),
    "sign_in": Verb(EVERYBODY, shoe=False, closed=True),
    "sign_out": Verb(EVERYBODY, shoe=False, closed=True),
}


def good(verb: str, args: Args) -> bool:
    """Whether `args` are arguments of `verb`."""
    rows = VERBS[verb].args
    needed = {name[:-1] for name in rows if name.endswith("!")}
    checks = {name.removesuffix("!"): check for name, check in rows.items()}
    if not needed <= args.keys() or not args.keys() <= checks.keys():
        return False
    return all(checks[name](value) for name, value in args.items()) and _together(verb, args)


def _together(verb: str, args: Args) -> bool:  # noqa: PLR0911 - an answer for each verb
    """Whether arguments that are good alone are good together."""
    match verb:
        case "resolve":
            return ("id" in args) != ("code" in args)
        case "reveal":
            return not {"hand", "slot"} <= args.keys()
        case "burn":
            return len(args) <= 1
        case "invalidate":
            return "forfeit" not in args or args["ground"] == "fraud"
        case "set_limits":
            return "seat" not in args or not {"differential", "unit"} & args.keys()
        case "notice":
            to = args.get("to")
            wanted: Check = {
                "minimum": _whole(1),
                "game": _text,
            }.get(args["what"], lambda to: _amount(to) or _text(to))
            return wanted(to)
        case "dispute":
            return "shoe" not in args or "coup" in args
        case _:
            return True
