"""Runs of cards as in a new deck: when they are suspicious, whichever way, over coups, and once."""

import pytest

from shoe_daemon.game.cards import DECK, RANKS, Card
from shoe_daemon.game.order import SUSPICIOUS, run, step

SPADES = tuple(Card(f"{rank}S") for rank in RANKS)


@pytest.mark.parametrize("cards", [SPADES, SPADES[::-1], tuple(DECK[10:30])])
def test_twelve_in_a_row_are_found_wherever_the_coups_end(cards: tuple[Card, ...]) -> None:
    for cut in range(len(cards) + 1):
        known, before = run(None, cards[:cut])
        _, after = run(known, cards[cut:])
        assert before + after == 1
        assert before == (cut >= SUSPICIOUS)


def test_a_run_that_ends_within_the_coup_is_found_all_the_same() -> None:
    known, _ = run(None, SPADES[:9])
    assert run(known, (*SPADES[9:12], Card("AH"), Card("2D"))) == ((Card("2D"), 1, 0), True)


def test_eleven_are_none_and_a_turn_begins_anew() -> None:
    assert not run(None, (*SPADES[:11], Card("3D")))[1]
    there_and_back = (*SPADES[:11], *SPADES[9::-1])
    known, found = run(None, there_and_back)
    assert (known, found) == ((SPADES[0], 11, -1), False)


def test_a_step_is_the_next_rank_of_the_suit_or_any_ace_after_a_king() -> None:
    assert (step(Card("9H"), Card("10H")), step(Card("10H"), Card("9H"))) == (1, -1)
    assert (step(Card("KH"), Card("AD")), step(Card("AD"), Card("KH"))) == (1, -1)
    assert (step(Card("9H"), Card("10D")), step(Card("9H"), Card("JH")), step(Card("AH"), Card("AH"))) == (
        0,
        0,
        0,
    )
