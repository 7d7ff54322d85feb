"""Events of the house: dealing methods, the game in play, limits, notices, disputes, staff."""

from typing import Final, Literal

from shoe_daemon.game.house_rules import Passing
from shoe_daemon.game.limits import Limit
from shoe_daemon.game.methods import Method
from shoe_daemon.table.events.base import AUDIENCES, STAFF, SURVEILLANCE, Event

FROM: Final = {"before": "from"}
"""`from` is no name that a program can use."""


class MethodRequested(Event, frozen=True, tag="method.requested"):
    """A method in which a player draws the cards was approved; it waits until surveillance has seen that."""

    audiences = STAFF
    rank = 13
    to: Method
    seat: int | None
    approver: str
    inspector: str


class MethodChanged(Event, frozen=True, tag="method.changed", rename=FROM):
    """Cards are handled by another method from the next coup on (NSW-8). `seat`: marker or shoe."""

    audiences = AUDIENCES
    rank = 13
    times = frozenset({"effective_at"})
    what: Literal["method"]
    before: Method | None
    to: Method
    seat: int | None
    effective_at: int
    approver: str


class BankPassed(Event, frozen=True, tag="bank.passed", rename=FROM):
    """Bank, marker or shoe goes from one seat to another; null: to the dealer, or not yet accepted.

    `reason`: said by staff, or by `rule`: the Banker's Hand lost, the holder's wager lost or is missing, or
    it is offered anew for each coup.
    """

    audiences = STAFF
    rank = 13
    before: int | None
    to: int | None
    reason: Passing
    rule: str | None


class RulesChanged(Event, frozen=True, tag="rules.changed", rename=FROM):
    """Another game is in play from the next coup on (NSW-14.8). `reshuffled` as in `shoe.loaded`."""

    audiences = AUDIENCES
    rank = 13
    internal = frozenset({"reshuffled"})
    times = frozenset({"effective_at"})
    what: Literal["rules"]
    before: str
    to: str
    effective_at: int
    approver: str
    reshuffled: bool = False


class LimitsChanged(Event, frozen=True, tag="limits.changed", rename=FROM):
    """A limit of the table, or of one `seat` (NSW-6.4, 6.5), in minor units."""

    audiences = AUDIENCES
    rank = 13
    times = frozenset({"effective_at"})
    what: Limit
    before: int | None
    to: int
    seat: int | None
    effective_at: int
    approver: str


class NoticePosted(Event, frozen=True, tag="notice.posted", rename=FROM):
    """A sign was put on the table. `effective_at`: when what it says may be done, if the daemon stays up."""

    audiences = AUDIENCES
    rank = 13
    times = frozenset({"effective_at"})
    internal = frozenset({"left_s", "due"})
    id: int
    what: Literal["minimum", "closing", "game", "other"]
    before: int | str | None
    to: int | str | None
    rule: str | None
    effective_at: int
    approver: str
    left_s: int
    due: int | None


class NoticeCounted(Event, frozen=True, tag="notice.counted"):
    """A notice has been up a while longer: `left_s` to go, counted again at `due`."""

    rank = 13
    id: int
    left_s: int
    due: int | None


class NoticeRipe(Event, frozen=True, tag="notice.ripe"):
    """A notice has been up long enough: what it says may be done."""

    audiences = AUDIENCES
    rank = 13
    id: int
    what: Literal["minimum", "closing", "game", "other"]


class DisputeNoted(Event, frozen=True, tag="dispute.noted"):
    """A dispute, by its stage (NSW-14.12, 14.13)."""

    audiences = (SURVEILLANCE,)
    rank = 13
    what: Literal["dispute"]
    stage: Literal["raised", "game_supervisor", "casino_supervisor", "inspector"]
    decision: str | None
    seat: int | None


class Attested(Event, frozen=True, tag="shoe.attested"):
    """Staff did something with the cards before they went into the shoe (NZG-6)."""

    audiences = STAFF
    rank = 12
    what: Literal["inspection", "spread", "wash", "stack", "shuffle", "cut", "seal"]
    by: str


class Acknowledged(Event, frozen=True, tag="alarm.cleared"):
    """A person has seen a request or an alarm, or an alarm is over by itself."""

    audiences = (SURVEILLANCE,)
    rank = 13
    what: str


class AlarmOver(Event, frozen=True, tag="alarm.cleared/noticed"):
    """What `alarm.raised` told with the same words is over."""

    audiences = (SURVEILLANCE,)
    rank = 13
    code: str
    what: str
    reason: str


class SignedIn(Event, frozen=True, tag="staff.signed_in"):
    """A person took a place at the table."""

    audiences = (SURVEILLANCE,)
    rank = 13
    person: str


class SignedOut(Event, frozen=True, tag="staff.signed_out"):
    """A person left the table."""

    audiences = (SURVEILLANCE,)
    rank = 13
    person: str
