"""Driver of an invented shoe that scrambles its lines.

`KEY 5A*03`, in the clear, tells a key. Each byte of a line from then on is sent XORed with the key and with
its top bit set, and behind it the key goes up by `step`; line ends stay in the clear. A byte that is lost
puts the key out of step until the shoe tells the next one, as it does every few lines, and when told `?`.
"""

import re

from msgspec.structs import replace

from drivers.decoder import ProfileDecoder
from drivers.profile import ShoeProfile
from shoe_daemon.table.inputs import DeviceInput, FrameRejected

KEY = re.compile(rb"KEY ([0-7][0-9A-F])\*[0-9A-F]{2}[\r\n]")
CARD_LIKE = re.compile(rb"[\x80-\xff]")  # all that is scrambled is a card


class RollingShoe:
    """Unscrambles, and hands on to the decoder of the profile: a byte for a byte, at the same times."""

    def __init__(self, profile: ShoeProfile) -> None:
        step = profile.options.get("step")
        if set(profile.options) != {"step"} or type(step) is not int or not 0 < step < 128:
            raise ValueError("wants step alone, a whole number from 1 to 127")
        self._step = step
        self._inner = ProfileDecoder(profile)
        self._key: int | None = None
        self._line = bytearray()  # as it came, while it is unfinished

    @property
    def pending(self) -> bool:
        return self._inner.pending

    def due(self) -> int | None:
        return self._inner.due()

    def opened(self, now: int) -> None:
        self._inner.opened(now)

    def feed(self, data: bytes, now: int) -> list[DeviceInput]:
        found = self.tick(now)
        for byte in data:
            self._line.append(byte)
            got = self._inner.feed(bytes([self._plain(byte)]), now)
            told = KEY.fullmatch(self._line)
            if told and not got:  # it was not rejected: its checksum fits
                self._key = int(told[1], 16)
            found += self._as_it_came(got)
        return found

    def tick(self, now: int) -> list[DeviceInput]:
        return self._as_it_came(self._inner.tick(now))

    def reset(self, now: int) -> list[DeviceInput]:
        self._key = None
        return self._as_it_came(self._inner.reset(now))

    def clock_set(self, now: int) -> None:
        self._inner.clock_set(now)

    def to_send(self) -> bytes:
        return self._inner.to_send()

    def _plain(self, byte: int) -> int:
        if byte < 128 or self._key is None:
            return byte
        plain = (byte ^ self._key) & 127
        self._key = (self._key + self._step) & 127
        return plain

    def _as_it_came(self, got: list[DeviceInput]) -> list[DeviceInput]:
        """`raw` is what the shoe sent: as many bytes from the beginning of the line."""
        for place, one in enumerate(got):
            raw = bytes(self._line[: len(one.raw)])
            if isinstance(one, FrameRejected):
                got[place] = replace(one, raw=raw, card_like=CARD_LIKE.search(raw) is not None)
            elif raw:
                got[place] = replace(one, raw=raw)
        if not self._inner.pending:
            self._line.clear()
        return got
