"""The shoe's cable pulled and put back at each card of a coup: told, settled, dealt on, no restart."""

import pytest

from tests.process.conftest import Tables
from tests.process.flapping import flapped
from tests.process.running import card

CARDS = ("2S", "3H", "KC", "QD", "4S", "9C")
"""Player 2 and 3: draws; Banker 0 and 3: draws to a four."""


@pytest.mark.parametrize(
    ("procedure", "place"),
    [*(("face-up", place) for place in range(1, 6)), *(("result-button", place) for place in (4, 5, 6))],
)
def test_cable_back_after_each_card(tables: Tables, procedure: str, place: int) -> None:
    table = tables(procedure=procedure).start()
    assert table.process is not None
    pid = table.process.pid
    table.must("open_table")
    table.must("load_shoe")
    for number, face in enumerate(CARDS, 1):
        table.shoe.write(card(face))
        table.wait("card.drawn", number)
        if number == place:
            table.shoe.unplug()
            table.wait("device.link", 2)
            table.shoe.plug()
            raised = table.wait("irregularity.raised", 1)[0]
            assert [one["data"]["state"] for one in table.of("device.link")] == ["up", "down", "up", "gap"]
            assert (raised["data"]["code"], raised["data"]["hold"], raised["coup"]) == ("link_gap", True, 1)
            assert not table.of("coup.result")
            table.must("resolve", id="link_gap", remedy="none_missed")
    if procedure == "result-button":
        assert not table.of("coup.result")
        table.must("reveal", "dealer:1", all=True)
    result = table.wait("coup.result", 1)[0]["data"]
    assert result["player"] == {"cards": ["2S", "KC", "4S"], "points": 6}
    assert result["banker"] == {"cards": ["3H", "QD", "9C"], "points": 2}
    table.shoe.write(card("5D"))
    assert table.wait("card.drawn", 7)[-1]["coup"] == 2
    assert not table.of("coup.result")[1:]
    assert table.process.pid == pid
    assert table.process.poll() is None
    assert table.stop() == 0
    table.verified()


def test_a_link_that_comes_and_goes_is_told_as_such_and_dealing_goes_on(tables: Tables) -> None:
    assert flapped(tables(), seconds=3.0) >= 3


def test_a_port_that_vanishes_half_a_second_after_it_came_is_told_the_third_time(tables: Tables) -> None:
    """What brltty and ModemManager do to an adapter (data/cases SER-22)."""
    table = tables().start()
    for turn in range(3):
        table.shoe.unplug()
        table.wait("device.link", 3 * turn + 2)
        if turn < 2:
            table.shoe.plug()
            table.wait("device.link", 3 * turn + 4)
    (alarm,) = table.wait("device.alarm", 1)
    assert alarm["data"]["code"] == "link_flapping"
    assert alarm["data"]["text"].startswith("3 times in ")
    assert "brltty" in alarm["data"]["text"]
    table.shoe.plug()
    table.wait("device.link", 10)
    table.must("open_table")
    table.must("load_shoe")
    table.shoe.write(card("KH"))
    table.wait("card.drawn", 1)
