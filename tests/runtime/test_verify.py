"""Any change of a journal is found and named."""

import copy
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from shoe_daemon.runtime import verify as verifying
from shoe_daemon.runtime.messages import pack
from shoe_daemon.runtime.rows import NONE, JournalError, Row, Seqs, acknowledged, digest, told
from shoe_daemon.runtime.verify import verify
from shoe_daemon.table.events import AUDIENCES
from tests.runtime.journals import card, message, open_journal

UPDATE = "UPDATE row SET {} = ? WHERE pos = ?"
COLUMNS = ("kind", "at", "key", "public", "surveillance", "cage", "body", "salt", "hash")
NUMBERS = frozenset({"at", "public", "surveillance", "cage"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Make a closed journal of 3 cards, an answer, a cursor and a state: 13 rows."""
    path = tmp_path / "j.db"
    journal = open_journal(path)
    for seq in (1, 2, 3):
        journal.append(card(journal, seq))
    journal.append(
        [Row("answer", 5, b"{}", key="k"), acknowledged(6, "cage", "cage-1", 2), Row("state", 7, b"s")]
    )
    journal.close()
    return path


def change(path: Path, *statements: str, pos: int = 0) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement, {"pos": pos} if ":pos" in statement else {})


def test_a_whole_journal_is_well_and_says_what_was_not_checked(path: Path) -> None:
    report = verify(path)
    assert (report.ok, report.rows, report.bad, report.why) == (True, 13, None, None)
    assert report.kinds == {"meta": 1, "rx": 3, "step": 3, "told": 3, "answer": 1, "cursor": 1, "state": 1}
    assert report.tops == {"public": 3, "surveillance": 3, "cage": 3}
    assert "signatures were not checked" in report.signatures
    assert report.table == "BAC-07"


def _flips(value: object) -> Sequence[object]:
    """Every one-byte change of a blob or text, and a few of other values."""
    if isinstance(value, verifying._Utf8):
        return [verifying._Utf8(flip) for flip in _flips(bytes(value)) if isinstance(flip, bytes)]
    if isinstance(value, bytes):
        return [value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :] for at in range(len(value))] + [
            value + b"\0"
        ]
    if isinstance(value, str):
        changed = [value[:at] + chr(ord(value[at]) ^ 1) + value[at + 1 :] for at in range(len(value))]
        return [*changed, value + "\0", None]
    if isinstance(value, int):
        return [value ^ 1 << bit for bit in range(48)] + [None]
    return ["", 0]


def test_any_changed_byte_of_any_column_of_any_row_is_found_and_named(path: Path) -> None:
    journal = open_journal(path)
    journal.append([*card(journal, 4), *card(journal, 5, ["public"]), acknowledged(8, "public", "tv", 9)])
    journal.close()
    with closing(sqlite3.connect(path)) as db:
        db.text_factory = verifying._Utf8
        rows = db.execute("SELECT * FROM row").fetchall()
    walk = verifying._Walk()
    tried = 0
    for row in rows:
        for place, value in enumerate(row[1:], 1):
            for other in _flips(value):
                changed = (*row[:place], other, *row[place + 1 :])
                with pytest.raises(verifying._FaultError) as error:
                    copy.deepcopy(walk).row(changed)
                assert error.value.pos == row[0]
                tried += 1
        walk.row(row)
    assert tried > 4000


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("pos", [1, 2, 3, 4, 7, 10, 11, 12, 13])
def test_a_changed_column_in_the_file_is_found_and_named(path: Path, pos: int, column: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        value = db.execute("SELECT * FROM row WHERE pos = ?", [pos]).fetchone()[1 + COLUMNS.index(column)]
        other = next(flip for flip in _flips(value) if flip is not None)
        if column in NUMBERS:
            other = 5 if value is None else value + 1000
        db.execute(UPDATE.format(column), [other, pos])
    report = verify(path)
    assert (report.ok, report.bad) == (False, pos)
    assert report.rows == pos - 1


def test_a_changed_position_is_found(path: Path) -> None:
    change(path, "UPDATE row SET pos = 100 WHERE pos = 13")
    report = verify(path)
    assert (report.bad, report.why) == (13, "row 13 is missing")


@pytest.mark.parametrize("pos", [1, 2, 7, 12])
def test_a_deleted_row_is_found(path: Path, pos: int) -> None:
    change(path, "DELETE FROM row WHERE pos = :pos", pos=pos)
    assert verify(path).bad == pos
    change(path, "UPDATE row SET pos = pos - 1 WHERE pos > :pos", pos=pos)
    assert verify(path).bad == pos


@pytest.mark.parametrize("pos", [2, 6, 12])
def test_two_rows_exchanged_are_found(path: Path, pos: int) -> None:
    change(
        path,
        "UPDATE row SET pos = 1000 WHERE pos = :pos",
        "UPDATE row SET pos = :pos WHERE pos = :pos + 1",
        "UPDATE row SET pos = :pos + 1 WHERE pos = 1000",
        pos=pos,
    )
    assert verify(path).bad == pos


def test_a_changed_row_with_a_good_hash_of_its_own_breaks_the_next(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        (before,) = db.execute("SELECT hash FROM row WHERE pos = 9").fetchone()
        *covered, salt, _ = db.execute("SELECT * FROM row WHERE pos = 10").fetchone()
        covered[2] += 1
        changes = (covered[2], digest(before, salt, tuple(covered)))
        db.execute("UPDATE row SET at = ?, hash = ? WHERE pos = 10", changes)
    report = verify(path)
    assert (report.ok, report.bad) == (False, 11)


def test_an_added_row_is_found(path: Path) -> None:
    change(
        path,
        "INSERT INTO row SELECT 14, kind, at, key, NULL, NULL, NULL, body, salt, hash FROM row WHERE pos = 2",
    )
    assert verify(path).bad == 14


def test_a_row_of_another_type_or_without_utf8_is_found(path: Path) -> None:
    change(path, "UPDATE row SET key = CAST(x'ff' AS TEXT) WHERE pos = 11")
    assert (verify(path).bad, verify(path).why) == (11, "one of its texts is no UTF-8")


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE more (a)",
        "DROP INDEX state",
        "CREATE VIEW v AS SELECT 1",
        "ANALYZE",
        "PRAGMA user_version = 0",
    ],
)
def test_another_layout_is_found(path: Path, statement: str) -> None:
    change(path, statement)
    if "user_version" in statement:
        with pytest.raises(JournalError, match="unknown layout 0"):
            verify(path)
        return
    report = verify(path)
    assert (report.ok, report.bad, report.rows) == (False, None, 13)
    assert report.why == "its tables and indexes are not those of a journal"


@pytest.mark.parametrize(
    ("index", "entry", "other"),
    [
        *((audience, b"\x03\x01\x01\x03\x0a", b"\x03\x01\x01\x04\x0a") for audience in AUDIENCES),
        ("answer", b"k", b"K"),
        ("cursor", b"cage-1", b"Cage-1"),
    ],
)
def test_an_index_that_says_other_than_the_rows_is_found(
    path: Path, index: str, entry: bytes, other: bytes
) -> None:
    data = path.read_bytes()
    with closing(sqlite3.connect(path)) as db:
        (root,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", [index]).fetchone()
    page = 4096 * (root - 1)
    at = data.index(entry, page, page + 4096)
    path.write_bytes(data[:at] + other + data[at + len(other) :])
    report = verify(path)
    assert (report.ok, report.bad) == (False, None)
    assert "the file is damaged" in str(report.why)


def test_a_file_cut_short_is_found(tmp_path: Path) -> None:
    path = tmp_path / "long.db"
    journal = open_journal(path)
    for seq in range(1, 100):
        journal.append(card(journal, seq))
    journal.close()
    data = path.read_bytes()
    found = []
    for pages in range(1, len(data) // 4096):
        path.write_bytes(data[: pages * 4096])
        report = verify(path)
        assert (report.ok, report.bad) == (False, report.rows + 1)
        assert str(report.why).startswith(f"the file is damaged after row {report.rows}")
        found.append(report.rows)
    assert found == sorted(found)
    assert found[-1] > 200


def _rewrite(path: Path, rows: list[Row]) -> None:
    """Append what the writer would refuse, with a good chain."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        pos, head = db.execute("SELECT pos, hash FROM row ORDER BY pos DESC LIMIT 1").fetchone()
        for row in rows:
            pos += 1
            columns = (pos, row.kind, row.at, row.key, *row.seqs, row.body)
            salt = bytes(16)
            head = digest(head, salt, columns)
            db.execute("INSERT INTO row VALUES (?,?,?,?,?,?,?,?,?,?)", (*columns, salt, head))


def test_messages_that_do_not_fit_are_found_in_a_good_chain(path: Path) -> None:
    journal = open_journal(path)
    good, next_, after, cage, press = (
        message(journal, audience, seq)
        for audience, seq in (("public", 4), ("public", 5), ("public", 6), ("cage", 4), ("press", 4))
    )
    body = good.body

    def row(body: bytes, seqs: Seqs = (4, None, None)) -> Row:
        return Row("told", 4, body, seqs=seqs)

    wrong = [
        ("public: seq 5 where 4 comes next", told(4, [next_])),
        ("public: seq 3 where 4 comes next", row(message(journal, "public", 3).body, NONE)),
        ("public: seq 6 where 5 comes next", told(4, [good, after])),
        ("public: seq 4 where 5 comes next", told(4, [good, good])),
        ("public: seq 5 where 4 comes next", told(4, [cage, next_, good])),
        ("it is kept as up to [5, None, None] but says {'public': 4}", row(body, (5, None, None))),
        ("it is kept as up to [9, None, None] but says {'public': 4}", row(body, (9, None, None))),
        ("it is kept as up to [None, None, 4] but says {'public': 4}", row(body, (None, None, 4))),
        ("it is kept as up to [4, None, 9] but says {'public': 4}", row(body, (4, None, 9))),
        ("it is kept as up to [None, None, None] but says", row(body, NONE)),
        ("it is kept as up to [4, None, None] but says", row(pack([good, cage]))),
        ("it is kept as up to [4, None, None] but says", row(pack([good, next_]))),
        ("unknown audience 'press'", row(press.body)),
        ("unknown audience 'press'", row(pack([good, press]))),
        ("its body cannot be read", row(b"{")),
        ("its body cannot be read", row(b"")),
        ("its body cannot be read", row(body + b"\n")),
        ("its body cannot be read", row(body + b"\n{")),
        ("unknown kind 'other'", Row("other", 4, b"")),  # type: ignore[arg-type] # what a file may hold
        ("unknown kind 'message'", Row("message", 4, body)),  # type: ignore[arg-type] # the same
        ("the first row, and no other", Row("meta", 4, b"{}")),
        ("it is of journal 0", row(body.replace(journal.id.encode(), b"0" * 26))),
        (f"it is of journal {journal.id}, table BAC-08", row(body.replace(b"BAC-07", b"BAC-08"))),
        ("it is of journal 0", row(body + b"\n" + next_.body.replace(journal.id.encode(), b"0" * 26))),
    ]
    journal.close()
    data = path.read_bytes()
    for why, bad in wrong:
        path.write_bytes(data)
        _rewrite(path, [bad])
        report = verify(path)
        assert (report.ok, report.bad) == (False, 14)
        assert str(report.why).startswith(why)
    path.write_bytes(data)
    _rewrite(path, [told(4, [good, cage, next_]), told(5, [after])])
    assert verify(path).ok
    assert verify(path).tops == {"public": 6, "surveillance": 3, "cage": 4}
