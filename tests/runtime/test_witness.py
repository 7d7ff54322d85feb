"""A witness: what another machine was told of checkpoints shows what no signature can, a tail cut off."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from shoe_daemon.runtime.checkpoint import decode
from shoe_daemon.runtime.messages import rfc3339
from shoe_daemon.runtime.rows import Reader
from shoe_daemon.runtime.verify import verify
from shoe_daemon.runtime.witness import WitnessError, read_witness
from tests.runtime.journals import CHECKPOINT, PUBLIC, SIGNER, card, open_journal

ROWS = 13


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Make a closed journal of 13 rows: 5, 9 and 13 are checkpoints."""
    path = tmp_path / "j.db"
    journal = open_journal(path, signer=SIGNER)
    for seq in (1, 2, 3):
        journal.append([*card(journal, seq), CHECKPOINT])
    journal.close()
    return path


def told(path: Path) -> list[str]:
    """What surveillance is told of the checkpoints of the journal at `path`."""
    with Reader(path) as journal:
        made = [decode(row.body).told() for row in journal.rows(kinds=("checkpoint",))]
        return [
            json.dumps(
                {
                    "type": "journal.checkpoint",
                    "journal": journal.meta.journal,
                    "data": {key: getattr(one, key) for key in one.__struct_fields__ if key != "at"}
                    | {"signed": rfc3339(one.signed)},
                }
            )
            for one in made
        ]


def write(path: Path, *lines: str) -> Path:
    file = path.with_name("witness.jsonl")
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return file


def test_a_whole_journal_agrees_with_its_witness(path: Path) -> None:
    other = '{"type": "coup.result", "journal": "x", "data": 1}'
    witness = read_witness(write(path, other, *told(path), "", other))
    assert len(witness) == 3
    for keys in ([], [PUBLIC]):
        assert verify(path, keys, witness).ok


def test_a_tail_cut_at_any_row_is_found_and_the_rows_before_it_are_kept(path: Path) -> None:
    witness = read_witness(write(path, *told(path)))
    for kept in range(ROWS - 1, 0, -1):
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("DELETE FROM row WHERE pos > ?", [kept])
            db.execute(f"PRAGMA user_version = {2 if kept >= 5 else 1}")
        assert verify(path).ok
        report = verify(path, [], witness)
        assert (report.ok, report.bad, report.rows) == (False, kept + 1, kept)
        assert report.why == f"rows {kept + 1} to 13 are missing: the witness was told of row 13"


def test_a_journal_that_went_another_way_is_found_at_its_first_other_checkpoint(path: Path) -> None:
    witness = read_witness(write(path, *told(path)))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DELETE FROM row WHERE pos > 5")
    journal = open_journal(path, signer=SIGNER)
    journal.append([*card(journal, 2), CHECKPOINT, *card(journal, 3), CHECKPOINT])
    journal.close()
    assert verify(path, [PUBLIC]).ok
    report = verify(path, [PUBLIC], witness)
    assert (report.bad, report.why) == (9, "it is not the checkpoint that the witness was told of")


def test_a_journal_that_is_another_is_found(path: Path, tmp_path: Path) -> None:
    witness = read_witness(write(path, *told(path)))
    other = open_journal(tmp_path / "other.db", signer=SIGNER)
    other.append([*card(other, 1), CHECKPOINT])
    other.close()
    report = verify(tmp_path / "other.db", [PUBLIC], witness)
    assert (report.ok, report.bad) == (False, None)
    assert report.why == "the witness was told of no checkpoint of this journal"


@pytest.mark.parametrize(
    "line",
    ["{", "[]", '{"type": 1}', '{"type": "journal.checkpoint"}', "\u00e9{"],
)
def test_what_is_no_witness_is_said_with_its_line(path: Path, line: str) -> None:
    file = write(path, *told(path), line)
    with pytest.raises(WitnessError, match=f"^{file}:4: is no event of surveillance"):
        read_witness(file)
    with pytest.raises(WitnessError, match="cannot be read: No such file"):
        read_witness(path.with_name("absent"))
