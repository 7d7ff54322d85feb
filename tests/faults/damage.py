"""What happens to bytes on their way: cut, flipped, left out, put in, read at another speed."""

from collections.abc import Iterator

from drivers.decoder import ProfileDecoder
from drivers.framing import Delimited
from drivers.profile import ShoeProfile
from shoe_daemon.game.cards import Card
from shoe_daemon.table.inputs import CardRead


def meat(profile: ShoeProfile, frame: bytes) -> tuple[int, int]:
    """First byte of `frame` that means something, and the place behind the last one before its line end."""
    if not isinstance(profile.framing, Delimited):
        return 0, len(frame)
    strip = profile.framing.strip_bytes()
    body = frame.rstrip(profile.framing.end_bytes())
    return len(body) - len(body.lstrip(strip)), len(body.rstrip(strip))


def flipped(frame: bytes, place: int, bit: int) -> bytes:
    """`frame` with one bit changed."""
    return replaced(frame, place, frame[place] ^ 1 << bit)


def replaced(frame: bytes, place: int, byte: int) -> bytes:
    """`frame` with another byte in one place."""
    return frame[:place] + bytes([byte]) + frame[place + 1 :]


def without(frame: bytes, place: int) -> bytes:
    """`frame` without one of its bytes."""
    return frame[:place] + frame[place + 1 :]


def other_cards(profile: ShoeProfile, frame: bytes, card: Card) -> Iterator[tuple[bytes, Card]]:
    """Every frame that is one bit away from `frame` and names another card, with that card."""
    for place in range(*meat(profile, frame)):
        for bit in range(8):
            bad = flipped(frame, place, bit)
            match ProfileDecoder(profile).feed(bad, 0):
                case [CardRead(face=face)] if face.open() != card:
                    yield bad, face.open()


def misread(data: bytes, ratio: float) -> bytes:
    """What a receiver makes of `data` (8 bits, 1 stop) whose bits last `ratio` times as long as sent."""
    line = [1] * 20
    for byte in data:
        line += [0, *(byte >> bit & 1 for bit in range(8)), 1]
    line += [1] * round(20 * ratio)
    found, at = bytearray(), 0.0

    def level(time: float) -> int:
        return line[int(time)] if time < len(line) else 1

    while at < len(line):
        if level(at):
            at += 0.25
            continue
        found.append(sum(level(at + ratio * (bit + 1.5)) << bit for bit in range(8)))
        at += ratio * 9.5
        while at < len(line) and not level(at):  # no stop bit: the line is low until its next rise
            at += 0.25
    return bytes(found)
