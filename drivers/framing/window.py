"""Bytes to frames, where a frame is found by its own bytes; frames that end with a line end are in `lines`.

What is no frame is dropped byte by byte until one fits, and told once it is known to be none: before the next
whole frame, before one whose checksum fails, or after a silence. A frame that stays incomplete over a silence
is looked through for a later one before it is given up. What comes out depends on bytes and times alone, not
on chunks.
"""

from bisect import bisect_right
from collections.abc import Callable
from typing import Final

from drivers.framing.checksums import Checksum, reader
from drivers.framing.frame import Fault, Frame
from drivers.framing.shapes import Counted, Escaped, Fixed

MORE: Final = 0
"""A probe's answer: so far it may be a frame."""
NO: Final = -1
"""A probe's answer: no frame begins here."""

Probe = Callable[[bytes], int]
"""Size of the frame at the start of the bytes, `MORE` or `NO`."""
Reader = Callable[[bytes], bytes | None]
"""Text of a whole frame; None where its checksum does not fit."""


class Window:
    """A window over the bytes that slides until a frame fits. Of noise no more than `most` bytes are told."""

    def __init__(self, probe: Probe, read: Reader, start: bytes, most: int, idle_ms: int) -> None:
        self._probe, self._read, self._start = probe, read, start
        self._most, self._idle = most, idle_ms * 1000
        self._held = bytearray()
        self._times: list[tuple[int, int]] = []
        self._noise = bytearray()
        self._noise_at = 0
        self._lost = 0
        self._fault: Fault = "unmatched"
        self._last = 0
        self._gone = 0
        self._damaged_to = 0

    @property
    def pending(self) -> bool:
        """Whether bytes of an unfinished frame, or of what may have been one, are held."""
        return bool(self._held or self._noise)

    def due(self) -> int | None:
        """When all that is held is given up."""
        return self._last + self._idle if self.pending else None

    def feed(self, data: bytes, now: int) -> list[Frame]:
        """Read `data`; what was silent for too long is given up before."""
        found = self.tick(now)
        if data:
            self._times.append((len(self._held), now))
            self._held += data
            self._last = now
            self._slide(found)
        return found

    def tick(self, now: int) -> list[Frame]:
        """Give up what is held where its silence ended at or before `now`."""
        if self.pending and self._last + self._idle <= now:
            return self.reset()
        return []

    def reset(self) -> list[Frame]:
        """Give up what is held; a whole frame behind a false start is still one."""
        found: list[Frame] = []
        while self._held:
            self._drop(1, "partial")
            self._slide(found)
        self._tell(found)
        return found

    def _slide(self, found: list[Frame]) -> None:
        while self._held:
            begin = self._held.find(self._start) if self._start else 0
            if begin < 0:  # its last bytes may be the first ones of a start
                self._drop(max(len(self._held) - len(self._start) + 1, 0), "unmatched")
                return
            self._drop(begin, "unmatched")
            held = bytes(self._held)
            size = self._probe(held)
            if size == MORE:
                return
            if size == NO:
                self._drop(1, "unmatched")
                continue
            text = self._read(held[:size])
            if text is None:
                if self._gone >= self._damaged_to:  # no part of one that failed before: damage of its own
                    self._tell(found)
                    self._damaged_to = self._gone + size
                self._drop(1, "bad_checksum")
                continue
            self._tell(found)
            found.append(Frame(self._time(0), held[:size], text))
            self._cut(size)

    def _time(self, place: int) -> int:
        """When the byte at `place` came."""
        if len(self._times) == 1:
            return self._times[0][1]
        return self._times[bisect_right(self._times, place, key=lambda one: one[0]) - 1][1]

    def _cut(self, size: int) -> None:
        self._gone += size
        at = self._time(min(size, len(self._held) - 1)) if self._held else 0
        del self._held[:size]
        if len(self._times) > 1 and self._held:
            self._times = [(0, at), *((place - size, time) for place, time in self._times if place > size)]
        else:
            self._times = [(0, at)] if self._held else []

    def _drop(self, size: int, fault: Fault) -> None:
        """Take `size` bytes for noise; why the first of them are none is what is told."""
        if not size:
            return
        if not self._noise:
            self._noise_at, self._fault = self._time(0), fault
        elif fault == "bad_checksum":
            self._fault = fault
        room = max(self._most - len(self._noise), 0)
        self._noise += self._held[: min(size, room)]
        self._lost += max(size - room, 0)
        self._cut(size)

    def _tell(self, found: list[Frame]) -> None:
        if self._noise:
            fault: Fault = "too_long" if self._lost else self._fault
            found.append(Frame(self._noise_at, bytes(self._noise), fault=fault))
        self._noise.clear()
        self._lost = 0


def window(framing: Counted | Fixed | Escaped, checksum: Checksum | None) -> Window:
    """Make the framer of a framing without line ends."""
    start = framing.start.encode("latin-1")
    match framing:
        case Counted():
            probe, read = (
                _counted(framing),
                _reader(framing.length_at + framing.length_bytes, framing.end, checksum),
            )
            most = framing.max_bytes
        case Fixed():
            probe, read, most = _fixed(framing), _reader(len(start), framing.end, checksum), framing.size
        case Escaped():
            probe, read, most = _escaped(framing), _unescaped(framing, checksum), framing.max_bytes
    return Window(probe, read, start, most, framing.idle_ms)


def _counted(framing: Counted) -> Probe:
    first, last = framing.length_at, framing.length_at + framing.length_bytes
    end = framing.end.encode("latin-1")

    def probe(held: bytes) -> int:
        if len(held) < last:
            return MORE
        size = int.from_bytes(held[first:last], framing.order) + framing.adds
        if not framing.min_bytes <= size <= framing.max_bytes:
            return NO
        if len(held) < size:
            return MORE
        return size if held[:size].endswith(end) else NO

    return probe


def _fixed(framing: Fixed) -> Probe:
    end = framing.end.encode("latin-1")

    def probe(held: bytes) -> int:
        if len(held) < framing.size:
            return MORE
        return framing.size if held[: framing.size].endswith(end) else NO

    return probe


def _escaped(framing: Escaped) -> Probe:
    start, end, escape = (ord(one) for one in (framing.start, framing.end, framing.escape))

    def probe(held: bytes) -> int:
        place = 1
        while place < len(held):
            if place >= framing.max_bytes or held[place] == start:
                return NO
            if held[place] == end:
                return place + 1
            place += 2 if held[place] == escape else 1
        return MORE

    return probe


def _reader(begin: int, end: str, checksum: Checksum | None) -> Reader:
    """Text from `begin` up to checksum and end."""
    tail = len(end)
    if checksum is None:
        return lambda raw: raw[begin : len(raw) - tail]
    checked = reader(checksum)

    def read(raw: bytes) -> bytes | None:
        covered = checked(raw[: len(raw) - tail])
        return None if covered is None else covered[begin:]

    return read


def _unescaped(framing: Escaped, checksum: Checksum | None) -> Reader:
    escape = ord(framing.escape)
    read = _reader(1, framing.end, checksum)

    def plain(raw: bytes) -> bytes | None:
        out = bytearray()
        inside = iter(raw[1:-1])
        for byte in inside:
            out.append(next(inside) ^ framing.xor if byte == escape else byte)
        return read(raw[:1] + bytes(out) + raw[-1:])

    return plain
