"""The examples of docs/integrating.md and docs/clients, run as they stand."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from tests.clients.feed_double import Ledger, Publisher
from tests.clients.shoes import Game

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "integrating.md"
CLIENTS = ROOT / "docs" / "clients"
NODE = ROOT / ".venv" / "node"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    with Publisher(Ledger("01J" + "A" * 23)) as running:
        yield running


Program = Callable[[Path], Sequence[str]]
"""Makes a program ready in a folder and gives its command; skips the test where it cannot be made."""


def bare(_: Path) -> Sequence[str]:
    return [sys.executable, "-c", EXAMPLES[1]]


def in_c(folder: Path) -> Sequence[str]:
    compiler = shutil.which("cc")
    if compiler is None or not Path("/usr/include/zmq.h").exists():
        pytest.skip("no C compiler, or no zmq.h: make clients installs what is missing")
    made = folder / "follow"
    flags = ("-Wall", "-Wextra", "-Werror", "-O1")
    subprocess.run([compiler, *flags, str(CLIENTS / "follow.c"), "-lzmq", "-o", str(made)], check=True)
    return [str(made)]


def in_javascript(folder: Path) -> Sequence[str]:
    node = shutil.which("node")
    if node is None or not (NODE / "node_modules" / "zeromq").exists():
        pytest.skip("no node, or no package zeromq: make clients installs what is missing")
    script = folder / "follow.js"
    script.write_bytes((CLIENTS / "follow.js").read_bytes())
    (folder / "node_modules").symlink_to(NODE / "node_modules")
    return [node, str(script)]


@contextmanager
def running(command: Sequence[str], publisher: Publisher) -> Iterator[IO[str]]:
    command = [*command, publisher.pub, publisher.router, "public"]
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
    with running([sys.executable, "-c", EXAMPLES[0]], publisher) as lines:
        assert [lines.readline(), lines.readline()] == ["1 banker\n", "2 player\n"]
        game.play("T")
        assert lines.readline() == "3 tie\n"


@pytest.mark.parametrize("program", [bare, in_c, in_javascript])
def test_a_client_prints_every_event_once(program: Program, publisher: Publisher, tmp_path: Path) -> None:
    command = program(tmp_path)
    for _ in range(700):
        publisher.tell("tick")
    with running(command, publisher) as lines:
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
