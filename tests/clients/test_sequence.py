"""The algorithm against a network that loses, doubles, delays and reorders, without sockets."""

import json
import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoe_daemon.clients import sequence
from shoe_daemon.clients.sequence import Gap, Item, Live, NewJournal, Rejected, Sequencer, Stale, Unanswered
from shoe_daemon.clients.wire import Event, read_row
from shoe_daemon.runtime import ulid
from tests.clients.feed_double import Frames, Ledger, header, topic

JOURNALS = ["01J" + digit * 23 for digit in "ABCDEFGH"]
GARBAGE: list[Frames] = [
    [],
    [b"x"],
    [b"public/BAC-07/x/", b"short", b"{}"],
    [b"public/BAC-07", bytes(24), b"{}"],
    [b"\xff/BAC-07/x/", bytes(24), b"{}"],
    [topic("cage", "BAC-07", "x"), header(JOURNALS[0], 1), b"{}"],
    [topic("public", "BAC-07", "x"), header(JOURNALS[0], 1), b"no JSON"],
    [topic("public", "BAC-07", "x"), header(JOURNALS[0], 10**9), b"{}"],
    [topic("public", "BAC-07", "heartbeat"), header(JOURNALS[0], 2**64 - 1), b"{}"],
    [topic("public", "BAC-07", "heartbeat"), header(JOURNALS[7], 3), b"{}"],
    [b'{"id":"1","top":5}'],
    [b'{"id":1}'],
]


class World:
    """A publisher, a subscriber, and a network between them that is the test's to play with."""

    def __init__(self, after: int = 0, rows: int = 0, *, known: bool = False) -> None:
        self.now = 100.0
        self.journals = iter(JOURNALS[1:7])
        self.ledger = Ledger(JOURNALS[0])
        for _ in range(rows):
            self.ledger.add("tick")
        cursor = ulid.to_bytes(self.ledger.journal) if known else None
        self.core = Sequencer("public", None, after, cursor, self.now)
        self.got: list[bytes] = [frames[2] for frames in self.ledger.rows[:after]]
        self.journal: str | None = None
        self.items: list[Item] = []
        self.pub: list[Frames] = []
        self.request: bytes | None = None

    def note(self, items: list[Item]) -> None:
        for item in items:
            if isinstance(item, NewJournal):
                self.got = []
                self.journal = None
            elif isinstance(item, Event):
                assert item.seq == len(self.got) + 1, "an event twice, or one left out"
                self.got.append(item.raw)
                assert item.journal == (self.journal or item.journal), "an event of another journal"
                self.journal = item.journal
        self.items += items

    def turn(self) -> None:
        """Do what the socket loop does after each message."""
        self.note(self.core.tick(self.now))
        if self.core.reopen_router:
            self.core.reopen_router = False
            self.request = None
        if self.core.reopen_pub:
            self.core.reopen_pub = False
            self.pub = []
        question = self.core.question(self.now)
        if question is not None:
            assert self.request is None, "two questions at once"
            self.request = question

    def act(self, action: str, number: int) -> None:
        getattr(self, f"do_{action}")(number)
        self.turn()

    def do_commit(self, number: int) -> None:
        frames = self.ledger.add("tick")
        self.pub += [frames] * (number % 3)

    def do_beat(self, _: int) -> None:
        self.pub.append(self.ledger.beat())

    def do_deliver(self, number: int) -> None:
        for _ in range(1 + number % 4):
            if self.pub:
                self.note(self.core.heard(self.pub.pop(0), self.now))

    def do_deliver_late(self, number: int) -> None:
        if self.pub:
            self.note(self.core.heard(self.pub.pop(number % len(self.pub)), self.now))

    def do_answer(self, number: int) -> None:
        """Answer the question; some rows of it, or its end, may be lost."""
        request, self.request = self.request, None
        if request is None:
            return
        for place, frames in enumerate(self.ledger.answer(request)):
            if number == 0 or (place + number) % 5:
                self.note(self.core.answered(frames, self.now))

    def do_forget(self, _: int) -> None:
        self.request = None

    def do_wait(self, number: int) -> None:
        self.now += number / 3

    def do_new_journal(self, number: int) -> None:
        self.ledger = Ledger(next(self.journals))
        for _ in range(number % 40):
            self.ledger.add("tick")

    def do_garbage(self, number: int) -> None:
        frames = GARBAGE[number % len(GARBAGE)]
        feed = self.core.answered if number % 2 else self.core.heard
        self.note(feed(frames, self.now))

    def settle(self) -> None:
        """Let the network behave: beats arrive, questions are answered, time passes."""
        for _ in range(40):
            for action in ("beat", "deliver", "deliver", "deliver", "answer"):
                self.act(action, 0)
            self.now += 0.5
            self.turn()
        while self.pub:
            self.act("deliver", 0)

    def check(self) -> None:
        assert self.got == [frames[2] for frames in self.ledger.rows]


ACTIONS = ("commit", "beat", "deliver", "deliver_late", "answer", "forget", "wait", "garbage")
STEPS = st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 12)), max_size=60)
CHANGES = st.lists(st.tuples(st.just("new_journal"), st.integers(0, 60)), max_size=2)


@settings(max_examples=400, deadline=None)
@given(STEPS, st.data())
def test_whatever_happens_it_ends_with_exactly_the_publishers_list(
    steps: list[tuple[str, int]], data: st.DataObject
) -> None:
    rows = data.draw(st.integers(0, 8))
    after = data.draw(st.integers(0, rows))
    changes = data.draw(CHANGES)
    known = after > 0 and (bool(changes) or data.draw(st.booleans()))
    world = World(after, rows, known=known)
    for change in changes:
        steps.insert(data.draw(st.integers(0, len(steps))), change)
    for action, number in steps:
        world.act(action, number)
    world.settle()
    world.check()
    assert [item for item in world.items if isinstance(item, Live | Stale)][-1:] == [Live()]


def test_a_long_history_comes_in_several_answers() -> None:
    world = World(0, sequence.ROWS_A_QUESTION * 3 + 7)
    world.settle()
    world.check()
    assert Gap not in {type(item) for item in world.items}


def test_a_lost_message_is_noticed_by_the_next_one() -> None:
    world = World(1, 1)
    world.settle()
    world.do_commit(0)
    world.do_commit(1)
    world.act("deliver", 0)
    assert world.items[-1] == Gap(1, 3)


def test_the_loss_of_the_last_message_is_noticed_by_the_heartbeat() -> None:
    world = World(2, 2)
    world.settle()
    world.do_commit(0)
    world.act("beat", 0)
    world.act("deliver", 0)
    assert world.items[-1] == Gap(2, 3)
    world.act("answer", 0)
    world.check()


def test_live_then_silent_then_live_again() -> None:
    world = World(0, 3)
    world.settle()
    world.now += sequence.STALE_AFTER
    world.turn()
    world.act("beat", 0)
    world.act("deliver", 0)
    assert world.items[-2:] == [Stale("silent"), Live()]


def test_beats_without_answers_are_stale_behind() -> None:
    world = World(0, 3)
    for _ in range(8):
        world.act("beat", 0)
        world.act("deliver", 0)
        world.do_wait(2)
    states = [item for item in world.items if isinstance(item, Live | Stale)]
    assert states == [Stale("behind")]
    assert world.items.count(Unanswered(None)) == 1
    world.settle()
    world.check()


def test_another_journal_starts_over_and_says_so() -> None:
    world = World(5, 5, known=True)
    world.settle()
    world.act("new_journal", 9)
    world.settle()
    world.check()
    told = [item for item in world.items if isinstance(item, NewJournal)]
    assert told == [NewJournal(world.ledger.journal, "other_journal")]


def test_old_rows_that_linger_do_not_bring_the_old_journal_back() -> None:
    world = World(0, 5)
    world.settle()
    old = world.ledger
    world.act("new_journal", 9)
    world.settle()
    for _ in range(5):
        world.pub += [old.beat(), old.rows[-1]]
        world.settle()
    world.check()
    assert sum(isinstance(item, NewJournal) for item in world.items) == 1


@pytest.mark.parametrize("known", [True, False])
def test_a_journal_shorter_than_the_cursor_starts_over(*, known: bool) -> None:
    world = World(5, 5, known=known)
    del world.ledger.rows[3:]
    world.settle()
    world.check()
    assert NewJournal(None, "shorter_journal") in world.items


def test_an_older_copy_of_the_journal_put_back_meanwhile_is_noticed_by_the_heartbeat() -> None:
    world = World(0, 5)
    world.settle()
    del world.ledger.rows[3:]
    world.settle()
    world.check()
    assert NewJournal(None, "shorter_journal") in world.items


def test_an_emptied_journal_starts_over() -> None:
    world = World(5, 5, known=True)
    world.act("new_journal", 0)
    world.settle()
    world.check()
    assert world.got == []


def test_a_refused_question_is_asked_again_later() -> None:
    world = World(0, 2)
    world.turn()
    assert world.request is not None
    number = json.loads(world.request)["id"]
    world.request = None
    world.note(world.core.answered([json.dumps({"id": number, "error": "busy"}).encode()], world.now))
    world.turn()
    assert world.items[-1] == Unanswered("busy")
    assert world.request is None
    world.settle()
    world.check()


def test_a_body_that_differs_from_its_header_is_fetched_again() -> None:
    world = World()
    world.settle()
    frames = world.ledger.add("tick")
    world.pub.append([frames[0], frames[1], frames[2].replace(b'"seq": 1', b'"seq": 2')])
    world.act("deliver", 0)
    world.settle()
    world.check()


@pytest.mark.parametrize("frames", GARBAGE[:6])
def test_garbage_is_rejected_with_a_reason(frames: Frames) -> None:
    world = World()
    world.note(world.core.heard(frames, world.now))
    assert isinstance(world.items[-1], Rejected)
    assert world.items[-1].reason


def test_a_table_that_was_not_asked_for_is_rejected() -> None:
    core = Sequencer("public", "BAC-08", 0, None, 0.0)
    assert [type(item) for item in core.heard(Ledger(JOURNALS[0]).add("tick"), 0.0)] == [Rejected]


def test_row_takes_the_frames_apart() -> None:
    frames: list[Any] = [
        b"public/BAC-07/coup.result/",
        struct.pack(">16sQ", bytes(range(16)), 7),
        b"{}",
    ]
    row = read_row(frames)
    assert (row.audience, row.table, row.kind) == ("public", "BAC-07", "coup.result")
    assert (row.journal, row.seq) == (bytes(range(16)), 7)
