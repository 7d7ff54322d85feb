"""Events of wagers and seats, where the table takes wagers over its control channel."""

from typing import Any, Literal

from shoe_daemon.game.wagers import Amounts, Proposal, Seats
from shoe_daemon.table.events.base import AUDIENCES, CAGE, STAFF, SURVEILLANCE, Event

ReturnReason = Literal["void", "no_bet", "sat_out", "betting_closed", "declared_void"]

_SEATS = frozenset({"seats"})


class WagerPlaced(Event, frozen=True, tag="wager.placed"):
    """A wager lies on the felt: `amount` is all of it. `raised`: added to the minimum; `void`: NZG-5.4.

    Journal only: `player`, who sat there; he owes a commission that is marked.
    """

    audiences = (CAGE,)
    rank = 14
    internal = frozenset({"player"})
    seat: int
    backer: str
    bet: str
    amount: int
    voucher: bool
    raised: int
    void: int
    late: bool
    player: str = ""


class WagerWithdrawn(Event, frozen=True, tag="wager.withdrawn"):
    """A wager was taken off."""

    audiences = (CAGE,)
    rank = 9
    seat: int
    backer: str
    bet: str
    amount: int
    voucher: bool


class WagersReturned(Event, frozen=True, tag="wagers.returned"):
    """Wagers go back without a settlement: a void or no-bet coup, seats that sat out, betting called off.

    `declared_void`: a supervisor declared them void (NSW-14.3.1).

    `ours` (journal only): they lay on the felt, and are not those of a coup that was parked.
    """

    audiences = (CAGE,)
    rank = 9
    internal = frozenset({"ours"})
    reason: ReturnReason
    lines: tuple[dict[str, Any], ...]
    totals: Amounts
    ours: bool


class CommissionMarked(Event, frozen=True, tag="commission.marked"):
    """A commission was written down and not taken; `owed` is all that the player owes since, in minor units.

    `player`: who sat there, null where nobody was named.

    A further revision takes back what it changes: `amount` is of any sign.
    """

    audiences = (CAGE,)
    rank = 10
    seat: int
    backer: str
    player: str | None
    amount: int
    owed: int


class CommissionSettled(Event, frozen=True, tag="commission.settled"):
    """The player paid the commission that was marked; of a negative `amount` the house paid it back."""

    audiences = (CAGE,)
    rank = 14
    seat: int
    backer: str
    player: str | None
    amount: int


class WagersDeclaredVoid(Event, frozen=True, tag="wagers.declared_void"):
    """A supervisor declared wagers of a seat void (NSW-14.3.1); the cage is told which go back."""

    audiences = (SURVEILLANCE,)
    rank = 9
    seat: int
    backer: str
    bet: str | None


class DifferentialProposed(Event, frozen=True, tag="differential.proposed"):
    """Wagers exceed the differential: a person may reduce them so (NSW-6.2)."""

    audiences = STAFF
    rank = 9
    proposal: Proposal


class DifferentialApplied(Event, frozen=True, tag="differential.applied"):
    """The wagers were reduced as proposed."""

    audiences = STAFF
    rank = 14
    proposal: Proposal


class SeatChanged(Event, frozen=True, tag="seat.changed"):
    """A seat was taken, left or moved, passed, deals, or was too late (IC-window)."""

    audiences = STAFF
    rank = 14
    internal = _SEATS
    seat: int
    player: str
    state: Literal["waiting", "asked", "deal", "pass", "excluded", "left"]
    seats: Seats


class SeatLimit(Event, frozen=True, tag="seat.limit"):
    """A player set himself a maximum, in minor units."""

    audiences = STAFF
    rank = 14
    internal = frozenset({"week"})
    seat: int
    player: str
    maximum: int
    week: int


class SeatIdle(Event, frozen=True, tag="seat.idle"):
    """Rounds passed without a wager of seats whose players may be asked to leave them (NSW-14.10)."""

    audiences = STAFF
    rank = 14
    seats: tuple[int, ...]


class SeatsCounted(Event, frozen=True, tag="seats.counted"):
    """How many rounds in a row each seat let pass."""

    rank = 13
    missed: dict[int, int]


class SeatsAsked(Event, frozen=True, tag="seats.asked"):
    """Every seat may pass or deal until `until`."""

    audiences = AUDIENCES
    rank = 14
    times = frozenset({"until"})
    internal = _SEATS
    until: int
    seats: Seats


class SeatsTimed(Event, frozen=True, tag="seats.timed"):
    """The window to pass or deal is over."""

    rank = 14
    seats: Seats


class SeatsReady(Event, frozen=True, tag="seats.ready"):
    """Every seat has answered or is out: the deal may start. `dealt_in`: the seats that play."""

    audiences = AUDIENCES
    rank = 14
    dealt_in: tuple[int, ...]


class SeatMessage(Event, frozen=True, tag="seat.message"):
    """Words between seats and pit; `sender`, `to`: a seat, null the pit. No rule reads them."""

    audiences = STAFF
    rank = 14
    sender: int | None
    to: int | None
    text: str
