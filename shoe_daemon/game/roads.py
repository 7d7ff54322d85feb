"""Roads: the results of one shoe as casinos draw them, six rows high.

All is computed from the whole shoe and cut to a window afterwards, so that a correction of an older coup, a
void and a restart need nothing of their own. Rows and columns count from 0.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from shoe_daemon.game.cards import Outcome

ROWS: Final = 6


class Mark(msgspec.Struct, frozen=True):
    """A coup with a result, as far as roads show it."""

    outcome: Outcome
    banker_pair: bool = False
    player_pair: bool = False
    natural: bool = False


class Bead(msgspec.Struct, frozen=True):
    """A coup on the bead plate; `index` is its place among the results of the shoe."""

    row: int
    column: int
    index: int


class Ring(msgspec.Struct, frozen=True):
    """A win on the big road and the ties since; `winner` is `tie` while the shoe has only had ties."""

    row: int
    column: int
    winner: Outcome
    ties: int


class Counts(msgspec.Struct, frozen=True):
    """How often each thing happened in the shoe."""

    coups: int
    banker: int
    player: int
    tie: int
    banker_pair: int
    player_pair: int
    natural: int


def bead_plate(coups: int, columns: int) -> tuple[Bead, ...]:
    """Place the last of `coups` results; a full plate of `columns` drops whole columns, so no row changes."""
    dropped = max(0, -(-coups // ROWS) - columns)
    return tuple(Bead(index % ROWS, index // ROWS - dropped, index) for index in range(dropped * ROWS, coups))


def big_road(outcomes: Iterable[Outcome]) -> tuple[Ring, ...]:
    """Draw a column for each streak; ties stand on the ring before them, leading ones on the first.

    A streak that reaches the bottom or a taken cell turns right and keeps that row (the dragon's tail). The
    next streak starts beside the first cell of this one, or at the next free cell of the top row.
    """
    rings: list[Ring] = []
    taken: set[tuple[int, int]] = set()
    leading = start = 0
    turned = False
    for outcome in outcomes:
        last = rings[-1] if rings else None
        if outcome == "tie":
            if last is None:
                leading += 1
            else:
                rings[-1] = Ring(last.row, last.column, last.winner, last.ties + 1)
            continue
        if last is None or last.winner != outcome:
            start = 0 if last is None else start + 1
            while (0, start) in taken:
                start += 1
            row, column, turned = 0, start, False
        else:
            turned = turned or last.row + 1 == ROWS or (last.row + 1, last.column) in taken
            row, column = (last.row, last.column + 1) if turned else (last.row + 1, last.column)
        taken.add((row, column))
        rings.append(Ring(row, column, outcome, 0 if rings else leading))
    return tuple(rings) if rings or not leading else (Ring(0, 0, "tie", leading),)


def latest_columns(rings: Sequence[Ring], columns: int) -> tuple[Ring, ...]:
    """Cut a drawn road to its last `columns` columns."""
    dropped = max(0, max((ring.column for ring in rings), default=0) + 1 - columns)
    return tuple(
        Ring(ring.row, ring.column - dropped, ring.winner, ring.ties)
        for ring in rings
        if ring.column >= dropped
    )


def count(marks: Sequence[Mark]) -> Counts:
    """Count the results of a shoe."""
    outcomes = [mark.outcome for mark in marks]
    return Counts(
        coups=len(marks),
        banker=outcomes.count("banker"),
        player=outcomes.count("player"),
        tie=outcomes.count("tie"),
        banker_pair=sum(mark.banker_pair for mark in marks),
        player_pair=sum(mark.player_pair for mark in marks),
        natural=sum(mark.natural for mark in marks),
    )
