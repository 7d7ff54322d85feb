"""Cards, their text, values and the composition of a shoe."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoe_daemon.game.cards import DECK, Card, parse, points, rank, value
from shoe_daemon.game.composition import exceeded, remaining, size, value_counts

VALUES = {
    "A": 1,
    "2": 2,
    "3": 3,
    "4": 4,
    "5": 5,
    "6": 6,
    "7": 7,
    "8": 8,
    "9": 9,
    "10": 0,
    "J": 0,
    "Q": 0,
    "K": 0,
}


def test_a_deck_is_every_rank_in_every_suit_once() -> None:
    assert sorted(DECK) == sorted(f"{name}{suit}" for name in VALUES for suit in "SHCD")


@pytest.mark.parametrize("card", DECK)
def test_every_card_reads_back_and_counts_as_nsw_3_says(card: Card) -> None:
    assert parse(card) == card
    assert value(card) == VALUES[rank(card)]


@pytest.mark.parametrize("suit", list("SHCD"))
def test_t_is_read_as_ten(suit: str) -> None:
    assert parse(f"T{suit}") == f"10{suit}"


@given(
    st.text(max_size=4)
    | st.sampled_from(["1H", "10", "H10", "10h", "ah", " AS", "AS ", "", "0S", "11S", "1OS"])
)
def test_anything_else_is_no_card(text: str) -> None:
    if text in DECK or text in {"TS", "TH", "TC", "TD"}:
        return
    with pytest.raises(ValueError, match="is no card"):
        parse(text)


def test_points_are_the_right_hand_digit() -> None:
    assert points((9, 7)) == 6
    assert points((5, 5, 5)) == 5
    assert points((0, 4, 9)) == 3
    assert points((0, 9)) == 9
    assert points((5, 5)) == 0


@pytest.mark.parametrize("decks", [1, 4, 6, 8])
def test_a_full_shoe(decks: int) -> None:
    left = remaining(decks, [])
    assert set(left.values()) == {decks}
    assert sum(left.values()) == size(decks) == 52 * decks
    assert value_counts(decks) == (16 * decks, *[4 * decks] * 9)


@given(st.lists(st.sampled_from(DECK), max_size=60), st.integers(1, 3))
def test_what_is_left_and_what_came_too_often(seen: list[Card], decks: int) -> None:
    left = remaining(decks, seen)
    assert all(left[card] + seen.count(card) == decks for card in DECK)
    assert exceeded(decks, seen) == tuple(card for card in DECK if seen.count(card) > decks)
