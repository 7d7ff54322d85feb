"""The daemon talks to its device: the real process at a pseudo-terminal, what it sends and when."""

from functools import partial
from itertools import count
from pathlib import Path

import pytest

from drivers.encoder import ProfileEncoder, frame_of
from drivers.profile import parse_shoe
from drivers.resending import Resending
from shoe_daemon.game.cards import parse
from shoe_daemon.runtime.resources import shoe_file
from shoe_daemon.runtime.rows import Reader
from tests.process.conftest import Tables
from tests.process.running import Running, until

HOUSE = parse_shoe(*shoe_file("house-serial"))
CARDS = ("2S", "3H", "KC", "QD", "4S", "9C")


def house(tables: Tables, profile: str = "house-serial") -> Running:
    """A table whose shoe speaks the house protocol."""
    table = tables()
    text = table.config.read_text()
    table.config.write_text(text.replace('profile = "beetek-rs232"', f'profile = "{profile}"'))
    table.start()
    table.must("open_table")
    table.must("load_shoe")
    return table


class Device:
    """The far end: sends cards, and hears what the daemon says."""

    def __init__(self, table: Running) -> None:
        self._table = table
        self._encoder = ProfileEncoder(HOUSE)
        self.again = Resending(HOUSE)
        self.heard = b""

    def frame(self, face: str) -> bytes:
        frame = self._encoder.encode_card(parse(face))
        self.again.sent(frame)
        return frame

    def deals(self, face: str) -> None:
        self._table.shoe.write(self.frame(face))

    def hears(self, wanted: bytes) -> bool:
        self.heard += self._table.shoe.heard()
        return wanted in self.heard

    def answers(self) -> bool:
        """Send again what is asked for; whether anything was."""
        frames = self.again.asked(self._table.shoe.heard())
        for frame in frames:
            self._table.shoe.write(frame)
        return bool(frames)


def test_an_acknowledgement_means_that_the_card_is_in_the_journal(tables: Tables) -> None:
    table = house(tables)
    device = Device(table)
    for number, face in enumerate(CARDS[:3], 1):
        frame = device.frame(face)
        table.shoe.write(frame)
        acknowledged = bytes([number]) + b"K"
        until(partial(device.hears, acknowledged), lambda: device.heard)
        with Reader(table.journal) as journal:
            assert frame in b"".join(row.body for row in journal.rows(0, ("rx",)))


@pytest.mark.parametrize("fault", ["missing", "damaged"])
def test_a_frame_lost_on_the_line_is_asked_for_and_the_coup_is_right(tables: Tables, fault: str) -> None:
    table = house(tables)
    device = Device(table)
    device.deals(CARDS[0])
    lost = device.frame(CARDS[1])
    if fault == "damaged":
        table.shoe.write(lost[:4] + bytes([lost[4] ^ 4]) + lost[5:])
    for face in CARDS[2:]:
        device.deals(face)
    until(device.answers)
    result = table.wait("coup.result", 1)[0]["data"]
    assert (result["player"]["cards"], result["banker"]["cards"]) == (["2S", "KC", "4S"], ["3H", "QD", "9C"])
    assert not table.of("irregularity.raised")
    reasons = [one["data"]["reason"] for one in table.of("frame.rejected")]
    assert reasons == (["bad_checksum"] if fault == "damaged" else [])
    table.verified()


def test_a_frame_that_never_comes_holds_the_coup(tables: Tables) -> None:
    table = house(tables)
    device = Device(table)
    device.deals(CARDS[0])
    device.frame(CARDS[1])
    device.deals(CARDS[2])
    raised = table.wait("irregularity.raised", 1)[0]["data"]
    assert (raised["code"], raised["hold"], raised["text"]) == ("sequence_gap", True, "1 missing")


def test_a_device_that_falls_silent_is_told_and_its_line_opened_anew(tables: Tables, tmp_path: Path) -> None:
    path = tmp_path / "beating.toml"
    path.write_text(shoe_file("house-serial")[0].decode() + 'silence_ms = 200\nhello = "?"\n')
    table = house(tables, str(path))
    states = ["up", "stalled", "down", "up", "gap"]
    until(lambda: [one["data"]["state"] for one in table.of("device.link")][:5] == states)
    (down,) = [one["data"]["reason"] for one in table.of("device.link") if one["data"]["state"] == "down"]
    assert down == "stalled: no frame for 200 ms"
    device = Device(table)
    until(lambda: device.hears(b"?"), lambda: device.heard)
    device.deals(CARDS[0])
    until(lambda: "frames come again" in {one["data"]["reason"] for one in table.of("device.link")})
    table.must("resolve", id="link_gap", remedy="none_missed")
    assert len(table.of("card.drawn")) == 1


def _alive(number: int) -> bytes:
    return frame_of(HOUSE, bytes([number % 256]) + b"H")


def test_a_device_that_reads_nothing_holds_nobody_up(tables: Tables) -> None:
    """Acknowledgements pile up in the line until it takes no more; frames go on, and the stop is in time."""
    table = house(tables)
    numbers = count(1)
    while "takes no bytes" not in table.log.read_text():
        frames = [_alive(next(numbers)) for _ in range(100)]
        table.shoe.write(b"".join(frames))
    said = next(numbers)
    table.shoe.write(frame_of(HOUSE, bytes([said % 256]) + b"C2S"))
    table.wait("card.drawn", 1)
    assert table.stop() == 0
