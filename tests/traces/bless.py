"""Write the expected events of a trace: `python -m tests.traces.bless NAME …`. Say why in the commit."""

import json
import re
import sys
from pathlib import Path

from shoe_daemon.runtime.replay import replay

TRACES = Path(__file__).parent
VOLATILE = re.compile(r'("(?:sha256|rules_sha256|profile_sha256|software)":)"[^"]*"')


def events(capture: Path) -> list[str]:
    """Every event of a capture, one JSON line each, without hashes and version."""
    with capture.open(encoding="utf-8") as lines:
        bodies = [message.body.decode() for messages in replay(lines) for message in messages]
    return [VOLATILE.sub(r'\1"…"', body) for body in bodies]


def expected(name: str) -> Path:
    """The file of the events that a trace must give."""
    return TRACES / f"{name}.expected.jsonl"


def names() -> list[str]:
    """Every trace there is."""
    return sorted(path.name.removesuffix(".capture.jsonl") for path in TRACES.glob("*.capture.jsonl"))


if __name__ == "__main__":
    for chosen in sys.argv[1:]:
        lines = events(TRACES / f"{chosen}.capture.jsonl")
        told = [json.dumps(json.loads(line), ensure_ascii=False) for line in lines]
        expected(chosen).write_text("".join(f"{line}\n" for line in told), encoding="utf-8")
