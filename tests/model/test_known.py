"""Histories in which product and model once differed, as captures; the house is in the first line."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.model.config import Config
from tests.model.session import Action, Cable, Order, Shoe, difference
from tests.model.table import Frame

KNOWN = Path(__file__).parent / "known"


def _frame(raw: bytes) -> Frame:
    card = re.fullmatch(rb"\[Game\]<Card:(10|[2-9JQKA])([SHCD])>", raw)
    face = None if card is None else b"".join(card.groups()).decode()
    assert face or raw == b"[Game]<Game>"
    return Frame(raw, card=True, face=face)


def _action(line: dict[str, Any]) -> Action:
    at = round(line["t"] * 1_000_000)
    if "cmd" in line:
        return Order(at, **line["cmd"])
    if "link" in line:
        return Cable(at, line["link"])
    return Shoe(at, _frame(bytes.fromhex(line["rx"]).rstrip()))


@pytest.mark.parametrize("name", sorted(path.stem for path in KNOWN.glob("*.jsonl")))
def test_they_agree_now(name: str) -> None:
    first, *lines = map(json.loads, (KNOWN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
    said = {key: value for key, value in first.items() if key not in {"t", "profile", "open"}}
    for key, kind in (("others", tuple), ("two_persons", frozenset)):
        said[key] = kind(said.get(key, ()))
    config = Config(**said, opened=first.get("open", True))
    found = difference(config, [_action(line) for line in lines])
    assert found is None, found
