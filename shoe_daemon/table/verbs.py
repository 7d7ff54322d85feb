"""What an operator may say: each verb with its arguments and the roles that may use it.

`check` answers what depends on nobody's cards: role, arguments, table and shoe, in that order.
"""

from typing import Annotated, Any, Final

import msgspec

from shoe_daemon.game.cards import Card, Hand, Outcome, Slot, parse
from shoe_daemon.table.irregularities import ROWS
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

DEALER_REMEDIES: Final = frozenset({"reveal", "keep", "disclose", "undisclosed"})
"""Remedies that a dealer may choose by `resolve`."""

Positive = Annotated[int, msgspec.Meta(ge=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]


class Args(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Arguments of a verb; a verb without any uses this."""


class LoadShoe(Args, frozen=True):
    """`set_id`: the number of the card set, where there is one."""

    set_id: str | None = None


class BurnArgs(Args, frozen=True):
    """`count`: the next cards are burned; without it the first one's value says how many follow.

    `end`: an unfinished burn ends with the cards burned so far.
    """

    count: Positive | None = None
    end: bool = False

    def __post_init__(self) -> None:
        if self.end and self.count is not None:
            raise ValueError("give one of count and end")


class CloseShoe(Args, frozen=True):
    """`remaining`: cards left in the shoe, counted independently."""

    remaining: Count | None = None


class Reveal(Args, frozen=True):
    """Which cards are turned: all, a `hand`'s, or the one in `slot`; `cards`: how many that must be."""

    hand: Hand | None = None
    slot: Slot | None = None
    cards: Count | None = None
    all: bool = False

    def __post_init__(self) -> None:
        if (self.hand is not None) + (self.slot is not None) + self.all > 1:
            raise ValueError("give one of hand, slot and all")


class Confirm(Args, frozen=True):
    """`outcome`: the dealer's own call."""

    outcome: Outcome | None = None


class Which(Args, frozen=True):
    """A coup by its number, and the number of its shoe where that is not the present one."""

    coup: Positive | None = None
    shoe: Positive | None = None

    def __post_init__(self) -> None:
        if self.shoe is not None and self.coup is None:
            raise ValueError("shoe goes with coup")


class Name(Which, frozen=True, kw_only=True):
    """A card named by a person."""

    slot: Slot
    card: str

    def __post_init__(self) -> None:
        super().__post_init__()
        parse(self.card)

    @property
    def face(self) -> Card:
        """The card named."""
        return parse(self.card)


class Resolve(Args, frozen=True):
    """An open item, by `id` or by a `code` that only one has (`id` may be that code), and its remedy."""

    remedy: str
    id: int | str | None = None
    code: str | None = None

    def __post_init__(self) -> None:
        if (self.id is None) == (self.code is None):
            raise ValueError("give one of id and code")
        if isinstance(self.id, str) and self.id not in ROWS:
            raise ValueError("id is a number, or the code of an irregularity")


class Verb(msgspec.Struct, frozen=True):
    """One verb. `shoe`: it needs one on the table, unless an argument `shoe` names another."""

    name: str
    args: type[Args]
    roles: frozenset[str]
    help: str
    shoe: bool = True
    closed: bool = False


VERBS: Final[dict[str, Verb]] = {
    verb.name: verb
    for verb in (
        Verb("open_table", Args, SUPERVISORS, "open the table", shoe=False, closed=True),
        Verb("close_table", Args, SUPERVISORS, "close the table between coups", shoe=False),
        Verb("load_shoe", LoadShoe, SUPERVISORS, "a new shoe lies on the table", shoe=False),
        Verb("burn", BurnArgs, DEALER, "the next cards are burned"),
        Verb("cut_card", Args, DEALER, "the cut card came out"),
        Verb("close_shoe", CloseShoe, SUPERVISORS, "the shoe is finished"),
        Verb("open_betting", Args, DEALER, "bets are taken; parks a coup held for evidence"),
        Verb("no_more_bets", Args, DEALER, "no more bets"),
        Verb("reveal", Reveal, DEALER, "cards are turned; the result button; the late press"),
        Verb("confirm", Confirm, DEALER, "the coup is over; with outcome: the dealer's call"),
        Verb("identify", Name, DEALER, "name an open card that could not be read"),
        Verb("disclose", Args, DEALER, "the excess card, or the coming first card, was seen"),
        Verb("undisclosed", Args, DEALER, "nobody saw the excess card"),
        Verb("resolve", Resolve, DEALER, "choose a remedy of an open irregularity", shoe=False),
        Verb("void", Which, SUPERVISORS, "the coup is void"),
        Verb("correct", Name, SUPERVISORS, "an open card was another one"),
    )
}


def as_args(said: object) -> dict[str, Any]:
    """Arguments as they were said; what is no object keeps its place and is refused as `bad_args`."""
    return said if isinstance(said, dict) else {"": said}


def role_of(actor: str) -> str | None:
    """The role in `actor` (`role:id`), or None where it is no such text."""
    role, colon, person = actor.partition(":")
    return role if colon and person and role in ROLES else None


def check(table: Table, verb: str, actor: str, args: dict[str, Any]) -> Args:
    """The checked arguments of a command. Refused: `not_allowed`, `bad_args`, `table_closed`, `no_shoe`."""
    row = VERBS[verb]
    if role_of(actor) not in row.roles:
        raise Refused("not_allowed")
    try:
        parsed = msgspec.convert(args, row.args)
    except msgspec.ValidationError as error:
        raise Refused("bad_args") from error
    if not table.opened and not row.closed:
        raise Refused("table_closed")
    elsewhere = not row.shoe or (isinstance(parsed, Which) and parsed.shoe is not None)
    if table.shoe is None and not elsewhere:
        raise Refused("no_shoe")
    return parsed
