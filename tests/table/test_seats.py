"""Wagers and seats over the control channel: what is taken, what goes back, who plays."""

from typing import Any

import pytest

from tests.table.evening import BANKER_SIX, BANKER_WINS, NATURAL, TIE, Evening, only

LIMITS = {"minimum": 10, "maximum": 1000}
SIGN = {"wagers": {"chip": 5, "limits": {"player": LIMITS, "banker": LIMITS}}}
IC_LIMITS = {"minimum": 500, "maximum": 30_000}
IC_SIGN = {"wagers": {"chip": 100, "limits": dict.fromkeys(("player", "banker", "tie"), IC_LIMITS)}}


def money(deal: Evening) -> list[dict[str, Any]]:
    return deal.data("settlement", "cage")


# -- wagers (NSW-6, 13.2, 14.4, 14.5) -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verb", "args"),
    [
        ("wager", {"seat": 1, "bet": "player", "amount": 10}),
        ("withdraw", {"seat": 1}),
        ("seat", {"seat": 1, "act": "join", "player": "anna"}),
        ("acknowledge", {"what": "differential"}),
    ],
)
def test_a_table_without_a_sign_takes_nothing(verb: str, args: dict[str, Any]) -> None:
    assert Evening().say(verb, **args).refused == ["not_taken"]


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ({"amount": 5}, "below_minimum"),
        ({"amount": 1005}, "above_maximum"),
        ({"amount": 12}, "not_in_chips"),
        ({"seat": 15}, "no_seat"),
        ({"bet": "dragon-7"}, "unknown_bet"),
        ({"bet": ""}, "bad_args"),
        ({"amount": 0}, "bad_args"),
        ({"amount": -10}, "bad_args"),
        ({"amount": 10.0}, "bad_args"),
        ({"amount": "10"}, "bad_args"),
        ({"amount": True}, "bad_args"),
        ({"amount": 10**15}, "bad_args"),
        ({"backer": "a" * 65}, "bad_args"),
        ({"late": True}, "no_coup"),
    ],
)
def test_wagers_that_are_not_taken(args: dict[str, Any], reason: str) -> None:
    deal = Evening(house=SIGN).say("wager", **{"seat": 1, "bet": "player", "amount": 100, **args})
    assert deal.refused == [reason]
    assert deal.data("wager.placed", "cage") == []


def test_a_wager_is_the_cages_alone_and_so_is_what_became_of_it() -> None:
    deal = Evening(house=SIGN).say("wager", seat=1, bet="player", amount=100)
    deal.say("wager", seat=2, bet="banker", amount=50).say("withdraw", seat=2).say("declare_no_bet")
    for kind in ("wager.placed", "wager.withdrawn", "wagers.returned"):
        assert deal.heard(kind) == ["cage"]
    told = only(deal.data("wagers.returned", "cage"))
    assert (told["reason"], told["totals"]["returned"]) == ("no_bet", 100)


@pytest.mark.parametrize("verb", ["close_shoe", "close_table"])
@pytest.mark.parametrize("closed", [False, True])
def test_wagers_go_back_when_no_coup_follows(verb: str, *, closed: bool) -> None:
    """Also where the dealer has said no more bets."""
    deal = Evening(house=SIGN).say("wager", seat=1, bet="player", amount=100)
    if closed:
        deal.say("no_more_bets")
    deal.say(verb)
    if verb == "close_table":
        assert deal.refused == ["notice_due"]  # players are present: their wagers lie there
        deal.say(verb, emergency=True)
    told = only(deal.data("wagers.returned", "cage"))
    assert (told["reason"], told["totals"]["returned"]) == ("betting_closed", 100)


def test_wagers_lie_through_a_pause_after_the_dealers_word() -> None:
    deal = Evening(house=SIGN).say("wager", seat=1, bet="player", amount=100).say("no_more_bets")
    deal.say("pause").cards(*NATURAL).say("reveal").say("confirm")
    assert money(deal)[0]["totals"]["paid"] == 100
    open_still = Evening(house=SIGN).say("wager", seat=1, bet="player", amount=100).say("pause")
    assert only(open_still.data("wagers.returned", "cage"))["reason"] == "betting_closed"


@pytest.mark.parametrize("again", [["open_betting"], ["pause", "resume"]])
def test_wagers_stay_when_betting_opens_again(again: list[str]) -> None:
    deal = Evening(house=SIGN).say("wager", seat=1, bet="player", amount=100).say("no_more_bets")
    for verb in again:
        deal.say(verb)
    deal.say("wager", seat=2, bet="player", amount=50).coup(*NATURAL)
    assert [(line["seat"], line["paid"]) for line in money(deal)[0]["stakes"]] == [(1, 100), (2, 50)]


def test_a_no_bet_coup_that_was_not_dealt_bars_no_wager_of_the_next_shoe() -> None:
    deal = Evening(house=SIGN, betting_opens="command").say("declare_no_bet").say("close_shoe")
    deal.say("load_shoe").say("open_betting").cards("9S")
    deal.say("wager", seat=1, bet="player", amount=100, late=True)
    assert deal.refused == []


def test_no_late_wager_where_betting_never_opened() -> None:
    """Nothing can have lain there: the first coup before any bets, and one that two carried cards opened."""
    first = Evening(house=SIGN, betting_opens="command").say("close_shoe").say("load_shoe").cards("9S")
    first.say("wager", seat=1, bet="player", amount=100, late=True)
    carried = Evening(house=SIGN).say("no_more_bets").cards("7S", "6H", "KD", "KC").say("reveal")
    carried.cards("4S", "9D").say("confirm").say("undisclosed")
    carried.say("wager", seat=1, bet="player", amount=100, late=True)
    called_off = (
        Evening(house=SIGN).say("no_more_bets").cards("9S", "2H", "KD", "5C").say("reveal").say("confirm")
    )
    called_off.say("wager", seat=1, bet="player", amount=100).say("pause").cards("4H").say("undisclosed")
    called_off.cards("3H").say("undisclosed").say("resume")
    called_off.say("wager", seat=1, bet="player", amount=100, late=True)
    assert first.refused == carried.refused == called_off.refused == ["betting_closed"]


def test_a_late_wager_stands_whatever_its_amount() -> None:
    deal = Evening(house=SIGN).say("no_more_bets").cards("9S")
    deal.say("wager", seat=1, bet="player", amount=5000).say(
        "wager", seat=1, bet="player", amount=5, late=True
    )
    deal.say("wager", seat=2, bet="player", amount=5000, late=True).cards("2H", "KD", "5C")
    deal.say("reveal").say("confirm")
    assert deal.refused == ["betting_closed"]
    assert [(line["seat"], line["paid"]) for line in money(deal)[0]["stakes"]] == [(1, 5), (2, 5000)]


def test_after_a_reconstruction_wagers_only_come_off() -> None:
    deal = Evening(house=SIGN).say("wager", seat=1, bet="player", amount=100)
    deal.say("wager", seat=2, bet="tie", amount=10).say("no_more_bets").cards("9S", "2H").say(
        "withdraw", seat=1
    )
    deal.say("report", code="misdeal").say("resolve", code="misdeal", remedy="reconstruct")
    deal.say("wager", seat=3, bet="player", amount=100).say("wager", seat=1, bet="player", amount=50)
    deal.say("withdraw", seat=1).say("withdraw", seat=1)
    deal.say("wager", seat=1, bet="player", amount=100, late=True)
    assert deal.refused == [
        "betting_closed",
        "only_withdraw",
        "only_withdraw",
        "no_such_wager",
        "only_withdraw",
    ]
    assert deal.types()[-1] == "betting.withdraw_only"
    deal.say("withdraw", seat=2)
    void = only(deal.data("coup.void", "public"))
    assert void == {"reason": "wagers_removed", "rule": "NSW-13.2"}
    assert money(deal) == []


def test_a_parked_coup_that_is_void_gives_back_its_own_wagers() -> None:
    """The same seat has the same wager on the coming coup: that one stays."""
    deal = Evening(house=SIGN).say("wager", seat=1, bet="player", amount=100).say("no_more_bets")
    deal.cards(*NATURAL).say("report", code="device_reset").say("reveal").say("open_betting")
    deal.say("wager", seat=1, bet="player", amount=300).say("void", coup=1, shoe=1).coup(*NATURAL)
    assert only(deal.data("wagers.returned", "cage"))["totals"]["returned"] == 100
    assert [line["stake"] for line in only(money(deal))["stakes"]] == [300]


def test_one_may_not_be_on_both_hands_in_nsw() -> None:
    deal = Evening(house=SIGN).say("wager", seat=1, bet="player", amount=100)
    deal.say("wager", seat=1, bet="banker", amount=100).say("wager", seat=1, bet="tie", amount=10)
    deal.say("wager", seat=1, bet="banker", amount=100, backer="anna")
    assert deal.refused == ["both_sides"]
    both = Evening(house=SIGN, rules="live")
    both.say("wager", seat=1, bet="player", amount=100).say("wager", seat=1, bet="banker", amount=100)
    assert both.refused == []


def test_the_differential_is_proposed_and_a_person_applies_it() -> None:
    """Player 1000 + 500 + 300, Banker 400, differential 1000, chip 5: 775, 385 and 230 stay."""
    sign = {"wagers": {"chip": 5, "differential": 1000}}
    deal = Evening(house=sign).say("acknowledge", what="differential")
    for seat, amount in enumerate((1000, 500, 300), 1):
        deal.say("wager", seat=seat, bet="player", amount=amount)
    deal.say("wager", seat=4, bet="banker", amount=400).say("wager", seat=5, bet="tie", amount=5000)
    deal.say("acknowledge", what="differential").say("no_more_bets")
    proposal = only(deal.data("differential.proposed", "cage"))["proposal"]
    assert [one["after"] for one in proposal["reductions"]] == [775, 385, 230]
    assert deal.heard("differential.proposed") == ["surveillance", "cage"]
    deal.say("acknowledge", "dealer:2", what="differential").say("acknowledge", what="differential")
    assert deal.refused == ["nothing_asked"] * 3
    deal.cards(*NATURAL).say("reveal").say("confirm")
    assert [line["stake"] for line in money(deal)[0]["stakes"]] == [775, 385, 230, 400, 5000]


def test_wagers_that_nobody_reduced_stand() -> None:
    sign = {"wagers": {"chip": 5, "differential": 50}}
    deal = Evening(house=sign).say("wager", seat=1, bet="player", amount=500).say("no_more_bets").cards("9S")
    deal.say("acknowledge", what="differential").cards(*NATURAL[1:]).say("reveal").say("confirm")
    assert deal.refused == ["coup_open"]
    assert money(deal)[0]["totals"]["paid"] == 500


def test_nothing_is_proposed_of_a_coup_that_was_entered_whole() -> None:
    sign = {"wagers": {"chip": 5, "differential": 50}}
    deal = Evening(house=sign, betting_opens="command").say("wager", seat=1, bet="player", amount=500)
    deal.say("enter_result", outcome="player", player=["9S", "KD"], banker=["2H", "5C"])
    deal.say("acknowledge", what="differential")
    assert (deal.refused, money(deal)[0]["totals"]["paid"]) == (["nothing_asked"], 500)


def test_what_each_revision_changes() -> None:
    deal = Evening(house=SIGN).say("wager", seat=1, bet="player", amount=100)
    deal.say("wager", seat=2, bet="banker", amount=100).coup(*TIE)
    deal.say("correct", slot="P1", card="8S").say("invalidate", ground="fraud", forfeit=[2])
    first, second, third = money(deal)
    assert [one["kind"] for one in (first, second, third)] == ["pay", "adjust", "return"]
    assert [one["revision"] for one in (first, second, third)] == [1, 2, 3]
    assert first["totals"] == {"stake": 200, "paid": 0, "commission": 0, "returned": 200, "kept": 0}
    assert second["totals"] == {"stake": 0, "paid": 95, "commission": 5, "returned": -100, "kept": 100}
    assert third["totals"] == {"stake": 0, "paid": -95, "commission": -5, "returned": 0, "kept": 0}
    assert [line["kind"] for line in third["stakes"]] == ["returned", "forfeited"]
    assert third["forfeit"] == [2]


@pytest.mark.parametrize(
    ("rules", "cards", "pays", "paid"),
    [
        ("nsw", BANKER_SIX, {"banker": "19/20"}, [0, 95, 0]),
        ("nsw-even-money", BANKER_SIX, {"banker": "1/2"}, [0, 50, 0]),
        ("nsw-even-money", BANKER_WINS, {"banker": "1"}, [0, 100, 0]),
        ("nsw", TIE, {"tie": "8", "player": "0", "banker": "0"}, [0, 0, 800]),
        ("nsw", NATURAL, {"player": "1"}, [100, 0, 0]),
    ],
)
def test_what_is_paid(rules: str, cards: tuple[str, ...], pays: dict[str, str], paid: list[int]) -> None:
    deal = Evening(house=SIGN, rules=rules)
    for seat, bet in enumerate(("player", "banker", "tie"), 1):
        deal.say("wager", seat=seat, bet=bet, amount=100)
    deal.coup(*cards)
    assert [line["paid"] for line in money(deal)[0]["stakes"]] == paid
    assert money(deal)[0]["pays"] == pays


def test_side_bets_are_paid_with_the_others() -> None:
    house = {**SIGN, "side_bets": ["player-pair", "dragon-bonus-player", "small"]}
    deal = Evening(house=house)
    for seat, bet in enumerate(("player-pair", "dragon-bonus-player", "small"), 1):
        deal.say("wager", seat=seat, bet=bet, amount=100)
    deal.coup("9S", "2H", "9D", "6C")
    told = money(deal)[0]
    assert deal.data("coup.result", "public")[0]["bets"] == {
        "player-pair": "win",
        "dragon-bonus-player": "push",
        "small": "win",
    }
    assert told["pays"]["player-pair"] == "11"
    assert told["pays"]["dragon-bonus-player"] == "0"
    assert [(line["kind"], line["paid"]) for line in told["stakes"]] == [
        ("win", 1100),
        ("push", 0),
        ("win", 150),
    ]


# -- seats (IC-window) ----------------------------------------------------------------------------------


def ic(*seats: int) -> Evening:
    deal = Evening(rules="intercasino", house=IC_SIGN)
    for seat in seats:
        deal.say("seat", seat=seat, act="join", player=f"p{seat}")
    return deal


def at_the_second_coup(*seats: int) -> Evening:
    """Everybody was asked at the moment when betting opened."""
    return ic(*seats).coup(*NATURAL)


def test_whoever_sits_down_first_is_asked_at_once() -> None:
    deal = ic(3)
    asked = only(deal.data("seats.asked", "public"))
    assert asked == {"until": "1970-01-01T00:00:16.000000Z"}
    deal.say("wager", seat=3, bet="tie", amount=100).say("seat", seat=3, act="deal")
    assert only(deal.data("seats.ready", "public")) == {"dealt_in": [3]}
    deal.coup(*TIE)
    assert (deal.refused, money(deal)[0]["totals"]["paid"]) == ([], 4000)  # raised to 500


def test_whoever_comes_while_others_are_asked_waits_for_the_next_coup() -> None:
    deal = ic(3, 4).say("seat", seat=4, act="deal")
    assert deal.refused == ["waiting"]
    assert deal.coup(*NATURAL).say("seat", seat=4, act="deal").refused == ["waiting"]


@pytest.mark.parametrize(("seconds", "out"), [(13, []), (14, [1])])
def test_fifteen_seconds(seconds: int, out: list[int]) -> None:
    deal = ic(1).wait(seconds).say("seat", seat=1, act="deal")
    excluded = [one["seat"] for one in deal.data("seat.changed", "cage") if one["state"] == "excluded"]
    assert excluded == out
    assert deal.refused == (["excluded"] if out else [])


def test_wagers_of_who_does_not_deal_go_back() -> None:
    deal = at_the_second_coup(1, 2, 3, 4)
    for seat in (1, 2, 3, 4, 5):  # nobody sits at 5
        deal.say("wager", seat=seat, bet="banker", amount=1000)
    deal.say("seat", seat=1, act="deal").say("seat", seat=2, act="pass").say("seat", seat=4, act="deal")
    deal.say("seat", seat=4, act="leave").coup(*NATURAL).say("seat", seat=3, act="deal")
    back = [line["seat"] for one in deal.data("wagers.returned", "cage") for line in one["lines"]]
    assert back == [4, 2, 3, 5]
    assert [line["seat"] for line in money(deal)[-1]["stakes"]] == [1]


def test_the_window_ends_with_the_dealers_word() -> None:
    deal = at_the_second_coup(1, 2).say("seat", seat=1, act="deal").say("no_more_bets")
    deal.say("seat", seat=2, act="deal")
    assert deal.refused == ["excluded"]


@pytest.mark.parametrize("last", ["deal", "pass", "leave"])
def test_the_deal_may_start_once_every_seat_has_pressed_or_left(last: str) -> None:
    deal = at_the_second_coup(1, 2).say("seat", seat=1, act="deal").say("seat", seat=1, act="deal")
    assert (deal.data("seats.ready", "public"), deal.refused) == ([], ["answered"])
    deal.say("seat", seat=2, act=last)
    assert only(deal.data("seats.ready", "public")) == {"dealt_in": [1, 2] if last == "deal" else [1]}


def test_a_repeat_is_the_last_coups_wagers_within_the_limits_of_now() -> None:
    deal = ic(1).say("wager", seat=1, bet="player", amount=500).say("wager", seat=1, bet="tie", amount=900)
    deal.say("seat", seat=1, act="deal").coup(*NATURAL).say("set_limits", minimum=800)
    deal.say("seat", seat=1, act="repeat").say("seat", seat=2, act="repeat")
    again = [(one["bet"], one["amount"], one["raised"]) for one in deal.data("wager.placed", "cage")[2:]]
    assert (again, deal.refused) == ([("player", 800, 300), ("tie", 900, 0)], ["no_such_wager"])


def test_a_repeat_is_all_or_nothing() -> None:
    deal = ic(1).say("wager", seat=1, bet="tie", amount=900).say("wager", seat=1, bet="player", amount=5000)
    deal.say("seat", seat=1, act="deal").coup(*NATURAL).say("set_limits", maximum=4000)
    deal.say("seat", seat=1, act="repeat")
    assert (deal.refused, len(deal.data("wager.placed", "cage"))) == (["above_maximum"], 2)


def test_places_are_taken_changed_and_given_up() -> None:
    deal = ic(1, 2).say("seat", seat=1, act="join", player="x").say("seat", seat=3, act="join", player="p1")
    deal.say("seat", seat=6, act="join", player="x").say("seat", seat=3, act="join")
    deal.say("seat", seat=2, act="move", to=1).say("seat", seat=2, act="move", to=6)
    deal.say("seat", seat=2, act="move").say("seat", seat=4, act="leave").say(
        "seat", seat=2, act="move", to=5
    )
    deal.say("seat", seat=1, act="deal").say("seat", seat=1, act="move", to=4)
    assert deal.refused == [
        *["seat_taken"] * 2,
        "no_seat",
        "bad_args",
        "seat_taken",
        "no_seat",
        "bad_args",
        "no_seat",
        "coup_open",
    ]
    assert deal.heard("seat.changed") == ["surveillance", "cage"]


def test_seats_and_pit_speak_and_no_rule_reads_it() -> None:
    deal = (
        ic(1, 2).say("seat", seat=1, act="say", text="hello", to=2).say("seat", seat=1, act="say", text="pit")
    )
    deal.say("seat", seat=2, act="say", text="yes", from_pit=True).say("seat", seat=3, act="say", text="no")
    deal.say("seat", seat=1, act="say", text="a\nb").say("seat", seat=1, act="say")
    assert deal.refused == ["no_seat", "bad_message", "bad_message"]
    said = [(one["sender"], one["to"], one["text"]) for one in deal.data("seat.message", "cage")]
    assert said == [(1, 2, "hello"), (1, None, "pit"), (None, 2, "yes")]
    assert deal.heard("seat.message") == ["surveillance", "cage"]


def test_a_players_own_limit_is_below_the_tables_and_set_once_a_week() -> None:
    deal = ic(1).say("seat", seat=1, act="limit").say("seat", seat=2, act="limit", amount=800)
    deal.say("seat", seat=1, act="limit", amount=30_000).say("seat", seat=1, act="limit", amount=499)
    deal.say("seat", seat=1, act="limit", amount=800).say("seat", seat=1, act="limit", amount=700)
    deal.say("wager", seat=1, bet="tie", amount=900).say("wager", seat=2, bet="tie", amount=900)
    assert deal.refused == [
        "bad_args",
        "no_seat",
        "above_maximum",
        "below_minimum",
        "once_a_week",
        "above_own_limit",
    ]
    deal.wait(8 * 86_400).say("seat", seat=1, act="limit", amount=900)
    deal.say("wager", seat=1, bet="tie", amount=900)
    assert [one["maximum"] for one in deal.data("seat.limit", "cage")] == [800, 900]
    assert deal.refused[6:] == []
    assert Evening(house=SIGN).say("seat", seat=1, act="join", player="p").say(
        "seat", seat=1, act="limit", amount=50
    ).refused == ["not_in_rules"]


def test_who_lets_three_rounds_pass_at_a_full_table_may_be_asked_to_leave() -> None:
    deal = ic(1, 2, 3, 4, 5).coup(*NATURAL)
    for _ in range(4):
        for seat in (1, 2, 3, 4):
            deal.say("wager", seat=seat, bet="player", amount=500).say("seat", seat=seat, act="deal")
        deal.coup(*NATURAL)
    assert [one["seats"] for one in deal.data("seat.idle", "cage")][-1] == [5]
    assert deal.heard("seat.idle") == ["surveillance", "cage"]
