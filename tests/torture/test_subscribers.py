"""A subscriber that stands still for ten seconds, while its peer gives it up."""

import pytest

from tests.process.conftest import Tables
from tests.process.load import overtaken


@pytest.mark.torture
@pytest.mark.timeout(600)
def test_stopped_and_late_subscribers_have_every_event(tables: Tables) -> None:
    overtaken(tables(), shoes=12, seconds=10.0)
