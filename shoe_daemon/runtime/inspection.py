"""What a person may see of a journal file, whether or not a daemon is writing it.

While a shoe is open, nothing that could bear a face which nobody at the table has seen is shown.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from shoe_daemon.runtime.messages import rfc3339
from shoe_daemon.runtime.resume import resume
from shoe_daemon.runtime.rows import Reader, Row
from shoe_daemon.table.events import AUDIENCES, PUBLIC, SURVEILLANCE

MASKED: Final = frozenset({"rx", "step", "state"})
"""Kinds of rows that can bear a face which nobody has seen, besides what surveillance is told at once."""
_LOADED: Final = "/shoe.loaded/"


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


class _Mask:
    """Which rows must not be shown, in their order; `number` is that of the open shoe, or None."""

    def __init__(self, journal: Reader) -> None:
        table, views = resume(journal)
        self._number = table.number if table.shoe is not None else None
        self._top = views.views[SURVEILLANCE].seq

    def hides(self, row: Row) -> bool:
        """Whether `row` is masked; a shoe loaded since the mask was made is an open one."""
        told = row.kind == "message" and row.audience == SURVEILLANCE
        if told and (row.seq or 0) > self._top and (row.key or "").endswith(_LOADED):
            self._number = _shoe_of(row)
        if self._number is None:
            return False
        return row.kind in MASKED or (told and _shoe_of(row) == self._number)


def _shoe_of(row: Row) -> int | None:
    return msgspec.json.decode(row.body, type=_OfShoe).shoe


def shown(journal: Reader, after: int = 0, kind: str | None = None) -> Iterator[dict[str, Any]]:
    """Rows above `after` as JSON can say them, only of `kind` where one is given."""
    mask = _Mask(journal)
    for row in journal.rows(after):
        hidden = mask.hides(row)
        if kind is None or row.kind == kind:
            yield _fields(row, hidden=hidden)


def _fields(row: Row, *, hidden: bool) -> dict[str, Any]:
    fields: dict[str, Any] = {"pos": row.pos, "kind": row.kind, "at": rfc3339(row.at)}
    optional = {name: getattr(row, name) for name in ("audience", "seq", "key")}
    fields |= {name: value for name, value in optional.items() if value is not None}
    if hidden:
        return {**fields, "body": "masked"}
    if row.kind == "rx":
        return {**fields, "body": row.body.hex()}
    return {**fields, "body": msgspec.Raw(row.body) if row.body else None}


def open_shoe(journal: Reader) -> bool:
    """Whether a shoe is open where the journal ends."""
    return resume(journal)[0].shoe is not None


def coup_told(journal: Reader, shoe: int, coup: int) -> tuple[tuple[dict[str, Any], ...], bool]:
    """What surveillance was told of a coup, or the public (True) unless its shoe is closed."""
    table, _ = resume(journal)
    last = table.number or 0
    closed = shoe < last or (shoe == last and table.shoe is None)
    audience = SURVEILLANCE if closed else PUBLIC
    told = (
        msgspec.json.decode(row.body, type=dict[str, Any])
        for row in journal.rows(0, ("message",))
        if row.audience == audience
    )
    found = tuple(message for message in told if (message["shoe"], message["coup"]) == (shoe, coup))
    return found, not closed


def stat(journal: Reader) -> Stat:
    """Count what `journal` holds."""
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
        tops={audience: journal.top(audience) for audience in AUDIENCES},
        cursors={f"{audience} {consumer}": seq for (audience, consumer), seq in journal.cursors().items()},
    )


def _size(file: Path) -> int:
    """Bytes of a file; 0 where it is not there."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
