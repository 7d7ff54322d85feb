"""Networks that fail for long, in every way: both ends notice, and nothing is missing after."""

import pytest

from tests.process.cable import Cable, Loss
from tests.process.conftest import Tables
from tests.process.partition import parted


@pytest.mark.torture
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("loss", "seconds"),
    [
        ("silent", 5),
        ("silent", 40),
        ("silent", 300),
        ("pulled", 5),
        ("pulled", 40),
        ("to the far end", 5),
        ("to the far end", 40),
        ("to the near end", 5),
        ("to the near end", 40),
    ],
)
def test_both_ends_notice_and_nothing_is_missing(tables: Tables, loss: Loss, seconds: float) -> None:
    with Cable() as cable:
        parted(cable, tables, loss, seconds)
