"""The whole fault matrix, printed as a table; and a plug that is loose for a minute."""

import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.catalogue import FAULTS
from tests.faults.cell import Cell
from tests.faults.life import Life
from tests.faults.matrix import COLUMNS, SEED, Column, Outcome, again, all_places, play, played, table

FLAPPING_S = 60
HALF_S = 0.1


@pytest.fixture(scope="module")
def outcomes() -> Iterator[list[Outcome]]:
    """What came of all cells that were played; printed in the end."""
    found: list[Outcome] = []
    yield found
    print("\n" + "\n".join(table(all_places(), found)))  # noqa: T201 - the matrix


@pytest.mark.torture
@pytest.mark.timeout(900)
@pytest.mark.parametrize("column", COLUMNS, ids="-".join)
def test_the_whole_matrix(outcomes: list[Outcome], tmp_path: Path, column: Column) -> None:
    here = play(played(column), tmp_path, SEED)
    outcomes += here
    missed = [f"{again(one.place, SEED)}\n{one.miss}" for one in here if one.miss]
    assert not missed, "\n".join(missed)
    if {one.place for one in outcomes} == {one for one in all_places() if one.state == "play"}:
        _all_was_said(outcomes)


def _all_was_said(outcomes: list[Outcome]) -> None:
    """What the catalogue says of a fault was said in one of its cells."""
    said = {fault.key: set[str]() for fault in FAULTS}
    for one in outcomes:
        said[one.place.fault.key] |= one.said
    assert {f.key: set(f.says) - said[f.key] for f in FAULTS if set(f.says) - said[f.key]} == {}


def _warnings(life: Life) -> Counter[str]:
    """How often each thing that is wrong with the line was written into the daemon's log."""
    lines = life.table.log.read_text().splitlines()
    return Counter(re.sub(r".*\"reason\":\"(\w+).*", r"\1", line) for line in lines if '"warning"' in line)


@pytest.mark.torture
@pytest.mark.timeout(300)
@pytest.mark.parametrize("transport", ["pty", "tcp"])
def test_a_plug_that_is_loose_for_a_minute(tmp_path: Path, transport: str) -> None:
    """Five times a second: no descriptor stays open, warnings are counted, not written; dealing goes on."""
    life = Life(tmp_path / "life", "beetek-rs232", transport)
    try:
        life.begin()
        cell = Cell(life, random.Random(SEED))
        cell.play()
        files = life.descriptors()
        end, pulls = time.monotonic() + FLAPPING_S, 0
        while time.monotonic() < end:
            life.far.unplug()
            time.sleep(HALF_S)  # the pace is the fault
            life.far.plug()
            time.sleep(HALF_S)
            pulls += 1
        cell.wait("device.link up", cell.said().count("device.link down"))
        gaps, lines = cell.said().count("device.link gap"), len(life.table.log.read_text().splitlines())
        print(f"\n{transport}: pulled {pulls} times, {gaps} gaps told, {lines} lines of log")  # noqa: T201 - figures
        assert life.descriptors() == files
        # Of one warning the 1st, 2nd, 4th, 8th … are written, and one a minute.
        assert max(_warnings(life).values()) <= pulls.bit_length() + 2
        cell.finish()
        life.end()
    finally:
        life.close()
