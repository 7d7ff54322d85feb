"""Bead plate, big road and counts: drawn by hand, against vectors, and as rules that hold for any shoe."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoe_daemon.game.cards import Outcome
from shoe_daemon.game.roads import ROWS, Mark, Ring, bead_plate, big_road, count, latest_columns

LETTER: dict[str, Outcome] = {"B": "banker", "P": "player", "T": "tie"}


def outcomes(letters: str) -> list[Outcome]:
    return [LETTER[letter] for letter in letters]


def marks(text: str) -> list[Mark]:
    """Read `BbPT`: a winner and its marks b (Banker pair), p (Player pair), n (natural)."""
    found: list[Mark] = []
    starts = [place for place, letter in enumerate(text) if letter in LETTER]
    for start, end in itertools.pairwise([*starts, len(text)]):
        said = text[start + 1 : end]
        found.append(Mark(LETTER[text[start]], "b" in said, "p" in said, "n" in said))
    return found


def drawing(rings: tuple[Ring, ...]) -> list[str]:
    """Draw rings as rows of letters, small where ties stand on them."""
    width = max((ring.column for ring in rings), default=-1) + 1
    rows = [["."] * width for _ in range(ROWS)]
    for ring in rings:
        letter = ring.winner[0]
        rows[ring.row][ring.column] = letter if ring.ties else letter.upper()
    lines = ["".join(row) for row in rows]
    while lines and not lines[-1].strip("."):
        lines.pop()
    return lines


@pytest.mark.parametrize(
    ("shoe", "picture"),
    [
        ("", []),
        ("B", ["B"]),
        ("BBPB", ["BPB", "B.."]),
        ("BTTB", ["b", "B"]),
        ("BBTP", ["BP", "b."]),
        ("T", ["t"]),
        ("TTBB", ["b", "B"]),
        ("B" * 8 + "P", ["BP.", "B..", "B..", "B..", "B..", "BBB"]),
        ("B" * 7 + "T" + "P", ["BP", "B.", "B.", "B.", "B.", "Bb"]),
        ("B" * 7 + "P" * 7, ["BP..", "BP..", "BP..", "BP..", "BPPP", "BB.."]),
        ("B" * 8 + "P" + "B" * 6, ["BPB.", "B.B.", "B.B.", "B.B.", "B.BB", "BBB."]),
    ],
)
def test_big_road_as_drawn_by_hand(shoe: str, picture: list[str]) -> None:
    assert drawing(big_road(outcomes(shoe))) == picture


@pytest.mark.parametrize(("shoe", "ties"), [("TTT", [3]), ("TTBTP", [3, 0]), ("BTTPT", [2, 1])])
def test_ties_are_counted_on_their_ring(shoe: str, ties: list[int]) -> None:
    assert [ring.ties for ring in big_road(outcomes(shoe))] == ties


def test_stacked_tails_fill_the_top_row_and_the_next_streak_steps_over() -> None:
    rings = big_road(outcomes(("B" * 12 + "P" * 12) * 3 + "B"))
    assert len({(ring.row, ring.column) for ring in rings}) == len(rings)
    assert rings[-1].row == 0


SHOE = st.lists(st.sampled_from(list(LETTER.values())), max_size=120)


@given(SHOE)
def test_a_big_road_keeps_every_result(shoe: list[Outcome]) -> None:
    rings = big_road(shoe)
    wins = [outcome for outcome in shoe if outcome != "tie"]
    assert [ring.winner for ring in rings] == (wins or shoe[:1])
    assert sum(ring.ties for ring in rings) == shoe.count("tie")
    assert len({(ring.row, ring.column) for ring in rings}) == len(rings)
    assert all(0 <= ring.row < ROWS for ring in rings)


@given(SHOE, st.sampled_from(list(LETTER.values())))
def test_a_further_result_moves_no_ring(shoe: list[Outcome], further: Outcome) -> None:
    before, after = big_road(shoe), big_road([*shoe, further])
    places = [(ring.row, ring.column) for ring in before]
    assert [(ring.row, ring.column) for ring in after][: len(places)] == places


@given(SHOE, st.integers(1, 30))
def test_a_window_shows_the_latest_columns(shoe: list[Outcome], columns: int) -> None:
    rings = big_road(shoe)
    shown = latest_columns(rings, columns)
    assert all(0 <= ring.column < columns for ring in shown)
    width = max((ring.column for ring in rings), default=-1) + 1
    assert max((ring.column for ring in shown), default=-1) + 1 == min(width, columns)


@given(st.integers(0, 300), st.integers(1, 20))
def test_a_bead_never_changes_its_row(coups: int, columns: int) -> None:
    beads = bead_plate(coups, columns)
    assert [bead.index for bead in beads] == list(range(coups - len(beads), coups))
    assert all(bead.row == bead.index % ROWS and 0 <= bead.column < columns for bead in beads)
    assert len(beads) > (columns - 1) * ROWS or len(beads) == coups


@pytest.mark.parametrize(("coups", "first", "column"), [(90, 0, 14), (91, 6, 14), (96, 6, 14), (97, 12, 14)])
def test_a_full_plate_drops_a_whole_column(coups: int, first: int, column: int) -> None:
    beads = bead_plate(coups, 15)
    assert (beads[0].index, beads[-1].column) == (first, column)


def test_counts() -> None:
    found = count(marks("BbnPpTbpBP"))
    assert (found.coups, found.banker, found.player, found.tie) == (5, 2, 2, 1)
    assert (found.banker_pair, found.player_pair, found.natural) == (2, 2, 1)


def test_every_vector(shared_data: Path) -> None:
    text = (shared_data / "roads_vectors.json").read_text(encoding="utf-8")
    vectors: list[dict[str, Any]] = json.loads(text)["vectors"]
    assert len(vectors) > 50
    for vector in vectors:
        shoe = marks(vector["outcomes"])
        expected = vector["expected"]
        big = expected["big"]
        big = big["after_turn_right"] if isinstance(big, dict) else big
        rings = big_road(mark.outcome for mark in shoe)
        assert [[ring.row, ring.column, ring.winner[0].upper(), ring.ties] for ring in rings] == big
        assert [_bead(shoe, bead.index, bead.row, bead.column) for bead in bead_plate(len(shoe), 99)] == [
            [*bead[:3], "".join(sorted(bead[3]))] for bead in expected["bead"]
        ]
        found = count(shoe)
        assert expected["counts"] == {
            "coups": found.coups,
            "B": found.banker,
            "P": found.player,
            "T": found.tie,
            "bpair": found.banker_pair,
            "ppair": found.player_pair,
            "natural": found.natural,
        }, vector["id"]


def _bead(shoe: list[Mark], index: int, row: int, column: int) -> list[Any]:
    mark = shoe[index]
    said = (
        ("b" if mark.banker_pair else "") + ("n" if mark.natural else "") + ("p" if mark.player_pair else "")
    )
    return [row, column, mark.outcome[0].upper(), said]
