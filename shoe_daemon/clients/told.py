"""Messages of a finished account, decoded, and how their times are said to people."""

from datetime import UTC, datetime, tzinfo
from typing import Any, Final

import msgspec


class Told(msgspec.Struct, frozen=True):
    """One message as it was told (docs/events.md). `at`: RFC 3339, UTC, fixed width: its texts compare."""

    journal: str
    table: str
    audience: str
    seq: int
    type: str
    at: str
    shoe: int | None
    coup: int | None
    data: dict[str, Any]

    @property
    def actor(self) -> str | None:
        """Who caused it, `role:id`; None where no person did, or it is not told."""
        return self.data.get("actor")


decode: Final = msgspec.json.Decoder(Told).decode
"""The message in a line of JSON. Raises msgspec.DecodeError."""


class Clock(msgspec.Struct, frozen=True):
    """Says times in one zone. `name`: how it is called; `counted`: times count from a capture's start."""

    zone: tzinfo = UTC
    name: str = "UTC"
    counted: bool = False

    def local(self, at: str) -> datetime:
        """The time `at` in this zone."""
        return datetime.fromisoformat(at).astimezone(self.zone)

    def time(self, at: str) -> str:
        """Hours, minutes, seconds and tenths."""
        return self.local(at).isoformat(timespec="milliseconds")[11:21]

    def seconds(self, at: str) -> str:
        """Hours, minutes, seconds."""
        return self.local(at).isoformat(timespec="seconds")[11:19]

    def date(self, at: str) -> str:
        """The date, year first."""
        return self.local(at).date().isoformat()

    @property
    def meaning(self) -> str:
        """What the times are, in words."""
        return "times count from the start of the capture" if self.counted else f"times are {self.name}"
