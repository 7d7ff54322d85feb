"""Faults of bytes: cut, joined, damaged, too many, too few."""

from drivers.framing import Delimited
from shoe_daemon.game.cards import DECK, Card
from shoe_daemon.table.inputs import CardRead, DeviceInput, FrameRejected
from tests.faults.cell import Cell, Fate
from tests.faults.damage import flipped, meat, misread, other_cards, replaced, without
from tests.faults.plays.registry import plays
from tests.process.running import until

NOISE = 65_536
PIECE = 4096
LOG_GROWS = 4096
MEMORY_GROWS_KB = 32_768


def somewhere(cell: Cell) -> int:
    """A place in a coup that every coup has."""
    return cell.rng.randrange(4)


@plays("1")
def any_pieces(cell: Cell) -> None:
    for biggest in (1, 257):
        coup = cell.coming()
        data = b"".join(map(cell.frame, coup.cards))
        pieces = []
        while data:
            size = cell.rng.randint(1, biggest)
            pieces.append(data[:size])
            data = data[size:]
        cell.life.together(pieces)
        cell.record.wait_complete(len(cell.life.written))
        cell.right(coup)
    assert cell.said() == []


@plays("2")
def frames_in_one_chunk(cell: Cell) -> None:
    coup = cell.coming()
    found = cell.heard(b"".join(map(cell.frame, coup.cards)))
    assert [one.face.open() for one in found if isinstance(one, CardRead)] == coup.cards
    cell.right(coup)
    assert cell.said() == []


def _cut(cell: Cell, frame: bytes) -> int:
    """A place inside the frame; what is before it is no whole frame, what is behind it not empty."""
    first, last = meat(cell.profile, frame)
    return cell.rng.randrange(first + 1, last)


@plays("3")
def broken_off(cell: Cell) -> None:
    _, fates = cell.play({somewhere(cell): cell.spoilt(lambda frame: frame[: _cut(cell, frame)])})
    assert set(fates.values()) <= {"unread", "said"}
    assert "frame.rejected partial" in cell.said()


@plays("4")
def goes_on_late(cell: Cell) -> None:
    def send(card: Card) -> Fate:
        frame = cell.frame(card)
        cut = _cut(cell, frame)
        before = cell.heard(frame[:cut])
        assert [one.reason for one in before if isinstance(one, FrameRejected)] == ["partial"]
        found = before + cell.heard(frame[cut:])
        assert not [one for one in found if isinstance(one, CardRead)], "a card was made of two halves"
        return cell.fate(card, b"", found) if _torn(cell, found) else "said"

    cell.play({somewhere(cell): send})


def _torn(cell: Cell, found: list[DeviceInput]) -> bool:
    """Whether a part that was rejected looks like a card."""
    return any(cell.like(one.raw) for one in found if isinstance(one, FrameRejected))


def _starts(cell: Cell) -> bool:
    """Whether a frame is found whatever stands before it."""
    return bool(cell.profile.framing.start) or cell.profile.checksum is not None


def _in_front(cell: Cell, noise: bytes) -> None:
    _, fates = cell.play({somewhere(cell): cell.spoilt(lambda frame: noise + frame)})
    assert set(fates.values()) == {"read" if _starts(cell) else "unread"}
    assert any(word.startswith("frame.rejected") for word in cell.said())


@plays("5")
def stray_byte(cell: Cell) -> None:
    framing = cell.profile.framing
    plain = framing.start.encode("latin-1")
    if isinstance(framing, Delimited):
        plain += framing.end_bytes() + framing.strip_bytes()
    _in_front(cell, bytes([cell.rng.choice([byte for byte in range(256) if byte not in plain])]))


@plays("6")
def byte_missing(cell: Cell) -> None:
    def spoil(frame: bytes) -> bytes:
        return without(frame, cell.rng.randrange(*meat(cell.profile, frame)))

    _, fates = cell.play({somewhere(cell): cell.spoilt(spoil)})
    assert set(fates.values()) <= {"unread", "said", "twice"}


@plays("7")
def bit_with_checksum(cell: Cell) -> None:
    def spoil(frame: bytes) -> bytes:
        return flipped(frame, cell.rng.randrange(*meat(cell.profile, frame)), cell.rng.randrange(8))

    _, fates = cell.play({somewhere(cell): cell.spoilt(spoil)})
    assert "wrong" not in fates.values()


@plays("8")
def bit_makes_another_card(cell: Cell) -> None:
    _ninth(cell, flips=True)


@plays("25")
def ninth_copy(cell: Cell) -> None:
    _ninth(cell, flips=False)


def _ninth(cell: Cell, *, flips: bool) -> None:
    """All copies of a face are dealt; then a card is sent as that face, by a flipped bit or by the shoe."""
    if flips:
        true, bad, wrong = _one_bit_away(cell)
    else:
        true, wrong = cell.rng.sample(DECK, 2)
        bad = b""
    copies = [card for card in cell.shoe if card == wrong]
    rest = [card for card in cell.shoe if card != wrong]
    rest.remove(true)
    cell.shoe[:] = copies + rest
    while wrong in cell.shoe:
        cell.play()
    cell.shoe.insert(0, true)
    coup = cell.coming()
    frame = cell.frame(wrong)
    assert cell.fate(true, b"", cell.heard(bad or frame)) == "wrong"
    cell.no_result()
    seen = ["duplicate_card"] if cell.life.encoder.tagged else []
    assert [one["data"]["code"] for one in cell.open_items()] == [*seen, "composition_exceeded"]
    cell.table.must("correct", slot="P1", card=true)
    for card in coup.cards[1:]:
        assert cell.draw(card) == "read"
    cell.right(coup)


def _one_bit_away(cell: Cell) -> tuple[Card, bytes, Card]:
    """A card, its frame with one bit changed, and the other card that this frame is."""
    for true in cell.rng.sample(DECK, len(DECK)):
        others = list(other_cards(cell.profile, cell.life.encoder.encode_card(true, 0, "P1"), true))
        if others:
            return true, *cell.rng.choice(others)
    raise AssertionError("no card is one bit away from another one")


@plays("9")
def burst(cell: Cell) -> None:
    coup = cell.coming()
    assert cell.draw(coup.cards[0]) == "read"
    memory, log = cell.life.memory_kb(), cell.table.log.stat().st_size
    noise = cell.rng.randbytes(NOISE)
    for at in range(0, NOISE, PIECE):
        cell.life.send(noise[at : at + PIECE], whole=False)
    if isinstance(cell.profile.framing, Delimited):
        cell.life.send(cell.profile.framing.end_bytes()[:1], whole=False)
    cell.record.wait_complete(len(cell.life.written))
    if cell.profile.checksum is not None:
        assert [one for one in cell.inputs() if isinstance(one, CardRead)][1:] == []
    assert cell.life.memory_kb() - memory < MEMORY_GROWS_KB
    assert cell.table.log.stat().st_size - log < LOG_GROWS
    session = cell.profile.session
    if session.replay is not None:  # what comes sooner is a late answer, and its place is taken
        cell.apart(session.again_ms * session.tries)
    assert cell.draw(coup.cards[1]) == "read"
    cell.no_result()
    cell.void()


@plays("10")
def nul_bytes(cell: Cell) -> None:
    found = cell.heard(bytes(3))
    assert [type(one) for one in found] == [FrameRejected]
    cell.play()
    _in_front(cell, bytes(1))


@plays("11")
def wrong_parity(cell: Cell) -> None:
    def spoil(frame: bytes) -> bytes:
        first, last = meat(cell.profile, frame)
        places = [place for place in range(first, last) if frame[place]]
        return replaced(frame, cell.rng.choice(places), 0)

    _, fates = cell.play({somewhere(cell): cell.spoilt(spoil)})
    assert set(fates.values()) <= {"unread", "said", "twice"}


@plays("12")
def another_speed(cell: Cell) -> None:
    coup = cell.coming()
    ratio = cell.rng.choice([0.5, 2.0])
    found = cell.heard(b"".join(misread(cell.frame(card), ratio) for card in coup.cards))
    assert any(isinstance(one, FrameRejected) for one in found)
    assert not [one for one in found if isinstance(one, CardRead)]
    cell.no_result()
    cell.heard(cell.frame(cell.shoe.pop(0)))
    cell.void()


@plays("13")
def no_ascii(cell: Cell) -> None:
    def spoil(frame: bytes) -> bytes:
        return replaced(frame, cell.rng.randrange(*meat(cell.profile, frame)), cell.rng.randrange(128, 256))

    _, fates = cell.play({somewhere(cell): cell.spoilt(spoil)})
    assert set(fates.values()) <= {"unread", "said", "twice"}


@plays("14")
def line_without_end(cell: Cell) -> None:
    framing = cell.profile.framing
    longest = framing.size if not hasattr(framing, "max_bytes") else framing.max_bytes
    coup = cell.coming()
    assert cell.draw(coup.cards[0]) == "read"
    found = cell.heard(b"z" * (3 * longest))
    assert [one.reason for one in found if isinstance(one, FrameRejected)] == ["too_long"]
    assert len(found) == 1
    if isinstance(framing, Delimited):
        cell.life.send(framing.end_bytes()[:1])
    for card in coup.cards[1:]:
        assert cell.draw(card) == "read"
    cell.right(coup)
    assert cell.said() == ["frame.rejected too_long"]
    until(lambda: not cell.life.far.unread())
