"""Log lines: JSON, UTF-8, no locals, repeats counted."""

import io
import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from shoe_daemon.runtime import logs


class Sink:
    """Log lines as written, and a clock to set."""

    def __init__(self) -> None:
        self.stream = io.BytesIO()
        self.time = 0.0
        logs.configure(self.stream, monotonic=lambda: self.time)
        self.log = structlog.get_logger("test")

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.stream.getvalue().splitlines()]


@pytest.fixture
def sink() -> Iterator[Sink]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield Sink()
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)


def test_a_line_is_json_with_level_and_time(sink: Sink) -> None:
    sink.log.info("link up", node="/dev/ttyUSB0", raw=b"\xff", table="T\u00e4ble")
    sink.log.debug("unseen")
    (line,) = sink.lines
    assert line.pop("time").endswith("Z")
    assert line == {
        "event": "link up",
        "level": "info",
        "node": "/dev/ttyUSB0",
        "raw": "/w==",
        "table": "T\u00e4ble",
    }
    assert "T\u00e4ble".encode() in sink.stream.getvalue()


def test_a_traceback_shows_no_variables(sink: Sink) -> None:
    try:
        _fail("K" + "H")
    except ValueError:
        sink.log.exception("failed")
    logging.getLogger("asyncio").error("never retrieved", exc_info=ValueError("late"))
    text = sink.stream.getvalue().decode()
    assert "broken" in text
    assert "late" in text
    assert "_fail" in text
    assert "locals" not in text
    assert "KH" not in text


def _fail(face: str) -> None:
    if face:
        raise ValueError("broken")


def test_libraries_log_the_same_way(sink: Sink) -> None:
    logging.getLogger("asyncio").warning("slow %s", "callback")
    logging.getLogger("asyncio").info("unseen")
    (line,) = sink.lines
    assert (line["event"], line["level"], line["logger"]) == ("slow callback", "warning", "asyncio")


def test_repeats_are_counted_not_written(sink: Sink) -> None:
    for second in range(10):
        sink.time = float(second)
        sink.log.warning("link down", reason="absent")
    sink.log.warning("link down", reason="busy")
    found = [(line["reason"], line.get("count"), line.get("first_s_ago")) for line in sink.lines]
    assert found == [
        ("absent", None, None),
        ("absent", 2, 1.0),
        ("absent", 4, 3.0),
        ("absent", 8, 7.0),
        ("busy", None, None),
    ]


def test_a_repeat_that_goes_on_is_written_each_minute(sink: Sink) -> None:
    for second in range(200):
        sink.time = float(second)
        sink.log.error("no space")
    counts = [line.get("count", 1) for line in sink.lines]
    assert counts == [1, 2, 4, 8, 16, 32, 64, 125, 128, 189]


def test_after_a_quiet_minute_it_is_news_again(sink: Sink) -> None:
    for second in (0.0, 61.0, 200.0):
        sink.time = second
        sink.log.error("no space")
    assert [line.get("count") for line in sink.lines] == [None] * 3


def test_errors_that_differ_in_their_exception_are_all_written(sink: Sink) -> None:
    for number in range(6):
        sink.log.error("failed", exc_info=ValueError(str(number)))
    assert len(sink.lines) == 6
    for _ in range(6):
        sink.log.error("failed", exc_info=ValueError("same"))
    assert len(sink.lines) == 6 + 3


def test_a_stream_that_fails_stops_nobody_and_the_loss_is_told(sink: Sink) -> None:
    class Broken(io.BytesIO):
        failing = True

        def write(self, data: Any) -> int:  # noqa: ANN401 - of the base class
            if self.failing:
                raise BrokenPipeError
            return super().write(data)

    sink.stream = stream = Broken()
    logs.configure(stream)
    log = structlog.get_logger()
    log.info("one")
    log.info("two")
    stream.failing = False
    log.info("three")
    log.info("four")
    assert [(line["event"], line.get("count")) for line in sink.lines] == [
        ("log lines lost", 2),
        ("three", None),
        ("four", None),
    ]


def test_information_is_never_collapsed_and_memory_is_bounded(sink: Sink) -> None:
    for _ in range(5):
        sink.log.info("coup")
    for number in range(500):
        sink.log.error("odd", number=number)
    assert len(sink.lines) == 505


def test_utf8_whatever_the_locale() -> None:
    code = """
import structlog
from shoe_daemon.runtime import logs
logs.configure()
structlog.get_logger().info("\\u00e4")
"""
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    assert json.loads(ran.stderr)["event"] == "\u00e4"
    assert "\u00e4".encode() in ran.stderr
