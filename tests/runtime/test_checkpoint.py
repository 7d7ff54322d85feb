"""Checkpoints: they cover every row, and whoever lacks the key can write no journal that they fit."""

import copy
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shoe_daemon.runtime import journal as writing
from shoe_daemon.runtime import rows
from shoe_daemon.runtime import verify as verifying
from shoe_daemon.runtime.checkpoint import Checkpoint, Signer, at_rest, decode, encode
from shoe_daemon.runtime.merkle import Tree
from shoe_daemon.runtime.rows import FIRST_HASH, JournalError, Reader, Row, acknowledged, digest, leaf_of
from shoe_daemon.runtime.verify import verify
from shoe_daemon.table.state import Coup, CoupCard, Table, Waiting
from tests.runtime.journals import CHECKPOINT, PUBLIC, SIGNER, TABLE, card, open_journal

OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))
STRANGER = Signer(OTHER.public_key().public_bytes_raw().hex(), OTHER.sign)
CHECKPOINTS = (5, 11, 15)
ROWS = 18
Columns = tuple[Any, ...]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Make a closed journal of 18 rows: 5, 11 and 15 are checkpoints, and the last 3 are in none."""
    path = tmp_path / "j.db"
    journal = open_journal(path, signer=SIGNER)
    journal.append([*card(journal, 1), CHECKPOINT])
    journal.append(card(journal, 2))
    journal.append([Row("answer", 5, b"{}", key="k"), acknowledged(6, "cage", "cage-1", 2), CHECKPOINT])
    journal.append([*card(journal, 3), CHECKPOINT])
    journal.append(card(journal, 4))
    journal.close()
    return path


def columns(path: Path) -> list[Columns]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT * FROM row ORDER BY pos").fetchall()


def test_every_row_but_the_last_few_is_in_one_checkpoint(path: Path) -> None:
    with Reader(path) as journal:
        made = [(row.pos, decode(row.body)) for row in journal.rows(kinds=("checkpoint",))]
        assert [(pos, one.first, one.last) for pos, one in made] == [(5, 1, 4), (11, 5, 10), (15, 11, 14)]
        for _, one in made:
            salted = list(journal.salted(one.first, one.last))
            assert one.root == Tree(leaf_of(*row) for row in salted).root().hex()
            assert one.head == columns(path)[one.last - 1][-1].hex()
            assert (one.key, one.at) == (PUBLIC, 9)
        assert journal.last_checkpoint() == 15
    report = verify(path, [PUBLIC])
    assert (report.ok, report.covered, report.rows) == (True, 14, ROWS)
    assert report.signatures == "3 good, over rows 1 to 14; 3 after the last checkpoint are not signed yet"


def test_without_the_key_roots_are_checked_and_signatures_are_not(path: Path) -> None:
    report = verify(path)
    assert (report.ok, report.covered) == (True, 14)
    assert report.signatures == "signatures were not checked: name the key with --public-key"


def test_a_key_that_was_not_named_is_no_good(path: Path) -> None:
    report = verify(path, [STRANGER.key])
    assert (report.ok, report.bad, report.covered) == (False, 5, 0)
    assert report.why == f"it is signed by the key {PUBLIC}, which is none of those named"
    journal = open_journal(path, signer=STRANGER)
    journal.append([CHECKPOINT])
    journal.close()
    assert verify(path, [STRANGER.key, PUBLIC]).ok
    assert (verify(path, [PUBLIC]).bad, verify(path, [PUBLIC]).covered) == (19, 14)


def test_a_journal_without_checkpoints_is_not_signed(tmp_path: Path) -> None:
    path = tmp_path / "plain.db"
    journal = open_journal(path)
    journal.append(card(journal, 1))
    with pytest.raises(ValueError, match="no key signs this journal"):
        journal.append([CHECKPOINT])
    journal.close()
    assert verify(path).ok
    report = verify(path, [PUBLIC])
    assert (report.ok, report.bad, report.why) == (
        False,
        None,
        "it holds no checkpoint: nothing in it is signed",
    )


def test_a_journal_goes_on_with_a_key_without_one_and_with_it_again(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    for seq, signer in enumerate((None, SIGNER, None, None, SIGNER), 1):
        journal = open_journal(path, signer=signer)
        assert journal.signs == (signer is not None)
        journal.append([*card(journal, seq), *([CHECKPOINT] if signer else [])])
        journal.close()
        assert verify(path).ok
    with Reader(path) as reader:
        made = [decode(row.body) for row in reader.rows(kinds=("checkpoint",))]
    assert [(one.first, one.last) for one in made] == [(1, 7), (8, 17)]
    assert verify(path, [PUBLIC]).covered == 17


def test_more_rows_than_are_read_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "_BUSY_EVERY", 1000)
    path = tmp_path / "j.db"
    journal = open_journal(path)
    journal.append([Row("rx", at, b"") for at in range(2500)])
    journal.close()
    journal = open_journal(path)
    busy: list[int] = []
    journal.sign_with(SIGNER, lambda: busy.append(1))
    assert len(busy) == 2
    journal.append([CHECKPOINT])
    assert len(list(journal.salted(1000, 2001))) == 1002
    journal.close()
    assert verify(path, [PUBLIC]).covered == 2501


def test_a_batch_that_was_not_written_is_in_no_tree(path: Path) -> None:
    journal = open_journal(path, signer=SIGNER)
    journal._writer.execute("PRAGMA query_only = ON")
    for _ in range(2):
        with pytest.raises(JournalError, match="cannot be written"):
            journal.append([*card(journal, 5), CHECKPOINT])
    journal._writer.execute("PRAGMA query_only = OFF")
    journal.append([*card(journal, 5), CHECKPOINT])
    journal.close()
    assert verify(path, [PUBLIC]).covered == 21


def test_an_older_program_reads_a_journal_until_its_first_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of layout 1 is opened as ever; from its first checkpoint on it is one of layout 2."""
    path = tmp_path / "j.db"
    open_journal(path).close()
    journal = open_journal(path, signer=SIGNER)
    journal.append(card(journal, 1))
    monkeypatch.setattr(rows, "SCHEMA", 1)
    Reader(path).close()
    journal.append([CHECKPOINT])
    journal.close()
    for opener in (open_journal, Reader, verify):
        with pytest.raises(JournalError, match=r"newer shoe-daemon \(layout 2; this one knows 1\)"):
            opener(path)
    monkeypatch.undo()
    assert verify(path, [PUBLIC]).ok
    for version in (1, 2):
        with closing(sqlite3.connect(path)) as db:
            db.execute(f"PRAGMA user_version = {version}")
        assert verify(path).ok == (version == 2)


def test_every_bit_of_every_row_is_checked(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.text_factory = verifying._Utf8
        stored = db.execute("SELECT * FROM row ORDER BY pos").fetchall()
    walk = verifying._Walk([PUBLIC])
    tried = 0
    for row in stored:
        for place, value in enumerate(row):
            if value is None:
                continue
            size = 64 if isinstance(value, int) else 8 * len(value)
            for bit in range(size):
                changed = (*row[:place], _flipped(value, bit), *row[place + 1 :])
                with pytest.raises(verifying._FaultError) as error:
                    copy.deepcopy(walk).row(changed)
                assert error.value.pos == row[0]
                tried += 1
        walk.row(row)
    assert tried > 30_000
    assert walk.covered == 14


def _flipped(value: Any, bit: int) -> Any:  # noqa: ANN401 - a column
    if isinstance(value, int):
        return value ^ 1 << bit
    changed = bytearray(value)
    changed[bit // 8] ^= 1 << bit % 8
    return type(value)(changed)


def _write(path: Path, stored: list[Columns]) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DELETE FROM row")
        db.executemany("INSERT INTO row VALUES (?,?,?,?,?,?,?,?,?,?)", stored)


@pytest.mark.parametrize("pos", range(1, ROWS))
def test_every_row_deleted_or_exchanged_with_the_next_is_named(path: Path, pos: int) -> None:
    stored = columns(path)
    one, other = stored[pos - 1], stored[pos]
    numbered = [(at, *row[1:]) for at, row in enumerate(stored[: pos - 1] + stored[pos:], 1)]
    exchanged = [(pos, *other[1:]), (pos + 1, *one[1:])]
    for changed in (
        stored[: pos - 1] + stored[pos:],
        numbered,
        stored[: pos - 1] + exchanged + stored[pos + 1 :],
    ):
        _write(path, changed)
        for keys in ([], [PUBLIC]):
            report = verify(path, keys)
            assert (report.ok, report.bad, report.rows) == (False, pos, pos - 1)


def _forged(stored: list[Columns], seal: Callable[[Checkpoint], Checkpoint] | None) -> list[Columns]:
    """The rows chained anew; `seal` makes checkpoints that fit them, without it they stay as they were."""
    forged: list[Columns] = []
    head, tree = FIRST_HASH, Tree()
    covered: list[Any]
    for pos, row in enumerate(stored, 1):
        *covered, salt, _ = (pos, *row[1:])
        if covered[1] == "checkpoint" and seal is not None:
            first = pos - tree.size
            covered[7] = encode(
                seal(
                    msgspec.structs.replace(
                        decode(covered[7]),
                        first=first,
                        last=pos - 1,
                        head=head.hex(),
                        root=tree.root().hex(),
                    )
                )
            )
        if covered[1] == "checkpoint":
            tree = Tree()
        head = digest(head, salt, tuple(covered))
        tree.add(leaf_of(salt, tuple(covered)))
        forged.append((*covered, salt, head))
    return forged


@pytest.mark.parametrize("pos", range(1, ROWS + 1))
def test_a_row_changed_in_a_journal_chained_anew_is_found_where_it_was_signed(path: Path, pos: int) -> None:
    """Whoever may write the file can make every hash fit. He cannot sign."""
    stored = columns(path)
    changed = [*stored[: pos - 1], (*stored[pos - 1][:2], 77, *stored[pos - 1][3:]), *stored[pos:]]
    covering = next((one for one in CHECKPOINTS if one >= pos), None)

    _write(path, _forged(changed, None))
    for keys in ([], [PUBLIC]):
        report = verify(path, keys)
        assert (report.ok, report.bad) == (covering is None, covering)

    _write(path, _forged(changed, lambda one: msgspec.structs.replace(one, at=changed[one.last][2])))
    assert verify(path).ok
    report = verify(path, [PUBLIC])
    assert (report.ok, report.bad) == (covering is None, covering)
    assert covering is None or str(report.why).startswith("its signature is not of this key")

    journal = msgspec.json.decode(stored[0][7])["journal"]
    fields = {"key": STRANGER.key, "at": 9 if pos not in CHECKPOINTS else 77}
    _write(
        path,
        _forged(changed, lambda one: msgspec.structs.replace(one, **fields).signed(STRANGER, journal, TABLE)),
    )
    assert (verify(path, [PUBLIC]).ok, verify(path, [PUBLIC]).bad) == (False, 5)


def test_a_checkpoint_left_out_of_a_journal_chained_anew_is_found(path: Path) -> None:
    stored = columns(path)
    for at, pos in enumerate(CHECKPOINTS[:-1]):
        _write(path, _forged([*stored[: pos - 1], *stored[pos:]], None))
        assert verify(path).bad == CHECKPOINTS[at + 1] - 1
        _write(path, _forged([*stored[: pos - 1], *stored[pos:]], lambda one: one))
        assert verify(path).ok
        assert verify(path, [PUBLIC]).bad == CHECKPOINTS[at + 1] - 1


def test_a_checkpoint_of_another_journal_or_in_another_form_is_found(path: Path, tmp_path: Path) -> None:
    other = open_journal(tmp_path / "other.db", signer=SIGNER)
    other.append([*card(other, 1), CHECKPOINT])
    other.close()
    theirs, ours = columns(tmp_path / "other.db"), columns(path)
    for body, why in (
        (theirs[4][7], "it was made of other rows"),
        (ours[4][7] + b" ", "its body cannot be read"),
        (ours[4][7].replace(b'"at":9', b'"at":9,"more":1'), "its body cannot be read"),
        (ours[4][7].replace(b'"at":9', b'"at":8'), "it covers rows 1 to 4, made at 8"),
        (b"{}", "its body cannot be read"),
        (ours[4][7].replace(b'"signature":"', b'"signature":"0'), "its signature is not"),
        (ours[10][7], "it covers rows 5 to 10"),
    ):
        _write(path, _forged([*ours[:4], (*ours[4][:7], body, *ours[4][8:]), *ours[5:]], None))
        report = verify(path, [PUBLIC])
        assert (report.ok, report.bad) == (False, 5)
        assert str(report.why).startswith(why)
    name = msgspec.json.decode(ours[0][7])["journal"]
    wrong_root = msgspec.structs.replace(decode(ours[4][7]), root="00" * 32).signed(SIGNER, name, TABLE)
    _write(path, _forged([*ours[:4], (*ours[4][:7], encode(wrong_root), *ours[4][8:]), *ours[5:]], None))
    assert str(verify(path, [PUBLIC]).why).startswith("it was made of other rows")
    signed_for_it = _forged(theirs, lambda one: one.signed(SIGNER, "0" * 26, TABLE))
    _write(path, signed_for_it)
    assert str(verify(path, [PUBLIC]).why).startswith("its signature is not of this key")


def test_no_coup_is_open_and_no_card_waits_where_one_is_made() -> None:
    drawn = CoupCard(1, 1, "P1", None)
    assert at_rest(Table())
    assert at_rest(Table(coup=Coup(1, 1, no_bet=True, disclosed=True)))  # its first card is still in the shoe
    assert not at_rest(Table(coup=Coup(1, 1, opened=True)))
    assert not at_rest(Table(coup=Coup(1, 1, cards=(drawn,))))
    assert not at_rest(Table(waiting=(Waiting(drawn, 1, 5),)))


def test_progress_is_told(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    journal = open_journal(path)
    journal.append([Row("rx", at, b"") for at in range(1200)])
    journal.close()
    told: list[tuple[int, int]] = []
    assert verify(path, progress=lambda done, total: told.append((done, total))).ok
    assert told == [(512, 1201), (1024, 1201)]
