"""A fixed share of the fault matrix: each fault that is played, once, in as few columns as show them all."""

import random
from pathlib import Path

import pytest

from tests.faults.catalogue import Place
from tests.faults.matrix import COLUMNS, SEED, Column, again, play, played


def share() -> dict[Column, list[Place]]:
    """One cell of each fault, at one of the columns that together can show all: few daemons are started."""
    rng = random.Random(SEED)
    cells = {column: played(column) for column in rng.sample(COLUMNS, len(COLUMNS))}
    left = {one.fault.key for here in cells.values() for one in here}
    columns: list[Column] = []
    while left:
        best = max(cells, key=lambda column: len(left & {one.fault.key for one in cells[column]}))
        columns.append(best)
        left -= {one.fault.key for one in cells[best]}
    found: dict[Column, list[Place]] = {column: [] for column in columns}
    for key in sorted({one.fault.key for here in cells.values() for one in here}):
        one = rng.choice([one for column in columns for one in cells[column] if one.fault.key == key])
        found[one.profile, one.transport].append(one)
    return found


@pytest.mark.parametrize("column", share(), ids="-".join)
def test_a_share_of_the_matrix(column: Column, tmp_path: Path) -> None:
    chosen = share()[column]
    outcomes = play(chosen, tmp_path, SEED)
    assert {one.place for one in outcomes} == set(chosen)
    missed = [f"{again(one.place, SEED)}\n{one.miss}" for one in outcomes if one.miss]
    assert not missed, "\n".join(missed)
