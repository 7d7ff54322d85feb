"""One hundred thousand steps of tables where all goes wrong that can, against the model."""

import pytest

from tests.model.machine import run

EXAMPLES = 2200
STEPS = 100


@pytest.mark.torture
@pytest.mark.timeout(3600)
def test_a_hundred_thousand_steps() -> None:
    reached = run(EXAMPLES, STEPS)
    print(f"\n{reached.summary()}")  # noqa: T201 - the figures
    assert reached.steps >= 100_000
    assert list(reached.missing()) == []
