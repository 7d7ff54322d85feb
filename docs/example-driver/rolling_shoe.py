"""Driver of an invented shoe that scrambles what it sends.

A line `KEY 5A*53`, in the clear, tells a key. Each byte of a line from then on is sent XORed with the key and
with its top bit set, and the key goes up by `step` behind it; line ends stay in the clear. Lost or damaged
bytes put the key out of step until the next KEY, which the shoe sends when it is told `?`.
"""

import re

from msgspec.structs import replace

from drivers.decoder import ProfileDecoder
from drivers.profile import ShoeProfile
from shoe_daemon.table.inputs import DeviceInput, FrameRejected

KEY = re.compile(rb"KEY ([0-7][0-9A-F])\*[0-9A-F]{2}[\r\n]")
SCRAMBLED = 0x80


class RollingShoe:
    """Unscrambles, and hands on to the decoder of the profile, byte by byte with the same times."""

    def __init__(self, profile: ShoeProfile) -> None:
        step = profile.options.get("step")
        if type(step) is not int or not 0 < step < SCRAMBLED or set(profile.options) != {"step"}:
            raise ValueError("wants step alone, from 1 to 127")
        self._step = step
        self._inner = ProfileDecoder(profile)
        self._key: int | None = None
        self._line = bytearray()  # as it came; the inner decoder sees it unscrambled
        self._ask = False

    @property
    def pending(self) -> bool:
        return self._inner.pending

    def due(self) -> int | None:
        return self._inner.due()

    def opened(self, now: int) -> None:
        self._inner.opened(now)
        self._ask = True

    def feed(self, data: bytes, now: int) -> list[DeviceInput]:
        found = self.tick(now)
        for byte in data:
            self._line.append(byte)
            got = self._inner.feed(self._plain(byte), now)
            if not got and (told := KEY.fullmatch(self._line)):  # its checksum was right
                self._key = int(told[1], 16)
            found += self._as_it_came(got)
        return found

    def tick(self, now: int) -> list[DeviceInput]:
        return self._as_it_came(self._inner.tick(now))

    def reset(self, now: int) -> list[DeviceInput]:
        found = self._as_it_came(self._inner.reset(now))
        self._key = None
        self._ask = False
        return found

    def clock_set(self, now: int) -> None:
        self._inner.clock_set(now)

    def to_send(self) -> bytes:
        asked, self._ask = self._ask, False
        return self._inner.to_send() + (b"?\n" if asked else b"")

    def _plain(self, byte: int) -> bytes:
        if byte < SCRAMBLED or self._key is None:
            return bytes([byte])
        plain = (byte ^ self._key) % SCRAMBLED
        self._key = (self._key + self._step) % SCRAMBLED
        return bytes([plain])

    def _as_it_came(self, got: list[DeviceInput]) -> list[DeviceInput]:
        """Give inputs the bytes of the line that was sent, which is as long; a line that is over is dropped."""
        self._ask |= any(isinstance(one, FrameRejected) for one in got)
        found = [replace(one, raw=bytes(self._line[: len(one.raw)])) if one.raw else one for one in got]
        if not self._inner.pending:
            self._line.clear()
        return found
