"""The two drawing tables against each document's own, typed in as it prints them."""

from collections.abc import Callable
from itertools import product

import pytest

from shoe_daemon.game.drawing import next_third

NSW_TABLE_2 = """\
     No Card 0 1 2 3 4 5 6 7 8 9
  0     D    D D D D D D D D D D
  1     D    D D D D D D D D D D
  2     D    D D D D D D D D D D
  3     D    D D D D D D D D S D
  4     D    S S D D D D D D S S
  5     D    S S S S D D D D S S
  6     S    S S S S S S D D S S
  7     S    S S S S S S S S S S
  8     S    S S S S S S S S S S
  9     S    S S S S S S S S S S
"""
NSW_TABLE_1 = {"0-1-2-3-4-5": "draws", "6-7": "stands", "8-9": "natural"}

LIVE_BANKER_AFTER_DRAW: dict[str, Callable[[int], bool]] = {
    "0, 1, or 2": lambda _third: True,
    "3": lambda third: third != 8,
    "4": lambda third: third in {2, 3, 4, 5, 6, 7},
    "5": lambda third: third in {4, 5, 6, 7},
    "6": lambda third: third in {6, 7},
}
LIVE_BANKER_AFTER_STAND = {0, 1, 2, 3, 4, 5}

IC_WHOLE_ROWS = {"0-2": "must draw", "7": "must stand"}
IC_ROWS = {
    3: ("1-2-3-4-5-6-7-9", "8"),
    4: ("2-3-4-5-6-7", "0,1,8,9"),
    5: ("4-5-6-7", "0-1-2-3-8-9"),
    6: ("6-7", "0-1-2-3-4-5-8-9"),
}
IC_AFTER_STAND = {3: "draw", 4: "draw", 5: "draw", 6: "stand"}

DRAWING_PLAYER = range(6)
STANDING_PLAYER = (6, 7)


def span(text: str) -> range:
    """Numbers of `0-2`."""
    first, last = text.split("-")
    return range(int(first), int(last) + 1)


def digits(text: str) -> set[int]:
    """Numbers of `0,1,8,9` or `6-7`, both lists in these documents."""
    return {int(digit) for digit in text if digit.isdigit()}


def after_draw(banker: int, third: int) -> bool:
    """Whether the Banker draws after a Player's third card, the same for every Player who draws."""
    answers = {next_third(player, banker, third) for player in DRAWING_PLAYER}
    assert len(answers) == 1
    return answers == {"B3"}


def after_stand(banker: int) -> bool:
    """Whether the Banker draws when the Player stood, the same on 6 and 7."""
    answers = {next_third(player, banker, None) for player in STANDING_PLAYER}
    assert len(answers) == 1
    return answers == {"B3"}


def test_all_88_banker_cells_of_nsw_table_2() -> None:
    rows = [line.split() for line in NSW_TABLE_2.splitlines()[1:]]
    cells = {(int(banker), column): cell for banker, *row in rows for column, cell in enumerate(row)}
    decided = {key: cell for key, cell in cells.items() if key[0] <= 7}
    assert len(decided) == 88
    assert sum(cell == "D" for cell in decided.values()) == 57
    for (banker, column), cell in decided.items():
        draws = after_stand(banker) if column == 0 else after_draw(banker, column - 1)
        assert draws == (cell == "D"), (banker, column)
    for (banker, _column), cell in cells.items():
        if banker >= 8:
            assert cell == "S"
            assert all(next_third(player, banker, None) is None for player in range(10))


def test_nsw_table_1() -> None:
    said = {player: words for span_, words in NSW_TABLE_1.items() for player in digits(span_)}
    assert sorted(said) == list(range(10))
    for player, banker in product(range(10), range(8)):
        assert (next_third(player, banker, None) == "P3") == (said[player] == "draws"), (player, banker)


def test_all_88_banker_cells_of_the_live_prose() -> None:
    for banker, third in product(range(8), range(10)):
        rules = [draws for points, draws in LIVE_BANKER_AFTER_DRAW.items() if banker in digits(points)]
        assert after_draw(banker, third) == any(draws(third) for draws in rules), (banker, third)
    for banker in range(8):
        assert after_stand(banker) == (banker in LIVE_BANKER_AFTER_STAND), banker


def test_live_player_prose() -> None:
    for player, banker in product(range(10), repeat=2):
        draws = player in {0, 1, 2, 3, 4, 5} and banker <= 7
        assert (next_third(player, banker, None) == "P3") == draws, (player, banker)
        if player > 7:
            assert next_third(player, banker, None) is None


def test_all_banker_cells_of_the_intercasino_page() -> None:
    printed: dict[tuple[int, int], bool] = {}
    for banker in span("0-2"):
        printed |= {(banker, third): IC_WHOLE_ROWS["0-2"] == "must draw" for third in range(10)}
        assert after_stand(banker)
    for banker, (draws, stands) in IC_ROWS.items():
        printed |= {(banker, third): True for third in digits(draws)}
        printed |= {(banker, third): False for third in digits(stands)}
        assert after_stand(banker) == (IC_AFTER_STAND[banker] == "draw")
    printed |= {(7, third): IC_WHOLE_ROWS["7"] == "must draw" for third in range(10)}
    assert not after_stand(7)
    missing = set(product(range(8), range(10))) - printed.keys()
    assert missing == {(3, 0)}, "the page's row 3 lists a third card of 0 on neither side"
    for (banker, third), draws_ in printed.items():
        assert after_draw(banker, third) == draws_, (banker, third)


def test_intercasino_player_table() -> None:
    printed = {**dict.fromkeys(span("0-5"), "P3"), **dict.fromkeys((6, 7), None)}
    for player, banker in product(printed, range(8)):
        assert (next_third(player, banker, None) == "P3") == (printed[player] == "P3")


@pytest.mark.parametrize("natural", [8, 9])
def test_nzg_9_2_a_natural_ends_the_drawing(natural: int) -> None:
    for other, third in product(range(10), (None, *range(10))):
        assert next_third(natural, other, third) is None
        assert next_third(other, natural, third) is None


def test_nzg_9_3_the_player_acts_on_a_banker_of_0_to_7() -> None:
    for player, banker in product(range(8), range(8)):
        assert next_third(player, banker, None) != ("B3" if player <= 5 else "P3")
