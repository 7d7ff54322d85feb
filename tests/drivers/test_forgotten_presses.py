"""A dealer who forgets a press until the next card is out puts it right alone."""

from collections import Counter

import pytest

from drivers.beats import COURSES, LATE, Draw, Press, TooMany, beats_of, late, shows_excess
from drivers.script import CoupOver, Operator, Send
from shoe_daemon.game.cards import INITIAL
from tests.drivers.test_virtual_shoe import events, results, script, truth


@pytest.mark.parametrize("procedure", sorted(LATE))
def test_forgotten_presses_end_without_a_supervisor(procedure: str) -> None:
    actions = script(procedure, coups=300, late=0.03)
    told = events(actions, procedure)
    assert results(told) == truth(actions)
    kinds = Counter(one["type"] for one in told)
    assert not kinds["command.refused"]
    assert not kinds["coup.void"]
    assert kinds["irregularity.raised"] > 3
    assert kinds["irregularity.raised"] == kinds["irregularity.resolved"]
    supervised = {
        one.verb for one in actions if isinstance(one, Operator) and not one.actor.startswith("dealer:")
    }
    assert supervised == {"open_table", "load_shoe", "close_shoe"}


@pytest.mark.parametrize("procedure", sorted(LATE))
def test_every_kind_of_forgetting_comes_out_right(procedure: str) -> None:
    codes: Counter[tuple[str, str]] = Counter()
    no_bets = 0
    for seed in range(3):
        actions = script(procedure, seed, coups=120, late=0.7, opening=False)
        told = events(actions, procedure)
        assert results(told) == truth(actions)
        assert not [one for one in told if one["type"] == "command.refused"]
        codes += Counter(
            (one["data"]["code"], one["data"]["remedy"])
            for one in told
            if one["type"] == "irregularity.resolved"
        )
        no_bets += sum(one["type"] == "coup.no_bet" for one in told)
    shown = procedure == "method-c"  # there a card too many lies face up
    assert set(codes) == {
        ("drawn_before_reveal", "reveal"),
        ("excess_card", "disclose"),
        *([] if shown else [("excess_card", "undisclosed")]),
    }
    assert no_bets > 10


def test_a_late_press_waits_for_the_next_card_of_the_coup_or_of_the_next_one() -> None:
    beats = beats_of(COURSES["dealer-reveal"], (*INITIAL, "P3", "B3"))
    shape = ["press" if isinstance(one, Press) else one.slot for one in beats if not isinstance(one, TooMany)]
    assert shape == ["P1", "B1", "P2", "B2", "press", "P3", "press", "B3", "press", "press"]
    four, p3, b3, end = (one for one in beats if isinstance(one, Press))
    draw = {one.slot: one for one in beats if isinstance(one, Draw)}
    assert late(beats, 4) == ([*beats[:4], draw["P3"], four, p3, draw["B3"], end], [])
    assert late(beats, 6) == ([*beats[:6], draw["B3"], p3, end], [])
    assert late(beats, 8) == (beats[:8], [b3, end])
    assert late(beats, 9) == (beats[:9], [end])


def test_a_late_press_of_one_hand_shows_all_that_lies_there() -> None:
    beats = beats_of(COURSES["squeeze"], (*INITIAL, "P3", "B3"))
    all_of_them = Press("reveal", {"all": True}, ("P1", "P2"))
    assert late(beats, 4) == ([*beats[:4], beats[5], beats[6], all_of_them, *beats[7:9], beats[10]], [])
    short = beats_of(COURSES["squeeze"], INITIAL)
    assert late(short, 4) == (short[:4], [all_of_them, short[6]])


@pytest.mark.parametrize(
    ("procedure", "four", "five"),
    [("dealer-reveal", False, False), ("method-b", True, False), ("method-c", True, True)],
)
def test_a_card_too_many_lies_face_up_as_the_third_card_it_was_taken_for(
    procedure: str,
    four: bool,  # noqa: FBT001 - a parameter
    five: bool,  # noqa: FBT001 - a parameter
) -> None:
    assert shows_excess(COURSES[procedure], INITIAL) == four
    assert shows_excess(COURSES[procedure], (*INITIAL, "P3")) == five


def test_bets_are_taken_before_a_coup_unless_it_is_a_no_bet_coup_or_well_under_way() -> None:
    pauses: dict[tuple[int, bool], set[bool]] = {}
    for seed in range(6):
        actions = script("result-button", seed, coups=60, late=0.7, opening=False)
        carried = sent = 0
        for place, one in enumerate(actions):
            sent += isinstance(one, Send)
            if isinstance(one, CoupOver):
                waiting = sent + carried - len(one.player) - len(one.banker)
                answers = [two.verb for two in actions[place + 1 : place + 2] if isinstance(two, Operator)]
                following = next((two.at_s for two in actions[place:] if isinstance(two, Send)), None)
                if following is not None and answers != ["cut_card"]:
                    betting = following - one.at_s > 12
                    pauses.setdefault((waiting, answers == ["disclose"]), set()).add(betting)
                carried, sent = waiting, 0
    assert pauses == {
        (0, False): {True},
        (1, False): {True},
        (1, True): {False},
        (2, False): {False},
        (2, True): {False},
    }
