"""Recorded bytes and commands give exactly the expected events, however the bytes are cut."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from shoe_daemon.runtime.replay import replay
from shoe_daemon.table.irregularities import ROWS
from tests.traces.bless import TRACES, events, expected, names


def told(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in expected(name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", names())
def test_trace_gives_its_events(name: str) -> None:
    assert [json.loads(line) for line in events(TRACES / f"{name}.capture.jsonl")] == told(name)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("seed", [1, 2])
def test_any_cut_of_the_bytes_gives_the_same(name: str, seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    cut = tmp_path / "cut.jsonl"
    with cut.open("w", encoding="utf-8") as out:
        for line in (TRACES / f"{name}.capture.jsonl").read_text(encoding="utf-8").splitlines():
            fields = json.loads(line)
            data = bytes.fromhex(fields.pop("rx", ""))
            if not data:
                out.write(line + "\n")
            while data:
                size = rng.randint(1, len(data))
                out.write(json.dumps({**fields, "rx": data[:size].hex()}) + "\n")
                data = data[size:]
    assert [json.loads(line) for line in events(cut)] == told(name)


@pytest.mark.parametrize("name", names())
def test_same_capture_same_bytes(name: str) -> None:
    def bodies() -> list[bytes]:
        with (TRACES / f"{name}.capture.jsonl").open(encoding="utf-8") as lines:
            return [message.body for messages in replay(lines) for message in messages]

    assert bodies() == bodies()


def test_every_irregularity_and_every_remedy_is_shown() -> None:
    data = [(event["type"], event["data"]) for name in names() for event in told(name)]
    raised = {said["code"] for kind, said in data if kind == "irregularity.raised"}
    chosen = {(said["code"], said["remedy"]) for kind, said in data if kind == "irregularity.resolved"}
    assert raised == set(ROWS)
    assert {(code, remedy) for code, row in ROWS.items() for remedy in row.remedies} <= chosen


def test_every_trace_is_described() -> None:
    described = (TRACES / "README.md").read_text(encoding="utf-8")
    assert [name for name in names() if f"| {name} |" not in described] == []
