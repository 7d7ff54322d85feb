"""Real public problem cases and the golden coups, through bytes, decoder, table and projection."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from shoe_daemon.game.cards import DECK
from shoe_daemon.runtime.capture import read_capture
from shoe_daemon.runtime.replay import machine_of
from shoe_daemon.table import events as ev
from shoe_daemon.table.decide import next_due
from shoe_daemon.table.inputs import Command
from tests.table.dealt import Deal

WINNER = {"P": "player", "B": "banker", "T": "tie"}

GOLDEN = [
    ("9S 2H KD 5C", "player", 9, 7, 0),
    ("9S 4H KD 5C", "tie", 9, 9, 0),
    ("6S 3H KD KC 4D", "banker", 6, 7, 0),
    ("7S 6H KD KC 4D", "player", 7, 6, 1),
    ("8S 3H KD KC 4D", "player", 8, 3, 1),
    ("5S 9H KD KC 4D", "banker", 5, 9, 1),
    ("5S 3H KD KC 8D", "tie", 3, 3, 0),
    ("5S 6H KD KC 6D 3S", "banker", 1, 9, 0),
    ("5S 6H KD KC 5D", "banker", 0, 6, 0),
    ("2S 4H KD KC AD", "banker", 3, 4, 0),
    ("2S 4H KD KC 2D 9S", "player", 4, 3, 0),
    ("KS 5H KD KC 3D", "banker", 3, 5, 0),
    ("KS 5H KD KC 4D 2S", "banker", 4, 7, 0),
    ("KS 3H KD KC 9D KH", "player", 9, 3, 0),
    ("KS 7H KD KC 7D", "tie", 7, 7, 0),
    ("KS KH KD KC 8D 9S", "banker", 8, 9, 0),
    ("7S 6H KD KC 4D 9S", "player", 7, 6, 2),
]
"""Cards in the order drawn, outcome, points of both, how many cards are in excess."""


@pytest.mark.parametrize(("cards", "outcome", "player", "banker", "excess"), GOLDEN)
def test_golden_coups(cards: str, outcome: str, player: int, banker: int, excess: int) -> None:
    """Dealt in method C, where an excess card shows itself before the dealer confirms."""
    texts = cards.split()
    deal = Deal(procedure="method-c").say("no_more_bets").cards(*texts[:4]).say("reveal")
    deal.cards(*texts[4:]).say("confirm")
    (result,) = deal.data("coup.result")
    assert (result["outcome"], result["player"]["points"], result["banker"]["points"]) == (
        outcome,
        player,
        banker,
    )
    codes = [item["code"] for item in deal.data("irregularity.raised")]
    assert codes.count("excess_card") == excess


def coups(folder: Path) -> list[tuple[str, dict[str, Any]]]:
    expected = json.loads((folder / "cases" / "inputs" / "EXPECTED.json").read_text(encoding="utf-8"))
    return [(name, case) for name, cases in expected["coups"].items() for case in cases]


def test_cases_of_real_programs(shared_data: Path) -> None:
    """Faults that public programs had: each coup ends as the case says."""
    seen = 0
    for name, case in coups(shared_data):
        if "result" not in case:
            continue
        deal = Deal(procedure="face-up", rules="live", settle_s=0.5).cards(*case["cards"].split())
        deal.say("void", coup=99)  # a second later: the last coup's time has come
        result = deal.data("coup.result")[0]
        assert result["outcome"] == WINNER[case["result"]], name
        assert (result["player"]["cards"], result["banker"]["cards"]) == (case["P"], case["B"]), name
        assert (result["player"]["points"], result["banker"]["points"]) == (case["player"], case["banker"])
        seen += 1
    assert seen >= 15


def test_cases_without_a_result_stay_open(shared_data: Path) -> None:
    """A shoe that is short of cards: no result, no exception; a supervisor voids the coup."""
    for name, case in coups(shared_data):
        if "result" in case:
            continue
        deal = Deal(procedure="face-up", rules="live").cards(*case["cards"].split())
        assert deal.data("coup.result") == [], name
        deal.say("void")
        assert [void["reason"] for void in deal.data("coup.void")] == ["command"], name


@pytest.mark.parametrize(
    ("cards", "place"),
    [
        ("6S 5H KD KC", "banker"),  # the Player stands and the Banker must draw: his third card
        ("7S 6H KD KC", None),  # both stand
        ("8S 3H KD KC", None),  # a natural forbids what the first column of Table 2 says
        ("5S 9H KD KC", None),  # the Banker's natural
    ],
)
def test_third_card_that_the_player_may_not_have(cards: str, place: str | None) -> None:
    """NSW-13.4: the card is the Banker's third, or the next coup's first."""
    deal = Deal(rules="nsw", procedure="dealer-reveal").say("no_more_bets").cards(*cards.split())
    deal.say("reveal").cards("4D")
    asked = [item["rule"] for item in deal.data("irregularity.raised")]
    if place is None:
        assert asked == ["NSW-13.4"]
        deal.say("undisclosed").say("confirm")
        assert deal.data("card.carried") == [
            {"n": 5, "slot": "P1", "to_coup": 2, "disclosed": False, "actor": "supervisor:9"}
        ]
    else:
        assert asked == []
        deal.say("reveal").say("confirm")
        assert deal.data("coup.result")[0][place]["cards"][-1] == "4D"


def test_nine_of_one_face_in_eight_decks() -> None:
    """The ninth copy holds the coup in which it lies open; a card is never picked by the machine."""
    deal = Deal(rules="live", procedure="face-up")
    for filler in (
        "KC QC 6C",
        "QC JC 6D",
        "JC 10C 6H",
        "10C KD 6S",
        "KD QD 6C",
        "QD JD 6D",
        "JD 10D 6H",
        "10D KH 6S",
    ):
        second, third, fourth = filler.split()
        deal.cards("7D", second, third, fourth)
    assert deal.data("irregularity.raised") == []
    deal.cards("7D", "KH", "QH", "6C")
    (item,) = deal.data("irregularity.raised")
    assert (item["code"], item["slot"], item["hold"]) == ("composition_exceeded", "P1", True)
    assert len(deal.data("coup.result")) == 8
    assert deal.types()[-1] == "hand.announced"
    deal.say("resolve", code="composition_exceeded", remedy="accept")
    assert len(deal.data("coup.result")) == 9


@pytest.mark.parametrize(("count", "refused"), [(51, True), (50, False)])
def test_no_more_can_be_burned_than_the_shoe_holds(count: int, refused: bool) -> None:  # noqa: FBT001 - a table
    """A slip of the finger must not swallow cards for the rest of the night."""
    deal = Deal(rules="live", procedure="face-up", decks=1).say("burn", count=2).cards("KS", "KD")
    deal.say("burn", count=count)
    assert [one["reason"] for one in deal.data("command.refused")] == (["bad_args"] if refused else [])


def test_a_burn_begun_by_mistake_can_be_ended() -> None:
    """Three cards were burned where ten were said: the next card is the coup's first."""
    deal = Deal(rules="live", procedure="face-up").say("burn", count=10).cards("KS", "KD", "KH")
    deal.say("burn", end=True).cards("9S")
    assert deal.data("shoe.burned", "public") == [{"count": 3}]
    assert [card["slot"] for card in deal.data("card.exposed", "public")] == ["P1"]
    deal.say("burn", end=True)
    assert [one["reason"] for one in deal.data("command.refused")] == ["coup_open"]


class Dealing:
    """A table that opens face up, to look into between its inputs; one second a thing."""

    def __init__(self, **first: Any) -> None:  # noqa: ANN401 - keys of a capture's first line
        line = json.dumps({"t": 0, "profile": "beetek-rs232", "rules": "live", **first})
        self.machine = machine_of(read_capture(iter([line]))[0], "delayed")
        self.events = [event for step in self.machine.start(0) for event in step.events]
        self._at = 0

    def card(self, face: str) -> None:
        self._at += 1_000_000
        for step in self.machine.rx(f"[Game]<Card:{face}>\r\n".encode(), self._at):
            self.events += step.events

    def say(self, verb: str, **args: Any) -> None:  # noqa: ANN401 - of any verb
        self._at += 1_000_000
        for step in self.machine.command(Command(self._at, verb, "supervisor:9", args)):
            self.events += step.events

    def of(self, kind: type[ev.Event]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def left(self) -> int:
        """Cards that are still in the shoe, as the table counts them."""
        shoe = self.machine.table.shoe
        assert shoe is not None
        return 52 * shoe.decks - shoe.read - shoe.unread - shoe.burned


@pytest.mark.parametrize("seed", [1, 2])
def test_the_count_begins_anew_with_each_shoe(seed: int) -> None:
    """Seventy coups, a new shoe, and that one to its last card: nothing is short before it is."""
    rng = random.Random(seed)
    dealing = Dealing()
    for coups in (70, None):
        deck = rng.sample(DECK, 416, counts=[8] * 52)
        assert dealing.left == 416
        dealing.say("burn")
        for drawn, face in enumerate(deck, 1):
            dealing.card(face)
            assert dealing.left == 416 - drawn
            if len(dealing.of(ev.CoupResult)) == coups:
                break
        assert not dealing.of(ev.IrregularityRaised)
        left = dealing.left
        if not left:
            dealing.say("shoe_empty")
        dealing.say("close_shoe", remaining=left)
        closed = dealing.of(ev.ShoeClosed)[-1]
        assert (closed.reconciled, closed.discrepancies) == (True, ())
        assert closed.cards_read + closed.cards_unread + closed.burned == 416 - left
        dealing.say("load_shoe")
    assert dealing.left == 416
    assert len(dealing.of(ev.ShoeLoaded)) == 3


def test_a_shoe_that_is_short_leaves_nothing_to_wait_for() -> None:
    """The last coup has three cards: void at once, no timer runs, and a new shoe is taken."""
    dealing = Dealing()
    for face in ("2C", "4H", "3D"):
        dealing.card(face)
    dealing.say("shoe_empty")
    (void,) = dealing.of(ev.CoupVoid)
    assert void.reason == "insufficient_cards"
    assert next_due(dealing.machine.table) is None
    assert dealing.machine.due() is None
    dealing.say("close_shoe", remaining=0)
    dealing.say("load_shoe")
    for face in ("9H", "AH", "KH", "7H"):
        dealing.card(face)
    (result,) = dealing.of(ev.CoupResult)
    assert (result.shoe, result.outcome) == (2, "player")


def test_a_report_of_a_third_card_changes_nothing_but_the_record() -> None:
    """NSW-13.4: the card's order decides, whatever hand it was laid to."""

    def deal(*, reported: bool) -> list[dict[str, Any]]:
        dealt = Deal(rules="nsw", procedure="dealer-reveal").say("no_more_bets")
        dealt.cards("6C", "5H", "KD", "KS").say("reveal").cards("4H")
        if reported:
            dealt.say("report", code="unauthorised_third_card", n=5)
        return dealt.say("reveal").say("confirm").data("coup.result", "public")

    assert deal(reported=True) == deal(reported=False)
