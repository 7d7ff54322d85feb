"""The whole fault matrix, printed as a table; and a plug that is loose for a minute."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.catalogue import FAULTS
from tests.faults.cell import Cell
from tests.faults.life import Life
from tests.faults.matrix import COLUMNS, SEED, Column, Outcome, again, all_places, play, played, table

FLAPPING_S = 60
HALF_S = 0.1
WARNINGS = 4
"""One for each thing that can be wrong with a line, however often it is."""


@pytest.fixture(scope="module")
def outcomes() -> Iterator[list[Outcome]]:
    """What came of all cells that were played; printed in the end."""
    found: list[Outcome] = []
    yield found
    print("\n" + "\n".join(table(all_places(), found)))  # noqa: T201 - the matrix
    said: dict[str, set[str]] = {}
    for one in found:
        said.setdefault(one.place.fault.key, set()).update(one.said)
    unheard = {fault.key: sorted(set(fault.says) - said.get(fault.key, set())) for fault in FAULTS}
    print("said in no cell:", {key: words for key, words in unheard.items() if words})  # noqa: T201 - the same


@pytest.mark.torture
@pytest.mark.timeout(900)
@pytest.mark.parametrize("column", COLUMNS, ids="-".join)
def test_the_whole_matrix(outcomes: list[Outcome], tmp_path: Path, column: Column) -> None:
    here = play(played(column), tmp_path, SEED)
    outcomes += here
    missed = [f"{again(one.place, SEED)}\n{one.miss}" for one in here if one.miss]
    assert not missed, "\n".join(missed)


def _warnings(life: Life) -> int:
    """How many warnings are in the daemon's log."""
    return life.table.log.read_text().count('"level":"warning"')


@pytest.mark.torture
@pytest.mark.timeout(300)
@pytest.mark.parametrize("transport", ["pty", "tcp"])
def test_a_plug_that_is_loose_for_a_minute(tmp_path: Path, transport: str) -> None:
    """Five times a second: no descriptor stays open, a repeated warning is not written again, dealing goes on."""
    life = Life(tmp_path / "life", "beetek-rs232", transport)
    try:
        life.begin()
        cell = Cell(life, random.Random(SEED))
        cell.play()
        files, warned = life.descriptors(), _warnings(life)
        end, pulls = time.monotonic() + FLAPPING_S, 0
        while time.monotonic() < end:
            life.far.unplug()
            time.sleep(HALF_S)  # the pace is the fault
            life.far.plug()
            time.sleep(HALF_S)
            pulls += 1
        cell.wait("device.link up", cell.said().count("device.link down"))
        gaps = cell.said().count("device.link gap")
        lines = len(life.table.log.read_text().splitlines())
        print(f"\n{transport}: pulled {pulls} times, {gaps} gaps told, {lines} lines of log")  # noqa: T201 - the figures
        assert life.descriptors() == files
        assert _warnings(life) - warned <= WARNINGS
        cell.finish()
        life.end()
    finally:
        life.close()
