"""A shoe that comes and goes for a minute, and one that is gone for two."""

import time

import pytest

from tests.process.conftest import Tables
from tests.process.flapping import flapped, of_the_link, processor_s
from tests.process.running import card

AWAY_S = 120.0


@pytest.mark.torture
@pytest.mark.timeout(600)
def test_five_times_a_second_for_a_minute(tables: Tables) -> None:
    times = flapped(tables(), seconds=60.0)
    print(f"\nfive times a second for a minute: opened and lost {times} times")  # noqa: T201 - the figure


@pytest.mark.torture
@pytest.mark.timeout(600)
def test_a_shoe_that_is_gone_costs_next_to_nothing_and_comes_back(tables: Tables) -> None:
    """The figures are those of data/cases SER-11: below 5 % of a processor, at most a few lines a minute."""
    table = tables().start()
    table.must("open_table")
    table.must("load_shoe")
    table.shoe.write(card("7D"))
    table.wait("card.drawn", 1)
    table.shoe.unplug()
    table.wait("device.link", 2)
    used, lines = processor_s(table), len(of_the_link(table))
    time.sleep(AWAY_S)
    share, more = (processor_s(table) - used) / AWAY_S, len(of_the_link(table)) - lines
    print(f"\ngone for {AWAY_S:.0f} s: {share:.2%} of a processor, {more} lines")  # noqa: T201 - the figures
    assert share < 0.05
    assert more <= 2
    table.shoe.plug()
    table.wait("device.link", 4)
    table.must("resolve", id="link_gap", remedy="none_missed")
    table.shoe.write(card("KH"))
    table.wait("card.drawn", 2)
