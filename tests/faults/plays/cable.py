"""Faults of the line: hung up, moved, another device, loose, held, read by a second, dead."""

from collections.abc import Callable

from shoe_daemon.game.cards import Card
from shoe_daemon.table.inputs import CardRead, FrameRejected
from tests.faults.cell import Cell, Fate
from tests.faults.damage import meat
from tests.faults.plays.bytewise import somewhere
from tests.faults.plays.registry import plays
from tests.process.running import until

FLAPS = 3
"""As many make a line that flaps."""
FOREIGN = (
    b"$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n",
    b"$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A\r\n",
)


def pulled(cell: Cell, *, keep_node: bool = False) -> None:
    """Pull the cable; the daemon has said so when this returns."""
    downs = cell.said().count("device.link down")
    until(lambda: not cell.life.far.unread())
    cell.life.far.unplug(keep_node=keep_node)
    cell.wait("device.link down", downs + 1)


def back(cell: Cell) -> None:
    """Put it back; the daemon has said so."""
    gaps = cell.said().count("device.link gap")
    cell.life.far.plug()
    cell.wait("device.link gap", gaps + 1)


def answered(cell: Cell, remedy: str = "none_missed", *, times: int = 1) -> None:
    """A person says what passed in the gap, or in each of them."""
    asked = [one["data"] for one in cell.open_items() if one["data"]["code"] == "link_gap"]
    assert len(asked) == times
    for one in asked:
        cell.table.must("resolve", id=one["id"], remedy=remedy)


def dealt_over(cell: Cell, happen: Callable[[], None], *, times: int = 1) -> None:
    """Deal a coup; something happens to the cable after one of its cards; the coup ends right."""
    coup = cell.coming()
    at = 1 + somewhere(cell) % 3
    for place, card in enumerate(coup.cards):
        if place == at:
            happen()
            assert cell.open_items()[0]["data"]["hold"]
            cell.no_result()
            answered(cell, times=times)
        assert cell.draw(card) == "read"
    cell.right(coup)


@plays("32")
def pulled_between(cell: Cell) -> None:
    cell.play()
    pulled(cell)
    back(cell)
    assert not cell.open_items()[0]["data"]["hold"]
    answered(cell)
    cell.play()


@plays("33")
def pulled_in_a_frame(cell: Cell) -> None:
    def send(card: Card) -> Fate:
        frame = cell.frame(card)
        first, last = meat(cell.profile, frame)
        half = frame[: cell.rng.randrange(first + 1, last)]
        before = len(cell.record.inputs)
        cell.life.send(half)
        pulled(cell)
        cell.record.wait_complete(len(cell.life.written))
        found = cell.record.inputs[before:]
        assert [one.reason for one in found if isinstance(one, FrameRejected)] == ["partial"]
        said = cell.said()
        assert said.index("frame.rejected partial") < said.index("device.link down")
        fate = cell.fate(card, half, found)
        back(cell)
        cell.no_result()
        answered(cell, "none_missed" if fate == "unread" else "missed")
        return "unread"

    _, fates = cell.play({1 + somewhere(cell) % 3: send})
    assert set(fates.values()) == {"unread"}


@plays("34")
def another_node(cell: Cell) -> None:
    def happen() -> None:
        pulled(cell, keep_node=True)
        back(cell)
        ups = [
            one for one in cell.record.events if one["type"] == "device.link" and one["data"]["state"] == "up"
        ]
        assert str(ups[-1]["data"]["reason"]).startswith("moved: ")

    dealt_over(cell, happen)


@plays("35")
def another_device(cell: Cell) -> None:
    coup = cell.coming()
    assert cell.draw(coup.cards[0]) == "read"
    pulled(cell)
    back(cell)
    for line in FOREIGN:
        found = cell.heard(line)
        assert any(isinstance(one, FrameRejected) for one in found)
        assert not [one for one in found if isinstance(one, CardRead)]
    cell.no_result()
    pulled(cell)
    back(cell)
    cell.void()


@plays("36")
def loose_plug(cell: Cell) -> None:
    files = cell.life.descriptors()

    def happen() -> None:
        for _ in range(FLAPS):
            pulled(cell)
            back(cell)

    dealt_over(cell, happen, times=FLAPS)
    assert cell.life.descriptors() == files


@plays("37")
def held_by_another(cell: Cell) -> None:
    def happen() -> None:
        cell.life.stop()
        cell.life.far.unplug()
        cell.life.far.plug(busy=True)
        downs = cell.said().count("device.link down")
        cell.life.start(link=False)
        cell.pid = cell.life.pid()
        until(lambda: '"reason":"busy: ' in cell.table.log.read_text())
        cell.life.far.let_go()
        cell.wait("device.link gap")
        assert cell.said().count("device.link down") == downs + 1

    dealt_over(cell, happen)


@plays("37b")
def second_reader(cell: Cell) -> None:
    def send(card: Card) -> Fate:
        frame = cell.frame(card)
        first, last = meat(cell.profile, frame)
        stolen = cell.rng.randrange(first + 1, last)
        before = len(cell.record.inputs)
        cell.life.freeze()
        cell.life.far.write(frame)
        assert cell.life.far.steal(stolen) == frame[:stolen]
        cell.life.written += frame[stolen:]
        cell.life.thaw()
        cell.record.wait_complete(len(cell.life.written))
        return cell.fate(card, frame[stolen:], cell.record.inputs[before:])

    _, fates = cell.play({somewhere(cell): send})
    assert set(fates.values()) <= {"unread", "said"}


@plays("39")
def while_down(cell: Cell) -> None:
    def send(card: Card) -> Fate:
        cell.life.stop()
        frame = cell.frame(card)
        if cell.life.far.keeps:
            cell.life.far.write(frame)
        cell.life.start()
        cell.pid = cell.life.pid()
        cell.wait("device.link gap")
        cell.no_result()
        answered(cell, "missed")
        return "unread"

    _, fates = cell.play({1 + somewhere(cell) % 3: send})
    assert set(fates.values()) == {"unread"}
