"""Plays a script at a running table: bytes down the shoe's line, commands to control, at a human pace.

The dealer looks before speaking: a command waits until the table has told of every card drawn before it, so
that two wires never change places; and what follows a coup waits until the table has told how it ended.
Nobody at the other end: the shoe waits, as a dealer would not draw; and a card that left while the reader was
dying, of which nothing is told, is drawn once more.
"""

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from drivers import Decoder
from drivers import script as act
from drivers.resending import Resending
from shoe_daemon.clients.operator import Operator, Unanswered
from shoe_daemon.clients.sequence import Answered
from shoe_daemon.clients.shoe_line import ShoeLine
from shoe_daemon.clients.subscriber import Subscriber
from shoe_daemon.clients.wire import Event
from shoe_daemon.table.inputs import draws

LOOK_S: Final = 0.02
PATIENCE_S: Final = 20.0
REMEMBERED: Final = 64


class Table:
    """What surveillance is told of the table, followed in a thread; `seen` gets every event.

    `cards`: how many left the shoe, burned ones once their burn is complete. `results`: coups with one.
    `under_way`: a coup has begun of which no end was told.
    `linked`: the shoe's line is open; `ups`: how often it was opened. `live`: what was told before is here.
    """

    def __init__(self, feed: Subscriber, seen: Callable[[Event], None] = lambda _: None) -> None:
        self._feed = feed
        self._seen = seen
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self.cards = 0
        self.results = 0
        self.under_way = False
        self._ended: tuple[object, object] = (None, None)
        self._reclassified = False
        self.ups = 0
        self.linked = False
        self.live = False
        self._thread.start()

    def _follow(self) -> None:
        for item in self._feed:
            if isinstance(item, Event):
                self._take(item)
                self._seen(item)
            elif isinstance(item, Answered) and not self.live:
                with self._changed:
                    self.live = self._feed.last >= item.top
                    self._changed.notify_all()

    def _take(self, event: Event) -> None:
        message = event.message()
        data, key = message["data"], (message["shoe"], message["coup"])
        with self._changed:
            if event.type == "shoe.burned":
                self.cards += 0 if self._reclassified else data["count"]  # those were told as drawn
                self._reclassified = False
            elif event.type == "card.drawn":
                self.cards += 1
                self.under_way = key != self._ended
            elif event.type in {"coup.result", "coup.void", "coup.pending"}:
                self.results += data.get("revision") == 1
                self._reclassified = data.get("reason") == "burned"
                self.under_way, self._ended = False, key
            elif event.type == "device.link":
                self.linked = data["state"] in {"up", "gap"}
                self.ups += data["state"] == "up"
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

    A shoe that is asked for a frame again sends it (`again`). `held_up`: whether the dealer must wait before
    the next card or word.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - a shoe, a dealer and what each of them sees
        self,
        line: ShoeLine,
        decoder: Decoder,
        operator: Operator | None,
        table: Table | None,
        told: Callable[[str], None],
        held_up: Callable[[], bool] = lambda: False,
        again: Resending | None = None,
    ) -> None:
        self._line = line
        self._decoder = decoder
        self._operator = operator
        self._table = table
        self._told = told
        self._held_up = held_up
        self._again = again
        self._stop = threading.Event()
        self._drawn: deque[bytes] = deque(maxlen=REMEMBERED)
        self._cards = 0
        self._burn_end = 0
        self._ups = 0
        self._unplugged = False
        self._begun = time.monotonic()
        self._late = 0.0

    def stop(self) -> None:
        """End the play."""
        self._stop.set()

    def play(self, script: Iterable[act.Action]) -> None:
        """Play to the end, or until `stop`."""
        if self._table is not None:
            while not self._stop.is_set() and not self._table.wait(self._is_live, LOOK_S):
                pass
            self._cards, self._ups = self._table.cards, self._table.ups
        self._begun = time.monotonic()
        for action in script:
            if not self._pause(action.at_s):
                return
            self._one(action)

    def _pause(self, at_s: float) -> bool:
        """Wait until `at_s` of the script, watching who listens; False where the play is to end."""
        while (left := self._begun + self._late + at_s - time.monotonic()) > 0:
            self._stop.wait(min(left, LOOK_S))
            self._listened_to()
            self._sends_again()
            if self._stop.is_set():
                return False
        return not self._stop.is_set()

    def _is_live(self) -> bool:
        return self._table is None or self._table.live

    def _one(self, action: act.Action) -> None:
        if isinstance(action, act.Send):
            self._send(action)
        elif isinstance(action, act.Operator):
            self._say(action)
        elif isinstance(action, act.Cable):
            self._unplugged = action.state == "down"
            (self._line.unplug if self._unplugged else self._line.plug)()
        elif isinstance(action, act.NewShoe):
            self._burn_end = self._cards + action.burned
        else:
            self._look(over=True)

    # -- the shoe --------------------------------------------------------------------------------------

    def _send(self, action: act.Send) -> None:
        if self._unplugged:
            return
        self._ready()
        if self._stop.is_set():
            return
        cards = sum(map(draws, self._decoder.feed(action.data, round(action.at_s * 1e6))))
        self._cards += cards
        self._drawn.extend([action.data] * cards)
        self._write(action.data)
        if self._again is not None:
            self._again.sent(action.data)

    def _sends_again(self) -> None:
        """Hear what the reader says, and send what it asks for."""
        heard = self._line.heard()
        for frame in self._again.asked(heard) if self._again is not None else ():
            self._write(frame)

    def _write(self, data: bytes) -> None:
        try:
            self._line.write(data)
        except BrokenPipeError as error:  # the reader went this instant: what was lost is drawn again
            self._told(str(error))

    def _ready(self) -> None:
        """Wait until somebody listens and nothing holds the dealer up; then draw again what was lost."""
        table, began, said = self._table, time.monotonic(), ""
        while not self._stop.is_set() and (why := self._waits_for()):
            if why != said:
                self._told(why)
            said = why
            self._stop.wait(LOOK_S)
        if said:
            self._late += time.monotonic() - began
        if table is not None and table.ups != self._ups and not self._stop.is_set():
            self._ups = table.ups
            self._draw_again(table)

    def _waits_for(self) -> str:
        """What the dealer waits for, in words; empty: nothing."""
        table = self._table
        if not self._listened_to():
            return "nobody listens to the shoe: the dealer waits"
        if table is not None and not table.linked:
            return "the table has not told yet that it listens: the dealer waits"
        return "the dealer waits for the supervisor" if self._held_up() else ""

    def _listened_to(self) -> bool:
        """Whether somebody listens; after a time without, the table must tell of the next opening first."""
        listened = self._line.listened_to()
        if not listened and self._table is not None:
            self._table.linked = False
        return listened

    def _draw_again(self, table: Table) -> None:
        """Draw the cards again that reached nobody; of a burn nothing is told before its end."""
        lost = self._cards - table.cards
        if lost <= 0 or table.cards < self._burn_end or lost > len(self._drawn):
            return
        self._told(f"drawn again, as they reached nobody: {lost} cards")
        for data in list(self._drawn)[-lost:]:
            self._write(data)

    # -- the dealer ------------------------------------------------------------------------------------

    def _say(self, action: act.Operator) -> None:
        if self._operator is None:
            self._told(f"at the table: {action.verb} {action.args or ''} ({action.actor})")
            return
        self._wait_held()
        self._look()
        key = secrets.token_hex(8)  # the same each time, so that it is carried out once
        while not self._stop.is_set():
            try:
                answer = self._operator.say(action.verb, action.actor, action.args, key=key)
            except Unanswered as error:
                self._told(str(error))
                continue
            if answer.get("ok"):
                self._cards += action.verb == "enter"
            else:
                self._told(f"{action.verb}: refused: {answer.get('refused') or answer.get('error')}")
            return

    def _look(self, *, over: bool = False) -> None:
        """Wait until the table has told of every card drawn so far; `over`: of the coup's end too."""
        table, cards = self._table, self._cards
        if table is None:
            return

        def told() -> bool:
            return table.cards >= cards and not (over and table.under_way)

        end = time.monotonic() + PATIENCE_S
        while not self._stop.is_set() and not table.wait(told, LOOK_S):
            if not self._unplugged:
                self._ready()
            if time.monotonic() > end + self._late:
                of_end = ", and of no end of the coup" if over and table.under_way else ""
                self._told(f"the table has told of {table.cards} cards, {cards} were drawn{of_end}")
                return

    def _wait_held(self) -> None:
        """Wait while the dealer is held up."""
        while not self._stop.is_set() and self._held_up():
            self._stop.wait(LOOK_S)
