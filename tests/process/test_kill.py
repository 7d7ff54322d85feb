"""The daemon killed at a few instants; many more are in tests/torture."""

from tests.process.conftest import Tables
from tests.process.killing import Kills
from tests.process.whole_run import captured, same_events

INSTANTS = 12


def test_nothing_is_lost_at_any_instant(tables: Tables) -> None:
    table = tables(decks=8)
    kills = Kills(table, seed=1)
    kills.begin()
    for _ in range(INSTANTS):
        kills.instant()
    kills.end()
    print(dict(kills.phases))  # noqa: T201 - how many instants fell where
    assert same_events(table, table.cli("replay", str(captured(table))))
