"""Seats that pass or deal: who plays, who is too late, who waits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoe_daemon.game.wagers import (
    Book,
    Seats,
    Sign,
    Terms,
    Wager,
    WagerRefused,
    message,
    repeat,
    stated_sign,
)
from shoe_daemon.game.wagers.sign import BetLimits
from tests.game.test_profile import shipped

IC = shipped("intercasino")
SECOND = 1_000_000


def table(*numbers: int) -> Seats:
    seats = Seats(IC.seats.places)
    for number in numbers:
        seats = seats.join(number, f"player {number}")
    return seats


def reason(caught: pytest.ExceptionInfo[WagerRefused]) -> str:
    return caught.value.reason


def test_the_deal_starts_when_every_seat_has_answered() -> None:
    seats = table(1, 3).ask(0, 15)
    assert not seats.ready
    seats = seats.answer(1, "deal", SECOND)
    assert not seats.ready
    seats = seats.answer(3, "pass", 2 * SECOND)
    assert (seats.ready, seats.dealt_in) == (True, (1,))


def test_who_has_not_answered_in_fifteen_seconds_is_out_of_the_coup_alone() -> None:
    assert IC.seats.window is not None
    seats = table(1, 2).ask(100, IC.seats.window.seconds).answer(1, "deal", 200)
    assert not seats.after(15 * SECOND + 99).ready
    assert seats.answer(2, "deal", 15 * SECOND + 99).dealt_in == (1, 2)
    late = seats.after(15 * SECOND + 100)
    assert (late.ready, late.dealt_in) == (True, (1,))
    with pytest.raises(WagerRefused) as caught:
        seats.answer(2, "deal", 15 * SECOND + 100)
    assert reason(caught) == "excluded"
    assert late.end().ask(20 * SECOND, 15).answer(2, "deal", 20 * SECOND).dealt_in == (2,)


def test_who_joins_during_a_coup_waits_for_the_next() -> None:
    seats = table(1).ask(0, 15).answer(1, "deal", 1).join(2, "new")
    assert (seats.ready, seats.dealt_in) == (True, (1,))
    with pytest.raises(WagerRefused) as caught:
        seats.answer(2, "deal", 2)
    assert reason(caught) == "waiting"
    assert not seats.end().ready
    assert seats.end().ask(9, 15).answer(2, "deal", 10).dealt_in == (2,)


def test_an_answer_is_given_once() -> None:
    seats = table(1).ask(0, 15).answer(1, "pass", 1)
    with pytest.raises(WagerRefused) as caught:
        seats.answer(1, "deal", 2)
    assert reason(caught) == "answered"


def test_places_are_five_each_for_one_and_each_player_has_one() -> None:
    for number, player, why in (
        (6, "x", "no_seat"),
        (0, "x", "no_seat"),
        (1, "x", "seat_taken"),
        (2, "player 1", "seat_taken"),
    ):
        with pytest.raises(WagerRefused) as caught:
            table(1).join(number, player)
        assert reason(caught) == why
    with pytest.raises(WagerRefused) as caught:
        table(1).leave(2)
    assert reason(caught) == "no_seat"
    assert table(1, 2).leave(1).seats == table(2).seats


def test_a_player_changes_places_unless_dealt_in() -> None:
    asked = table(1).ask(0, 15)
    assert [(seat.number, seat.state) for seat in asked.move(1, 4).seats] == [(4, "waiting")]
    with pytest.raises(WagerRefused) as caught:
        asked.answer(1, "deal", 1).move(1, 4)
    assert reason(caught) == "coup_open"
    with pytest.raises(WagerRefused) as caught:
        table(1, 2).move(1, 2)
    assert reason(caught) == "seat_taken"


def test_last_wagers_are_placed_again_all_or_none_within_the_limits_of_now() -> None:
    sign = stated_sign(IC)
    assert sign is not None
    last = [Wager(seat=1, bet="player", amount=20000), Wager(seat=1, bet="tie", amount=500)]
    assert list(repeat(Book(), last, Terms(IC, sign)).wagers) == last
    lower = Sign(
        chip=100, limits={"player": BetLimits(minimum=500, maximum=20000), "tie": BetLimits(maximum=400)}
    )
    with pytest.raises(WagerRefused) as caught:
        repeat(Book(), last, Terms(IC, lower))
    assert reason(caught) == "above_maximum"
    with pytest.raises(WagerRefused) as caught:
        repeat(Book("closed"), last, Terms(IC, sign))
    assert reason(caught) == "betting_closed"


def test_messages_are_words_between_taken_seats_and_the_pit() -> None:
    said = message(table(1, 2), 1, None, "Ça va?")
    assert (said.sender, said.to, said.text) == (1, None, "Ça va?")
    assert message(table(1, 2), None, 2, "x" * 500).to == 2
    for sender, to, text, why in (
        (3, None, "hello", "no_seat"),
        (1, 3, "hello", "no_seat"),
        (1, 2, "", "bad_message"),
        (1, 2, "x" * 501, "bad_message"),
        (1, 2, "two\nlines", "bad_message"),
        (1, 2, "\x1b[2J", "bad_message"),
    ):
        with pytest.raises(WagerRefused) as caught:
            message(table(1, 2), sender, to, text)
        assert reason(caught) == why


@given(
    st.lists(st.tuples(st.integers(1, 5), st.sampled_from(["deal", "pass"]), st.integers(0, 20)), max_size=12)
)
def test_who_plays_is_who_said_deal_in_time_and_first(said: list[tuple[int, str, int]]) -> None:
    seats = table(1, 2, 4).ask(0, 15)
    first: dict[int, str] = {}
    for number, answer, second in sorted(said, key=lambda one: one[2]):
        good = number in {1, 2, 4} and number not in first and second < 15
        try:
            seats = seats.answer(number, "deal" if answer == "deal" else "pass", second * SECOND)
        except WagerRefused:
            assert not good
        else:
            assert good
            first[number] = answer
    done = seats.after(15 * SECOND)
    assert done.ready
    assert done.dealt_in == tuple(sorted(number for number, answer in first.items() if answer == "deal"))
    assert seats.ready == (len(first) == 3)
