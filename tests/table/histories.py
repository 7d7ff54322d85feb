"""Random histories of a table: mostly what a table does, often what it should not, sometimes nonsense."""

import random
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from shoe_daemon.game.cards import DECK, Card, Outcome, Slot
from shoe_daemon.game.profile import parse_rules
from shoe_daemon.game.side_bets_file import parse_bets
from shoe_daemon.game.wagers import BetLimits, Sign
from shoe_daemon.runtime.resources import bets_file, names, rules_file
from shoe_daemon.table import inputs as inp
from shoe_daemon.table.decide import decide, fold, implied, next_due
from shoe_daemon.table.events import Event
from shoe_daemon.table.irregularities import ROWS
from shoe_daemon.table.places import expected_next
from shoe_daemon.table.procedure import PROCEDURES
from shoe_daemon.table.sealed import Sealed
from shoe_daemon.table.setup import Setup
from shoe_daemon.table.state import Coup, Table
from shoe_daemon.table.verbs import ROLES, VERBS

RULES = {name: parse_rules(*rules_file(name)) for name in names("rules")}
SLOTS: tuple[Slot, ...] = ("P1", "B1", "P2", "B2", "P3", "B3")
SECOND = 1_000_000
BETS = parse_bets(*bets_file("standard")).offered(["player-pair", "dragon-7", "tiger-tie"])
SIGN = Sign(
    chip=5,
    limits={"player": BetLimits(minimum=10, maximum=1000), "banker": BetLimits(minimum=10, maximum=1000)},
    differential=300,
)


def some_setup(rng: random.Random) -> Setup:
    """Any rules and procedure, with parts set alone now and then; small shoes so that faces repeat."""
    procedure = PROCEDURES[rng.choice(list(PROCEDURES))]
    if rng.random() < 0.3:
        procedure = replace(procedure, settle_s=rng.choice([0.0, 2.0]))
    if rng.random() < 0.3:
        procedure = replace(procedure, betting_opens="command")
    return Setup(
        table="T",
        rules=RULES[rng.choice(list(RULES))],
        procedure=procedure,
        decks=rng.choice([1, 1, 2, 8]),
        software="test",
        profile_sha256="0" * 64,
        hidden="delayed",
        others=(RULES["nsw-even-money"], RULES["nsw"]) if rng.random() < 0.5 else (),
        side_bets=BETS if rng.random() < 0.5 else {},
        sign=SIGN if rng.random() < 0.6 else None,
        two_persons=frozenset({"void"}) if rng.random() < 0.1 else frozenset(),
        main_floor=rng.random() < 0.3,
        attest=rng.choice(["recorded", "recorded", "required"]),
    )


class Walk:
    """A history being made: each input is chosen by what everybody at the table can see."""

    def __init__(self, rng: random.Random, setup: Setup) -> None:
        self.rng = rng
        self.setup = setup
        self.table = Table()
        self.at = 0
        self.inputs: list[inp.AnyInput] = []
        self.events: list[tuple[inp.AnyInput, tuple[Event, ...]]] = []
        self.high = rng.random() < 0.3

    def take(self, what: inp.AnyInput) -> tuple[Event, ...]:
        """Let `what` happen."""
        self.inputs.append(what)
        told: tuple[Event, ...] = ()
        for step in (implied(self.table, what, self.setup), what):
            if step is not None:
                events = decide(self.table, step, self.setup)
                self.table = fold(self.table, events)
                self.events.append((step, events))
                told += events
        return told

    def grow(self, length: int) -> None:
        """Open the table and let `length` things happen."""
        for part in ("table", "shoe", "betting"):
            self.take(inp.Start(0, part))
        for _ in range(length):
            self.at += self.rng.choice([0, SECOND // 10, SECOND, 3 * SECOND])
            if self.table.notices and self.rng.random() < 0.1:
                self.at += self.rng.choice([30, 300, 1300]) * SECOND
            while (due := next_due(self.table)) is not None and due <= self.at:
                self.take(inp.TimePassed(due))
            self.take(self.choose())

    def face(self) -> Sealed:
        """A card's face; in some walks tens against nines, so that naturals and draws mix."""
        if self.high:
            return Sealed(self.rng.choice([c for c in DECK if c[:-1] in {"10", "K", "9", "8", "A", "6"}]))
        return Sealed(self.rng.choice(DECK))

    def choose(self) -> inp.AnyInput:  # noqa: PLR0911 - one return for each thing that may happen
        """The next thing that happens."""
        roll = self.rng.random()
        if roll < 0.04:
            return self.wild()
        if roll < 0.08:
            return self.device()
        if roll < 0.16:
            return self.house()
        if self.table.paused and self.rng.random() < 0.3:
            return self.say("resume")
        coup = self.table.open_coup
        if self.table.items and self.rng.random() < 0.3:
            return self.say("open_betting") if coup and self.rng.random() < 0.2 else self.remedy()
        if not self.table.opened or self.table.shoe is None:
            verb = "open_table" if not self.table.opened else "load_shoe"
            return self.say(verb) if self.rng.random() < 0.8 else self.card()
        if coup is None:
            return self.between()
        return self.within(coup)

    def house(self) -> inp.AnyInput:
        """Something that staff do or say beside the dealing, by somebody who mostly may."""
        verb, make = self.rng.choice(HOUSE)
        return inp.Command(self.at, verb, self.rng.choice(STAFF), make(self.rng))

    def between(self) -> inp.AnyInput:  # noqa: PLR0911 - one return for each thing that may happen
        roll = self.rng.random()
        if self.table.betting == "open" and self.setup.sign is not None and self.rng.random() < 0.4:
            return inp.Command(self.at, "wager", "dealer:2", some_wager(self.rng))
        if self.table.betting == "open" and roll < 0.45:
            return self.say("no_more_bets")
        if self.table.betting == "unopened" and roll < 0.5:
            return self.say("open_betting")
        if roll < 0.03:
            return self.say("cut_card")
        if roll < 0.06:
            return self.say("disclose")
        if roll < 0.08:
            if self.table.shoe is not None and self.table.shoe.burn is not None:
                return self.say("burn", end=True)
            count = self.rng.choice([None, 1, 3])
            return self.say("burn", **({} if count is None else {"count": count}))
        if roll < 0.1:
            return self.say("close_shoe", **({"remaining": self.rng.randrange(60)} if roll < 0.09 else {}))
        return self.card()

    def within(self, coup: Coup) -> inp.AnyInput:
        procedure = self.setup.procedure_for(no_bet=coup.no_bet, method=coup.method)
        place = expected_next(coup.cards)
        down = [card for card in coup.cards if card.down]
        roll = self.rng.random()
        if len(coup.cards) < 4 or (place not in {None, "unsettled"} and not down):
            return self.card() if roll < 0.9 else self.within_wild()
        if down and roll < 0.75:
            return self.reveal(procedure.hands)
        if place is None and roll < 0.6:
            call = {"outcome": self.rng.choice(["player", "banker", "tie"])} if roll < 0.15 else {}
            return self.say("confirm" if procedure.coup_ends == "confirm" else "reveal", **call)
        return self.card() if roll < 0.9 else self.within_wild()

    def reveal(self, hands: str) -> inp.AnyInput:
        roll = self.rng.random()
        if roll < 0.2:
            return self.say("reveal", slot=self.rng.choice(SLOTS))
        if roll < 0.3:
            return self.say("reveal", all=True)
        if hands == "one-by-one":
            return self.say("reveal", hand=self.rng.choice(["player", "banker"]))
        return self.say("reveal", **({"cards": self.rng.randrange(1, 6)} if roll < 0.4 else {}))

    def within_wild(self) -> inp.AnyInput:
        verb = self.rng.choice(
            ["void", "cut_card", "open_betting", "disclose", "undisclosed", "correct", "reveal"]
        )
        if verb == "correct":
            return self.say(verb, slot=self.rng.choice(SLOTS), card=self.rng.choice(DECK))
        return self.say(verb)

    def remedy(self) -> inp.AnyInput:
        item = self.rng.choice(self.table.items)
        remedy = self.rng.choice(item.remedies)
        if remedy in {"identify", "correct"}:
            where = {} if item.coup is None else {"coup": item.coup}
            return self.say(remedy, slot=self.rng.choice(SLOTS), card=self.rng.choice(DECK), **where)
        if remedy == "void":
            return self.say("void") if self.rng.random() < 0.3 else self.card()
        return self.say("resolve", id=item.id, remedy=remedy)

    def device(self) -> inp.AnyInput:  # noqa: C901, PLR0911 - one for each kind
        roll = self.rng.random()
        if roll < 0.25:
            return inp.CardUnread(self.at, b"[Game]<Game>", soon=roll < 0.05)
        if roll < 0.4:
            return inp.DeviceAlarm(self.at, "E3", "Card Not Read", b"", unread=roll < 0.35)
        if roll < 0.6:
            return inp.FrameRejected(self.at, "unmatched", b"<Card:", card_like=roll < 0.5, soon=roll < 0.43)
        if roll < 0.65:
            return inp.SequenceGap(self.at, 2, b"")
        if roll < 0.68:
            return inp.DeviceReset(self.at, b"")
        if roll < 0.7:
            return inp.CardReturned(self.at, b"")
        if roll < 0.73:
            return inp.DeviceResult(self.at, self.rng.choice(OUTCOMES), b"")
        if roll < 0.75:
            return inp.Silent(self.at, self.rng.choice(["stalled", "back", "garbage"]), "a while")
        if roll < 0.78:
            return inp.LineAlarm(self.at, "line_parity", "1 bytes with wrong parity")
        if roll < 0.81:
            before, after = (self.rng.randrange(7200) * SECOND for _ in range(2))
            return inp.ClockStepped(self.at, before, after)
        return inp.Link(self.at, self.rng.choice(["up", "down"]))

    def card(self) -> inp.AnyInput:
        if self.rng.random() < 0.05:
            return inp.CardUnread(self.at, b"")
        slots: tuple[Slot, ...] = tuple(self.rng.sample(SLOTS, 2)) if self.rng.random() < 0.02 else ()
        return inp.CardRead(self.at, self.face(), b"", soon=self.rng.random() < 0.02, slots=slots)

    def wild(self) -> inp.AnyInput:
        """A command that makes little sense, by anybody."""
        args: dict[str, object] = {}
        for key, values in WILD.items():
            if self.rng.random() < 0.25:
                args[key] = self.rng.choice(values)
        actor = f"{self.rng.choice([*ROLES, 'stranger'])}:1"
        expect = self.rng.choice([None, None, 1])
        return inp.Command(self.at, self.rng.choice(list(VERBS)), actor, args, expect)

    def say(self, verb: str, **args: object) -> inp.Command:
        return inp.Command(self.at, verb, "supervisor:9", args)


STAFF = ("supervisor:9", "supervisor:9", "dealer:2", "duty_manager:3", "surveillance:4", "inspector:5")
REPORTED = [row.code for row in ROWS.values() if row.reported]


def some_wager(rng: random.Random) -> dict[str, object]:
    """A wager; large ones now and then, so that the differential is exceeded."""
    bet = rng.choice(["player", "player", "banker", "tie", *BETS])
    return {"seat": rng.randrange(1, 6), "bet": bet, "amount": rng.choice([5, 10, 25, 100, 900])}


def _report(rng: random.Random) -> dict[str, object]:
    return {"code": rng.choice(REPORTED), **({"n": rng.randrange(1, 7)} if rng.random() < 0.3 else {})}


OUTCOMES: tuple[Outcome, ...] = ("player", "banker", "tie")


def _result(rng: random.Random) -> dict[str, object]:
    hands = {hand: [rng.choice(DECK) for _ in range(rng.choice([2, 2, 3]))] for hand in ("player", "banker")}
    return {"outcome": rng.choice(["player", "banker", "tie"]), **hands}


def _seat(rng: random.Random) -> dict[str, object]:
    act = rng.choice(["join", "join", "leave", "move", "deal", "pass", "repeat", "say"])
    seat = rng.randrange(1, 6)
    return {"seat": seat, "act": act, "player": f"p{seat}", "to": rng.randrange(1, 6), "text": "hello"}


HOUSE: list[tuple[str, Callable[[random.Random], dict[str, object]]]] = [
    ("report", _report),
    ("report", _report),
    ("report", _report),
    ("pause", lambda rng: {"reason": rng.choice(["command", "dispute"])}),
    ("resume", lambda _: {}),
    ("close_table", lambda rng: {"emergency": rng.random() < 0.3, "players": rng.random() < 0.5}),
    (
        "attest",
        lambda rng: {"what": rng.choice(["inspection", "spread", "wash", "stack", "shuffle", "seal"])},
    ),
    ("shoe_empty", lambda _: {}),
    ("burn", lambda _: {"reclassify": True}),
    ("advance", lambda _: {}),
    ("enter", lambda rng: {"card": rng.choice([*DECK, None])}),
    ("enter_result", _result),
    ("declare_no_bet", lambda _: {}),
    ("invalidate", lambda rng: {"ground": "fraud", "forfeit": [rng.randrange(1, 6)]}),
    ("invalidate", lambda _: {"ground": "disruption"}),
    ("set_method", lambda rng: {"method": rng.choice("ABCDE"), "inspector": "i:1"}),
    ("acknowledge", lambda rng: {"what": rng.choice(["method", "differential", "else"])}),
    ("notice", lambda rng: {"what": "minimum", "to": rng.choice([20, 50])}),
    ("notice", lambda _: {"what": "game", "to": "nsw-even-money"}),
    ("notice", lambda _: {"what": "closing"}),
    ("set_limits", lambda rng: {"minimum": rng.choice([5, 20, 50])}),
    ("set_limits", lambda rng: {"maximum": rng.choice([50, 2000]), "seat": rng.randrange(1, 6)}),
    (
        "set_rules",
        lambda rng: {"rules": rng.choice(["nsw", "nsw-even-money"]), "consent": rng.random() < 0.5},
    ),
    ("dispute", lambda rng: {"stage": rng.choice(["raised", "game_supervisor", "inspector"]), "coup": 1}),
    ("unmask", lambda rng: {"what": "journal", "reason": "why", "second": rng.choice(STAFF)}),
    ("sign_in", lambda _: {}),
    ("sign_out", lambda _: {}),
    ("wager", some_wager),
    ("wager", lambda rng: {**some_wager(rng), "late": True}),
    ("withdraw", lambda rng: {"seat": rng.randrange(1, 6)}),
    ("seat", _seat),
    ("seat", _seat),
]

WILD: dict[str, list[object]] = {
    "slot": [*SLOTS, "X", None],
    "card": ["10H", "TS", "1C", "", 7],
    "hand": ["player", "banker", "tie"],
    "cards": [0, 4, -1, True],
    "coup": [1, 2, 3, 0, "1"],
    "shoe": [1, 2, 99],
    "count": [1, 2, 0, None],
    "remaining": [0, 300, -4],
    "id": [1, 2, 3, "link_gap", "excess_card"],
    "remedy": [
        "void",
        "missed",
        "none_missed",
        "keep",
        "reveal",
        "accept",
        "read_twice",
        "disclose",
        "nonsense",
    ],
    "outcome": ["player", "tie", "nobody"],
    "all": [True, False, 1],
    "other": [1],
}


def walk(seed: int, length: int = 120) -> Walk:
    """A history from a seed."""
    rng = random.Random(seed)
    made = Walk(rng, some_setup(rng))
    made.grow(length)
    return made


def again(
    setup: Setup, inputs: list[inp.AnyInput]
) -> Iterator[tuple[inp.AnyInput, tuple[Event, ...], Table]]:
    """The same inputs once more, implied answers included."""
    table = Table()
    for what in inputs:
        for step in (implied(table, what, setup), what):
            if step is not None:
                events = decide(table, step, setup)
                table = fold(table, events)
                yield step, events, table


def with_faces(inputs: list[inp.AnyInput], faces: dict[int, Card]) -> list[inp.AnyInput]:
    """The inputs with other faces: `faces` by the index of the input."""
    return [
        replace(what, face=Sealed(faces[index])) if index in faces else what
        for index, what in enumerate(inputs)
    ]
