"""What a row of the journal is, how it is chained, and how a journal file is read.

hash = SHA-256(hash of the row before ‖ salt ‖ msgpack [pos, kind, at, key, public, surveillance, cage,
body]), with 32 zero bytes before the first row. The salt, 16 random bytes a row, keeps a hash that
leaves the machine from telling a face. One table holds everything and is only appended to, so that
what the chain covers and what the file says are the same.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args
from urllib.parse import quote

import msgspec

from shoe_daemon.runtime.merkle import leaf
from shoe_daemon.runtime.messages import Message, pack, unpack
from shoe_daemon.table.events import AUDIENCES

SCHEMA: Final = 2
"""Newest layout of the file that this program knows."""
FIRST_SCHEMA: Final = 1
"""Layout of a file that is made, kept in `PRAGMA user_version`."""
CHECKPOINTS_SCHEMA: Final = 2
"""And from its first checkpoint on: what came before can be read by any program."""
APPLICATION: Final = 0x53484F45
"""`PRAGMA application_id` of a journal: "SHOE"."""
FIRST_HASH: Final = bytes(32)
SALT_SIZE: Final = 16

Kind = Literal["meta", "rx", "step", "told", "answer", "cursor", "state", "checkpoint"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

TABLES: Final = (
    """CREATE TABLE row (pos INTEGER PRIMARY KEY, kind TEXT NOT NULL, at INTEGER NOT NULL, key TEXT,
    public INTEGER, surveillance INTEGER, cage INTEGER,
    body BLOB NOT NULL, salt BLOB NOT NULL, hash BLOB NOT NULL) STRICT""",
    *(
        f"CREATE UNIQUE INDEX {name} ON row ({name}) WHERE kind = 'told' AND {name} IS NOT NULL"
        for name in AUDIENCES
    ),
    "CREATE INDEX answer ON row (key) WHERE kind = 'answer'",
    "CREATE INDEX cursor ON row (key, public, surveillance, cage) WHERE kind = 'cursor'",
    "CREATE INDEX state ON row (pos) WHERE kind = 'state'",
)
_PAGE: Final = 1000


Seqs = tuple[int | None, int | None, int | None]
"""A number of each audience, in the order of `AUDIENCES`."""
NONE: Final[Seqs] = (None, None, None)


class JournalError(Exception):
    """The journal cannot be opened, read or written; the text says which file, why, and what to do."""


class Row(msgspec.Struct, frozen=True):
    """One row. `at`: µs since 1970 UTC; `pos` counts from 1 in the file, 0 before the row is stored.

    rx: bytes from the shoe. step: an input with its events. told: the messages of a step, a line of JSON
    each, `seqs` the last number in it of each audience. answer: `key` of the request, the answer told.
    cursor: consumer as `key`, what it acknowledged in `seqs`. state: a snapshot of the table. checkpoint: a
    `Checkpoint`; empty until it is written. meta: the first row alone, a `Meta` as JSON. `seqs`: public,
    surveillance, cage, None where it says nothing.
    """

    kind: Kind
    at: int
    body: bytes
    key: str | None = None
    seqs: Seqs = NONE
    pos: int = 0


def told(at: int, messages: Sequence[Message]) -> Row:
    """Make the row of the messages of one step, at least one."""
    last = {message.audience: message.seq for message in messages}
    return Row("told", at, pack(messages), seqs=_seqs(last))


def acknowledged(at: int, audience: str, consumer: str, seq: int) -> Row:
    """Make the row of a cursor."""
    return Row("cursor", at, b"", consumer, _seqs({audience: seq}))


def _seqs(known: dict[str, int]) -> Seqs:
    public, surveillance, cage = (known.get(audience) for audience in AUDIENCES)
    return public, surveillance, cage


class Meta(msgspec.Struct, frozen=True):
    """Body of the first row. `created`: µs since 1970 UTC."""

    journal: str
    table: str
    schema: int
    created: int
    software: str


_encode = msgspec.msgpack.Encoder().encode


def digest(before: bytes, salt: bytes, columns: tuple[Any, ...]) -> bytes:
    """Hash of a row whose `columns` are pos, kind, at, key, public, surveillance, cage, body."""
    return sha256(before + salt + _encode(columns)).digest()


def leaf_of(salt: bytes, columns: tuple[Any, ...]) -> bytes:
    """Hash of the same row as a leaf of a checkpoint's tree: of its salt and columns alone."""
    return leaf(salt + _encode(columns))


def connect_reader(path: Path, *, damaged: bool = False) -> sqlite3.Connection:
    """Open the file read-only and make sure that it is a journal we know. Raises JournalError.

    `damaged`: also a file that was cut short, up to where it ends.
    """
    wal = path.with_name(path.name + "-wal")
    # Without write permission SQLite cannot make its shared index; with no log left it needs none.
    fixed = "" if os.access(path.parent, os.W_OK) or wal.exists() else "&immutable=1"
    if not path.is_file():
        raise JournalError(f"{path}: no such file")
    try:
        db = sqlite3.connect(
            f"file:{quote(str(path))}?mode=ro{fixed}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
        )
    except sqlite3.Error as error:
        raise JournalError(f"{path}: cannot be opened: {error}") from error
    try:
        if damaged:
            db.execute("PRAGMA writable_schema = ON")  # read-only all the same; stops a check of the size
        check_header(db, path)
    except JournalError:
        db.close()
        raise
    return db


def check_header(db: sqlite3.Connection, path: Path) -> None:
    """Raise JournalError unless `db` is a journal of a layout that this program knows."""
    try:
        application = db.execute("PRAGMA application_id").fetchone()[0]
        version = db.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.OperationalError as error:
        raise JournalError(f"{path}: cannot be read: {error}") from error
    except sqlite3.Error as error:
        raise JournalError(f"{path}: is no journal: {error}") from error
    if application != APPLICATION:
        raise JournalError(f"{path}: is no journal of shoe-daemon")
    if version > SCHEMA:
        raise JournalError(
            f"{path}: was written by a newer shoe-daemon (layout {version}; this one knows {SCHEMA}):"
            " use the newer program"
        )
    if version < 1:
        raise JournalError(f"{path}: unknown layout {version}")


class Reader:
    """A read-only view of a journal that another process or thread may be writing. Any thread may call."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._db = connect_reader(path)
        try:
            self.meta = msgspec.json.decode(
                self._query("SELECT body FROM row WHERE pos = 1")[0][0], type=Meta
            )
        except (JournalError, IndexError, msgspec.MsgspecError) as error:
            self._db.close()
            raise JournalError(f"{path}: its first row is damaged: {error}") from error

    def close(self) -> None:
        """Let the file go."""
        with self._lock:
            self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def rows(self, after: int = 0, kinds: tuple[Kind, ...] = KINDS) -> Iterator[Row]:
        """Rows of `kinds` with a position above `after`, in order; read in short pages."""
        wanted = msgspec.json.encode(kinds).decode()
        while page := self._query(
            "SELECT kind, at, body, key, public, surveillance, cage, pos FROM row"
            " WHERE pos > ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY pos LIMIT ?",
            after,
            wanted,
            _PAGE,
        ):
            for kind, at, body, key, *seqs, pos in page:
                yield Row(kind, at, body, key, tuple(seqs), pos)
            after = page[-1][-1]

    def salted(self, first: int, last: int | None = None) -> Iterator[tuple[bytes, tuple[Any, ...]]]:
        """Salts and covered columns, as `digest` takes them, of the rows `first` to `last`, or to the end."""
        after = first - 1
        while page := self._query(
            "SELECT salt, pos, kind, at, key, public, surveillance, cage, body FROM row"
            " WHERE pos > ? AND pos <= ? ORDER BY pos LIMIT ?",
            after,
            self.end() if last is None else last,
            _PAGE,
        ):
            for salt, *columns in page:
                yield salt, tuple(columns)
            after = page[-1][1]

    def last_checkpoint(self) -> int | None:
        """Position of the last checkpoint; looked for from the end, where it is near while a key signs."""
        if self._query("PRAGMA user_version")[0][0] < CHECKPOINTS_SCHEMA:
            return None
        found = self._query("SELECT pos FROM row WHERE kind = 'checkpoint' ORDER BY pos DESC LIMIT 1")
        return found[0][0] if found else None

    def end(self) -> int:
        """Position of the last row."""
        return int(self._query("SELECT max(pos) FROM row")[0][0] or 0)

    def told(self) -> Iterator[Message]:
        """All messages, in the order in which they were told."""
        for row in self.rows(0, ("told",)):
            yield from self.messages_in(row.pos, row.body)

    def messages_in(self, pos: int, body: bytes) -> list[Message]:
        """The messages of the row at `pos`, of kind `told`. Raises JournalError where they cannot be read."""
        try:
            return unpack(body)
        except msgspec.MsgspecError as error:
            raise JournalError(f"{self.path}: row {pos} cannot be read: {error}") from error

    def messages(self, audience: str, after: int, limit: int) -> list[Message]:
        """At most `limit` messages of `audience` with a seq above `after`, in order."""
        name = _column(audience)
        found = self._query(
            f"SELECT pos, body FROM row WHERE kind = 'told' AND {name} > ? ORDER BY {name} LIMIT ?",  # noqa: S608 - a column's name
            after,
            limit,
        )
        read = (message for pos, body in found for message in self.messages_in(pos, body))
        return [message for message in read if message.audience == audience and message.seq > after][:limit]

    def top(self, audience: str) -> int:
        """Highest seq of `audience`, 0 where nothing was told yet."""
        name = _column(audience)
        found = self._query(f"SELECT max({name}) FROM row WHERE kind = 'told' AND {name} IS NOT NULL")  # noqa: S608 - the same
        return int(found[0][0] or 0)

    def answer(self, key: str) -> bytes | None:
        """Return the first answer given to the request `key`, or None."""
        found = self._query(
            "SELECT body FROM row WHERE kind = 'answer' AND key = ? ORDER BY pos LIMIT 1", key
        )
        return found[0][0] if found else None

    def cursors(self) -> dict[tuple[str, str], int]:
        """Acknowledged seq of each (audience, consumer)."""
        found = self._query(
            "SELECT key, max(public), max(surveillance), max(cage) FROM row"
            " WHERE kind = 'cursor' GROUP BY key"
        )
        return {
            (audience, consumer): seq
            for consumer, *seqs in found
            for audience, seq in zip(AUDIENCES, seqs, strict=True)
            if seq is not None
        }

    def since_last_state(self, kinds: tuple[Kind, ...] = ("step",)) -> tuple[bytes | None, Iterator[Row]]:
        """Body of the last snapshot, or None, and the rows of `kinds` after it."""
        last = self._query("SELECT max(pos) FROM row WHERE kind = 'state'")[0][0]
        if last is None:
            return None, self.rows(0, kinds)
        return self._query("SELECT body FROM row WHERE pos = ?", last)[0][0], self.rows(last, kinds)

    def _query(self, sql: str, *values: str | int) -> list[Any]:
        try:
            with self._lock:
                return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: cannot be read: {error}") from error


def _column(audience: str) -> str:
    """Name of the column that counts `audience`."""
    return AUDIENCES[AUDIENCES.index(audience)]
