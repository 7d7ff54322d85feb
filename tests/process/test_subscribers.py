"""A subscriber that stood still, and one that came late, end with exactly the journal's events."""

from tests.process.conftest import Tables
from tests.process.load import overtaken


def test_stopped_and_late_subscribers_have_every_event(tables: Tables) -> None:
    overtaken(tables(), shoes=3, seconds=0.0)
