"""What an inspector reads of a coup: everything that happened in it, and no face before its time."""

import json
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoe_daemon.clients.explaining import finding
from shoe_daemon.clients.explaining.decisions import decisions
from shoe_daemon.clients.explaining.facts import NEVER_TURNED, OPEN_SHOE, Explained, explain
from shoe_daemon.clients.explaining.text import page
from shoe_daemon.clients.explaining.words import odds, pays
from shoe_daemon.clients.told import Clock, Told
from shoe_daemon.game.cards import INITIAL, Card, Slot, points, value
from shoe_daemon.game.drawing import next_third
from shoe_daemon.table.project import Policy
from tests.clients.accounts import GOLDEN, PAGES, golden, of_file, of_trace, of_walk
from tests.table.histories import walk
from tests.traces.bless import names

CLOCK = Clock(counted=True)
FACE = re.compile(r"\b(?:10|[2-9AJQK])[SHCD]\b")
RULES = ("NSW-10.3", "NSW-10.4")


def of(told: list[Told], shoe: int, coup: int, *, delayed: bool = False) -> Explained:
    return explain([one for one in told if one.shoe == shoe], shoe, coup, delayed=delayed)


def read(name: str, coup: int) -> str:
    """The page of a coup of a trace, each line without its margin, lines joined."""
    lines = page(of(of_trace(name), 1, coup, delayed=True), CLOCK, f"{name}.capture.jsonl")
    assert all(len(line) <= 100 for line in lines)
    return re.sub(r"\s+", " ", " ".join(lines))


def faces(facts: Explained) -> set[str]:
    """Every face that the page or the JSON of a coup shows."""
    said = msgspec.json.encode(facts).decode() + "\n".join(page(facts, CLOCK, "x"))
    return set(FACE.findall(said))


def turned(told: list[Told], shoe: int) -> set[str]:
    """Every face of a shoe that everybody could see."""
    open_faces = {
        one.data["card"]
        for one in told
        if one.audience == "public" and one.type == "card.exposed" and one.shoe == shoe
    }
    results = [one.data for one in told if one.type == "coup.result" and one.shoe == shoe]
    return open_faces | {
        face for data in results for hand in ("player", "banker") for face in data[hand]["cards"]
    }


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9), cut=st.integers(1, 400), policy=st.sampled_from(["delayed", "immediate"]))
def test_any_coup_can_be_explained_and_shows_no_face_of_an_open_shoe_too_early(
    seed: int, cut: int, policy: Policy
) -> None:
    told = of_walk(walk(seed, 90), policy)[: 3 * cut]
    closed = {one.shoe for one in told if one.type == "shoe.closed"}
    for span in finding.spans(told):
        facts = of(told, span.shoe, span.coup)
        seen = faces(facts)
        assert facts.view == ("surveillance" if span.shoe in closed else "public")
        assert (facts.withheld == OPEN_SHOE) == (span.shoe not in closed)
        if span.shoe not in closed:
            assert seen <= turned(told, span.shoe)
        if policy == "delayed":
            shown = faces(of(told, span.shoe, span.coup, delayed=True))
            assert span.shoe in closed or shown <= turned(told, span.shoe) | corrected(told)


def corrected(told: list[Told]) -> set[str]:
    """Faces that a person named, for staff."""
    return {one.data["card"] for one in told if one.type == "card.identified"}


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_every_card_of_a_result_lies_in_its_place_and_every_card_drawn_is_there(seed: int) -> None:
    told = of_walk(walk(seed, 120), "delayed")
    surveillance = [one for one in told if one.audience == "surveillance"]
    for span in finding.spans(told):
        facts = of(told, span.shoe, span.coup, delayed=True)
        mine = [one for one in surveillance if (one.shoe, one.coup) == (span.shoe, span.coup)]
        drawn = [one for one in mine if one.type == "card.drawn"]
        carried = [
            one
            for one in surveillance
            if one.type == "card.carried" and (one.shoe, one.data["to_coup"]) == (span.shoe, span.coup)
        ]
        assert len(facts.cards) == len(drawn) + len(carried)
        assert [card.left_at for card in facts.cards if not card.carried] == [one.at for one in drawn]
        if facts.status == "result":
            result = [one for one in mine if one.type == "coup.result"][-1].data
            lying = {card.slot: card.card for card in facts.cards if card.went == "hand"}
            placed = {
                slot: face
                for hand, side in (("player", "P"), ("banker", "B"))
                for slot, face in zip(
                    (f"{side}1", f"{side}2", f"{side}3"), result[hand]["cards"], strict=False
                )
            }
            assert lying == placed
            assert {item.id for item in facts.irregularities if item.hold and item.settled_at is None} <= {
                item.id for item in facts.irregularities if item.code in {"unreadable_card", "unknown_code"}
            }


@pytest.mark.parametrize("name", names())
def test_every_coup_of_every_trace(name: str) -> None:
    told = of_trace(name)
    for span in finding.spans(told):
        facts = of(told, span.shoe, span.coup, delayed=True)
        raised = [
            one.data["id"]
            for one in told
            if one.audience == "surveillance"
            and one.type == "irregularity.raised"
            and (one.shoe, one.coup) == (span.shoe, span.coup)
        ]
        assert {item.id for item in facts.irregularities} >= set(raised)
        assert all(len(line) <= 100 for line in page(facts, CLOCK, name))


DRAWS = [
    (
        "5S 6H KD KC 6D",
        ["The Player has 5, draws 6D", "The Banker has 6 against the Player's third card of 6, is to draw"],
    ),
    ("6S 6H KD KC", ["The Player has 6, stands", "The Banker has 6, stands"]),
    ("7S 5H KD KC 2D", ["The Player has 7, stands", "The Banker has 5, draws 2D"]),
    ("9S 8H KD KC", ["The Player has 9 and the Banker 8, both naturals: neither hand draws"]),
    ("2S 8H KD KC", ["The Banker has a natural 8: neither hand draws"]),
]


@pytest.mark.parametrize(("dealt", "words"), DRAWS)
def test_decisions_name_the_points_that_led_to_them(dealt: str, words: list[str]) -> None:
    cards = [Card(one) for one in dealt.split()]
    known: dict[Slot, Card] = dict(zip(INITIAL, cards, strict=False))
    if len(cards) > 4:
        known["P3" if "draws 6D" in words[0] else "B3"] = cards[4]
    assert [one.words for one in decisions(known, ())] == [f"{word}." for word in words]
    assert all("(NSW-10." in one.words for one in decisions(known, RULES))


@given(st.lists(st.sampled_from("A23456789K"), min_size=5, max_size=5))
def test_decisions_are_those_of_the_tables(ranks: list[str]) -> None:
    known: dict[Slot, Card] = dict(zip((*INITIAL, "P3"), (Card(f"{rank}S") for rank in ranks), strict=True))
    told = decisions(known, RULES)
    player = points((value(known["P1"]), value(known["P2"])))
    banker = points((value(known["B1"]), value(known["B2"])))
    due = next_third(player, banker, None)
    assert told[0].does == ("natural" if max(player, banker) > 7 else "draws" if due == "P3" else "stands")
    if told[0].does != "natural":
        third = value(known["P3"]) if due == "P3" else None
        after = next_third(player, banker, third)
        assert (told[1].does == "draws") == (after == "B3")
        assert told[1].against == third


# -- pages read as an inspector would ----------------------------------------------------------------------


@pytest.mark.parametrize("name", GOLDEN)
def test_pages_that_were_read_by_a_person(name: str) -> None:
    assert golden(name) == (PAGES / f"{name}.txt").read_text(encoding="utf-8")


def test_a_late_press_says_who_and_that_it_was_late() -> None:
    said = read("late-press", 1)
    assert "drawn before reveal (NSW-10.1): a further card while exposed faces do not settle" in said
    assert "was settled by dealer:17: reveal;" in said
    assert "The press came late." in said
    assert "it became a card of coup 2; nobody had seen it" in said
    assert "left the shoe as card 5 of coup 1, in excess, and nobody had seen it" in read("late-press", 2)


def test_revisions_each_with_its_cards_its_payment_and_its_author() -> None:
    said = read("revisions", 1)
    assert "The Banker wins, 6 to 0 (revision 3)." in said
    assert "corrected from 6H to 7H 00:00:05.5 by supervisor:3" in said
    assert (
        "1 00:00:05.0 the Banker wins, 6 to 0: Player 5S KC 5C = 0, Banker 6H KD = 6; pays Banker 1 to 2"
        in said
    )
    assert "(a card was corrected), by supervisor:3; pays Banker 1 to 1; other wagers lose." in said
    assert "The Banker has 6 against the Player's third card of 5, stands (NSW-10.4, Table 2)." in said


def test_an_unread_card_says_who_named_it_and_what_was_refused() -> None:
    said = read("unread", 1)
    assert "the shoe could not read it; named 6H 00:00:05.8 by dealer:17; corrected from 6H to 4H" in said
    assert "The coup is held: it has no result until a person has decided." in said
    assert (
        "dealer:17 said identify (name an open card that could not be read); it was refused: not open."
        in said
    )
    assert "was settled by what happened next, not by a person: draw" in said


def test_a_void_coup_of_an_open_shoe_withholds_what_nobody_turned() -> None:
    facts = of(of_trace("void"), 1, 1, delayed=True)
    assert facts.withheld == NEVER_TURNED
    assert [card.card for card in facts.cards] == ["5S", None, None, None]
    assert [card.withheld for card in facts.cards] == [False, True, False, True]
    said = read("void", 1)
    assert "The coup is void: it has no result." in said
    assert "The coup is void: unreadable card, by supervisor:3." in said
    assert "its face is withheld" in said


def test_a_parked_coup_and_a_card_after_the_last_coup() -> None:
    said = read("parked-result", 1)
    assert "The coup is parked: dealing goes on, its result comes later, by dealer:17." in said
    assert "pays Tie 8 to 1; wagers on Player and Banker go back; nothing else wins." in said
    assert "it lies aside and is no card of any coup" in read("last-coups", 2)


def test_a_third_card_that_nobody_named_keeps_its_place(tmp_path: Path) -> None:
    capture = tmp_path / "c.jsonl"
    frames = ["<Card:5S>", "<Card:AH>", "<Card:KC>", "<Card:KD>", "<Game>", "<Card:4C>"]
    lines = ['{"t": 0, "profile": "beetek-rs232", "rules": "live"}']
    lines += [
        json.dumps({"t": 1 + place, "rx": f" [Game]{frame} \r\n".encode().hex()})
        for place, frame in enumerate(frames)
    ]
    capture.write_text("\n".join(lines), encoding="utf-8")
    facts = of(of_file(capture), 1, 1, delayed=True)
    assert [(card.slot, card.card) for card in facts.cards[4:]] == [("P3", None), ("B3", "4C")]
    invalid = [
        *lines,
        json.dumps(command(8, "identify", slot="P3", card="2D")),
        json.dumps(command(9, "invalidate", coup=1, ground="fraud", forfeit=[3])),
    ]
    capture.write_text("\n".join(invalid), encoding="utf-8")
    facts = of(of_file(capture), 1, 1, delayed=True)
    assert facts.status == "invalidated"
    assert [(card.slot, card.card) for card in facts.cards[4:]] == [("P3", "2D"), ("B3", "4C")]
    assert facts.revisions[-1].settlement == "pay"
    assert facts.happenings[-1].words == "Cage: all wagers go back, but those of seat 3 are forfeited"


def command(t: float, verb: str, **args: object) -> dict[str, object]:
    return {"t": t, "cmd": {"verb": verb, "actor": "supervisor:3", "args": args}}


def test_what_the_cage_was_told_in_words() -> None:
    assert odds("19/20") == "19 to 20"
    assert odds("8") == "8 to 1"
    assert pays("return", {}, [3, 4]) == "all wagers go back, but those of seats 3, 4 are forfeited"
    assert pays("none", {}, []) == "nothing to settle: there were no wagers"
    assert pays("pay", {"banker": "0"}, []) == "wagers on Banker go back; nothing else wins"


def test_a_coup_that_was_not_told_is_none() -> None:
    with pytest.raises(ValueError, match="coup 99 in shoe 1"):
        of(of_trace("face-up"), 1, 99, delayed=True)
