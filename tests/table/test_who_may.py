"""Who may decide what, when, and with whom beside: second persons, closed tables, emergencies, disputes."""

from typing import Any, Final, Literal

from msgspec.structs import replace

from shoe_daemon.table import events as ev
from shoe_daemon.table import inputs as inp
from shoe_daemon.table.decide import decide, fold
from shoe_daemon.table.procedure import PROCEDURES
from shoe_daemon.table.setup import Setup
from shoe_daemon.table.state import Table
from tests.table.dealt import Deal
from tests.table.histories import RULES
from tests.table.staked import BANKER_WINS, PLAYER_WINS, coup, held, net, nsw, placed, refused, wager

PARTS: Final[tuple[Literal["table", "shoe", "betting"], ...]] = ("table", "shoe", "betting")


def two(*verbs: str, **house: Any) -> Deal:  # noqa: ANN401 - settings of the house
    """A table where some verbs need a second person."""
    return Deal(procedure="dealer-reveal", house={"two_persons": list(verbs), **house})


def test_what_needs_two_persons_needs_them_however_it_is_said() -> None:
    deal = two("void").say("no_more_bets").cards("9S").say("report", code="other", text="a glass fell")
    deal.say("void").say("resolve", code="other", remedy="void")
    deal.say("resolve", code="other", remedy="void", second="supervisor:9")
    deal.say("resolve", code="other", remedy="void", second="dealer:3")  # who may not choose it himself
    assert refused(deal) == ["second_needed", "second_needed", "same_person", "not_allowed"]
    deal.say("resolve", code="other", remedy="void", second="casino_supervisor:4")
    (told,) = deal.data("coup.void")
    assert (told["reason"], told["second"]) == ("other", "casino_supervisor:4")


def test_a_coup_is_void_by_two_persons_also_where_its_cards_were_burned() -> None:
    deal = two("void").say("no_more_bets").cards("9S", "2H").say("burn", "dealer:1", reclassify=True)
    deal.say("burn", "dealer:1", reclassify=True, second="dealer:2")
    assert refused(deal) == ["second_needed", "not_allowed"]
    deal.say("burn", "dealer:1", reclassify=True, second="game_supervisor:2")
    assert [one["reason"] for one in deal.data("coup.void")] == ["burned"]


def test_an_emergency_asks_for_nobody_else() -> None:
    deal = two("close_table").say("no_more_bets").cards("9S").say("close_table", emergency=True)
    assert refused(deal) == []
    assert [one["reason"] for one in deal.data("coup.void")] == ["emergency"]
    assert two("close_table").say("close_table").data("command.refused")[0]["reason"] == "second_needed"


def test_two_who_oversee_the_table_ask_for_hidden_faces_and_surveillance_hears_of_it() -> None:
    deal = Deal(procedure="dealer-reveal").say("no_more_bets").cards("9S")
    before = {audience: deal.told(audience) for audience in ("public", "cage")}
    args = {"what": "listen", "reason": "the reader misreads"}
    for actor in ("dealer:1", "game_supervisor:1", "technician:1"):
        deal.say("unmask", actor, **args, second="inspector:2")
        deal.say("unmask", "inspector:2", **args, second=actor)
    deal.say("unmask", "inspector:2", **args).say("unmask", "inspector:2", **args, second="king:1")
    deal.say("unmask", "inspector:2", **args, second="surveillance:2")  # one person in two roles
    deal.say("unmask", "inspector:2", what="listen", second="supervisor:1")
    deal.say("unmask", "inspector:2", what="display", reason="x", second="supervisor:1")
    assert refused(deal) == [
        *["not_allowed"] * 6,
        *["second_needed"] * 2,
        "same_person",
        *["bad_args"] * 2,
    ]
    assert deal.data("alarm.raised") == []
    deal.say("unmask", "inspector:2", **args, second="surveillance:3")
    (told,) = deal.data("alarm.raised")
    assert told == {
        **args,
        "code": "unmasked",
        "n": None,
        "actor": "inspector:2",
        "second": "surveillance:3",
    }
    assert before == {audience: deal.told(audience) for audience in before}


def test_hidden_faces_may_be_asked_for_while_there_is_a_shoe_also_at_a_closed_table() -> None:
    args = {"what": "export", "reason": "a dispute", "second": "duty_manager:3"}
    deal = Deal(procedure="dealer-reveal").say("close_table").say("unmask", "supervisor:1", **args)
    assert (refused(deal), len(deal.data("alarm.raised"))) == ([], 1)
    deal.say("open_table").say("close_shoe").say("unmask", "supervisor:1", **args)
    assert refused(deal) == ["no_shoe"]


def test_after_an_emergency_what_was_before_it_can_still_be_decided() -> None:
    deal = coup(nsw(), PLAYER_WINS).say("close_table", emergency=True)
    deal.say("dispute", "dealer:1", stage="raised", coup=1, seat=3).say("notice", what="game", to="x")
    deal.say("invalidate", ground="disruption", coup=1).say("void", coup=1)
    assert [one["rule"] for one in deal.data("coup.invalidated")] == ["NSW-14.4.1"]
    assert refused(deal) == ["table_closed"]


def test_a_parked_coup_moves_the_bank_by_its_result() -> None:
    deal = Deal(rules="nzg-1994", procedure="dealer-reveal").say("bank", seat=4)
    deal.say("no_more_bets").cards("9S", "2H", "?", "5C").say("reveal").say("open_betting")
    assert held(deal) == [(4, "accepted", None)]
    deal.say("identify", coup=1, slot="P2", card="KD")
    assert held(deal)[1:] == [(None, "banker_lost", "NZG-8.22.a")]


def test_a_coup_parked_under_another_holder_moves_nothing() -> None:
    deal = Deal(rules="nzg-1994", procedure="dealer-reveal").say("bank", seat=4)
    deal.say("no_more_bets").cards("9S", "2H", "?", "5C").say("reveal").say("open_betting")
    deal.say("bank", seat=5, reason="passed").say("identify", coup=1, slot="P2", card="KD")
    assert [to for to, _, _ in held(deal)] == [4, 5]


def test_a_higher_minimum_of_either_hand_needs_its_sign() -> None:
    limits = {"player": {"minimum": 2500}, "banker": {"minimum": 1000}}
    deal = Deal(house={"wagers": {"chip": 500, "limits": limits}}).say("set_limits", minimum=2000)
    assert refused(deal) == ["notice_due"]
    assert refused(deal.say("set_limits", minimum=1000)) == ["notice_due"]


def test_wagers_are_reduced_by_those_who_deal() -> None:
    deal = wager(nsw(differential=5000), 1, "player", 20000).say("no_more_bets")
    for actor in ("technician:9", "inspector:2", "surveillance:3"):
        deal.say("acknowledge", actor, what="differential")
    assert refused(deal) == ["not_allowed"] * 3
    assert deal.say("acknowledge", "dealer:1", what="differential").data("differential.applied")


def test_an_own_limit_goes_with_its_player() -> None:
    deal = net().say("seat", seat=1, act="join", player="Ann").say("seat", seat=1, act="limit", amount=5000)
    deal.say("seat", seat=1, act="move", to=2).say("seat", seat=1, act="join", player="Bob")
    wager(wager(deal, 2, "player", 6000), 1, "player", 6000).say("seat", seat=2, act="limit", amount=6000)
    assert (placed(deal), refused(deal)) == ([(1, "player", 6000)], ["above_own_limit", "once_a_week"])


def test_two_inspections_take_two_persons_and_one_of_them_deals() -> None:
    for second in ("supervisor:5", "dealer:6"):
        deal = Deal(rules="nzg-1994", open=False).say("open_table")
        for actor in ("dealer:5", second):
            deal.say("attest", actor, what="inspection")
        deal.say("load_shoe")
        assert "inspection" in deal.data("shoe.loaded")[0]["not_attested"]
    deal = Deal(rules="nzg-1994", open=False)  # before the table opens
    for actor in ("dealer:5", "game_supervisor:6"):
        deal.say("attest", actor, what="inspection")
    deal.say("open_table").say("load_shoe")
    assert "inspection" not in deal.data("shoe.loaded")[0]["not_attested"]


def test_each_seat_has_its_dispute_and_a_new_one_when_the_last_is_over() -> None:
    deal = coup(nsw(), PLAYER_WINS)
    for seat in (3, 5):
        deal.say("dispute", "dealer:1", stage="raised", coup=1, seat=seat)
    deal.say("dispute", "game_supervisor:7", stage="game_supervisor", coup=1)  # whose?
    deal.say("dispute", "game_supervisor:7", stage="game_supervisor", coup=1, seat=5)
    assert [one["seat"] for one in deal.data("dispute.noted")] == [3, 5, 5]
    assert refused(deal) == ["wrong_stage"]


def test_the_table_is_not_closed_over_wagers_without_a_sign() -> None:
    deal = wager(nsw(), 1, "player", 500).say("close_table")
    assert refused(deal) == ["notice_due"]


def test_a_request_is_taken_back_by_naming_the_method_in_force() -> None:
    deal = Deal(procedure="squeeze", house={"main_floor": False}).say("set_method", method="A")
    deal.say("set_method", "duty_manager:1", method="D", inspector="inspector:2").say(
        "set_method", method="A"
    )
    deal.say("acknowledge", "surveillance:3", what="method")
    assert [one["to"] for one in deal.data("method.changed")] == ["A", "A"]
    assert refused(deal) == ["nothing_asked"]


def test_five_cards_with_none_turned_may_be_too_many_for_a_hand() -> None:
    """NSW-13.3: three went to one hand."""
    deal = Deal(procedure="dealer-reveal").say("no_more_bets").cards("9S", "2H", "KD", "5C", "3D")
    deal.say("report", "dealer:1", code="too_many_cards").say("resolve", code="too_many_cards", remedy="void")
    assert [(one["reason"], one["rule"]) for one in deal.data("coup.void")] == [
        ("too_many_cards", "NSW-13.3")
    ]


def test_a_card_too_many_is_burned_where_the_rules_say_so() -> None:
    """France: it is none of the next coup, and the cut card ends the shoe with the coup under way."""
    deal = Deal(rules="france", procedure="face-up", settle_s=5, decks=6).cards(*BANKER_WINS, "7H")
    for _ in range(6):
        deal.say("sign_in", "technician:1")
    deal.cards("AS", "2H").say("cut_card").cards("8D", "5C")
    for _ in range(6):
        deal.say("sign_in", "technician:1")
    (item,) = deal.data("irregularity.raised")
    assert (item["code"], item["remedies"], item["hold"]) == ("excess_card", [], False)
    assert deal.data("card.carried") == []
    assert [one["player"]["cards"] for one in deal.data("coup.result")][1] == ["AS", "8D"]
    assert deal.data("shoe.cut_card")[0]["last_coups"] == 1
    assert deal.types().count("betting.opened") == 2


def test_an_emergency_closes_whatever_coup_it_was_said_about() -> None:
    setup = Setup(
        table="T",
        rules=RULES["nsw"],
        procedure=PROCEDURES["dealer-reveal"],
        decks=8,
        software="",
        profile_sha256="",
    )
    table = Table()
    for part in PARTS:
        table = fold(table, decide(table, inp.Start(0, part), setup))
    late = inp.Command(1, "close_table", "supervisor:9", {}, expect_coup=7)
    (refused,) = decide(table, late, setup)
    assert isinstance(refused, ev.CommandRefused)
    assert refused.reason == "coup_moved_on"
    told = decide(table, replace(late, args={"emergency": True}), setup)
    assert [event.reason for event in told if isinstance(event, ev.TableClosed)] == ["emergency"]
