"""Events of the shoe and of the table."""

from typing import Literal

from shoe_daemon.table.events.base import AUDIENCES, STAFF, SURVEILLANCE, Event
from shoe_daemon.table.sealed import Sealed


class ShoeLoaded(Event, frozen=True, tag="shoe.loaded"):
    """A new shoe lies on the table; this event already bears its number.

    `not_attested`: what the rules ask for before, and nobody said was done. `reshuffled`: the game in play
    shuffles all cards after each coup.
    """

    audiences = AUDIENCES
    rank = 12
    internal = frozenset({"reshuffled"})
    only = dict.fromkeys(("set_id", "software", "rules_sha256", "profile_sha256", "not_attested"), STAFF)
    decks: int
    cards: int
    set_id: str | None
    software: str
    rules_sha256: str
    profile_sha256: str
    not_attested: tuple[str, ...] = ()
    reshuffled: bool = False


class BurnStarted(Event, frozen=True, tag="burn.started"):
    """The next cards are burned: `count` of them, or as many as the first one's value says (null)."""

    rank = 12
    count: int | None


class BurnCard(Event, frozen=True, tag="burn.card"):
    """A card was burned. `count`: how many this burn takes in all, known from its first card on."""

    rank = 12
    face: Sealed | None
    count: int


class ShoeBurned(Event, frozen=True, tag="shoe.burned"):
    """A burn is complete."""

    audiences = AUDIENCES
    rank = 12
    count: int


class BurnedCards(Event, frozen=True, tag="shoe.burned_cards"):
    """The faces of one burn: right after it under immediate, after `shoe.closed` under delayed."""

    audiences = (SURVEILLANCE,)
    rank = 12
    internal = frozenset({"faces", "at_close"})
    faces: tuple[Sealed | None, ...]
    at_close: bool


class ShoeCutCard(Event, frozen=True, tag="shoe.cut_card"):
    """The cut card came out. `last_coups`: how many may still be dealt, with the present or coming one."""

    audiences = AUDIENCES
    rank = 12
    last_coups: int


class ShoeEmpty(Event, frozen=True, tag="shoe.empty"):
    """No card is left in the shoe."""

    audiences = AUDIENCES
    rank = 12


class Reclassified(Event, frozen=True, tag="burn.reclassified"):
    """The cards of a coup just voided had been burned: they count as burned, not as drawn.

    `unread`: how many of them the shoe did not read.
    """

    rank = 12
    faces: tuple[Sealed | None, ...]
    unread: int


class ShoeClosed(Event, frozen=True, tag="shoe.closed"):
    """The shoe is finished. `computed`: cards that must be left by what is known; `remaining`: as counted.

    `remaining`, `reconciled`: null unless the rest was counted. Where all cards are shuffled after each coup,
    all of them must be there.
    """

    audiences = AUDIENCES
    rank = 12
    only = dict.fromkeys(
        ("cards_read", "cards_unread", "burned", "computed", "remaining", "reconciled", "discrepancies"),
        STAFF,
    )
    coups: int
    cards_read: int
    cards_unread: int
    burned: int
    remaining: int | None
    reconciled: bool | None
    discrepancies: tuple[str, ...]
    computed: int | None = None


class TableOpened(Event, frozen=True, tag="table.opened"):
    """The table is open. `reason`: `start` (a capture's opening) or `command`."""

    audiences = AUDIENCES
    rank = 13
    reason: Literal["start", "command"]


class TableClosed(Event, frozen=True, tag="table.closed"):
    """The table is closed; a card that comes now is refused as `no_shoe`."""

    audiences = AUDIENCES
    rank = 13
    reason: Literal["command", "emergency"]


class TablePaused(Event, frozen=True, tag="table.paused"):
    """No betting opens until the table is resumed; a coup under way is played to its end."""

    audiences = AUDIENCES
    rank = 13
    reason: Literal["command", "equipment", "dispute", "incident"]


class TableResumed(Event, frozen=True, tag="table.resumed"):
    """The pause is over."""

    audiences = AUDIENCES
    rank = 13
    reason: Literal["command"]
