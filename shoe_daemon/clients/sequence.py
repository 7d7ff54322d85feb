"""Every event of one audience once and in order, whatever the network does: the algorithm, without sockets.

PUB may lose anything and says nothing about it, so its rows are only taken when they are next. All else is
asked for at the ROUTER. Each question asks for the last known row again: the answer then proves that the
journal behind the ROUTER is still the one whose rows came before. Only an answer changes the journal, since
an old row may linger in a socket's queue long after its journal is gone.

Times are seconds of any clock that never goes back, given in by the caller.
"""

import math
from typing import Final, Literal

import msgspec

from shoe_daemon.clients.wire import HEARTBEAT, Event, Row, event_of, read_row
from shoe_daemon.runtime import ulid

STALE_AFTER: Final = 3.0
ANSWER_WITHIN: Final = 2.0
RETRY_AFTER: Final = 1.0
REOPEN_AFTER: Final = 6.0
ROWS_A_QUESTION: Final = 500
ROWS_HELD: Final = 5_000


class Gap(msgspec.Struct, frozen=True):
    """Rows after `after` were missed and are being asked for; the feed has come to `top`."""

    after: int
    top: int


class NewJournal(msgspec.Struct, frozen=True):
    """The history known so far is lost; events begin at 1 again. `journal` is None while it is empty."""

    journal: str | None
    reason: Literal["other_journal", "shorter_journal"]


class Live(msgspec.Struct, frozen=True):
    """The feed beats, and all that it has told is here."""


class Stale(msgspec.Struct, frozen=True):
    """For three seconds nothing was heard (`silent`), or what was heard has not been caught up (`behind`)."""

    reason: Literal["silent", "behind"]


class Answered(msgspec.Struct, frozen=True):
    """A question was answered in full; the feed had come to `top` then."""

    top: int


class Rejected(msgspec.Struct, frozen=True):
    """Frames that are none of the feed's were passed over."""

    where: Literal["pub", "router"]
    reason: str


class Unanswered(msgspec.Struct, frozen=True):
    """A question had no answer in time (`error` None; told once) or was refused; it is asked again."""

    error: str | None


Notice = Gap | NewJournal | Live | Stale | Answered | Rejected | Unanswered
Item = Event | Notice


class _Answer(msgspec.Struct):
    id: str
    top: int | None = None
    error: str | None = None


class _Question(msgspec.Struct):
    """The question that is out. `known` was the last row when it was asked; `rows` have come since."""

    id: str
    known: int
    deadline: float
    rows: int = 0
    moved: bool = False


class Sequencer:
    """One audience of one feed, continued after row `after` of `journal` (16 bytes; None: whichever it is).

    Give it what PUB sends (`heard`) and ROUTER answers (`answered`), call `tick` when `due`, send what
    `question` returns. `reopen_pub` and `reopen_router` ask for a new socket and are cleared by the caller.
    """

    def __init__(
        self, audience: str, table: str | None, after: int, journal: bytes | None, now: float
    ) -> None:
        self.audience: Final = audience
        self.table: Final = table
        self.journal = journal
        self.last = after
        self.reopen_pub = False
        self.reopen_router = False
        self._top = after
        self._held: dict[tuple[bytes, int], Row] = {}
        self._foreign: bytes | None = None
        self._wanted = True
        self._out: _Question | None = None
        self._asked = 0
        self._not_before = now
        self._live: bool | None = None
        self._current_at = now
        self._heard_at = -math.inf
        self._reopen_at = now + REOPEN_AFTER
        self._unanswered = False

    def heard(self, frames: list[bytes], now: float) -> list[Item]:
        """Take one message of the PUB socket."""
        row = self._row(frames)
        if isinstance(row, str):
            return [Rejected("pub", row)]
        self._heard_at = now
        self._reopen_at = now + REOPEN_AFTER
        beat = row.kind == HEARTBEAT
        if self.journal is None:
            self._hold(row, beat=beat)
            self._wanted = self._wanted or row.seq > 0
            return self._freshness(now) if row.seq == 0 else []
        if row.journal != self.journal:
            self._foreign = row.journal
            self._wanted = True
            return []
        self._top = max(self._top, row.seq)
        if beat and row.seq < self.last:
            self._wanted = True  # an old beat, or an older copy of the journal: the answer tells
        items = [] if beat else self._take(row, "pub")
        if self._top > self.last and not self._wanted and self._out is None:
            items.append(Gap(self.last, self._top))
            self._wanted = True
        return items + self._freshness(now)

    def answered(self, frames: list[bytes], now: float) -> list[Item]:
        """Take one message of the ROUTER: a row, or the end of an answer."""
        if self._out is None:
            return [Rejected("router", "an answer that was not asked for")]
        if len(frames) == 1:
            return self._end(self._out, frames[0], now)
        row = self._row(frames)
        if isinstance(row, str) or row.kind == HEARTBEAT:
            return [Rejected("router", row if isinstance(row, str) else "a heartbeat")]
        self._out.deadline = now + ANSWER_WITHIN
        self._out.rows += 1
        items = self._adopt(row.journal) if row.journal != self.journal else []
        self._top = max(self._top, row.seq)
        return items + self._take(row, "router")

    def question(self, now: float) -> bytes | None:
        """Give the request to send now, if one is wanted and none is out."""
        if self._out is not None or not self._wanted or now < self._not_before:
            return None
        self._asked += 1
        self._wanted = False
        self._out = _Question(str(self._asked), self.last, now + ANSWER_WITHIN)
        request = {"id": self._out.id, "after": max(self.last - 1, 0), "limit": ROWS_A_QUESTION}
        return msgspec.json.encode(request)

    def tick(self, now: float) -> list[Item]:
        """Take note of the time: of an answer that is overdue, of silence."""
        items: list[Item] = []
        if self._out is not None and now >= self._out.deadline:
            self._out = None
            self._wanted = True
            self.reopen_router = True
            if not self._unanswered:
                items.append(Unanswered(None))
            self._unanswered = True
        if self._live is not False and now - self._current_at >= STALE_AFTER:
            self._live = False
            items.append(Stale("silent" if now - self._heard_at >= STALE_AFTER else "behind"))
        if now >= self._reopen_at:
            self._reopen_at = now + REOPEN_AFTER
            self._wanted = True
            self.reopen_pub = True
        return items

    def due(self) -> float:
        """Tell when `tick` or `question` has something to do, if nothing is heard before."""
        times = [self._reopen_at]
        if self._out is not None:
            times.append(self._out.deadline)
        elif self._wanted:
            times.append(self._not_before)
        if self._live is not False:
            times.append(self._current_at + STALE_AFTER)
        return min(times)

    def _row(self, frames: list[bytes]) -> Row | str:
        """Give the row in `frames`, or why there is none of ours."""
        try:
            row = read_row(frames)
        except ValueError as error:
            return str(error)
        if row.audience != self.audience or row.table != (self.table or row.table):
            return "another audience or table"
        return row

    def _hold(self, row: Row, *, beat: bool) -> None:
        """Keep a row for later; a full store loses it, and it is asked for again."""
        if not beat and len(self._held) < ROWS_HELD:
            self._held[row.journal, row.seq] = row

    def _take(self, row: Row, where: Literal["pub", "router"]) -> list[Item]:
        """Give the event of `row` and what follows it, if it is next."""
        if row.seq <= self.last:
            return []
        if row.seq > self.last + 1:
            self._hold(row, beat=False)
            return []
        try:
            event = event_of(row)
        except ValueError as error:
            return [Rejected(where, str(error))]
        self.last = row.seq
        return [event, *self._drain()]

    def _drain(self) -> list[Item]:
        """Give the events that are held and next."""
        items: list[Item] = []
        while self.journal is not None and (row := self._held.pop((self.journal, self.last + 1), None)):
            try:
                items.append(event_of(row))
            except ValueError as error:
                return [*items, Rejected("pub", str(error))]
            self.last += 1
        self._held = {key: row for key, row in self._held.items() if key[1] > self.last}
        return items

    def _adopt(self, journal: bytes) -> list[Item]:
        """Take the journal that an answer shows: as ours if none was known, else as a new one."""
        items: list[Item] = []
        if self.journal is not None:
            items = self._start_over(journal, "other_journal")
        self.journal = journal
        self._held = {key: row for key, row in self._held.items() if key[0] == journal}
        self._top = max([self.last, *(seq for _, seq in self._held)])
        return items + self._drain()

    def _start_over(
        self, journal: bytes | None, reason: Literal["other_journal", "shorter_journal"]
    ) -> list[Item]:
        """Forget what is known: rows begin at 1 again."""
        self.journal = None
        self.last = 0
        self._top = 0
        self._wanted = True
        self._foreign = None
        if self._out is not None:
            self._out.moved = True
        return [NewJournal(ulid.to_text(journal) if journal else None, reason)]

    def _end(self, out: _Question, frame: bytes, now: float) -> list[Item]:
        """Close the question that is out, and see what is still missing."""
        try:
            answer = msgspec.json.decode(frame, type=_Answer)
        except msgspec.DecodeError as error:
            return [Rejected("router", str(error))]
        if answer.id != out.id or (answer.top is None and answer.error is None):
            return [Rejected("router", "an answer to another question")]
        foreign, self._out, self._unanswered = self._foreign, None, False
        if answer.top is None:
            self._not_before = now + RETRY_AFTER
            self._wanted = True
            again = self._start_over(foreign, "other_journal") if foreign and out.rows == 0 else []
            return [Unanswered(answer.error), *again]
        if out.rows == 0 and (answer.top < out.known or (foreign and answer.top == out.known == 0)):
            return self._start_over(foreign, "other_journal" if foreign else "shorter_journal")
        if foreign and not out.moved:
            self._not_before = now + RETRY_AFTER
        self._foreign = None
        self._missing(out, answer.top, now)
        return [Answered(answer.top), *self._freshness(now)]

    def _missing(self, out: _Question, top: int, now: float) -> None:
        """After an answer: ask on, later if it brought nothing, and believe it about the top."""
        if self.last > out.known or out.moved:
            self._top = max(self._top, top)
        else:
            self._top = max(top, self.last)
            self._held.clear()
            if self.last < self._top:
                self._not_before = now + RETRY_AFTER
        self._wanted = self._wanted or self.last < self._top

    def _freshness(self, now: float) -> list[Item]:
        """Live is: heard of late, and nothing known to be missing."""
        known = self.journal is not None or self.last == 0
        if not known or self.last < self._top or now - self._heard_at >= STALE_AFTER:
            return []
        self._current_at = now
        if self._live:
            return []
        self._live = True
        return [Live()]
