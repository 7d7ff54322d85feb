"""A button of the shoe gives the command that the configuration says, as the dealer at the shoe."""

import json
from pathlib import Path
from typing import Any

from shoe_daemon.runtime.replay import replay
from shoe_daemon.runtime.resources import shoe_file

BUTTON = """
[[messages]]
event = "button"
button = "enter"
match = '<Button:Enter>'
example = "<Button:Enter>\\r\\n"

[cards]
"""


def profile(folder: Path) -> str:
    """The shipped profile with a button that its shoe does not have."""
    path = folder / "with-button.toml"
    path.write_bytes(shoe_file("beetek-rs232")[0].replace(b"\n[cards]\n", BUTTON.encode(), 1))
    return str(path)


def told(folder: Path, **first: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - keys of the first line
    cards = "".join(f"[Game]<Card:{card}>\r\n" for card in ("9S", "2H", "KD", "5C"))
    lines = [
        {"t": 0, "profile": profile(folder), "rules": "nsw", "procedure": "result-button", **first},
        {"t": 1, "rx": cards.encode().hex()},
        {"t": 2, "rx": b"<Button:Enter>\r\n".hex()},
    ]
    bodies = [m.body for messages in replay(map(json.dumps, lines)) for m in messages]
    return [event for event in map(json.loads, bodies) if event["audience"] == "surveillance"]


def test_a_button_is_the_press(tmp_path: Path) -> None:
    events = told(tmp_path, buttons={"enter": "reveal"})
    (result,) = [event["data"] for event in events if event["type"] == "coup.result"]
    assert (result["outcome"], result["actor"]) == ("player", "dealer:shoe")


def test_a_button_that_nobody_gave_a_meaning_is_told_as_bytes_that_mean_nothing(tmp_path: Path) -> None:
    events = told(tmp_path)
    assert [event["data"]["reason"] for event in events if event["type"] == "frame.rejected"] == ["unmatched"]
    assert not [event for event in events if event["type"] == "card.exposed"]


def test_a_button_cannot_say_more_than_a_dealer(tmp_path: Path) -> None:
    events = told(tmp_path, buttons={"enter": "void"})
    assert [event["data"]["reason"] for event in events if event["type"] == "command.refused"] == [
        "not_allowed"
    ]
