"""`shoe-daemon simulate` as a process: the virtual shoe behind a TCP port, and one that plays a capture."""

import json
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.process.conftest import Tables
from tests.process.running import Running

if TYPE_CHECKING:
    from collections.abc import Iterator

TRACES = Path(__file__).resolve().parents[1] / "traces"


@contextmanager
def simulated(table: Running, *arguments: str) -> "Iterator[subprocess.Popen[str]]":
    """A virtual shoe; the table's configuration names its line when this begins."""
    with subprocess.Popen(
        [sys.executable, "-m", "shoe_daemon", "simulate", *arguments], stderr=subprocess.PIPE, text=True
    ) as shoe:
        assert shoe.stderr is not None
        line = shoe.stderr.readline().strip().removeprefix("the shoe is at ")
        text = table.config.read_text()
        table.config.write_text(text.replace(str(table.folder / "shoe"), line, 1))
        try:
            yield shoe
        finally:
            shoe.kill()


def outcomes(events: list[dict[str, object]]) -> list[dict[str, object]]:
    """What results say of cards and outcome."""
    results = [event["data"] for event in events if event["type"] == "coup.result"]
    return [{key: one[key] for key in ("outcome", "player", "banker")} for one in results]  # type: ignore[index]  # data is an object


def test_a_shoe_behind_a_tcp_port(tables: Tables) -> None:
    table = tables()
    options = ("--tcp", "0", "--config", str(table.config), "--coups", "4", "--seed", "5", "--speed", "200")
    with simulated(table, *options) as shoe:
        table.start()
        assert 'port = "tcp://127.0.0.1:' in table.config.read_text()
        assert len(table.wait("coup.result", 4)) == 4
        assert shoe.wait() == 0
    assert table.of("irregularity.raised") == []


def test_a_shoe_that_plays_a_capture(tables: Tables) -> None:
    """The coups that come out are those of the capture's trace."""
    told = (TRACES / "face-up.expected.jsonl").read_text(encoding="utf-8").splitlines()
    expected = outcomes([one for one in map(json.loads, told) if one["audience"] == "cage"])
    table = tables()
    link = table.folder / "played"
    capture = TRACES / "face-up.capture.jsonl"
    options = ("--link", str(link), "--play", str(capture), "--config", str(table.config), "--speed", "2")
    with simulated(table, *options) as shoe:
        table.start(link=False)
        table.must("open_table")
        table.must("load_shoe")
        table.wait("coup.result", len(expected), "cage")
        assert shoe.wait() == 0
    assert outcomes(table.told("cage")) == expected
