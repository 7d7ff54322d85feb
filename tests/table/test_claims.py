"""The device's own result beside ours, and a card that it says went back."""

from pathlib import Path

import pytest

from shoe_daemon.runtime.resources import shoe_file
from tests.table.dealt import Deal

MORE = """
[[messages]]
event = "returned"
match = 'BACK'
example = "BACK\\r\\n"

[[messages]]
event = "result"
match = 'WIN (?P<outcome>[PBT])'
example = "WIN P\\r\\n"

[semantics.outcomes]
P = "player"
B = "banker"
T = "tie"
"""


@pytest.fixture
def claims(tmp_path: Path) -> str:
    """The Bee-Tek profile of a shoe that says who won, and that a card went back."""
    path = tmp_path / "claims.toml"
    path.write_text(shoe_file("beetek-rs232")[0].decode() + MORE, encoding="utf-8")
    return str(path)


def asked(deal: Deal) -> list[tuple[object, object, object, object]]:
    raised = deal.data("irregularity.raised")
    return [(one["code"], one["hold"], one["remedies"], one["text"]) for one in raised]


def results(deal: Deal) -> list[tuple[object, object]]:
    return [(one["revision"], one["outcome"]) for one in deal.data("coup.result")]


def test_the_same_winner_is_no_news(claims: str) -> None:
    """Nine against seven, said before the last card and after it."""
    deal = Deal(profile=claims, procedure="face-up").cards("9S", "2H", "KD").device("WIN P").cards("5C")
    deal.device("WIN P")
    assert asked(deal) == []
    assert results(deal) == [(1, "player")]


def test_another_winner_holds_the_coup_before_its_result(claims: str) -> None:
    deal = Deal(profile=claims, procedure="face-up").cards("9S", "2H", "KD").device("WIN B").cards("5C")
    assert asked(deal) == [("result_mismatch", True, ["correct", "accept", "void"], "banker")]
    assert results(deal) == []
    deal.say("resolve", id=1, remedy="accept")
    assert results(deal) == [(1, "player")]
    assert len(asked(deal)) == 1


def test_a_face_put_right_is_compared_again(claims: str) -> None:
    deal = Deal(profile=claims, procedure="face-up").cards("9S", "2H", "KD").device("WIN B").cards("5C")
    deal.say("correct", slot="P1", card="8S")
    assert [code for code, *_ in asked(deal)] == ["result_mismatch", "result_mismatch"]
    deal.say("correct", slot="B2", card="7C")
    assert results(deal) == [(1, "banker")]


def test_nothing_is_said_of_it_while_cards_are_down(claims: str) -> None:
    """The device knows them; nobody is told before the dealer has called the coup."""
    deal = Deal(profile=claims, procedure="dealer-reveal").say("no_more_bets")
    deal.cards("9S", "2H", "KD", "5C").device("WIN B")
    quiet = Deal(profile=claims, procedure="dealer-reveal").say("no_more_bets")
    quiet.cards("9S", "2H", "KD", "5C").device("WIN P")
    for audience in ("public", "surveillance", "cage"):
        assert deal.told(audience) == quiet.told(audience)
    deal.say("reveal", "dealer:1")
    assert [code for code, *_ in asked(deal)] == ["result_mismatch"]


def test_after_our_result_a_person_lets_it_stand_or_corrects_a_card(claims: str) -> None:
    deal = Deal(profile=claims, procedure="face-up").cards("9S", "2H", "KD", "5C").device("WIN B")
    assert asked(deal) == [("result_mismatch", False, ["correct", "accept"], "banker")]
    deal.say("correct", slot="B2", card="7C").say("correct", slot="P1", card="4S")
    assert results(deal) == [(1, "player"), (2, "tie"), (3, "banker")]
    resolved = [(one["code"], one["remedy"]) for one in deal.data("irregularity.resolved")]
    assert resolved == [("result_mismatch", "correct")]


def test_a_parked_coup_is_compared_when_it_is_free(claims: str) -> None:
    deal = Deal(profile=claims, procedure="face-up").cards("9S", "2H", "?", "5C").say("open_betting")
    deal.device("WIN B").say("identify", slot="P2", card="KD", coup=1)
    assert [code for code, *_ in asked(deal)] == ["unreadable_card", "result_mismatch"]
    deal.say("resolve", code="result_mismatch", remedy="accept")
    assert results(deal) == [(1, "player")]


def test_of_a_void_coup_and_of_none_the_device_says_nothing_to_us(claims: str) -> None:
    deal = Deal(profile=claims, procedure="face-up").device("WIN B").cards("9S").say("void").device("WIN B")
    assert asked(deal) == []


def test_a_card_that_went_back_holds_the_coup(claims: str) -> None:
    deal = Deal(profile=claims, procedure="face-up").cards("9S", "2H").device("BACK").cards("2H", "5C")
    assert asked(deal) == [("card_returned", True, ["accept", "void"], None)]
    assert results(deal) == []


def test_between_coups_and_with_no_shoe_it_holds_nothing(claims: str) -> None:
    deal = Deal(profile=claims, procedure="face-up").device("BACK").say("close_shoe").device("BACK")
    assert asked(deal) == [("card_returned", False, ["accept"], None)]
    assert [one["reason"] for one in deal.data("frame.rejected")] == ["no_shoe"]
