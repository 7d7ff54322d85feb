"""Rules of the documents as a table keeps them: places, roles, limits, wagers, methods, the bank.

One test for each rule, or for rules that stand or fall together, that neither the tests of the game nor a
recorded trace would miss.
"""

import pytest

from tests.table.dealt import Deal
from tests.table.staked import (
    BANKER_WINS,
    PLAYER_WINS,
    TIE,
    Slow,
    coup,
    held,
    nsw,
    nzg,
    placed,
    refused,
    sign,
    stakes,
    wager,
)

# -- NSW: places, roles, limits, vouchers ---------------------------------------------------------------


@pytest.mark.parametrize(("rules", "places"), [("nsw", 14), ("intercasino", 5)])
def test_a_table_has_so_many_places(rules: str, places: int) -> None:
    """NSW-2.1, IC-seats.number."""
    deal = Deal(rules=rules, procedure="dealer-reveal", house=sign())
    wager(wager(deal, places, "player", 500), places + 1, "player", 500)
    assert (placed(deal), refused(deal)) == ([(places, "player", 500)], ["no_seat"])


@pytest.mark.parametrize(
    ("role", "may"),
    [
        ("dealer", False),
        ("inspector", False),
        ("surveillance", False),
        ("game_supervisor", True),
        ("casino_supervisor", True),
    ],
)
def test_what_is_a_supervisors_is_no_dealers(role: str, may: bool) -> None:  # noqa: FBT001 - a table
    """NSW-1: dealer, game supervisor, casino supervisor, inspector."""
    deal = (
        Deal(procedure="dealer-reveal").say("no_more_bets", "dealer:1").cards("9S").say("void", f"{role}:1")
    )
    assert (len(deal.data("coup.void")), refused(deal)) == ((1, []) if may else (0, ["not_allowed"]))


@pytest.mark.parametrize("rules", ["nsw", "live"])
def test_limits_and_the_unit_bind_until_the_first_card(rules: str) -> None:
    """NSW-6.1, LB-bets.limits: no multiples of the minimum; the unit only where it is stated."""
    deal = Deal(rules=rules, procedure="dealer-reveal", house=sign(minimum=1000, maximum=5000))
    for amount in (500, 5500, 1500):
        wager(deal, 1, "player", amount)
    deal.say("set_limits", unit=1000)
    for amount in (2500, 3000):
        wager(deal, 2, "banker", amount)
    wager(deal.say("set_limits", minimum=500, maximum=9000), 3, "banker", 8500)
    wager(deal, 4, "player", 500)
    assert placed(deal) == [(1, "player", 1500), (2, "banker", 3000), (3, "banker", 8500), (4, "player", 500)]
    assert refused(deal) == ["below_minimum", "above_maximum", "not_a_multiple"]


def test_a_wager_out_of_limits_that_nobody_refused_is_settled_whole() -> None:
    """NSW-6.3: valid once the first card is out; another one can be neither refused for it nor placed."""
    deal = nsw(minimum=1000, maximum=5000).say("no_more_bets").cards("9S")
    wager(deal, 1, "player", 9000, late=True)
    wager(deal, 2, "player", 500, late=True)
    wager(deal, 3, "player", 2000)
    deal.cards("2H", "KD", "5C").say("reveal").say("confirm")
    assert refused(deal) == ["betting_closed"]
    assert stakes(deal) == [{1: ("win", 9000, 9000, 0), 2: ("win", 500, 500, 0)}]


def test_limits_of_one_seat_go_before_the_tables() -> None:
    """NSW-6.5."""
    deal = nsw(minimum=1000, maximum=5000).say("set_limits", seat=1, minimum=2000, maximum=9000)
    wager(wager(wager(deal, 1, "player", 9000), 2, "player", 9000), 1, "player", 1500)
    assert (placed(deal), refused(deal)) == ([(1, "player", 9000)], ["above_maximum", "below_minimum"])


def test_a_notice_holds_for_the_amount_that_it_names() -> None:
    """NSW-6.4: a higher minimum after 20 minutes of that very sign."""
    deal = Slow(rules="nsw", procedure="dealer-reveal", house=sign(minimum=1000))
    deal.say("notice", what="minimum", to=2000)
    deal.wait(19 * 60)
    deal.say("set_limits", minimum=2000)
    deal.wait(60)
    for amount in (2500, 1500, 2000):
        deal.say("set_limits", minimum=amount)
    assert refused(deal) == ["notice_due"] * 3
    assert [one["to"] for one in deal.data("limits.changed", "cage")] == [2000]


def test_another_game_waits_until_no_wager_lies_there() -> None:
    """NSW-14.8: also with the consent of all players."""
    house = {**sign(), "others": ["nsw-even-money"]}
    deal = wager(Deal(rules="nsw", procedure="dealer-reveal", house=house), 1, "player", 500)
    deal.say("set_rules", rules="nsw-even-money", consent=True).say("withdraw", seat=1)
    assert (refused(deal), deal.data("rules.changed")) == (["wagers_down"], [])
    assert len(deal.say("set_rules", rules="nsw-even-money", consent=True).data("rules.changed")) == 1


def test_a_voucher_is_gone_after_a_win_and_its_winnings_are_paid() -> None:
    """NSW-1, casino promotional token or voucher; on a tie it stays the player's."""
    deal = nsw()
    for cards in (PLAYER_WINS, BANKER_WINS, TIE):
        coup(wager(deal, 1, "player", 1000, voucher=True), cards)
    assert stakes(deal) == [
        {1: ("win", 1000, 0, 1000)},
        {1: ("lose", 0, 0, 1000)},
        {1: ("push", 0, 1000, 0)},
    ]


def test_wagers_over_the_differential_are_reduced_when_a_person_says_so() -> None:
    """NSW-6.2: the larger side pro rata, rounded down to chips."""

    def dealt(*, reduce: bool) -> Deal:
        deal = wager(nsw(10000), 1, "player", 1000)
        wager(wager(deal, 2, "banker", 20000), 3, "banker", 3000).say("no_more_bets")
        if reduce:
            deal.say("acknowledge", "dealer:1", what="differential")
        return deal.cards(*BANKER_WINS).say("reveal").say("confirm")

    (proposal,) = (one["proposal"] for one in dealt(reduce=False).data("differential.proposed", "cage"))
    assert (proposal["allowed"], proposal["total"], proposal["rounding_loss"]) == (11000, 10500, 500)
    assert {seat: kept[2] for seat, kept in stakes(dealt(reduce=False))[0].items()} == {
        1: 0,
        2: 20000,
        3: 3000,
    }
    assert {seat: kept[2] for seat, kept in stakes(dealt(reduce=True))[0].items()} == {1: 0, 2: 9500, 3: 1000}


# -- NSW: misdeal, invalidated results, dealing methods -------------------------------------------------


def misdealt() -> Deal:
    """Two wagers, two cards, a misdeal put right: none of the cards is exposed."""
    deal = wager(wager(nsw(), 1, "player", 1000), 2, "banker", 1000).say("no_more_bets").cards("9S", "2H")
    return deal.say("report", code="misdeal").say("resolve", code="misdeal", remedy="reconstruct")


def test_after_a_reconstruction_wagers_come_off_and_do_nothing_else() -> None:
    """NSW-13.2: not replaced, neither raised nor lowered, none put beside them."""
    deal = misdealt().say("withdraw", seat=1)
    for seat, amount in ((1, 1000), (2, 500), (2, 1500), (3, 1000)):
        wager(deal, seat, "banker", amount)
    deal.cards("KD").say("withdraw", seat=2)
    assert refused(deal) == ["only_withdraw"] * 4 + ["betting_closed"]
    deal.cards("5C").say("reveal").say("confirm")
    assert stakes(deal) == [{2: ("lose", 0, 0, 1000)}]


def test_when_the_last_wager_comes_off_the_coup_is_void() -> None:
    """NSW-13.2."""
    deal = misdealt().say("withdraw", seat=1)
    assert deal.data("coup.void") == []
    (void,) = deal.say("withdraw", seat=2).data("coup.void")
    assert (void["reason"], void["rule"]) == ("wagers_removed", "NSW-13.2")


def test_without_a_result_wagers_go_back() -> None:
    """NSW-1, void; NSW-13.6; betting that is called off."""
    deal = wager(nsw(), 1, "player", 500).say("no_more_bets").cards("9S").say("void")
    wager(deal, 2, "banker", 500).say("pause").say("resume")
    wager(deal, 3, "tie", 500).say("declare_no_bet")
    back = [
        (one["reason"], [(line["seat"], line["returned"]) for line in one["lines"]])
        for one in deal.data("wagers.returned", "cage")
    ]
    assert back == [("void", [(1, 500)]), ("betting_closed", [(2, 500)]), ("no_bet", [(3, 500)])]
    assert stakes(deal) == []


@pytest.mark.parametrize("forfeit", [[], [1]])
def test_wagers_on_an_invalid_result_go_back_but_a_cheats(forfeit: list[int]) -> None:
    """NSW-14.5: told as what it changes of the settlement before."""
    deal = coup(wager(wager(nsw(), 1, "player", 1000), 2, "banker", 1000), PLAYER_WINS)
    deal.say("invalidate", ground="fraud", forfeit=forfeit)
    first, then = stakes(deal)
    assert first == {1: ("win", 1000, 1000, 0), 2: ("lose", 0, 0, 1000)}
    cheat = ("forfeited", -1000, -1000, 1000) if forfeit else ("returned", -1000, 0, 0)
    assert then == {1: cheat, 2: ("returned", 0, 1000, -1000)}


def test_the_bankers_marker_is_offered_on_when_his_hand_loses() -> None:
    """NSW-8.15, 8.16: not after a win or a tie; its holder may pass it."""
    deal = nsw().say("set_method", method="B", seat=3)
    coup(coup(deal, BANKER_WINS), TIE)
    assert held(deal) == []
    coup(deal, PLAYER_WINS).say("bank", "dealer:1", seat=4).say("bank", "dealer:1", seat=5, reason="passed")
    assert held(deal) == [(None, "banker_lost", "NSW-8.15"), (4, "accepted", None), (5, "passed", None)]


def player_draws(method: str) -> Deal:
    """A method in which a player has the shoe, approved and acknowledged, at seat 2."""
    deal = Deal(rules="nsw", procedure="dealer-reveal", house={**sign(), "main_floor": False})
    deal.say("set_method", "duty_manager:1", method=method, seat=2, inspector="Brown")
    return deal.say("acknowledge", "surveillance:1", what="method")


def squeezed(deal: Deal, cards: tuple[str, ...]) -> Deal:
    """A coup whose hands are turned one after the other."""
    deal.say("no_more_bets").cards(*cards)
    return deal.say("reveal", hand="player").say("reveal", hand="banker").say("confirm")


def test_a_player_keeps_the_shoe_until_his_wager_loses_or_he_is_told_to() -> None:
    """NSW-8.23, 8.25: a tie is no loss."""
    deal = squeezed(wager(player_draws("D"), 2, "player", 1000), TIE)
    squeezed(wager(deal, 2, "banker", 1000), BANKER_WINS)
    assert held(deal) == []
    squeezed(wager(deal, 2, "player", 1000), BANKER_WINS)
    deal.say("bank", "dealer:1", seat=4).say("bank", seat=None, reason="ordered")
    assert held(deal) == [(None, "wager_lost", "NSW-8.23"), (4, "accepted", None), (None, "ordered", None)]


def test_a_backers_wager_is_not_the_holders() -> None:
    """NSW-8.23, NZG-8.22.c: who stands behind the seat is another player."""
    kept = wager(player_draws("D"), 2, "player", 1000)
    squeezed(wager(kept, 2, "banker", 1000, backer="anna"), PLAYER_WINS)
    assert held(kept) == []
    lost = wager(player_draws("D"), 2, "banker", 1000)
    squeezed(wager(lost, 2, "player", 1000, backer="anna"), PLAYER_WINS)
    assert held(lost) == [(None, "wager_lost", "NSW-8.23")]
    bank = nzg(minimum=10000).say("bank", "dealer:1", seat=3)
    wager(bank, 3, "player", 10000, backer="anna").say("no_more_bets")
    assert held(bank)[1:] == [(None, "no_wager", "NZG-8.22.c")]


def test_the_shoe_is_offered_anew_before_each_coup() -> None:
    """NSW-8.27, 8.31."""
    deal = squeezed(wager(player_draws("E"), 2, "player", 1000), PLAYER_WINS)
    deal.say("bank", "dealer:1", seat=4).say("bank", seat=None, reason="ordered")
    assert held(deal) == [(None, "every_coup", "NSW-8.27"), (4, "accepted", None), (None, "ordered", None)]


# -- NZG: what chips can pay, the bank ------------------------------------------------------------------


def test_a_banker_wager_that_chips_cannot_pay_is_refused_or_void_in_part() -> None:
    """NZG-5.3, 5.4: at 19/20 chips of 500 pay multiples of 10000 exactly."""
    deal = wager(wager(nzg(), 1, "banker", 10500), 1, "player", 10500).say("no_more_bets").cards("2H")
    wager(deal, 2, "banker", 10500, late=True).cards("9S", "5C", "KD").say("reveal").say("confirm")
    assert refused(deal) == ["not_payable"]
    assert stakes(deal) == [{1: ("lose", 0, 0, 10500), 2: ("win", 9500, 10500, 0)}]


def test_the_bank_passes_when_the_bankers_hand_loses() -> None:
    """NZG-8.22, 8.22.a: whatever its holder wagered on; after a win or a tie he keeps it or passes it."""
    deal = nzg().say("bank", "dealer:1", seat=3)
    for cards in (BANKER_WINS, TIE):
        coup(wager(deal, 3, "player", 10000), cards)
    assert held(deal) == [(3, "accepted", None)]
    coup(wager(deal, 3, "player", 10000), PLAYER_WINS)
    deal.say("bank", "dealer:1", seat=4).say("bank", "dealer:1", seat=5, reason="passed")
    deal.say("bank", seat=6, reason="ordered").say("bank", seat=15)
    assert held(deal) == [
        (3, "accepted", None),
        (None, "banker_lost", "NZG-8.22.a"),
        (4, "accepted", None),
        (5, "passed", None),
        (6, "ordered", None),
    ]
    assert refused(deal) == ["no_seat"]


@pytest.mark.parametrize(
    ("bet", "amount", "gone"),
    [("player", 10000, False), ("banker", 10000, False), ("tie", 10000, True), (None, 0, True)],
)
def test_the_bank_needs_a_wager_of_the_minimum(bet: str | None, amount: int, gone: bool) -> None:  # noqa: FBT001 - a table
    """NZG-8.22.c, 8.23: on either hand."""
    deal = nzg(minimum=10000).say("bank", "dealer:1", seat=3)
    if bet is not None:
        wager(deal, 3, bet, amount)
    deal.say("no_more_bets")
    assert held(deal)[1:] == ([(None, "no_wager", "NZG-8.22.c")] if gone else [])
