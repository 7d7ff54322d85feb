"""Every event of a table, in one registry: its type, its audiences, its data, its place in the order.

Visibility is a property of the event type: being drawn, being dealt and being exposed are different events.
`docs/events.md` is generated from this module. Fields in `internal` never leave the journal; `only` names
the audiences that get a field which others of the same event do not get. `rank` is the place of the event
among those of one input (contracts-details 8).
"""

from typing import ClassVar, Final, Literal

import msgspec

from shoe_daemon.game.cards import Card, Hand, Outcome, Slot
from shoe_daemon.table.sealed import Sealed

PUBLIC: Final = "public"
SURVEILLANCE: Final = "surveillance"
CAGE: Final = "cage"
AUDIENCES: Final = (PUBLIC, SURVEILLANCE, CAGE)
STAFF: Final = (SURVEILLANCE, CAGE)


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Something that became true. `shoe`, `coup`: what it is about; null as contracts-details 5 says."""

    audiences: ClassVar[tuple[str, ...]] = ()
    rank: ClassVar[int] = 0
    internal: ClassVar[frozenset[str]] = frozenset()
    only: ClassVar[dict[str, tuple[str, ...]]] = {}

    shoe: int | None = None
    coup: int | None = None


# -- refusals, the process, the device ------------------------------------------------------------------


class CommandRefused(Event, tag="command.refused"):
    """A command was not carried out; the journal keeps it all the same."""

    audiences = (SURVEILLANCE,)
    rank = 0
    verb: str
    actor: str
    reason: str


class ServiceStarted(Event, tag="service.started"):
    """The daemon runs. `reason`: `new_journal` (history begins here) or `restart`."""

    audiences = (SURVEILLANCE,)
    rank = 1
    reason: str
    software: str


class ServiceStopped(Event, tag="service.stopped"):
    """The daemon stops in good order. `reason`: `stop`."""

    audiences = (SURVEILLANCE,)
    rank = 1
    reason: str


class DeviceLink(Event, tag="device.link"):
    """The cable to the shoe: `up`, `down`, or `gap` (cards may have passed unseen before `up`)."""

    audiences = (SURVEILLANCE,)
    rank = 1
    internal = frozenset({"restart"})
    state: Literal["up", "down", "gap"]
    reason: str | None
    restart: bool = False


class DeviceAlarm(Event, tag="device.alarm"):
    """The device's own alarm or warning. `raw`: the frame in hex, null under delayed while a shoe is open."""

    audiences = (SURVEILLANCE,)
    rank = 1
    internal = frozenset({"shoe_open"})
    code: str | None
    text: str
    raw: bytes
    shoe_open: bool


class FrameRejected(Event, tag="frame.rejected"):
    """Bytes that made no frame of the profile, or a card where none can be. `raw` as in `device.alarm`."""

    audiences = (SURVEILLANCE,)
    rank = 1
    internal = frozenset({"shoe_open"})
    reason: Literal["unmatched", "unknown_code", "partial", "too_long", "no_shoe"]
    raw: bytes
    shoe_open: bool


# -- betting --------------------------------------------------------------------------------------------


class BettingClosed(Event, tag="betting.closed"):
    """No more bets for the coming coup. `implied`: nobody said so, something else did."""

    audiences = AUDIENCES
    rank = 2
    reason: Literal["no_more_bets", "first_card", "no_bet", "table_closed", "shoe_closed"]
    implied: bool


class BettingOpened(Event, tag="betting.opened"):
    """Bets are taken for the coming coup. `reason`: `auto` (implied) or `command`."""

    audiences = AUDIENCES
    rank = 14
    reason: Literal["auto", "command"]
    implied: bool


# -- cards ----------------------------------------------------------------------------------------------


class CardDrawn(Event, tag="card.drawn"):
    """A card left the shoe. `slot` is null where undecided, under delayed also for n over 4.

    `fate` (journal only): it joins the coup, is in excess of it, or lies aside after the last coup.
    """

    audiences = (SURVEILLANCE,)
    rank = 3
    internal = frozenset({"serial", "face", "fate"})
    n: int
    slot: Slot | None
    readable: bool
    source: Literal["shoe", "operator"]
    serial: int
    face: Sealed | None
    fate: Literal["coup", "excess", "aside"]


class CardDealt(Event, tag="card.dealt"):
    """A card left the shoe; nothing else is told, at its own time."""

    audiences = (PUBLIC,)
    rank = 3
    n: int


class CardIdentified(Event, tag="card.identified"):
    """A person named a card's face."""

    audiences = (SURVEILLANCE,)
    rank = 6
    internal = frozenset({"serial"})
    n: int
    slot: Slot
    card: Card
    actor: str
    serial: int


class CardAssigned(Event, tag="card.assigned"):
    """A card whose place was undecided when drawn has it now."""

    audiences = (SURVEILLANCE,)
    rank = 6
    internal = frozenset({"serial"})
    n: int
    slot: Slot
    serial: int


class CardTurned(Event, tag="card.turned"):
    """A card lies open that no face can be told of: unread, or without a place yet."""

    rank = 6
    serial: int


class CarriedTurned(CardTurned, tag="card.turned/carried"):
    """The same for the first card of a no-bet coup, when it is carried there."""

    rank = 11


class CardKept(Event, tag="card.kept"):
    """A card drawn too early lies at the shoe, face down, until the reveal judges it."""

    rank = 6
    serial: int


class CardInExcess(Event, tag="card.in_excess"):
    """A card of the coup turns out to be none of its cards. `aside`: the last coup has no next one."""

    rank = 6
    serial: int
    aside: bool = False


class CardExposed(Event, tag="card.exposed"):
    """A face that everybody at the table can see. `source`: `shoe`, or `operator` where a person named it."""

    audiences = (PUBLIC, SURVEILLANCE)
    rank = 6
    internal = frozenset({"serial"})
    slot: Slot
    card: Card
    source: Literal["shoe", "operator"]
    serial: int


class CarriedExposed(CardExposed, tag="card.exposed/carried"):
    """The first card of a no-bet coup, exposed when it is carried there: told after `coup.no_bet`."""

    rank = 11


class HandAnnounced(Event, tag="hand.announced"):
    """A hand's points: when its first two faces are known, again when all three are."""

    audiences = (PUBLIC, SURVEILLANCE)
    rank = 6
    hand: Hand
    points: int
    natural: bool


class CardCarried(Event, tag="card.carried"):
    """An excess card becomes a card of the next coup (NSW-13.4). `n`: where it left the shoe."""

    audiences = (SURVEILLANCE,)
    rank = 11
    internal = frozenset({"serial", "n_there"})
    n: int | None
    slot: Slot | None
    to_coup: int
    disclosed: bool
    serial: int
    n_there: int


# -- the coup -------------------------------------------------------------------------------------------


class CoupNoBet(Event, tag="coup.no_bet"):
    """The coming coup is dealt without wagers (NSW-13.5, 13.6)."""

    audiences = AUDIENCES
    rank = 11
    reason: Literal["disclosed"]
    rule: str | None


class CoupPressed(Event, tag="coup.pressed"):
    """The result button was pressed: every card on the felt is open."""

    rank = 6


class CoupConfirmed(Event, tag="coup.confirmed"):
    """The dealer called the coup's end, or (`stands` false) must call it again."""

    rank = 6
    stands: bool


class CoupSettling(Event, tag="coup.settling"):
    """The timer to the result: `due` in microseconds since 1970, null when it is stopped."""

    rank = 9
    due: int | None


class CoupHeld(Event, tag="coup.held"):
    """The coup has no result while a person is asked; why is told to staff only."""

    audiences = AUDIENCES
    rank = 5


class CoupReleased(Event, tag="coup.released"):
    """Nothing holds the coup any more."""

    audiences = AUDIENCES
    rank = 8


class CoupPending(Event, tag="coup.pending"):
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


class CoupResult(Event, tag="coup.result"):
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
    method: Literal["B", "C"] | None
    last_coup: bool
    bets: dict[str, str]
    rules: RulesNamed
    rule_ids: tuple[str, ...]
    corrects: int | None
    cause: str | None


class Settlement(Event, tag="settlement"):
    """What winning bets are paid, as odds; losing bets are absent, a push is `0`."""

    audiences = (CAGE,)
    rank = 10
    revision: int
    kind: Literal["pay", "none", "adjust"]
    pays: dict[str, str]
    stakes: None = None


class CoupVoid(Event, tag="coup.void"):
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


class CoupCards(Event, tag="coup.cards"):
    """The faces of a void coup."""

    audiences = (SURVEILLANCE,)
    rank = 10
    cards: tuple[VoidCard, ...]


# -- irregularities -------------------------------------------------------------------------------------


class IrregularityRaised(Event, tag="irregularity.raised"):
    """Something that the rules or the evidence must settle. No remedies: it is closed as it is raised."""

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


class IrregularityJoined(Event, tag="irregularity.joined"):
    """A further card is about the same open item."""

    rank = 4
    id: int
    serial: int


class IrregularityResolved(Event, tag="irregularity.resolved"):
    """A remedy was chosen; `actor` null where no person chose it. `late`: the press came late."""

    audiences = STAFF
    rank = 7
    id: int
    code: str
    remedy: str
    actor: str | None
    late: bool = False


# -- the shoe and the table -----------------------------------------------------------------------------


class ShoeLoaded(Event, tag="shoe.loaded"):
    """A new shoe lies on the table; this event already bears its number."""

    audiences = AUDIENCES
    rank = 12
    only = {  # noqa: RUF012 - a constant of the class
        name: STAFF for name in ("set_id", "software", "rules_sha256", "profile_sha256")
    }
    decks: int
    cards: int
    set_id: str | None
    software: str
    rules_sha256: str
    profile_sha256: str


class BurnStarted(Event, tag="burn.started"):
    """The next cards are burned: `count` of them, or as many as the first one's value says (null)."""

    rank = 12
    count: int | None


class BurnCard(Event, tag="burn.card"):
    """A card was burned. `count`: how many this burn takes in all, known from its first card on."""

    rank = 12
    face: Sealed | None
    count: int


class ShoeBurned(Event, tag="shoe.burned"):
    """A burn is complete."""

    audiences = AUDIENCES
    rank = 12
    count: int


class BurnedCards(Event, tag="shoe.burned_cards"):
    """The faces of one burn: right after it under immediate, after `shoe.closed` under delayed."""

    audiences = (SURVEILLANCE,)
    rank = 12
    internal = frozenset({"faces", "at_close"})
    faces: tuple[Sealed | None, ...]
    at_close: bool


class ShoeCutCard(Event, tag="shoe.cut_card"):
    """The cut card came out. `last_coups`: how many may still be dealt, the present or coming one included."""

    audiences = AUDIENCES
    rank = 12
    last_coups: int


class ShoeClosed(Event, tag="shoe.closed"):
    """The shoe is finished. `remaining`, `reconciled`: null unless the rest was counted."""

    audiences = AUDIENCES
    rank = 12
    only = {  # noqa: RUF012 - a constant of the class
        name: STAFF
        for name in ("cards_read", "cards_unread", "burned", "remaining", "reconciled", "discrepancies")
    }
    coups: int
    cards_read: int
    cards_unread: int
    burned: int
    remaining: int | None
    reconciled: bool | None
    discrepancies: tuple[str, ...]


class TableOpened(Event, tag="table.opened"):
    """The table is open. `reason`: `start` (a capture's opening) or `command`."""

    audiences = AUDIENCES
    rank = 13
    reason: Literal["start", "command"]


class TableClosed(Event, tag="table.closed"):
    """The table is closed; a card that comes now is refused as `no_shoe`."""

    audiences = AUDIENCES
    rank = 13
    reason: Literal["command"]


class AlarmRaised(Event, tag="alarm.raised"):
    """Something is wrong, never which face. Under immediate: a face was drawn more often than there are decks."""

    audiences = (SURVEILLANCE,)
    rank = 3
    code: str
    n: int


def _kinds(base: type[Event]) -> dict[str, type[Event]]:
    kinds: dict[str, type[Event]] = {}
    for kind in base.__subclasses__():
        kinds[str(kind.__struct_config__.tag)] = kind
        kinds |= _kinds(kind)
    return kinds


REGISTRY: Final = _kinds(Event)
"""Every kind of event by its tag in the journal."""

TYPE: Final = {kind: tag.partition("/")[0] for tag, kind in REGISTRY.items()}
"""The type that the outside sees."""
