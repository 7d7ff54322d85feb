"""Replay speed, time to start, memory."""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from bench.processes import PROFILE, SHOE, Daemon, frames, profile
from drivers.script import capture_lines
from drivers.virtual import VirtualOptions, virtual_shoe
from shoe_daemon.runtime.replay import replay

WARM = 12


class Replay(msgspec.Struct, frozen=True):
    """Cards a second: in this process, and by the command with its start and its output."""

    cards: int
    messages: int
    in_process: float
    command: float


class Start(msgspec.Struct, frozen=True):
    """Seconds to READY with an empty journal and with one shoe in it; resident memory, bytes.

    `burst`: cards a second, committed and published, while a shoe comes as fast as the line takes it.
    """

    empty: float
    with_shoe: float
    burst: float
    idle: int
    dealt: int


def replay_speed(coups: int, repetitions: int) -> Replay:
    """Replay a capture of `coups`, dealt face up from as many shoes as it takes."""
    options = VirtualOptions(procedure="face-up", seed=7, coups=coups, opening=False)
    script = virtual_shoe(profile(), options)
    lines = [
        f"{line}\n"
        for line in capture_lines(
            script, profile_id=PROFILE, rules="live", decks=8, table="BENCH", procedure="face-up"
        )
    ]
    told = [message for step in replay(lines) for message in step]
    cards = sum(message.type == "card.dealt" and message.audience == "public" for message in told)
    with tempfile.TemporaryDirectory() as here:
        capture = Path(here) / "shoes.jsonl"
        capture.write_text("".join(lines), encoding="utf-8")
        within = statistics.median(_time_in_process(lines) for _ in range(repetitions))
        command = statistics.median(_time_command(capture) for _ in range(repetitions))
    return Replay(cards, len(told), cards / within, cards / command)


def _time_in_process(lines: list[str]) -> float:
    begun = time.perf_counter()
    for _ in replay(lines):
        pass
    return time.perf_counter() - begun


def _time_command(capture: Path) -> float:
    command = [sys.executable, "-m", "shoe_daemon", "replay", str(capture)]
    begun = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun


def start(folder: Path, repetitions: int) -> Start:
    """Start the daemon again and again, first on new journals, then on one with a shoe half dealt."""
    with tempfile.TemporaryDirectory(dir=folder) as here:
        empty = [_once(Path(here) / f"empty{n}.db") for n in range(repetitions)]
        with Daemon(Path(here) / "journal.db") as daemon:
            with daemon.run() as (ours, _):
                daemon.new_shoe()
                cards = frames(SHOE)
                ours.warm_up(cards[:WARM])
                began = time.perf_counter()
                ours.burst(cards[WARM:])
                burst = (SHOE - WARM) / (time.perf_counter() - began)
                dealt = _resident(ours.process.pid)
            again = []
            for _ in range(repetitions):
                with daemon.run() as (_, took):
                    again.append(took)
    return Start(
        empty=statistics.median(took for took, _ in empty),
        with_shoe=statistics.median(again),
        burst=burst,
        idle=max(size for _, size in empty),
        dealt=dealt,
    )


def _once(journal: Path) -> tuple[float, int]:
    with Daemon(journal) as daemon, daemon.run() as (ours, took):
        return took, _resident(ours.process.pid)


def _resident(pid: int) -> int:
    """Resident memory of a process, bytes."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        name, _, size = line.partition(":")
        if name == "VmRSS":
            return int(size.split()[0]) * 1024
    raise RuntimeError(f"process {pid} is gone")
