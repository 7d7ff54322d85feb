"""A real daemon whose shoe comes and goes five times a second, and what is left of it."""

import json
import os
import time
from pathlib import Path

from tests.process.running import Running, card, until
from tests.process.whole_run import captured, same_events

HALF_S = 0.1
CARDS = ("2S", "3H", "KC", "QD", "4S", "9C")


def open_files(table: Running) -> int:
    assert table.process is not None
    return len(os.listdir(f"/proc/{table.process.pid}/fd"))  # noqa: PTH208 - a count of names


def processor_s(table: Running) -> float:
    """Seconds of processor time that the daemon has used."""
    assert table.process is not None
    fields = Path(f"/proc/{table.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def of_the_link(table: Running) -> list[str]:
    """What the log says of the link, line by line."""
    lines = [json.loads(line) for line in table.log.read_text().splitlines()]
    return [line["event"] for line in lines if line["event"].startswith("link ")]


def flapped(table: Running, seconds: float) -> int:
    """Deal, let the link flap for `seconds`, deal on; gives how often the link went, as the log says."""
    table.start()
    table.must("open_table")
    table.must("load_shoe")
    for number, face in enumerate(CARDS[:2], 1):
        table.shoe.write(card(face))
        table.wait("card.drawn", number)
    files = open_files(table)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        table.shoe.unplug()
        time.sleep(HALF_S)
        table.shoe.plug()
        time.sleep(HALF_S)
    until(lambda: any(line.startswith("link flapping: ") for line in of_the_link(table)), table.log.read_text)
    until(table.shoe.listened_to)
    assert open_files(table) == files
    _told(table)
    for raised in table.of("irregularity.raised"):
        table.must("resolve", id=raised["data"]["id"], remedy="none_missed")
    for number, face in enumerate(CARDS[2:], 3):
        table.shoe.write(card(face))
        table.wait("card.drawn", number)
    table.wait("coup.result", 1)
    assert table.stop() == 0
    table.verified()
    assert same_events(table, table.cli("replay", str(captured(table))))
    (summary,) = [line for line in of_the_link(table) if line.startswith("link flapping: ")]
    return int(summary.split()[2])


def _told(table: Running) -> None:
    """Each time is in the account, with its gap and its question; the log is short."""
    states = [one["data"]["state"] for one in table.of("device.link")]
    times = states.count("down")
    assert states == ["up", *["down", "up", "gap"] * times]
    (summary,) = [line for line in of_the_link(table) if line.startswith("link flapping: ")]
    assert summary.startswith(f"link flapping: {times} times in ")
    begin, settled = (one["data"] for one in table.wait("device.alarm", 2))  # the log is quicker
    assert (begin["code"], settled["code"]) == ("link_flapping", "link_settled")
    assert "shoe-daemon doctor" in begin["text"]
    assert settled["text"].startswith(f"{times} times in ")
    codes = [one["data"]["code"] for one in table.of("irregularity.raised")]
    assert codes == ["link_gap"] * times  # a question for each return: a card may have gone in each gap
    # Up, three losses with what was found after them, two returns, the beginning of it, the summary.
    assert len(of_the_link(table)) <= 12
