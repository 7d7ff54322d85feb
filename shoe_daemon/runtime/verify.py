"""Whether a journal is whole: every column of every row against the chain, and what messages say against it.

The chain shows every change inside the account, but whoever writes the file anew can make another. That takes
the signatures of its checkpoints, and the public key. What neither can show is that rows are missing at the
very end, or the file was put back as it once was: that takes a witness, who was told of later checkpoints.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec

from shoe_daemon.runtime.checkpoint import decode
from shoe_daemon.runtime.merkle import Tree
from shoe_daemon.runtime.rows import (
    CHECKPOINTS_SCHEMA,
    FIRST_HASH,
    KINDS,
    SALT_SIZE,
    TABLES,
    Meta,
    connect_reader,
    digest,
    leaf_of,
)
from shoe_daemon.runtime.signing import is_signed
from shoe_daemon.runtime.witness import Witness
from shoe_daemon.table.events import AUDIENCES

_TOLD_EVERY: Final = 512
"""Rows from one word of progress to the next."""
_ROWS: Final = "SELECT pos, kind, at, key, public, surveillance, cage, body, salt, hash FROM row ORDER BY pos"


class VerifyReport(msgspec.Struct, frozen=True):
    """What was found. `bad`: position of the first bad row, None where the fault lies in no row.

    `covered`: the last row that a checkpoint covers, whole as far as it was read, 0 where none does.
    """

    ok: bool
    rows: int
    bad: int | None
    why: str | None
    journal: str | None
    table: str | None
    head: str | None
    kinds: dict[str, int]
    tops: dict[str, int]
    covered: int
    signatures: str


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
    """The account so far, row by row. `keys`: public keys, hex; without one no signature is checked."""

    def __init__(self, keys: Collection[str] = (), witness: Witness | None = None) -> None:
        self.keys = keys
        self.witness = witness
        self.covered = 0
        self.tree = Tree()
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
        self._witnessed(pos, kind, covered[-1])
        self.tree.add(leaf_of(salt, covered))
        self.rows, self.head = pos, stored
        self.kinds[str(kind)] += 1

    def _witnessed(self, pos: int, kind: str, body: bytes) -> None:
        """Hold the row against what a witness was told to be there."""
        if self.meta is None or not self.witness:
            return
        told = self.witness.get((self.meta.journal, pos))
        if told is not None and (kind, told) != ("checkpoint", body):
            raise _FaultError("it is not the checkpoint that the witness was told of", pos)

    def at_the_end(self, meta: Meta) -> None:
        """Hold the end of the account against what the witness was told. Raises _FaultError."""
        if self.witness is None:
            return
        last = max((row for journal, row in self.witness if journal == meta.journal), default=0)
        if not last:
            raise _FaultError("the witness was told of no checkpoint of this journal")
        if last > self.rows:
            cut = self.rows + 1
            raise _FaultError(f"rows {cut} to {last} are missing: the witness was told of row {last}", cut)

    def layout(self, meta: Meta) -> int:
        """The layout that the file must bear: that of its first row, until there is a checkpoint."""
        return max(meta.schema, CHECKPOINTS_SCHEMA if self.kinds["checkpoint"] else 0)

    def signatures(self, *, ok: bool) -> str:
        """What is known of signatures, in words."""
        made = self.kinds["checkpoint"]
        if not self.keys:
            how = "name the key with --public-key" if made else "the journal holds none"
            return f"signatures were not checked: {how}"
        after = self.rows - self.covered - (1 if made else 0)
        tail = f"; {after} after the last checkpoint are not signed yet" if ok and after else ""
        return f"{made} good, over rows 1 to {self.covered}{tail}" if made else "none"

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
        pos, kind, at, _, *seqs, body = covered
        if kind not in KINDS:
            raise _FaultError(f"unknown kind {kind!r}", pos)
        if (kind == "meta") != (pos == 1):
            raise _FaultError("the first row, and no other, says which journal this is", pos)
        try:
            if kind == "meta":
                self.meta = msgspec.json.decode(body, type=Meta)
            elif kind == "told":
                self._told(pos, seqs, [_envelope(line) for line in body.split(b"\n")])
            elif kind == "checkpoint":
                self._checkpoint(pos, at, body)
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

    def _checkpoint(self, pos: int, at: int, body: bytes) -> None:
        said = decode(body)
        first = self.rows - self.tree.size + 1
        if (said.first, said.last, said.at) != (first, self.rows, at):
            what = f"it covers rows {said.first} to {said.last}, made at {said.at}"
            raise _FaultError(f"{what}, not {first} to {self.rows} at {at}", pos)
        if said.head != self.head.hex() or said.root != self.tree.root().hex():
            raise _FaultError(f"it was made of other rows than {first} to {self.rows}: one was changed", pos)
        if self.keys and said.key not in self.keys:
            raise _FaultError(f"it is signed by the key {said.key}, which is none of those named", pos)
        meta = self.meta
        if self.keys and not (
            meta and is_signed(said.key, said.signature, said.statement(meta.journal, meta.table))
        ):
            raise _FaultError("its signature is not of this key, or of another checkpoint", pos)
        self.covered, self.tree = self.rows, Tree()


class _Utf8(bytes):
    """Text as it lies in the file, kept apart from blobs."""

    __slots__ = ()


def verify(
    path: Path,
    keys: Collection[str] = (),
    witness: Witness | None = None,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> VerifyReport:
    """Check the journal at `path`, in use or not. Raises JournalError where it is no journal at all.

    `keys`: public keys, hex, one of which must have signed each checkpoint. `witness`: checkpoints that must
    be there. `progress` is told rows done and rows there are, now and then.
    """
    walk = _Walk(keys, witness)
    db = connect_reader(path, damaged=True)
    db.text_factory = _Utf8
    wrong: _FaultError | None = None
    try:
        _check(db, walk, progress)
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
        covered=walk.covered,
        signatures=walk.signatures(ok=wrong is None),
    )


def _check(db: sqlite3.Connection, walk: _Walk, progress: Callable[[int, int], None]) -> None:
    """Read one state of the file to its end. Raises _FaultError, sqlite3.Error."""
    db.execute("BEGIN")
    rows = _rows(db)
    for columns in db.execute(_ROWS):
        walk.row(columns)
        if walk.rows % _TOLD_EVERY == 0:
            progress(walk.rows, rows)
    if walk.meta is None:
        raise _FaultError("it holds no row")
    if _layout(db) != _expected_layout():
        raise _FaultError("its tables and indexes are not those of a journal")
    if db.execute("PRAGMA user_version").fetchone()[0] != walk.layout(walk.meta):
        raise _FaultError("its layout version was changed")
    said = _plain(db.execute("PRAGMA integrity_check(1)").fetchone()[0])
    if said != "ok":
        raise _FaultError(f"the file is damaged: {said}")
    if walk.keys and not walk.kinds["checkpoint"]:
        raise _FaultError("it holds no checkpoint: nothing in it is signed")
    walk.at_the_end(walk.meta)


def _rows(db: sqlite3.Connection) -> int:
    """How many rows there are, by the last one; 0 where a damaged file does not say."""
    try:
        return int(db.execute("SELECT max(pos) FROM row").fetchone()[0] or 0)
    except sqlite3.Error:
        return 0


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
