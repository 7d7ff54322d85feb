"""Three hundred coups at a real table, one press in thirty forgotten."""

import pytest

from tests.process.conftest import Tables
from tests.process.virtual import dealt


@pytest.mark.torture
@pytest.mark.timeout(900)
@pytest.mark.parametrize("procedure", ["result-button", "dealer-reveal"])
def test_forgotten_presses_end_without_a_supervisor(tables: Tables, procedure: str) -> None:
    dealt(tables(procedure=procedure, rules="nsw"), procedure, seed=11, coups=300, late=0.03)
