"""The shoe runs out in the middle of a coup: the daemon answers, is well, and deals from the next shoe."""

import json

from tests.process.conftest import Tables
from tests.process.running import card


def test_a_coup_that_wants_cards_does_not_hang_the_daemon(tables: Tables) -> None:
    table = tables().start()
    table.must("open_table")
    table.must("load_shoe")
    for face in ("2C", "4H", "3D"):
        table.shoe.write(card(face))
    table.wait("card.drawn", 3)
    told = table.must("shoe_empty", "dealer:1")
    assert [event["type"] for event in told][:2] == ["coup.void", "shoe.empty"]
    assert told[0]["data"] == {"reason": "insufficient_cards", "rule": None}
    health = json.loads(table.cli("health", "--config", str(table.config), "--json"))
    assert (health["well"], health["held"]) == (True, [])
    table.must("close_shoe", remaining=413)
    table.must("load_shoe")
    for face in ("9H", "AH", "KH", "7H"):
        table.shoe.write(card(face))
    (result,) = table.wait("coup.result", 1)
    assert (result["shoe"], result["data"]["outcome"]) == (2, "player")
    assert table.stop() == 0
    table.verified()
