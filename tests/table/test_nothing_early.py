"""Promise 3: nobody but surveillance can know anything of a face before it is exposed.

Two histories differ in the faces of readable cards not yet exposed, at equal times and with equal commands.
Up to that point every public and cage byte is equal, and so is all that surveillance gets under the delayed
policy, but for the two events that tell faces which can no longer be played.
"""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from shoe_daemon.game.cards import DECK, Card
from shoe_daemon.runtime.messages import Message, Projector
from shoe_daemon.table import events as ev
from shoe_daemon.table import inputs as inp
from shoe_daemon.table import places
from shoe_daemon.table.codec import Step
from shoe_daemon.table.procedure import PROCEDURES
from shoe_daemon.table.sealed import Sealed
from shoe_daemon.table.setup import Setup
from shoe_daemon.table.state import CoupCard
from tests.table.histories import Walk, again, some_setup, walk, with_faces

AFTERMATH = {"coup.cards", "shoe.burned_cards"}


def messages(setup: Setup, inputs: list[inp.AnyInput]) -> list[Message]:
    """All that the delayed policy tells of a history."""
    projector = Projector("0" * 26, "T", "delayed", setup.decks)
    return [m for what, events, _ in again(setup, inputs) for m in projector.project(Step(what, events))]


def openly(told: list[Message]) -> list[bytes]:
    """The bytes that must be equal: seq numbers included, faces of the aftermath blotted out."""
    return [m.type.encode() if m.type in AFTERMATH else m.body for m in told]


def hidden_inputs(setup: Setup, inputs: list[inp.AnyInput]) -> list[int]:
    """Indexes of the card reads whose face nobody at the table has seen by the end of `inputs`."""
    drawn: dict[int, int] = {}
    burned: list[int] = []
    exposed: set[int] = set()
    index = -1
    by_value = False
    for what, events, table in again(setup, inputs):
        index += not isinstance(what, inp.AnswerImplied)
        for event in events:
            if isinstance(event, ev.CardDrawn) and event.face is not None:
                drawn[event.serial] = index
            elif isinstance(event, ev.BurnCard) and event.face is not None and not by_value:
                burned.append(index)
            elif isinstance(event, ev.CardExposed):
                exposed.add(event.serial)
        by_value = table.shoe is not None and table.shoe.burn is not None and table.shoe.burn.count is None
    hidden = burned + [place for serial, place in drawn.items() if serial not in exposed]
    return [place for place in hidden if isinstance(inputs[place], inp.CardRead)]  # not what a person entered


def same_but_for_hidden_faces(setup: Setup, inputs: list[inp.AnyInput], rng: random.Random) -> int:
    """Swap the hidden faces and compare; returns how many there were."""
    hidden = hidden_inputs(setup, inputs)
    swapped = with_faces(inputs, {index: rng.choice(DECK) for index in hidden})
    assert openly(messages(setup, swapped)) == openly(messages(setup, inputs))
    return len(hidden)


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 2**32), cut=st.floats(0, 1))
def test_hidden_faces_change_nothing_that_is_told(seed: int, cut: float) -> None:
    made = walk(seed, 60)
    same_but_for_hidden_faces(made.setup, made.inputs[: 3 + round(cut * 60)], random.Random(seed))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), procedure=st.sampled_from(sorted(PROCEDURES)), cards=st.integers(1, 9))
def test_a_run_of_cards_with_no_word_said(seed: int, procedure: str, cards: int) -> None:
    """Tens against nines, repeats and all: the machine is alone with the cards and says nothing of them."""
    rng = random.Random(seed)
    made = Walk(rng, replace(some_setup(rng), procedure=PROCEDURES[procedure]))
    made.grow(0)
    faces = [Card(rng.choice(["10S", "KH", "9D", "9D", "8C"])) for _ in range(cards)]
    for at, face in enumerate(faces):
        made.take(inp.CardRead(at, Sealed(face), b""))
    same_but_for_hidden_faces(made.setup, made.inputs, rng)


@pytest.mark.parametrize("p3", ["10S", "3S", "8S"])
def test_a_sixth_card_over_a_hidden_third_card_holds_whatever_the_faces(p3: str) -> None:
    """Banker 3 would draw on a ten and stand on an eight: while P3 is hidden, neither is told."""
    rng = random.Random(0)
    made = Walk(rng, replace(some_setup(rng), procedure=PROCEDURES["dealer-reveal"]))
    made.grow(0)
    made.take(made.say("no_more_bets"))
    for face in ("KS", "3H", "KD", "KC"):
        made.take(inp.CardRead(1, Sealed(Card(face)), b""))
    made.take(made.say("reveal"))
    made.take(inp.CardRead(2, Sealed(Card(p3)), b""))
    told = made.take(inp.CardRead(3, Sealed(Card("5D")), b""))
    raised = [event.code for event in told if isinstance(event, ev.IrregularityRaised)]
    assert raised == ["drawn_before_reveal"]
    assert same_but_for_hidden_faces(made.setup, made.inputs, rng) == 2


def test_who_asks_for_hidden_faces_is_told_none_by_the_table() -> None:
    """The answer bears public events alone; here not even surveillance hears a face."""
    rng = random.Random(0)
    made = Walk(rng, replace(some_setup(rng), procedure=PROCEDURES["dealer-reveal"]))
    made.grow(0)
    made.take(made.say("no_more_bets"))
    made.take(inp.CardRead(1, Sealed(Card("9S")), b""))
    asked = {"what": "journal", "reason": "a drill", "second": "inspector:2"}
    for second in ("supervisor:9", "inspector:2"):
        told = made.take(made.say("unmask", **{**asked, "second": second}))
        step = Step(made.inputs[-1], tuple(told))
        heard = Projector("0" * 26, "T", "immediate", made.setup.decks).project(step)
        assert [message.audience for message in heard] == ["surveillance"]
    assert same_but_for_hidden_faces(made.setup, made.inputs, rng) == 1


def test_every_card_is_dealt_at_its_own_time() -> None:
    """Silence is not a pass: each card that joins or leaves a coup is told to the public when it is drawn."""
    for seed in range(60):
        made = walk(seed, 80)
        for what, events in made.events:
            drawn = [event.n for event in events if isinstance(event, ev.CardDrawn)]
            dealt = [event.n for event in events if isinstance(event, ev.CardDealt)]
            assert drawn == dealt, (seed, what)


def test_the_comparison_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """A place that is read off a hidden face is found out."""
    blind = places._total

    def peeking(first: CoupCard, second: CoupCard) -> object:
        for card in (first, second):
            if card.card is None and card.face is not None:
                return (9 * (card.face.open()[0] in "89"),)
        return blind(first, second)

    def compare_many() -> None:
        for seed in range(400):
            made = walk(seed, 60)
            same_but_for_hidden_faces(made.setup, made.inputs, random.Random(seed))

    monkeypatch.setattr(places, "_total", peeking)
    with pytest.raises(AssertionError):
        compare_many()
