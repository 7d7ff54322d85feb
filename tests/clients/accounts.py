"""Finished accounts to explain: random histories and traces as the messages they give, and pages of them.

`python -m tests.clients.accounts` writes the pages anew: read each as an inspector would before it is kept.
"""

import re
from pathlib import Path
from typing import Final

from shoe_daemon.clients.explaining.facts import explain
from shoe_daemon.clients.explaining.text import page
from shoe_daemon.clients.told import Clock, Told, decode
from shoe_daemon.runtime.messages import Projector
from shoe_daemon.runtime.replay import JOURNAL, replay
from shoe_daemon.table.codec import Step
from shoe_daemon.table.project import Policy
from tests.table.histories import Walk

TRACES: Final = Path(__file__).resolve().parents[1] / "traces"
PAGES: Final = Path(__file__).resolve().parent / "explained"
GOLDEN: Final = ("drawn-before-reveal-1", "excess-undisclosed-2", "revisions-1", "unread-1", "void-1")
"""Traces with the number of a coup."""
_VOLATILE: Final = re.compile(r"[0-9a-f]{64}|(?<=shoe-daemon )[0-9.]+")


def of_walk(walk: Walk, policy: Policy) -> list[Told]:
    projector = Projector(JOURNAL, "T", policy, walk.setup.decks)
    return [
        decode(message.body)
        for what, events in walk.events
        for message in projector.project(Step(what, events))
    ]


def of_trace(name: str) -> list[Told]:
    return of_file(TRACES / f"{name}.capture.jsonl")


def of_file(capture: Path) -> list[Told]:
    with capture.open("rb") as lines:
        return [decode(message.body) for step in replay(lines) for message in step]


def golden(name: str) -> str:
    """The page of a coup of a trace, without hashes and version."""
    trace, _, coup = name.rpartition("-")
    told = [message for message in of_trace(trace) if message.shoe == 1]
    facts = explain(told, 1, int(coup), delayed=True)
    lines = page(facts, Clock(counted=True), f"{trace}.capture.jsonl")
    return _VOLATILE.sub("…", "\n".join(lines)) + "\n"


if __name__ == "__main__":
    for chosen in GOLDEN:
        (PAGES / f"{chosen}.txt").write_text(golden(chosen), encoding="utf-8")
