"""At any point of any history the cards add up: read, unread, burned and left in the shoe, or it is named."""

import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from drivers.beats import slots_of
from shoe_daemon.game.cards import DECK, Card
from shoe_daemon.game.outcome import decide_outcome
from shoe_daemon.table import events as ev
from shoe_daemon.table import inputs as inp
from shoe_daemon.table.decide import decide, next_due
from shoe_daemon.table.events import Event
from shoe_daemon.table.sealed import Sealed
from shoe_daemon.table.setup import Setup
from tests.table.histories import Walk, some_setup


class Told:
    """What was told of one shoe: `read`, `unread` and `burned` cards, and coups that are `pending`.

    A card that a person entered is none that the shoe read.
    """

    def __init__(self) -> None:
        self.read = self.unread = self.burned = 0
        self.pending: set[int | None] = set()
        self.by_hand: list[tuple[int | None, int]] = []
        self.readable: dict[int, bool] = {}

    def hear(self, events: tuple[Event, ...], shoe: int | None) -> None:
        reclassified = False
        for event in events:
            if isinstance(event, ev.CardDrawn):
                by_shoe = event.readable and event.source == "shoe"
                self.by_hand += [] if event.source == "shoe" else [(event.coup, event.n)]
                self._drawn(1, by_shoe)
                self.readable[event.serial] = by_shoe
            elif isinstance(event, ev.CardReadTwice):
                self._drawn(-1, self.readable[event.serial])
            elif isinstance(event, ev.CardCarried) and (event.coup, event.n) in self.by_hand:
                self.by_hand.append((event.to_coup, event.n_there))
            elif isinstance(event, ev.ShoeBurned):
                self.burned += event.count
            elif isinstance(event, ev.CoupCards) and reclassified:
                for card in event.cards:
                    entered = (event.coup, card.n) in self.by_hand
                    self._drawn(-1, card.card is not None and not entered)
            elif isinstance(event, ev.CoupPending):
                self.pending.add(event.coup)
            elif isinstance(event, ev.CoupResult | ev.CoupVoid) and event.shoe == shoe:
                self.pending.discard(event.coup)
            reclassified = isinstance(event, ev.CoupVoid) and event.reason == "burned"

    def _drawn(self, number: int, readable: bool) -> None:  # noqa: FBT001 - what the event says
        if readable:
            self.read += number
        else:
            self.unread += number


class Dealt(Walk):
    """A history dealt from a real shoe of its own: what a card leaves behind is counted there, not told.

    `left`: the cards in the shoe, None with none on the table. `lost`: cards that left it with the table
    closed, of which no table can know. `burning`: cards of the burn under way, None without one.
    """

    def __init__(self, rng: random.Random, setup: Setup) -> None:
        super().__init__(rng, setup)
        self.left: list[Card] | None = None
        self.open = False
        self.lost = 0
        self.burning: int | None = None
        self.told = Told()
        self.seen: Counter[str] = Counter()

    def face(self) -> Sealed:
        return Sealed(self.left[0]) if self.left else super().face()

    def choose(self) -> inp.AnyInput:
        """What happens at any table, and more of what moves cards out of the ordinary."""
        coup, roll = self.table.open_coup, self.rng.random()
        gap = any(item.code == "link_gap" for item in self.table.items)
        if gap and roll < 0.3:
            return self.say("resolve", code="link_gap", remedy="missed")
        if roll < 0.02:
            return inp.Link(self.at, "up" if self.table.link == "down" else "down")
        if coup is not None and roll < 0.04:
            return self.say("burn", reclassify=True)
        if coup is None and roll < 0.08:
            return self._by_hand() if roll < 0.05 else self.say("burn", count=self.rng.randrange(1, 4))
        if coup is None and (roll < 0.09 or self.left == []):
            return self.say("close_shoe", remaining=self.rng.randrange(60))
        return super().choose()

    def _by_hand(self) -> inp.AnyInput:
        """A whole coup that is dealt without the machine, from this very shoe."""
        begun = self.table.coup is not None or self.table.waiting
        if begun or self.left is None or len(self.left) < 6:
            return self.say("shoe_empty")
        slots = slots_of(self.left[:6])
        lies = dict(zip(slots, self.left, strict=False))
        hands = {
            name: [card for slot, card in lies.items() if slot[0] == side]
            for name, side in (("player", "P"), ("banker", "B"))
        }
        outcome = decide_outcome(hands["player"], hands["banker"]).outcome
        return self.say("enter_result", outcome=outcome, **hands)

    def take(self, what: inp.AnyInput) -> tuple[Event, ...]:
        what = self._possible(what)
        events = super().take(what)
        refused = any(isinstance(event, ev.CommandRefused) for event in events)
        if not refused:
            self._moves(what)
        self.told.hear(events, self.table.number)
        twice = sum(isinstance(event, ev.CardReadTwice) for event in events)
        if twice and self.left is not None:  # they never left it
            self.left[:0] = self.rng.sample(DECK, twice)
            self.seen["read twice"] += twice
        if any(isinstance(event, ev.ShoeBurned) for event in events):
            self.burning = None
        due = next_due(self.table)
        if self.left is not None and (
            due is None or due > self.at
        ):  # what is due comes before anybody speaks
            self._adds_up()
        return events

    def _possible(self, what: inp.AnyInput) -> inp.AnyInput:
        """`what`, with the cards that truly lie in the shoe; an empty one gives none."""
        verb = what.verb if isinstance(what, inp.Command) else ""
        missed = isinstance(what, inp.Command) and what.args.get("remedy") == "missed"
        if self.left is not None and not self.left and (inp.draws(what) or verb == "enter" or missed):
            return self.say("shoe_empty")
        if isinstance(what, inp.Command) and verb == "enter" and self.left and what.args.get("card"):
            return replace(what, args={"card": self.left[0]})
        if isinstance(what, inp.Command) and verb == "enter_result" and what.actor != "supervisor:9":
            return self.say("resume")
        if isinstance(what, inp.Command) and verb == "enter_result" and not self._is_next(what):
            return self._by_hand() if self.table.open_coup is None else self.say("resume")
        return what

    def _is_next(self, what: inp.Command) -> bool:
        """Whether the cards of an `enter_result` are the next ones in the shoe, in the order of the deal."""
        said = [*what.args.get("player", ()), *what.args.get("banker", ())]
        return self.left is not None and Counter(said) == Counter(self.left[: len(said)])

    def _moves(self, what: inp.AnyInput) -> None:
        """What happened to the shoe itself, as anybody can see who stands there."""
        if isinstance(what, inp.Start):
            self._table_moves("open_table" if what.part == "table" else f"load_{what.part}")
        elif isinstance(what, inp.Command):
            self._table_moves(what.verb)
            if what.verb == "burn" and not what.args.get("end") and not what.args.get("reclassify"):
                self.burning = 0
            self.seen[what.verb + (" reclassify" if what.args.get("reclassify") else "")] += 1
            if what.verb == "enter_result":
                self._leaves(len(what.args["player"]) + len(what.args["banker"]))
            elif what.verb == "enter" or (what.verb == "resolve" and what.args["remedy"] == "missed"):
                self._leaves(1)
                self.seen["missed"] += what.verb == "resolve"
        elif inp.draws(what):
            self._leaves(1)

    def _table_moves(self, verb: str) -> None:
        if verb in {"open_table", "close_table"}:
            self.open = verb == "open_table"
        elif verb == "load_shoe":
            self.left = list(DECK) * self.setup.decks
            self.rng.shuffle(self.left)
            self.told, self.lost, self.burning = Told(), 0, None
        elif verb == "close_shoe":
            self.left = None

    def _leaves(self, number: int) -> None:
        if self.left is None:
            return
        del self.left[:number]
        if not self.open:
            self.lost += number
        elif self.burning is not None:
            self.burning += number

    def _adds_up(self) -> None:
        """Nothing is missing now, nor would be if the shoe were closed at this point."""
        assert self.left is not None
        told, left, cards = self.told, len(self.left), 52 * self.setup.decks
        assert told.read + told.unread + told.burned + (self.burning or 0) + self.lost + left == cards
        pending = ["pending"] if told.pending else []
        for counted in (left + self.lost, left, left + 1, max(0, left - 1), None):
            args = {} if counted is None else {"remaining": counted}
            events = decide(self.table, inp.Command(self.at, "close_shoe", "supervisor:9", args), self.setup)
            closed = next((one for one in events if isinstance(one, ev.ShoeClosed)), None)
            if closed is None:
                self._not_now(events)
                return
            wrong = counted is not None and counted != left + self.lost
            named = (["count"] if wrong else []) + pending
            computed = (closed.cards_read, closed.cards_unread, closed.burned)
            assert computed == (told.read, told.unread, told.burned)
            assert closed.remaining == counted
            assert list(closed.discrepancies) == named
            assert closed.reconciled == (None if counted is None else not named)
            self.seen[f"{'uncounted' if counted is None else 'counted'} {named}"] += 1
        self.seen["lost"] += self.lost > 0

    def _not_now(self, events: tuple[Event, ...]) -> None:
        """A coup is under way or a burn unfinished, or nobody is at the table."""
        (refused,) = events
        assert isinstance(refused, ev.CommandRefused)
        due = "table_closed" if not self.open else "coup_open" if self.table.open_coup else "burning"
        assert refused.reason == due
        assert due != "burning" or self.burning is not None


def dealt(seed: int, length: int = 120) -> Dealt:
    """A history from a seed, under rules that do not shuffle after each coup."""
    rng = random.Random(seed)
    setup = some_setup(rng)
    while setup.rules.reshuffled:
        setup = some_setup(rng)
    made = Dealt(rng, setup)
    made.grow(length)
    return made


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_cards_add_up_at_any_point_of_any_history(seed: int) -> None:
    """Each step of the walk asserts it, of the shoe as it stands and of closing it with any count."""
    dealt(seed)


def test_histories_reach_what_could_unbalance_a_shoe() -> None:
    seen = sum((dealt(seed).seen for seed in range(120)), Counter[str]())
    wanted = {
        "counted []",
        "counted ['count']",
        "counted ['pending']",
        "counted ['count', 'pending']",
        "uncounted []",
        "uncounted ['pending']",
        "burn",
        "burn reclassify",
        "enter",
        "enter_result",
        "missed",
        "read twice",
        "void",
        "lost",
        "close_shoe",
    }
    assert {name: seen[name] for name in wanted if seen[name] < 3} == {}
