"""A device that tells where it read each card: the first four in any order, the rest where they are due."""

import json

import pytest

from shoe_daemon.runtime.replay import replay

CODES = {"S": "1", "H": "2", "C": "3", "D": "4"}
RANKS = {"A": "01", "J": "11", "Q": "12", "K": "13", "10": "10"}


def told(*cards: str, say: str = "") -> list[dict[str, object]]:
    """What surveillance is told of cards scanned as `A:9S`, face up; `say`: a remedy for the first item."""
    lines: list[dict[str, object]] = [{"t": 0, "profile": "barcode4-positions", "procedure": "face-up"}]
    for number, card in enumerate(cards, 1):
        letter, face = card.split(":")
        code = CODES[face[-1]] + RANKS.get(face[:-1], f"0{face[:-1]}") + "0"
        lines.append({"t": number, "rx": f"{letter}{code}\r\n".encode().hex()})
    if say:
        args = {"id": 1, "remedy": say}
        lines.append({"t": 99, "cmd": {"verb": "resolve", "actor": "supervisor:1", "args": args}})
    events = [
        json.loads(message.body)
        for messages in replay(map(json.dumps, lines))
        for message in messages
        if message.audience == "surveillance"
    ]
    return [{"type": one["type"], **one["data"]} for one in events]


def of(events: list[dict[str, object]], kind: str) -> list[dict[str, object]]:
    return [one for one in events if one["type"] == kind]


@pytest.mark.parametrize("order", ["ACBD", "ABCD", "DCBA", "BDAC"])
def test_the_first_four_may_come_in_any_order(order: str) -> None:
    faces = {"A": "9S", "B": "KD", "C": "2H", "D": "5C"}
    events = told(*(f"{letter}:{faces[letter]}" for letter in order))
    (result,) = of(events, "coup.result")
    assert (result["player"], result["banker"]) == (
        {"cards": ["9S", "KD"], "points": 9},
        {"cards": ["2H", "5C"], "points": 7},
    )
    slots = {"A": "P1", "B": "P2", "C": "B1", "D": "B2"}
    assert [(one["n"], one["slot"]) for one in of(events, "card.drawn")] == [
        (n, slots[letter]) for n, letter in enumerate(order, 1)
    ]
    assert of(events, "irregularity.raised") == []


def test_one_letter_is_the_third_card_of_either_hand() -> None:
    both = told("A:2S", "B:3S", "C:KH", "D:4H", "E:4D", "E:9S")
    (result,) = of(both, "coup.result")
    assert (result["player"]["cards"], result["banker"]["cards"]) == (  # type: ignore[index]  # of the event
        ["2S", "3S", "4D"],
        ["KH", "4H", "9S"],
    )
    banker = told("A:2S", "B:5S", "C:KH", "D:4H", "E:9S")
    assert [one["slot"] for one in of(banker, "card.exposed")][-1] == "B3"


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        (["A:9S", "A:2H"], "read at P1, due at B1"),
        (["A:9S", "C:2H", "E:KD"], "read at P3 or B3, due at P2"),
    ],
)
def test_a_place_that_is_taken_or_not_yet_due_is_a_misdeal_put_right_by_order(
    cards: list[str], text: str
) -> None:
    rest = ["D:5C"] if len(cards) == 3 else ["B:KD", "D:5C"]
    events = told(*cards, *rest, say="reconstruct")
    (raised,) = of(events, "irregularity.raised")
    assert (raised["code"], raised["hold"], raised["text"]) == ("misdeal", True, text)
    (result,) = of(events, "coup.result")
    assert (result["player"]["cards"], result["banker"]["cards"]) == (["9S", "KD"], ["2H", "5C"])  # type: ignore[index]  # of the event


def test_a_third_card_read_at_a_first_place_is_asked_about() -> None:
    events = told("A:2S", "B:3S", "C:KH", "D:4H", "A:4D", say="accept")
    (raised,) = of(events, "irregularity.raised")
    assert (raised["code"], raised["text"]) == ("other", "read at P1, due at P3")
    assert [one["slot"] for one in of(events, "card.exposed")][-1] == "P3"


def test_a_letter_that_stands_for_no_place_is_no_card() -> None:
    events = told("A:9S", "F:2H")
    assert [one["reason"] for one in of(events, "frame.rejected")] == ["unknown_code"]
    assert [one["code"] for one in of(events, "irregularity.raised")] == ["unknown_code"]
