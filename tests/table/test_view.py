"""The fold of one audience's messages."""

import itertools
import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoe_daemon.runtime.messages import Projector
from shoe_daemon.table import view as fold
from shoe_daemon.table.codec import Step
from shoe_daemon.table.decide import fold as fold_table
from shoe_daemon.table.events import AUDIENCES
from shoe_daemon.table.state import Table
from shoe_daemon.table.view_shapes import Ended, Pending, View
from tests.table.histories import Walk, some_setup

Message = dict[str, Any]

WIN = {"cards": ["9S", "KH"], "points": 9}
LOSE = {"cards": ["2S", "KC"], "points": 2}


class Teller:
    """Writes messages of one audience, in sequence."""

    def __init__(self, audience: str = "public", journal: str = "0" * 26) -> None:
        self.view = fold.empty(audience)
        self.journal = journal
        self.seq = 0
        self.shoe: int | None = None

    def message(self, kind: str, coup: int | None = None, /, **data: object) -> Message:
        self.seq += 1
        return {
            "v": 1,
            "journal": self.journal,
            "table": "BAC-07",
            "audience": self.view.audience,
            "seq": self.seq,
            "type": kind,
            "at": "2026-11-30T12:00:00.000000Z",
            "shoe": self.shoe,
            "coup": coup,
            "data": data,
        }

    def tell(self, kind: str, coup: int | None = None, /, **data: object) -> View:
        if kind == "shoe.loaded":
            self.shoe = (self.shoe or 0) + 1
        self.view = fold.apply(self.view, self.message(kind, coup, **data))
        return self.view

    def load(self) -> View:
        return self.tell("shoe.loaded", decks=8, cards=416)

    def result(self, coup: int, outcome: str = "player", revision: int = 1, **changed: object) -> View:
        data = {
            "revision": revision,
            "outcome": outcome,
            "player": WIN,
            "banker": LOSE,
            "natural": True,
            "pairs": {"player": False, "banker": False},
            "no_bet": False,
            "last_coup": False,
        }
        return self.tell("coup.result", coup, **(data | changed))


@pytest.fixture
def table() -> Teller:
    teller = Teller()
    teller.tell("table.opened", reason="start")
    teller.load()
    return teller


def outcomes(view: View) -> list[tuple[int, str, int]]:
    return [(one.coup, one.outcome, one.revision) for one in view.history]


def test_one_coup_from_betting_to_result(table: Teller) -> None:
    now = table.tell("betting.opened", 1, reason="auto", implied=True)
    assert (now.open, now.shoe, now.decks) == (True, 1, 8)
    assert (now.betting, now.betting_coup, now.coup) == ("open", 1, None)
    table.tell("betting.closed", 1, reason="first_card", implied=True)
    for n, (slot, card) in enumerate(zip(("P1", "B1", "P2", "B2"), ("9S", "2S", "KH", "KC"), strict=True), 1):
        now = table.tell("card.dealt", 1, n=n)
        assert (now.betting, now.coup, now.cards_out) == ("closed", 1, n)
        now = table.tell("card.exposed", 1, slot=slot, card=card, source="shoe")
    now = table.tell("hand.announced", 1, hand="player", points=9, natural=True)
    assert now.exposed == {"P1": "9S", "B1": "2S", "P2": "KH", "B2": "KC"}
    assert now.hands == {"player": 9}
    now = table.result(1)
    assert (now.coup, now.cards_out, now.exposed, now.hands) == (None, 0, {}, {})
    assert now.history[0].player.cards == ("9S", "KH")
    assert now.ended == Ended(1, "result")


def test_no_outcome_before_its_result(table: Teller) -> None:
    for n in range(1, 7):
        assert table.tell("card.dealt", 1, n=n).history == ()


def test_further_revision_replaces_in_place(table: Teller) -> None:
    table.result(1)
    table.result(2)
    assert outcomes(table.result(1, "tie", 2)) == [(1, "tie", 2), (2, "player", 1)]


@pytest.mark.parametrize("kind", ["coup.void", "coup.invalidated"])
def test_a_struck_coup_leaves_the_history(table: Teller, kind: str) -> None:
    table.result(1)
    table.result(2)
    assert outcomes(table.tell(kind, 1, reason="command", rule=None)) == [(2, "player", 1)]


def test_void_of_a_coup_that_bets_were_taken_for_ends_the_betting(table: Teller) -> None:
    table.tell("betting.opened", 1, reason="command", implied=False)
    assert table.tell("coup.void", 1, reason="command", rule=None).betting == "closed"
    table.tell("betting.opened", 2, reason="command", implied=False)
    assert table.tell("coup.void", 1, reason="command", rule=None).betting == "open"


def test_the_coming_coup_can_be_held_before_this_one_ends(table: Teller) -> None:
    table.tell("card.dealt", 1, n=1)
    table.tell("coup.held", 2)
    assert table.result(1).held == (2,)
    assert table.tell("shoe.closed", coups=1).held == ()


def test_void_ends_the_open_coup(table: Teller) -> None:
    table.tell("card.dealt", 1, n=1)
    table.tell("coup.held", 1)
    now = table.tell("coup.void", 1, reason="command", rule=None)
    assert (now.coup, now.held, now.history, now.ended) == (None, (), (), Ended(1, "void"))


def test_pending_result_takes_its_place(table: Teller) -> None:
    table.result(1)
    table.tell("card.dealt", 2, n=1)
    table.tell("coup.held", 2)
    now = table.tell("coup.pending", 2)
    assert (now.coup, now.held, now.pending) == (None, (), (Pending(1, 2),))
    table.result(3)
    table.tell("card.dealt", 4, n=1)
    now = table.result(2, "banker")
    assert outcomes(now) == [(1, "player", 1), (2, "banker", 1), (3, "player", 1)]
    assert (now.pending, now.coup, now.ended) == ((), 4, Ended(3, "result"))


def test_pending_coup_of_an_earlier_shoe(table: Teller) -> None:
    table.tell("coup.pending", 1)
    now = table.load()
    assert (now.shoe, now.pending, now.ended) == (2, (Pending(1, 1),), None)
    table.result(1, "tie")
    late = table.message("coup.void", 1, reason="command", rule=None) | {"shoe": 1}
    now = fold.apply(table.view, late)
    assert (now.pending, outcomes(now)) == ((), [(1, "tie", 1)])


def test_release_of_a_parked_coup_leaves_the_open_one_held(table: Teller) -> None:
    table.tell("coup.pending", 1)
    table.tell("card.dealt", 2, n=1)
    table.tell("coup.held", 2)
    assert table.tell("coup.released", 1).held == (2,)
    assert table.tell("coup.released", 2).held == ()


def test_new_shoe_clears(table: Teller) -> None:
    table.result(1)
    table.tell("shoe.cut_card", last_coups=1)
    table.tell("shoe.closed", coups=1)
    assert table.view.shoe_closed
    now = table.load()
    assert (now.shoe, now.history, now.last_coups, now.shoe_closed, now.open) == (2, (), None, False, True)


def test_last_coups_count_down_with_every_ended_coup(table: Teller) -> None:
    table.tell("card.dealt", 1, n=1)
    assert table.tell("shoe.cut_card", 1, last_coups=2).last_coups == 2
    assert table.tell("coup.void", 1, reason="command", rule=None).last_coups == 1
    assert table.result(2, last_coup=True).last_coups == 0
    assert table.result(2, revision=2).last_coups == 0


def test_no_bet_coup_is_marked_until_it_ends(table: Teller) -> None:
    table.result(1)
    assert table.tell("coup.no_bet", 2, reason="disclosed", rule=None).no_bet
    now = table.tell("card.exposed", 2, slot="P1", card="9S", source="shoe")
    assert (now.no_bet, now.coup, now.cards_out) == (True, 2, 1)
    assert table.tell("card.dealt", 2, n=2).cards_out == 2
    now = table.result(2, no_bet=True)
    assert (now.no_bet, now.history[-1].no_bet) == (False, True)


def test_a_card_in_excess_of_an_ended_coup_opens_none(table: Teller) -> None:
    table.result(1)
    now = table.tell("card.dealt", 1, n=5)
    assert (now.coup, now.cards_out) == (None, 0)


def test_irregularities_and_device_of_surveillance() -> None:
    teller = Teller("surveillance")
    teller.load()
    item = {"code": "excess_card", "rule": "NSW-13.4", "kind": "game", "slot": None, "hold": False}
    teller.tell("irregularity.raised", 1, id=1, remedies=["disclose", "undisclosed"], **item)
    teller.tell("irregularity.raised", 1, id=2, remedies=[], **item)
    assert [one.id for one in teller.view.irregularities] == [1]
    assert teller.view.irregularities[0].coup == 1
    assert teller.tell("irregularity.resolved", 1, id=1, remedy="disclose").irregularities == ()
    assert teller.tell("device.link", state="up", reason=None).device == "up"
    assert teller.tell("device.link", state="gap", reason=None).device == "up"
    assert teller.tell("device.link", state="down", reason=None).device == "down"


def test_a_drawn_face_is_no_exposed_face() -> None:
    teller = Teller("surveillance")
    teller.load()
    now = teller.tell("card.drawn", 1, n=1, slot="P1", readable=True, card="9S", source="shoe")
    assert (now.coup, now.cards_out, now.exposed) == (1, 1, {})


def test_another_journal_begins_anew(table: Teller) -> None:
    table.result(1)
    other = Teller(journal="1" * 26).message("table.opened", reason="start")
    now = fold.apply(table.view, other)
    assert now == fold.apply(fold.empty("public"), other)


def test_another_audience_is_refused(table: Teller) -> None:
    other = Teller("surveillance").message("table.opened", reason="start")
    with pytest.raises(ValueError, match="surveillance"):
        fold.apply(table.view, other)


def test_unknown_types_and_fields_are_passed_over(table: Teller) -> None:
    before = table.view
    odd = table.message("coup.applause", 1, loud=True) | {"new": 1}
    after = fold.apply(before, odd)
    assert msgspec.structs.replace(after, seq=before.seq) == before
    assert after.seq == before.seq + 1


@pytest.mark.parametrize("data", [{}, {"slot": "P9", "card": "9S"}, {"slot": "P1", "card": None}])
def test_a_broken_message_is_an_error(table: Teller, data: Message) -> None:
    with pytest.raises(msgspec.ValidationError):
        table.tell("card.exposed", 1, **data)


COUP_KINDS = ("coup.held", "coup.released", "coup.pending", "coup.void", "coup.invalidated", "coup.no_bet")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(COUP_KINDS), st.integers(1, 5), st.integers(1, 3)),
        st.tuples(st.just("coup.result"), st.integers(1, 5), st.integers(1, 3)),
        st.tuples(st.just("card.dealt"), st.integers(1, 5), st.integers(1, 7)),
        st.tuples(st.just("shoe.loaded"), st.just(1), st.just(1)),
    ),
    max_size=30,
)


@settings(max_examples=300, deadline=None)
@given(STEPS)
def test_any_order_keeps_the_view_whole_and_survives_json(steps: list[tuple[str, int, int]]) -> None:
    teller = Teller()
    teller.load()
    for kind, coup, number in steps:
        if kind == "coup.result":
            now = teller.result(coup, revision=number)
        else:
            data = {"n": number} if kind == "card.dealt" else {"decks": 8}
            now = teller.tell(kind, coup, **data)
        coups = [one.coup for one in now.history]
        assert all(first < second for first, second in itertools.pairwise(coups))
        assert now.coup is None or now.ended is None or now.coup > now.ended.coup
        assert not {one.coup for one in now.pending if one.shoe == now.shoe} & set(coups)
        assert msgspec.json.decode(msgspec.json.encode(now), type=View) == now


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_each_audience_sees_the_table_as_it_is(seed: int) -> None:
    rng = random.Random(seed)
    walk = Walk(rng, some_setup(rng))
    walk.grow(100)
    projector = Projector("0" * 26, "T", "delayed", walk.setup.decks)
    views = {audience: fold.empty(audience) for audience in AUDIENCES}
    table = Table()
    for happened, events in walk.events:
        table = fold_table(table, events)
        for message in projector.project(Step(happened, events)):
            views[message.audience] = fold.apply(views[message.audience], msgspec.json.decode(message.body))
        for view in views.values():
            check_all(view, table)
        check_cards(views["public"], table)
        check_cards(views["surveillance"], table)
        check_items(views["surveillance"], table)
        check_items(views["cage"], table)


def check_all(view: View, table: Table) -> None:
    shoe = table.shoe
    assert (view.open, view.shoe) == (table.opened, table.number)
    assert view.shoe_closed == (shoe is None and table.number is not None)
    assert (view.betting == "open") == (table.betting == "open")
    assert sorted((one.shoe, one.coup) for one in view.pending) == sorted(coup.key for coup in table.parked)
    assert view.no_bet == (table.coup is not None and table.coup.no_bet)
    assert bool(view.held) == (table.coup is not None and table.holds(table.coup) != ())
    if shoe is not None:
        assert view.last_coups == shoe.last_coups
        results = {coup.number: coup.revision for coup in table.past if coup.ended == "result"}
        assert {one.coup: one.revision for one in view.history} == results


def check_cards(view: View, table: Table) -> None:
    """Check the coup on the table. That two carried cards opened it is known with its first further card."""
    cards = () if table.coup is None else table.coup.cards
    assert view.exposed == {card.slot: card.card for card in cards if card.turned and card.card and card.slot}
    if view.exposed or view.coup is not None:
        assert table.coup is not None
        assert view.coup == table.coup.number


def check_items(view: View, table: Table) -> None:
    assert [(one.id, one.code, one.remedies) for one in view.irregularities] == [
        (one.id, one.code, one.remedies) for one in table.items
    ]
