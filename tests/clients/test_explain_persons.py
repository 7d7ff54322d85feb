"""Whoever did something is named with the second person who stood by it."""

import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoe_daemon.clients.explaining.facts import explain
from shoe_daemon.clients.explaining.sentences import SHOWN_WITH_THE_CARDS
from shoe_daemon.clients.explaining.text import page
from shoe_daemon.clients.explaining.words import persons
from shoe_daemon.clients.told import Clock, Told
from shoe_daemon.table.events import REGISTRY, SURVEILLANCE, TYPE
from tests.clients.accounts import AT, data_of, played, say

FIRST, SECOND = "supervisor:3", "game_supervisor:8"
BOTH = f"{FIRST} with {SECOND}"
KINDS = {TYPE[kind]: kind for kind in REGISTRY.values() if SURVEILLANCE in kind.audiences}
NAMED = ("actor", "approver", "by", "person")
FOUR = (say("no_more_bets"), "7S", "6H", "KD", "KC", say("reveal"))


@pytest.mark.parametrize("name", sorted(set(KINDS) - SHOWN_WITH_THE_CARDS))
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_no_sentence_names_the_first_person_alone(name: str, data: st.DataObject) -> None:
    drawn = data.draw(data_of(KINDS[name], SURVEILLANCE))
    said = drawn | dict.fromkeys([one for one in NAMED if one in drawn], FIRST) | {"second": SECOND}
    facts = explain([Told("J", "T", SURVEILLANCE, 1, name, AT, 1, 1, said)], 1, 1, delayed=True)
    words = facts.happenings[0].words.replace(BOTH, "")
    # Who sat down or left is said first, and then who said so.
    assert FIRST not in (words.removeprefix(FIRST) if name.startswith("staff.") else words)


def test_a_second_person_stood_by_the_one_who_spoke() -> None:
    data = {"actor": "surveillance:2", "approver": FIRST, "second": SECOND}
    assert persons(data) == f"surveillance:2 with {SECOND}"
    assert persons(data, "approver") == FIRST
    assert persons({"approver": FIRST, "second": SECOND}, "approver") == BOTH
    assert persons({"actor": None, "second": SECOND}) is None


def test_who_asked_for_hidden_faces_is_named_with_where_and_why(tmp_path: Path) -> None:
    asked = say("unmask", "inspector:2", what="journal", reason="a misread card", second="supervisor:1")
    facts = explain(played(tmp_path, *FOUR[:3], asked), 1, 1, delayed=True)
    assert facts.happenings[-1].words == (
        "Two persons asked to see faces that lie hidden, in the rows of the journal,"
        " by inspector:2 with supervisor:1: a misread card"
    )


def test_the_page_of_a_coup_names_the_second_person_everywhere(tmp_path: Path) -> None:
    lines = (
        *FOUR[:4],
        say("burn", FIRST, second=SECOND),
        say("enter", FIRST, card=None, second=SECOND),
        say("reveal", FIRST, second=SECOND),
        say("identify", FIRST, slot="B2", card="KC", second=SECOND),
        say("confirm", FIRST, second=SECOND),
        say("correct", FIRST, slot="P1", card="8S", coup=1, second=SECOND),
        say("dispute", FIRST, coup=1, stage="raised", seat=4, second=SECOND),
        say("invalidate", FIRST, coup=1, ground="fraud", second=SECOND),
    )
    facts = explain([one for one in played(tmp_path, *lines) if one.shoe == 1], 1, 1, delayed=True)
    said = " ".join(" ".join(page(facts, Clock(counted=True), "x")).split())
    assert said.count(FIRST) == said.count(BOTH) == 15
    assert f"entered by {BOTH}; named KC" in said
    assert f"turned 00:00:07.0 by {BOTH}; corrected from 7S to 8S 00:00:10.0 by {BOTH}" in said
    assert f"was settled by {BOTH}: identify" in said
    assert f"(a card was corrected), by {BOTH}; pays" in said
    assert (
        f"{BOTH} said burn (the next cards are burned, or the coup's cards were); it was refused: a" in said
    )
    told = msgspec.json.encode(facts).decode()
    fields = re.findall(rf'"(\w*(?:by|second))":"(?:{FIRST}|{SECOND})"', told)
    assert {one for one in fields if "second" in one} == {
        "second",
        "turned_second",
        "raised_second",
        "settled_second",
    }
    assert [one.second for one in facts.revisions] == [SECOND, SECOND]
    assert [one.second for one in facts.disputes] == [SECOND]
