"""Two cards told faster than the shoe can give them: a person says whether they are one."""

from pathlib import Path

import pytest

from shoe_daemon.runtime.resources import shoe_file
from tests.table.dealt import Deal

Data = list[dict[str, object]]


@pytest.fixture
def fast(tmp_path: Path) -> str:
    """The Bee-Tek profile with a least time between two cards."""
    text = shoe_file("beetek-rs232")[0].decode()
    path = tmp_path / "fast.toml"
    path.write_text(text + "min_gap_ms = 100\n", encoding="utf-8")
    return str(path)


def answer(deal: Deal, remedy: str, number: int = 1) -> Deal:
    return deal.say("resolve", id=number, remedy=remedy)


def drawn(deal: Deal) -> list[tuple[object, object]]:
    return [(one["n"], one["slot"]) for one in deal.data("card.drawn")]


def refused(deal: Deal) -> list[object]:
    return [one["reason"] for one in deal.data("command.refused")]


def test_the_card_and_those_after_it_have_no_place_until_it_is_answered(fast: str) -> None:
    deal = Deal(profile=fast, procedure="face-up").cards("9S", "2H").soon("2H").cards("KD")
    (raised,) = deal.data("irregularity.raised")
    assert raised == {
        "id": 1,
        "code": "suspect_double",
        "rule": None,
        "kind": "evidence",
        "slot": None,
        "hold": True,
        "remedies": ["accept", "read_twice", "void"],
        "text": None,
    }
    assert drawn(deal) == [(1, "P1"), (2, "B1"), (3, None), (4, None)]
    assert deal.types().count("card.exposed") == 2
    assert "coup.held" in deal.types()


def test_a_card_of_its_own_takes_its_place_and_the_coup_goes_on(fast: str) -> None:
    deal = Deal(profile=fast, procedure="face-up").cards("9S", "2H").soon("2H").cards("KD")
    answer(deal, "accept").cards("5H", "3C")
    placed = [(one["n"], one["slot"]) for one in deal.data("card.assigned")]
    assert placed == [(3, "P2"), (4, "B2")]
    (result,) = deal.data("coup.result")
    assert (result["player"]["cards"], result["banker"]["cards"]) == (["9S", "2H", "5H"], ["2H", "KD", "3C"])


def test_one_card_told_twice_is_none(fast: str) -> None:
    """Nine and king against two and five: the five is the fourth card, whatever was told in between."""
    deal = Deal(profile=fast, procedure="face-up").cards("9S", "2H").soon("2H").cards("KD", "5C")
    answer(deal, "read_twice")
    (result,) = deal.data("coup.result")
    assert (result["player"]["cards"], result["banker"]["cards"]) == (["9S", "KD"], ["2H", "5C"])
    assert drawn(deal)[-1] == (5, None)
    assert [(one["n"], one["slot"]) for one in deal.data("card.assigned")] == [(4, "P2"), (5, "B2")]


def test_the_shoe_counts_it_once(fast: str) -> None:
    deal = Deal(profile=fast, procedure="face-up").cards("9S", "2H").soon("2H").cards("KD", "5C")
    answer(deal, "read_twice").say("close_shoe", remaining=412)
    (closed,) = deal.data("shoe.closed")
    assert (closed["cards_read"], closed["reconciled"], closed["discrepancies"]) == (4, True, [])


def test_an_unread_card_told_twice_asks_no_face(fast: str) -> None:
    deal = Deal(profile=fast, procedure="face-up").cards("9S", "2H").soon("?").cards("KD", "5C")
    codes = [one["code"] for one in deal.data("irregularity.raised")]
    assert codes == ["unreadable_card", "suspect_double"]
    answer(deal, "read_twice", 2)
    resolved = [(one["code"], one["remedy"]) for one in deal.data("irregularity.resolved")]
    assert sorted(resolved) == [("suspect_double", "read_twice"), ("unreadable_card", "read_twice")]
    assert len(deal.data("coup.result")) == 1


def test_a_coup_of_nothing_else_is_void_and_betting_opens_again(fast: str) -> None:
    """The last card of a coup is told twice: as the first one of the next."""
    deal = Deal(profile=fast, procedure="face-up").cards("9S", "2H", "KD", "5C").soon("5C")
    assert [one["code"] for one in deal.data("irregularity.raised")] == ["suspect_double"]
    answer(deal, "read_twice")
    assert [one["reason"] for one in deal.data("coup.void")] == ["suspect_double"]
    assert deal.types()[-2:] == ["coup.void", "betting.opened"]
    deal.cards("9S", "2H", "KD", "5C")
    assert [event["coup"] for event in deal.told("public") if event["type"] == "coup.result"] == [1, 3]


def test_nothing_is_turned_by_name_while_it_is_not_known_what_lies_where(fast: str) -> None:
    deal = Deal(profile=fast, procedure="dealer-reveal").say("no_more_bets")
    deal.cards("9S", "2H").soon("2H").cards("KD", "5C")
    deal.say("reveal", "dealer:1")
    assert refused(deal) == ["held"]
    answer(deal, "read_twice").say("reveal", "dealer:1").say("confirm", "dealer:1")
    (result,) = deal.data("coup.result")
    assert (result["player"]["cards"], result["banker"]["cards"]) == (["9S", "KD"], ["2H", "5C"])


def test_a_card_accepted_may_be_one_too_many_before_the_reveal(fast: str) -> None:
    deal = Deal(profile=fast, procedure="dealer-reveal").say("no_more_bets")
    deal.cards("9S", "2H").soon("2H").cards("KD", "5C")
    answer(deal, "accept")
    assert [one["code"] for one in deal.data("irregularity.raised")] == [
        "suspect_double",
        "drawn_before_reveal",
    ]
    assert drawn(deal)[-1] == (5, None)


def test_one_press_counts_once_the_question_is_answered(fast: str) -> None:
    deal = Deal(profile=fast, procedure="result-button").cards("9S", "2H").soon("2H").cards("KD", "5C")
    deal.say("reveal", "dealer:1", all=True)
    assert not deal.data("coup.result")
    answer(deal, "read_twice")
    (result,) = deal.data("coup.result")
    assert (result["player"]["cards"], result["banker"]["cards"]) == (["9S", "KD"], ["2H", "5C"])


@pytest.mark.parametrize("remedy", ["accept", "read_twice"])
def test_a_card_in_excess_is_carried_once_it_is_answered(fast: str, remedy: str) -> None:
    """A fifth card over an open natural, 20 ms after the fourth; the coup's own result is not held."""
    deal = Deal(profile=fast, procedure="method-c").say("no_more_bets").cards("9S", "2H", "KD", "5C")
    deal.say("reveal", "dealer:1").cards("3H").soon("4H").say("confirm", "dealer:1")
    assert len(deal.data("coup.result")) == 1
    suspect = next(one for one in deal.data("irregularity.raised") if one["code"] == "suspect_double")
    assert (suspect["hold"], suspect["remedies"]) == (False, ["accept", "read_twice"])
    assert deal.data("card.carried") == []
    answer(deal, remedy, int(suspect["id"]))
    carried = [one["n"] for one in deal.data("card.carried")]
    assert carried == ([5, 6] if remedy == "accept" else [5])


def test_betting_does_not_open_over_a_card_that_may_be_none(fast: str) -> None:
    deal = Deal(profile=fast, procedure="method-c", betting_opens="command")
    deal.say("open_betting").say("no_more_bets").cards("9S", "2H", "KD", "5C").say("reveal", "dealer:1")
    deal.cards("3H").soon("4H").say("confirm", "dealer:1").say("open_betting")
    assert "answer_due" in refused(deal)


def test_burned_cards_are_counted_by_people(fast: str) -> None:
    deal = Deal(profile=fast, procedure="face-up", open=False).say("open_table").say("load_shoe")
    deal.say("burn", count=2).cards("9S").soon("9S")
    (raised,) = deal.data("irregularity.raised")
    assert (raised["hold"], raised["remedies"], raised["text"]) == (False, ["accept"], "burned")
    answer(deal, "accept")
    assert refused(deal) == []


def test_nothing_of_it_depends_on_a_face(fast: str) -> None:
    """The same histories with other faces say the same in public until faces are open."""
    told = []
    for faces in (("9S", "2H", "2H", "KD"), ("3C", "7D", "JS", "AH")):
        deal = Deal(profile=fast, procedure="dealer-reveal").say("no_more_bets")
        deal.cards(*faces[:2]).soon(faces[2]).cards(faces[3])
        deal.say("reveal", "dealer:1").say("resolve", id=1, remedy="read_twice")
        told.append([(one["type"], one["data"]) for one in deal.told("public")])
    assert told[0] == told[1]


def test_a_doubtful_card_in_excess_keeps_nobody_from_turning_the_coup(fast: str) -> None:
    """A natural of the Player: the cards of the Banker are still down, and each lies in its place."""
    deal = Deal(profile=fast, procedure="squeeze").say("no_more_bets").cards("9S", "2H", "KD", "5C")
    deal.say("reveal", "dealer:1", hand="player").cards("3H").soon("3H")
    deal.say("reveal", "dealer:1", hand="banker").say("confirm", "dealer:1")
    assert refused(deal) == []
    assert len(deal.data("coup.result")) == 1


def test_a_press_over_three_cards_asks_for_no_third(fast: str) -> None:
    deal = Deal(profile=fast, procedure="result-button").cards("9S", "2H").soon("2H").cards("KD")
    answer(deal.say("reveal", "dealer:1", all=True), "read_twice")
    assert [one["code"] for one in deal.data("irregularity.raised")] == ["suspect_double"]
    (result,) = deal.cards("5C").say("reveal", "dealer:1", all=True).data("coup.result")
    assert (result["player"]["cards"], result["banker"]["cards"]) == (["9S", "KD"], ["2H", "5C"])


def test_the_third_card_that_was_missing_is_there_once_it_is_one_of_its_own(fast: str) -> None:
    """Five against king and four: the Player draws, by the one card after the press."""
    deal = Deal(profile=fast, procedure="result-button").cards("2S", "KH", "3D", "4C")
    deal.at_once("reveal", "dealer:1", all=True).soon("9D")
    answer(deal, "accept", 2).say("reveal", "dealer:1", all=True)
    assert [(one["code"], one["remedy"]) for one in deal.data("irregularity.resolved")] == [
        ("suspect_double", "accept"),
        ("third_card_missing", "draw"),
    ]
    (result,) = deal.data("coup.result")
    assert (result["player"]["cards"], result["banker"]["cards"]) == (["2S", "3D", "9D"], ["KH", "4C"])


def test_a_card_that_was_kept_is_not_asked_about_again(fast: str) -> None:
    deal = Deal(profile=fast, procedure="dealer-reveal").say("no_more_bets")
    deal.cards("3C", "3S", "10D", "5C", "9C").soon("9C").say("resolve", "dealer:1", id=1, remedy="keep")
    answer(deal, "read_twice", 2)
    codes = [one["code"] for one in deal.data("irregularity.raised")]
    assert codes == ["drawn_before_reveal", "suspect_double"]
    assert deal.types()[-1] == "coup.released"


def test_a_card_is_asked_about_while_one_behind_it_is_doubtful(fast: str) -> None:
    deal = Deal(profile=fast, procedure="dealer-reveal").say("no_more_bets")
    deal.cards("3C", "3S", "10D", "5C").soon("9C").cards("2H").soon("2H")
    answer(deal, "accept", 1)
    codes = [one["code"] for one in deal.data("irregularity.raised")]
    assert codes == ["suspect_double", "suspect_double", "drawn_before_reveal"]
    answer(deal, "read_twice", 2)
    assert [one["code"] for one in deal.data("irregularity.raised")] == codes


def test_under_immediate_a_card_told_twice_is_counted_once(fast: str) -> None:
    deal = Deal(profile=fast, procedure="face-up", decks=2)
    answer(deal.cards("9S").soon("9S"), "read_twice").cards("2H", "KD", "5C", "9S", "JC", "QD", "3H")
    assert deal.data("alarm.raised", policy="immediate") == []
    deal.cards("9S")
    assert [one["n"] for one in deal.data("alarm.raised", policy="immediate")] == [1]


def test_a_card_seen_at_the_mouth_opens_a_no_bet_coup_once_nothing_waits(fast: str) -> None:
    """The excess card was none; the one behind it, which everybody saw, opens the next coup."""
    deal = Deal(profile=fast, procedure="face-up", betting_opens="command").say("open_betting")
    deal.cards("9S", "2H", "KD", "5C").soon("5C").say("report", "dealer:1", code="face_up_card")
    suspect = next(one for one in deal.data("irregularity.raised") if one["code"] == "suspect_double")
    answer(deal, "read_twice", suspect["id"])
    assert [one["reason"] for one in deal.data("coup.no_bet")] == ["disclosed"]
    assert deal.data("card.carried") == []
