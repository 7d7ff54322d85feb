"""Plays a script at a running table: bytes down the shoe's line, commands to control, at a human pace.

The dealer looks before speaking: a command waits until the table has told of every card drawn before it, so
that two wires never change places. Nobody at the other end: the shoe waits, as a dealer would not draw.
"""

import threading
import time
from collections.abc import Callable, Iterable
from typing import Final

from drivers import Decoder
from drivers import script as act
from shoe_daemon.clients.operator import Operator, Unanswered
from shoe_daemon.clients.shoe_line import ShoeLine
from shoe_daemon.clients.subscriber import Subscriber
from shoe_daemon.clients.wire import Event
from shoe_daemon.table import inputs as inp

LOOK_S: Final = 0.02
PATIENCE_S: Final = 20.0


class Table:
    """What everybody sees of the table, followed in a thread: how many cards are out, how many coups over."""

    def __init__(self, feed: Subscriber, seen: Callable[[Event], None] = lambda _: None) -> None:
        self._feed = feed
        self._seen = seen
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self.cards = 0
        self.results = 0
        self._thread.start()

    def _follow(self) -> None:
        for item in self._feed:
            if isinstance(item, Event):
                self._take(item)
                self._seen(item)

    def _take(self, event: Event) -> None:
        data = event.message()["data"]
        with self._changed:
            self.cards += data["count"] if event.type == "shoe.burned" else event.type == "card.dealt"
            self.results += event.type == "coup.result" and data["revision"] == 1
            self._changed.notify_all()

    def wait(self, when: Callable[[], bool], seconds: float) -> bool:
        """Wait until `when`, looked at after every event; False when the time is up."""
        with self._changed:
            return self._changed.wait_for(when, seconds)

    def close(self) -> None:
        """Look no more."""
        self._feed.stop()
        self._thread.join()
        self._feed.close()


class Player:
    """Plays scripts. `stop` ends it from another thread; `told` gets a line for people now and then.

    `held_up`: whether the dealer must wait before the next card.
    """

    def __init__(
        self,
        line: ShoeLine,
        decoder: Decoder,
        operator: Operator | None,
        table: Table | None,
        told: Callable[[str], None],
        held_up: Callable[[], bool] = lambda: False,
    ) -> None:
        self._line = line
        self._decoder = decoder
        self._operator = operator
        self._table = table
        self._told = told
        self._held_up = held_up
        self._stop = threading.Event()
        self._cards = 0
        self._begun = time.monotonic()
        self._late = 0.0

    def stop(self) -> None:
        """End the play."""
        self._stop.set()

    def play(self, script: Iterable[act.Action]) -> None:
        """Play to the end, or until `stop`."""
        self._begun = time.monotonic()
        for action in script:
            if self._stop.wait(max(0.0, self._begun + self._late + action.at_s - time.monotonic())):
                return
            self._one(action)

    def _one(self, action: act.Action) -> None:
        if isinstance(action, act.Send):
            self._send(action)
        elif isinstance(action, act.Operator):
            self._say(action)
        elif isinstance(action, act.Cable):
            (self._line.plug if action.state == "up" else self._line.unplug)()

    def _send(self, action: act.Send) -> None:
        self._wait(self._line.listened_to, "nobody listens to the shoe: the dealer waits")
        self._wait(lambda: not self._held_up(), "the dealer waits for the supervisor")
        if self._stop.is_set():
            return
        self._line.write(action.data)
        self._cards += sum(map(_is_card, self._decoder.feed(action.data, round(action.at_s * 1e6))))

    def _say(self, action: act.Operator) -> None:
        if self._operator is None:
            self._told(f"at the table: {action.verb} {action.args or ''} ({action.actor})")
            return
        self._look()
        while not self._stop.is_set():
            try:
                answer = self._operator.say(action.verb, action.actor, action.args)
            except Unanswered as error:
                self._told(str(error))
                continue
            if not answer.get("ok"):
                self._told(f"{action.verb}: refused: {answer.get('refused') or answer.get('error')}")
            return

    def _look(self) -> None:
        """Wait until the table has told of every card drawn so far."""
        table, cards = self._table, self._cards
        if table is None:
            return
        end = time.monotonic() + PATIENCE_S
        while not self._stop.is_set() and not table.wait(lambda: table.cards >= cards, LOOK_S):
            if time.monotonic() > end:
                self._told(f"the table has told of {table.cards} cards, {cards} were drawn")
                return

    def _wait(self, ready: Callable[[], bool], why: str) -> None:
        if ready():
            return
        began = time.monotonic()
        self._told(why)
        while not ready() and not self._stop.wait(LOOK_S):
            pass
        self._late += time.monotonic() - began


def _is_card(what: inp.DeviceInput) -> bool:
    if isinstance(what, inp.DeviceAlarm):
        return what.unread
    if isinstance(what, inp.FrameRejected):
        return what.card_like
    return isinstance(what, inp.CardRead | inp.CardUnread)
