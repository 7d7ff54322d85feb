"""The data of an event as names and texts, and how grave an event is."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final, Literal

import msgspec

from shoe_daemon.clients.told import Told

Severity = Literal["alarm", "warning", "notice", "info"]

_GRAVE: Final[dict[str, Severity]] = {
    "alarm.raised": "alarm",
    "device.alarm": "warning",
    "irregularity.raised": "warning",
    "frame.rejected": "warning",
    "clock.stepped": "warning",
    "software.changed": "warning",
    "coup.held": "notice",
    "coup.void": "notice",
    "coup.invalidated": "notice",
    "command.refused": "notice",
    "dispute.noted": "notice",
    "method.requested": "notice",
    "method.changed": "notice",
    "service.started": "notice",
    "service.stopped": "notice",
}


def severity(told: Told) -> Severity:
    """How grave an event is, from its type, and of the link from its state."""
    if told.type == "device.link":
        return "notice" if told.data.get("state") == "up" else "warning"
    return _GRAVE.get(told.type, "info")


def flat(data: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Names and texts of `data`: `player.points` as `player_points`, a list with spaces between.

    A list of tables is its JSON; null is not there.
    """
    for key, value in data.items():
        name = f"{before}{key}"
        match value:
            case None:
                continue
            case dict():
                yield from flat(value, f"{name}_")
            case list() if any(isinstance(one, dict | list) for one in value):
                yield name, msgspec.json.encode(value).decode()
            case list():
                yield name, " ".join(map(_text, value))
            case _:
                yield name, _text(value)


def milliseconds(at: str) -> int:
    """The time `at` in milliseconds since 1970."""
    return round(datetime.fromisoformat(at).timestamp() * 1000)


def _text(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
