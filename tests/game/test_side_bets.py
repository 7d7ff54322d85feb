"""The shipped side bets, what must not change them, and what a file of them is refused for."""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import cycle, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoe_daemon.game.cards import DECK, RANKS, SUITS, Card, rank, value
from shoe_daemon.game.counts import value_coups
from shoe_daemon.game.drawing import next_third
from shoe_daemon.game.outcome import decide_outcome
from shoe_daemon.game.profile import RuleProfile, parse_rules
from shoe_daemon.game.side_bets import PREDICATES, BetResult, settle_bet
from shoe_daemon.game.side_bets_file import offer_problems, parse_bets
from shoe_daemon.runtime.resources import bets_file
from shoe_daemon.schema import ConfigError

CONFIG = Path(__file__).parents[2] / "config"
STANDARD = (CONFIG / "bets/standard.toml").read_text()
SHIPPED = parse_bets(STANDARD.encode(), "standard.toml")
BETS = SHIPPED.stated.bets
NSW = (CONFIG / "rules/nsw.toml").read_text()
EVEN_MONEY = (CONFIG / "rules/nsw-even-money.toml").read_text()
EZ = parse_rules(re.sub("on_points = .*", 'push_on_three_card = ["7"]', EVEN_MONEY).encode(), "ez.toml")
HALF_ON_SIX = parse_rules(EVEN_MONEY.encode(), "even.toml")

Hand = tuple[Card, ...]
LOSE = BetResult("lose", None)
PUSH = BetResult("push", None)


def win(odds: str) -> BetResult:
    return BetResult("win", odds)


PIPS = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9}


def last_digit(cards: Sequence[Card]) -> int:
    return sum(PIPS.get(card[:-1], 0) for card in cards) % 10


def dragon(won: Hand, lost: Hand) -> BetResult:
    mine, theirs = last_digit(won), last_digit(lost)
    if len(won) == 2 and mine in {8, 9}:
        return win("1") if mine > theirs else PUSH if mine == theirs else LOSE
    odds = {9: "30", 8: "10", 7: "6", 6: "4", 5: "2", 4: "1"}.get(mine - theirs)
    return win(odds) if odds else LOSE


def on(*, condition: bool, odds: str) -> BetResult:
    return win(odds) if condition else LOSE


def banker_six(player: Hand, banker: Hand, two: str | None, three: str | None) -> BetResult:
    odds = two if len(banker) == 2 else three
    return win(odds) if odds and last_digit(banker) == 6 > last_digit(player) else LOSE


def banker_main(player: Hand, banker: Hand, special: dict[tuple[int, int], BetResult]) -> BetResult:
    mine, theirs = last_digit(banker), last_digit(player)
    if mine == theirs:
        return PUSH
    return special.get((mine, len(banker)), win("1")) if mine > theirs else LOSE


def same_rank(hand: Hand) -> bool:
    return hand[0][:-1] == hand[1][:-1]


def same_card(hand: Hand) -> bool:
    return hand[0][:-1] == hand[1][:-1] and hand[0][-1] == hand[1][-1]


def by_count(count: int, *odds: str) -> BetResult:
    return win(odds[count - 1]) if count else LOSE


def tiger_pair(player: Hand, banker: Hand) -> BetResult:
    both = same_rank(player) and same_rank(banker)
    if both:
        return win("100" if player[0][:-1] == banker[0][:-1] else "20")
    return on(condition=same_rank(player) or same_rank(banker), odds="4")


def seven_on_three(hand: Hand, other: Hand, points: int, odds: str) -> BetResult:
    return on(condition=len(hand) == 3 and last_digit(hand) == points > last_digit(other), odds=odds)


SECOND: dict[str, Callable[[Hand, Hand], BetResult]] = {
    "player-pair": lambda p, _: on(condition=same_rank(p), odds="11"),
    "banker-pair": lambda _, b: on(condition=same_rank(b), odds="11"),
    "either-pair": lambda p, b: on(condition=same_rank(p) or same_rank(b), odds="5"),
    "perfect-pair": lambda p, b: by_count(same_card(p) + same_card(b), "25", "25"),
    "perfect-pair-26": lambda p, b: by_count(same_card(p) + same_card(b), "26", "26"),
    "perfect-pair-250": lambda p, b: by_count(same_card(p) + same_card(b), "25", "250"),
    "perfect-pair-200": lambda p, b: by_count(same_card(p) + same_card(b), "25", "200"),
    "tiger-pair": tiger_pair,
    "dragon-bonus-player": dragon,
    "dragon-bonus-banker": lambda p, b: dragon(b, p),
    "super-6": lambda p, b: banker_six(p, b, "12", "12"),
    "super-6-15": lambda p, b: banker_six(p, b, "15", "15"),
    "lucky-6": lambda p, b: banker_six(p, b, "12", "20"),
    "lucky-6-23": lambda p, b: banker_six(p, b, "12", "23"),
    "small-tiger": lambda p, b: banker_six(p, b, "22", None),
    "big-tiger": lambda p, b: banker_six(p, b, None, "50"),
    "tiger-tie": lambda p, b: on(condition=last_digit(p) == last_digit(b) == 6, odds="35"),
    "dragon-7": lambda p, b: seven_on_three(b, p, 7, "40"),
    "panda-8": lambda p, b: seven_on_three(p, b, 8, "25"),
    "small": lambda p, b: on(condition=len(p + b) == 4, odds="3/2"),
    "big": lambda p, b: on(condition=len(p + b) > 4, odds="27/50"),
    "ez-banker": lambda p, b: banker_main(p, b, {(7, 3): PUSH}),
    "no-commission-banker": lambda p, b: banker_main(p, b, {(6, 2): win("1/2"), (6, 3): win("1/2")}),
}
LOOKS_AT_PAIRS = [name for name, bet in BETS.items() if PREDICATES[bet.predicate].sees == "first faces"]
LOOKS_AT_SUITS = [name for name in BETS if name.startswith("perfect-pair")]


@cache
def endings() -> tuple[tuple[Hand, Hand], ...]:
    """One coup for each way to end: the first and last points of both hands, on two cards or three."""
    of_value = {pips: cycle([card for card in DECK if value(card) == pips]) for pips in range(10)}
    found: dict[tuple[object, ...], tuple[Hand, Hand]] = {}
    for coup in value_coups():
        ends = tuple((len(hand), sum(hand[:2]) % 10, sum(hand) % 10) for hand in coup)
        if ends not in found:
            player, banker = (tuple(next(of_value[pips]) for pips in hand) for hand in coup)
            found[ends] = (player, banker)
    return tuple(found.values())


def played(cards: list[Card]) -> tuple[Hand, Hand]:
    """Deal a coup from six cards by the drawing tables."""
    player, banker = (cards[0], cards[2]), (cards[1], cards[3])
    third = cards[4]
    first = last_digit(player), last_digit(banker)
    match next_third(*first, None):
        case "P3":
            draws = next_third(*first, last_digit([third])) == "B3"
            return (*player, third), (*banker, cards[5]) if draws else banker
        case "B3":
            return player, (*banker, third)
        case _:
            return player, banker


cards_ = st.sampled_from(DECK)
coups = st.lists(cards_, min_size=6, max_size=6).map(played)
bet_names = st.sampled_from(sorted(BETS))


def test_these_bets_are_shipped() -> None:
    assert set(BETS) == set(SECOND)
    assert SHIPPED.stated.name == "standard"
    assert bets_file("standard") == (STANDARD.encode(), "bets/standard.toml")


@pytest.mark.parametrize("name", [name for name in SECOND if name not in LOOKS_AT_PAIRS])
def test_every_way_a_coup_can_end_settles_as_in_the_second_evaluation(name: str) -> None:
    ends = {settle_bet(BETS[name], *coup) for coup in endings()}
    for player, banker in endings():
        assert settle_bet(BETS[name], player, banker) == SECOND[name](player, banker), (player, banker)
    assert {end.result for end in ends} >= {"win", "lose"}
    assert {end.odds for end in ends} - {None} == set(BETS[name].pays.values())


@pytest.mark.parametrize("name", LOOKS_AT_PAIRS)
def test_every_pattern_of_first_cards_settles_as_in_the_second_evaluation(name: str) -> None:
    four_of_each = [Card(one + suit) for one in ("A", "10", "J", "Q") for suit in "SH"]
    odds = set()
    for p1, b1, p2, b2 in product(four_of_each, repeat=4):
        ended = settle_bet(BETS[name], (p1, p2), (b1, b2))
        assert ended == SECOND[name]((p1, p2), (b1, b2)), (p1, b1, p2, b2)
        odds.add(ended.odds)
    assert odds - {None} == set(BETS[name].pays.values())


@given(coups, bet_names)
def test_a_dealt_coup_settles_as_in_the_second_evaluation(coup: tuple[Hand, Hand], name: str) -> None:
    ended = settle_bet(BETS[name], *coup)
    assert ended == SECOND[name](*coup)
    assert (ended.odds is not None) == (ended.result == "win")


@given(coups, st.lists(cards_, max_size=2), st.sampled_from(LOOKS_AT_PAIRS))
def test_third_cards_never_change_a_pair_bet(coup: tuple[Hand, Hand], thirds: list[Card], name: str) -> None:
    player, banker = (hand[:2] for hand in coup)
    other = settle_bet(BETS[name], (*player, *thirds[:1]), (*banker, *thirds[1:]))
    assert settle_bet(BETS[name], *coup) == other


@given(coups, st.lists(st.sampled_from(SUITS), min_size=6, max_size=6), bet_names)
def test_suits_change_no_bet_but_the_perfect_pairs(
    coup: tuple[Hand, Hand], suits: list[str], name: str
) -> None:
    if name in LOOKS_AT_SUITS:
        return
    left = iter(suits)
    player, banker = (tuple(Card(rank(card) + next(left)) for card in hand) for hand in coup)
    assert settle_bet(BETS[name], player, banker) == settle_bet(BETS[name], *coup)


@given(coups, st.permutations(RANKS), st.permutations(SUITS), st.sampled_from(LOOKS_AT_PAIRS))
def test_no_pair_bet_tells_one_rank_or_suit_from_another(
    coup: tuple[Hand, Hand], ranks: list[str], suits: list[str], name: str
) -> None:
    renamed = dict(zip(DECK, (Card(one + suit) for suit in suits for one in ranks), strict=True))
    player, banker = (tuple(renamed[card] for card in hand) for hand in coup)
    assert settle_bet(BETS[name], player, banker) == settle_bet(BETS[name], *coup)


@given(coups, bet_names)
def test_a_hands_first_two_cards_have_no_order(coup: tuple[Hand, Hand], name: str) -> None:
    player, banker = ((hand[1], hand[0], *hand[2:]) for hand in coup)
    assert settle_bet(BETS[name], player, banker) == settle_bet(BETS[name], *coup)


def test_tens_and_pictures_are_no_pair_of_each_other() -> None:
    player, banker = (Card("JS"), Card("JH")), (Card("KS"), Card("10S"))
    assert settle_bet(BETS["player-pair"], player, banker) == win("11")
    assert settle_bet(BETS["banker-pair"], player, banker) == LOSE
    assert settle_bet(BETS["perfect-pair"], player, banker) == LOSE


@pytest.mark.parametrize(("rules", "name"), [(EZ, "ez-banker"), (HALF_ON_SIX, "no-commission-banker")])
def test_a_rules_file_can_pay_the_banker_as_these_bets_do(rules: RuleProfile, name: str) -> None:
    for player, banker in endings():
        outcome = decide_outcome(player, banker).outcome
        paid = rules.pays(outcome, last_digit(banker), len(banker)).get("banker")
        expected = LOSE if paid is None else PUSH if paid == "0" else win(paid)
        assert settle_bet(BETS[name], player, banker) == expected, (player, banker)


def test_a_push_on_three_cards_is_never_guessed() -> None:
    assert EZ.pays("banker", 7, 2) == {"banker": "1"}
    assert EZ.pays("banker", 7, 3) == {"banker": "0"}
    assert EZ.pays("banker", 8) == {"banker": "1"}
    with pytest.raises(ValueError, match="7 pays by its number of cards"):
        EZ.pays("banker", 7)


@pytest.mark.parametrize(
    ("points", "key", "words"),
    [('["7", "7"]', "pay.banker", "twice"), ('["0"]', "pay.banker.push_on_three_card[0]", "1 to 9")],
)
def test_a_push_of_no_sense_is_refused(points: str, key: str, words: str) -> None:
    text = NSW.replace("[pay.banker]", f"[pay.banker]\npush_on_three_card = {points}")
    with pytest.raises(ConfigError, match=words) as caught:
        parse_rules(text.encode(), "mine.toml")
    assert [one.key for one in caught.value.problems] == [key]


def test_a_profile_names_the_side_bets_that_it_offers() -> None:
    names = ("player-pair", "dragon-7")
    text = f'side_bets = ["player-pair", "dragon-7"]\n{NSW}'
    rules = parse_rules(text.encode(), "mine.toml")
    assert rules.side_bets == names
    assert parse_rules(NSW.encode(), "nsw.toml").side_bets == ()
    assert offer_problems(text.encode(), "mine.toml", rules.side_bets, SHIPPED) == []
    assert SHIPPED.offered(names) == {name: BETS[name] for name in names}


def test_an_offer_of_what_there_is_not_is_told_with_its_line() -> None:
    text = 'side_bets = [\n "small",\n "smal",\n "ez-banker",\n "small",\n "zzzzzz",\n]\n' + NSW
    names = parse_rules(text.encode(), "mine.toml").side_bets
    told = [str(one) for one in offer_problems(text.encode(), "mine.toml", names, SHIPPED)]
    assert told[0] == 'mine.toml:3: side_bets[1]: no side bet smal in standard; did you mean "small"?'
    assert told[1].startswith("mine.toml:4: side_bets[2]: ez-banker stands in place of the banker bet")
    assert told[2] == "mine.toml:5: side_bets[3]: small is offered twice"
    assert told[3].startswith(
        "mine.toml:6: side_bets[4]: no side bet zzzzzz in standard; there are banker-pair, "
    )
    assert len(told) == 4


REFUSED = [
    ('pays = { pair = "11" }', 'pays = { par = "11" }', "bets.player-pair.pays.par", 'did you mean "pair"?'),
    (
        'pays = { pair = "11" }',
        'pays = { banker-6 = "9" }',
        "bets.player-pair.pays.banker-6",
        "never says banker-6",
    ),
    ('pays = { pair = "11" }', "pays = {}", "bets.player-pair.pays", "at least one line that wins"),
    ('pays = { pair = "11" }', "", "bets.player-pair.pays", "missing key"),
    ('"11"', '"22/2"', "bets.player-pair.pays.pair", "lowest terms, 11"),
    ('"11"', '"0"', "bets.player-pair.pays.pair", "a fraction"),
    ('"11"', "11", "bets.player-pair.pays.pair", "a fraction"),
    ('"27/50"', '"54/100"', "bets.big.pays.five-or-six", "lowest terms, 27/50"),
    ('"27/50"', '"0.54"', "bets.big.pays.five-or-six", "a fraction"),
    ('predicate = "cards"', 'predicate = "card"', "bets.small.predicate", 'did you mean "cards"?'),
    ('pays = { four = "3/2" }', 'pays = { four = "3/2", five-or-six = "1" }', "bets.small", "never loses"),
    (
        'pays = { five-or-six = "27/50" }',
        'pays = { five = "1", six = "1", five-or-six = "1" }',
        "bets.big.pays.five-or-six",
        "five-or-six never decides",
    ),
    (
        'push = ["natural-tie"]',
        'push = ["natural"]',
        "bets.dragon-bonus-player.push[0]",
        "both wins and pushes",
    ),
    (
        'push = ["natural-tie"]',
        'push = ["natural-ties"]',
        "bets.dragon-bonus-player.push[0]",
        "never says natural-ties",
    ),
    ('push = ["natural-tie"]', 'push = ["tie", "tie"]', "bets.dragon-bonus-player.push[1]", "listed twice"),
    (
        "push = [",
        "pushes = [",
        "bets.dragon-bonus-player.pushes",
        "did you mean bets.dragon-bonus-player.push?",
    ),
    ('source = "', '# "', "bets.player-pair", "needs the source of the pay table, or recalled"),
    ("[bets.small]", "[bets.tie]", "bets.tie", "the name of a main bet"),
    ("[bets.small]", "[bets.Small]", "bets.Small", "small letters"),
]


@pytest.mark.parametrize(("old", "new", "key", "words"), REFUSED)
def test_a_contradictory_file_is_refused_with_its_line(old: str, new: str, key: str, words: str) -> None:
    text = STANDARD.replace(old, new, 1)
    assert text != STANDARD
    with pytest.raises(ConfigError) as caught:
        parse_bets(text.encode(), "mine.toml")
    found = [one for one in caught.value.problems if one.key == key and words in one.message]
    assert found, str(caught.value)
    line = found[0].line
    assert line is not None
    table, *rest = key.removeprefix("bets.").split(".")
    if "missing key" not in words:
        wanted = rest[0].split("[")[0] if rest else f"[bets.{table}]"
        assert wanted in text.splitlines()[line - 1]
    else:
        assert text.splitlines()[line - 1] == f"[bets.{table}]"


def test_a_bet_is_stated_once() -> None:
    with pytest.raises(ConfigError, match="small"):
        parse_bets(STANDARD.replace("[bets.big]", "[bets.small]").encode(), "mine.toml")


def test_all_contradictions_are_told_at_once_in_the_order_of_the_file() -> None:
    text = STANDARD.replace('{ pair = "11" }', '{ pear = "22/2" }', 1).replace("[bets.small]", "[bets.tie]")
    text = text.replace('push = ["natural-tie"]', 'push = ["by-9"]', 1)
    with pytest.raises(ConfigError) as caught:
        parse_bets(text.encode(), "mine.toml")
    assert [(one.key, one.message.split(";")[0]) for one in caught.value.problems] == [
        ("bets.player-pair.pays.pear", "player-pair never says pear"),
        ("bets.player-pair.pays.pear", "odds 22/2 are to be written in lowest terms, 11"),
        ("bets.dragon-bonus-player.push[0]", "by-9 both wins and pushes"),
        ("bets.tie", "tie is the name of a main bet"),
    ]


@given(st.fractions(min_value=Fraction(1, 1000), max_value=1000, max_denominator=1000))
def test_odds_are_handed_on_exactly_as_written(odds: Fraction) -> None:
    bets = parse_bets(STANDARD.replace('"11"', f'"{odds}"').encode(), "mine.toml").stated.bets
    pair = (Card("2S"), Card("2H"))
    assert settle_bet(bets["player-pair"], pair, (Card("3S"), Card("5H"))) == win(str(odds))
