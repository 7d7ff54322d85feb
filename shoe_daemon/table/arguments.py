"""The arguments of each verb, checked for form alone."""

from typing import Annotated, Any, Final, Literal

import msgspec

from shoe_daemon.game.cards import Card, Hand, Outcome, Slot, parse
from shoe_daemon.table.irregularities import ROWS

MOST: Final = 10**12
"""The highest number that means anything: sums of money paid at any odds stay far within 64 bits."""

Positive = Annotated[int, msgspec.Meta(ge=1, le=MOST)]
Count = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class Args(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Arguments of a verb; a verb without any uses this."""


class LoadShoe(Args, frozen=True):
    """`set_id`: the number of the card set, where there is one."""

    set_id: str | None = None


class BurnArgs(Args, frozen=True):
    """`count`: the next cards are burned; without it the first one's value says how many follow.

    `end`: an unfinished burn ends with the cards burned so far. `reclassify`: the cards taken for those
    of the open coup were burned.
    """

    count: Positive | None = None
    end: bool = False
    reclassify: bool = False

    def __post_init__(self) -> None:
        if self.end + self.reclassify + (self.count is not None) > 1:
            raise ValueError("give one of count, end and reclassify")


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


class Report(Args, frozen=True):
    """Something that a machine cannot see. `n`: the card of the coup it is about, in the order drawn."""

    code: str
    n: Positive | None = None
    text: Text | None = None

    def __post_init__(self) -> None:
        if self.code not in ROWS or not ROWS[self.code].reported:
            known = ", ".join(row.code for row in ROWS.values() if row.reported)
            raise ValueError(f"code is one of {known}")


class Pause(Args, frozen=True):
    """Why the table pauses."""

    reason: Literal["command", "equipment", "dispute", "incident"] = "command"


class CloseTable(Args, frozen=True):
    """`players`: some are present, so that a notice is due (NSW-14.9).

    `emergency`: never refused to a supervisor.
    """

    players: bool = False
    emergency: bool = False


class Enter(Args, frozen=True):
    """The next card, named by a person; null where nobody could read it."""

    card: str | None

    def __post_init__(self) -> None:
        if self.card is not None:
            parse(self.card)

    @property
    def face(self) -> Card | None:
        """The card named."""
        return None if self.card is None else parse(self.card)


class EnterResult(Args, frozen=True):
    """A whole coup that was dealt by hand: the cards of both hands in the order dealt, and the call."""

    outcome: Outcome
    player: tuple[str, ...]
    banker: tuple[str, ...]

    def __post_init__(self) -> None:
        for card in (*self.player, *self.banker):
            parse(card)


class Invalidate(Which, frozen=True, kw_only=True):
    """Whose result, and why (NSW-14.4). `forfeit`: seats whose wagers are not refunded (NSW-14.5)."""

    ground: Literal["disruption", "fraud"]
    forfeit: tuple[Positive, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.forfeit and self.ground != "fraud":
            raise ValueError("forfeit goes with fraud")


class SetMethod(Args, frozen=True):
    """The dealing method from the next coup on. `seat`: who holds the marker or the shoe.

    `inspector`: who was informed, for a method in which a player draws the cards (NSW-8.2).
    """

    method: Literal["A", "B", "C", "D", "E"]
    seat: Positive | None = None
    inspector: Text | None = None


class Notice(Args, frozen=True):
    """A sign put on the table. `to`: what will hold: an amount for `minimum`, rules for `game`."""

    what: Literal["minimum", "closing", "game", "other"]
    to: Positive | Text | None = None

    def __post_init__(self) -> None:
        wanted = {"minimum": int, "game": str}.get(self.what)
        if wanted is not None and not isinstance(self.to, wanted):
            raise ValueError(f"{self.what} needs to: what will hold")


class SetRules(Args, frozen=True):
    """The game in play, by the name of its rules. `consent`: all players agreed (NSW-14.8)."""

    rules: str
    consent: bool = False


class SetLimits(Args, frozen=True):
    """Limits of the table, or of one `seat`, in minor units; what is absent stays."""

    minimum: Positive | None = None
    maximum: Positive | None = None
    differential: Positive | None = None
    unit: Positive | None = None
    seat: Positive | None = None

    def __post_init__(self) -> None:
        if self.seat is not None and (self.differential or self.unit):
            raise ValueError("a seat has a minimum and a maximum of its own, nothing else")


class NoBet(Args, frozen=True):
    """`demonstration`: one of the coups that the rules allow to show the game."""

    demonstration: bool = False


class Bank(Args, frozen=True):
    """Who holds the bank, the marker or the shoe from now on; null: nobody, the dealer keeps it.

    `reason`: accepted when offered (a seat's, if none is given), passed by the holder (nobody's), or ordered
    by a supervisor.
    """

    seat: Positive | None
    reason: Literal["accepted", "passed", "ordered"] | None = None


class Attest(Args, frozen=True):
    """What staff did with the cards before they went into the shoe."""

    what: Literal["inspection", "spread", "wash", "stack", "shuffle", "cut", "seal"]


class Dispute(Which, frozen=True, kw_only=True):
    """A dispute about a coup by its stage (NSW-14.12, 14.13). `decision`: what was decided at it."""

    stage: Literal["raised", "game_supervisor", "casino_supervisor", "inspector"]
    decision: Text | None = None
    seat: Positive | None = None


class Acknowledge(Args, frozen=True):
    """What is acknowledged: a request for a dealing method, or an alarm by its code."""

    what: Text


class Unmask(Args, frozen=True):
    """Where faces that still lie hidden are to be shown, and why."""

    what: Literal["listen", "journal", "export"]
    reason: Text


class Bet(Args, frozen=True, kw_only=True):
    """A wager of a seat, in minor units: all that lies there on that bet. `voucher`: a promotional one.

    `backer`: who stands behind the seat and wagers there. `late`: it lay there unrefused when the first card
    came (NSW-6.3).
    """

    seat: Positive
    bet: Text
    amount: Positive
    voucher: bool = False
    backer: Annotated[str, msgspec.Meta(max_length=64)] = ""
    late: bool = False


class Withdraw(Args, frozen=True):
    """A wager taken off; without `bet` all of the player's.

    `void`: a supervisor declares it void, also once betting is closed (NSW-14.3.1).
    """

    seat: Positive
    bet: Text | None = None
    backer: Annotated[str, msgspec.Meta(max_length=64)] = ""
    void: bool = False


class SeatAct(Args, frozen=True):
    """What a seat does: join (`player`), leave, move (`to`), pass or deal, repeat its wagers, say (`text`).

    limit: the player's own maximum, `amount` in minor units (IC-limits). settle: the commission marked for
    the player there, named by `player` or the `backer` behind, was paid.

    `from_pit`: the pit speaks to the seat. `to`: the seat moved to or spoken to; absent: the pit.
    """

    seat: Positive
    act: Literal["join", "leave", "move", "deal", "pass", "repeat", "limit", "settle", "say"]
    player: Text | None = None
    to: Positive | None = None
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=500)] | None = None
    from_pit: bool = False
    amount: Positive | None = None
    backer: Annotated[str, msgspec.Meta(max_length=64)] = ""


def as_args(said: object) -> dict[str, Any]:
    """Arguments as they were said; what is no object keeps its place and is refused as `bad_args`."""
    return said if isinstance(said, dict) else {"": said}
