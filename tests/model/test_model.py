"""The product against the model, step by step, for every audience and both policies."""

import pytest

from shoe_daemon.table.irregularities import ROWS
from shoe_daemon.table.verbs import VERBS
from tests.model import verbs
from tests.model.cards import TABLE_2, thirds
from tests.model.machine import run
from tests.model.reached import REASONS
from tests.model.telling import ITEMS


def test_the_product_tells_what_the_model_tells() -> None:
    reached = run(examples=60, steps=60)
    assert reached.steps >= 2500


def test_the_model_knows_every_irregularity_and_every_verb() -> None:
    assert ITEMS.keys() == ROWS.keys()
    assert verbs.VERBS.keys() == VERBS.keys()
    assert REASONS.keys() | {"notice", "sign_in", "sign_out"} == VERBS.keys()


@pytest.mark.parametrize("banker", range(8))
def test_the_typed_table_is_the_printed_one(banker: int) -> None:
    draws = {third for third in range(10) if TABLE_2[banker][third + 1] == "D"}
    printed = {3: set(range(10)) - {8}, 4: set(range(2, 8)), 5: set(range(4, 8)), 6: {6, 7}, 7: set()}
    assert draws == printed.get(banker, set(range(10)))
    assert (thirds(6, banker, 0) == ("B3",)) == (banker <= 5)
