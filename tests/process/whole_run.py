"""One long run of a table in which all goes wrong that can, and what replay makes of it."""

import difflib
import json
from pathlib import Path

from tests.process.running import AUDIENCES, Json, Running, card, plain, until

UNREAD = b" [Game]<Game> \r\n"
HALF = b" [Game]<Card:4"
DEALER = "dealer:1"


def whole_run(table: Running) -> None:
    """Everything but dealing: cable, kills, half frames, refusals, noise; ends with the daemon stopped."""
    table.start()
    table.refused("reveal", DEALER)
    table.shoe.write(card("9C"))  # no shoe on the table
    table.wait("frame.rejected", 1)
    table.must("open_table")
    table.refused("load_shoe", DEALER)
    table.must("load_shoe", set_id="red")
    table.must("burn", DEALER)
    for face in ("2H", "KS", "5D"):
        table.shoe.write(card(face))
    table.wait("shoe.burned", 1)
    _deal(table, "2S", "3H", "KC", "QD", "4S", "9C")
    _unread(table)
    _kill_in_half_a_frame(table)
    _stop_in_half_a_frame(table)
    _given_up(table)
    _noise(table)
    _cable(table)
    _deal(table, "8S", "3H", "AC", "QD")
    table.must("cut_card", DEALER)
    _deal(table, "8S", "3H", "AC", "QD")
    table.refused("open_betting", DEALER)
    table.must("close_shoe", remaining=300)
    table.must("load_shoe")
    _deal(table, "8S", "3H", "AC", "QD")
    assert table.stop() == 0


def late_presses(table: Running) -> None:
    """Cards before the press, put right by the dealer alone; over a kill in the middle."""
    table.start()
    table.must("open_table")
    table.must("load_shoe")
    _draw(table, "2S", "3H", "KC", "QD", "4S")  # the first before betting is closed
    table.wait("irregularity.raised", 2)
    table.kill()
    table.start()
    table.must("resolve", id="link_gap", remedy="none_missed")
    table.must("reveal", DEALER)
    table.must("reveal", DEALER)
    _draw(table, "9C")
    table.must("confirm", DEALER)
    table.wait("coup.result", 1)
    table.must("no_more_bets", DEALER)
    _draw(table, "9S", "3H", "KC", "QD")
    table.must("reveal", DEALER)
    _draw(table, "5H")  # in excess of a natural
    table.refused("confirm", DEALER, outcome="nobody")
    table.must("confirm", DEALER, outcome="player")
    table.must("undisclosed", DEALER)
    table.wait("coup.result", 2)
    table.must("close_shoe")
    table.must("close_table")
    assert table.stop() == 0


def settling(table: Running) -> None:
    """Coups that end by a timer, one of them while the daemon is down."""
    table.start()
    table.must("open_table")
    table.must("load_shoe")
    _draw(table, "8S", "3H", "AC", "QD")
    table.wait("coup.result", 1)
    _draw(table, "8S", "3H", "AC", "QD")
    table.kill()
    table.start()
    table.say("resolve", id="link_gap", remedy="none_missed")
    table.wait("coup.result", 2)
    _draw(table, "8S", "3H", "AC", "QD")
    table.wait("coup.result", 3)
    assert table.stop() == 0


def captured(table: Running) -> Path:
    """The journal as a capture."""
    path = table.folder / "capture.jsonl"
    path.write_text(table.cli("journal", "export", str(table.journal), "--capture"))
    return path


def same_events(table: Running, replayed: str) -> int:
    """The replay told each audience what it was told live, `at` and `journal` apart; how many events."""
    live = list(map(plain, table.raw()))
    again = list(map(plain, replayed.splitlines()))
    for audience in AUDIENCES:
        mine, theirs = (_lines(audience, events) for events in (live, again))
        assert mine == theirs, "\n".join(list(difflib.unified_diff(mine, theirs, n=2, lineterm=""))[:40])
    assert live == again  # the order between audiences too
    return len(live)


def _lines(audience: str, events: list[Json]) -> list[str]:
    return [json.dumps(event) for event in events if event["audience"] == audience]


def _draw(table: Running, *faces: str) -> None:
    """Draw cards, one after the other."""
    for face in faces:
        before = len(table.of("card.drawn"))
        table.shoe.write(card(face))
        table.wait("card.drawn", before + 1)


def _deal(table: Running, *faces: str) -> None:
    """Deal a whole coup at once."""
    before = len(table.of("coup.result"))
    table.shoe.write(b"".join(map(card, faces)))
    table.wait("coup.result", before + 1)


def _unread(table: Running) -> None:
    """An unread card named, after a refused name, and a card of an unknown code."""
    before = len(table.of("coup.result"))
    raised = len(table.of("irregularity.raised"))
    table.shoe.write(card("8S") + UNREAD + card("AC") + card("QD"))
    table.wait("irregularity.raised", raised + 1)
    table.refused("identify", DEALER, slot="P1", card="3H")
    table.refused("identify", DEALER, slot="B1")
    table.must("identify", DEALER, slot="B1", card="3H")
    table.wait("coup.result", before + 1)
    table.shoe.write(card("8S") + b" [Game]<Card:1Z> \r\n" + card("AC") + card("QD"))
    table.wait("irregularity.raised", raised + 2)
    table.must("void")
    table.must("correct", slot="P1", card="7S", coup=before + 1)


def _settle(table: Running) -> None:
    table.must("resolve", id="link_gap", remedy="none_missed")


def _half(table: Running) -> None:
    """Half a frame arrives, and a command puts it into the journal before it is whole or given up."""
    for _ in range(20):
        before = len(table.of("frame.rejected"))
        table.shoe.write(HALF)
        table.refused("load_shoe")
        if len(table.of("frame.rejected")) == before:
            return
        table.must("resolve", id="unknown_code", remedy="void")
    raise AssertionError("the half frame was given up each time before the command came")


def _kill_in_half_a_frame(table: Running) -> None:
    _draw(table, "8S")
    _half(table)
    table.kill()
    table.start()
    _settle(table)
    _draw(table, "3H", "AC")
    _half(table)
    assert table.kill() < 0
    table.start()
    _settle(table)
    before = len(table.of("coup.result"))
    table.shoe.write(card("QD"))
    until(lambda: len(table.of("coup.result")) > before or bool(_open_items(table)), table.log.read_text)
    if _open_items(table):  # the half frame had been given up before the kill: it took the place
        table.must("void")


def _open_items(table: Running) -> list[Json]:
    items: list[Json] = table.snapshot("surveillance")["state"]["irregularities"]
    return items


def _stop_in_half_a_frame(table: Running) -> None:
    _draw(table, "8S")
    before = len(table.of("frame.rejected"))
    _half(table)
    assert table.stop() == 0
    assert len(table.of("frame.rejected")) > before  # given up, and at its own place: nothing is silent
    table.start()
    _settle(table)
    table.must("void")


def _given_up(table: Running) -> None:
    """Half a frame, and silence; then a kill."""
    before = len(table.of("frame.rejected"))
    table.shoe.write(HALF)
    table.wait("frame.rejected", before + 1)
    table.kill()
    table.start()
    _settle(table)
    table.must("void")


def _noise(table: Running) -> None:
    before = len(table.of("frame.rejected"))
    table.shoe.write(
        bytes(range(128, 250)) + b"\n <W0x01> \r\n[GameAlarm]<Alarm:E9 Door> \r\n" + b"x" * 300 + b"\r"
    )
    table.wait("frame.rejected", before + 2)
    table.wait("device.alarm", 2)


def _cable(table: Running) -> None:
    """The cable between coups, in the middle of one, and while the daemon is down."""
    links = len(table.of("device.link"))
    table.shoe.write(HALF)
    table.shoe.unplug()
    table.wait("device.link", links + 1)
    table.shoe.plug()
    table.wait("device.link", links + 3)
    table.say("resolve", id="link_gap", remedy="none_missed")
    table.say("void")
    _draw(table, "8S", "3H")
    assert table.stop() == 0
    table.shoe.unplug()
    table.start(link=False)
    table.shoe.plug()
    table.wait("device.link", links + 6)
    table.must("resolve", id="link_gap", remedy="missed")
    table.must("void")
