"""Real cases of a serial line that need a real daemon: a torn frame, bytes from before the open."""

import fcntl
import json
import os
import struct
import termios

from tests.process.conftest import Tables
from tests.process.running import card, until


def test_half_a_frame_is_not_completed_by_what_comes_after_the_replug(tables: Tables) -> None:
    """It is a card that nobody could read; health says that the shoe is away, and a person decides."""
    table = tables().start()
    table.must("open_table")
    table.must("load_shoe")
    whole = card("KH")
    half, rest = whole[:14], whole[14:]
    table.shoe.write(card("7D") + half)
    until(lambda: bool(table.of("card.drawn")))  # so the half that came with it was read too
    table.shoe.unplug()
    assert [one["data"]["state"] for one in table.wait("device.link", 2)] == ["up", "down"]
    health = json.loads(table.cli("health", "--config", str(table.config), "--json", code=1))
    assert health["link"] == "down"
    assert health["problems"][0].startswith("device.link down: ")
    table.shoe.plug()
    assert [one["data"]["state"] for one in table.wait("device.link", 4)[2:]] == ["up", "gap"]
    table.shoe.write(rest + card("2C") + card("3H"))
    drawn = table.wait("card.drawn", 4)
    assert [(one["data"]["slot"], one["data"]["readable"]) for one in drawn] == [
        ("P1", True),
        ("B1", False),
        ("P2", True),
        ("B2", True),
    ]
    assert [one["data"]["reason"] for one in table.of("frame.rejected")] == ["partial", "unmatched"]
    assert [one["data"]["code"] for one in table.of("irregularity.raised")] == ["unknown_code", "link_gap"]
    assert not table.of("coup.result")
    table.must("identify", "dealer:1", slot="B1", card="KH")
    assert not table.of("coup.result")
    table.must("resolve", id="link_gap", remedy="none_missed")
    result = table.wait("coup.result", 1)[0]["data"]
    assert (result["player"]["cards"], result["banker"]["cards"]) == (["7D", "2C"], ["KH", "3H"])
    assert table.stop() == 0
    table.verified()


def test_what_waited_at_the_port_before_it_was_opened_is_dropped_and_the_gap_is_told(tables: Tables) -> None:
    table = tables().start()
    table.must("open_table")
    table.must("load_shoe")
    assert table.stop() == 0
    held = os.open(table.shoe.name, os.O_RDWR | os.O_NOCTTY)  # or the terminal would keep nothing
    old = card("7D") + card("KH") + card("2C")
    table.shoe.write(old)
    until(lambda: struct.unpack("i", fcntl.ioctl(held, termios.FIONREAD, bytes(4)))[0] == len(old))
    table.start()
    os.close(held)
    (gap,) = table.wait("irregularity.raised", 1)
    assert (gap["data"]["code"], gap["data"]["hold"]) == ("link_gap", False)
    for face in ("9H", "AH", "KH", "7H"):
        table.shoe.write(card(face))
    result = table.wait("coup.result", 1)[0]["data"]
    assert (result["player"]["cards"], result["banker"]["cards"]) == (["9H", "KH"], ["AH", "7H"])
    assert len(table.of("card.drawn")) == 4
    assert table.stop() == 0
    table.verified()
