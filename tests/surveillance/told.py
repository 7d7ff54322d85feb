"""Events to hand over, without a daemon: those of every capture in tests/traces, and a few made up."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from shoe_daemon.clients.told import Told

TRACES: Final = Path(__file__).parents[1] / "traces"
JOURNAL: Final = "01J" + "A" * 23


def traced() -> Iterator[Told]:
    """Every event of surveillance in the captures."""
    for file in sorted(TRACES.glob("*.expected.jsonl")):
        for line in file.read_bytes().splitlines():
            told = msgspec.json.decode(line, type=Told)
            if told.audience == "surveillance":
                yield told


def made(kind: str, seq: int = 412, /, **data: Any) -> Told:  # noqa: ANN401 - any JSON
    """One event of coup 41."""
    at = "2026-11-30T12:00:00.123456Z"
    return Told(JOURNAL, "BAC-07", "surveillance", seq, kind, at, 3, 41, data)


RESULT: Final[dict[str, Any]] = {
    "revision": 1,
    "outcome": "banker",
    "player": {"cards": ["4H", "9C", None], "points": 3},
    "banker": {"cards": ["KS", "8D"], "points": 8},
    "natural": True,
}
