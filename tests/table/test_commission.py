"""A commission that is written down with the coup and settled later; a wager that is declared void."""

from pathlib import Path
from typing import Any

import pytest

from shoe_daemon.runtime.resources import rules_file
from tests.table.dealt import Deal
from tests.table.staked import BANKER_WINS, PLAYER_WINS, coup, nsw, refused, sign, wager


@pytest.fixture
def marked(tmp_path: Path) -> Deal:
    """A table whose rules mark the commission; chips of 500."""
    text = rules_file("nsw")[0].decode()
    assert text.count('commission = "per_coup"') == 1
    path = tmp_path / "marked.toml"
    path.write_text(text.replace('commission = "per_coup"', 'commission = "marked"'), encoding="utf-8")
    return Deal(rules=str(path), procedure="dealer-reveal", house=sign(500))


def named(deal: Deal) -> list[tuple[str | None, int, int]]:
    """What was marked by player: who, amount, owed since."""
    told = deal.data("commission.marked", "cage")
    return [(one["player"], one["amount"], one["owed"]) for one in told]


def accounts(deal: Deal) -> list[tuple[int, str, int, int]]:
    """What was marked: seat, backer, amount, owed since."""
    told = deal.data("commission.marked", "cage")
    return [(one["seat"], one["backer"], one["amount"], one["owed"]) for one in told]


def lines(deal: Deal, which: int = -1) -> list[dict[str, Any]]:
    """The stakes of a settlement."""
    found: list[dict[str, Any]] = deal.data("settlement", "cage")[which]["stakes"]
    return found


def banker_wins(deal: Deal, amount: int = 10000) -> Deal:
    """A coup in which seat 3, and anna behind it, win on the Banker."""
    wager(deal, 3, "banker", amount)
    wager(deal, 3, "banker", 5000, backer="anna")
    return coup(deal, BANKER_WINS)


def test_one_to_one_is_paid_and_the_commission_owed(marked: Deal) -> None:
    deal = banker_wins(banker_wins(marked), 20000)
    assert [(one["paid"], one["commission"]) for one in lines(deal, 0)] == [(10000, 500), (5000, 250)]
    assert accounts(deal) == [
        (3, "", 500, 500),
        (3, "anna", 250, 250),
        (3, "", 1000, 1500),
        (3, "anna", 250, 500),
    ]


def test_it_is_settled_once_and_each_player_his_own(marked: Deal) -> None:
    deal = banker_wins(marked).say("seat", seat=3, act="settle").say("seat", seat=3, act="settle")
    deal.say("seat", seat=3, act="settle", backer="anna")
    paid = [(one["seat"], one["backer"], one["amount"]) for one in deal.data("commission.settled", "cage")]
    assert paid == [(3, "", 500), (3, "anna", 250)]
    assert refused(deal) == ["nothing_owed"]


def test_nobody_leaves_a_place_before(marked: Deal) -> None:
    deal = banker_wins(marked.say("seat", seat=3, act="join", player="p3"))
    deal.say("seat", seat=3, act="move", to=4).say("seat", seat=4, act="leave")
    deal.say("close_table").say("seat", seat=4, act="settle").say("seat", seat=4, act="leave")
    assert refused(deal) == ["commission_due"]
    assert deal.data("seat.changed", "cage")[-1]["state"] == "left"
    assert named(deal)[0] == ("p3", 500, 500)


def test_a_refund_keeps_a_player_at_the_table_too(marked: Deal) -> None:
    deal = banker_wins(marked.say("seat", seat=3, act="join", player="ann"))
    deal.say("seat", seat=3, act="settle").say("correct", slot="B2", card="7D")
    deal.say("seat", seat=3, act="leave")
    assert refused(deal) == ["commission_due"]


def test_what_a_revision_marks_is_the_players_who_sat_there(marked: Deal) -> None:
    """Who sits there now has no part in it; who left pays by name."""
    deal = wager(marked.say("seat", seat=3, act="join", player="ann"), 3, "banker", 10000)
    coup(deal, ("2H", "7H", "5C", "KD")).say("seat", seat=3, act="leave")
    deal.say("seat", seat=3, act="join", player="carl").say("correct", slot="B1", card="9H")
    deal.say("seat", seat=3, act="leave").say("seat", seat=3, act="settle", player="ann")
    assert refused(deal) == []
    assert named(deal) == [("ann", 500, 500)]
    (paid,) = deal.data("commission.settled", "cage")
    assert (paid["player"], paid["amount"]) == ("ann", 500)


@pytest.mark.parametrize("acts", [[{"act": "leave"}], [{"act": "move", "to": 4}]])
def test_who_placed_the_wager_owes_it_wherever_he_is_by_the_result(
    marked: Deal, acts: list[dict[str, Any]]
) -> None:
    deal = wager(marked.say("seat", seat=3, act="join", player="ann"), 3, "banker", 10000)
    for act in acts:
        deal.say("seat", seat=3, **act)
    deal.say("seat", seat=3, act="join", player="carl")
    coup(deal, BANKER_WINS)
    deal.say("seat", seat=3, act="leave").say("seat", seat=5, act="settle", player="ann")
    assert refused(deal) == []
    assert named(deal) == [("ann", 500, 500)]


def test_a_player_who_sits_down_later_has_no_part_in_it(marked: Deal) -> None:
    deal = wager(marked, 3, "banker", 10000).say("seat", seat=3, act="join", player="ann")
    coup(deal, BANKER_WINS).say("seat", seat=3, act="settle").say("seat", seat=3, act="leave")
    assert refused(deal) == []
    assert [(one["player"], one["amount"]) for one in deal.data("commission.settled", "cage")] == [
        (None, 500)
    ]


def test_a_revision_takes_it_back_also_once_it_was_paid(marked: Deal) -> None:
    deal = banker_wins(marked).say("seat", seat=3, act="settle")
    deal.say("correct", slot="B2", card="7D")  # 9 and 7 are 6: the Player's 7 wins
    deal.say("seat", seat=3, act="settle")
    assert accounts(deal)[2:] == [(3, "", -500, -500), (3, "anna", -250, 0)]
    assert [one["amount"] for one in deal.data("commission.settled", "cage")] == [500, -500]


def test_an_invalid_result_takes_it_back(marked: Deal) -> None:
    deal = banker_wins(marked).say("invalidate", ground="disruption")
    assert accounts(deal)[2:] == [(3, "", -500, 0), (3, "anna", -250, 0)]


def test_taken_per_coup_nothing_is_owed() -> None:
    deal = banker_wins(nsw()).say("seat", seat=3, act="settle")
    assert (accounts(deal), refused(deal)) == ([], ["nothing_owed"])


# -- a wager declared void (NSW-14.3.1) -----------------------------------------------------------------


def test_a_supervisor_declares_a_wager_void_once_betting_is_closed() -> None:
    """Surveillance is told by whom; the wager is not taken up again, nor repeated."""
    deal = wager(wager(nsw(), 1, "player", 1000), 2, "player", 500)
    deal.say("no_more_bets").cards(PLAYER_WINS[0])
    for actor in ("dealer:1", "casino_supervisor:5"):
        deal.say("withdraw", actor, seat=1, bet="player", void=True)
    wager(deal, 1, "player", 1000, late=True).cards(*PLAYER_WINS[1:]).say("reveal").say("confirm")
    deal.say("seat", seat=1, act="repeat")
    (back,) = deal.data("wagers.returned", "cage")
    assert (back["reason"], back["totals"]["returned"]) == ("declared_void", 1000)
    (told,) = deal.data("wagers.declared_void")
    assert (told["seat"], told["bet"], told["actor"]) == (1, "player", "casino_supervisor:5")
    assert refused(deal) == ["not_allowed", "withdrawn", "no_such_wager"]
    assert [(one["seat"], one["kind"]) for one in lines(deal)] == [(2, "win")]


def test_the_last_wager_declared_void_after_a_misdeal_leaves_no_coup() -> None:
    deal = wager(nsw(), 1, "player", 1000).say("no_more_bets").cards(PLAYER_WINS[0])
    deal.say("report", code="misdeal").say("resolve", code="misdeal", remedy="reconstruct")
    deal.say("withdraw", "casino_supervisor:5", seat=1, void=True)
    assert (refused(deal), [one["reason"] for one in deal.data("coup.void")]) == ([], ["wagers_removed"])
    assert deal.data("settlement", "cage") == []


def test_a_wager_declared_void_while_betting_is_open_leaves_the_last_coup_to_repeat() -> None:
    deal = coup(wager(nsw(), 1, "player", 1000), PLAYER_WINS)
    wager(deal, 1, "player", 500).say("withdraw", "casino_supervisor:5", seat=1, bet="player", void=True)
    deal.say("seat", seat=1, act="repeat")
    assert refused(deal) == []
    assert deal.data("wager.placed", "cage")[-1]["amount"] == 1000


def test_a_reduction_is_proposed_anew_for_what_is_left() -> None:
    deal = nsw(differential=1000)
    for seat, bet, amount in ((1, "player", 4500), (3, "player", 1500), (2, "banker", 500)):
        wager(deal, seat, bet, amount)
    deal.say("no_more_bets").say("withdraw", seat=3, void=True).say("acknowledge", what="differential")
    proposed = [one["proposal"]["before"] for one in deal.data("differential.proposed", "cage")]
    assert proposed == [6000, 4500]
    assert refused(deal) == []


def test_after_the_result_there_is_none_to_declare_void() -> None:
    deal = coup(wager(nsw(), 1, "player", 1000), PLAYER_WINS).say("withdraw", seat=1, void=True)
    assert refused(deal) == ["no_such_wager"]
