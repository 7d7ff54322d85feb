"""What an inspector reads of a coup: everything that happened in it, and no face before its time."""

import json
import re
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from shoe_daemon.clients.explaining import finding
from shoe_daemon.clients.explaining.decisions import decisions
from shoe_daemon.clients.explaining.facts import NEVER_TURNED, OPEN_SHOE, explain
from shoe_daemon.clients.explaining.parts import Explained
from shoe_daemon.clients.explaining.sentences import SHOWN_WITH_THE_CARDS, happened
from shoe_daemon.clients.explaining.text import page
from shoe_daemon.clients.explaining.words import odds, pays
from shoe_daemon.clients.told import Clock, Told
from shoe_daemon.game.cards import INITIAL, Card, Slot, points, value
from shoe_daemon.game.drawing import next_third
from shoe_daemon.table.events import PUBLIC, REGISTRY, SURVEILLANCE, TYPE
from shoe_daemon.table.project import Policy
from tests.clients.accounts import AT, GOLDEN, PAGES, data_of, golden, of_file, of_trace, of_walk, played, say
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
@example(246)  # a shoe that tells places, and a card told twice
@example(518)  # a Player's third card that nobody could read
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
        "dealer:17 said identify (name an open card that could not be read); it was refused: no card lies"
        " open there that could be named so." in said
    )
    assert "was settled by what happened next, not by a person: draw" in said


def test_a_void_coup_of_an_open_shoe_withholds_what_nobody_turned() -> None:
    facts = of(of_trace("void"), 1, 1, delayed=True)
    assert facts.withheld == NEVER_TURNED
    assert [card.card for card in facts.cards] == ["5S", None, None, None]
    assert [card.withheld for card in facts.cards] == [False, True, False, True]
    said = read("void", 1)
    assert "The coup is void: it has no result." in said
    assert "The coup is void: one of its cards could not be read, by supervisor:3." in said
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


# -- a sentence for every type ------------------------------------------------------------------------------

MACHINE_WORDS = re.compile(r"[{}\[\]_]|None|daemon|True|False|not known to this program|T00:")
KINDS = {TYPE[kind]: kind for kind in REGISTRY.values()}


@pytest.mark.parametrize(
    "name", sorted(name for name, kind in KINDS.items() if SURVEILLANCE in kind.audiences)
)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_every_type_that_surveillance_is_told_has_a_sentence(name: str, data: st.DataObject) -> None:
    told = Told("J", "T", SURVEILLANCE, 1, name, AT, 1, 1, data.draw(data_of(KINDS[name], SURVEILLANCE)))
    facts = explain([told], 1, 1, delayed=True)
    if name in SHOWN_WITH_THE_CARDS:
        assert facts.happenings == []
        return
    (one,) = facts.happenings
    shown = "\n".join(page(facts, CLOCK, "x"))
    assert not MACHINE_WORDS.search(shown.partition("What this rests on")[0]), shown
    assert one.words[0].isupper() or one.words.startswith(("words", "supervisor"))
    assert one.type == name


@pytest.mark.parametrize("name", sorted(name for name, kind in KINDS.items() if PUBLIC in kind.audiences))
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_every_type_that_the_public_is_told_has_a_sentence(name: str, data: st.DataObject) -> None:
    told = Told("J", "T", PUBLIC, 1, name, AT, 1, 1, data.draw(data_of(KINDS[name], PUBLIC)))
    if name not in SHOWN_WITH_THE_CARDS:
        assert not MACHINE_WORDS.search(happened(told).replace(AT, ""))


def test_a_type_of_a_later_program_is_said_by_its_name_alone() -> None:
    told = Told("J", "T", SURVEILLANCE, 1, "shoe.weighed", AT, 1, 1, {"grams": {"of": 3}})
    assert happened(told) == "Told, and not known to this program: shoe weighed"


def test_times_in_sentences_are_those_of_the_page() -> None:
    data = {
        "id": 1,
        "what": "minimum",
        "from": 2000,
        "to": 2500,
        "rule": "NSW-6.4",
        "effective_at": "2026-11-30T20:30:00.000000Z",
        "approver": "supervisor:3",
    }
    told = [
        Told("J", "T", SURVEILLANCE, 1, "notice.posted", "2026-11-30T20:00:00.000000Z", 1, 1, data),
        Told(
            "J",
            "T",
            SURVEILLANCE,
            2,
            "seats.asked",
            "2026-11-30T20:00:05.000000Z",
            1,
            1,
            {"until": "2026-11-30T20:00:25.000000Z"},
        ),
    ]
    facts = explain(told, 1, 1, delayed=True)
    assert facts.happenings[0].words == (
        "Sign 1 was put on the table: the minimum will be 2500 (minor units) instead of 2000; that may be"
        " done from 2026-11-30T20:30:00.000000Z on, if the program runs until then (NSW-6.4), by supervisor:3"
    )
    for zone, first, last in (("UTC", "20:30:00", "20:00:25"), ("Asia/Macau", "04:30:00", "04:00:25")):
        said = " ".join(" ".join(page(facts, Clock(ZoneInfo(zone), zone), "x")).split())
        assert f"that may be done from {first} on, if" in said
        assert f"Every seat may pass or deal until {last}." in said
    late = Clock(ZoneInfo("Europe/Athens"), "Europe/Athens")
    assert "done from 22:30:00 on" in " ".join(" ".join(page(facts, late, "x")).split())
    east = [msgspec.structs.replace(told[0], at="2026-11-30T11:00:00.000000Z")]
    said = " ".join(page(explain(east, 1, 1, delayed=True), Clock(ZoneInfo("Asia/Tokyo")), "x"))
    assert "from 2026-12-01 05:30:00 on" in " ".join(said.split())


def test_a_differential_is_said_with_its_wagers() -> None:
    said = read("differential", 1)
    assert (
        "wagers of 180000 (minor units) on Player, allowed 140000. A person may reduce them: seat 1 from"
        " 100000 to 77500, seat 2 from 50000 to 38500, seat 3 from 30000 to 23000; that leaves 139000, 1000"
        " less than is allowed because chips are not divided. "
    ) in said
    assert (
        "The wagers on Player were reduced as proposed, from 180000 to 139000 (minor units): seat 1" in said
    )


# -- what a page may say only where it is so ----------------------------------------------------------------


def joined(told: list[Told], coup: int) -> str:
    """The page of a coup of shoe 1 in one line."""
    return " ".join(" ".join(page(of(told, 1, coup, delayed=True), CLOCK, "x")).split())


FOUR = (say("no_more_bets"), "7S", "6H", "KD", "KC", say("reveal"))
"""Both hands stand: a further card is in excess."""


def test_no_dealing_went_on_in_a_coup_that_was_void(tmp_path: Path) -> None:
    put_right = (
        say("report", code="misdeal"),
        say("resolve", "supervisor:3", code="misdeal", remedy="reconstruct"),
    )
    told = played(tmp_path, *FOUR[:5], *put_right, say("void", "supervisor:3"))
    said = joined(told, 1)
    assert "No wager can be taken off any more. " in said
    assert "dealing went on" not in said


SEEN = "disclose; coup 1 is unchanged; coup 2 is a no-bet coup."
ONE = "undisclosed; coup 1 is unchanged; coup 2 has wagers."
TWO = "undisclosed; coup 1 is unchanged; coup 2 is under way at once: betting does not open for it."
WAITS = "undisclosed; coup 1 is unchanged; the card goes into the next coup."
NOBODY = "undisclosed; coup 1 is unchanged; the card is the first of coup 2; betting did not open for it."


@pytest.mark.parametrize(
    ("lines", "means"),
    [
        (("4S", say("confirm"), say("disclose")), SEEN),
        (("4S", say("confirm"), say("undisclosed")), ONE),
        (("4S", "9D", say("confirm"), say("undisclosed")), TWO),
        (("4S", say("undisclosed")), WAITS),
        (("4S", say("pause", "supervisor:3"), say("confirm"), say("undisclosed")), NOBODY),
    ],
)
def test_the_answer_about_an_excess_card_names_the_coups(
    tmp_path: Path, lines: tuple[str | dict[str, object], ...], means: str
) -> None:
    told = played(tmp_path, *FOUR, *lines)
    cards = sum(isinstance(line, str) for line in lines)
    assert joined(told, 1).count(means) == cards
    if means == WAITS:
        return
    said = joined(told, 2)
    assert said.count(means) == cards
    assert said.count("(NSW-13.4), about a card drawn in coup 1 that became one of this coup: ") == cards
    assert "the next one" not in said


def test_a_card_drawn_after_a_coup_is_said_to_be(tmp_path: Path) -> None:
    told = played(tmp_path, *FOUR, say("pause", "supervisor:3"), say("confirm"), "4S", say("undisclosed"))
    assert "excess card (NSW-13.4), about a card drawn after coup 1 that became" in joined(told, 2)


UNREAD_EXCESS = (*FOUR, "?", say("confirm"), say("undisclosed"))


def test_an_unread_card_in_excess_holds_the_coup_into_which_it_goes(tmp_path: Path) -> None:
    told = played(tmp_path, *UNREAD_EXCESS)
    first, second = (of(told, 1, number, delayed=True) for number in (1, 2))
    for facts in (first, second):
        assert [(item.id, item.code, item.coup, item.holds) for item in facts.irregularities] == [
            (1, "unreadable_card", 1, [2]),
            (2, "excess_card", 1, []),
        ]
    assert "It holds coup 2, into which the card goes." in joined(told, 1)
    assert "It holds the coup" not in joined(told, 1)
    said = joined(told, 2)
    assert (
        "Irregularity 1, unreadable card, about a card drawn in coup 1 that became one of this coup: " in said
    )
    assert "It holds this coup. May be settled by: identify, void." in said
    waiting = joined(played(tmp_path, *UNREAD_EXCESS[:-2]), 1)
    assert "It holds the coup into which the card goes." in waiting


def test_the_name_of_a_carried_card_is_the_next_coups(tmp_path: Path) -> None:
    named = (
        *UNREAD_EXCESS,
        say("no_more_bets"),
        "5D",
        "6D",
        "7D",
        say("reveal"),
        say("identify", slot="P1", card="4C"),
    )
    told = played(tmp_path, *named)
    assert "by dealer:17: identify; coup 2: goes on with the face named." in joined(told, 1)
    assert "by dealer:17: identify; the coup: goes on with the face named." in joined(told, 2)


def test_an_unread_card_of_a_coup_that_turns_out_to_be_in_excess_holds_both(tmp_path: Path) -> None:
    lines = (*FOUR[:5], "?", say("resolve", code="drawn_before_reveal", remedy="keep"), say("reveal"))
    told = played(tmp_path, *lines, say("undisclosed"), say("confirm"))
    assert [
        item.holds for item in of(told, 1, 1, delayed=True).irregularities if item.code == "unreadable_card"
    ] == [[1, 2]]
    assert "It holds this coup, then coup 2, into which the card goes." in joined(told, 1)
    assert "It holds coup 1, then this coup." in joined(told, 2)


def test_a_card_that_the_shoe_was_closed_upon_voids_no_coup(tmp_path: Path) -> None:
    said = joined(played(tmp_path, *FOUR, "?", say("confirm"), say("close_shoe", "supervisor:3")), 1)
    assert said.count("was settled by supervisor:3: the card belongs to no coup.") == 2
    assert ": void." not in said


def test_a_card_that_is_in_excess_twice_is_followed(tmp_path: Path) -> None:
    out = ("4S", "2S", "5H", "5C", "9H", say("confirm"), say("undisclosed"))
    told = played(tmp_path, *FOUR, *out, say("reveal"), say("undisclosed"), say("confirm"))
    assert "it became a card of coup 3; nobody had seen it" in joined(told, 1)
    (card,) = of(told, 1, 2, delayed=True).cards[4:]
    assert (card.left_in, card.left_n, card.went, card.to_coup) == (1, 9, "next_coup", 3)
    said = joined(told, 3)
    assert "left the shoe as card 9 of coup 1, in excess" in said
    assert "excess card (NSW-13.4), about a card drawn in coup 2 that became one of this coup" in said
    assert "undisclosed; coup 2 is unchanged; coup 3 has wagers." in said


def test_a_burned_card_goes_nowhere_and_holds_nothing(tmp_path: Path) -> None:
    told = played(tmp_path, *FOUR, "4S", "?", say("confirm"), rules="france", decks=6)
    said = joined(told, 1)
    assert said.count("in excess: none of this coup's cards; it is burned and used in no other coup") == 2
    assert said.count("By these rules the card is burned: it is used in no coup.") == 2
    assert "It holds no coup: the card is used in none." in said
    assert "unreadable card, was settled as it was raised: nobody need say what card that is." in said
    assert "went into no other coup" not in said


@pytest.mark.parametrize(
    ("lines", "place", "due"),
    [
        (
            ("KS", "KH", "KD", "KC", say("reveal"), "5D"),
            "Banker's third",
            "a third card that nobody turned or named",
        ),
        (("KS", "KH", "KD", "KC", say("reveal")), "Player's third", None),
        (("7S", "5H", "KD", "KC", say("reveal")), "Banker's third", None),
        (("KS", "KH"), "Player's second", None),
    ],
)
def test_a_page_names_the_card_that_an_empty_shoe_did_not_have(
    tmp_path: Path, lines: tuple[str | dict[str, object], ...], place: str, due: str | None
) -> None:
    said = joined(played(tmp_path, say("no_more_bets"), *lines, say("shoe_empty")), 1)
    lacking = f"the {place} card was due and the shoe was empty"
    assert f"insufficient cards (NSW-13.8): {lacking}, so the coup is void." in said
    assert f"The coup is void: {lacking} (NSW-13.8), by dealer:17." in said
    if due is not None:
        assert f"The Player has 0, draws {due}." in said
        assert "is to draw" not in said


def test_disputes_say_whose_they_are_and_who_decided(tmp_path: Path) -> None:
    told = played(
        tmp_path,
        *FOUR,
        say("confirm"),
        say("dispute", coup=1, stage="raised", seat=4),
        say("dispute", "game_supervisor:5", coup=1, stage="game_supervisor", decision="the result stands"),
        say("dispute", "supervisor:3", coup=1, stage="casino_supervisor"),
    )
    said = joined(told, 1)
    assert "Dispute of seat 4, raised (noted by dealer:17)." in said
    assert (
        "Dispute of seat 4, decided by the game supervisor: the result stands (noted by game_supervisor:5)."
        in said
    )
    assert "Dispute of seat 4, went to the casino supervisor (noted by supervisor:3)." in said


def test_a_demonstration_round_is_called_so() -> None:
    assert "This coup is a demonstration round, dealt without wagers (MO-2), by supervisor:3." in read(
        "demonstrations", 1
    )


def test_what_the_cage_was_told_in_words() -> None:
    assert odds("19/20") == "19 to 20"
    assert odds("8") == "8 to 1"
    assert pays("return", {}, [3, 4]) == "all wagers go back, but those of seats 3, 4 are forfeited"
    assert pays("none", {}, []) == "nothing to settle: there were no wagers"
    assert pays("pay", {"banker": "0"}, []) == "wagers on Banker go back; nothing else wins"


def test_a_coup_that_was_not_told_is_none() -> None:
    with pytest.raises(ValueError, match="coup 99 in shoe 1"):
        of(of_trace("face-up"), 1, 99, delayed=True)
