"""A dead shoe: what may be entered, when, and what is refused."""

from typing import Any

from tests.table.dealt import Deal

WIN: dict[str, Any] = {"outcome": "player", "player": ["9S", "KD"], "banker": ["2H", "5C"]}
SIX: dict[str, Any] = {"outcome": "tie", "player": ["2S", "KD", "5H"], "banker": ["2H", "AC", "4S"]}


def refused(deal: Deal) -> list[str]:
    return [data["reason"] for data in deal.data("command.refused")]


def test_a_coup_of_four_and_one_of_six_cards() -> None:
    deal = Deal(procedure="dealer-reveal").say("enter_result", **WIN).say("enter_result", **SIX)
    assert [data["outcome"] for data in deal.data("coup.result", "public")] == ["player", "tie"]
    assert refused(deal) == []
    assert {data["source"] for data in deal.data("card.exposed", "public")} == {"operator"}


def test_a_pause_is_no_time_for_a_coup() -> None:
    deal = Deal(procedure="dealer-reveal").say("pause").say("enter_result", **WIN)
    assert refused(deal) == ["betting_not_open"]
    assert deal.say("resume").say("enter_result", **WIN).data("coup.result")


def test_cards_that_do_not_fit_the_drawing_rules_are_refused() -> None:
    for change in (
        {"player": ["9S", "KD", "2C"]},
        {"player": ["9S"]},
        {"banker": ["2H", "5C", "3D"]},
        {"outcome": "banker"},
    ):
        deal = Deal(procedure="dealer-reveal").say("enter_result", **{**WIN, **change})
        assert refused(deal) in (["cards_differ"], ["outcome_differs"])
        assert deal.data("card.drawn") == []


def test_a_guess_at_hidden_cards_is_not_answered() -> None:
    """Neither a right nor a wrong one, of the open coup or of a card carried into the coming one."""
    for first in ("9S", "8S"):
        deal = Deal(procedure="dealer-reveal").say("no_more_bets").cards("9S", "2H", "KD", "5C")
        deal.say("enter_result", **{**WIN, "player": [first, "KD"]})
        assert refused(deal) == ["cards_down"]
