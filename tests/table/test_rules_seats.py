"""Rules of the game on the Internet as a table keeps them: limits, wagers, seats that pass or deal."""

from tests.table.dealt import Deal
from tests.table.staked import PLAYER_WINS, coup, net, placed, refused, sign, stakes, wager


def test_a_wager_below_the_minimum_is_raised_and_one_above_the_maximum_refused() -> None:
    """IC-bets.raise, IC-limits."""
    deal = net(minimum=500, maximum=30000)
    wager(wager(wager(deal, 1, "tie", 200), 2, "player", 30100), 3, "tie", 30000)
    assert [(one["amount"], one["raised"]) for one in deal.data("wager.placed", "cage")] == [
        (500, 300),
        (30000, 0),
    ]
    assert refused(deal) == ["above_maximum"]


def test_the_three_bets_may_be_combined_and_there_is_no_fourth() -> None:
    """IC-bets.together, IC-bets.kinds, IC-bets.tie, LB-bets.areas."""
    for deal in (net(), Deal(rules="live", procedure="face-up", house=sign())):
        for bet in ("player", "banker", "tie", "dealer"):
            wager(deal, 1, bet, 500)
        assert [bet for _, bet, _ in placed(deal)] == ["player", "banker", "tie"]
        assert refused(deal) == ["unknown_bet"]


def test_wagers_are_taken_and_taken_off_while_betting_is_open() -> None:
    """IC-bets.hands, IC-bets.withdraw, IC-bets.repeat."""
    deal = wager(wager(net(), 1, "player", 500), 1, "tie", 700).cards(*PLAYER_WINS)
    deal.say("seat", "dealer:1", seat=1, act="repeat").say("withdraw", "dealer:1", seat=1, bet="tie")
    deal.cards("9S").say("withdraw", "dealer:1", seat=1)
    wager(deal, 2, "player", 500)
    assert placed(deal) == [(1, "player", 500), (1, "tie", 700)] * 2
    assert [one["bet"] for one in deal.data("wager.withdrawn", "cage")] == ["tie"]
    assert refused(deal) == ["betting_closed", "betting_closed"]


def repeated(deal: Deal, seat: int) -> list[tuple[int, str, int]]:
    """What a seat gets that asks for its last wagers, in the next coup."""
    before = len(placed(deal))
    return placed(deal.say("seat", "dealer:1", seat=seat, act="repeat"))[before:]


def test_last_wagers_are_those_of_the_last_coup_that_the_player_wagered_in() -> None:
    """IC-bets.repeat: after a coup let pass, after a void one, at another place; nobody else's."""
    idle = wager(net(), 1, "player", 500).cards(*PLAYER_WINS, *PLAYER_WINS)
    assert repeated(idle, 1) == [(1, "player", 500)]
    void = wager(net(), 1, "player", 500).cards("9S").say("void")
    assert repeated(void, 1) == [(1, "player", 500)]
    moved = net().say("seat", seat=1, act="join", player="A")
    wager(moved, 1, "player", 500).say("seat", seat=1, act="deal").cards(*PLAYER_WINS)
    moved.say("seat", seat=1, act="move", to=2).say("seat", seat=1, act="join", player="B")
    assert repeated(moved, 1) == []
    assert repeated(moved, 2) == [(2, "player", 500)]


def test_a_late_wager_is_taken_of_seats_that_are_dealt_in_alone() -> None:
    """IC-window.press, IC-seats.join: who passed, was too late or has just come does not play."""
    deal = Deal(rules="intercasino", procedure="dealer-reveal", house=sign(100))
    for seat in (1, 2, 3):
        deal.say("seat", seat=seat, act="join", player=f"p{seat}")
    coup(deal, PLAYER_WINS).say("seat", seat=1, act="deal").say("seat", seat=2, act="pass")
    deal.say("no_more_bets").cards("9S").say("seat", seat=4, act="join", player="D")
    for seat in (1, 2, 3, 4, 5):
        wager(deal, seat, "player", 500, late=True)
    assert placed(deal) == [(1, "player", 500)]
    assert refused(deal) == ["excluded", "excluded", "waiting", "no_seat"]


def seated() -> Deal:
    """Three players, one of whom came during the coup that has just ended; each wagers."""
    deal = net().say("seat", seat=1, act="join", player="A").say("seat", seat=2, act="join", player="B")
    deal.cards("9S", "2H").say("seat", seat=3, act="join", player="C").cards("KD", "5C")
    for seat in (1, 2, 3):
        wager(deal, seat, "player", 500)
    return deal


def seats(deal: Deal) -> list[tuple[int, str]]:
    """What seats did: number and state."""
    return [(one["seat"], one["state"]) for one in deal.data("seat.changed", "cage")]


def test_the_deal_may_start_when_every_seat_has_passed_or_said_deal() -> None:
    """IC-window.press, IC-deal.start: once each; who passes has the wagers back."""
    deal = seated()
    for seat, act in ((1, "deal"), (2, "pass"), (2, "deal"), (3, "deal")):
        deal.say("seat", "dealer:1", seat=seat, act=act)
    assert [one["dealt_in"] for one in deal.data("seats.ready", "public")] == [[1, 3]]
    assert refused(deal) == ["answered"]
    (back,) = deal.cards(*PLAYER_WINS).data("wagers.returned", "cage")
    assert (back["reason"], [line["seat"] for line in back["lines"]]) == ("sat_out", [2])
    assert set(stakes(deal)[-1]) == {1, 3}


def test_who_has_not_answered_after_fifteen_seconds_is_out_of_the_coup() -> None:
    """IC-window: the time begins with betting; another second and it is too late."""
    deal = seated().say("seat", seat=1, act="deal")
    for _ in range(9):
        deal.say("sign_in", "technician:1")
    deal.say("seat", seat=2, act="deal").say("seat", seat=3, act="deal")
    asked = deal.data("seats.asked", "public")[-1]
    assert asked["until"] == "1970-01-01T00:00:22.000000Z"  # betting opened in second 7
    assert seats(deal)[-2:] == [(2, "deal"), (3, "excluded")]
    assert refused(deal) == ["excluded"]
    deal.cards(*PLAYER_WINS)
    assert set(stakes(deal)[-1]) == {1, 2}


def test_who_joins_in_a_coup_waits_and_a_place_changes_only_before_the_answer() -> None:
    """IC-seats.join, IC-seats.change: wagers of one who waits go back."""
    deal = net().say("seat", seat=1, act="join", player="A").cards(*PLAYER_WINS)
    deal.say("seat", seat=2, act="join", player="B")
    wager(wager(deal, 2, "player", 500), 1, "player", 500)
    deal.say("seat", seat=2, act="deal").say("seat", seat=1, act="deal").say("seat", seat=1, act="move", to=3)
    assert refused(deal) == ["waiting", "coup_open"]
    deal.cards("9S").say("seat", seat=2, act="move", to=4)
    assert seats(deal)[-1] == (4, "waiting")
    assert [line["seat"] for line in deal.data("wagers.returned", "cage")[0]["lines"]] == [2]


def test_words_between_seats_and_pit_reach_staff_alone() -> None:
    """IC-chat.messages."""
    deal = (
        seated()
        .say("seat", seat=1, act="say", text="well played", to=2)
        .say("seat", seat=2, act="say", text="?")
    )
    deal.say("seat", seat=2, act="say", text="!", from_pit=True).say("seat", seat=4, act="say", text="no")
    said = [(one["sender"], one["to"]) for one in deal.data("seat.message")]
    assert (said, refused(deal)) == ([(1, 2), (2, None), (None, 2)], ["no_seat"])
    assert deal.data("seat.message", "public") == []


def test_each_coup_is_dealt_from_all_cards() -> None:
    """IC-decks.shuffle: nine times the same face in eight decks, and nothing is amiss."""
    deal = Deal(rules="intercasino", procedure="face-up")
    for _ in range(9):
        deal.cards(*PLAYER_WINS)
    assert (deal.data("irregularity.raised"), len(deal.data("coup.result"))) == ([], 9)
    assert deal.say("close_shoe", remaining=416).data("shoe.closed")[0]["reconciled"] is True


def test_a_player_sets_a_maximum_of_his_own_once_a_week() -> None:
    """IC-limits.own, IC-limits.weekly: it binds every bet, and lies below the table's."""
    deal = net(minimum=500, maximum=30000).say("seat", seat=1, act="join", player="A")
    for amount in (30000, 10000, 9000):
        deal.say("seat", seat=1, act="limit", amount=amount)
    for bet in ("banker", "tie"):
        wager(wager(deal, 1, bet, 10100), 1, bet, 10000)
    assert deal.data("seat.limit", "cage") == [{"seat": 1, "player": "A", "maximum": 10000}]
    assert refused(deal) == ["above_maximum", "once_a_week", "above_own_limit", "above_own_limit"]
    assert placed(deal) == [(1, "banker", 10000), (1, "tie", 10000)]


def test_the_limits_of_the_page_hold_where_none_are_configured() -> None:
    """IC-limits: 5 and 300 dollars."""
    deal = wager(wager(net(), 1, "player", 200), 2, "banker", 30100)
    assert (placed(deal), refused(deal)) == ([(1, "player", 500)], ["above_maximum"])


def test_wagers_at_an_empty_place_go_back() -> None:
    """IC-window.press: nobody there can have said deal."""
    deal = seated().say("seat", seat=1, act="deal")
    wager(deal, 5, "banker", 500)
    deal.cards(*PLAYER_WINS)
    (back,) = deal.data("wagers.returned", "cage")
    assert sorted(line["seat"] for line in back["lines"]) == [2, 3, 5]
    assert set(stakes(deal)[-1]) == {1}


def test_rules_without_limits_of_one_player_refuse_them() -> None:
    """NSW-6.5 is no rule of theirs."""
    assert refused(net().say("set_limits", seat=1, maximum=10000)) == ["not_in_rules"]


def test_three_rounds_without_a_wager_are_told_while_every_place_is_in_use() -> None:
    """NSW-14.10, at a table of five places."""
    deal = net()
    for seat in range(1, 6):
        deal.say("seat", seat=seat, act="join", player=f"p{seat}")
    for number in range(4):
        for seat in range(1, 5 if number else 6):
            wager(deal, seat, "player", 500)
        for seat in range(1, 6):
            deal.say("seat", seat=seat, act="deal")
        deal.cards(*PLAYER_WINS)
    assert deal.data("seat.idle", "cage") == [{"seats": [5]}] * 2  # and again for every round more
    assert deal.data("seat.idle", "public") == []
