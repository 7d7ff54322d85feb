"""The cage's own database against a real daemon: each event once, whoever is killed when."""

import json
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from shoe_daemon.runtime.rows import Reader
from tests.process.load import deal_shoe
from tests.process.running import Running, until


class Desk:
    """A cage at a table; `start` and `kill` it as often as wanted, its database stays."""

    def __init__(self, table: Running, folder: Path) -> None:
        self.table = table
        self.store = folder / "cage.db"
        self.config = folder / "cage.toml"
        self.config.write_text(
            f'[feed]\ntable = "T-1"\npub = "{table.at("cage")}"\nrouter = "{table.at("cage_replay")}"\n'
            '[store]\npath = "cage.db"\nconsumer = "cage-1"\n'
        )
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "shoe_daemon", "cage", "--config", str(self.config)]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def catch_up(self, code: int = 0) -> str:
        command = [sys.executable, "-m", "shoe_daemon", "cage", "--config", str(self.config), "--once"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == code, done.stderr
        return done.stderr

    def select(self, question: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)) as db:
            return db.execute(question).fetchall()

    def count(self) -> int:
        try:
            return int(self.select("SELECT count(*) FROM event")[0][0])
        except sqlite3.Error:  # it is being made
            return 0

    def exact(self) -> None:
        """What is kept is what was told, each event once, in order, as it was."""
        kept = [body.encode() for (body,) in self.select("SELECT body FROM event ORDER BY seq")]
        assert kept == self.table.raw("cage")
        with Reader(self.table.journal) as journal:
            top = journal.top("cage")
            assert journal.cursors()["cage", "cage-1"] == top
        ((_, seq),) = self.select("SELECT journal, seq FROM position")
        assert seq == top


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    table = Running(tmp_path)
    found = Desk(table, tmp_path)
    try:
        table.start()
        yield found
    finally:
        found.kill()
        table.close()


def test_each_event_is_kept_once_whoever_is_killed(desk: Desk) -> None:
    rng = random.Random(7)
    table = desk.table
    table.must("open_table")
    desk.start()
    for number in range(6):
        deal_shoe(table, number)
        told = len(table.raw("cage"))
        wanted = rng.randrange(told // 2, told)
        until(lambda wanted=wanted: desk.count() >= wanted)  # type: ignore[misc]  # bound in this turn
        desk.kill()
        if number % 3 == 1:
            table.kill()
            table.start()
        desk.start()
    desk.kill()
    desk.catch_up()
    desk.exact()


def test_a_new_journal_is_kept_beside_the_old_one(desk: Desk) -> None:
    table = desk.table
    table.must("open_table")
    deal_shoe(table, 1)
    desk.catch_up()
    desk.exact()
    first = table.raw("cage")
    table.stop()
    for file in table.folder.glob("t.db*"):
        file.unlink()
    table.start()
    table.must("open_table")
    assert "the journal is a new one" in desk.catch_up()
    second = table.raw("cage")
    kept = {body.encode() for (body,) in desk.select("SELECT body FROM event")}
    assert kept == {*first, *second}
    assert desk.select("SELECT count(*) FROM event") == [(len(first) + len(second),)]


def test_a_coup_has_one_result_its_latest(desk: Desk) -> None:
    table = desk.table
    table.must("open_table")
    deal_shoe(table, 3)
    coup = table.of("coup.result", "cage")[-1]
    face = coup["data"]["player"]["cards"][0]
    other = face[:-1] + ("S" if face[-1] != "S" else "H")
    table.must("correct", slot="P1", card=other, coup=coup["coup"], shoe=coup["shoe"])
    desk.catch_up()
    latest: dict[tuple[int, int], Any] = {}
    for one in table.of("coup.result", "cage"):
        latest[one["shoe"], one["coup"]] = one["data"]
    kept = {
        (shoe, number): json.loads(body)["data"]
        for shoe, number, body in desk.select("SELECT shoe, coup, body FROM result")
    }
    assert kept == latest
    assert kept[coup["shoe"], coup["coup"]]["revision"] == 2


def test_a_cage_that_died_is_an_alarm_until_it_has_caught_up(tmp_path: Path) -> None:
    table = Running(tmp_path, feed="control_claims = true\nlate_s = 1")
    desk = Desk(table, tmp_path)
    try:
        table.start()
        table.must("open_table")
        desk.catch_up()
        deal_shoe(table, 1)
        (raised,) = table.wait("alarm.raised", 1)
        assert raised["data"] == {
            "code": "consumer_lagging",
            "n": None,
            "what": "cage",
            "reason": "cage-1",
        }
        health = json.loads(table.cli("health", "--config", str(table.config), "--json"))
        assert health["behind"] == {"cage cage-1": len(table.raw("cage")) - 1}
        desk.catch_up()
        (cleared,) = table.wait("alarm.cleared", 1)
        assert cleared["data"] == {"code": "consumer_lagging", "what": "cage", "reason": "cage-1"}
        assert table.stop() == 0
        capture = tmp_path / "c.jsonl"
        capture.write_text(table.cli("journal", "export", str(table.journal), "--capture"))
        again = table.cli("replay", str(capture), "--audience", "surveillance").splitlines()
        kinds = [json.loads(line)["type"] for line in again]
        assert kinds == [one["type"] for one in table.told("surveillance")]
    finally:
        table.close()


def test_a_database_of_another_program_is_left_alone(desk: Desk) -> None:
    with closing(sqlite3.connect(desk.store)) as db:
        db.execute("CREATE TABLE theirs (a)")
        db.commit()
    before = desk.store.read_bytes()
    assert "is another program's database" in desk.catch_up(code=1)
    assert desk.store.read_bytes()[100:] == before[100:]


def test_a_broken_configuration_is_named_with_every_line(desk: Desk) -> None:
    desk.config.write_text(
        '[feed]\ntable = "T-1"\npub = "nonsense"\nrouter = "tcp://x:1"\nkey = "k"\n[store]\npath = "c.db"\n'
    )
    words = desk.catch_up(code=2)
    assert [line.split(": ")[1] for line in words.splitlines()] == ["feed.pub", "feed.router", "feed.key"]
    assert "cage.toml:3" in words
