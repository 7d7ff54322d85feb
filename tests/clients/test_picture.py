"""What the display shows for a view."""

from typing import Any

import pytest
from msgspec.structs import replace

from shoe_daemon.clients.picture import Picture, draw
from shoe_daemon.game.cards import Outcome
from shoe_daemon.table.view import empty
from shoe_daemon.table.view_shapes import Ended, Entry, HandResult, Pending, View

READY = replace(empty("public"), at="2026-11-30T12:00:00Z", table="BAC-07", open=True, shoe=1, decks=8)


def entry(coup: int, outcome: Outcome = "banker", **changed: Any) -> Entry:  # noqa: ANN401 - any field
    made = Entry(
        coup=coup,
        revision=1,
        outcome=outcome,
        natural=False,
        player_pair=False,
        banker_pair=False,
        no_bet=False,
        last_coup=False,
        player=HandResult(("2S", "KH", "3D"), 5),
        banker=HandResult(("7C", "JD"), 7),
    )
    return replace(made, **changed)


def shown(view: View = READY, /, **changed: Any) -> Picture:  # noqa: ANN401 - any field
    return draw(replace(view, **changed))


@pytest.mark.parametrize(
    ("cards_out", "player", "banker", "waiting"),
    [(1, 1, 0, 0), (2, 1, 1, 0), (3, 2, 1, 0), (4, 2, 2, 0), (5, 2, 2, 1), (6, 2, 2, 2)],
)
def test_cards_face_down_lie_where_the_deal_puts_them(
    cards_out: int, player: int, banker: int, waiting: int
) -> None:
    felt = shown(coup=4, cards_out=cards_out).felt
    assert felt.player.cards == (None,) * player
    assert felt.banker.cards == (None,) * banker
    assert felt.waiting == waiting


def test_exposed_cards_show_their_faces_and_announced_points() -> None:
    felt = shown(coup=4, cards_out=6, exposed={"P1": "9S", "P2": "4H", "P3": "AC"}, hands={"player": 4}).felt
    assert felt.player.cards == ("9S", "4H", "AC")
    assert felt.player.points == 4
    assert (felt.banker.cards, felt.banker.points, felt.waiting) == ((None, None), None, 1)


def test_an_open_coup_has_no_result_and_points_only_when_told() -> None:
    exposed = {"P1": "9S", "P2": "KH", "B1": "2S", "B2": "3D"}
    view = replace(READY, coup=4, cards_out=4, history=(entry(3),), ended=Ended(3, "result"))
    felt = shown(view, exposed=exposed).felt
    assert felt.result is None
    assert (felt.player.points, felt.banker.points) == (None, None)


def test_the_last_result_stays_on_the_felt() -> None:
    felt = shown(
        history=(entry(3, natural=True, banker_pair=True, no_bet=True, revision=2),),
        ended=Ended(3, "result"),
    ).felt
    assert felt.caption == "Last result · Coup 3"
    assert felt.result is not None
    assert (felt.result.outcome, felt.result.text, felt.result.score) == (
        "banker",
        "Banker wins",
        "5 \N{EN DASH} 7",
    )
    assert felt.result.tags == ("Natural", "Banker pair", "No-bet coup", "Corrected")
    assert felt.banker.cards == ("7C", "JD")


@pytest.mark.parametrize(
    ("how", "text"), [("void", "Coup void"), ("invalidated", "Coup void"), ("pending", "Result to follow")]
)
def test_a_coup_that_ended_without_a_result_shows_none(how: Any, text: str) -> None:  # noqa: ANN401 - a literal
    picture = shown(history=(entry(3),), ended=Ended(4, how))
    assert picture.felt.result is not None
    assert (picture.felt.result.outcome, picture.felt.result.text) == (None, text)
    assert picture.felt.player.cards == ()
    assert len(picture.beads) == 1


@pytest.mark.parametrize(
    ("changed", "code", "text"),
    [
        ({"at": None}, "none", "Waiting for the table"),
        ({"open": False, "betting": "open"}, "closed", "Table closed"),
        ({"paused": True, "betting": "open"}, "closed", "Game paused"),
        ({"shoe": None}, "closed", "No shoe in play"),
        ({"shoe_closed": True}, "closed", "Shoe finished"),
        ({"last_coups": 0}, "closed", "Shoe finished"),
        ({"last_coups": 0, "coup": 9}, "dealing", "No more bets"),
        ({"coup": 9, "held": (9,), "no_bet": True}, "held", "Please wait"),
        ({"coup": 9, "no_bet": True}, "no_bet", "No-bet coup"),
        ({"betting": "open"}, "open", "Place your bets"),
        ({"betting": "withdraw_only"}, "withdraw", "Bets may be withdrawn"),
        ({"coup": 9}, "dealing", "No more bets"),
        ({}, "closed", "Betting is closed"),
    ],
)
def test_status_says_what_holds_first(changed: dict[str, Any], code: str, text: str) -> None:
    status = shown(**changed).status
    assert (status.code, status.text) == (code, text)


def test_the_coup_is_the_open_one_or_the_one_to_bet_on_or_the_last() -> None:
    assert shown(coup=5, betting="open", betting_coup=6).coup == 5
    assert shown(betting="open", betting_coup=6, ended=Ended(5, "result")).coup == 6
    assert shown(betting_coup=5, ended=Ended(5, "void")).coup == 5
    assert shown().coup is None


def test_notes_name_parked_coups_of_this_shoe_and_the_last_coups() -> None:
    view = shown(pending=(Pending(1, 4), Pending(0, 9)), last_coups=2)
    assert view.notes == ("Result of coup 4 to follow", "2 coups left in this shoe")
    assert shown(last_coups=1).notes == ("Last coup of this shoe",)
    assert shown(last_coups=1, shoe_closed=True).notes == ()


def test_roads_and_counts_are_those_of_the_history() -> None:
    outcomes: list[Outcome] = ["tie", "banker", "banker", "tie", "player"]
    history = tuple(entry(number, outcome) for number, outcome in enumerate(outcomes, start=1))
    picture = shown(history=(*history, entry(6, "player", no_bet=True, player_pair=True)))
    assert [(one.row, one.column, one.coup) for one in picture.beads] == [(n, 0, n + 1) for n in range(6)]
    assert [one.no_bet for one in picture.beads] == [False] * 5 + [True]
    assert [(one.row, one.column, one.winner, one.ties) for one in picture.rings] == [
        (0, 0, "banker", 1),
        (1, 0, "banker", 1),
        (0, 1, "player", 0),
        (1, 1, "player", 0),
    ]
    assert (picture.counts.coups, picture.counts.tie, picture.counts.player_pair) == (6, 2, 1)


def test_the_title_is_the_tables_id_unless_one_is_given() -> None:
    assert draw(READY).title == "BAC-07"
    assert draw(READY, "Salon 7").title == "Salon 7"
    assert draw(empty("public")).title == ""
