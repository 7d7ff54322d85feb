"""What one audience knows of a table, as plain data for JSON, and what a message must bear to change it."""

from typing import Any, Literal

import msgspec

from shoe_daemon.game.cards import Hand, Outcome, Slot

Ending = Literal["result", "void", "pending", "invalidated"]


class HandResult(msgspec.Struct, frozen=True):
    """A hand of a decided coup: its cards in the order of the deal, its points 0 to 9."""

    cards: tuple[str | None, ...]
    points: int


class Entry(msgspec.Struct, frozen=True):
    """A coup with a result, in its latest revision."""

    coup: int
    revision: int
    outcome: Outcome
    natural: bool
    player_pair: bool
    banker_pair: bool
    no_bet: bool
    last_coup: bool
    player: HandResult
    banker: HandResult


class Ended(msgspec.Struct, frozen=True):
    """The coup of the present shoe that ended last, and how."""

    coup: int
    how: Ending


class Pending(msgspec.Struct, frozen=True):
    """A parked coup: it has ended, and its result comes later."""

    shoe: int
    coup: int


class Irregularity(msgspec.Struct, frozen=True):
    """An open irregularity; `remedies` are the choices, the rule's own first."""

    id: int
    code: str
    rule: str | None
    kind: str
    slot: str | None
    hold: bool
    remedies: tuple[str, ...]
    shoe: int | None = None
    coup: int | None = None


class Notice(msgspec.Struct, frozen=True):
    """A sign on the table; `ripe`: what it says may be done."""

    id: int
    what: str
    to: int | str | None
    effective_at: str
    ripe: bool = False


class Laid(msgspec.Struct, frozen=True):
    """A wager on the felt, minor units."""

    coup: int
    seat: int
    backer: str
    bet: str
    voucher: bool
    amount: int

    @property
    def key(self) -> tuple[int, int, str, str, bool]:
        """What tells it apart."""
        return (self.coup, self.seat, self.backer, self.bet, self.voucher)


class Sat(msgspec.Struct, frozen=True):
    """A seat with its player, and what it does in the coming coup."""

    seat: int
    player: str
    state: str


class Owes(msgspec.Struct, frozen=True):
    """Commission marked for a player, in minor units."""

    seat: int
    backer: str
    player: str | None = None
    owed: int = 0

    @property
    def payer(self) -> tuple[str | None, int, str]:
        """Who owes it: a player wherever he sits, or a seat."""
        return (self.player, 0 if self.player else self.seat, self.backer)


class View(msgspec.Struct, frozen=True):
    """A table as one audience has been told.

    `coup` is the coup on the table, from its first card on, a carried one that was disclosed included;
    `cards_out` (without those `told_twice`), `exposed` and `hands` (points as announced) are that coup's.
    `no_bet` is that of this or the coming coup; `held` are those of the two that are on hold.
    `betting_coup` is the coup that `betting` is about. `last_coups` is None until the cut card, then how
    many coups may still be dealt, the open or coming one included. `history` is the present shoe's, by
    coup number. `method`, `rules` and `limits` (minor units) are None or absent until they are changed.
    `wagers` are those on the felt and of parked coups, where the table takes them; `bank`: who holds
    bank, marker or shoe; `commission`: what is marked.
    """

    audience: str
    journal: str | None = None
    table: str | None = None
    seq: int = 0
    at: str | None = None
    open: bool = False
    paused: bool = False
    shoe: int | None = None
    shoe_closed: bool = False
    decks: int | None = None
    betting: Literal["open", "withdraw_only", "closed"] = "closed"
    betting_coup: int | None = None
    coup: int | None = None
    cards_out: int = 0
    told_twice: int = 0
    exposed: dict[Slot, str] = {}
    hands: dict[Hand, int] = {}
    held: tuple[int, ...] = ()
    no_bet: bool = False
    last_coups: int | None = None
    ended: Ended | None = None
    pending: tuple[Pending, ...] = ()
    history: tuple[Entry, ...] = ()
    irregularities: tuple[Irregularity, ...] = ()
    device: str | None = None
    method: str | None = None
    rules: str | None = None
    limits: dict[str, int] = {}
    notices: tuple[Notice, ...] = ()
    wagers: tuple[Laid, ...] = ()
    seats: tuple[Sat, ...] = ()
    bank: int | None = None
    commission: tuple[Owes, ...] = ()


class Told(msgspec.Struct, frozen=True):
    """An envelope of docs/events.md, as far as the fold needs it."""

    journal: str
    table: str
    audience: str
    seq: int
    type: str
    at: str
    shoe: int | None
    coup: int | None
    data: dict[str, Any]


class LoadedTold(msgspec.Struct):
    """A new shoe."""

    decks: int


class PlaceTold(msgspec.Struct):
    """Where a card left the shoe."""

    n: int


class ExposedTold(msgspec.Struct):
    """A face that lies open."""

    slot: Slot
    card: str


class AnnouncedTold(msgspec.Struct):
    """A hand's points."""

    hand: Hand
    points: int


class CutCardTold(msgspec.Struct):
    """How many coups are left."""

    last_coups: int


class PairsTold(msgspec.Struct):
    """Pairs of the first two cards."""

    player: bool
    banker: bool


class ResultTold(msgspec.Struct):
    """The end of a coup."""

    revision: int
    outcome: Outcome
    natural: bool
    pairs: PairsTold
    no_bet: bool
    last_coup: bool
    player: HandResult
    banker: HandResult


class IdTold(msgspec.Struct):
    """What an event is about, by number."""

    id: int


class ToTold(msgspec.Struct):
    """What holds from now on."""

    to: str


class LimitTold(msgspec.Struct):
    """A limit that was changed."""

    what: str
    to: int
    seat: int | None


class LinesTold(msgspec.Struct):
    """Wagers that went back."""

    lines: tuple[dict[str, Any], ...]


class Cut(msgspec.Struct):
    """One wager lowered."""

    key: tuple[int, str, str, bool]
    after: int


class Cuts(msgspec.Struct):
    """How wagers are lowered."""

    reductions: tuple[Cut, ...]


class ReducedTold(msgspec.Struct):
    """Wagers lowered to the differential."""

    proposal: Cuts


class BankTold(msgspec.Struct):
    """Who holds bank, marker or shoe."""

    to: int | None


class LinkTold(msgspec.Struct):
    """The state of the cable."""

    state: str
