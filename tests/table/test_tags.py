"""A reader that knows each card apart: one that lies open twice in a shoe is asked about."""

import json

import pytest

from drivers.profile import parse_shoe
from shoe_daemon.runtime.replay import replay
from shoe_daemon.runtime.resources import shoe_file

TAGS: dict[str, str] = {}
for tag, face in parse_shoe(*shoe_file("rfid-uid-lines")).cards.uids.items():
    TAGS.setdefault(face, tag)


def told(
    *cards: str, rules: str = "nsw", procedure: str = "face-up", **more: object
) -> list[dict[str, object]]:
    """What surveillance is told; a card is `9S`, `9S again`, or a command as `VERB key=value`."""
    first = {"t": 0, "profile": "rfid-uid-lines", "procedure": procedure, "rules": rules, **more}
    lines: list[dict[str, object]] = [first]
    for number, card in enumerate(cards, 1):
        if card in TAGS:
            lines.append({"t": 3 * number, "rx": f"{TAGS[card]}\r\n".encode().hex()})
        else:
            verb, *words = card.split()
            args = dict(word.split("=") for word in words)
            lines.append({"t": 3 * number, "cmd": {"verb": verb, "actor": "supervisor:1", "args": args}})
    events = [
        json.loads(message.body)
        for messages in replay(map(json.dumps, lines))
        for message in messages
        if message.audience == "surveillance"
    ]
    return [{"type": one["type"], "coup": one["coup"], **one["data"]} for one in events]


def raised(events: list[dict[str, object]]) -> list[tuple[object, object, object]]:
    return [(one["code"], one["coup"], one["slot"]) for one in events if one["type"] == "irregularity.raised"]


COUP = ("9S", "2H", "KD", "5C")


def test_a_card_that_lies_open_a_second_time_holds_its_coup() -> None:
    events = told(*COUP, "8S", "2H", "KC")
    assert raised(events) == [("duplicate_card", 2, "B1")]
    assert [one["type"] for one in events].count("coup.result") == 1
    ended = told(*COUP, "8S", "2H", "KC", "5D", "resolve id=duplicate_card remedy=accept")
    assert [one["type"] for one in ended].count("coup.result") == 2


def test_a_new_shoe_has_all_cards_again() -> None:
    assert raised(told(*COUP, "close_shoe", "load_shoe", "open_betting", *COUP)) == []


def test_it_is_a_face_and_asked_about_when_it_is_open() -> None:
    hidden = ("no_more_bets", *COUP[:2], "2H", "5C")
    assert raised(told(*hidden, procedure="dealer-reveal")) == []
    turned = told(*hidden, "reveal", procedure="dealer-reveal")
    assert raised(turned) == [("duplicate_card", 1, "B1")]


@pytest.mark.parametrize("rules", ["intercasino"])
def test_where_all_cards_are_shuffled_after_each_coup_a_coup_has_each_once(rules: str) -> None:
    assert raised(told(*COUP, *COUP, rules=rules)) == []
    assert raised(told("9S", "2H", "9S", rules=rules)) == [("duplicate_card", 1, "P2")]


def test_a_card_seen_twice_that_was_another_one_is_asked_about_once() -> None:
    events = told(*COUP, "8S", "2H", "KC", "5D", "correct slot=B1 card=3H")
    assert raised(events) == [("duplicate_card", 2, "B1")]
    assert [one["type"] for one in events].count("coup.result") == 2


def test_a_face_corrected_is_no_second_card() -> None:
    events = told(*COUP, "correct slot=P1 card=8S")
    assert raised(events) == []
