"""Methods, notices, limits, the game in play, attestations, disputes: what staff may say, and when."""

import json
from typing import Any

import pytest

from shoe_daemon.runtime.capture import read_capture
from shoe_daemon.runtime.replay import machine_of
from shoe_daemon.table import events as ev
from shoe_daemon.table.decide import next_due
from shoe_daemon.table.inputs import Command
from tests.table.evening import BANKER_WINS, NATURAL, Evening, only

MINUTE = 60
OFF_FLOOR = {"main_floor": False}
MANAGER = "duty_manager:1"
WATCH = "surveillance:4"


# -- methods --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["live", "nzg-1994", "macau", "intercasino", "france"])
def test_rules_without_methods_have_none(rules: str) -> None:
    assert Evening(rules=rules).say("set_method", method="A").refused == ["not_in_rules"]


def test_a_method_is_told_to_all_with_who_set_it_and_since_when() -> None:
    deal = Evening().say("set_method", "game_supervisor:7", method="B", seat=3)
    for who in ("public", "cage"):
        assert only(deal.data("method.changed", who)) == {
            "what": "method",
            "from": None,
            "to": "B",
            "seat": 3,
            "effective_at": "1970-01-01T00:00:01.000000Z",
            "approver": "game_supervisor:7",
        }


def test_the_same_method_may_have_another_seat() -> None:
    deal = Evening().say("set_method", method="B", seat=3).say("set_method", method="B", seat=3)
    deal.say("set_method", method="B", seat=4)
    assert deal.refused == ["already_set"]
    assert [one["seat"] for one in deal.data("method.changed")] == [3, 4]


def test_what_is_wrong_with_a_method_is_told_in_order() -> None:
    """A coup, then what is set already, then the floor, the manager, the inspector."""
    deal = Evening().say("no_more_bets").cards("9S").say("set_method", method="D")
    assert deal.refused == ["coup_open"]
    assert Evening().say("set_method", method="D").refused == ["main_floor"]
    assert Evening().say("set_method", MANAGER, method="E", inspector="i").refused == ["main_floor"]
    deal = Evening(house=OFF_FLOOR).say("set_method", method="D", inspector="i")
    deal.say("set_method", MANAGER, method="D").say("set_method", MANAGER, method="F")
    assert deal.refused == ["approval_needed", "inspector_needed", "bad_args"]


def _requested(method: str = "D") -> Evening:
    deal = Evening(house=OFF_FLOOR)
    deal.say("set_method", MANAGER, method=method, seat=2, inspector="inspector:5")
    return deal


@pytest.mark.parametrize("method", ["D", "E"])
def test_a_player_draws_only_once_surveillance_has_seen_it(method: str) -> None:
    deal = _requested(method)
    assert deal.heard("method.requested") == ["surveillance", "cage"]
    assert only(deal.data("method.requested", "cage")) == {
        "to": method,
        "seat": 2,
        "approver": MANAGER,
        "inspector": "inspector:5",
    }
    assert deal.data("method.changed") == []
    for actor in ("supervisor:9", MANAGER, "inspector:5"):
        deal.say("acknowledge", actor, what="method")
    assert deal.refused == ["not_allowed"] * 3
    deal.say("no_more_bets").cards("9S").say("acknowledge", WATCH, what="method").say("void")
    assert deal.refused[3:] == ["coup_open"]
    deal.say("acknowledge", WATCH, what="method")
    changed = only(deal.data("method.changed", "public"))
    assert (changed["to"], changed["seat"], changed["approver"]) == (method, 2, MANAGER)
    assert only(deal.data("alarm.cleared"))["what"] == "method"
    assert deal.say("acknowledge", WATCH, what="method").refused[4:] == ["nothing_asked"]


def test_a_new_shooter_needs_no_new_request() -> None:
    deal = _requested().say("acknowledge", WATCH, what="method")
    deal.say("set_method", MANAGER, method="D", seat=3)
    assert len(deal.data("method.requested")) == 1
    assert [one["seat"] for one in deal.data("method.changed")] == [2, 3]


def test_any_other_acknowledgement_clears_an_alarm_alone() -> None:
    deal = Evening().say("acknowledge", "technician:8", what="composition_exceeded")
    assert [one["what"] for one in deal.data("alarm.cleared")] == ["composition_exceeded"]
    assert deal.heard("alarm.cleared") == ["surveillance"]


def test_a_coup_is_called_by_the_method_it_began_under() -> None:
    deal = Evening().say("set_method", method="B").coup(*NATURAL)
    deal.say("declare_no_bet").cards(*NATURAL).say("reveal").say("confirm").coup(*NATURAL)
    assert [one["method"] for one in deal.data("coup.result")] == ["B", "C", "B"]


@pytest.mark.parametrize("procedure", ["face-up", "result-button"])
def test_where_nobody_calls_the_end_a_method_is_a_name(procedure: str) -> None:
    deal = Evening(procedure=procedure).say("set_method", method="A").cards(*NATURAL)
    if procedure == "result-button":
        deal.say("reveal")
    assert [one["method"] for one in deal.data("coup.result")] == ["A"]


# -- notices --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "refused"),
    [
        ({"what": "minimum"}, ["bad_args"]),
        ({"what": "minimum", "to": "50"}, ["bad_args"]),
        ({"what": "minimum", "to": 10**30}, ["bad_args"]),
        ({"what": "game", "to": 50}, ["bad_args"]),
        ({"what": "game"}, ["bad_args"]),
        ({"what": "else"}, ["bad_args"]),
        ({"what": "other"}, []),
        ({"what": "closing"}, []),
    ],
)
def test_what_a_notice_says(args: dict[str, Any], refused: list[str]) -> None:
    assert Evening().say("notice", **args).refused == refused


def test_a_notice_says_what_will_hold_and_when() -> None:
    deal = Evening().say("set_limits", minimum=10).say("notice", what="minimum", to=50)
    for who in ("public", "surveillance", "cage"):
        told = only(deal.data("notice.posted", who))
        assert (told["id"], told["what"], told["from"], told["to"]) == (1, "minimum", 10, 50)
        assert (told["rule"], told["approver"]) == ("NSW-6.4", "supervisor:9")
        assert told["effective_at"] == "1970-01-01T00:20:02.000000Z"


DONE: dict[str, tuple[dict[str, Any], tuple[str, dict[str, Any]]]] = {
    "minimum": ({"what": "minimum", "to": 50}, ("set_limits", {"minimum": 50})),
    "closing": ({"what": "closing", "to": "02:00"}, ("close_table", {"players": True})),
    "game": ({"what": "game", "to": "nsw-even-money"}, ("set_rules", {"rules": "nsw-even-money"})),
}


def _posted(what: str, rules: str = "nsw") -> Evening:
    deal = Evening(rules=rules, house={"others": ["nsw-even-money" if rules != "nsw-even-money" else "nsw"]})
    deal.say("set_limits", minimum=10).say("notice", **DONE[what][0])
    return deal


def _done(deal: Evening, what: str) -> list[str]:
    verb, args = DONE[what][1]
    return deal.say(verb, **args).refused


@pytest.mark.parametrize("what", DONE)
@pytest.mark.parametrize(("seconds", "refused"), [(20 * MINUTE - 2, ["notice_due"]), (20 * MINUTE, [])])
def test_twenty_minutes(what: str, seconds: int, refused: list[str]) -> None:
    """The command comes one second after the wait."""
    deal = _posted(what).wait(seconds)
    assert _done(deal, what) == refused
    assert len(deal.data("notice.ripe", "public")) == (not refused)


@pytest.mark.parametrize("what", DONE)
def test_a_restart_never_shortens(what: str) -> None:
    """Nineteen full minutes and a part of one, a stop of a day, the part again: still one minute short."""
    deal = _posted(what).wait(19 * MINUTE + 50).service("stopped")
    deal.service("started", after=86_400).wait(58)
    assert _done(deal, what) == ["notice_due"]
    assert _done(deal.wait(1), what) == ["notice_due"]


@pytest.mark.parametrize("what", DONE)
def test_a_crash_shortens_no_more_than_a_stop(what: str) -> None:
    deal = _posted(what).wait(19 * MINUTE + 50).service("started").wait(58)
    assert _done(deal, what) == ["notice_due"]


@pytest.mark.parametrize("what", DONE)
def test_nothing_is_due_where_the_rules_ask_for_nothing(what: str) -> None:
    rules = "live"
    deal = Evening(rules=rules, house={"others": ["nsw-even-money"]}).say("set_limits", minimum=10)
    assert _done(deal, what) == []
    assert Evening(rules=rules).say("notice", **DONE[what][0]).wait(3000).data("notice.ripe") == []


def test_a_notice_is_good_for_what_it_says_alone() -> None:
    deal = _posted("minimum").wait(20 * MINUTE).say("set_limits", minimum=60).say("set_limits", minimum=49)
    assert deal.say("set_limits", minimum=50).refused == ["notice_due", "notice_due"]
    deal.say("set_limits", minimum=20).say("set_limits", minimum=50)  # what the notice announced was done
    assert deal.refused[2:] == ["notice_due"]
    assert _done(_posted("closing").wait(20 * MINUTE).say("set_limits", minimum=20), "closing") == [
        "notice_due"
    ]


def test_an_emergency_waits_for_nothing() -> None:
    deal = Evening().say("no_more_bets").cards("9S").say("close_table", emergency=True)
    assert (deal.refused, deal.types()[-2:]) == ([], ["coup.void", "table.closed"])


# -- limits ---------------------------------------------------------------------------------------------


SIGN = {
    "wagers": {
        "chip": 5,
        "limits": {"player": {"minimum": 10, "maximum": 1000}, "banker": {"minimum": 10, "maximum": 500}},
    }
}


@pytest.mark.parametrize(
    ("args", "refused"),
    [
        ({}, ["already_set"]),
        ({"minimum": 100, "maximum": 50}, ["bad_args"]),
        ({"seat": 1, "unit": 5}, ["bad_args"]),
        ({"seat": 1, "differential": 5}, ["bad_args"]),
        ({"maximum": 0}, ["bad_args"]),
        ({"maximum": 1.5}, ["bad_args"]),
        ({"maximum": 10**30}, ["bad_args"]),
        ({"seat": 1, "minimum": 5, "maximum": 900}, []),
    ],
)
def test_limits_that_cannot_be_set(args: dict[str, Any], refused: list[str]) -> None:
    assert Evening().say("set_limits", **args).refused == refused


@pytest.mark.parametrize(
    "args",
    [
        {"seat": 3, "minimum": 2000},  # above the table's own maximum
        {"seat": 3, "maximum": 5},  # below its minimum
        {"minimum": 600},  # above the maximum of one bet
        {"maximum": 5},
    ],
)
def test_limits_that_contradict_the_sign_are_refused(args: dict[str, Any]) -> None:
    """Money goes on being taken after it."""
    deal = Evening(rules="macau", house=SIGN).say("set_limits", **args)
    deal.say("wager", seat=3, bet="banker", amount=100).coup(*NATURAL)
    assert deal.refused == ["bad_args"]
    assert only(deal.data("settlement", "cage"))["totals"]["kept"] == 100


def test_a_higher_minimum_must_leave_room_below_the_maximum_of_every_seat() -> None:
    deal = Evening(rules="macau", house=SIGN).say("set_limits", seat=3, maximum=50)
    deal.say("set_limits", minimum=60).say("set_limits", seat=3, maximum=70).say("set_limits", minimum=60)
    assert deal.refused == ["bad_args"]


def test_each_changed_limit_is_told_in_order() -> None:
    deal = Evening().say("set_limits", unit=5, differential=900, maximum=500, minimum=10)
    deal.say("set_limits", maximum=500, minimum=5)
    told = [
        (one["what"], one["from"], one["to"], one["seat"]) for one in deal.data("limits.changed", "public")
    ]
    assert told == [
        ("minimum", None, 10, None),
        ("maximum", None, 500, None),
        ("differential", None, 900, None),
        ("unit", None, 5, None),
        ("minimum", 10, 5, None),
    ]


def test_a_seat_needs_no_notice_and_the_sign_counts_as_a_limit() -> None:
    deal = Evening(house=SIGN).say("set_limits", seat=3, minimum=50).say("set_limits", minimum=20)
    assert deal.refused == ["notice_due"]  # the sign says 10 already


# -- the game in play -----------------------------------------------------------------------------------


def test_a_game_is_changed_between_coups_by_consent() -> None:
    house = {"others": ["nsw-even-money"], **SIGN}
    deal = Evening(house=house).say("set_rules", rules="nsw").say("set_rules", rules="macau", consent=True)
    deal.say("wager", seat=1, bet="banker", amount=100).say("set_rules", rules="nsw-even-money", consent=True)
    deal.say("no_more_bets").cards("KS").say("set_rules", rules="nsw-even-money", consent=True)
    assert deal.refused == ["already_set", "not_configured", "wagers_down", "coup_open"]
    deal.say("void").say("set_rules", rules="nsw-even-money", consent=True)
    assert only(deal.data("rules.changed", "public"))["to"] == "nsw-even-money"
    assert deal.coup(*BANKER_WINS).data("settlement", "cage")[-1]["pays"] == {"banker": "1"}


def test_a_coup_that_has_a_card_keeps_its_rules_and_so_do_its_wagers() -> None:
    """A card was carried into the coming coup; then another game is put in play, and wagers are taken."""
    house = {"others": ["nzg-1994"], "wagers": {"chip": 500}}
    deal = Evening(house=house).say("no_more_bets").cards(*NATURAL).say("reveal").cards("KS")
    deal.say("undisclosed").say("confirm").say("set_rules", rules="nzg-1994", consent=True)
    deal.say("wager", seat=1, bet="banker", amount=13_000).say("no_more_bets").cards("2H", "3D", "5C")
    deal.say("reveal").cards("KH").say("reveal").say("confirm")
    result, money = deal.data("coup.result")[-1], deal.data("settlement", "cage")[-1]
    assert (result["rules"]["name"], result["outcome"]) == ("nsw", "banker")
    assert (deal.refused, money["totals"]["paid"]) == ([], 12_500)


# -- before a shoe, disputes, staff -------------------------------------------------------------------


def test_a_shoe_that_must_be_attested_waits_for_all_of_it() -> None:
    deal = Evening(rules="nzg-1994", open=False, house={"attest": "required"}).say("open_table")
    for what, actor in (
        ("inspection", "dealer:1"),
        ("inspection", "dealer:1"),
        ("inspection", "supervisor:9"),
    ):
        deal.say("attest", actor, what=what).say("load_shoe")
    for what in ("spread", "wash", "stack", "shuffle"):
        deal.say("load_shoe").say("attest", what=what)
    deal.say("load_shoe").say("attest", what="cut")
    assert deal.refused == ["attest_due", "same_person", *["attest_due"] * 6, "shoe_loaded"]
    assert deal.heard("shoe.attested") == ["surveillance", "cage"]
    assert only(deal.data("shoe.loaded"))["not_attested"] == []
    sealed = (
        Evening(rules="nzg-1994", open=False).say("open_table").say("attest", what="seal").say("load_shoe")
    )
    assert only(sealed.data("shoe.loaded", "cage"))["not_attested"] == []
    assert "not_attested" not in only(sealed.data("shoe.loaded", "public"))


def test_a_dispute_goes_by_its_stages() -> None:
    deal = Evening().say("dispute", stage="raised").coup(*NATURAL).say("dispute", stage="raised", coup=9)
    deal.say("dispute", stage="game_supervisor", coup=1).say("dispute", "dealer:1", stage="raised", coup=1)
    deal.say("dispute", "dealer:1", stage="game_supervisor", coup=1)
    deal.say("dispute", "game_supervisor:1", stage="game_supervisor", coup=1)
    deal.say("dispute", "game_supervisor:1", stage="casino_supervisor", coup=1)
    deal.say("dispute", stage="casino_supervisor", coup=1, decision="stands")
    deal.say("dispute", stage="inspector", coup=1).say("dispute", "inspector:5", stage="inspector", coup=1)
    deal.say("dispute", "inspector:5", stage="inspector", coup=1)
    assert deal.refused == ["no_coup", "no_coup", "wrong_stage", *["not_allowed"] * 3, "wrong_stage"]
    assert deal.heard("dispute.noted") == ["surveillance"]
    assert len(deal.data("dispute.noted")) == 4


def test_staff_come_and_go_at_a_closed_table_too() -> None:
    deal = Evening().say("close_table").say("sign_in", "inspector:5").say("sign_out", "technician:8")
    assert deal.refused == []
    assert only(deal.data("staff.signed_in"))["person"] == "inspector:5"
    assert deal.heard("staff.signed_out") == ["surveillance"]


# -- order and timers -----------------------------------------------------------------------------------


def test_events_of_the_house_are_told_where_they_belong() -> None:
    assert ev.BettingWithdrawOnly.rank == ev.CoupPending.rank < ev.CoupVoid.rank
    assert ev.CoupInvalidated.rank == ev.CoupVoid.rank == ev.CoupResult.rank == ev.Settlement.rank
    assert {ev.ShoeEmpty.rank, ev.Attested.rank} == {ev.ShoeClosed.rank}
    house = (
        ev.TablePaused,
        ev.TableResumed,
        ev.MethodRequested,
        ev.MethodChanged,
        ev.RulesChanged,
        ev.LimitsChanged,
        ev.NoticePosted,
        ev.NoticeRipe,
        ev.DisputeNoted,
        ev.Acknowledged,
        ev.SignedIn,
        ev.SignedOut,
    )
    assert {kind.rank for kind in house} == {ev.TableClosed.rank}


def test_an_empty_shoe_that_had_a_card_after_all_leaves_no_timer_behind() -> None:
    """Two cards wait, the shoe is called empty, and one more comes: it is the third of the coming coup."""
    line = json.dumps({"t": 0, "profile": "beetek-rs232", "rules": "nsw", "procedure": "dealer-reveal"})
    machine = machine_of(read_capture(iter([line]))[0], "delayed")
    machine.start(0)

    def say(verb: str, at: int) -> None:
        machine.command(Command(at, verb, "supervisor:9", {}))

    def card(face: str, at: int) -> None:
        machine.rx(f"[Game]<Card:{face}>\r\n".encode(), at)

    say("no_more_bets", 1)
    for at, face in enumerate(NATURAL, 2):
        card(face, at)
    say("reveal", 6)
    card("3S", 7)
    card("4S", 8)
    say("confirm", 9)
    say("shoe_empty", 10)
    card("5S", 11)
    coup = machine.table.open_coup
    assert coup is not None
    assert (len(coup.cards), next_due(machine.table)) == (3, None)
