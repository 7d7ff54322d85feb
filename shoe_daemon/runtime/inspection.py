"""What a person may see of a journal file, whether or not a daemon is writing it.

While a shoe is open, nothing that could bear a face which nobody at the table has seen is shown, unless two
persons asked for that shoe: the journal has that they did before anything is shown.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import msgspec

from shoe_daemon.runtime.house import House
from shoe_daemon.runtime.messages import Message, rfc3339
from shoe_daemon.runtime.resume import resume
from shoe_daemon.runtime.rows import JournalError, Reader, Row
from shoe_daemon.table.codec import decode_step
from shoe_daemon.table.events import AUDIENCES, SURVEILLANCE, AlarmRaised
from shoe_daemon.table.inputs import Command, Service

MASKED: Final = frozenset({"rx", "step", "state"})
"""Kinds of rows that can bear a face which nobody has seen, besides what surveillance is told at once."""


_SERVICE: Final = b'"input":"service"'
"""What the row of a start or a stop holds; few others do."""


class Stat(msgspec.Struct, frozen=True, rename={"begin": "from", "end": "to", "size": "bytes"}):
    """What a journal holds. `begin`, `end`: times of the first and the last row; `size`: its log too."""

    journal: str
    table: str
    begin: str
    end: str
    size: int
    rows: dict[str, int]
    tops: dict[str, int]
    cursors: dict[str, int]


class _OfShoe(msgspec.Struct):
    shoe: int | None


class _Face(msgspec.Struct):
    card: str | None


class _Drawn(msgspec.Struct):
    data: _Face


class Mask:
    """Which rows must not be shown, in their order, as the journal stands now.

    `bared`: the shoe that two persons asked for; it is shown although it is open, and none after it.
    `end`: position of the last row that is judged by it.
    """

    def __init__(self, journal: Reader, bared: int | None = None) -> None:
        self._journal = journal
        self.end = journal.end()
        table, views = resume(journal)
        hidden = table.shoe is not None and table.number != bared
        self._number = table.number if hidden else None
        self._top = views.views[SURVEILLANCE].seq

    @property
    def on(self) -> bool:
        """Whether anything is masked."""
        return self._number is not None

    def hides(self, row: Row) -> bool:
        """Whether `row`, none of messages, is masked."""
        return self.on and row.kind in MASKED

    @cached_property
    def tells_faces(self) -> bool:
        """Whether surveillance was told a face of the open shoe at the draw: the immediate policy."""
        return any(
            message.audience == SURVEILLANCE
            and message.type == "card.drawn"
            and _shoe_of(message) == self._number
            and msgspec.json.decode(message.body, type=_Drawn).data.card is not None
            for message in self._journal.told()
        )

    @property
    def counted(self) -> tuple[str, ...]:
        """Audiences whose sequence numbers may be shown."""
        return _counted(hidden=self.on)

    def hides_told(self, message: Message) -> bool:
        """Whether `message` is masked; a shoe loaded since the mask was made is an open one."""
        if message.audience != SURVEILLANCE:
            return False
        if message.seq > self._top and message.type == "shoe.loaded":
            self._number = _shoe_of(message)
        return self._number is not None and _shoe_of(message) == self._number


def _shoe_of(message: Message) -> int | None:
    return msgspec.json.decode(message.body, type=_OfShoe).shoe


def shown(
    journal: Reader, after: int = 0, kind: str | None = None, bared: int | None = None
) -> Iterator[dict[str, Any]]:
    """Rows above `after` as JSON can say them, messages one by one; only of `kind` where one is given.

    `bared`: the shoe that two persons asked for.
    """
    mask = Mask(journal, bared)
    for row in journal.rows(after):
        if row.kind == "told":
            shown_rows = _told(row, journal.messages_in(row.pos, row.body), mask)
        else:
            shown_rows = [_fields(row, hidden=mask.hides(row), counted=mask.counted)]
        if kind is None or row.kind == kind:
            yield from shown_rows


def _told(row: Row, messages: list[Message], mask: Mask) -> list[dict[str, Any]]:
    """Messages one by one; of those that are masked nothing at all, for their number may tell of a face."""
    return [
        {
            **_head(row),
            "audience": message.audience,
            "seq": message.seq,
            "body": msgspec.Raw(message.body),
        }
        for message in messages
        if not mask.hides_told(message)
    ]


def _fields(row: Row, *, hidden: bool, counted: tuple[str, ...]) -> dict[str, Any]:
    fields = _head(row)
    if row.key is not None:
        fields["key"] = row.key
    seqs = zip(AUDIENCES, row.seqs, strict=True)
    fields |= {name: seq for name, seq in seqs if seq is not None and name in counted}
    if hidden:
        return {**fields, "body": "masked"}
    if row.kind == "rx":
        return {**fields, "body": row.body.hex()}
    return {**fields, "body": msgspec.Raw(row.body) if row.body else None}


def _head(row: Row) -> dict[str, Any]:
    return {"pos": row.pos, "kind": row.kind, "at": rfc3339(row.at)}


def last_house(journal: Reader) -> House:
    """The settings of the house as the daemon last started with them; the defaults where it never did."""
    house: dict[str, Any] = {}
    for row in journal.rows(0, ("step",)):
        if _SERVICE in row.body:
            what = decode_step(row.body).input
            if isinstance(what, Service) and what.state == "started":
                house = what.configured.get("house", {})
    return msgspec.convert(house, House)


def open_shoe(journal: Reader) -> int | None:
    """Number of the shoe that is open where the journal ends; None where none is."""
    table = resume(journal)[0]
    return None if table.shoe is None else table.number


def unmasked(journal: Reader, after: int, actor: str, args: dict[str, Any]) -> int | None:
    """Number of the shoe that `actor` asked for by `unmask` with `args`, above row `after`.

    None where the journal has no such command, or it was refused.
    """
    for row in journal.rows(after, ("step",)):
        step = decode_step(row.body)
        what = step.input
        if isinstance(what, Command) and (what.verb, what.actor, what.args) == ("unmask", actor, args):
            for event in step.events:
                if isinstance(event, AlarmRaised):
                    return event.shoe
    return None


def countable(path: Path) -> tuple[str, ...]:
    """Audiences whose numbers of messages may be told of the journal at `path`.

    While a shoe is open, or where that cannot be read, surveillance's may count a face that nobody has seen:
    under the immediate policy an alarm at the draw is a message of its own.
    """
    try:
        with closing(Reader(path)) as journal:
            hidden = open_shoe(journal) is not None
    except (JournalError, msgspec.MsgspecError):
        hidden = True
    return _counted(hidden=hidden)


def _counted(*, hidden: bool) -> tuple[str, ...]:
    return tuple(audience for audience in AUDIENCES if audience != SURVEILLANCE or not hidden)


def stat(journal: Reader) -> Stat:
    """Count what `journal` holds; of surveillance's messages as `countable` has it."""
    told = countable(journal.path)
    kinds: Counter[str] = Counter()
    last = journal.meta.created
    for row in journal.rows():
        kinds[row.kind] += 1
        last = max(last, row.at)
    return Stat(
        journal=journal.meta.journal,
        table=journal.meta.table,
        begin=rfc3339(journal.meta.created),
        end=rfc3339(last),
        size=_size(journal.path) + _size(journal.path.with_name(journal.path.name + "-wal")),
        rows=dict(kinds),
        tops={audience: journal.top(audience) for audience in told},
        cursors={
            f"{audience} {consumer}": seq
            for (audience, consumer), seq in journal.cursors().items()
            if audience in told
        },
    )


def _size(file: Path) -> int:
    """Bytes of a file; 0 where it is not there."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
