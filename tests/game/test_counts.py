"""Every coup that differs in a card value, against a second evaluation and the published counts."""

from collections import Counter
from itertools import cycle, product
from math import perm, prod

import pytest

from shoe_daemon.game.cards import DECK, Card, value
from shoe_daemon.game.counts import ValueCoup, outcome_counts, value_coups
from shoe_daemon.game.outcome import decide_outcome

# The second evaluation shares no function with the first: a printed grid, text arithmetic, one deal order.
SECOND_GRID = {
    "-": "DDDDDDSS",
    "0": "DDDDSSSS",
    "1": "DDDDSSSS",
    "2": "DDDDDSSS",
    "3": "DDDDDSSS",
    "4": "DDDDDDSS",
    "5": "DDDDDDSS",
    "6": "DDDDDDDS",
    "7": "DDDDDDDS",
    "8": "DDDSSSSS",
    "9": "DDDDSSSS",
}


def last_digit(*pips: int) -> int:
    return int(str(sum(pips))[-1])


def second_evaluation() -> dict[tuple[tuple[int, ...], tuple[int, ...]], str]:
    """Every coup with its outcome, from the grid alone."""
    coups: dict[tuple[tuple[int, ...], tuple[int, ...]], str] = {}
    for first, second, third, fourth in product(range(10), repeat=4):
        player_two, banker_two = last_digit(first, third), last_digit(second, fourth)
        natural = max(player_two, banker_two) > 7
        player_hands: list[tuple[int, ...]] = [(first, third)]
        if not natural and player_two < 6:
            player_hands = [(first, third, extra) for extra in range(10)]
        for player in player_hands:
            column = str(player[2]) if len(player) == 3 else "-"
            banker_hands: list[tuple[int, ...]] = [(second, fourth)]
            if not natural and SECOND_GRID[column][banker_two] == "D":
                banker_hands = [(second, fourth, extra) for extra in range(10)]
            for banker in banker_hands:
                lead = last_digit(*player) - last_digit(*banker)
                coups[player, banker] = "tie" if lead == 0 else "player" if lead > 0 else "banker"
    return coups


def test_all_339_400_coups_agree_with_the_second_evaluation() -> None:
    second = second_evaluation()
    assert len(second) == 339_400
    of_value = {pips: cycle([card for card in DECK if value(card) == pips]) for pips in range(10)}

    def hand(values: tuple[int, ...]) -> list[Card]:
        return [next(of_value[pips]) for pips in values]

    played = 0
    for coup in value_coups():
        decision = decide_outcome(hand(coup.player), hand(coup.banker))
        assert decision.outcome == second[coup.player, coup.banker], coup
        assert decision.player_points == last_digit(*coup.player)
        assert decision.banker_points == last_digit(*coup.banker)
        assert decision.natural == (
            last_digit(*coup.player[:2]) in {8, 9} or last_digit(*coup.banker[:2]) in {8, 9}
        )
        played += 1
    assert played == len(second)


def test_how_many_coups_take_how_many_cards() -> None:
    taken = Counter((len(coup.player), len(coup.banker)) for coup in value_coups())
    assert taken == {(2, 2): 4_000, (3, 2): 17_400, (2, 3): 12_000, (3, 3): 306_000}


@pytest.mark.parametrize(
    ("decks", "banker", "player", "tie"),
    [
        (8, 2_292_252_566_437_888, 2_230_518_282_592_256, 475_627_426_473_216),
        (6, 403_095_751_234_560, 392_220_492_728_832, 83_552_962_932_288),
        (4, 34_543_624_867_840, 33_608_344_225_792, 7_145_601_996_928),
        (1, 6_737_232_640, 6_548_674_432, 1_372_227_328),
    ],
)
def test_exact_counts_equal_the_published_ones(decks: int, banker: int, player: int, tie: int) -> None:
    counts = outcome_counts(decks)
    assert counts == {"player": player, "banker": banker, "tie": tie}
    assert sum(counts.values()) == perm(52 * decks, 6)


def weight(coup: ValueCoup, decks: int) -> int:
    """Ordered draws of six cards that begin with a coup, by the cards of each value alone."""
    cards = (*coup.player, *coup.banker)
    shoe = [16 * decks] + [4 * decks] * 9
    ways = prod(perm(shoe[pips], cards.count(pips)) for pips in set(cards))
    return ways * perm(52 * decks - len(cards), 6 - len(cards))


def test_further_published_counts_of_eight_decks() -> None:
    cards, naturals, six = Counter[int](), 0, Counter[int]()
    for coup in value_coups():
        ways = weight(coup, 8)
        cards[len(coup.player) + len(coup.banker)] += ways
        if last_digit(*coup.player[:2]) > 7 or last_digit(*coup.banker[:2]) > 7:
            naturals += ways
        if last_digit(*coup.banker) == 6 > last_digit(*coup.player):
            six[len(coup.banker)] += ways
    assert cards == {4: 1_893_735_611_458_560, 5: 1_516_734_808_780_800, 6: 1_587_927_855_264_000}
    assert naturals == 1_714_696_016_515_584
    assert six == {2: 186_173_936_904_192, 3: 83_058_367_551_488}
