"""The journal keeps what it was given, through restarts, kills and full disks."""

import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoe_daemon.runtime.journal import Journal
from shoe_daemon.runtime.lockfile import holder, lock_of
from shoe_daemon.runtime.rows import JournalError, Reader, Row, acknowledged, told
from shoe_daemon.runtime.verify import verify
from shoe_daemon.table.events import AUDIENCES
from tests.runtime.journals import card, message, open_journal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "BAC-07.db"


def test_a_new_journal_is_private_and_says_what_it_is(path: Path) -> None:
    journal = open_journal(path)
    assert journal.created
    assert journal.tops() == {"public": 0, "surveillance": 0, "cage": 0}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    (first,) = journal.rows()
    assert (first.pos, first.kind) == (1, "meta")
    assert (journal.meta.table, journal.meta.schema, journal.meta.created) == (
        "BAC-07",
        1,
        1_800_000_000_000_000,
    )
    journal.append(card(journal, 1))
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}
    journal.close()


def test_what_was_appended_is_there_after_a_restart(path: Path) -> None:
    journal = open_journal(path)
    batches = [card(journal, 1), card(journal, 2), [told(3, [message(journal, "cage", 3)])]]
    for batch in batches:
        journal.append(batch)
    name = journal.id
    journal.close()
    journal = open_journal(path)
    assert not journal.created
    assert journal.id == name
    assert journal.tops() == {"public": 2, "surveillance": 2, "cage": 3}
    stored = list(journal.rows())[1:]
    assert [row.pos for row in stored] == list(range(2, 2 + len(stored)))
    assert [_plain(row) for row in stored] == [_plain(row) for batch in batches for row in batch]
    journal.append(card(journal, 3, ["public"]))
    journal.close()
    assert verify(path).ok


def _plain(row: Row) -> tuple[object, ...]:
    return (row.kind, row.at, row.body, row.key, row.seqs)


def test_synchronous_is_full_and_the_log_is_wal(path: Path) -> None:
    journal = open_journal(path)
    assert journal._writer.execute("PRAGMA synchronous").fetchone() == (2,)
    assert journal._writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    journal.close()


def test_messages_answers_cursors_and_states_are_found(path: Path) -> None:
    journal = open_journal(path)
    for seq in range(1, 8):
        journal.append(card(journal, seq))
    assert journal.messages("cage", 2, 3) == [message(journal, "cage", seq) for seq in (3, 4, 5)]
    assert journal.messages("cage", 7, 3) == []
    assert journal.messages("cage", 99, 3) == []
    assert journal.messages("public", 6, 10) == [message(journal, "public", 7)]
    journal.append([Row("answer", 9, b"first", key="k"), Row("answer", 10, b"second", key="k")])
    assert journal.answer("k") == b"first"
    assert journal.answer("other") is None
    acks = [acknowledged(9, "cage", "cage-1", seq) for seq in (2, 5, 4)]
    journal.append([*acks, acknowledged(9, "public", "cage-1", 1), acknowledged(9, "public", "tv", 0)])
    assert journal.cursors() == {("cage", "cage-1"): 5, ("public", "cage-1"): 1, ("public", "tv"): 0}
    assert [row.body for row in journal.rows(kinds=("rx",))] == [b" [Game]<Card:4S> \r\n"] * 7
    journal.close()


def test_the_fold_starts_at_the_last_state(path: Path) -> None:
    journal = open_journal(path)
    journal.append(card(journal, 1))
    state, steps = journal.since_last_state()
    assert (state, [row.body for row in steps]) == (None, [b"step 1"])
    journal.append([Row("state", 5, b"one"), *card(journal, 2), Row("state", 6, b"two"), *card(journal, 3)])
    state, steps = journal.since_last_state()
    assert (state, [row.body for row in steps]) == (b"two", [b"step 3"])
    journal.close()


def test_many_rows_are_read_in_pages(path: Path) -> None:
    journal = open_journal(path)
    journal.append([Row("rx", at, b"") for at in range(2500)])
    assert [row.at for row in journal.rows(after=1)] == list(range(2500))
    assert [row.at for row in journal.rows(after=2001)] == list(range(2000, 2500))
    journal.close()


def test_a_sequence_with_a_hole_is_a_bug_and_writes_nothing(path: Path) -> None:
    journal = open_journal(path)
    one, two = (told(1, [message(journal, "public", seq)]) for seq in (1, 2))
    for wrong, why in (
        ([two], "does not follow"),
        ([one, one], "does not follow"),
        ([told(1, [message(journal, "public", seq) for seq in (1, 1)])], "does not follow"),
        ([told(1, [message(journal, "public", seq) for seq in (2, 2)])], "does not follow"),
        ([told(1, [message(journal, "public", seq) for seq in (2, 1)])], "does not follow"),
        ([one, told(1, [message(journal, "public", 3), message(journal, "cage", 0)])], "does not follow"),
        ([told(1, [message(journal, "press", 1)])], "does not follow"),
        ([Row("told", 1, b"")], "cannot be read"),
        ([Row("told", 1, one.body + b"\n", seqs=one.seqs)], "cannot be read"),
        ([Row("told", 1, one.body)], "is kept as"),
        ([Row("told", 1, one.body, seqs=(2, None, None))], "is kept as"),
        ([Row("told", 1, one.body, seqs=(None, 1, None))], "is kept as"),
        ([Row("told", 1, one.body, seqs=(1, 0, None))], "is kept as"),
    ):
        with pytest.raises(ValueError, match=why):
            journal.append([Row("rx", 1, b"x"), *wrong])
    assert len(list(journal.rows())) == 1
    journal.append(card(journal, 1))
    journal.close()
    assert verify(path).ok


def test_one_process_holds_a_journal_and_the_error_names_it(path: Path) -> None:
    journal = open_journal(path)
    link = path.with_name("other.db")
    link.symlink_to(path)
    for name in (path, link):
        with pytest.raises(JournalError, match=rf"held by process {os.getpid()} \("):
            open_journal(name)
    journal.append(card(journal, 1))
    journal.close()
    open_journal(link).close()


def test_a_second_name_lets_nobody_in(path: Path) -> None:
    journal = open_journal(path)
    journal.append(card(journal, 1))
    other = path.with_name("other.db")
    other.hardlink_to(path)
    with pytest.raises(JournalError, match="has 2 names"):
        open_journal(other)
    assert not other.with_name("other.db.lock").exists()
    journal.append(card(journal, 2))
    journal.close()
    other.unlink()
    assert verify(path).ok


def test_what_is_no_file_is_refused_and_nothing_is_left_beside_it(path: Path) -> None:
    path.parent.mkdir()
    os.mkfifo(path)
    with pytest.raises(JournalError, match="is no file"):
        open_journal(path)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_the_lock_tells_who_writes_a_journal_and_only_while_it_does(path: Path) -> None:
    lock = lock_of(path)
    assert holder(lock) is None
    journal = open_journal(path)
    link = path.with_name("link.db")
    link.symlink_to(path)
    assert holder(lock) == holder(lock_of(link)) == os.getpid()
    journal.close()
    assert lock.exists()
    assert holder(lock) is None


def test_a_reader_sees_a_journal_in_use(path: Path) -> None:
    journal = open_journal(path)
    journal.append(card(journal, 1))
    with Reader(path) as reader:
        assert reader.top("public") == 1
        journal.append(card(journal, 2))
        assert [one.seq for one in reader.messages("public", 0, 10)] == [1, 2]
        assert verify(path).rows == 7
    journal.close()


def test_another_tables_journal_is_refused(path: Path) -> None:
    open_journal(path).close()
    with pytest.raises(JournalError, match="of table BAC-07, not of BAC-08"):
        open_journal(path, "BAC-08")
    open_journal(path).close()


@pytest.mark.parametrize("content", [b"hello, this is no database, but it is long enough" * 100, b"x"])
def test_a_file_of_something_else_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(JournalError, match="journal"):
        open_journal(path)
    assert path.read_bytes() == content
    with pytest.raises(JournalError, match="is no journal"):
        Reader(path)


def test_another_programs_database_is_refused(path: Path) -> None:
    path.parent.mkdir()
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE t (a)")
    db.commit()
    db.close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="is no journal of shoe-daemon"):
        open_journal(path)
    assert path.read_bytes() == before


def test_a_newer_journal_is_refused(path: Path) -> None:
    open_journal(path).close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 3")
    db.close()
    for opener in (open_journal, Reader, verify):
        with pytest.raises(JournalError, match=r"newer shoe-daemon \(layout 3; this one knows 2\)"):
            opener(path)


def test_an_absent_journal_cannot_be_read(path: Path) -> None:
    for opener in (Reader, verify):
        with pytest.raises(JournalError, match="no such file"):
            opener(path)


def test_a_maker_killed_half_way_leaves_a_file_that_starts_anew(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    journal = open_journal(path)
    assert journal.created
    journal.close()
    path.unlink()
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = WAL")
    db.close()
    journal = open_journal(path)
    assert journal.created
    journal.close()


def test_a_journal_removed_while_in_use_is_noticed(path: Path) -> None:
    journal = open_journal(path)
    journal.append(card(journal, 1))
    path.rename(path.with_name("gone"))
    journal._check_due = 0.0
    with pytest.raises(JournalError, match="moved or replaced"):
        journal.append(card(journal, 2))
    path.with_name("gone").rename(path)
    journal.append(card(journal, 2))
    journal.close()
    assert verify(path).tops["cage"] == 2


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="cannot be opened"):
        open_journal(tmp_path / "file" / "j.db")
    with pytest.raises(JournalError, match="cannot be opened"):
        open_journal(tmp_path)


_APPENDER = """
import sys
from pathlib import Path
from tests.runtime.journals import card, open_journal
journal = open_journal(Path(sys.argv[1]))
seq = journal.tops()["public"]
while True:
    seq += 1
    journal.append(card(journal, seq))
    sys.stdout.write(f"{seq}\\n")
    sys.stdout.flush()
"""


def test_sigkill_loses_no_acknowledged_batch(path: Path) -> None:
    for kills in range(6):
        child = subprocess.Popen([sys.executable, "-c", _APPENDER, path], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        lines = [child.stdout.readline().strip() for _ in range(1 + 7 * kills)]
        child.send_signal(signal.SIGKILL)
        lines += child.stdout.read().split("\n")[:-1]
        child.wait()
        child.stdout.close()
        report = verify(path)
        assert report.ok
        assert report.kinds["told"] == report.kinds["step"] == report.kinds["rx"]
        assert set(report.tops.values()) == {report.tops["public"]} == {report.kinds["told"]}
        assert int(lines[-1]) <= report.tops["public"] <= int(lines[-1]) + 1


@pytest.mark.parametrize(
    ("damage", "lost"),
    [
        (lambda log, _: log + bytes(8192), 0),
        (lambda log, before: log[:before] + bytes(len(log) - before), 1),
        (lambda log, before: log[: (before + len(log)) // 2], 1),
        (lambda log, _: log[:-1], 1),
    ],
)
def test_an_end_of_the_log_that_was_not_written_costs_that_batch_alone(
    path: Path, tmp_path: Path, damage: Callable[[bytes, int], bytes], lost: int
) -> None:
    log, cut = f"{path.name}-wal", tmp_path / "cut"
    journal = open_journal(path)
    for seq in range(1, 6):
        before = path.with_name(log).stat().st_size
        journal.append(card(journal, seq))
    cut.mkdir()
    (cut / path.name).write_bytes(path.read_bytes())  # as a power cut leaves them
    (cut / log).write_bytes(damage(path.with_name(log).read_bytes(), before))
    journal.close()
    after = open_journal(cut / path.name)
    assert after.tops()["public"] == 5 - lost
    after.append(card(after, 6 - lost))
    after.close()
    report = verify(cut / path.name)
    assert (report.ok, report.tops["public"]) == (True, 6 - lost)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    if os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", disk], check=False)
    if mounted.returncode != 0:
        pytest.skip("no file system may be mounted here")
    yield disk
    subprocess.run(["umount", "--lazy", disk], check=True)


def test_a_full_disk_is_an_error_until_space_returns(small_disk: Path) -> None:
    path = small_disk / "j.db"
    journal = open_journal(path)
    filler = small_disk / "filler"
    filler.write_bytes(bytes(200 << 10))
    done = _fill(journal, 0)
    assert done > 10
    for _ in range(3):
        with pytest.raises(JournalError, match="cannot be written"):
            journal.append(card(journal, done + 1))
    assert journal.tops()["public"] == done
    assert [one.seq for one in journal.messages("public", done - 1, 5)] == [done]
    filler.unlink()
    journal.append(card(journal, done + 1))
    journal.close()
    report = verify(path)
    assert (report.ok, report.tops["public"]) == (True, done + 1)


def _fill(journal: Journal, seq: int) -> int:
    """Append until the disk is full; the last seq that was taken."""
    while True:
        try:
            journal.append(card(journal, seq + 1))
        except JournalError:
            return seq
        seq += 1


def test_a_row_written_by_a_stranger_is_an_error_until_it_is_gone(path: Path) -> None:
    journal = open_journal(path)
    journal.append(card(journal, 1))
    stranger = sqlite3.connect(path, isolation_level=None)
    stranger.execute(
        "INSERT INTO row SELECT 5, kind, at, key, NULL, NULL, NULL, body, salt, hash FROM row WHERE pos = 2"
    )
    for _ in range(2):
        with pytest.raises(JournalError, match="cannot be written: UNIQUE"):
            journal.append(card(journal, 2))
    stranger.execute("DELETE FROM row WHERE pos = 5")
    stranger.close()
    journal.append(card(journal, 2))
    journal.close()
    assert verify(path).tops["cage"] == 2


_STEPS = st.lists(st.lists(st.sampled_from(AUDIENCES), min_size=1, max_size=5), min_size=1, max_size=3)


@settings(max_examples=25, deadline=None)
@given(st.lists(_STEPS, max_size=8), st.sets(st.integers(0, 7)))
def test_any_batches_and_restarts_make_one_chain(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[list[str]]], restarts: set[int]
) -> None:
    path = tmp_path_factory.mktemp("chain") / "j.db"
    journal = open_journal(path)
    expected = list(journal.told())
    assert not expected
    for number, steps in enumerate(batches):
        if number in restarts:
            journal.close()
            journal = open_journal(path)
        tops = journal.tops()
        rows = []
        for audiences in steps:
            said = []
            for audience in audiences:
                tops[audience] += 1
                said.append(message(journal, audience, tops[audience]))
            rows.append(told(1, said))
            expected += said
        journal.append(rows)
        assert journal.tops() == tops
    assert list(journal.told()) == expected
    assert {audience: journal.top(audience) for audience in AUDIENCES} == journal.tops()
    for audience, top in journal.tops().items():
        theirs = [one for one in expected if one.audience == audience]
        for after in range(top + 2):
            for limit in (0, 1, 2, 3, top + 1):
                assert journal.messages(audience, after, limit) == theirs[after : after + limit]
    journal.close()
    report = verify(path)
    assert (report.ok, report.rows) == (True, 1 + sum(map(len, batches)))


def test_messages_damaged_on_disk_are_an_error_that_names_the_row(path: Path) -> None:
    journal = open_journal(path)
    journal.append([*card(journal, 1), *card(journal, 2)])
    journal.close()
    for body in (b"", b"{}", b"{", b"\xff", message(journal, "cage", 1).body + b"\n"):
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("UPDATE row SET body = ? WHERE pos = 7", [body])
        with Reader(path) as reader:
            assert [one.seq for one in reader.messages("public", 0, 1)] == [1]
            for read in (partial(reader.messages, "public", 1, 9), lambda r=reader: list(r.told())):
                with pytest.raises(JournalError, match=f"^{path}: row 7 cannot be read: "):
                    read()


def test_messages_survive_the_way_into_a_row_and_out_of_it(path: Path) -> None:
    journal = open_journal(path)
    said = [message(journal, audience, seq) for seq in (1, 2) for audience in AUDIENCES]
    odd = 'line\nend \u2028 \x00 "\\'
    body = msgspec.json.encode({**msgspec.json.decode(said[0].body), "data": {odd: odd}})
    said[0] = msgspec.structs.replace(said[0], body=body)
    journal.append([told(1, said)])
    assert list(journal.told()) == said
    journal.close()
    assert verify(path).ok


def test_what_is_asked_often_is_looked_up_and_not_searched_for(path: Path) -> None:
    journal = open_journal(path)
    asked: list[str] = []
    journal._db.set_trace_callback(asked.append)
    for audience in AUDIENCES:
        journal.messages(audience, 3, 10)
        journal.top(audience)
    journal.answer("k")
    journal.cursors()
    journal._db.set_trace_callback(None)
    plans = [journal._db.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall() for sql in asked]
    used = [" ".join(step[-1] for step in plan) for plan in plans]
    names = [name for audience in AUDIENCES for name in (audience, audience)] + ["answer", "cursor"]
    for plan, name in zip(used, names, strict=True):
        assert re.search(rf"USING (COVERING )?INDEX {name}\b", plan), plan
        assert "TEMP B-TREE" not in plan
    journal.close()


def test_a_lengthened_log_is_the_same_journal(path: Path) -> None:
    journal = open_journal(path)
    journal.append(card(journal, 1))
    journal.lengthen_log()
    log = path.with_name(path.name + "-wal")
    length = log.stat().st_size
    assert length >= 4 << 20
    for seq in range(2, 100):
        journal.append(card(journal, seq))
    assert log.stat().st_size == length
    report = verify(path)
    assert (report.ok, report.tops["cage"]) == (True, 99)
    journal.lengthen_log()
    assert log.stat().st_size == length
    journal.close()
    assert verify(path).ok
    with Reader(path) as reader:
        assert [message.seq for message in reader.messages("cage", 0, 200)] == list(range(1, 100))


def test_a_log_that_a_reader_held_shrinks_once_it_is_gone(path: Path) -> None:
    journal = open_journal(path)
    log = path.with_name(path.name + "-wal")
    rows = [Row("rx", 1, bytes(1 << 20))] * 4
    journal.append(rows)
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM row").fetchone()  # from here on it sees the file as it is now
        while log.stat().st_size < 40 << 20:
            journal.append(rows)
        reader.execute("ROLLBACK")
    for _ in range(3):
        journal.append(rows)
    assert log.stat().st_size <= 16 << 20
    journal.close()
    assert verify(path).ok


def test_a_log_is_not_lengthened_where_room_is_short(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = open_journal(path)
    journal.append(card(journal, 1))
    room = os.statvfs(path)
    short = type("Room", (), {"f_bavail": 100, "f_frsize": room.f_frsize})
    monkeypatch.setattr(os, "statvfs", lambda _: short)
    journal.lengthen_log()
    assert path.with_name(path.name + "-wal").stat().st_size < 1 << 20
    journal.close()
