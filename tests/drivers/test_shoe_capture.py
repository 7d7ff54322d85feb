"""Every shipped profile decodes its own capture to exactly the inputs written beside it."""

import json
from pathlib import Path
from typing import Any

import pytest

from drivers import decoder_for
from drivers.profile import ShoeProfile, parse_shoe
from drivers.script import Cable, Send, read_capture
from shoe_daemon.table.inputs import CardRead, CardUnread, DeviceAlarm, DeviceInput, FrameRejected

SHOES = Path(__file__).parents[2] / "config" / "shoes"


def row(one: DeviceInput) -> dict[str, Any]:
    """Write an input as a line of the expected file: `t` in seconds, `raw` in hex."""
    line: dict[str, Any] = {"t": one.at / 1e6, "input": type(one).__name__}
    match one:
        case CardRead():
            line["card"] = one.face.open()
        case DeviceAlarm():
            line |= {"code": one.code, "text": one.text, "unread": one.unread}
        case FrameRejected():
            line |= {"reason": one.reason, "card_like": one.card_like}
        case CardUnread():
            pass
        case _:
            raise AssertionError(one)
    return line | {"raw": one.raw.hex()}


def decoded(profile: ShoeProfile, capture: list[str]) -> list[dict[str, Any]]:
    """Decode `capture` and a last silence."""
    decoder = decoder_for(profile)
    found: list[DeviceInput] = []
    for action in read_capture(capture):
        at = round(action.at_s * 1e6)
        if isinstance(action, Send):
            found += decoder.feed(action.data, at)
        elif isinstance(action, Cable) and action.state == "down":
            found += decoder.reset(at)
    due = decoder.due()
    return [row(one) for one in found + ([] if due is None else decoder.tick(due))]


@pytest.mark.parametrize("path", sorted(SHOES.glob("*.toml")), ids=lambda path: path.stem)
def test_a_profile_reads_its_own_capture_as_written_down(path: Path) -> None:
    profile = parse_shoe(path.read_bytes(), path.name)
    assert profile.id == path.stem
    capture = path.with_suffix(".capture.jsonl").read_text().splitlines()
    expected = [json.loads(line) for line in path.with_suffix(".expected.jsonl").read_text().splitlines()]
    assert decoded(profile, capture) == expected
    assert {line["input"] for line in expected} >= {"CardRead", "FrameRejected"}
