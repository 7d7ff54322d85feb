"""Events of betting and of single cards: drawn, dealt, placed, turned, exposed, carried."""

from typing import Literal

from shoe_daemon.game.cards import Card, Hand, Slot
from shoe_daemon.table.events.base import AUDIENCES, PUBLIC, SURVEILLANCE, Event
from shoe_daemon.table.sealed import Sealed


class BettingClosed(Event, frozen=True, tag="betting.closed"):
    """No more bets for the coming coup. `implied`: nobody said so, something else did."""

    audiences = AUDIENCES
    rank = 2
    reason: Literal["no_more_bets", "first_card", "no_bet", "table_closed", "table_paused", "shoe_closed"]
    implied: bool


class BettingWithdrawOnly(Event, frozen=True, tag="betting.withdraw_only"):
    """Wagers may be taken off and nothing else, after a misdeal was put right (NSW-13.2)."""

    audiences = AUDIENCES
    rank = 9
    reason: Literal["misdeal"]
    implied: bool


class BettingOpened(Event, frozen=True, tag="betting.opened"):
    """Bets are taken for the coming coup. `reason`: `auto` (implied) or `command`."""

    audiences = AUDIENCES
    rank = 14
    reason: Literal["auto", "command"]
    implied: bool


class CardDrawn(Event, frozen=True, tag="card.drawn"):
    """A card left the shoe. `slot` is null where undecided, under delayed also for n over 4.

    Journal only: `fate`, it joins the coup, is in excess of it, or lies aside after the last coup; `seen`, it
    was found face up in the shoe; `tag`, which physical card it is.
    """

    audiences = (SURVEILLANCE,)
    rank = 3
    internal = frozenset({"serial", "face", "fate", "seen", "tag"})
    n: int
    slot: Slot | None
    readable: bool
    source: Literal["shoe", "operator"]
    serial: int
    face: Sealed | None
    fate: Literal["coup", "excess", "aside"]
    seen: bool = False
    tag: str | None = None


class CardDealt(Event, frozen=True, tag="card.dealt"):
    """A card left the shoe; nothing else is told, at its own time."""

    audiences = (PUBLIC,)
    rank = 3
    n: int


class CardIdentified(Event, frozen=True, tag="card.identified"):
    """A person named a card's face. `was`: the face that it had until then, null where it was not known."""

    audiences = (SURVEILLANCE,)
    rank = 6
    internal = frozenset({"serial"})
    n: int
    slot: Slot
    card: Card
    actor: str
    serial: int
    was: Card | None = None


class CardAssigned(Event, frozen=True, tag="card.assigned"):
    """A card whose place was undecided when drawn has it now."""

    audiences = (SURVEILLANCE,)
    rank = 6
    internal = frozenset({"serial"})
    n: int
    slot: Slot
    serial: int


class CardTurned(Event, frozen=True, tag="card.turned"):
    """A card lies open that no face can be told of: unread, or without a place yet."""

    rank = 6
    serial: int


class CarriedTurned(CardTurned, frozen=True, tag="card.turned/carried"):
    """The same for the first card of a no-bet coup, when it is carried there."""

    rank = 11


class CardKept(Event, frozen=True, tag="card.kept"):
    """A card drawn too early lies at the shoe, face down, until the reveal judges it."""

    rank = 6
    serial: int


class CardSeen(Event, frozen=True, tag="card.seen"):
    """A card drawn already had been face up in the shoe."""

    rank = 6
    serial: int


class CardInExcess(Event, frozen=True, tag="card.in_excess"):
    """A card of the coup turns out to be none of its cards. `aside`: the last coup has no next one."""

    rank = 6
    serial: int
    aside: bool = False


class CardReadTwice(Event, frozen=True, tag="card.read_twice"):
    """Card `n` of the coup is none: the shoe told the one before it twice."""

    audiences = (PUBLIC, SURVEILLANCE)
    rank = 6
    internal = frozenset({"serial", "face"})
    n: int
    serial: int
    face: Sealed | None = None


class CardExposed(Event, frozen=True, tag="card.exposed"):
    """A face that everybody at the table can see. `source`: `shoe`, or `operator` where a person named it."""

    audiences = (PUBLIC, SURVEILLANCE)
    rank = 6
    internal = frozenset({"serial"})
    slot: Slot
    card: Card
    source: Literal["shoe", "operator"]
    serial: int


class CarriedExposed(CardExposed, frozen=True, tag="card.exposed/carried"):
    """The first card of a no-bet coup, exposed when it is carried there: told after `coup.no_bet`."""

    rank = 11


class HandAnnounced(Event, frozen=True, tag="hand.announced"):
    """A hand's points: when its first two faces are known, again when all three are."""

    audiences = (PUBLIC, SURVEILLANCE)
    rank = 6
    hand: Hand
    points: int
    natural: bool


class CardCarried(Event, frozen=True, tag="card.carried"):
    """An excess card becomes a card of the next coup (NSW-13.4). `n`: where it left the shoe."""

    audiences = (SURVEILLANCE,)
    rank = 11
    internal = frozenset({"serial", "n_there"})
    n: int
    slot: Slot | None
    to_coup: int
    disclosed: bool
    serial: int
    n_there: int
