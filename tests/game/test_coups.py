"""Whole coups from a row of cards: vectors worked out by hand, and cases that broke other programs."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoe_daemon.game.cards import DECK, Card, parse, points, value
from shoe_daemon.game.drawing import next_third
from shoe_daemon.game.outcome import Decision, decide_outcome

CASES = Path(__file__).parents[3] / "shared/data/cases/inputs/EXPECTED.json"


def deal(row: list[Card]) -> tuple[list[Card], list[Card], list[Card]]:
    """Deal a coup from a row of cards: the Player's hand, the Banker's, and what is left of the row."""
    player, banker, left = [row[0], row[2]], [row[1], row[3]], row[4:]
    player_two, banker_two = (points(tuple(map(value, hand))) for hand in (player, banker))
    due = next_third(player_two, banker_two, None)
    if due == "P3":
        player.append(left.pop(0))
        due = next_third(player_two, banker_two, value(player[2]))
    if due == "B3":
        banker.append(left.pop(0))
    return player, banker, left


VECTORS = [
    ("9 2 K 5", "player", 9, 7, True, ""),
    ("9 4 K 5", "tie", 9, 9, True, ""),
    ("6 3 K K 4", "banker", 6, 7, False, ""),
    ("7 6 K K 4", "player", 7, 6, False, "4"),
    ("8 3 K K 4", "player", 8, 3, True, "4"),
    ("5 9 K K 4", "banker", 5, 9, True, "4"),
    ("5 3 K K 8", "tie", 3, 3, False, ""),
    ("5 3 K K 8 2", "tie", 3, 3, False, "2"),
    ("5 6 K K 6 3", "banker", 1, 9, False, ""),
    ("5 6 K K 5", "banker", 0, 6, False, ""),
    ("2 4 K K A", "banker", 3, 4, False, ""),
    ("2 4 K K 2 9", "player", 4, 3, False, ""),
    ("K 5 K K 3", "banker", 3, 5, False, ""),
    ("K 5 K K 4 2", "banker", 4, 7, False, ""),
    ("K 3 K K 9 K", "player", 9, 3, False, ""),
    ("K 7 K K 7", "tie", 7, 7, False, ""),
    ("K K K K 8 9", "banker", 8, 9, False, ""),
    ("7 6 K K 4 9", "player", 7, 6, False, "4 9"),
]


@pytest.mark.parametrize(("row", "outcome", "player_points", "banker_points", "natural", "excess"), VECTORS)
def test_golden_vectors(  # noqa: PLR0913 - a vector has that many members
    row: str, outcome: str, player_points: int, banker_points: int, *, natural: bool, excess: str
) -> None:
    cards = [parse(f"{rank}{suit}") for rank, suit in zip(row.split(), "SHCDSH", strict=False)]
    player, banker, left = deal(cards)
    decision = decide_outcome(player, banker)
    assert (decision.outcome, decision.player_points, decision.banker_points, decision.natural) == (
        outcome,
        player_points,
        banker_points,
        natural,
    )
    assert [card[:-1] for card in left] == excess.split()


def test_the_banker_of_an_empty_shoe_still_needs_a_card() -> None:
    """NSW-13.8 applies to K K K K 5: the Banker's third is due and not there."""
    assert next_third(0, 0, 5) == "B3"


def cases() -> list[tuple[str, dict[str, Any]]]:
    if not CASES.exists():
        return []
    coups = json.loads(CASES.read_text())["coups"]
    return [
        (f"{name}-{n}", coup)
        for name, listed in coups.items()
        for n, coup in enumerate(listed)
        if "P" in coup
    ]


@pytest.mark.skipif(not CASES.exists(), reason="the shared cases lie outside the repository")
def test_cases_that_broke_other_programs() -> None:
    letters = {"player": "P", "banker": "B", "tie": "T"}
    for name, coup in cases():
        row = [parse(text) for text in coup["cards"].split()]
        player, banker, left = deal(row)
        decision = decide_outcome(player, banker)
        assert (player, banker, left) == (coup["P"], coup["B"], coup["left"]), name
        assert (decision.player_points, decision.banker_points) == (coup["player"], coup["banker"]), name
        assert (letters[decision.outcome], decision.natural) == (coup["result"], coup["natural"]), name
        assert len(row) - len(left) == coup["used"], name
    assert len(cases()) >= 20


@given(st.lists(st.sampled_from(DECK), min_size=6, max_size=6))
def test_pairs_are_two_first_cards_of_one_rank(row: list[Card]) -> None:
    player, banker, _left = deal(row)
    decision = decide_outcome(player, banker)
    assert decision.player_pair == (row[0][:-1] == row[2][:-1])
    assert decision.banker_pair == (row[1][:-1] == row[3][:-1])


def test_pairs_go_by_rank_and_survive_a_third_card() -> None:
    hearts = [Card("2H"), Card("2S"), Card("KD")]
    mixed = [Card("10H"), Card("KS")]
    assert decide_outcome(hearts, mixed) == Decision(
        "player", 4, 0, natural=False, player_pair=True, banker_pair=False
    )
    assert decide_outcome(mixed, hearts) == Decision(
        "banker", 0, 4, natural=False, player_pair=False, banker_pair=True
    )


def test_three_cards_of_eight_or_nine_are_no_natural() -> None:
    three = [Card("2H"), Card("3S"), Card("4D")]
    two = [Card("KH"), Card("7S")]
    assert not decide_outcome(three, two).natural
    assert not decide_outcome(two, three).natural
