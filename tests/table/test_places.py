"""`expected_next` against every assignment of faces, tried one by one."""

import itertools

import pytest

from shoe_daemon.game.cards import Card, value
from shoe_daemon.game.drawing import next_third
from shoe_daemon.table.places import UNSETTLED, expected_next
from shoe_daemon.table.sealed import Sealed
from shoe_daemon.table.state import CoupCard

BY_VALUE = {value(Card(f"{rank}S")): Card(f"{rank}S") for rank in ("10", "A", *map(str, range(2, 10)))}
SLOTS = ("P1", "B1", "P2", "B2", "P3", "B3")


def card(place: int, shown: int | None) -> CoupCard:
    face = None if shown is None else BY_VALUE[shown]
    return CoupCard(place + 1, place + 1, SLOTS[place], Sealed(Card("KS")), face, turned=face is not None)  # type: ignore[arg-type]  # a slot by its place


def all_answers(shown: list[int | None]) -> set[str | None]:
    answers: set[str | None] = set()
    for values in itertools.product(*(range(10) if one is None else (one,) for one in shown)):
        player, banker = (values[0] + values[2]) % 10, (values[1] + values[3]) % 10
        answers.add(next_third(player, banker, values[4] if len(values) > 4 else None))
    return answers


@pytest.mark.parametrize("down", [(), (0,), (1,), (0, 2), (1, 3), (0, 1, 2, 3)])
def test_the_fifth_card(down: tuple[int, ...]) -> None:
    for values in itertools.product(range(0, 10, 3), repeat=4):
        shown = [None if place in down else one for place, one in enumerate(values)]
        answers = all_answers(shown)
        expected = answers.pop() if len(answers) == 1 else UNSETTLED
        assert expected_next([card(place, one) for place, one in enumerate(shown)]) == expected, shown


@pytest.mark.parametrize("hidden", [True, False])
def test_the_sixth_card(hidden: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Over a hidden P3 only a Banker of 0 to 2 or 7 is settled."""
    for player, banker, third in itertools.product(range(6), range(8), range(10)):
        shown: list[int | None] = [player, banker, 0, 0, None if hidden else third]
        answers = all_answers(shown)
        expected = answers.pop() if len(answers) == 1 else UNSETTLED
        assert expected_next([card(place, one) for place, one in enumerate(shown)]) == expected
        if hidden:
            assert (expected == UNSETTLED) == (3 <= banker <= 6)


def test_before_the_fifth_the_order_is_fixed() -> None:
    cards: list[CoupCard] = []
    for place, slot in enumerate(SLOTS[:4]):
        assert expected_next(cards) == slot
        cards.append(card(place, None))


def test_no_card_is_judged_behind_one_without_a_place() -> None:
    cards = [card(place, 0) for place in range(4)] + [CoupCard(5, 5, None, Sealed(Card("KS")))]
    assert expected_next(cards) == UNSETTLED
