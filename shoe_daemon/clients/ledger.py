"""The cage's own database: each event of its feed once, and how far it has come, in one transaction.

A crash at any instant repeats nothing and skips nothing: an event is there with its number, or neither is.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from shoe_daemon.clients.wire import Event

SCHEMA: Final = 1
APPLICATION: Final = 0x53484347
"""Says what the file is: `SHCG`."""
_TABLES: Final = (
    """CREATE TABLE event (
        journal TEXT NOT NULL, seq INTEGER NOT NULL, type TEXT NOT NULL, at TEXT NOT NULL,
        shoe INTEGER, coup INTEGER, body TEXT NOT NULL,
        PRIMARY KEY (journal, seq)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE position (
        only INTEGER PRIMARY KEY CHECK (only = 1), journal TEXT NOT NULL, seq INTEGER NOT NULL
    ) STRICT""",
    # What each coup came to: of its results the one with the highest revision.
    """CREATE VIEW result AS
        SELECT journal, shoe, coup, max(body ->> '$.data.revision') AS revision,
            body ->> '$.data.outcome' AS outcome, at, body
        FROM event WHERE type = 'coup.result' GROUP BY journal, shoe, coup""",
)


class LedgerError(Exception):
    """The database cannot be used; the text says which, why and what to do."""


class Position(msgspec.Struct, frozen=True):
    """The last event that is in the database. `journal`: 26 characters."""

    journal: str
    seq: int


class _Stamp(msgspec.Struct):
    at: str
    shoe: int | None
    coup: int | None


class Ledger:
    """The database at `path`, made where absent."""

    def __init__(self, path: Path) -> None:
        """Open it. Raises LedgerError."""
        self._path = path
        self._stamp = msgspec.json.Decoder(_Stamp).decode
        try:
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._prepare()
        except sqlite3.Error as error:
            raise LedgerError(f"{path}: cannot be opened as the cage's database: {error}") from error

    def _prepare(self) -> None:
        (application,) = self._db.execute("PRAGMA application_id").fetchone()
        (schema,) = self._db.execute("PRAGMA user_version").fetchone()
        (tables,) = self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if not tables and not application:
            self._db.execute("BEGIN IMMEDIATE")
            for statement in _TABLES:
                self._db.execute(statement)
            self._db.execute(f"PRAGMA application_id = {APPLICATION}")
            self._db.execute(f"PRAGMA user_version = {SCHEMA}")
            self._db.execute("COMMIT")
        elif (application, schema) != (APPLICATION, SCHEMA):
            raise LedgerError(f"{self._path}: is another program's database, or a newer one's: name another")

    def position(self) -> Position | None:
        """Where to go on; None where nothing was taken yet. Raises LedgerError."""
        try:
            found = self._db.execute("SELECT journal, seq FROM position").fetchone()
        except sqlite3.Error as error:
            raise LedgerError(f"{self._path}: cannot be read: {error}") from error
        return None if found is None else Position(*found)

    def take(self, events: Sequence[Event]) -> None:
        """Put `events` of one journal in, in order, and count up: all of them or, with LedgerError, none."""
        if not events:
            return
        rows = [self._row(event) for event in events]
        last = events[-1]
        try:
            with closing(self._db.cursor()) as cursor:
                cursor.execute("BEGIN IMMEDIATE")
                try:
                    cursor.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
                    cursor.execute("REPLACE INTO position VALUES (1, ?, ?)", (last.journal, last.seq))
                except sqlite3.Error:
                    cursor.execute("ROLLBACK")
                    raise
                cursor.execute("COMMIT")
        except sqlite3.Error as error:
            raise LedgerError(f"{self._path}: cannot be written: {error}") from error

    def _row(self, event: Event) -> tuple[str, int, str, str, int | None, int | None, str]:
        stamp = self._stamp(event.raw)
        return (
            event.journal,
            event.seq,
            event.type,
            stamp.at,
            stamp.shoe,
            stamp.coup,
            event.raw.decode("utf-8"),
        )

    def close(self) -> None:
        """Let the file go."""
        self._db.close()
