"""Two hundred kills of the real daemon, at seeded instants."""

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.process.conftest import Tables
from tests.process.killing import Kills
from tests.process.whole_run import captured, same_events

ROUNDS = 10
INSTANTS = 20


@pytest.fixture(scope="module")
def phases() -> Iterator[Counter[str]]:
    """Where the instants fell, all in all."""
    counted: Counter[str] = Counter()
    yield counted
    print(f"\nkilled at {counted.total()} instants: {dict(counted)}")  # noqa: T201 - the figures


@pytest.mark.torture
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_nothing_is_lost_at_any_instant(tables: Tables, phases: Counter[str], seed: int) -> None:
    table = tables(decks=8)
    kills = Kills(table, seed)
    kills.begin()
    for _ in range(INSTANTS):
        kills.instant()
    kills.end()
    phases.update(kills.phases)
    assert same_events(table, table.cli("replay", str(captured(table))))
