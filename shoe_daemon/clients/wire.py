"""The feed's frames and ids as a client sees them (docs/integrating.md)."""

import struct
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from shoe_daemon.runtime import ulid

HEARTBEAT: Final = "heartbeat"

_HEADER: Final = struct.Struct(">16sQ")


class Row(msgspec.Struct, frozen=True):
    """Three frames, taken apart. `seq` is the row's own, or of a heartbeat the top; `journal` is 16 bytes."""

    audience: str
    table: str
    kind: str
    journal: bytes
    seq: int
    topic: bytes
    raw: bytes


class Event(msgspec.Struct, frozen=True):
    """One event of a feed, once and in order. `raw` is its JSON exactly as it was stored."""

    journal: str
    seq: int
    type: str
    raw: bytes

    def message(self) -> dict[str, Any]:
        """Decode `raw`."""
        return msgspec.json.decode(self.raw, type=dict[str, Any])


class _Stamp(msgspec.Struct):
    audience: str
    seq: int
    type: str


def read_row(frames: Sequence[bytes]) -> Row:
    """Take three frames apart. Raises ValueError, with the reason, for anything else."""
    if len(frames) != 3:  # noqa: PLR2004 - topic, header, body
        raise ValueError(f"{len(frames)} frames instead of 3")
    topic, header, raw = frames
    try:
        audience, table, kind, end = topic.decode("ascii").split("/")
    except ValueError:
        raise ValueError("the topic is not audience/table/type/") from None
    if end or not (audience and table and kind):
        raise ValueError("the topic is not audience/table/type/")
    if len(header) != _HEADER.size:
        raise ValueError(f"a header of {len(header)} bytes instead of {_HEADER.size}")
    journal, seq = _HEADER.unpack(header)
    return Row(audience, table, kind, journal, seq, topic, raw)


def event_of(row: Row) -> Event:
    """Give the event in `row`. Raises ValueError if its body is no JSON or belongs elsewhere."""
    stamp = msgspec.json.decode(row.raw, type=_Stamp)
    if (stamp.audience, stamp.seq, stamp.type) != (row.audience, row.seq, row.kind):
        raise ValueError("body and header differ")
    return Event(ulid.to_text(row.journal), row.seq, row.kind, row.raw)
