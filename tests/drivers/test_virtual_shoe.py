"""The virtual shoe deals by the rules, at a human pace, and its table comes out as the cards truly lay."""

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from drivers import decoder_for
from drivers.beats import COURSES, LATE
from drivers.dealer import BEHIND_CUT
from drivers.encoder import ProfileEncoder
from drivers.mistakes import MISTAKES
from drivers.profile import parse_shoe
from drivers.script import Action, Cable, CoupOver, NewShoe, Operator, Send, capture_lines, read_capture
from drivers.virtual import VirtualOptions, virtual_shoe
from shoe_daemon.game.cards import DECK, Card
from shoe_daemon.runtime.replay import replay
from shoe_daemon.runtime.resources import shoe_file
from shoe_daemon.table.inputs import CardRead, CardUnread, DeviceAlarm

FILE = Path(__file__).parents[2] / "config" / "shoes" / "beetek-rs232.toml"
PROFILE = parse_shoe(FILE.read_bytes(), FILE.name)


def script(procedure: str, seed: int = 7, **options: Any) -> list[Action]:  # noqa: ANN401 - any option
    return list(virtual_shoe(PROFILE, VirtualOptions(procedure=procedure, seed=seed, **options)))


def captured(actions: list[Action], procedure: str, decks: int = 8) -> list[str]:
    names = {"profile_id": "beetek-rs232", "rules": "nsw", "table": "V"}
    return list(capture_lines(actions, decks=decks, procedure=procedure, **names))


def events(actions: list[Action], procedure: str) -> list[dict[str, Any]]:
    """Replay `actions`; what surveillance is told."""
    messages = [one for step in replay(captured(actions, procedure)) for one in step]
    return [json.loads(one.body) for one in messages if one.audience == "surveillance"]


def truth(actions: list[Action]) -> list[tuple[Any, ...]]:
    overs = [one for one in actions if isinstance(one, CoupOver)]
    return [(one.shoe, one.coup, list(one.player), list(one.banker), one.no_bet) for one in overs]


def results(told: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [
        (one["shoe"], one["coup"], data["player"]["cards"], data["banker"]["cards"], data["no_bet"])
        for one in told
        if one["type"] == "coup.result"
        for data in [one["data"]]
    ]


# --- the cards ------------------------------------------------------------------------------------------


def worth(card: str) -> int:
    return "A23456789".find(card[0]) + 1


BANKER_DRAWS = {3: "012345679", 4: "234567", 5: "4567", 6: "67", 7: ""}


def lawful(player: tuple[Card, ...], banker: tuple[Card, ...]) -> bool:
    """Whether both hands hold as many cards as the two tables say."""
    mine, theirs = (sum(map(worth, hand[:2])) % 10 for hand in (player, banker))
    if mine > 7 or theirs > 7:
        return len(player) == len(banker) == 2
    if mine > 5:
        return (len(player), len(banker)) == (2, 3 if theirs < 6 else 2)
    draws = theirs < 3 or str(worth(player[2])) in BANKER_DRAWS[theirs]
    return (len(player), len(banker)) == (3, 3 if draws else 2)


@pytest.mark.parametrize("procedure", COURSES)
def test_cards_leave_each_shoe_in_order_and_make_lawful_coups(procedure: str) -> None:
    actions = script(procedure, coups=200, late=0.3 if procedure in LATE else 0.0)
    decoder = decoder_for(PROFILE)
    for number, shoe in enumerate(one for one in actions if isinstance(one, NewShoe)):
        assert Counter(shoe.cards) == dict.fromkeys(DECK, 8)
        first = actions.index(shoe)
        following = [place for place, one in enumerate(actions) if isinstance(one, NewShoe) and place > first]
        part = actions[first : following[0] if following else None]
        sent = [
            one.face.open()
            for action in part
            if isinstance(action, Send)
            for one in decoder.feed(action.data, round(action.at_s * 1e6))
            if isinstance(one, CardRead)
        ]
        assert sent == list(shoe.cards[: len(sent)])
        assert shoe.burned == 1 + (worth(shoe.cards[0]) or 10)
        used = shoe.burned
        for coup, over in enumerate((one for one in part if isinstance(one, CoupOver)), start=1):
            assert (over.shoe, over.coup) == (number + 1, coup)
            lies = shoe.cards[used : used + len(over.player) + len(over.banker)]
            thirds = lies[4:]
            p3 = thirds[:1] if len(over.player) == 3 else ()
            assert over.player == (lies[0], lies[2], *p3)
            assert over.banker == (lies[1], lies[3], *thirds[len(p3) :])
            assert lawful(over.player, over.banker)
            used += len(lies)


def test_the_cut_card_gives_this_coup_and_one_more() -> None:
    middle = between = 0
    for seed in range(12):
        actions = script("face-up", seed, decks=1, coups=12)
        shoe = next(one for one in actions if isinstance(one, NewShoe))
        verbs = [one.verb if isinstance(one, Operator) else type(one).__name__ for one in actions]
        cut, close = verbs.index("cut_card"), verbs.index("close_shoe")
        drawn = sum(isinstance(one, Send) for one in actions[:cut])
        assert drawn == len(shoe.cards) - BEHIND_CUT
        in_coup = verbs[cut - 1] != "CoupOver"
        middle, between = middle + in_coup, between + (not in_coup)
        assert verbs[cut:close].count("CoupOver") == (2 if in_coup else 1)
        left = len(shoe.cards) - sum(isinstance(one, Send) for one in actions[:close])
        closing = actions[close]
        assert isinstance(closing, Operator)
        assert closing.args == {"remaining": left}
    assert middle
    assert between


def test_the_same_seed_gives_the_same_script_and_another_seed_another() -> None:
    first = script("result-button", 5, coups=30, late=0.2, unread=0.05)
    assert first == script("result-button", 5, coups=30, late=0.2, unread=0.05)
    assert first != script("result-button", 6, coups=30, late=0.2, unread=0.05)


@pytest.mark.parametrize(
    ("procedure", "least", "most"),
    [
        ("face-up", 25, 35),
        ("result-button", 25, 35),
        ("dealer-reveal", 25, 36),
        ("squeeze", 40, 55),
        ("method-b", 25, 36),
        ("method-c", 25, 35),
    ],
)
def test_a_coup_takes_as_long_as_at_a_table(procedure: str, least: float, most: float) -> None:
    actions = script(procedure, coups=60)
    assert all(one.at_s <= other.at_s for one, other in pairwise(actions))
    first, *_, last = [one.at_s for one in actions if isinstance(one, CoupOver)]
    assert least < (last - first) / 59 < most


def test_speed_divides_every_time() -> None:
    slow, fast = script("squeeze", coups=5), script("squeeze", coups=5, speed=50)
    assert len(slow) == len(fast)
    assert all(abs(one.at_s / 50 - other.at_s) < 2e-6 for one, other in zip(slow, fast, strict=True))


def test_tens_leave_in_both_spellings() -> None:
    data = b"".join(one.data for one in script("face-up", coups=80) if isinstance(one, Send))
    assert data.count(b"<Card:10") > 5
    assert data.count(b"<Card:T") > 5


def test_unread_cards_are_sent_in_every_way_the_profile_knows() -> None:
    seen = set()
    for seed in range(12):
        for one in script("face-up", seed, coups=40, unread=0.05, opening=False):
            if isinstance(one, Operator):
                assert one.verb == "identify"
            elif isinstance(one, Send) and b"Card:" not in one.data:
                seen.add((seed, one.data.strip()))
    ways = Counter(tuple(sorted(data for number, data in seen if number == seed)) for seed in range(12))
    assert len(ways) == 3


# --- the table that listens ---------------------------------------------------------------------------------


@pytest.mark.parametrize("opening", [True, False])
@pytest.mark.parametrize("procedure", COURSES)
def test_a_table_that_listens_tells_what_truly_lay_there(procedure: str, opening: bool) -> None:  # noqa: FBT001 - a parameter
    actions = script(procedure, coups=100, unread=0.02, opening=opening)
    told = events(actions, procedure)
    assert results(told) == truth(actions)
    kinds = Counter(one["type"] for one in told)
    assert not kinds["command.refused"]
    assert not kinds["frame.rejected"]
    codes = {one["data"]["code"] for one in told if one["type"] == "irregularity.raised"}
    assert codes == {"unreadable_card"}
    closed = [one["data"] for one in told if one["type"] == "shoe.closed"]
    assert closed
    assert all(one["reconciled"] for one in closed)
    assert closed[0]["cards_unread"]


# --- captures -----------------------------------------------------------------------------------------------


def test_a_capture_plays_what_it_was_written_from() -> None:
    actions = script("dealer-reveal", coups=20, late=0.3, unread=0.05)
    actions.insert(9, Cable(actions[8].at_s, "down"))
    lines = captured(actions, "dealer-reveal")
    assert json.loads(lines[0]) == {
        "t": 0.0,
        "profile": "beetek-rs232",
        "rules": "nsw",
        "decks": 8,
        "table": "V",
        "procedure": "dealer-reveal",
        "open": False,
    }
    assert list(read_capture(lines)) == [one for one in actions if not isinstance(one, NewShoe | CoupOver)]
    assert [one.at_s for one in read_capture(lines, speed=4)][-1] == pytest.approx(actions[-2].at_s / 4)


def test_a_capture_without_an_opening_starts_at_p1() -> None:
    actions = script("face-up", coups=3, opening=False)
    lines = captured(actions, "face-up")
    assert "open" not in json.loads(lines[0])
    assert json.loads(lines[1])["rx"]
    assert captured([], "face-up") == lines[:1]


@pytest.mark.parametrize(
    "bad",
    ["", "7", '{"rx": "00"}', '{"t": 1, "rx": "0"}', '{"t": 1, "link": "sideways"}', '{"t": 1, "cmd": {}}'],
)
def test_a_bad_line_of_a_capture_is_named(bad: str) -> None:
    lines = [*captured(script("face-up", coups=1), "face-up")[:2], bad]
    with pytest.raises(ValueError, match=r"^line 3: "):
        list(read_capture(lines))


def test_options_that_cannot_be_meant_are_refused() -> None:
    for wrong in (
        {"procedure": "method-z"},
        {"procedure": "face-up", "late": 0.1},
        {"procedure": "face-up", "decks": 0},
        {"procedure": "face-up", "mistakes": ("wrong_call",)},
        {"procedure": "face-up", "burn": 15},
        {"procedure": "face-up", "speed": 0.0},
    ):
        with pytest.raises(ValueError, match=r"procedure|late|mistake|burned|speed"):
            VirtualOptions(seed=1, **wrong)


def test_a_shoe_that_cannot_tell_of_an_unread_card_is_not_asked_to() -> None:
    text = FILE.read_text()
    silent = (
        text[: text.index('[[messages]]\nevent = "unread"')]
        + text[text.index("[cards]") : text.index("[semantics]")]
    )
    profile = parse_shoe(silent.encode(), "silent.toml")
    assert ProfileEncoder(profile).unread_signs == 0
    with pytest.raises(ValueError, match="cannot tell of an unread card"):
        next(virtual_shoe(profile, VirtualOptions(procedure="face-up", seed=1, unread=0.1)))
    assert isinstance(next(virtual_shoe(profile, VirtualOptions(procedure="face-up", seed=1))), Operator)


# --- tags -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("procedure", COURSES)
@pytest.mark.parametrize("name", ["rfid-uid-lines", "feig-scan", "feig-frame"])
def test_each_card_of_a_shoe_has_a_tag_of_its_own(name: str, procedure: str) -> None:
    """Two whole shoes of eight decks, with all that goes wrong, read to the cards that lay in them."""
    profile = parse_shoe(*shoe_file(name))
    options = VirtualOptions(procedure=procedure, seed=7, mistakes=MISTAKES[procedure])
    shoes: list[tuple[Card, ...]] = []
    sent: list[list[bytes]] = []
    read: list[list[Card]] = []
    decoder = decoder_for(profile)
    for action in virtual_shoe(profile, options):
        if isinstance(action, NewShoe) and len(shoes) == 2:
            break
        if isinstance(action, NewShoe):
            shoes.append(action.cards)
            sent.append([])
            read.append([])
        elif isinstance(action, Send):
            sent[-1].append(action.data)
            found = decoder.feed(action.data, round(action.at_s * 1e6))
            read[-1] += [one.face.open() for one in found if isinstance(one, CardRead)]
    assert [len(frames) - len(set(frames)) for frames in sent] == [0, 0]
    assert all(len(frames) > 416 - 2 * BEHIND_CUT for frames in sent)
    assert [len(cards) for cards in read] == [len(frames) for frames in sent]
    for cards, shoe in zip(read, shoes, strict=True):
        left = iter(shoe)  # some mistakes have a card entered by hand: the shoe tells no tag of it
        assert all(card in left for card in cards)
    assert sent[0] != sent[1]


def test_a_shoe_with_more_cards_of_a_face_than_tags_is_not_dealt() -> None:
    profile = parse_shoe(*shoe_file("rfid-uid-lines"))
    script = virtual_shoe(profile, VirtualOptions(procedure="face-up", seed=7, decks=9, opening=False))
    with pytest.raises(
        ValueError, match="9 decks have 9 times AS, and the profile has tags for 8: give more"
    ):
        next(script)


def test_both_signs_of_one_unread_card_are_one_card_to_the_decoder() -> None:
    decoder = decoder_for(PROFILE)
    encoder = ProfileEncoder(PROFILE)
    for sign in range(encoder.unread_signs):
        found = decoder.feed(b"".join(encoder.encode_unread(sign)), 0)
        assert (
            sum(isinstance(one, CardUnread) or (isinstance(one, DeviceAlarm) and one.unread) for one in found)
            == 1
        )
        decoder.reset(0)
