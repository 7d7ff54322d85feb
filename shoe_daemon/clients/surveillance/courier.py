"""One output's way: follow the feed from the cursor, deliver, and only then move the cursor.

What was delivered and not yet in the cursor when this process is killed is delivered again: at most as many
events as the output is given at once. Nothing is passed over.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final, TypeVar

import msgspec
import structlog

from shoe_daemon.clients.events import describe
from shoe_daemon.clients.operator import Unanswered
from shoe_daemon.clients.sequence import Item, Live, NewJournal, Rejected, Stale
from shoe_daemon.clients.subscriber import ClientKeys, Subscriber
from shoe_daemon.clients.surveillance.cursor import Cursor
from shoe_daemon.clients.surveillance.output import Output, Undelivered
from shoe_daemon.clients.surveillance.section import Section
from shoe_daemon.clients.told import Told, decode
from shoe_daemon.clients.wire import Event
from shoe_daemon.runtime.threads import in_thread

T = TypeVar("T")

TURN_S: Final = 0.2
_PAUSE_S: Final = (0.1, 5.0)
_ASK_AGAIN_S: Final = 1.0


class Feed(msgspec.Struct, frozen=True):
    """Where surveillance is told: its PUB, its ROUTER, and the table, or None for whichever is there.

    `keys` where the daemon asks for some.
    """

    pub: str
    router: str
    table: str | None
    keys: ClientKeys | None = None

    def follow(self, journal: str, after: int) -> Subscriber:
        """What is told after event `after` of `journal`."""
        return Subscriber(
            self.pub,
            self.router,
            "surveillance",
            table=self.table,
            after=after,
            journal=journal,
            keys=self.keys,
        )


class Courier:
    """Carries the feed to one output, until `stop`."""

    def __init__(self, name: str, feed: Feed, section: Section, output: Output) -> None:
        self._feed = feed
        self._section = section
        self._output = output
        self._cursor = Cursor(feed.router, name, feed.keys)
        self._stopping = asyncio.Event()
        self._journal = ""
        self._done = 0
        self._kept = 0
        self._pause = _PAUSE_S[0]
        self._log = structlog.get_logger("surveillance").bind(output=name)

    def stop(self) -> None:
        """End soon: what is being delivered still may be."""
        self._stopping.set()

    async def run(self) -> None:
        """Carry on until `stop`; a failure of the peer or of the feed ends nothing."""
        try:
            journal = await self._answer(self._cursor.journal)
            if journal is None or not await self._at(journal):
                return
            with self._feed.follow(self._journal, self._done) as feed:
                while not self._stopping.is_set():
                    await self._take(await _uncut(partial(feed.poll, TURN_S)))
                    await self._keep()
        finally:
            await _uncut(self._cursor.close)
            await self._output.close()

    async def _at(self, journal: str) -> bool:
        """Go on where the cursor is in `journal`; False where it is time to stop."""
        place = await self._answer(partial(self._cursor.read, journal))
        if place is None:
            return False
        self._journal, self._done, self._kept = journal, place, place
        self._log.info("following", after=place)
        return True

    async def _take(self, items: Sequence[Item]) -> None:
        """Carry the events among `items`, and log what else there is to know; no event is in the log."""
        events: list[Event] = []
        for item in items:
            match item:
                case Event():
                    events.append(item)
                case Live():
                    self._log.info("the feed is live")
                case NewJournal():
                    await self._carry(events)
                    # Where its successor goes on is asked when its first event comes.
                    events, self._journal, self._done, self._kept = [], "", 0, 0
                    self._log.warning("the feed", said=describe(item))
                case Stale() | Rejected():
                    self._log.warning("the feed", said=describe(item))
                case _:
                    pass
        await self._carry(events)

    async def _carry(self, events: Sequence[Event]) -> None:
        """Deliver what of `events`, of one journal, is not done with, as many at once as the output takes."""
        if not events or (events[0].journal != self._journal and not await self._at(events[0].journal)):
            return
        left = [event for event in events if event.seq > self._done]
        while left and not self._stopping.is_set():
            some, left = left[: self._output.most], left[self._output.most :]
            wanted = [decode(event.raw) for event in some if self._section.wants(event.type)]
            if await self._deliver(wanted):
                self._done = some[-1].seq
            await self._keep()

    async def _deliver(self, wanted: Sequence[Told]) -> bool:
        """Deliver all, however long it takes; False where it is time to stop."""
        while wanted := self._timely(wanted):
            try:
                await self._output.deliver(wanted)
            except Undelivered as failed:
                self._log.warning("not delivered: trying again", reason=str(failed))
                if failed.done:
                    self._done, wanted = wanted[failed.done - 1].seq, wanted[failed.done :]
                    await self._keep()
                if not await self._rested():
                    return False
            else:
                if self._pause > _PAUSE_S[0]:
                    self._log.info("delivered")
                self._pause = _PAUSE_S[0]
                return True
        return True

    def _timely(self, wanted: Sequence[Told]) -> Sequence[Told]:
        """What is not too old for this output."""
        if self._section.skip_older_s is None:
            return wanted
        oldest = datetime.now(UTC) - timedelta(seconds=self._section.skip_older_s)
        timely = [told for told in wanted if datetime.fromisoformat(told.at) >= oldest]
        if len(timely) < len(wanted):
            self._log.warning("passed over: too old for this output", events=len(wanted) - len(timely))
        return timely

    async def _keep(self) -> None:
        """Move the cursor to what is done. A daemon that does not answer is asked again at the next turn."""
        if self._done == self._kept:
            return
        try:
            self._kept = await _uncut(partial(self._cursor.keep, self._journal, self._done))
        except Unanswered as error:
            self._log.warning("the cursor was not kept: trying again", reason=str(error))

    async def _answer(self, ask: Callable[[], T]) -> T | None:
        """What the daemon answers, once it does; None where it is time to stop."""
        while not self._stopping.is_set():
            try:
                return await _uncut(ask)
            except Unanswered as error:
                self._log.warning("the feed does not answer: asking again", reason=str(error))
                await self._waited(_ASK_AGAIN_S)
        return None

    async def _rested(self) -> bool:
        """Wait before the next try, longer each time; False where it is time to stop."""
        await self._waited(self._pause)
        self._pause = min(2 * self._pause, _PAUSE_S[1])
        return not self._stopping.is_set()

    async def _waited(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)


async def _uncut(call: Callable[[], T]) -> T:
    """Give what `call` gives, from a thread; one that is cancelled waits for it all the same.

    It takes a bounded time, and what it uses is closed after it.
    """
    running = asyncio.ensure_future(in_thread(call))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait({running})
        raise
