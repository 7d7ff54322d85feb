"""The journal's one writer. What is in the file is the account of the table.

SQLite, WAL, synchronous FULL: a batch that `append` returned from survives a power cut. A batch that
raised is in no answer and no message; the same batch may be tried again when the cause is gone.
"""

import os
import sqlite3
import stat
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Self

import msgspec
import structlog

from shoe_daemon.runtime import ulid
from shoe_daemon.runtime.checkpoint import Checkpoint, Signer, encode
from shoe_daemon.runtime.lockfile import HeldError, LockFile, lock_of
from shoe_daemon.runtime.merkle import Tree
from shoe_daemon.runtime.messages import unpack
from shoe_daemon.runtime.rows import (
    APPLICATION,
    CHECKPOINTS_SCHEMA,
    FIRST_HASH,
    FIRST_SCHEMA,
    NONE,
    SALT_SIZE,
    TABLES,
    JournalError,
    Meta,
    Reader,
    Row,
    check_header,
    digest,
    leaf_of,
)
from shoe_daemon.table.events import AUDIENCES

_INSERT: Final = "INSERT INTO row VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_LOG_LIMIT: Final = 16 << 20
_LOG_LENGTH: Final = 4 << 20
"""What the log holds before SQLite folds it into the file (1000 pages)."""
_ROOM: Final = 16 * _LOG_LENGTH
_CHECK_S: Final = 1.0
_BUSY_EVERY: Final = 50_000
_SMALLEST: Final = 512
_log = structlog.get_logger("journal")


class _End(msgspec.Struct, frozen=True):
    """Where the account ends. `tree`: the rows since the last checkpoint, where a key signs them.

    `checkpoint`: the last one that this process wrote.
    """

    pos: int
    head: bytes
    tops: dict[str, int]
    tree: Tree | None = None
    checkpoint: Checkpoint | None = None


class Journal(Reader):
    """The open journal of one table: all of a `Reader`, and `append`. One process holds it at a time.

    `created`: this call made the file, history starts here.
    """

    def __init__(self, path: Path, writer: sqlite3.Connection, lock: LockFile, *, created: bool) -> None:
        """Take over what `open` prepared."""
        super().__init__(path)
        self.created = created
        self._writer = writer
        self._held = lock
        self._signer: Signer | None = None
        self._end = self._found()
        self._files: tuple[tuple[Path, int], ...] = ()
        self._check_due = 0.0

    @classmethod
    def open(cls, path: Path, *, table: str, software: str, at: int) -> Self:
        """Open the journal of `table`, made where absent (mode 0600). `at`: µs since 1970 UTC."""
        path = Path(os.path.realpath(path))
        _refuse_odd(path)
        lock = _take(path)
        try:
            writer, created = _connect(path, table, software, at)
        except JournalError:
            lock.release()
            raise
        try:
            journal = cls(path, writer, lock, created=created)
        except JournalError:
            writer.close()
            lock.release()
            raise
        if journal.meta.table != table:
            journal.close()
            raise JournalError(f"{path}: is the journal of table {journal.meta.table}, not of {table}")
        return journal

    @property
    def id(self) -> str:
        """The journal's id, 26 letters."""
        return self.meta.journal

    def tops(self) -> dict[str, int]:
        """Highest seq on disk of each audience, 0 where there is none."""
        return dict(self._end.tops)

    def sign_with(self, signer: Signer, busy: Callable[[], None] = lambda: None) -> None:
        """Write checkpoints from now on, in the name of `signer`.

        What lies behind the last one is read for the next, all of the file where there is none: `busy` is
        called now and then meanwhile.
        """
        tree = Tree()
        for salt, columns in self.salted(self.last_checkpoint() or 1):
            tree.add(leaf_of(salt, columns))
            if tree.size % _BUSY_EVERY == 0:
                busy()
        self._signer = signer
        self._end = msgspec.structs.replace(self._end, tree=tree)

    @property
    def signs(self) -> bool:
        """Whether checkpoints can be written."""
        return self._signer is not None

    @property
    def checkpoint(self) -> Checkpoint | None:
        """The last checkpoint that this process wrote."""
        return self._end.checkpoint

    def append(self, batch: Sequence[Row]) -> None:
        """Write `batch` in one transaction: all, on disk when this returns, or none. One caller at a time.

        Raises JournalError where the file cannot be written (and may be called again), ValueError where
        messages do not follow the last ones of their audiences, a row's `seqs` are not theirs, or nobody
        signs a checkpoint.
        """
        if not batch:
            return
        rows, end = self._chain(batch)
        self._check_files()
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            self._writer.executemany(_INSERT, rows)
            if any(row.kind == "checkpoint" for row in batch):
                self._writer.execute(f"PRAGMA user_version = {CHECKPOINTS_SCHEMA}")
            self._writer.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            raise JournalError(f"{self.path}: cannot be written: {error}") from error
        self._end = end
        if not self._files:
            names = (self.path, self.path.with_name(self.path.name + "-wal"))
            self._files = tuple((name, name.stat().st_ino) for name in names)

    def lengthen_log(self) -> None:
        """Make the log as long as it gets anyway, where there is room, and put that on disk.

        A commit then overwrites blocks, and the file system has nothing of its own to write with it: a third
        to a half less time where that was measured. What is written for it is rolled back.
        """
        log = self.path.with_name(self.path.name + "-wal")
        room = os.statvfs(self.path)
        if room.f_bavail * room.f_frsize < _ROOM or (log.exists() and log.stat().st_size >= _LOG_LENGTH):
            return
        (before,) = self._writer.execute("PRAGMA cache_size").fetchone()
        try:
            self._writer.execute("PRAGMA cache_size = 8")  # so few pages that the others go into the log
            self._writer.execute("BEGIN IMMEDIATE")
            self._writer.execute("CREATE TABLE length (body BLOB)")
            self._writer.execute("INSERT INTO length VALUES (zeroblob(?))", [_LOG_LENGTH])
            self._writer.execute("ROLLBACK")
            _sync(log)
        except (sqlite3.Error, OSError) as error:
            self._roll_back()
            _log.info("the log keeps its length", error=str(error))
        finally:
            self._writer.execute(f"PRAGMA cache_size = {before}")

    def close(self) -> None:
        """Fold the log into the file and let it go."""
        super().close()
        self._writer.close()
        self._held.release()

    def _chain(self, batch: Sequence[Row]) -> tuple[list[tuple[Any, ...]], _End]:
        """Columns of `batch` as they go into the file, and where the account ends with them."""
        pos, head, tops = self._end.pos, self._end.head, dict(self._end.tops)
        tree, checkpoint = None if self._end.tree is None else self._end.tree.copy(), self._end.checkpoint
        salts = os.urandom(SALT_SIZE * len(batch))
        rows: list[tuple[Any, ...]] = []
        for place, row in enumerate(batch):
            body = row.body
            if row.kind == "told":
                _follow(tops, row)
            elif row.kind == "checkpoint":
                checkpoint, tree = self._checkpoint(row.at, pos, head, tree), Tree()
                body = encode(checkpoint)
            pos += 1
            salt = salts[SALT_SIZE * place : SALT_SIZE * (place + 1)]
            columns = (pos, row.kind, row.at, row.key, *row.seqs, body)
            head = digest(head, salt, columns)
            if tree is not None:
                tree.add(leaf_of(salt, columns))
            rows.append((*columns, salt, head))
        return rows, _End(pos, head, tops, tree, checkpoint)

    def _checkpoint(self, at: int, last: int, head: bytes, tree: Tree | None) -> Checkpoint:
        """The checkpoint made at `at` over the rows of `tree`; `head` is that of the `last` one."""
        if self._signer is None or tree is None:
            raise ValueError("a checkpoint, and no key signs this journal")
        first = last - tree.size + 1
        made = Checkpoint(first, last, at, head.hex(), tree.root().hex(), self._signer.key)
        return made.signed(self._signer, self.id, self.meta.table)

    def _check_files(self) -> None:
        """SQLite goes on writing into a file that was removed, and all of it is lost: look once a second."""
        if time.monotonic() < self._check_due:
            return
        for name, inode in self._files:
            try:
                same = name.stat().st_ino == inode
            except OSError:
                same = False
            if not same:
                raise JournalError(f"{name}: was moved or replaced while in use: put it back")
        self._check_due = time.monotonic() + _CHECK_S

    def _roll_back(self) -> None:
        if self._writer.in_transaction:
            try:
                self._writer.execute("ROLLBACK")
            except sqlite3.Error as error:
                raise JournalError(f"{self.path}: cannot be rolled back: {error}") from error

    def _found(self) -> _End:
        """Where the account in the file ends."""
        pos, head = self._query("SELECT pos, hash FROM row ORDER BY pos DESC LIMIT 1")[0]
        return _End(pos, head, {audience: self.top(audience) for audience in AUDIENCES})


def _follow(tops: dict[str, int], row: Row) -> None:
    """Count the messages of `row` in, the next ones of their audiences."""
    try:
        messages = unpack(row.body)
    except msgspec.MsgspecError as error:
        raise ValueError(f"messages that cannot be read: {error}") from error
    last: dict[str, int] = {}
    for message in messages:
        audience, seq = message.audience, message.seq
        if tops.get(audience) != seq - 1:
            raise ValueError(f"message {seq} does not follow {audience} {tops}")
        tops[audience] = last[audience] = seq
    if row.seqs != tuple(last.get(audience) for audience in AUDIENCES):
        raise ValueError(f"row of {last} is kept as {row.seqs}")


def _refuse_odd(path: Path) -> None:
    """Refuse what is no file, and one with a second name: the lock goes by the name."""
    try:
        found = path.stat()
    except OSError:  # absent, or what opens it says why not
        return
    if not stat.S_ISREG(found.st_mode):
        raise JournalError(f"{path}: cannot be opened as a journal: is no file")
    if found.st_nlink > 1:
        raise JournalError(
            f"{path}: has {found.st_nlink} names (hard links): by another a second process could write it:"
            " remove the others, or copy the file"
        )


def _take(path: Path) -> LockFile:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return LockFile(lock_of(path))
    except HeldError as error:
        raise JournalError(
            f"{path}: is {error}: one process writes a journal, stop the other first"
        ) from None
    except OSError as error:
        raise JournalError(f"{path}: cannot be opened: {error.strerror}") from error


def _connect(path: Path, table: str, software: str, at: int) -> tuple[sqlite3.Connection, bool]:
    """Open the connection that writes; True: the file was made by this call."""
    try:
        if path.exists():
            _refuse_scrap(path)
        else:  # closing a handle of a database that is in use would drop SQLite's locks
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"{path}: cannot be opened: {error}") from error
    try:
        created = _is_empty(db)
        if not created:
            check_header(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute(f"PRAGMA journal_size_limit = {_LOG_LIMIT}")
        if created:
            _make(db, Meta(ulid.new(at), table, FIRST_SCHEMA, at, software))
            _sync(path.parent)  # the file's name is as durable as its rows
    except (OSError, sqlite3.Error) as error:
        db.close()
        raise JournalError(f"{path}: cannot be opened as a journal: {error}") from error
    except JournalError:
        db.close()
        raise
    return db, created


def _refuse_scrap(path: Path) -> None:
    """SQLite takes a file shorter than its smallest page for a new database and writes over it."""
    if 0 < path.stat().st_size < _SMALLEST:
        raise JournalError(f"{path}: is no journal")


def _is_empty(db: sqlite3.Connection) -> bool:
    """Whether nothing was ever committed to the file: new, or its maker was killed half-way."""
    tables = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    return not tables and not db.execute("PRAGMA application_id").fetchone()[0]


def _make(db: sqlite3.Connection, meta: Meta) -> None:
    """Lay the file out and write its first row, all in one transaction."""
    db.execute("BEGIN IMMEDIATE")
    for statement in TABLES:
        db.execute(statement)
    columns = (1, "meta", meta.created, None, *NONE, msgspec.json.encode(meta))
    salt = os.urandom(SALT_SIZE)
    db.execute(_INSERT, (*columns, salt, digest(FIRST_HASH, salt, columns)))
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {FIRST_SCHEMA}")
    db.execute("COMMIT")


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
