"""A live run over a pseudo-terminal, and `replay` of its journal as a capture: the same events."""

from collections.abc import Callable

import pytest

from tests.process.conftest import Tables
from tests.process.running import Running
from tests.process.whole_run import captured, late_presses, same_events, settling, whole_run

RUNS: dict[str, tuple[Callable[[Running], None], dict[str, object]]] = {
    "face-up": (whole_run, {"betting_opens": "auto"}),
    "dealer-reveal": (late_presses, {"rules": "nsw", "procedure": "dealer-reveal"}),
    "settling": (settling, {"settle_s": 0.2}),
}


@pytest.mark.parametrize("run", RUNS)
def test_replay_tells_what_was_told_live(tables: Tables, run: str) -> None:
    play, settings = RUNS[run]
    table = tables(**settings)
    play(table)
    table.verified()
    assert same_events(table, table.cli("replay", str(captured(table)))) > 50
