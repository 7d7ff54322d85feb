"""The network between a daemon and its consumers falls silent: both ends notice, and nothing is missing."""

from tests.process.cable import Cable
from tests.process.conftest import Tables
from tests.process.partition import parted


def test_a_silent_network_is_noticed_at_both_ends_and_costs_nothing(tables: Tables) -> None:
    with Cable() as cable:
        parted(cable, tables, "silent", 5)
