"""Bytes to frames, for frames that end with a line end.

A frame starts with the first byte after a line end or after a frame was given up, and bears that byte's time.
It ends with a line end; or it is given up, as `partial` after a silence, as `too_long` when it outgrows its
limit, and then what follows is dropped up to a line end or a silence. What comes out depends on the bytes and
their times alone: not on how they were cut into chunks, nor on when `tick` was called. Of an unfinished frame
no more than its limit is held, whatever arrives.
"""

from drivers.framing.checksums import Checksum, reader
from drivers.framing.frame import Fault, Frame
from drivers.framing.shapes import Delimited


class Lines:
    """The framer of `framing`. Of a line with noise before its start the noise is a frame of its own."""

    def __init__(self, framing: Delimited, checksum: Checksum | None) -> None:
        ends = framing.end_bytes()
        self._end = ends[:1]
        self._one_end = bytes.maketrans(ends, self._end * len(ends))
        self._strip = framing.strip_bytes()
        self._first = framing.start.encode("latin-1")
        self._checked = None if checksum is None else reader(checksum)
        self._max = framing.max_bytes
        self._idle = framing.idle_ms * 1000
        self._held = bytearray()
        self._dropping = False
        self._start = 0
        self._last = 0

    @property
    def pending(self) -> bool:
        """Whether bytes of an unfinished frame are held."""
        return bool(self._held)

    def due(self) -> int | None:
        """When the frame held is given up if nothing more comes; None while none is held."""
        return self._last + self._idle if self._held else None

    def feed(self, data: bytes, now: int) -> list[Frame]:
        """Read `data`, all of it received at `now`; a frame silent for too long is given up before."""
        found = self.tick(now)
        if not data:
            return found
        self._last = now
        head, *lines = data.translate(self._one_end).split(self._end)
        self._extend(head, now, found)
        if lines:
            self._finish(found)
            tail = lines.pop()
            for line in lines:
                if line:
                    self._frame(line, now, found)
            self._extend(tail, now, found)
        return found

    def tick(self, now: int) -> list[Frame]:
        """Give up a frame whose silence ended at or before `now`."""
        if (self._held or self._dropping) and self._last + self._idle <= now:
            return self.reset()
        return []

    def reset(self) -> list[Frame]:
        """Give the half frame up."""
        raw = bytes(self._held)
        self._held.clear()
        self._dropping = False
        return [Frame(self._start, raw, fault="partial")] if raw.strip(self._strip) else []

    def _extend(self, part: bytes, now: int, found: list[Frame]) -> None:
        """Add `part`, which has no line end, to the frame held."""
        if self._dropping or not part:
            return
        if not self._held:
            self._start = now
        room = self._max - len(self._held)
        self._held += part[:room]
        if len(part) > room:
            found.append(Frame(self._start, bytes(self._held), fault="too_long"))
            self._held.clear()
            self._dropping = True

    def _finish(self, found: list[Frame]) -> None:
        """Read the frame held, now that its line end is here."""
        self._dropping = False
        if self._held:
            raw = bytes(self._held)
            self._held.clear()
            self._frame(raw, self._start, found)

    def _frame(self, raw: bytes, at: int, found: list[Frame]) -> None:
        """Take one frame that is whole: all bytes before its line end."""
        if len(raw) > self._max:
            found.append(Frame(at, raw[: self._max], fault="too_long"))
            return
        if self._first:
            *noise, last = raw.split(self._first)
            before = self._first.join(noise)
            if not noise or before:
                found.append(Frame(at, before if noise else raw, fault="unmatched"))
            if not noise:
                return
            raw = self._first + last
        text = raw[len(self._first) :].strip(self._strip)
        if text or self._first:
            checked = text if self._checked is None else self._checked(text)
            fault: Fault = "bad_checksum" if checked is None else ""
            found.append(Frame(at, raw, checked or b"", fault))
