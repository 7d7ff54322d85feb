"""The catalogue is whole: each of the 54 faults, each cell with a play, a reason or a test that exists."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from shoe_daemon.game.cards import DECK
from shoe_daemon.table.events import REGISTRY
from shoe_daemon.table.irregularities import ROWS
from tests.faults.catalogue import FAULTS, Fault
from tests.faults.damage import misread
from tests.faults.matrix import COLUMNS, all_places, heading
from tests.faults.plays import PLAYS, PROCESS
from tests.faults.truth import next_coup
from tests.game.test_coups import deal

ROOT = Path(__file__).parents[2]
CELLS = all_places()


def test_every_number_from_1_to_54_is_there_once_and_its_parts_behind_it() -> None:
    assert sorted({one.number for one in FAULTS}) == list(range(1, 55))
    assert [one.key for one in FAULTS if one.key.isdecimal()] == [str(number) for number in range(1, 55)]
    assert [one.number for one in FAULTS] == sorted(one.number for one in FAULTS)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.key)
def test_a_fault_is_played_or_shown_or_not_there_yet(fault: Fault) -> None:
    ways = [fault.key in PLAYS or fault.key in PROCESS, bool(fault.shown), bool(fault.later)]
    assert ways.count(True) == 1
    assert (fault.key in PROCESS) <= fault.process
    assert not fault.shown or fault.process
    assert all(fault.injected and not fault.title.endswith(".") for fault in FAULTS)


def test_a_cell_that_is_not_played_has_its_reason() -> None:
    assert all(bool(one.reason) == (one.state in {"n/a", "later"}) for one in CELLS)
    assert len(CELLS) == sum(1 if fault.process else len(COLUMNS) - 1 for fault in FAULTS)
    counted = Counter(one.state for one in CELLS)
    assert all(str(number) in heading(CELLS) for number in counted.values())


@pytest.mark.parametrize("name", [name for fault in FAULTS for name in fault.shown])
def test_a_test_that_is_named_exists(name: str) -> None:
    path, _, function = name.partition("::")
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_what_is_said_are_events_and_codes_of_the_table() -> None:
    for said in {said for fault in FAULTS for said in (*fault.says, *fault.may)}:
        kind, _, code = said.partition(" ")
        assert kind in REGISTRY, said
        assert kind != "irregularity.raised" or code in ROWS, said


def test_the_truth_of_a_coup_is_that_of_the_rules() -> None:
    """The reading here and the rules' own agree wherever the third cards come into it."""
    values = [DECK[place] for place in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)]
    for player in values:
        for banker in values:
            for third in values:
                shoe = [player, banker, DECK[12], DECK[12], third, DECK[0]]
                coup = next_coup(shoe)
                hands = deal(shoe)
                assert (coup.player, coup.banker) == hands[:2]
                assert coup.cards == shoe[: len(shoe) - len(hands[2])]


def test_a_receiver_at_the_right_speed_reads_what_was_sent() -> None:
    data = bytes(range(256))
    assert misread(data, 1.0) == data
    assert misread(data, 2.0) != data
