"""What the house keeps of every bet, counted exactly and compared with the figures in print."""

import re
from collections import Counter
from fractions import Fraction
from math import perm
from pathlib import Path
from typing import get_args

import pytest

from shoe_daemon.game.cards import Outcome
from shoe_daemon.game.counts import outcome_counts
from shoe_daemon.game.enumeration import answer_counts, house_edge
from shoe_daemon.game.profile import RuleProfile, parse_rules
from shoe_daemon.game.side_bets import PREDICATES, PredicateName
from shoe_daemon.game.side_bets_file import parse_bets

CONFIG = Path(__file__).parents[2] / "config"
BETS = parse_bets((CONFIG / "bets/standard.toml").read_bytes(), "standard.toml").stated.bets
NSW = (CONFIG / "rules/nsw.toml").read_text()
EVEN_MONEY = (CONFIG / "rules/nsw-even-money.toml").read_text()

OUTCOMES: dict[str, Outcome] = {outcome: outcome for outcome in get_args(Outcome)}

# In per cent, to the digits in print.
EIGHT_DECKS = {
    "player-pair": "10.361",
    "banker-pair": "10.361",
    "either-pair": "13.710",
    "perfect-pair": "13.029",
    "perfect-pair-26": "9.684",
    "perfect-pair-250": "6.624",
    "perfect-pair-200": "8.047",
    "tiger-pair": "16.122",
    "dragon-bonus-player": "2.652",
    "dragon-bonus-banker": "9.373",
    "super-6": "29.977",
    "super-6-15": "13.818",
    "lucky-6": "16.684",
    "lucky-6-23": "11.698",
    "small-tiger": "14.333",
    "big-tiger": "15.2533",
    "tiger-tie": "30.735",
    "dragon-7": "7.611",
    "panda-8": "10.188",
    "small": "5.283",
    "big": "4.346",
    "ez-banker": "1.0183",
    "no-commission-banker": "1.4581",
}
OTHER_DECKS = [
    ("player-pair", 6, "11.254"),
    ("banker-pair", 6, "11.254"),
    ("perfect-pair", 6, "17.07"),
    ("perfect-pair-26", 6, "13.88"),
    ("dragon-bonus-player", 6, "2.67"),
    ("dragon-bonus-player", 4, "2.70"),
    ("dragon-bonus-banker", 6, "9.39"),
    ("dragon-bonus-banker", 4, "9.42"),
]


def percent(edge: Fraction, like: str) -> str:
    """Write an edge in per cent, to as many digits as the text of another."""
    digits = len(like.partition(".")[2])
    whole, part = divmod(round(edge * 100 * 10**digits), 10**digits)
    return f"{whole}.{part:0{digits}d}"


def main_edge(bet: Outcome, rules: RuleProfile, decks: int) -> Fraction:
    """Edge of a main bet by what a rules file pays."""
    kept, counts = Fraction(), answer_counts("outcome", decks)
    for (first, *_, outcome), ways in counts.items():
        # banker-6-on-3; of a tie and of the Player's win the rules do not ask the Banker's points.
        points, cards = re.findall("[0-9]", first) if outcome == "banker" else (0, 0)
        paid = rules.pays(OUTCOMES[outcome], int(points), int(cards)).get(bet)
        kept += ways * (1 if paid is None else -Fraction(paid))
    return kept / counts.total()


def test_every_bet_has_a_figure_in_print() -> None:
    assert set(EIGHT_DECKS) == set(BETS)


@pytest.mark.parametrize(("name", "printed"), EIGHT_DECKS.items())
def test_edges_of_eight_decks(name: str, printed: str) -> None:
    assert percent(house_edge(BETS[name], 8), printed) == printed


@pytest.mark.parametrize(("name", "decks", "printed"), OTHER_DECKS)
def test_edges_of_other_shoes(name: str, decks: int, printed: str) -> None:
    assert percent(house_edge(BETS[name], decks), printed) == printed


def test_figures_in_print_that_are_wrong() -> None:
    # 5.27 is printed for Small without a number of decks: it is that of six.
    assert percent(house_edge(BETS["small"], 6), "5.27") == "5.27"
    assert percent(house_edge(BETS["small"], 8), "5.27") == "5.28"
    # 9.7 is printed for the Dragon Bonus on the Banker; no usual shoe comes near it.
    assert {percent(house_edge(BETS["dragon-bonus-banker"], decks), "9.7") for decks in (4, 6, 8)} == {"9.4"}


@pytest.mark.parametrize(
    ("decks", "banker", "player", "tie"),
    [
        (8, "1.0579", "1.2351", "14.3596"),
        (6, "1.0558", "1.2374", "14.4382"),
        (1, "1.0117", "1.2864", "15.7461"),
    ],
)
def test_edges_of_the_main_bets(decks: int, banker: str, player: str, tie: str) -> None:
    rules = parse_rules(NSW.encode(), "nsw.toml")
    edges = [percent(main_edge(bet, rules, decks), "0.0000") for bet in ("banker", "player", "tie")]
    assert edges == [banker, player, tie]


def test_a_tie_at_nine_to_one() -> None:
    rules = parse_rules(NSW.replace('odds = "8"', 'odds = "9"').encode(), "mine.toml")
    assert percent(main_edge("tie", rules, 8), "0.0000") == "4.8440"


def test_a_banker_without_commission_costs_what_its_bet_does() -> None:
    ez = parse_rules(re.sub("on_points = .*", 'push_on_three_card = ["7"]', EVEN_MONEY).encode(), "ez.toml")
    even_money = parse_rules(EVEN_MONEY.encode(), "even.toml")
    assert main_edge("banker", ez, 8) == house_edge(BETS["ez-banker"], 8)
    assert main_edge("banker", even_money, 8) == house_edge(BETS["no-commission-banker"], 8)


@pytest.mark.parametrize("name", get_args(PredicateName))
def test_a_predicate_says_all_that_it_lists_and_nothing_else(name: PredicateName) -> None:
    counts = answer_counts(name, 8)
    assert set(counts) == PREDICATES[name].answers
    assert min(counts.values()) > 0
    assert counts.total() == perm(416, 6)


@pytest.mark.parametrize("decks", [1, 6, 8])
def test_outcomes_are_those_of_the_other_count(decks: int) -> None:
    counts = answer_counts("outcome", decks)
    assert outcome_counts(decks) == {
        outcome: sum(ways for answer, ways in counts.items() if outcome in answer)
        for outcome in get_args(Outcome)
    }


def words(name: PredicateName, decks: int = 8) -> Counter[str]:
    """Count by single words."""
    counted = Counter[str]()
    for answer, ways in answer_counts(name, decks).items():
        counted.update(dict.fromkeys(answer, ways))
    return counted


PRINTED_COUNTS: list[tuple[PredicateName, dict[str, int]]] = [
    (
        "outcome",
        {
            "banker-6-on-2": 186_173_936_904_192,
            "banker-6-on-3": 83_058_367_551_488,
            "banker-7-on-3": 112_633_011_329_024,
            "player-8-on-3": 172_660_763_262_976,
            "tie-6": 96_170_001_308_416,
        },
    ),
    (
        "player-margin",
        {
            "natural": 812_685_054_124_032,
            "natural-tie": 89_325_908_267_520,
            "by-9": 18_409_431_764_992,
            "by-8": 34_097_645_543_424,
            "by-7": 89_590_261_473_280,
            "by-6": 141_238_897_317_888,
            "by-5": 166_169_165_987_840,
            "by-4": 186_780_352_174_080,
        },
    ),
    (
        "banker-margin",
        {
            "natural": 812_685_054_124_032,
            "natural-tie": 89_325_908_267_520,
            "by-9": 15_390_342_909_952,
            "by-8": 28_305_092_784_128,
            "by-7": 79_517_099_278_336,
            "by-6": 119_200_072_366_080,
            "by-5": 157_275_882_332_160,
            "by-4": 201_147_167_287_296,
        },
    ),
    (
        "cards",
        {"four": 1_893_735_611_458_560, "five": 1_516_734_808_780_800, "six": 1_587_927_855_264_000},
    ),
]


@pytest.mark.parametrize(("name", "printed"), PRINTED_COUNTS)
def test_counts_of_eight_decks_equal_those_in_print(name: PredicateName, printed: dict[str, int]) -> None:
    counted = words(name)
    assert {word: counted[word] for word in printed} == printed


def test_perfect_pairs_equal_those_in_print() -> None:
    # Print counts the hands without their order, and without the two cards that may lie behind them.
    eight, six = 4 * perm(412, 2), 4 * perm(308, 2)
    assert answer_counts("perfect-pairs", 8) == {
        ("one", "any"): 244_747_776 * eight,
        ("both", "any"): 2_101_008 * eight,
        (): 7_132_734_336 * eight,
    }
    assert words("perfect-pairs", 6)["any"] == 74_114_820 * six
    assert answer_counts("perfect-pairs", 6).total() == 2_323_673_820 * six
