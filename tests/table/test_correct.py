"""`correct` never leaves a card where the drawing rules would not have put it."""

from itertools import product

import pytest

from shoe_daemon.game.cards import Card, value
from shoe_daemon.game.drawing import next_third
from tests.table.dealt import Deal
from tests.table.staked import refused

FACES = ("KC", "AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C")


def drawn(banker: str, third: str) -> Deal:
    """The Player has 0 and draws; the Banker's 0 to 2 settles B3 while P3 still lies down."""
    deal = Deal(procedure="dealer-reveal").say("no_more_bets").cards("10S", "JS", "10D", banker)
    return deal.say("reveal", "dealer:2").cards(third, "7D")


def test_a_place_that_the_new_face_leaves_open_would_change() -> None:
    """Banker 2 draws whatever P3 is; Banker 4 does not, and P3 is an ace."""
    deal = drawn("2D", "AS").say("correct", slot="B2", card="4C")
    assert refused(deal) == ["places_would_change"]
    deal.say("reveal", "dealer:2").say("confirm", "dealer:2")
    assert [one["outcome"] for one in deal.data("coup.result")] == ["banker"]


@pytest.mark.parametrize(
    ("banker", "to", "third"), list(product(("KD", "AD", "2D"), FACES, ("AS", "6S", "8S")))
)
def test_after_any_correction_the_third_cards_are_those_of_the_tables(
    banker: str, to: str, third: str
) -> None:
    deal = drawn(banker, third).say("correct", slot="B2", card=to)
    deal.say("reveal", "dealer:2").say("confirm", "dealer:2")
    for result in deal.data("coup.result"):
        player, hand = result["player"]["cards"], result["banker"]["cards"]
        of_player, of_banker = (sum(value(Card(card)) for card in cards[:2]) % 10 for cards in (player, hand))
        assert len(player) == 3
        assert next_third(of_player, of_banker, None) == "P3"
        assert (len(hand) == 3) == (next_third(of_player, of_banker, value(Card(player[2]))) == "B3")
