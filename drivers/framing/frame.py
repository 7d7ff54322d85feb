"""A frame, and what cuts the bytes of a shoe into frames."""

from typing import Literal, Protocol

import msgspec

Fault = Literal["", "partial", "too_long", "bad_checksum", "unmatched"]


class Frame(msgspec.Struct, frozen=True):
    """One frame, whole or given up. `at`: time of its first byte; `text`: what messages are matched with."""

    at: int
    raw: bytes
    text: bytes = b""
    fault: Fault = ""


class Framer(Protocol):
    """Cuts the bytes of a shoe into frames. Times are integer microseconds and do not decrease."""

    @property
    def pending(self) -> bool:
        """Whether bytes of an unfinished frame are held."""

    def due(self) -> int | None:
        """When what is held is given up if nothing more comes; None while nothing is held."""

    def feed(self, data: bytes, now: int) -> list[Frame]:
        """Read `data`, all of it received at `now`."""

    def tick(self, now: int) -> list[Frame]:
        """Give up what was silent for too long at or before `now`."""

    def reset(self) -> list[Frame]:
        """Give up what is held."""
