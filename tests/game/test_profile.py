"""The shipped rules, and what a rules file is refused for."""

import hashlib
import inspect
import re
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoe_daemon.game import cards, drawing, outcome
from shoe_daemon.game.profile import RuleProfile, parse_rules
from shoe_daemon.game.rules_file import rule_ids
from shoe_daemon.schema import ConfigError

RULES = Path(__file__).parents[2] / "config/rules"
NAMES = ["france", "intercasino", "live", "macau", "nsw", "nsw-even-money", "nzg-1994"]
NSW = (RULES / "nsw.toml").read_text()
CODES = [
    "unreadable_card",
    "unknown_code",
    "duplicate_card",
    "composition_exceeded",
    "excess_card",
    "unauthorised_third_card",
    "third_card_missing",
    "disclosed_first_card",
    "face_up_card",
    "drawn_before_reveal",
    "misdeal",
    "too_many_cards",
    "insufficient_cards",
    "drawn_before_betting_closed",
    "beyond_last_coup",
    "suspect_double",
    "sequence_gap",
    "link_gap",
    "device_reset",
    "card_returned",
    "order_suspicious",
    "camera_mismatch",
    "result_mismatch",
    "set_changed",
    "equipment_fault",
    "other",
]
DRAWING = {
    "nsw": ("NSW-10.2", "NSW-10.3", "NSW-10.4", "NSW-10.5"),
    "nsw-even-money": ("NSW-10.2", "NSW-10.3", "NSW-10.4", "NSW-10.5"),
    "nzg-1994": ("NZG-9.2", "NZG-9.3", "NZG-9.4", "NZG-9.5"),
    "live": ("LB-third",) * 4,
    "intercasino": ("IC-third",) * 4,
    "macau": ("MO-third",) * 4,
    "france": ("FR-55.14",) * 4,
}
NSW_IRREGULARITIES = {
    "misdeal": "NSW-13.1",
    "too_many_cards": "NSW-13.3",
    "unauthorised_third_card": "NSW-13.4",
    "face_up_card": "NSW-13.7",
    "insufficient_cards": "NSW-13.8",
    "excess_card": "NSW-13.4",
    "disclosed_first_card": "NSW-13.5",
    "drawn_before_betting_closed": "NSW-7.1",
    "drawn_before_reveal": "NSW-10.1",
    "third_card_missing": "NSW-10.1",
}
IRREGULARITIES = {
    "nsw": NSW_IRREGULARITIES,
    "nsw-even-money": NSW_IRREGULARITIES,
    "nzg-1994": {"drawn_before_reveal": "NZG-9.1", "third_card_missing": "NZG-9.1"},
    "live": {"drawn_before_betting_closed": "LB-betting"},
    "intercasino": {},
    "macau": {"face_up_card": "MO-4"},
    "france": {"excess_card": "FR-55.14"},
}


def shipped(name: str) -> RuleProfile:
    return parse_rules((RULES / f"{name}.toml").read_bytes(), f"{name}.toml")


def test_these_rules_are_shipped() -> None:
    assert sorted(path.stem for path in RULES.iterdir()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_file_is_named_and_hashed(name: str) -> None:
    rules = shipped(name)
    assert (rules.name, rules.default_decks) == (name, 6 if name == "france" else 8)
    assert rules.title
    assert rules.sha256 == hashlib.sha256((RULES / f"{name}.toml").read_bytes()).hexdigest()


def test_what_the_documents_say_of_decks_and_faces() -> None:
    assert {name: shipped(name).decks for name in NAMES} == {
        "nsw": (6, 8),
        "nsw-even-money": (6, 8),
        "nzg-1994": (8,),
        "live": (6, 8),
        "intercasino": (8,),
        "macau": (6, 7, 8, 9, 10, 11, 12),
        "france": (6,),
    }
    assert {name for name in NAMES if shipped(name).face_down} == {
        "france",
        "macau",
        "nsw",
        "nsw-even-money",
        "nzg-1994",
    }
    assert {name: shipped(name).no_bet_rule for name in NAMES if shipped(name).no_bet_rule} == {
        "nsw": "NSW-13.5",
        "nsw-even-money": "NSW-13.5",
    }


@pytest.mark.parametrize("name", NAMES)
def test_the_rule_ids_of_every_first_deal(name: str) -> None:
    natural, player, after_draw, after_stand = DRAWING[name]
    rules = shipped(name)
    for player_points in range(10):
        for banker_points in range(10):
            ids = rules.rule_ids(player_points, banker_points)
            if player_points in {8, 9} or banker_points in {8, 9}:
                expected = [natural]
            else:
                expected = [player, after_draw if player_points < 6 else after_stand]
            assert ids == (tuple(expected) if natural != player else (natural,))


@pytest.mark.parametrize("name", NAMES)
def test_the_rules_on_irregularities(name: str) -> None:
    rules = shipped(name)
    assert {code: rules.rule(code) for code in CODES if rules.rule(code)} == IRREGULARITIES[name]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_paid(name: str) -> None:
    rules = shipped(name)
    for points in range(10):
        even_money = "1/2" if points == 6 else "1"
        banker = even_money if name == "nsw-even-money" else "19/20"
        assert rules.pays("banker", points) == {"banker": banker}
        assert rules.pays("player", points) == {"player": "1"}
        tie = rules.pays("tie", points)
        assert list(tie.items()) == [("tie", "8"), ("player", "0"), ("banker", "0")]


@pytest.mark.parametrize("name", NAMES)
def test_the_even_money_file_differs_from_nsw_in_its_name_and_banker_pay_alone(name: str) -> None:
    stated = tomllib.loads((RULES / f"{name}.toml").read_text())
    nsw = tomllib.loads(NSW)
    if name == "nsw-even-money":
        assert stated["pay"].pop("banker") != nsw["pay"].pop("banker")
        assert stated.pop("name") != nsw.pop("name")
        assert stated.pop("title") != nsw.pop("title")
        assert stated == nsw
    else:
        assert stated["document"]["prefix"] != "NSW" or name == "nsw"


REFUSED = [
    ("name = ", 'name = "NSW 1"\n#', "name", "small letters"),
    ("prefix = ", 'prefix = "NZG"\n#', "no_bet_rule", "NSW-13.5 is no rule of this document"),
    ("prefix = ", 'prefix = "NZG"\n#', "irregularities.excess_card", "its ids begin with NZG-"),
    ("prefix = ", 'prefix = "NZG"\n#', "pay.banker.rule", "NSW-12.1.2 is no rule of this document"),
    ("prefix = ", 'prefix = "NZG"\n#', "deal.rule", "NSW-7.3 is no rule"),
    ("prefix = ", 'prefix = "NZG"\n#', "drawing.natural", "NSW-10.2 is no rule"),
    ("allowed = ", "allowed = [6, 0]\n#", "decks.allowed[1]", "from 1 up to 16, got 0"),
    ("allowed = ", "allowed = []\n#", "decks.allowed", "a list"),
    ("allowed = ", "allowed = [true]\n#", "decks.allowed[0]", "got true"),
    ("default = 8", "default = 4", "decks", "default 4 is none of the allowed"),
    ("default = 8", "", "decks.default", "missing key"),
    ("face_down = ", 'face_down = "yes"\n#', "deal.face_down", 'wants true or false, got "yes"'),
    ("face_down = ", "face_down = true\nface_up = false\n#", "deal.face_up", "unknown key"),
    ('rule = "NSW-7.3"', "", "deal", "needs the rule that says so, or not_stated"),
    ('rule = "NSW-7.3"', 'rule = "7.3"', "deal.rule", "the id of a rule"),
    ("natural = ", "natrual = ", "drawing.natrual", "did you mean drawing.natural?"),
    ('odds = "19/20"', 'odds = "0.95"', "pay.banker.odds", "odds to one as a fraction"),
    ('odds = "19/20"', "odds = 0.95", "pay.banker.odds", "got 0.95"),
    ('odds = "19/20"', 'odds = "19/0"', "pay.banker.odds", "a fraction"),
    ('odds = "19/20"', 'odds = "-1"', "pay.banker.odds", "a fraction"),
    ('odds = "19/20"', 'odds = "0"', "pay.banker.odds", "a fraction"),
    ('odds = "19/20"', 'odds = "19/20\\n"', "pay.banker.odds", "a fraction"),
    ('odds = "19/20"', 'odds = "95/100"', "pay.banker", "lowest terms, 19/20"),
    ('odds = "8"', 'odds = "8/1"', "pay.tie", "lowest terms, 8"),
    ('odds = "19/20"', 'on_points = { 6 = "2/4" }\nodds = "1"', "pay.banker", "lowest terms, 1/2"),
    ('odds = "19/20"', 'on_points = { 0 = "1/2" }\nodds = "1"', "pay.banker.on_points.0", "1 to 9"),
    ('odds = "19/20"', 'odds = "1"', "pay.banker", "leave no commission"),
    (
        'odds = "19/20"',
        'odds = "19/20"\non_points = { 6 = "1/2" }',
        "pay.banker",
        "and a commission is taken",
    ),
    ('commission = "per_coup"', 'commission = "later"', "pay.banker.commission", 'one of "marked"'),
    ('commission = "per_coup"', "", "pay.banker.commission", "missing key"),
    ('method = "round_up"', 'method = "round_down"', "wagers.payout_rounding.method", "one of"),
    ('rule = "NSW-6.1"', "", "wagers.below_minimum", "needs the rule that says so, or not_stated"),
    (
        'rule = "NSW-6.2"',
        'rule = "NZG-6.2"',
        "wagers.differential.rule",
        "NZG-6.2 is no rule of this document",
    ),
    ('rule = "NSW-2.1"', 'rule = "IC-seats"', "seats.rule", "IC-seats is no rule of this document"),
    ("places = 14", "places = 0", "seats.places", "from 1 up to 99"),
    ("[wagers.late]", "[wagers.later]", "wagers.later", "did you mean wagers.late?"),
    ("[drawing]", "[drawing]\nbanker_draws = [[0]]", "drawing.banker_draws", "unknown key"),
    ("[drawing]", "[drawing]\ntable_2 = {}", "drawing.table_2", "unknown key"),
    ("[drawing]", "[cards]\nA = 11\n[drawing]", "cards", "unknown key"),
    ("face_down = ", 'order = ["P1", "P2"]\nface_down = ', "deal.order", "unknown key"),
    ("bets = ", 'bets = ["tie"]\n#', "pay.push_on_tie.bets[0]", 'one of "banker", "player"'),
    ("excess_card = ", "excess_crd = ", "irregularities.excess_crd", 'did you mean "excess_card"?'),
    ("excess_card = ", "jam = ", "irregularities.jam", "wants the code of an irregularity"),
]


@pytest.mark.parametrize(("old", "new", "key", "words"), REFUSED)
def test_a_contradictory_file_is_refused_with_its_line(old: str, new: str, key: str, words: str) -> None:
    text = NSW.replace(old, new, 1)
    assert text != NSW
    with pytest.raises(ConfigError) as caught:
        parse_rules(text.encode(), "mine.toml")
    found = [one for one in caught.value.problems if one.key == key and words in one.message]
    assert found, str(caught.value)
    if "missing key" not in words:
        assert found[0].line is not None
        last = re.findall("[a-z_]+", key)[-1]
        assert last in text.splitlines()[found[0].line - 1]


def test_all_contradictions_are_told_at_once() -> None:
    text = NSW.replace('odds = "19/20"', 'odds = "0.95"').replace("default = 8", "default = 9")
    text = text.replace("excess_card", "excess_crd").replace("player = ", "plyer = ", 1)
    with pytest.raises(ConfigError) as caught:
        parse_rules(text.encode(), "mine.toml")
    assert [one.key for one in caught.value.problems if one.line] == [
        "decks",
        "drawing.player",
        "drawing.plyer",
        "pay.banker.odds",
        "irregularities.excess_crd",
    ]


@pytest.mark.parametrize("code", CODES)
def test_every_code_of_an_irregularity_may_have_a_rule(code: str) -> None:
    text = re.sub(
        r"\[irregularities\].*?(?=\[\[)", f'[irregularities]\n{code} = "NSW-1"\n', NSW, flags=re.DOTALL
    )
    rules = parse_rules(text.encode(), "mine.toml")
    assert {known: rules.rule(known) for known in CODES if rules.rule(known)} == {code: "NSW-1"}


@given(st.fractions(min_value=Fraction(1, 1000), max_value=1000, max_denominator=1000))
def test_odds_are_handed_on_exactly_as_written(odds: Fraction) -> None:
    text = NSW.replace('odds = "19/20"', f'odds = "{odds}"').replace('"per_coup"', '"none"')
    assert parse_rules(text.encode(), "mine.toml").pays("banker", 5) == {"banker": str(odds)}


def test_what_the_documents_say_of_wagers_and_places() -> None:
    rules = {name: shipped(name) for name in NAMES}
    assert {name: one.wagers.payout_rounding.method for name, one in rules.items()} == {
        "france": "void_remainder",
        "intercasino": "exact",
        "live": "exact",
        "macau": "void_remainder",
        "nsw": "round_up",
        "nsw-even-money": "round_up",
        "nzg-1994": "void_remainder",
    }
    assert {name for name, one in rules.items() if not one.wagers.both_sides.allowed} == {
        "nsw",
        "nsw-even-money",
    }
    assert {name for name, one in rules.items() if one.stated.pay.banker.commission == "none"} == {
        "france",
        "live",
        "nsw-even-money",
    }
    raised = {name for name, one in rules.items() if one.wagers.below_minimum.treatment == "raise"}
    assert raised == {"intercasino"}
    assert {name: one.seats.places for name, one in rules.items() if one.seats.rule} == {
        "intercasino": 5,
        "nsw": 14,
        "nsw-even-money": 14,
    }
    windows = {name: one.seats.window.seconds for name, one in rules.items() if one.seats.window}
    assert windows == {"intercasino": 15}


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_id_of_a_file_is_looked_at(name: str) -> None:
    stated = tomllib.loads((RULES / f"{name}.toml").read_text())

    def texts(value: object) -> list[str]:
        if isinstance(value, dict):
            return [one for part in value.values() for one in texts(part)]
        return [value] if isinstance(value, str) else []

    prefix = stated["document"]["prefix"]
    ids = [text for text in texts(stated) if re.fullmatch(rf"{prefix}-[A-Za-z0-9.]+", text)]
    assert sorted(rule for _, rule in rule_ids(shipped(name).stated)) == sorted(ids)


def test_nothing_that_deals_or_counts_asks_the_profile() -> None:
    for function in (
        cards.value,
        cards.points,
        drawing.next_third,
        drawing.is_natural,
        outcome.decide_outcome,
    ):
        assert not {"rules", "profile"} & set(inspect.signature(function).parameters)
    for module in (cards, drawing, outcome):
        assert "rules_file" not in inspect.getsource(module)
        assert "profile" not in inspect.getsource(module)
