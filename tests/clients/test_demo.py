"""The demo after its daemon was killed: what it says, and that nothing of it goes on when it ends."""

import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from shoe_daemon.clients import demo
from shoe_daemon.runtime.lockfile import holder, lock_of

PATIENCE_S = 60.0
GONE = r"(?m)^ +(\S.* run --config .*)$"


class Demo:
    """A demo with a terminal to press Enter at, or none; what it says lies in a file."""

    def __init__(self, folder: Path, stdin: int) -> None:
        self.said_at = folder / "said"
        self.journal = folder / 'a "b".db'
        command = [
            sys.executable,
            "-m",
            "shoe_daemon",
            "demo",
            "--speed",
            "20",
            "--journal",
            str(self.journal),
        ]
        with self.said_at.open("wb") as out:
            self.process = subprocess.Popen(
                command, stdin=stdin, stdout=out, stderr=out, env={**os.environ, "TMPDIR": str(folder)}
            )

    @property
    def said(self) -> str:
        return self.said_at.read_text()

    def hears(self, pattern: str) -> str:
        self.until(lambda: re.search(pattern, self.said) is not None)
        found: str = re.findall(pattern, self.said)[-1]
        return found

    def until(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < end, self.said
            assert self.process.poll() is None, self.said
            time.sleep(0.02)

    def kill_daemon(self) -> list[str]:
        """Kill it; the command that starts it again."""
        os.kill(int(self.hears(r"kill -9 (\d+)")), signal.SIGKILL)
        return shlex.split(self.hears(GONE))

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_S)


@pytest.fixture
def demos() -> Iterator[list[Demo]]:
    begun: list[Demo] = []
    yield begun
    for one in begun:
        if one.process.poll() is None:
            one.process.terminate()
            one.process.wait(PATIENCE_S)


def test_without_a_terminal_nobody_is_asked_to_press_enter(tmp_path: Path, demos: list[Demo]) -> None:
    demo = Demo(tmp_path, subprocess.DEVNULL)
    demos.append(demo)
    again = demo.kill_daemon()
    assert "Start it again: in another terminal" in demo.said
    assert "press Enter" not in demo.said
    with subprocess.Popen(again, stderr=subprocess.DEVNULL) as elsewhere:
        demo.until(lambda: holder(lock_of(demo.journal)) == elsewhere.pid)
        assert demo.stop() == 0
        assert elsewhere.wait(PATIENCE_S) == 0  # ended with the demo
    assert holder(lock_of(demo.journal)) is None


def test_enter_starts_it_again_and_a_start_that_fails_is_said(tmp_path: Path, demos: list[Demo]) -> None:
    ours, theirs = pty.openpty()
    demo = Demo(tmp_path, theirs)
    demos.append(demo)
    os.close(theirs)
    again = demo.kill_daemon()
    assert "press Enter here, or in another terminal" in demo.said
    with subprocess.Popen(again, stderr=subprocess.DEVNULL) as elsewhere:
        demo.until(lambda: holder(lock_of(demo.journal)) == elsewhere.pid)
        os.write(ours, b"\n")
        demo.hears(rf"did not start:\n.*held by process {elsewhere.pid}")
        elsewhere.kill()
    assert demo.said.count("Start it again") == 1
    os.write(ours, b"\n")
    demo.until(lambda: holder(lock_of(demo.journal)) is not None)
    assert demo.stop() == 0
    assert holder(lock_of(demo.journal)) is None
    os.close(ours)


def test_a_process_that_is_another_one_is_left_alone() -> None:
    script = "print(1, flush=True); input()"
    command = [sys.executable, "-c", script, "mark"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()  # only now is its command line there to be read
        assert not demo._end_other(other.pid, "other mark")
        assert other.poll() is None
        assert demo._end_other(other.pid, "mark")
        assert other.wait() == -signal.SIGTERM
    assert demo._end_other(other.pid, "mark")


def test_names_are_written_so_that_the_configuration_reads_them(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "shoe_daemon", "demo", "--rules", 'x"y', "--coups", "1"]
    ran = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    assert ran.returncode == 2
    assert 'table.rules: no rule set "x"y"' in ran.stderr
