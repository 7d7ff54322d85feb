"""Three hundred coups at a real table: presses forgotten, cards unread, and one real mistake in each shoe."""

import pytest

from drivers.beats import LATE
from drivers.mistakes import MISTAKES
from drivers.script import NewShoe
from drivers.virtual import VirtualOptions
from tests.drivers.felt import mistakes
from tests.process.conftest import Tables
from tests.process.virtual import dealt, table_for


@pytest.mark.torture
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("procedure", MISTAKES)
def test_only_a_real_mistake_needs_a_supervisor(tables: Tables, procedure: str) -> None:
    options = VirtualOptions(
        procedure=procedure,
        seed=11,
        coups=300,
        late=0.03 if procedure in LATE else 0.0,
        unread=0.01,
        mistakes=MISTAKES[procedure],
    )
    actions = dealt(table_for(tables, procedure), options)
    shoes = [one.shoe for one in actions if isinstance(one, NewShoe)]
    assert [shoe for shoe, _ in mistakes(actions)] == shoes
