"""Bank, marker and shoe in players' hands; coups that show the game."""

import pytest

from tests.table.evening import BANKER_WINS, NATURAL, TIE, Evening, only

OFF_FLOOR = {"main_floor": False}
MANAGER = "duty_manager:1"
WATCH = "surveillance:4"


def test_who_has_no_bank_passes_none() -> None:
    deal = Evening(rules="live").say("bank", seat=1)
    assert deal.refused == ["not_in_rules"]
    assert Evening().say("bank", seat=1).refused == ["not_in_rules"]  # no method was set
    assert Evening().say("set_method", method="B").say("bank", seat=1).refused == []


def test_a_bank_goes_to_a_seat_between_coups() -> None:
    deal = Evening(rules="nzg-1994").say("bank", seat=None).say("bank", seat=15).say("bank", seat=14)
    deal.say("bank", seat=14).say("no_more_bets").cards("9S").say("bank", seat=2)
    assert deal.refused == ["already_set", "no_seat", "already_set", "coup_open"]
    assert only(deal.data("bank.passed", "cage")) == {
        "from": None,
        "to": 14,
        "reason": "accepted",
        "rule": None,
    }
    assert deal.heard("bank.passed") == ["surveillance", "cage"]


def _passed(deal: Evening) -> list[tuple[str, str | None, int | None]]:
    return [(one["reason"], one["rule"], one["to"]) for one in deal.data("bank.passed")]


def test_the_bank_is_lost_with_the_bankers_hand() -> None:
    deal = Evening(rules="nzg-1994").say("bank", seat=3).coup(*BANKER_WINS)
    assert _passed(deal) == [("accepted", None, 3)]
    deal.coup(*TIE).coup(*NATURAL).coup(*NATURAL)
    assert _passed(deal) == [("accepted", None, 3), ("banker_lost", "NZG-8.22.a", None)]
    deal.say("bank", seat=4).say("bank", seat=None, reason="ordered")
    assert _passed(deal)[2:] == [("accepted", None, 4), ("ordered", None, None)]


NZG = {"wagers": {"chip": 500, "limits": {"player": {"minimum": 2000}, "banker": {"minimum": 1000}}}}


@pytest.mark.parametrize(
    ("bet", "amount", "lost"), [("player", 2000, False), ("banker", 10_000, False), ("tie", 10_000, True)]
)
def test_a_banker_wagers_on_a_hand_or_gives_the_bank_up(bet: str, amount: int, *, lost: bool) -> None:
    deal = Evening(rules="nzg-1994", house=NZG).say("bank", seat=3)
    deal.say("wager", seat=4, bet="player", amount=2000).say("wager", seat=3, bet=bet, amount=amount)
    deal.say("no_more_bets")
    assert deal.refused == []
    assert _passed(deal)[1:] == ([("no_wager", "NZG-8.22.c", None)] if lost else [])


def test_the_marker_of_method_b_goes_on_when_the_banker_loses() -> None:
    deal = Evening().say("set_method", method="B", seat=3).coup(*BANKER_WINS).coup(*NATURAL)
    assert _passed(deal) == [("banker_lost", "NSW-8.15", None)]


@pytest.mark.parametrize(
    ("bet", "cards", "lost"),
    [
        ("player", NATURAL, False),
        ("player", BANKER_WINS, True),
        ("banker", NATURAL, True),
        ("tie", NATURAL, False),
        ("player", TIE, False),
    ],
)
def test_the_shoe_of_method_d_goes_on_when_its_holder_loses(
    bet: str, cards: tuple[str, ...], *, lost: bool
) -> None:
    deal = Evening(house={**OFF_FLOOR, **NZG}, procedure="face-up", settle_s=1)
    deal.say("set_method", MANAGER, method="D", seat=2, inspector="i").say(
        "acknowledge", WATCH, what="method"
    )
    deal.say("wager", seat=2, bet=bet, amount=2000).say("wager", seat=3, bet="banker", amount=2000)
    deal.cards(*cards).wait(5)
    assert _passed(deal) == ([("wager_lost", "NSW-8.23", None)] if lost else [])


def test_the_shoe_of_method_e_is_offered_anew_for_each_coup() -> None:
    deal = Evening(house=OFF_FLOOR, procedure="face-up").say(
        "set_method", MANAGER, method="E", seat=2, inspector="i"
    )
    deal.say("acknowledge", WATCH, what="method").cards(*NATURAL).cards(*NATURAL)
    assert _passed(deal) == [("every_coup", "NSW-8.27", None)]


def test_three_coups_a_shoe_may_show_the_game() -> None:
    deal = Evening(rules="macau")
    for _ in range(4):
        deal.say("declare_no_bet", demonstration=True).cards(*NATURAL).say("reveal").say("confirm")
    assert deal.refused[:1] == ["no_more_demonstrations"]
    told = [(one["reason"], one["rule"]) for one in deal.data("coup.no_bet", "public")]
    assert told == [("demonstration", "MO-2")] * 3
    assert [one["kind"] for one in deal.data("settlement", "cage")] == ["none"] * 3 + ["pay"]
    deal.say("void").say("close_shoe").say("load_shoe").say("declare_no_bet", demonstration=True)
    assert len(deal.data("coup.no_bet")) == 4
    assert Evening().say("declare_no_bet", demonstration=True).refused == ["not_in_rules"]
