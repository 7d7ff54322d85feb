"""A daemon whose machine's clock is set: it says so, times follow, and nothing at the table changes by it."""

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import zmq

from tests.process.conftest import Tables
from tests.process.running import Json, Running, Socket, card
from tests.process.whole_run import captured, same_events

HOUR = 3600
COUP = ("8S", "3H", "AC", "QD")
PROGRAM = """
import time
from pathlib import Path

base = time.time_ns() - time.monotonic_ns()
time.time_ns = lambda: base + time.monotonic_ns() + int(Path({path!r}).read_text()) * 10**9

from shoe_daemon.cli import main

main()
"""
"""The program at a clock that a file sets, by seconds from the machine's own: that one is not ours to set."""


class Clocked:
    """A table, and the clock that its daemon looks at."""

    def __init__(self, tables: Tables, file: Path) -> None:
        self._file = file
        self.set(0)
        self.table: Running = tables(
            command=(sys.executable, "-c", PROGRAM.format(path=str(file))), settle_s=3.0
        )

    def set(self, ahead: int) -> None:
        """Set the clock to `ahead` seconds before the true time."""
        new = self._file.with_suffix(".new")
        new.write_text(str(ahead), encoding="utf-8")
        new.replace(self._file)

    def stepped(self, number: int) -> Json:
        """Wait for the last of `number` times that surveillance was told of it."""
        return self.table.wait("clock.stepped", number)[-1]

    def draw(self, *faces: str) -> None:
        """Draw cards, one after the other."""
        for face in faces:
            before = len(self.table.of("card.drawn"))
            self.table.shoe.write(card(face))
            self.table.wait("card.drawn", before + 1)


@pytest.fixture
def clocked(tables: Tables, tmp_path: Path) -> Clocked:
    return Clocked(tables, tmp_path / "clock")


def hours(by: float) -> int:
    return round(by / HOUR)


def ahead(event: Json) -> int:
    """By how many hours the time of an event just told is ahead of the true one."""
    return hours((datetime.fromisoformat(event["at"]) - datetime.now(UTC)).total_seconds())


def by(event: Json) -> int:
    """By how many hours the clock was set, as the event says it throughout."""
    data = event["data"]
    before, after = (datetime.fromisoformat(data[name]) for name in ("before", "after"))
    assert (after - before) / timedelta(microseconds=1) == round(data["by_s"] * 10**6)
    assert event["at"] == data["after"]
    return hours(data["by_s"])


def test_a_clock_set_on_and_back_is_told_to_surveillance_alone(
    clocked: Clocked,
) -> None:
    table = clocked.table.start()
    table.must("open_table")
    table.must("load_shoe")
    clocked.draw(*COUP)
    clocked.set(HOUR)  # while the coup settles: that timer counts on by the clock as it was
    first = clocked.stepped(1)
    (result,) = table.of("coup.result")
    assert result["seq"] < first["seq"]
    assert (ahead(result), by(first), ahead(first), first["coup"]) == (0, 1, 1, None)
    clocked.draw(*COUP[:2])
    said = table.raw("public"), table.raw("cage")
    clocked.set(-HOUR)
    second = clocked.stepped(2)
    assert (by(second), ahead(second), second["coup"]) == (-2, -1, 2)
    assert (table.raw("public"), table.raw("cage")) == said
    clocked.draw(*COUP[2:])
    assert [ahead(one) for one in table.wait("coup.result", 2)] == [0, -1]
    assert not table.of("irregularity.raised")
    table.kill()
    table.start()
    table.must("resolve", id="link_gap", remedy="none_missed")
    clocked.set(0)
    third = clocked.stepped(3)
    assert (by(third), ahead(third), third["coup"]) == (1, 0, None)
    told = table.cli("events", "--config", str(table.config), "--audience", "surveillance", "--once")
    assert [json.loads(line) for line in told.splitlines() if "clock.stepped" in line] == [
        first,
        second,
        third,
    ]
    clocked.draw(*COUP)
    assert [ahead(one) for one in table.wait("coup.result", 3)] == [0, -1, 0]
    table.must("close_shoe")
    assert table.stop() == 0
    assert not table.of("clock.stepped", "public") + table.of("clock.stepped", "cage")
    table.verified()
    assert same_events(table, table.cli("replay", str(captured(table)))) > 50
    _read(table, second["data"])


def test_a_start_at_a_time_before_the_last_stop_keeps_the_order(
    clocked: Clocked,
) -> None:
    table = clocked.table.start()
    table.must("open_table")
    table.must("load_shoe")
    clocked.draw(*COUP)
    table.wait("coup.result", 1)
    assert table.stop() == 0
    clocked.set(-22 * 60)  # it has no battery: what it says now was before the stop
    table.start()
    table.must("resolve", id="link_gap", remedy="none_missed")
    clocked.draw(*COUP)
    table.wait("coup.result", 2)
    clocked.set(11 * 60)
    clocked.stepped(1)
    clocked.draw(*COUP)
    first, second, third = table.wait("coup.result", 3)
    assert second["at"] < first["at"] < third["at"]
    assert [one["coup"] for one in (first, second, third)] == [1, 2, 3]
    told = table.told("surveillance")
    assert [one["seq"] for one in told] == list(range(1, len(told) + 1))
    kinds = {"card.drawn", "coup.result"}
    for coup in (1, 2, 3):
        times = [one["at"] for one in told if one["coup"] == coup and one["type"] in kinds]
        assert times == sorted(times)
    assert table.stop() == 0
    table.verified()
    same_events(table, table.cli("replay", str(captured(table))))


def test_an_old_result_bears_its_own_time_and_is_not_told_again(clocked: Clocked) -> None:
    table = clocked.table.start()
    table.must("open_table")
    table.must("load_shoe")
    clocked.draw(*COUP)
    table.wait("coup.result", 1)
    assert table.stop() == 0
    (result,) = table.of("coup.result", "public")
    clocked.set(2 * HOUR)
    with Socket(zmq.SUB, table.at("public")) as ear:
        table.start()
        beats, heard = 0, []
        while beats < 3:
            topic, _, body = ear.socket.recv_multipart()
            beats += topic.endswith(b"/heartbeat/")
            heard += [] if topic.endswith(b"/heartbeat/") else [json.loads(body)["type"]]
    assert "coup.result" not in heard
    assert table.of("coup.result", "public") == [result]
    assert ahead(result) == 0
    assert ahead(table.told("surveillance")[-1]) == 2
    rows, _ = table.ask("public_replay", {"after": result["seq"] - 1, "limit": 1})
    assert json.loads(rows[0][2]) == result
    assert table.stop() == 0


def _read(table: Running, second: Json) -> None:
    """The commands that read a journal say it, each in its way."""
    rows = list(map(json.loads, table.cli("journal", "show", str(table.journal), "--json").splitlines()))
    steps = [one["body"] for one in rows if one["kind"] == "step"]
    assert [one["input"]["input"] for one in steps].count("clockstepped") == 3
    page = " ".join(table.cli("explain", str(table.journal), "--coup", "2", "--zone", "UTC").split())
    assert page.count("The machine's clock was set forward by 3600.0 s; until then it said ") == 1
    assert page.count("The machine's clock was set back by 7200.0 s; until then it said ") == 1
    day = second["before"][:10]
    times = f"{day} 00:00", (datetime.fromisoformat(day) + timedelta(days=2)).strftime("%Y-%m-%d 00:00")
    report = table.cli("report", str(table.journal), "--shift", *times, "--zone", "UTC")
    assert f"back by 7200.0 s, until then {day} {second['before'][11:19]}" in " ".join(report.split())
