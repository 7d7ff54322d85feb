"""Whether a journal is whole: every column of every row against the chain, and what messages say against it.

The chain shows every change inside the account. It cannot show that rows are missing at the very end,
nor a file that was written anew as a whole: that takes signatures, which are not made here.
"""

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec

from shoe_daemon.runtime.rows import (
    FIRST_HASH,
    KINDS,
    SALT_SIZE,
    SCHEMA,
    TABLES,
    Meta,
    connect_reader,
    digest,
)
from shoe_daemon.table.events import AUDIENCES

_SIGNATURES: Final = "signatures were not checked: the journal holds none"
_ROWS: Final = "SELECT pos, kind, at, key, public, surveillance, cage, body, salt, hash FROM row ORDER BY pos"


class VerifyReport(msgspec.Struct, frozen=True):
    """What was found. `bad`: position of the first bad row, None where the fault lies in no row."""

    ok: bool
    rows: int
    bad: int | None
    why: str | None
    journal: str | None
    table: str | None
    head: str | None
    kinds: dict[str, int]
    tops: dict[str, int]
    signatures: str = _SIGNATURES


class _FaultError(Exception):
    """The first fault."""

    def __init__(self, why: str, pos: int | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.pos = pos


class _Envelope(msgspec.Struct):
    """What a message says of itself."""

    journal: str
    table: str
    audience: str
    seq: int
    type: str


_envelope = msgspec.json.Decoder(_Envelope).decode


class _Walk:
    """The account so far, row by row."""

    def __init__(self) -> None:
        self.rows = 0
        self.head = FIRST_HASH
        self.meta: Meta | None = None
        self.kinds: Counter[str] = Counter()
        self.tops = dict.fromkeys(AUDIENCES, 0)

    def row(self, columns: tuple[Any, ...]) -> None:
        """Take the next row, its texts as bytes. Raises _FaultError."""
        *content, salt, stored = columns
        pos = content[0]
        if pos != self.rows + 1:
            raise _FaultError(f"row {self.rows + 1} is missing", self.rows + 1)
        kind, key = (self._text(content[place], pos) for place in (1, 3))
        if not isinstance(salt, bytes) or len(salt) != SALT_SIZE:
            raise _FaultError(f"its salt is not {SALT_SIZE} bytes", pos)
        covered = (pos, kind, content[2], key, *content[4:])
        if digest(self.head, salt, covered) != stored:
            raise _FaultError("its hash does not fit: it or the hash before it was changed", pos)
        self._content(covered)
        self.rows, self.head = pos, stored
        self.kinds[str(kind)] += 1

    @staticmethod
    def _text(value: Any, pos: int) -> Any:  # noqa: ANN401 - a damaged file may hold any type in any column
        """Return a text column as the writer saw it; other types stay, and then break the hash."""
        if not isinstance(value, _Utf8):
            return value
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise _FaultError("one of its texts is no UTF-8", pos) from None

    def _content(self, covered: tuple[Any, ...]) -> None:
        pos, kind, _, _, *seqs, body = covered
        if kind not in KINDS:
            raise _FaultError(f"unknown kind {kind!r}", pos)
        if (kind == "meta") != (pos == 1):
            raise _FaultError("the first row, and no other, says which journal this is", pos)
        try:
            if kind == "meta":
                self.meta = msgspec.json.decode(body, type=Meta)
            elif kind == "told":
                self._told(pos, seqs, [_envelope(line) for line in body.split(b"\n")])
        except msgspec.MsgspecError as error:
            raise _FaultError(f"its body cannot be read: {error}", pos) from None

    def _told(self, pos: int, seqs: list[int | None], told: list[_Envelope]) -> None:
        last: dict[str, int] = {}
        for said in told:
            if said.audience not in self.tops:
                raise _FaultError(f"unknown audience {said.audience!r}", pos)
            top = self.tops[said.audience]
            if said.seq != top + 1:
                raise _FaultError(f"{said.audience}: seq {said.seq} where {top + 1} comes next", pos)
            if self.meta and (said.journal, said.table) != (self.meta.journal, self.meta.table):
                raise _FaultError(f"it is of journal {said.journal}, table {said.table}", pos)
            self.tops[said.audience] = last[said.audience] = said.seq
        if seqs != [last.get(audience) for audience in AUDIENCES]:
            raise _FaultError(f"it is kept as up to {seqs} but says {last}", pos)


class _Utf8(bytes):
    """Text as it lies in the file, kept apart from blobs."""

    __slots__ = ()


def verify(path: Path) -> VerifyReport:
    """Check the journal at `path`, in use or not. Raises JournalError where it is no journal at all."""
    walk = _Walk()
    db = connect_reader(path, damaged=True)
    db.text_factory = _Utf8
    wrong: _FaultError | None = None
    try:
        _check(db, walk)
    except sqlite3.Error as error:
        wrong = _FaultError(f"the file is damaged after row {walk.rows}: {error}", walk.rows + 1)
    except _FaultError as error:
        wrong = error
    finally:
        db.close()
    return VerifyReport(
        ok=wrong is None,
        rows=walk.rows,
        bad=wrong.pos if wrong else None,
        why=wrong.why if wrong else None,
        journal=walk.meta.journal if walk.meta else None,
        table=walk.meta.table if walk.meta else None,
        head=walk.head.hex() if walk.rows else None,
        kinds=dict(walk.kinds),
        tops=walk.tops,
    )


def _check(db: sqlite3.Connection, walk: _Walk) -> None:
    """Read one state of the file to its end. Raises _FaultError, sqlite3.Error."""
    db.execute("BEGIN")
    for columns in db.execute(_ROWS):
        walk.row(columns)
    if not walk.rows:
        raise _FaultError("it holds no row")
    if _layout(db) != _expected_layout():
        raise _FaultError("its tables and indexes are not those of a journal")
    if db.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
        raise _FaultError("its layout version was changed")
    said = _plain(db.execute("PRAGMA integrity_check(1)").fetchone()[0])
    if said != "ok":
        raise _FaultError(f"the file is damaged: {said}")


def _layout(db: sqlite3.Connection) -> list[tuple[str, ...]]:
    """Every table and index of the file, as it was declared."""
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").fetchall()
    return [tuple(map(_plain, row)) for row in rows]


def _expected_layout() -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in TABLES:
            db.execute(statement)
        return _layout(db)


def _plain(text: str | bytes | None) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
