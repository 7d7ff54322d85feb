"""The state of a table: what its events fold to, and questions that state alone can answer."""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, Self

import msgspec
from msgspec.structs import replace

from shoe_daemon.game.cards import Card, Outcome, Slot
from shoe_daemon.game.methods import Method
from shoe_daemon.game.order import Run
from shoe_daemon.game.wagers import Bettor, Book, Proposal, Seats, Settlement
from shoe_daemon.table.irregularities import OF_ONE_CARD
from shoe_daemon.table.sealed import Sealed

KEPT_SHOES: Final = 3
"""Shoes before the present one whose coups may still be corrected or invalidated."""


class CoupCard(msgspec.Struct, frozen=True):
    """One physical card in a coup, or in excess of one.

    `serial` is unique in a journal; `face` is None where the shoe could not read the card; `card` is the
    face as the table saw it: exposed, or named by a person; `seen`: it was face up in the shoe. `left`: coup
    and number under which it left the shoe, where it was carried from there. `tag`: what tells it from every
    other card, where the device can.
    """

    serial: int
    n: int
    slot: Slot | None
    face: Sealed | None
    card: Card | None = None
    turned: bool = False
    kept: bool = False
    seen: bool = False
    source: Literal["shoe", "operator"] = "shoe"
    left: tuple[int | None, int] | None = None
    tag: str | None = None

    @property
    def down(self) -> bool:
        """Nobody has turned it."""
        return not self.turned


class Coup(msgspec.Struct, frozen=True):
    """A coup from its first card on. `opened`: a card was drawn in it, or two were carried into it.

    `disclosed`: it is a no-bet coup because its first card was seen. `method`, `seat`, `rules`: those in
    force when its first card came, where they were set; None: nobody holds it, or as the table is
    configured. `claimed`: who won by the device's own account. `reshuffled`: by those rules all cards are
    shuffled before the next coup. `book`, `settled`: its wagers and what they brought, once it has ended.
    """

    shoe: int
    number: int
    cards: tuple[CoupCard, ...] = ()
    drawn: int = 0
    opened: bool = False
    no_bet: bool = False
    disclosed: bool = False
    pressed: bool = False
    confirmed: bool = False
    claimed: Outcome | None = None
    last: bool = False
    due: int | None = None
    revision: int = 0
    ended: Literal["", "pending", "result", "void", "invalidated"] = ""
    method: Method | None = None
    seat: int | None = None
    rules: str | None = None
    reshuffled: bool = False
    book: Book | None = None
    settled: Settlement | None = None

    @property
    def key(self) -> tuple[int, int]:
        """Shoe and coup number: which coup of the journal."""
        return (self.shoe, self.number)

    def at(self, slot: Slot) -> CoupCard | None:
        """The card in `slot`, if one lies there."""
        for card in self.cards:
            if card.slot == slot:
                return card
        return None

    @property
    def known(self) -> tuple[Card, ...]:
        """The faces known, in the order drawn."""
        return tuple(card.card for card in self.cards if card.card is not None)

    def faces(self, slots: tuple[Slot, ...]) -> tuple[Card, ...]:
        """The faces known in `slots`, in that order."""
        known = {card.slot: card.card for card in self.cards}
        return tuple(face for slot in slots if (face := known.get(slot)) is not None)


class Waiting(msgspec.Struct, frozen=True):
    """An excess card that waits: was it seen? It is card `n` in excess of `coup`, or drawn after it."""

    card: CoupCard
    coup: int | None
    n: int
    answer: Literal["disclose", "undisclosed"] | None = None


class Burn(msgspec.Struct, frozen=True):
    """A burn that is not finished. `count` is None until the first card's value is known."""

    count: int | None
    faces: tuple[Sealed | None, ...] = ()


class Shoe(msgspec.Struct, frozen=True):
    """The shoe on the table and what has left it. `last_coups`: None until the cut card.

    `face_up`: the card at its mouth lies so. `run`: the last card of a coup that ended, and how many cards
    up to it follow each other as in a new deck, and which way.
    """

    number: int
    decks: int
    coups: int = 0
    read: int = 0
    unread: int = 0
    burned: int = 0
    burn: Burn | None = None
    burns: tuple[tuple[Sealed | None, ...], ...] = ()
    last_coups: int | None = None
    last_coup: int | None = None
    last_n: int = 0
    empty: bool = False
    face_up: bool = False
    run: Run = None
    demonstrations: int = 0


class Notice(msgspec.Struct, frozen=True):
    """A sign on the table. `left_s`: seconds it must still be up, counted again at `due`; 0: long enough."""

    id: int
    what: Literal["minimum", "closing", "game", "other"]
    to: int | str | None
    left_s: int
    due: int | None


class Payer(NamedTuple):
    """Who owes commission: a player by name, wherever he sits; else, with nobody named there, a seat.

    `backer`: who stands behind him, or behind the seat, and owes it himself.
    """

    player: str = ""
    seat: int = 0
    backer: str = ""

    @classmethod
    def of(cls, bettor: Bettor, player: str) -> Self:
        """Who pays for the wagers that `player` placed as `bettor`; empty where nobody was named."""
        return cls(player, 0 if player else bettor.seat, bettor.backer)


class Marked(msgspec.Struct, frozen=True):
    """Commission in minor units: written down and not taken; less than 0: the house owes it."""

    payer: Payer
    owed: int


class Limits(msgspec.Struct, frozen=True):
    """Limits in minor units, None where there is none. `seats`: minimum and maximum of a seat (NSW-6.5).

    `own`: by player, the maximum that he set himself and the week in which he did (IC-limits).
    """

    minimum: int | None = None
    maximum: int | None = None
    differential: int | None = None
    unit: int | None = None
    seats: dict[int, tuple[int | None, int | None]] = {}
    own: dict[str, tuple[int, int]] = {}


class Item(msgspec.Struct, frozen=True):
    """An open irregularity. `serials`: the cards it is about; `stale`: a card was drawn since."""

    id: int
    code: str
    rule: str | None
    kind: Literal["game", "evidence"]
    hold: bool
    remedies: tuple[str, ...]
    shoe: int | None
    coup: int | None
    slot: Slot | None = None
    serials: tuple[int, ...] = ()
    stale: bool = False

    def about(self, coup: Coup) -> bool:
        """Whether it is about `coup`: where its one card lies, else the one that it was raised for."""
        if self.code in OF_ONE_CARD:
            return any(card.serial in self.serials for card in coup.cards)
        return (self.shoe, self.coup) == coup.key


class Table(msgspec.Struct, frozen=True):
    """One baccarat table.

    `coup` is the open coup, or the coming one as soon as a card is carried into it or it is declared a no-bet
    coup. `betting`: `unopened` means that a card drawn now would be in excess. `exposed`: by shoe, how
    often each face lies open; `tags`: in the present shoe, how often each card. `past`: the ended coups of
    the present shoe; `earlier`: of the `KEPT_SHOES` shoes before. `method`, `rules`: as set by a person,
    `seat` who holds bank, marker or shoe;
    `reshuffled`: the game in play shuffles after each coup; `requested`: a method approved that waits for
    surveillance. `attested`: what was done with the cards of the coming shoe, and by whom. `disputes`:
    shoe, coup, seat (0: none named) and latest stage. `book`: the wagers on the open or coming coup,
    `last_book` the last ones of each player; `proposal`: how they may be reduced; `missed`: rounds in a
    row that a seat let pass (NSW-14.10).
    """

    opened: bool = False
    link: Literal["never", "absent", "up", "down"] = "never"
    gap_told: bool = False
    number: int | None = None
    shoe: Shoe | None = None
    betting: Literal["unopened", "open", "withdraw_only", "closed"] = "unopened"
    coup: Coup | None = None
    waiting: tuple[Waiting, ...] = ()
    parked: tuple[Coup, ...] = ()
    past: tuple[Coup, ...] = ()
    earlier: tuple[Coup, ...] = ()
    items: tuple[Item, ...] = ()
    last_item: int = 0
    serial: int = 0
    exposed: dict[int, dict[Card, int]] = {}
    tags: dict[str, int] = {}
    paused: bool = False
    method: Method | None = None
    seat: int | None = None
    requested: tuple[Method, str, int | None] | None = None
    rules: str | None = None
    reshuffled: bool = False
    limits: Limits = Limits()
    notices: tuple[Notice, ...] = ()
    last_notice: int = 0
    attested: tuple[tuple[str, str], ...] = ()
    disputes: tuple[tuple[int, int, int, str], ...] = ()
    book: Book = Book("unopened")
    last_book: Book = Book("closed")
    proposal: Proposal | None = None
    missed: dict[int, int] = {}
    seats: Seats = Seats(0)
    marked: tuple[Marked, ...] = ()

    @property
    def open_coup(self) -> Coup | None:
        """The coup being dealt, if one is."""
        return self.coup if self.coup is not None and self.coup.opened else None

    @property
    def open_number(self) -> int | None:
        """Number of the open coup, for events that are about no coup of their own."""
        return self.coup.number if self.coup is not None and self.coup.opened else None

    @property
    def coming(self) -> int:
        """Number of the coup that the next card opens."""
        if self.coup is not None:
            return self.coup.number
        return self.shoe.coups + 1 if self.shoe is not None else 1

    def coming_coup(self, shoe: Shoe) -> Coup:
        """The coup that the next card belongs to; until it has one it is dealt as is in force now."""
        coup = Coup(shoe.number, shoe.coups + 1) if self.coup is None else self.coup
        if coup.cards:
            return coup
        return replace(coup, method=self.method, seat=self.seat, rules=self.rules, reshuffled=self.reshuffled)

    def run_into(self, coup: Coup) -> Run:
        """The run of cards as in a new deck that those of `coup` may carry on."""
        return None if self.shoe is None or coup.reshuffled else self.shoe.run

    @property
    def live(self) -> Iterator[Coup]:
        """Coups that have no result yet: parked ones, then the open or coming one."""
        yield from self.parked
        if self.coup is not None:
            yield self.coup

    @property
    def in_last_coup(self) -> bool:
        """The present coup, or the coming one, is the last of this shoe."""
        return self.shoe is not None and self.shoe.last_coups == 1

    @property
    def no_more_coups(self) -> bool:
        """The last coup of this shoe has been dealt."""
        return self.shoe is not None and self.shoe.last_coups == 0

    def book_of(self, coup: Coup) -> Book | None:
        """The wagers on `coup`: those on the felt while it is the open one."""
        return self.book if coup.ended == "" else coup.book

    @property
    def seated(self) -> dict[int, str]:
        """Players by their seats."""
        return {one.number: one.player for one in self.seats.seats}

    def owes(self, who: Payer) -> int:
        """Commission marked for `who`, in minor units."""
        return next((one.owed for one in self.marked if one.payer == who), 0)

    def sitting(self, bettor: Bettor) -> Payer:
        """Who would pay for `bettor`, of those who sit there now."""
        return Payer.of(bettor, self.seated.get(bettor.seat, ""))

    def holds(self, coup: Coup) -> tuple[Item, ...]:
        """Open items that hold `coup`, oldest first."""
        if not self.items:
            return ()
        return tuple(item for item in self.items if item.hold and item.about(coup))

    def home(self, item: Item) -> Coup | None:
        """The live coup that `item` is about, if there is one."""
        return next((coup for coup in self.live if item.about(coup)), None)

    def find(self, number: int, shoe: int | None) -> Coup | None:
        """Coup `number` of shoe `shoe` (None: the present one): live, or ended in this or an earlier shoe."""
        key = (self.number if shoe is None else shoe, number)
        known = (*self.live, *self.past, *self.earlier)
        return next((coup for coup in known if coup.key == key), None)
