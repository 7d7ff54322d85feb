"""`shoe-daemon demo` from outside: ends by itself, stops, gives way to busy ports, survives its daemon."""

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from shoe_daemon.runtime.rows import Reader
from shoe_daemon.runtime.verify import verify
from tests.process.running import PATIENCE_S, Json, until
from tests.runtime.journals import open_journal

FOLDERS = "shoe-demo-"


class Demo:
    """A demo whose words go into a file."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        folder.mkdir(exist_ok=True)
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self._said = folder / "said"
        with self._said.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "shoe_daemon", "demo", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, "TMPDIR": str(self.temporary)},
                cwd=folder,
            )

    @property
    def said(self) -> str:
        return self._said.read_text()

    def hears(self, pattern: str) -> str:
        """Wait until it says something; the first group of `pattern`."""
        found: list[str] = []

        def there() -> bool:
            found[:] = re.findall(pattern, self.said)
            return bool(found) or self.process.poll() is not None

        until(there, lambda: self.said)
        assert found, self.said
        return found[0]

    def ends(self) -> int:
        return self.process.wait(2 * PATIENCE_S)

    def left(self) -> list[str]:
        """What is left of it: files, and processes that know its folder."""
        files = [str(path) for path in self.temporary.iterdir()]
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:  # it ended meanwhile
                continue
            if str(self.temporary) in line:
                files.append(line)
        return files


@contextmanager
def busy(ports: list[int]) -> Iterator[None]:
    """Listen on ports; one that somebody else has is busy already."""
    with ExitStack() as stack:
        for port in ports:
            one = stack.enter_context(socket.socket())
            try:
                one.bind(("127.0.0.1", port))
                one.listen()
            except OSError:
                continue
        yield


@pytest.fixture
def demos() -> Iterator[list[Demo]]:
    """Demos begun by a test; none outlives it."""
    begun: list[Demo] = []
    yield begun
    for demo in begun:
        if demo.process.poll() is None:
            demo.process.terminate()
            demo.process.wait(PATIENCE_S)


def test_it_ends_by_itself_and_leaves_nothing_though_ports_are_busy(
    tmp_path: Path, demos: list[Demo]
) -> None:
    with busy([5570, 5573, 5576, 8080]):
        demo = Demo(tmp_path / "demo", "--coups", "3", "--speed", "200")
        demos.append(demo)
        address = demo.hears(r"http://127.0.0.1:(\d+)")
        assert address != "8080"
        assert demo.ends() == 0, demo.said
    assert "3 coups dealt" in demo.said
    assert demo.left() == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_stops_when_told_even_twice(tmp_path: Path, demos: list[Demo], number: int) -> None:
    demo = Demo(tmp_path / "demo", "--speed", "50")
    demos.append(demo)
    port = int(demo.hears(r"http://127.0.0.1:(\d+)"))
    with socket.create_connection(("127.0.0.1", port)) as page:  # a page that stays open
        page.sendall(b"GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
        assert page.recv(100)
        demo.process.send_signal(number)
        demo.process.send_signal(number)
        assert demo.ends() == 0, demo.said
    assert "Traceback" not in demo.said
    assert demo.left() == []


def test_a_journal_that_exists_is_left_alone(tmp_path: Path, demos: list[Demo]) -> None:
    kept = tmp_path / "kept.db"
    open_journal(kept, "DEMO").close()
    before = kept.read_bytes()
    demo = Demo(tmp_path / "demo", "--coups", "1", "--journal", str(kept))
    demos.append(demo)
    assert demo.ends() == 2
    assert "kept.db" in demo.said
    assert kept.read_bytes() == before
    assert demo.left() == []


@pytest.mark.parametrize("procedure", ["face-up", "dealer-reveal"])
def test_its_daemon_killed_in_a_coup_and_started_again(
    tmp_path: Path, demos: list[Demo], procedure: str
) -> None:
    journal = tmp_path / "kept.db"
    arguments = ("--coups", "3", "--speed", "30", "--procedure", procedure, "--journal", str(journal))
    demo = Demo(tmp_path / "demo", *arguments)
    demos.append(demo)
    pid = int(demo.hears(r"kill -9 (\d+)"))
    until(lambda: _in_a_coup(journal), lambda: demo.said)
    os.kill(pid, signal.SIGKILL)
    run = shlex.split(demo.hears(r"(?m)^ +(\S.* run --config .*)$"))
    with subprocess.Popen(run, stderr=subprocess.DEVNULL, cwd=demo.temporary.parent) as daemon:
        try:
            settle = shlex.split(demo.hears(r"(?m)^ +(\S.* control resolve .*)$"))
            subprocess.run(settle, check=True, capture_output=True, cwd=demo.temporary.parent)
            assert demo.ends() == 0, demo.said
        finally:
            daemon.terminate()
    assert "3 coups dealt" in demo.said
    assert demo.left() == []
    assert verify(journal).ok
    told = _told(journal)
    starts = [one["data"]["reason"] for one in told if one["type"] == "service.started"]
    assert starts == ["new_journal", "restart"]
    results = [one for one in told if one["type"] == "coup.result"]
    assert [one["coup"] for one in results] == [1, 2, 3]
    codes = {one["data"]["code"] for one in told if one["type"] == "irregularity.raised"}
    assert codes == {"link_gap"}
    lying = sum(len(one["data"][hand]["cards"]) for one in results for hand in ("player", "banker"))
    assert sum(one["type"] == "card.drawn" for one in told) == lying


def _told(journal: Path) -> list[Json]:
    with Reader(journal) as reader:
        return [json.loads(one.body) for one in reader.told() if one.audience == "surveillance"]


def _in_a_coup(journal: Path) -> bool:
    """The second coup has some of its cards."""
    if not journal.exists() or not journal.stat().st_size:
        return False
    drawn = [one["coup"] for one in _told(journal) if one["type"] == "card.drawn"]
    return drawn.count(2) in {2, 3}
