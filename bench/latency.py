"""Bytes written to the shoe's line until a subscriber has the event: the daemon beside the bare loop."""

import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Final

import msgspec

from bench.processes import Daemon, Running, bare_loop, frames

WARM: Final = 12
GAP_S: Final = (0.018, 0.022)


class Latency(msgspec.Struct, frozen=True):
    """Seconds. Medians over the repetitions; a ratio is taken within each repetition first."""

    daemon_p50: float
    daemon_p99: float
    bare_p50: float
    bare_p99: float
    ratio_p50: float
    ratio_p99: float
    own_work: float


def latency(folder: Path, cards: int, repetitions: int) -> Latency:
    """Measure with journals in `folder`: `cards` a repetition to each, one to the daemon, one to the loop."""
    found = [_repetition(folder, cards) for _ in range(repetitions)]
    pairs = [((_p(ours, 50), _p(ours, 99)), (_p(bare, 50), _p(bare, 99))) for ours, bare in found]
    return Latency(
        daemon_p50=statistics.median(ours[0] for ours, _ in pairs),
        daemon_p99=statistics.median(ours[1] for ours, _ in pairs),
        bare_p50=statistics.median(bare[0] for _, bare in pairs),
        bare_p99=statistics.median(bare[1] for _, bare in pairs),
        ratio_p50=statistics.median(ours[0] / bare[0] for ours, bare in pairs),
        ratio_p99=statistics.median(ours[1] / bare[1] for ours, bare in pairs),
        own_work=statistics.median(ours[0] - bare[0] for ours, bare in pairs),
    )


def _repetition(folder: Path, cards: int) -> tuple[list[float], list[float]]:
    """Both programs run at once, each on a new journal; they get their cards in turn."""
    dealt = frames(cards + WARM)
    with (
        tempfile.TemporaryDirectory(dir=folder) as here,
        bare_loop(Path(here) / "bare.db") as bare,
        Daemon(Path(here) / "journal.db") as daemon,
        daemon.run() as (ours, _),
    ):
        daemon.new_shoe()
        for program in (bare, ours):
            program.warm_up(dealt[:WARM])
        taken: tuple[list[float], list[float]] = ([], [])
        for card in dealt[WARM:]:
            for program, times in zip((ours, bare), taken, strict=True):
                times.append(_one(program, card))
        return taken


def _one(program: Running, card: bytes) -> float:
    time.sleep(random.uniform(*GAP_S))  # noqa: S311 - so that no card falls into step with anything else
    took = program.deal(card)
    if took is None:
        raise RuntimeError("a card did not come through")
    return took


def _p(times: list[float], percent: int) -> float:
    """The value that `percent` of `times` do not exceed."""
    return sorted(times)[max(0, -(-len(times) * percent // 100) - 1)]
