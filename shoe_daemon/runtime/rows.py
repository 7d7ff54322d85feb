"""What a row of the journal is, how it is chained, and how a journal file is read.

hash = SHA-256(hash of the row before ‖ salt ‖ msgpack [pos, kind, at, audience, seq, key, body]),
with 32 zero bytes before the first row. The salt, 16 random bytes a row, keeps a hash that leaves
the machine from telling a face. One table holds everything and is only appended to, so that what
the chain covers and what the file says are the same.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args
from urllib.parse import quote

import msgspec

SCHEMA: Final = 1
"""Version of the file's layout, kept in `PRAGMA user_version`."""
APPLICATION: Final = 0x53484F45
"""`PRAGMA application_id` of a journal: "SHOE"."""
FIRST_HASH: Final = bytes(32)
SALT_SIZE: Final = 16

Kind = Literal["meta", "rx", "step", "message", "answer", "cursor", "state"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

TABLES: Final = (
    """CREATE TABLE row (pos INTEGER PRIMARY KEY, kind TEXT NOT NULL, at INTEGER NOT NULL, audience TEXT,
    seq INTEGER, key TEXT, body BLOB NOT NULL, salt BLOB NOT NULL, hash BLOB NOT NULL) STRICT""",
    "CREATE UNIQUE INDEX message ON row (audience, seq) WHERE kind = 'message'",
    "CREATE INDEX answer ON row (key) WHERE kind = 'answer'",
    "CREATE INDEX cursor ON row (audience, key, seq) WHERE kind = 'cursor'",
    "CREATE INDEX state ON row (pos) WHERE kind = 'state'",
)
_PAGE: Final = 1000


class JournalError(Exception):
    """The journal cannot be opened, read or written; the text says which file, why, and what to do."""


class Row(msgspec.Struct, frozen=True):
    """One row. `at`: µs since 1970 UTC; `pos` counts from 1 in the file, 0 before the row is stored.

    rx: bytes from the shoe. step: an input with its events. message: `audience`, `seq`, topic as `key`,
    the JSON told. answer: `key` of the request, the answer told. cursor: `audience`, consumer as `key`,
    acknowledged `seq`. state: a snapshot of the table. meta: the first row alone, a `Meta` as JSON.
    """

    kind: Kind
    at: int
    body: bytes
    audience: str | None = None
    seq: int | None = None
    key: str | None = None
    pos: int = 0


class Meta(msgspec.Struct, frozen=True):
    """Body of the first row. `created`: µs since 1970 UTC."""

    journal: str
    table: str
    schema: int
    created: int
    software: str


_encode = msgspec.msgpack.Encoder().encode


def digest(before: bytes, salt: bytes, columns: tuple[Any, ...]) -> bytes:
    """Hash of a row whose `columns` are pos, kind, at, audience, seq, key, body."""
    return sha256(before + salt + _encode(columns)).digest()


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
            "SELECT kind, at, body, audience, seq, key, pos FROM row"
            " WHERE pos > ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY pos LIMIT ?",
            after,
            wanted,
            _PAGE,
        ):
            for columns in page:
                yield Row(*columns)
            after = page[-1][-1]

    def messages(self, audience: str, after: int, limit: int) -> list[Row]:
        """At most `limit` messages of `audience` with a seq above `after`, in order."""
        return [
            Row(*columns)
            for columns in self._query(
                "SELECT kind, at, body, audience, seq, key, pos FROM row"
                " WHERE kind = 'message' AND audience = ? AND seq > ? ORDER BY seq LIMIT ?",
                audience,
                after,
                limit,
            )
        ]

    def top(self, audience: str) -> int:
        """Highest seq of `audience`, 0 where nothing was told yet."""
        found = self._query("SELECT max(seq) FROM row WHERE kind = 'message' AND audience = ?", audience)
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
            "SELECT audience, key, max(seq) FROM row WHERE kind = 'cursor' GROUP BY audience, key"
        )
        return {(audience, consumer): seq for audience, consumer, seq in found}

    def since_last_state(self) -> tuple[bytes | None, Iterator[Row]]:
        """Body of the last snapshot, or None, and the steps after it."""
        last = self._query("SELECT max(pos) FROM row WHERE kind = 'state'")[0][0]
        if last is None:
            return None, self.rows(0, ("step",))
        return self._query("SELECT body FROM row WHERE pos = ?", last)[0][0], self.rows(last, ("step",))

    def _query(self, sql: str, *values: str | int) -> list[Any]:
        try:
            with self._lock:
                return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: cannot be read: {error}") from error
