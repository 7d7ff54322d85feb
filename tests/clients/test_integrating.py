"""The examples of docs/integrating.md, run as they stand."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from tests.clients.feed_double import Ledger, Publisher
from tests.clients.shoes import Game

PAGE = Path(__file__).parents[2] / "docs" / "integrating.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    with Publisher(Ledger("01J" + "A" * 23)) as running:
        yield running


@contextmanager
def running(example: str, publisher: Publisher) -> Iterator[IO[str]]:
    command = [sys.executable, "-c", example, publisher.pub, publisher.router]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        yield process.stdout
        process.kill()


def test_there_are_two_examples() -> None:
    assert len(EXAMPLES) == 2


def test_the_subscriber_example_prints_results(publisher: Publisher) -> None:
    game = Game(publisher)
    game.open()
    game.play("BP")
    with running(EXAMPLES[0], publisher) as lines:
        assert [lines.readline(), lines.readline()] == ["1 banker\n", "2 player\n"]
        game.play("T")
        assert lines.readline() == "3 tie\n"


def test_the_bare_example_prints_every_event_once(publisher: Publisher) -> None:
    for _ in range(700):
        publisher.tell("tick")
    with running(EXAMPLES[1], publisher) as lines:
        for number in range(700):
            assert lines.readline().encode() == publisher.ledger.rows[number][2] + b"\n"
        for number in range(700, 760):
            publisher.tell("tick", lose=number % 7 == 0)
        for number in range(700, 760):
            assert lines.readline().encode() == publisher.ledger.rows[number][2] + b"\n"
        other = Ledger("01J" + "B" * 23)
        for _ in range(20):
            other.add("tock")
        publisher.restart(other)
        for number in range(20):
            assert lines.readline().encode() == other.rows[number][2] + b"\n"
