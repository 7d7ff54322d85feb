"""The subscriber on real sockets, against a publisher that loses, restarts, stalls and talks nonsense."""

import io
import json
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from shoe_daemon.clients import events
from shoe_daemon.clients.sequence import Gap, Item, Live, NewJournal, Rejected, Stale
from shoe_daemon.clients.subscriber import Subscriber
from shoe_daemon.clients.wire import Event
from tests.clients.feed_double import Frames, Ledger, Publisher, header, topic

FIRST, SECOND = "01J" + "A" * 23, "01J" + "B" * 23
PATIENCE_S = 60.0


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    with Publisher(Ledger(FIRST)) as running:
        yield running


class Consumer:
    """Takes items as any client would."""

    def __init__(self, publisher: Publisher, **options: Any) -> None:  # noqa: ANN401 - passed on
        self.publisher = publisher
        self.feed = Subscriber(publisher.pub, publisher.router, "public", **options)
        self.got: list[bytes] = []
        self.items: list[Item] = []

    def until(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < end, f"{len(self.got)} events, {self.items[-5:]}"
            self.take(self.feed.poll(0.1))

    def take(self, items: list[Item]) -> None:
        for item in items:
            if isinstance(item, NewJournal):
                self.got = []
            elif isinstance(item, Event):
                assert item.seq == len(self.got) + 1
                self.got.append(item.raw)
        self.items += items

    def caught_up(self) -> bool:
        return self.got == [frames[2] for frames in self.publisher.ledger.rows]

    def saw(self, *kinds: type) -> list[Item]:
        return [item for item in self.items if isinstance(item, kinds)]


@pytest.fixture
def consumer(publisher: Publisher) -> Iterator[Consumer]:
    consumer = Consumer(publisher)
    yield consumer
    consumer.feed.close()


def test_events_before_and_after_the_start_arrive(publisher: Publisher, consumer: Consumer) -> None:
    for _ in range(30):
        publisher.tell("tick")
    consumer.until(consumer.caught_up)
    consumer.until(lambda: Live() in consumer.items)
    for _ in range(30):
        publisher.tell("tick")
    consumer.until(consumer.caught_up)
    assert consumer.saw(Gap, NewJournal, Rejected) == []


def test_an_event_knows_its_journal_type_and_message(publisher: Publisher, consumer: Consumer) -> None:
    publisher.tell("coup.void", 3, reason="command")
    consumer.until(consumer.caught_up)
    (event,) = consumer.saw(Event)
    assert isinstance(event, Event)
    assert (event.journal, event.seq, event.type) == (FIRST, 1, "coup.void")
    assert event.message()["data"] == {"reason": "command"}


@pytest.mark.parametrize("seed", range(3))
def test_a_hostile_publisher_ends_with_its_very_list(
    publisher: Publisher, consumer: Consumer, seed: int
) -> None:
    chance = random.Random(seed)
    nonsense: list[Frames] = [
        [b"public/"],
        [b"public/BAC-07/x/", b"short", b"{}"],
        [topic("public", "BAC-07", "x"), header(SECOND, 4), b"{}"],
        [topic("public", "BAC-07", "x"), header(FIRST, 4_000_000), b"no JSON"],
    ]
    for _ in range(400):
        publisher.tell("tick", lose=chance.random() < 0.2)
        if chance.random() < 0.1:
            publisher.send(chance.choice(nonsense))
        if chance.random() < 0.1 and publisher.ledger.rows:
            publisher.send(chance.choice(publisher.ledger.rows))
        if chance.random() < 0.02:
            publisher.restart()
        if chance.random() < 0.3:
            consumer.take(consumer.feed.poll(0.0))
    consumer.until(consumer.caught_up)
    assert consumer.saw(NewJournal) == []


def test_a_new_journal_under_a_running_subscriber(publisher: Publisher, consumer: Consumer) -> None:
    for _ in range(9):
        publisher.tell("tick")
    consumer.until(consumer.caught_up)
    ledger = Ledger(SECOND)
    for _ in range(20):
        ledger.add("tock")
    publisher.restart(ledger)
    consumer.until(consumer.caught_up)
    assert consumer.saw(NewJournal) == [NewJournal(SECOND, "other_journal")]


def test_a_stopped_daemon_is_stale_and_live_when_it_returns(publisher: Publisher, consumer: Consumer) -> None:
    publisher.tell("tick")
    consumer.until(lambda: Live() in consumer.items)
    publisher.stop()
    consumer.until(lambda: Stale("silent") in consumer.items)
    publisher.ledger.add("tick")
    publisher.restart()
    consumer.until(lambda: consumer.saw(Live, Stale) == [Live(), Stale("silent"), Live()])
    assert consumer.caught_up()


def test_a_stalled_subscriber_misses_nothing(publisher: Publisher, consumer: Consumer) -> None:
    consumer.until(lambda: Live() in consumer.items)
    for _ in range(6_000):
        publisher.tell("tick")
    consumer.until(consumer.caught_up)


def test_it_goes_on_after_a_known_row(publisher: Publisher) -> None:
    for _ in range(9):
        publisher.tell("tick")
    consumer = Consumer(publisher, after=6, journal=FIRST, table="BAC-07")
    consumer.got = [frames[2] for frames in publisher.ledger.rows[:6]]
    consumer.until(consumer.caught_up)
    assert [item.seq for item in consumer.saw(Event) if isinstance(item, Event)] == [7, 8, 9]
    consumer.feed.close()


def test_a_cursor_of_a_lost_journal_starts_over(publisher: Publisher) -> None:
    publisher.tell("tick")
    consumer = Consumer(publisher, after=6, journal=SECOND)
    consumer.until(consumer.caught_up)
    assert len(consumer.saw(NewJournal)) == 1
    consumer.feed.close()


@pytest.mark.parametrize(
    ("pub", "journal"),
    [
        ("nonsense", None),
        ("tcp://127.0.0.1:99999", None),
        ("tcp://127.0.0.1:0", None),
        ("ipc://" + "x" * 200, None),
        ("tcp://127.0.0.1:1", "no journal"),
    ],
)
def test_what_is_no_address_is_refused(pub: str, journal: str | None) -> None:
    with pytest.raises(ValueError, match="n"):
        Subscriber(pub, "tcp://127.0.0.1:1", "public", journal=journal)


def test_events_once_prints_the_rows_as_they_are(publisher: Publisher) -> None:
    for _ in range(1_200):
        publisher.tell("tick")
    out, err = io.BytesIO(), io.StringIO()
    with Subscriber(publisher.pub, publisher.router, "public", after=3) as feed:
        assert events.print_events(feed, out, err, once=True) == 0
    assert out.getvalue().splitlines() == [frames[2] for frames in publisher.ledger.rows[3:]]
    assert all(json.loads(line) for line in out.getvalue().splitlines())


def test_events_once_of_an_empty_feed_ends(publisher: Publisher) -> None:
    out = io.BytesIO()
    with Subscriber(publisher.pub, publisher.router, "public") as feed:
        assert events.print_events(feed, out, io.StringIO(), once=True) == 0
    assert out.getvalue() == b""


def test_events_once_without_a_daemon_is_not_well(publisher: Publisher) -> None:
    publisher.stop()
    err = io.StringIO()
    with Subscriber(publisher.pub, publisher.router, "public") as feed:
        assert events.print_events(feed, io.BytesIO(), err, once=True) == 1
    assert "does not answer" in err.getvalue()


def test_events_follow_until_stopped(publisher: Publisher) -> None:
    publisher.tell("tick")

    class Out(io.BytesIO):
        def write(self, data: Any, /) -> int:  # noqa: ANN401 - as in io
            feed.stop()
            return super().write(data)

    out = Out()
    with Subscriber(publisher.pub, publisher.router, "public") as feed:
        assert events.print_events(feed, out, io.StringIO(), once=False) == 0
    assert out.getvalue() == publisher.ledger.rows[0][2] + b"\n"
