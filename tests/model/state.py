"""What the model remembers: a table with its shoe, coups, cards, questions and signs."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.model.cards import FIRST, Place, Slot, count, due, value
from tests.model.config import METHODS, PROCEDURES, Config, Parts
from tests.model.house import HOUSES, House

Status = Literal["coming", "open", "parked", "result", "void", "invalid"]
Answer = Literal["disclose", "undisclosed"]
Args = dict[str, Any]
Data = dict[str, Any]


@dataclass(eq=False, repr=False)
class Card:
    """A card that left the shoe in coup `left` as its card `n`. `here`: its number in the coup it lies in."""

    face: str | None
    n: int
    left: "Coup"
    source: str
    here: int = 0
    aside: "tuple[Coup, int] | None" = None
    slot: Slot | None = None
    turned: bool = False
    open: bool = False
    """It lies face up although it has no place yet."""
    kept: bool = False
    seen: bool = False
    """It was found face up in the shoe."""
    read: bool = True
    unread: "Item | None" = None
    early: "Item | None" = None
    """The question of what it is for, drawn before the reveal."""
    suspect: "Item | None" = None
    """The question whether it is the card before, told twice."""
    question: "Item | None" = None
    answer: Answer | None = None

    @property
    def face_up(self) -> bool:
        """Whether it lies face up, in a place or without one."""
        return self.turned or self.open

    @property
    def exposed(self) -> bool:
        """Whether everybody can see its face, and a face is known."""
        return self.turned and self.face is not None


@dataclass(eq=False, repr=False)
class Item:
    """An irregularity. `coup`: the coup that it belongs to; `number`, `shoe`: what its events bear."""

    id: int
    code: str
    rule: str | None
    kind: str
    hold: bool
    remedies: tuple[str, ...]
    slot: Slot | None
    coup: "Coup | None"
    number: int | None
    shoe: int | None
    card: Card | None
    cards_since: bool = False


@dataclass(eq=False, repr=False)
class Coup:
    """A coup, from the moment that it is the coming one."""

    number: int
    shoe: int
    status: Status = "coming"
    cards: list[Card] = field(default_factory=list)
    """Its cards in the order of `here`, with a place or without one yet."""
    given: int = 0
    """The last `n` given."""
    bets_opened: bool = False
    no_bet: bool = False
    disclosed: bool = False
    """Its first card is exposed as soon as it lies there."""
    begun_as: tuple[str, Parts, str | None] | None = None
    """Rules, parts and method, once it has begun."""
    banker: int | None = None
    """Who held bank, marker or shoe when it began."""
    pressed: bool = False
    confirmed: bool = False
    window: bool = False
    """Wagers may be taken off and nothing else."""
    announced: set[str] = field(default_factory=set)
    held: bool = False
    revision: int = 0
    last: bool = False
    gone: bool = False
    """Its shoe is not on the table any more: nobody puts it right."""
    disputes: dict[int, int] = field(default_factory=dict)
    """How many stages are noted of each seat's dispute; seat 0 where none was named."""

    def at(self, slot: str) -> Card | None:
        """The card in `slot`."""
        return next((card for card in self.cards if card.slot == slot), None)

    def exposed(self) -> dict[Slot, str]:
        """Faces that everybody can see, by place."""
        return {card.slot: card.face for card in self.cards if card.slot and card.turned and card.face}

    @property
    def unplaced(self) -> list[Card]:
        """Cards without a place, in the order drawn."""
        return [card for card in self.cards if card.slot is None]

    def next_place(self, faces: dict[Slot, str] | None = None, placed: int | None = None) -> Place | None:
        """The place of a further card, None where the exposed faces leave it open (details 27).

        `faces` instead of the exposed ones; `placed`: as if only so many third cards had their place.
        """
        lying = [card.slot for card in self.cards if card.slot]
        if len(lying) < 4:
            return FIRST[len(lying)]
        known = self.exposed() if faces is None else faces
        placed_thirds = tuple(slot for slot in lying if slot in {"P3", "B3"})[:placed]
        return due(
            count(known["P1"], known["P2"]) if {"P1", "P2"} <= known.keys() else None,
            count(known["B1"], known["B2"]) if {"B1", "B2"} <= known.keys() else None,
            value(known["P3"]) if "P3" in placed_thirds and "P3" in known else None,
            placed_thirds,
        )

    def expected(self) -> Place | None:
        """As `next_place`, but open while an earlier card waits for its place."""
        return None if self.unplaced else self.next_place()

    @property
    def decided(self) -> bool:
        """Whether exposed faces show that it wants no further card."""
        return len(self.cards) >= 4 and self.expected() == "none"

    @property
    def complete(self) -> bool:
        """Whether it is decided and every face is known."""
        return self.decided and all(card.exposed for card in self.cards)


@dataclass(eq=False, repr=False)
class Burn:
    """A burn under way. `left`: cards still to come, None until the first is turned."""

    left: int | None
    faces: list[str | None] = field(default_factory=list)


@dataclass(eq=False, repr=False)
class Notice:
    """A sign on the table. `due`: when its next minute is full, None once it is ripe."""

    id: int
    what: str
    to: Any
    due: int | None
    minutes: int = 0


@dataclass(eq=False, repr=False)
class Request:
    """A method that surveillance has not seen yet."""

    method: str
    seat: int | None
    approver: str


@dataclass(eq=False, repr=False)
class Run:
    """Cards that follow each other as in a new deck."""

    last: str | None = None
    way: int = 0
    length: int = 0


@dataclass(eq=False, repr=False)
class Table:
    """A table. Times are microseconds from the start."""

    config: Config
    now: int = 0
    actor: str | None = None
    second: str | None = None
    opened: bool = False
    paused: bool = False
    stopped: bool = False
    link: str = "up"
    """`gap` where the daemon has started again and said already that cards may have gone by."""
    # the shoe
    shoe: int | None = None
    loaded: bool = False
    empty: bool = False
    last_coups: int | None = None
    """Coups that may still be dealt, once the cut card is out."""
    burning: Burn | None = None
    burns: list[list[str | None]] = field(default_factory=list)
    attested: list[tuple[str, str]] = field(default_factory=list)
    read: int = 0
    unread: int = 0
    burned: int = 0
    drawn: Counter[str] = field(default_factory=Counter)
    shown: Counter[tuple[int, int, str]] = field(default_factory=Counter)
    demonstrations: int = 0
    run: Run = field(default_factory=Run)
    # coups
    coups: dict[tuple[int, int], Coup] = field(default_factory=dict)
    """Every coup by shoe and number."""
    coup: Coup | None = None
    """The open one."""
    coming: Coup | None = None
    before: Coup | None = None
    """What cards before the first coup of the shoe are in excess of; its number is 0."""
    last: Coup | None = None
    """The coup that ended last in this shoe."""
    parked: list[Coup] = field(default_factory=list)
    watched: list[Coup] = field(default_factory=list)
    """Coups whose holds are told."""
    waiting: list[Card] = field(default_factory=list)
    """Excess cards that no coup has yet."""
    mouth: bool = False
    """The card at the shoe's mouth was found face up."""
    betting: bool = False
    began_with: Coup | None = None
    """The coup that was open when this input began."""
    settle: int | None = None
    """When the open coup has its result."""
    void_due: int | None = None
    """When the open coup is void for want of cards."""
    items: list[Item] = field(default_factory=list)
    """The open ones."""
    item_ids: int = 0
    # the house
    rules: str = ""
    method: str | None = None
    method_set: bool = False
    seat: int | None = None
    """Who holds bank, marker or shoe."""
    request: Request | None = None
    limits: dict[tuple[str, int | None], int] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)
    notice_ids: int = 0

    def __post_init__(self) -> None:
        self.rules = self.config.rules
        self.method = {"method-b": "B", "method-c": "C"}.get(self.config.procedure)

    @property
    def house(self) -> House:
        """The rules in force."""
        return HOUSES[self.rules]

    @property
    def here(self) -> int | None:
        """Number of the open coup."""
        return self.coup.number if self.coup else None

    @property
    def next(self) -> Coup:
        """The coming coup of the loaded shoe."""
        assert self.coming is not None
        return self.coming

    @property
    def current(self) -> Coup | None:
        """The open coup, else the coming one."""
        return self.coup or self.coming

    @property
    def parts(self) -> Parts:
        """How a coup that begins now is dealt, a no-bet coup apart."""
        base = PROCEDURES[self.config.procedure]
        if self.method_set and self.method and base.ends == "confirm":
            return PROCEDURES[METHODS[self.method]]
        return base

    def parts_of(self, coup: Coup) -> Parts:
        """How `coup` is dealt."""
        if coup.no_bet:
            return PROCEDURES["method-c"]
        return coup.begun_as[1] if coup.begun_as else self.parts

    def house_of(self, coup: Coup | None) -> House:
        """The rules that `coup` is played by: those in force when it began."""
        return HOUSES[self.rules_of(coup)]

    def rules_of(self, coup: Coup | None) -> str:
        """Name of those rules."""
        return coup.begun_as[0] if coup and coup.begun_as else self.rules

    def method_of(self, coup: Coup) -> str | None:
        """Method that `coup` began under; a no-bet coup is dealt by C."""
        if coup.no_bet:
            return "C"
        return coup.begun_as[2] if coup.begun_as else self.method

    @property
    def unanswered(self) -> list[Card]:
        """Excess cards of which nobody said whether they were seen."""
        return [card for card in self.waiting if card.answer is None]

    def doubted(self, card: Card) -> bool:
        """Whether nobody has said yet that `card` is one of its own."""
        return card.suspect is not None and card.suspect in self.items
