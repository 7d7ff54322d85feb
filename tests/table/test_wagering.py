"""Wagers at the table: no wager is settled twice or forgotten, whatever happens, and all sums balance."""

import json
import random
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from shoe_daemon.game.cards import DECK, parse
from shoe_daemon.game.profile import RuleProfile
from shoe_daemon.game.wagers import BetLimits, Book, Sign
from shoe_daemon.runtime.messages import Projector
from shoe_daemon.table import events as ev
from shoe_daemon.table import inputs as inp
from shoe_daemon.table.codec import Step
from shoe_daemon.table.decide import decide, fold
from shoe_daemon.table.events import Event
from shoe_daemon.table.procedure import PROCEDURES
from shoe_daemon.table.sealed import Sealed
from shoe_daemon.table.setup import Setup
from shoe_daemon.table.state import Table
from tests.table.histories import BETS, RULES, Walk, some_setup
from tests.table.ledger import MARKED, CoupKey, Key, Ledger, Terms
from tests.table.test_nothing_early import same_but_for_hidden_faces

ODDS = {name: tuple(bet.pays.values()) for name, bet in BETS.items()}
SIGN = Sign(
    chip=5,
    limits={
        "player": BetLimits(minimum=10, maximum=1000),
        "banker": BetLimits(minimum=10, maximum=1000),
        "tie": BetLimits(minimum=5, maximum=200),
    },
    differential=300,
)


def betting_setup(rng: random.Random) -> Setup:
    """Any rules and procedure at a table that takes wagers; small chips, little is exactly payable."""
    setup = some_setup(rng)
    if rng.random() < 0.5:  # most wagers lie on the table where betting closes by the dealer's word
        setup = replace(setup, procedure=PROCEDURES[rng.choice(["dealer-reveal", "squeeze", "method-c"])])
    if setup.rules.stated.pay.banker.commission == "per_coup" and rng.random() < 0.6:
        setup = replace(setup, rules=marked(setup.rules))
    sign = replace(SIGN, chip=rng.choice([1, 5, 25]), differential=rng.choice([None, 50, 300]))
    return replace(setup, sign=sign, side_bets=BETS, two_persons=frozenset())


def marked(rules: RuleProfile) -> RuleProfile:
    """The same rules, but for a commission that is written down and settled later."""
    pay = rules.stated.pay
    pay = replace(pay, banker=replace(pay.banker, commission="marked"))
    return replace(rules, stated=replace(rules.stated, name=f"{rules.name}{MARKED}", pay=pay))


class Betting(Walk):
    """A history with much money in it, and a cage that keeps its own books."""

    def __init__(self, rng: random.Random, setup: Setup) -> None:
        super().__init__(rng, setup)
        chip = 1 if setup.sign is None else setup.sign.chip
        self.ledger = Ledger(Terms(chip, ODDS))
        self.projector = Projector("0" * 26, "T", "delayed", setup.decks)
        self.public: list[bytes] = []

    def take(self, what: inp.AnyInput) -> tuple[Event, ...]:
        before = len(self.events)
        told = super().take(what)
        for step, events in self.events[before:]:
            for message in self.projector.project(Step(step, events)):
                if message.audience == "cage":
                    self.ledger.hear(json.loads(message.body))
                elif message.audience == "public":
                    self.public.append(message.body)
        self.ledger.balanced()
        assert self.ledger.open() == on_the_felt(self.table), what
        return told

    def choose(self) -> inp.AnyInput:
        if self.rng.random() < 0.45 and self.table.opened and self.table.shoe is not None:
            return self.money()
        return super().choose()

    def money(self) -> inp.AnyInput:
        if self.table.open_coup is not None:
            return self._in_coup()
        if self.table.betting == "open":
            roll = self.rng.random()
            if self.setup.rules.seats.window is not None and roll < 0.25:
                return self._seat(self.rng.choice(["join", "deal", "deal", "repeat", "pass", "leave"]))
            if roll < 0.65:
                return self._wager(late=False)
            return self.say("no_more_bets") if roll < 0.9 else self._rarely()
        if self.table.proposal is not None and self.rng.random() < 0.6:
            return self.say("acknowledge", what="differential")
        return self._rarely()

    def _in_coup(self) -> inp.AnyInput:  # noqa: PLR0911 - one return for each thing that may happen
        roll = self.rng.random()
        if self.table.parked and roll > 0.95:
            parked = self.rng.choice(self.table.parked)
            return self.say("void", coup=parked.number, shoe=parked.shoe)
        if self.table.betting == "withdraw_only":
            return self._off() if roll < 0.8 else self._wager(late=False)
        held = [item.code for item in self.table.items]
        if "misdeal" in held:
            return self.say("resolve", code="misdeal", remedy="reconstruct")
        if "device_reset" in held:
            return self.say("open_betting")
        if roll < 0.02:
            return self._off()
        if roll < 0.2:
            return self._wager(late=True)
        if roll < 0.35:
            return self.say("report", code=self.rng.choice(["misdeal", "device_reset"]))
        return super().choose()

    def _rarely(self) -> inp.AnyInput:
        wrong: list[Any] = [
            self._off,
            lambda: self.say("seat", seat=self.rng.randrange(1, 6), act="settle"),
            lambda: self._seat("join"),
            lambda: self.say("open_betting"),
            lambda: self.say("pause"),
            lambda: self.say("resume"),
            lambda: self.say("declare_no_bet"),
            lambda: self.say("close_shoe"),
            lambda: self.say("close_table", emergency=self.rng.random() < 0.5),
            *[self._other_card] * 12,
            lambda: self.say("invalidate", ground="fraud", forfeit=[self.rng.randrange(1, 6)]),
            lambda: self.say(
                "set_limits", minimum=self.rng.choice([5, 15]), maximum=self.rng.choice([50, 700])
            ),
            lambda: self.say("set_rules", rules=self.rng.choice(["nsw", "nsw-even-money"]), consent=True),
        ]
        what: inp.AnyInput = self.rng.choice(wrong)()
        return what

    def _other_card(self) -> inp.AnyInput:
        """A correction; now and then one that levels the hands, or one of a coup some time ago."""
        ended = [coup for coup in self.table.past if coup.ended == "result"]
        which = {"coup": self.rng.choice(ended).number} if ended and self.rng.random() < 0.5 else {}
        slot = self.rng.choice(["P1", "P2", "P3", "B1", "B2", "B3"])
        return self.say("correct", slot=slot, card=self.rng.choice(DECK), **which)

    def _off(self) -> inp.AnyInput:
        lying = self.table.book.wagers
        if not lying:
            return self.say("withdraw", seat=1)
        one = self.rng.choice(lying)
        bet = {"bet": one.bet} if self.rng.random() < 0.3 else {}
        return self.say("withdraw", seat=one.seat, backer=one.backer, void=self.rng.random() < 0.3, **bet)

    def _seat(self, act: str) -> inp.AnyInput:
        seat = self.rng.randrange(1, 6)
        return self.say("seat", seat=seat, act=act, **({"player": f"p{seat}"} if act == "join" else {}))

    def _wager(self, *, late: bool) -> inp.AnyInput:
        rng = self.rng
        more = {"backer": "anna"} if rng.random() < 0.2 else {}
        return self.say(
            "wager",
            seat=rng.randrange(1, 6),
            bet=rng.choice(["player", "player", "banker", "banker", "tie", *BETS]),
            amount=rng.choice([5, 10, 25, 60, 100, 130, 500, 900]),
            voucher=rng.random() < 0.1,
            late=late,
            **more,
        )


def on_the_felt(table: Table) -> dict[CoupKey, dict[Key, int]]:
    """Wagers that the table itself knows of: on the open or coming coup, and on parked ones."""
    books: list[tuple[CoupKey, Book | None]] = [((table.number or 0, table.coming), table.book)]
    books += [(coup.key, coup.book) for coup in table.parked]
    found = {
        coup: {Key(*one.key): one.amount for one in book.wagers} for coup, book in books if book is not None
    }
    return {coup: wagers for coup, wagers in found.items() if wagers}


def played(seed: int, length: int) -> Ledger:
    """A history with a cage that keeps its own books of it, compared after each input."""
    rng = random.Random(seed)
    made = Betting(rng, betting_setup(rng))
    made.grow(length)
    return made.ledger


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_every_wager_ends_once_and_all_sums_balance(seed: int) -> None:
    played(seed, 120)


WAYS = {
    "placed",
    "late",
    "raised",
    "withdrawn",
    "reduced",
    "parked",
    *(f"returned: {why}" for why in ("void", "no_bet", "sat_out", "betting_closed", "declared_void")),
    *(f"pay: {kind}" for kind in ("win", "lose", "push", "void")),
    *(f"adjust: {kind}" for kind in ("win", "lose", "push")),
    "invalid: returned",
    "invalid: forfeited",
    "marked",
}


def test_these_histories_have_been_everywhere() -> None:
    ways: Counter[str] = Counter()
    for seed in range(240):
        ways += played(seed, 120).ways
    assert set(ways) >= WAYS, WAYS - set(ways)


# -- what is said to whom -------------------------------------------------------------------------------

WORDS = ("amount", "backer", "stake", "wager", "p1", "anna", "hello", "book", "totals", "bank", "proposal")


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_public_learns_of_no_wager(seed: int) -> None:
    rng = random.Random(seed)
    made = Betting(rng, betting_setup(rng))
    made.grow(80)
    for what, events in made.events:
        if isinstance(what, inp.Command) and what.verb in {"wager", "withdraw", "seat"}:
            ours = [event for event in events if ev.PUBLIC in event.audiences]
            over = any(isinstance(event, ev.CoupVoid) for event in events)  # the last one was withdrawn
            assert over or {type(event) for event in ours} <= {ev.SeatsAsked, ev.SeatsReady}
    for body in made.public:
        said = json.loads(body)
        words = json.dumps({**said["data"], "reason": "", "approver": ""})
        assert not any(f'"{word}"' in words for word in WORDS), body


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32), cut=st.integers(4, 80))
def test_hidden_faces_change_nothing_that_is_told_of_wagers(seed: int, cut: int) -> None:
    rng = random.Random(seed)
    made = Betting(rng, betting_setup(rng))
    made.grow(80)
    same_but_for_hidden_faces(made.setup, made.inputs[:cut], random.Random(seed))


def test_a_wager_on_a_bet_that_is_offered_no_more_goes_back() -> None:
    """The daemon was started again with fewer side bets while it lay there."""
    setup = Setup(
        table="T",
        rules=RULES["live"],
        procedure=PROCEDURES["face-up"],
        decks=8,
        software="",
        profile_sha256="",
        side_bets=BETS,
        sign=SIGN,
    )
    table = Table()
    for one in (
        inp.Start(0, "table"),
        inp.Start(0, "shoe"),
        inp.Start(0, "betting"),
        inp.Command(0, "wager", "dealer:1", {"seat": 1, "bet": "player", "amount": 20}),
        inp.Command(0, "wager", "dealer:1", {"seat": 1, "bet": "dragon-7", "amount": 20}),
    ):
        table = fold(table, decide(table, one, setup))
    fewer = replace(setup, side_bets={})
    for face in ("9S", "2H", "KD", "5C"):
        events = decide(table, inp.CardRead(1, Sealed(parse(face)), b""), fewer)
        table = fold(table, events)
    (told,) = (event for event in events if isinstance(event, ev.Settlement))
    assert told.stakes is not None
    assert [(one["bet"], one["kind"], one["returned"]) for one in told.stakes] == [
        ("player", "win", 20),
        ("dragon-7", "returned", 20),
    ]
    assert told.totals is not None
    assert (told.totals.stake, told.totals.returned) == (40, 40)
