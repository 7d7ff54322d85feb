"""Faults of what is said to a shoe: asked again, acknowledged, greeted, polled; and of its silence."""

from drivers.resending import Resending
from shoe_daemon.game.cards import Card
from shoe_daemon.table.inputs import FrameRejected, SequenceGap, draws
from tests.faults.cell import Cell, Fate, Send
from tests.faults.damage import flipped, meat
from tests.faults.plays.bytewise import somewhere
from tests.faults.plays.cable import answered, pulled
from tests.faults.plays.registry import plays
from tests.process.running import until

GARBAGE = b"\xf5" * 16
TOLD_AGAIN = 100


class Asked:
    """What the daemon has asked the shoe of a cell for since now, by number or the last frame again."""

    def __init__(self, cell: Cell) -> None:
        self._cell = cell
        self._again = Resending(cell.profile)
        nak = cell.profile.session.nak
        self._nak = None if nak is None else nak.encode("latin-1")
        self._last = b""
        cell.life.hush()

    def sent(self, frame: bytes) -> bytes:
        """The shoe sends `frame`; it can be asked for."""
        self._again.sent(frame)
        self._last = frame
        return frame

    def wait(self) -> bytes:
        """Wait until frames are asked for; these frames."""
        found: list[bytes] = []

        def there() -> bool:
            heard = self._cell.life.far.heard()
            found.extend(self._again.asked(heard))
            if self._nak is not None:
                found.extend([self._last] * heard.count(self._nak))
            return bool(found)

        until(there)
        return b"".join(found)


def said_to(cell: Cell, wanted: bytes, times: int = 1) -> None:
    """Wait until the daemon has said something to the shoe."""
    heard = bytearray()

    def there() -> bool:
        heard.extend(cell.life.far.heard())
        return heard.count(wanted) >= times

    until(there, lambda: (bytes(heard), wanted))


def _one_bit(cell: Cell, frame: bytes) -> bytes:
    """`frame` with the last bit of a byte flipped: no line end comes of it, which would make it two."""
    first, last = meat(cell.profile, frame)
    return flipped(frame, (first + last) // 2, 0)


def _answered(cell: Cell) -> Send:
    """Draw a card whose frame is damaged; the shoe sends it again when it is asked to."""

    def send(card: Card) -> Fate:
        asked = Asked(cell)
        before = len(cell.record.inputs)
        cell.life.send(_one_bit(cell, asked.sent(cell.frame(card))))
        cell.life.send(asked.wait())
        cell.record.wait_complete(len(cell.life.written))
        return cell.fate(card, b"", cell.record.inputs[before:])

    return send


@plays("7b")
def asked_again(cell: Cell) -> None:
    cell.play()  # of the first frame of all nobody knows the number
    _, fates = cell.play({somewhere(cell): _answered(cell)})
    assert set(fates.values()) == {"read"}
    (said,) = cell.said()
    assert said.startswith("frame.rejected")


@plays("12b")
def garbage(cell: Cell) -> None:
    coup = cell.coming()
    assert cell.draw(coup.cards[0]) == "read"
    while "device.link garbage" not in cell.said():
        cell.life.send(GARBAGE, whole=False)
        cell.record.wait_received(len(cell.life.written))
    cell.record.wait_complete(len(cell.life.written))
    assert not [one for one in cell.inputs()[1:] if draws(one)]
    for card in coup.cards[1:]:
        assert cell.draw(card) == "read"
    cell.right(coup)
    assert cell.said().count("device.link garbage") == 1


@plays("16")
def too_soon(cell: Cell) -> None:
    for remedy in ("read_twice", "accept"):
        if remedy == "accept":
            twin = cell.shoe.pop(len(cell.shoe) - 1 - cell.shoe[::-1].index(cell.shoe[0]))
            cell.shoe.insert(1, twin)
        coup = cell.coming()
        frame = cell.frame(coup.cards[0])
        cell.heard(frame + frame)
        for card in coup.cards[2 if remedy == "accept" else 1 :]:
            assert cell.draw(card) == "read"
        _says_of_double(cell, remedy)
        cell.right(coup)


def _says_of_double(cell: Cell, remedy: str) -> None:
    """A person says whether the two cards told so soon were one."""
    cell.no_result()
    (asked,) = cell.open_items()
    assert asked["data"]["code"] == "suspect_double"
    cell.table.must("resolve", id=asked["data"]["id"], remedy=remedy)


@plays("18b")
def missing_asked_for(cell: Cell) -> None:
    cell.play()  # of the first frame of all nobody knows the number
    coup = cell.coming()
    at = somewhere(cell)
    for card in coup.cards[:at]:
        assert cell.draw(card) == "read"
    asked = Asked(cell)
    asked.sent(cell.frame(coup.cards[at]))
    behind = coup.cards[at + 1 :]
    cell.life.send(b"".join(map(cell.frame, behind)) or cell.message("none"))
    cell.life.send(asked.wait())
    cell.record.wait_complete(len(cell.life.written))
    cell.right(coup)
    assert cell.said() == []


@plays("20")
def says_that_it_started(cell: Cell) -> None:
    coup = cell.coming()
    at = 1 + somewhere(cell) % 3
    for place, card in enumerate(coup.cards):
        if place == at:
            cell.life.encoder._number = 0
            cell.heard(cell.message("hello"))
            (asked,) = cell.open_items()
            assert (asked["data"]["code"], asked["data"]["hold"]) == ("device_reset", True)
            cell.settle()
        assert cell.draw(card) == "read"
    cell.right(coup)


@plays("43")
def falls_silent(cell: Cell) -> None:
    coup = cell.coming()
    at = 1 + somewhere(cell) % 3
    for place, card in enumerate(coup.cards):
        if place == at:
            gaps = cell.said().count("device.link gap")
            cell.wait("device.link gap", gaps + 1)
            assert "device.link stalled" in cell.said()
            cell.no_result()
            answered(cell)
            cell.heard(cell.message("none"))
            cell.wait("device.link gap", gaps + 2)
            answered(cell)
        assert cell.draw(card) == "read"
    cell.right(coup)


@plays("45")
def answers_are_lost(cell: Cell) -> None:
    numbered = cell.profile.semantics.sequence is not None
    _acknowledgement(cell, numbered=numbered)
    _asked_twice(cell, numbered=numbered)
    _never_whole(cell)


def _acknowledgement(cell: Cell, *, numbered: bool) -> None:
    """The shoe has heard no acknowledgement, and sends its frame again."""
    coup = cell.coming()
    frame = cell.frame(coup.cards[0])
    found = cell.heard(frame + frame)
    if numbered:
        assert [one.reason for one in found if isinstance(one, FrameRejected)] == ["repeated"]
    for card in coup.cards[1:]:
        assert cell.draw(card) == "read"
    if not numbered:
        _says_of_double(cell, "read_twice")
    cell.right(coup)


def _asked_twice(cell: Cell, *, numbered: bool) -> None:
    """A frame came damaged, is asked for, and comes twice."""
    coup = cell.coming()
    asked = Asked(cell)
    cell.life.send(_one_bit(cell, asked.sent(cell.frame(coup.cards[0]))))
    again = asked.wait()
    if numbered:
        assert again == asked.wait()
    cell.life.send(again)
    cell.life.send(again)
    cell.record.wait_complete(len(cell.life.written))
    for card in coup.cards[1:]:
        assert cell.draw(card) == "read"
    if not numbered:
        _says_of_double(cell, "read_twice")
    cell.right(coup)


def _never_whole(cell: Cell) -> None:
    """The shoe sends a frame again and again, damaged each time: it is asked as often as the profile says."""

    def send(card: Card) -> Fate:
        asked = Asked(cell)
        frame = asked.sent(cell.frame(card))
        before = len(cell.record.inputs)
        cell.life.send(_one_bit(cell, frame))
        for _ in range(cell.profile.session.tries):
            asked.wait()
            cell.life.send(_one_bit(cell, frame))
        cell.record.wait_complete(len(cell.life.written))
        nak = cell.profile.session.nak
        assert nak is None or nak.encode("latin-1") not in cell.life.far.heard()
        found = cell.record.inputs[before:]
        assert not [one for one in found if isinstance(one, SequenceGap)]
        return cell.fate(card, b"", found)

    _, fates = cell.play({somewhere(cell): send})
    assert set(fates.values()) == {"unread"}


@plays("46")
def while_greeted(cell: Cell) -> None:
    coup = cell.coming()
    at = 1 + somewhere(cell) % 3
    for place, card in enumerate(coup.cards):
        if place == at:
            cell.life.hush()
            pulled(cell)
            gaps = cell.said().count("device.link gap")
            cell.life.far.plug()
            said_to(cell, b"?")
            cell.wait("device.link gap", gaps + 1)
            answered(cell)
            assert cell.draw(card) == "read"
            cell.life.encoder._number = 0
            cell.heard(cell.message("hello"))
            cell.no_result()
            cell.settle()
        else:
            assert cell.draw(card) == "read"
    cell.right(coup)


@plays("47")
def late_answer(cell: Cell) -> None:
    coup = cell.coming()
    at = somewhere(cell)
    for place, card in enumerate(coup.cards):
        if place == at:
            cell.life.hush()
            said_to(cell, b"?", 2)
            frame = cell.frame(card)
            found = cell.heard(frame) + cell.heard(frame)
            assert cell.fate(card, b"", found) == "read"
        else:
            assert cell.draw(card) == "read"
    cell.right(coup)
    assert cell.said() == ["frame.rejected repeated"]


@plays("50")
def told_again(cell: Cell) -> None:
    coup = cell.coming()
    frames = [cell.frame(card) for card in coup.cards]
    at = somewhere(cell)
    for frame in frames[:at]:
        cell.heard(frame)
    found = cell.heard(frames[at] * TOLD_AGAIN)
    assert [one.reason for one in found if isinstance(one, FrameRejected)] == ["repeated"] * (TOLD_AGAIN - 1)
    for frame in frames[at + 1 :]:
        cell.heard(frame)
    cell.right(coup)
    _comes_back(cell)


def _comes_back(cell: Cell) -> None:
    """A tag again after another one: its card cannot be there twice."""
    coup = cell.coming()
    frames = [cell.frame(card) for card in coup.cards[:2]]
    for frame in (*frames, frames[0]):
        cell.heard(frame)
    cell.no_result()
    assert [one["data"]["code"] for one in cell.open_items()] == ["duplicate_card"]
    cell.void()
