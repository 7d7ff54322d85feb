"""A dealer who forgets a press puts it right alone, at a real table over a pseudo-terminal."""

import pytest

from drivers.mistakes import MISTAKES
from drivers.virtual import VirtualOptions
from tests.drivers.felt import mistakes
from tests.process.conftest import Tables
from tests.process.virtual import dealt, table_for


@pytest.mark.parametrize("procedure", ["result-button", "dealer-reveal"])
def test_forgotten_presses_end_without_a_supervisor(tables: Tables, procedure: str) -> None:
    options = VirtualOptions(procedure=procedure, seed=3, coups=8, late=0.5)
    dealt(table_for(tables, procedure), options)


@pytest.mark.parametrize(("seed", "mistake"), [(1, "equipment_fault"), (7, "burn_forgotten")])
def test_a_mistake_is_put_right_by_a_supervisor(tables: Tables, seed: int, mistake: str) -> None:
    """Of mistake, unread cards and forgotten presses only the first needs a supervisor."""
    wrong = MISTAKES["squeeze"]
    options = VirtualOptions(procedure="squeeze", seed=seed, coups=8, late=0.3, unread=0.05, mistakes=wrong)
    assert list(mistakes(dealt(table_for(tables, "squeeze"), options)).values()) == [mistake]
