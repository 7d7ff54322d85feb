"""Events of a coup as a whole: its holds, its result, and the irregularities in it."""

from typing import Any, Literal

import msgspec

from shoe_daemon.game.cards import Card, Outcome, Slot
from shoe_daemon.game.methods import Method
from shoe_daemon.game.wagers import Amounts
from shoe_daemon.game.wagers import Settlement as Settled
from shoe_daemon.table.events.base import AUDIENCES, CAGE, STAFF, SURVEILLANCE, Event


class CoupNoBet(Event, frozen=True, tag="coup.no_bet"):
    """The coming coup is dealt without wagers (NSW-13.5, 13.6)."""

    audiences = AUDIENCES
    rank = 11
    reason: Literal["disclosed", "declared", "demonstration"]
    rule: str | None


class CoupPressed(Event, frozen=True, tag="coup.pressed"):
    """The result button was pressed: every card on the felt is open."""

    rank = 6


class CoupClaimed(Event, frozen=True, tag="coup.claimed"):
    """Who won by the device's own account; null once a person let ours stand."""

    rank = 6
    outcome: Outcome | None


class CoupConfirmed(Event, frozen=True, tag="coup.confirmed"):
    """The dealer called the coup's end, or (`stands` false) must call it again."""

    rank = 6
    stands: bool


class CoupSettling(Event, frozen=True, tag="coup.settling"):
    """The timer to the result: `due` in microseconds since 1970, null when it is stopped."""

    rank = 9
    due: int | None


class CarriedSettling(CoupSettling, frozen=True, tag="coup.settling/carried"):
    """The same for a coup that began with carried cards: it cannot be dealt to its end."""

    rank = 11


class CoupHeld(Event, frozen=True, tag="coup.held"):
    """The coup has no result while a person is asked; why is told to staff only."""

    audiences = AUDIENCES
    rank = 5


class CoupReleased(Event, frozen=True, tag="coup.released"):
    """Nothing holds the coup any more."""

    audiences = AUDIENCES
    rank = 8


class CoupPending(Event, frozen=True, tag="coup.pending"):
    """The held coup is parked; dealing goes on, its result comes later."""

    audiences = AUDIENCES
    rank = 9


class Handed(msgspec.Struct, frozen=True):
    """A hand as it ended."""

    cards: tuple[Card, ...]
    points: int


class Pairs(msgspec.Struct, frozen=True):
    """Whether the first two cards of each hand are of one rank."""

    player: bool
    banker: bool


class RulesNamed(msgspec.Struct, frozen=True):
    """The rule profile that decided, and the SHA-256 of its file."""

    name: str
    sha256: str


class CoupResult(Event, frozen=True, tag="coup.result"):
    """How a coup ended; a further revision corrects an earlier one."""

    audiences = AUDIENCES
    rank = 10
    revision: int
    outcome: Outcome
    player: Handed
    banker: Handed
    natural: bool
    pairs: Pairs
    no_bet: bool
    method: Method | None
    last_coup: bool
    bets: dict[str, str]
    rules: RulesNamed
    rule_ids: tuple[str, ...]
    corrects: int | None
    cause: str | None


class Settlement(Event, frozen=True, tag="settlement"):
    """What winning bets are paid, as odds; losing bets are absent, a push is `0`.

    `stakes`: what became of each wager, where the table takes them; of a further revision what it changes.

    `return`: all wagers go back but those of the seats in `forfeit` (NSW-14.5).
    """

    audiences = (CAGE,)
    rank = 10
    internal = frozenset({"settled"})
    revision: int
    kind: Literal["pay", "none", "adjust", "return"]
    pays: dict[str, str]
    stakes: tuple[dict[str, Any], ...] | None = None
    totals: Amounts | None = None
    settled: Settled | None = None
    forfeit: tuple[int, ...] = ()


class CoupInvalidated(Event, frozen=True, tag="coup.invalidated"):
    """A result no longer counts (NSW-14.4); wagers on it are refunded or forfeited (NSW-14.5)."""

    audiences = AUDIENCES
    rank = 10
    ground: Literal["disruption", "fraud"]
    rule: str | None
    revision: int


class CoupVoid(Event, frozen=True, tag="coup.void"):
    """The coup is invalid and has no result (NSW-1)."""

    audiences = AUDIENCES
    rank = 10
    reason: str
    rule: str | None


class VoidCard(msgspec.Struct, frozen=True):
    """A card of a void coup; `card` null where it was never known."""

    n: int
    slot: Slot | None
    card: Card | None


class CoupCards(Event, frozen=True, tag="coup.cards"):
    """The faces of a void coup."""

    audiences = (SURVEILLANCE,)
    rank = 10
    cards: tuple[VoidCard, ...]


class IrregularityRaised(Event, frozen=True, tag="irregularity.raised"):
    """Something that the rules or the evidence must settle. No remedies: it is closed as it is raised.

    `text`: the words of who reported it.
    """

    audiences = STAFF
    rank = 4
    internal = frozenset({"serials"})
    id: int
    code: str
    rule: str | None
    kind: Literal["game", "evidence"]
    slot: Slot | None
    hold: bool
    remedies: tuple[str, ...]
    serials: tuple[int, ...] = ()
    text: str | None = None


class IrregularityJoined(Event, frozen=True, tag="irregularity.joined"):
    """A further card is about the same open item."""

    rank = 4
    id: int
    serial: int


class IrregularityResolved(Event, frozen=True, tag="irregularity.resolved"):
    """A remedy was chosen; `actor` null where no person chose it. `late`: the press came late."""

    audiences = STAFF
    rank = 7
    id: int
    code: str
    remedy: str
    actor: str | None
    late: bool = False
