"""Measure everything and print a table; `--write` also puts it into docs/performance.md."""

import argparse
import os
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.decoding import LINE, decoding
from bench.latency import Latency, latency
from bench.rest import replay_speed, start

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "performance.md"
BEGIN: Final = "<!-- figures: make bench ARGS=--write -->\n"
END: Final = "<!-- end of figures -->\n"
MEMORY: Final = Path("/dev/shm")  # noqa: S108 - a file system in memory, that is what is measured

Row = tuple[str, str, str]
"""What, how much, what is aimed at."""


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser("python -m bench", description=__doc__)
    parser.add_argument(
        "--cards", type=int, default=200, help="a repetition, to each of the two (at most 380)"
    )
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--coups", type=int, default=2000, help="in the capture that is replayed")
    parser.add_argument("--write", action="store_true", help=f"update {PAGE.relative_to(ROOT)}")
    options = parser.parse_args()
    rows: list[Row] = []
    for row in measure(options.cards, options.repetitions, options.coups):
        print(f"{row[0]:62} {row[1]:>24}   {row[2]}", flush=True)
        rows.append(row)
    if options.write:
        write(rows)


def measure(cards: int, repetitions: int, coups: int) -> Iterator[Row]:
    """Give the rows one after another."""
    disk = ROOT / "build"
    disk.mkdir(exist_ok=True)
    yield "machine", f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}", ""
    yield from latency_rows("disk", latency(disk, cards, repetitions), ratio="1.5 / 3")
    yield from latency_rows("memory", latency(MEMORY, cards, repetitions), own="150 µs")
    speed = replay_speed(coups, repetitions)
    yield f"replay of {speed.cards} cards, {speed.messages} messages", "", ""
    yield "  in one process", f"{speed.in_process:,.0f} cards/s", "100,000"
    yield "  the command, its start and output included", f"{speed.command:,.0f} cards/s", ""
    yield "decoding, times the line at 115,200 baud: cards / noise", "", "20"
    for one in decoding(repetitions):
        yield f"  {one.profile}", f"{one.good / LINE:.0f} / {one.noise / LINE:.0f}", ""
    begun = start(disk, repetitions)
    yield "a shoe in one burst, journal on disk", f"{begun.burst:,.0f} cards/s", ""
    yield "start to READY, new journal", f"{begun.empty:.2f} s", ""
    yield "start to READY, one shoe in the journal", f"{begun.with_shoe:.2f} s", "0.4 s"
    yield "resident memory of run, idle", f"{begun.idle / 2**20:.0f} MiB", "64 MiB"
    yield "resident memory of run, one shoe dealt", f"{begun.dealt / 2**20:.0f} MiB", "64 MiB"


def latency_rows(name: str, found: Latency, ratio: str = "", own: str = "") -> Iterator[Row]:
    """The rows of one file system, with what is aimed at there."""
    yield f"journal on {name}: bytes written to event received", "p50 / p99", ""
    yield "  daemon", f"{_us(found.daemon_p50)} / {_us(found.daemon_p99)}", ""
    yield "  bare loop", f"{_us(found.bare_p50)} / {_us(found.bare_p99)}", ""
    yield "  daemon to bare loop", f"{found.ratio_p50:.2f} / {found.ratio_p99:.2f}", ratio
    yield "  daemon less bare loop, p50", _us(found.own_work), own


def _us(seconds: float) -> str:
    return f"{seconds * 1e6:,.0f} µs"


def write(rows: list[Row]) -> None:
    """Put the table into the page."""
    table = "".join(f"| {what.strip()} | {found} | {aim} |\n" for what, found, aim in rows)
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, tail = rest.partition(END)
    table = f"\n| what | found | aim |\n|---|---|---|\n{table}\n"
    PAGE.write_text(f"{head}{BEGIN}{table}{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
