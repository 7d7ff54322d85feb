"""`decide` is total and pure, and the state is what its events fold to."""

import ast
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

import shoe_daemon.table
from shoe_daemon.table import events as ev
from shoe_daemon.table import inputs as inp
from shoe_daemon.table.codec import Step, decode_step, decode_table, encode
from shoe_daemon.table.decide import deliberate, fold, next_due, step
from shoe_daemon.table.state import Table
from tests.table.histories import again, walk

TABLE = Path(shoe_daemon.table.__file__).parent
DRIVERS = TABLE.parents[1] / "drivers"


@settings(max_examples=250, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_state_after_any_history_is_the_fold_of_its_events(seed: int) -> None:
    """Whatever happens, `decide` answers, and events in the order told fold to the state it saw."""
    made = walk(seed, 100)
    table = Table()
    for what, events in made.events:
        turn = deliberate(table, what, made.setup)
        table = fold(table, events)
        assert table == turn.table, what
    assert table == made.table
    assert decode_table(encode(table)) == table


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_journal_gives_back_what_was_put_in(seed: int) -> None:
    for what, events in walk(seed, 60).events:
        step = Step(what, events)
        assert decode_step(encode(step)) == step


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_clock_that_was_set_and_a_checkpoint_change_nothing_whatever_lies_there(
    seed: int,
) -> None:
    made = walk(seed, 60)
    for what, _, table in again(made.setup, made.inputs):
        events, after = step(table, inp.ClockStepped(what.at, 9, 7), made.setup)
        assert [type(one) for one in events] == [ev.ClockStepped]
        assert after == table
        signed = inp.Checkpointed(what.at, 9, 1, 8, 7, "a", "b", "c", "d")
        events, after = step(table, signed, made.setup)
        assert [type(one) for one in events] == [ev.JournalCheckpoint]
        assert after == table


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_same_inputs_same_events(seed: int) -> None:
    made = walk(seed, 60)
    assert [(what, events) for what, events, _ in again(made.setup, made.inputs)] == made.events


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_numbers_grow_and_each_card_is_drawn_once(seed: int) -> None:
    """Coup numbers never go back in a shoe; items count from 1; each physical card has one `card.drawn`."""
    serials: list[int] = []
    items: list[int] = []
    last = (0, 0)
    for _, events in walk(seed, 120).events:
        for event in events:
            if isinstance(event, ev.CardDrawn):
                serials.append(event.serial)
                if event.fate == "coup":
                    now = (event.shoe or 0, event.coup or 0)
                    assert now >= last
                    last = now
            if isinstance(event, ev.IrregularityRaised):
                items.append(event.id)
    assert serials == list(range(1, len(serials) + 1))
    assert items == list(range(1, len(items) + 1))


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_no_result_while_anything_is_held(seed: int) -> None:
    """Between `coup.held` and `coup.released` (or void) a coup has no result; a void one never has."""
    held: set[tuple[int | None, int | None]] = set()
    void: set[tuple[int | None, int | None]] = set()
    for _, events in walk(seed, 120).events:
        for event in events:
            key = (event.shoe, event.coup)
            if isinstance(event, ev.CoupHeld):
                assert key not in held
                held.add(key)
            elif isinstance(event, ev.CoupReleased):
                held.remove(key)
            elif isinstance(event, ev.CoupVoid):
                held.discard(key)
                void.add(key)
            elif isinstance(event, ev.CoupResult):
                assert key not in held | void


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_refused_command_changes_nothing(seed: int) -> None:
    made = walk(seed, 80)
    table = Table()
    for what, events in made.events:
        after = fold(table, events)
        if any(isinstance(event, ev.CommandRefused) for event in events):
            assert isinstance(what, inp.Command)
            assert len(events) == 1
            assert after == table
        table = after


OPENERS = {
    ("exposure.py", "open_face"): "a card is turned on the table",
    ("ending.py", "aftermath"): "a face that can no longer be played",
    ("project.py", "at_once"): "the immediate policy for surveillance",
    ("codec.py", "into_journal"): "the journal keeps faces",
    ("selftest.py", "tested"): "a card of a capture that no table has dealt",
}
CALLERS = {
    "open_face": {("exposure.py", "expose"), ("drawing.py", "_burn")},
    "aftermath": {("ending.py", "_void_cards"), ("project.py", "_burned_cards")},
    "at_once": {("project.py", "_card_drawn"), ("project.py", "_not_drawn"), ("project.py", "_too_many")},
    "into_journal": set[tuple[str, str]](),
}


def test_only_the_listed_functions_open_a_sealed_face() -> None:
    """Read off the syntax trees: who opens an envelope, who touches its inside, who calls those."""
    opened: set[tuple[str, str]] = set()
    callers: dict[str, set[tuple[str, str]]] = {name: set() for name in CALLERS}
    for path in (*TABLE.rglob("*.py"), *DRIVERS.glob("*.py")):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            here = (path.name, function.name)
            for node in ast.walk(function):
                if isinstance(node, ast.Attribute) and node.attr == "_face":
                    assert path.name == "sealed.py", here
                if not isinstance(node, ast.Call):
                    continue
                if isinstance(node.func, ast.Attribute) and node.func.attr == "open":
                    opened.add(here)
                if isinstance(node.func, ast.Name) and node.func.id in callers:
                    callers[node.func.id].add(here)
    assert opened == set(OPENERS)
    assert callers == CALLERS


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 2**32))
@example(2881)
def test_a_timer_that_fired_is_due_no_more(seed: int) -> None:
    """Otherwise the machine would fire it for ever.

    A coup that begins with carried cards and wants one more than the shoe has ends in the same instant, once.
    """
    made = walk(seed, 100)
    table = Table()
    for what, events in made.events:
        table = fold(table, events)
        if isinstance(what, inp.TimePassed):
            due = next_due(table)
            begun = any(isinstance(event, ev.CarriedSettling) for event in events)
            assert due is None or due > what.at or (begun and due == what.at), what
