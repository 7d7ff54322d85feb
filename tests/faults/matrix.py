"""The matrix: which cells there are, each played at a daemon, and the table of what came of them."""

import random
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from shoe_daemon.runtime.resources import names
from tests.faults.catalogue import CONSEQUENCES, FAULTS, TAKES_PLACE, TRANSPORTS, Place, places
from tests.faults.cell import Cell
from tests.faults.life import INVENTED, Life, profile_named
from tests.faults.plays import PLAYS, PROCESS

SEED: Final = 2024
TRIES: Final = 5
"""How often a cell is played anew whose bytes were held up on their way, so that they were another fault."""

Column = tuple[str, str]
"""A profile and a transport; both empty for the faults of the process."""
PROFILES: Final = (*names("shoes"), *INVENTED)
COLUMNS: Final[tuple[Column, ...]] = (
    *((profile, transport) for profile in PROFILES for transport in TRANSPORTS),
    ("", ""),
)


class Outcome(NamedTuple):
    """What came of a cell. `miss`: what was wrong, empty where nothing was; `said`: what the daemon said."""

    place: Place
    said: frozenset[str]
    miss: str


@cache
def all_places() -> list[Place]:
    """Every cell of every shipped profile."""
    return list(places([profile_named(name) for name in PROFILES]))


def played(column: Column) -> list[Place]:
    """The cells of a column that are played."""
    return [one for one in all_places() if (one.profile, one.transport) == column and one.state == "play"]


def again(place: Place, seed: int) -> str:
    """The command that plays a cell again."""
    return " ".join(["python -m tests.faults", str(seed), place.fault.key, place.profile, place.transport])


def play(chosen: Sequence[Place], folder: Path, seed: int) -> list[Outcome]:
    """Play cells of one column, as many as can be at one daemon; after a miss at a new one."""
    outcomes: list[Outcome] = []
    left, lives, tries = sorted(chosen, key=lambda one: (one.fault.alone, one.fault.session)), 0, 0
    while left:
        if left[0].fault.process:
            outcomes.append(_process(left.pop(0), folder))
            continue
        lives += 1
        first = left[0]
        life = Life(folder / str(lives), first.profile, first.transport, first.fault.session)
        try:
            life.begin()
            while left and (left[0] is first or _at_one_daemon(left[0], first)):
                outcome = _cell(life, left[0], seed)
                tries += 1
                if outcome is None and tries < TRIES:
                    break
                outcomes.append(outcome or Outcome(left[0], frozenset(), f"held up {TRIES} times"))
                left.pop(0)
                tries = 0
                if outcomes[-1].miss:
                    break
            else:
                life.end()
        finally:
            life.close()
    return outcomes


def _at_one_daemon(one: Place, other: Place) -> bool:
    """Whether two cells are played one after the other at the same daemon."""
    return one.fault.session == other.fault.session and not (one.fault.alone or other.fault.alone)


def _cell(life: Life, place: Place, seed: int) -> Outcome | None:
    """Play a cell; None where its bytes were held up, so that another fault was played."""
    said: list[str] = []
    miss = ""
    life.spans.clear()
    try:
        cell = Cell(life, random.Random(f"{seed} {place.fault.key} {place.profile} {place.transport}"))
        PLAYS[place.fault.key](cell)
        said = cell.finish()
    except AssertionError:
        miss = traceback.format_exc()
    except Exception as error:
        error.add_note(again(place, seed))
        raise
    if life.stalled():
        return None
    return Outcome(place, frozenset(said), miss or _unsaid(place, said))


def _unsaid(place: Place, said: Iterable[str]) -> str:
    more = set(said) - {*place.fault.says, *place.fault.may}
    if TAKES_PLACE in place.fault.says:
        more -= set(CONSEQUENCES)
    return f"said what the catalogue does not say: {sorted(more)}" if more else ""


def _process(place: Place, folder: Path) -> Outcome:
    try:
        PROCESS[place.fault.key](folder / place.fault.key)
    except AssertionError:
        return Outcome(place, frozenset(), traceback.format_exc())
    return Outcome(place, frozenset(), "")


def counts(cells: Iterable[Place]) -> Counter[str]:
    """How many cells are in each state."""
    return Counter(one.state for one in cells)


def heading(cells: Sequence[Place]) -> str:
    """What is played, what is not, and how often."""
    number = counts(cells)
    return (
        f"{len({one.number for one in FAULTS})} faults: {number['play']} cells are played,"
        f" {number['shown']} are shown by tests of their own, {number['n/a']} do not apply,"
        f" {number['later']} are not there yet"
    )


def table(cells: Sequence[Place], outcomes: Iterable[Outcome]) -> Iterator[str]:
    """The matrix in lines; a cell that was to be played and was not is `?`."""
    marks = {(one.place.fault.key, one.place.profile, one.place.transport): one for one in outcomes}
    yield heading(cells)
    for number, (profile, transport) in enumerate(COLUMNS, 1):
        yield f"  {number:2} {profile or 'the process'} {transport}"
    yield f"{'':44}" + "".join(f"{number:6}" for number in range(1, len(COLUMNS) + 1))
    by_fault: dict[str, dict[Column, str]] = {fault.key: {} for fault in FAULTS}
    for one in cells:
        mark = {"play": "?"}.get(one.state, one.state)
        outcome = marks.get((one.fault.key, one.profile, one.transport))
        if outcome is not None:
            mark = "MISS" if outcome.miss else "ok"
        by_fault[one.fault.key][one.profile, one.transport] = mark
    for fault in FAULTS:
        row = "".join(f"{by_fault[fault.key].get(column, ''):>6}" for column in COLUMNS)
        yield f"{fault.key:>3} {fault.title[:40]:40}{row}"
