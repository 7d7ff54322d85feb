"""A dealer who forgets a press puts it right alone, at a real table over a pseudo-terminal."""

import pytest

from tests.process.conftest import Tables
from tests.process.virtual import dealt


@pytest.mark.parametrize("procedure", ["result-button", "dealer-reveal"])
def test_forgotten_presses_end_without_a_supervisor(tables: Tables, procedure: str) -> None:
    dealt(tables(procedure=procedure, rules="nsw"), procedure, seed=3, coups=8, late=0.5)
