"""A hand-over says what the table did in its period, what is open at its end, and nothing of an open shoe."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from csv import DictReader
from datetime import date, datetime, time
from itertools import cycle, pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoe_daemon.clients.handover.facts import handover
from shoe_daemon.clients.handover.parts import Handover
from shoe_daemon.clients.handover.period import Period
from shoe_daemon.clients.handover.text import page
from shoe_daemon.clients.pages import WIDTH
from shoe_daemon.clients.told import Clock, Told, decode
from shoe_daemon.runtime.journal import Journal
from tests.clients.accounts import of_walk
from tests.runtime.journals import Played, open_journal
from tests.table.histories import walk

FIRST = '{"t": 0, "profile": "beetek-rs232", "rules": "nsw", "procedure": "dealer-reveal", "table": "BAC-07"}'
HOUR = 3600
CLOCK = Clock()
DAY = Period.of_day(date(1970, 1, 1), time(6), CLOCK)
NEXT = Period.of_day(date(1970, 1, 2), time(6), CLOCK)
PLAYER = ("9S", "2H", "KD", "5C")
BANKER = ("5S", "6H", "KC", "KD", "5C")


def say(t: float, verb: str, actor: str = "supervisor:3", **args: object) -> str:
    return json.dumps({"t": t, "cmd": {"verb": verb, "actor": actor, "args": args}})


def card(t: float, face: str) -> str:
    return json.dumps({"t": t, "rx": f" [Game]<Card:{face}> \r\n".encode().hex()})


def coup(t: float, faces: Sequence[str]) -> list[str]:
    """A whole coup that begins at `t`."""
    lines = [say(t, "no_more_bets", "dealer:17")]
    lines += [card(t + 1 + place, face) for place, face in enumerate(faces[:4])]
    lines.append(say(t + 6, "reveal", "dealer:17"))
    for place, face in enumerate(faces[4:]):
        lines += [card(t + 7 + 2 * place, face), say(t + 8 + 2 * place, "reveal", "dealer:17")]
    return [*lines, say(t + 12, "confirm", "dealer:17")]


FIRST_SHOE = [
    *coup(7 * HOUR, BANKER),
    *coup(7 * HOUR + 60, PLAYER),
    say(8 * HOUR, "dispute", "dealer:17", coup=1, stage="raised", seat=4),
    say(8 * HOUR + 60, "dispute", coup=1, stage="game_supervisor", decision="the result stands"),
    say(8 * HOUR + 100, "set_limits", minimum=2500),
    say(8 * HOUR + 110, "notice", what="minimum", to=5000),
    *coup(9 * HOUR, PLAYER)[:5],
    json.dumps({"t": 9 * HOUR + 20, "link": "down"}),
    json.dumps({"t": 9 * HOUR + 50, "link": "up"}),
    say(9 * HOUR + 55, "resolve", code="link_gap", remedy="void"),
    say(9 * HOUR + 60, "set_method", method="B"),
    say(9 * HOUR + 70, "close_shoe", remaining=400),
]
SECOND_SHOE = [say(10 * HOUR, "load_shoe"), *coup(11 * HOUR, PLAYER)]
MORNING = [say(31 * HOUR, "correct", slot="P1", card="8S", coup=1, shoe=2)]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = open_journal(tmp_path / "j.db")
    yield journal
    journal.close()


def told_of(journal: Journal) -> list[Told]:
    return [decode(message.body) for message in journal.told()]


def text(made: Handover, period: Period = DAY, clock: Clock = CLOCK) -> str:
    lines = page(made, period, clock)
    assert all(len(line) <= WIDTH for line in lines)
    return "\n".join(lines)


def test_a_day_in_full(journal: Journal) -> None:
    Played(journal, FIRST).play([*FIRST_SHOE, *SECOND_SHOE, *MORNING])
    made = handover(told_of(journal), DAY)
    assert made.results == {"player": 2, "banker": 1, "tie": 0}
    assert (made.voids, made.no_bets, made.revisions, made.under_way) == (1, 0, [], None)
    assert [(tally.code, tally.raised, tally.settled) for tally in made.irregularities] == [
        ("link_gap", 1, {"void": 1})
    ]
    (first, second) = made.shoes
    assert (first.read, first.unread, first.burned, first.left, first.remaining) == (13, 0, 0, 403, 400)
    assert (first.reconciled, first.discrepancies) == (False, ["count"])
    assert (second.closed_at, second.read, second.left) == (None, None, None)
    assert [(one.what, one.before, one.to) for one in made.changes] == [
        ("minimum", None, 2500),
        ("notice of minimum", 2500, 5000),
        ("method", None, "B"),
    ]
    assert [(notice.what, notice.to, notice.ripe) for notice in made.notices] == [("minimum", 5000, True)]
    assert [(one.stage, one.decision) for one in made.disputes] == [
        ("raised", None),
        ("game_supervisor", "the result stands"),
    ]
    assert [(one.what, one.begin[11:19], (one.end or "")[11:19]) for one in made.down] == [
        ("cable to the shoe down", "09:00:20", "09:00:50")
    ]
    said = text(made)
    assert "with a result 3: Player 2, Banker 1, Tie 0" in said
    assert "416 less read 13, unread 0, burned 0: computed 403, counted 400" in said
    assert "DISCREPANCY count" in said
    assert said.count("signed") == 2
    assert len(said.splitlines()) <= 60


def test_a_correction_after_the_day_is_an_adjustment_of_the_open_day(journal: Journal) -> None:
    Played(journal, FIRST).play([*FIRST_SHOE, *SECOND_SHOE, *MORNING])
    told = told_of(journal)
    made = handover(told, NEXT)
    assert sum(made.results.values()) == 0
    (revised,) = made.revisions
    assert (revised.shoe, revised.coup, revised.adjusts, revised.by) == (2, 1, True, None)
    assert "adjustment of 1970-01-01, shoe 2 coup 1: player, as before, revision 2" in text(
        made, NEXT
    ).replace("\n                 ", " ")
    whole = Period("both", DAY.begin, NEXT.end)
    (same,) = handover(told, whole).revisions
    assert not same.adjusts


def test_a_result_that_no_longer_counts_is_no_result(journal: Journal) -> None:
    lines = [*coup(7 * HOUR, BANKER), *coup(7 * HOUR + 60, PLAYER), *coup(7 * HOUR + 120, PLAYER)]
    fraud = say(7 * HOUR + 200, "invalidate", coup=1, ground="fraud")
    Played(journal, FIRST).play([*lines, fraud, say(31 * HOUR, "invalidate", coup=2, ground="disruption")])
    told = told_of(journal)
    made = handover(told, DAY)
    assert (made.results, made.invalidated) == ({"player": 2, "banker": 0, "tie": 0}, 1)
    said = " ".join(text(made).split())
    assert "with a result 2: Player 2, Banker 0, Tie 0; of them without wagers 0" in said
    assert "void 0, invalidated 1" in said
    assert json.loads(msgspec.json.encode(made))["invalidated"] == 1
    after = handover(told, NEXT)
    assert (sum(after.results.values()), after.invalidated, len(after.revisions)) == (0, 0, 1)
    both = handover(told, Period("both", DAY.begin, NEXT.end))
    assert (sum(both.results.values()), both.invalidated) == (1, 2)


def shoe_of(*told: tuple[str, dict[str, object]]) -> list[Told]:
    """What surveillance is told of shoe 1 in hours 7, 8 and so on."""
    return [
        Told("J", "T", "surveillance", seq, kind, f"1970-01-01T{6 + seq:02}:00:00.000000Z", 1, None, data)
        for seq, (kind, data) in enumerate(told, start=1)
    ]


LOADED = {"decks": 8, "cards": 416, "not_attested": []}
CLOSED = {
    "coups": 110,
    "cards_read": 440,
    "cards_unread": 0,
    "burned": 0,
    "remaining": 416,
    "reconciled": True,
    "discrepancies": [],
}
ANOTHER = {"what": "rules", "from": "nsw", "to": "intercasino", "approver": "supervisor:3"}


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ((("shoe.loaded", LOADED | {"reshuffled": True}), ("shoe.closed", CLOSED)), 416),
        (
            (
                ("shoe.loaded", LOADED | {"reshuffled": False}),
                ("rules.changed", ANOTHER | {"reshuffled": True}),
                ("shoe.closed", CLOSED),
            ),
            416,
        ),
        ((("shoe.loaded", LOADED), ("shoe.closed", CLOSED | {"computed": 416})), 416),
    ],
)
def test_a_shoe_whose_cards_all_go_back_is_whole(
    told: tuple[tuple[str, dict[str, object]], ...], left: int
) -> None:
    made = handover(shoe_of(*told), DAY)
    (shoe,) = made.shoes
    assert (shoe.left, shoe.reshuffled, shoe.reconciled) == (left, True, True)
    said = " ".join(text(made).split())
    assert (
        "416, all shuffled after each coup (read 440, unread 0, burned 0): computed 416, counted 416" in said
    )
    assert "less read" not in said


def test_a_shoe_whose_cards_do_not_go_back_any_more_is_counted() -> None:
    told = shoe_of(
        ("shoe.loaded", LOADED | {"reshuffled": True}),
        ("rules.changed", ANOTHER | {"reshuffled": False}),
        ("shoe.closed", CLOSED | {"cards_read": 16, "remaining": 400, "computed": None}),
    )
    (shoe,) = handover(told, DAY).shoes
    assert (shoe.left, shoe.reshuffled) == (400, False)


def test_of_an_open_shoe_only_counts_are_told(journal: Journal) -> None:
    under_way = [
        say(12 * HOUR, "no_more_bets"),
        card(12 * HOUR + 1, "4S"),
        say(12 * HOUR + 2, "report", code="set_changed", text="a card lay on the floor"),
        say(12 * HOUR + 3, "dispute", stage="raised", seat=7),
    ]
    played = Played(journal, FIRST)
    played.play([*FIRST_SHOE, *SECOND_SHOE, *under_way])
    made = handover(told_of(journal), DAY)
    assert (made.open_shoe, made.open_shoe_irregularities, made.open_shoe_disputes) == (2, 1, 1)
    assert (made.held, made.under_way) == ([(2, 2)], (2, 2))
    (item,) = made.items
    assert (item.shoe, item.coup, item.code, item.remedies) == (2, 2, None, None)
    said = msgspec.json.encode(made).decode() + text(made)
    assert not any(secret in said for secret in ("set_changed", "floor", "4S", '"seat":7'))
    assert "told once its shoe is closed" in " ".join(said.split())
    played.play([say(30 * HOUR, "void"), say(30 * HOUR + 1, "close_shoe")])
    after = handover(told_of(journal), DAY)
    assert after.open_shoe is None
    assert [tally.code for tally in after.irregularities] == ["link_gap", "set_changed"]


def test_sequences_and_restarts() -> None:
    def one(seq: int, at: str, kind: str, **data: object) -> Told:
        return Told("J", "T", "surveillance", seq, kind, f"1970-01-01T{at}.000000Z", None, None, dict(data))

    told = [
        one(1, "05:00:00", "service.started", reason="new_journal"),
        one(2, "07:00:00", "device.link", state="up"),
        one(3, "08:00:00", "service.started", reason="restart"),
        one(4, "09:00:00", "service.stopped", reason="stop"),
    ]
    made = handover(told, DAY)
    assert made.sequences == {"public": None, "surveillance": (2, 4), "cage": None}
    assert [(down.what, down.begin[11:13], down.end and down.end[11:13]) for down in made.down] == [
        ("program not heard", "07", "08"),
        ("program stopped", "09", None),
    ]
    assert "still so" in text(made)


@pytest.mark.parametrize(
    ("at", "before", "lines"),
    [
        ("07:00:00", "09:00:00", ["1970-01-01 07:00:00 back by 7200.0 s, until then 1970-01-01 09:00:00"]),
        ("05:59:59", "07:59:59", ["1970-01-01 05:59:59 back by 7200.0 s, until then 1970-01-01 07:59:59"]),
        ("03:00:00", "05:00:00", ["none"]),
    ],
)
def test_a_clock_that_was_set_is_said_of_the_day_that_it_left_or_came_to(
    at: str, before: str, lines: list[str]
) -> None:
    at, before = (f"1970-01-01T{time}.000000Z" for time in (at, before))
    data = {"by_s": -7200.0, "before": before, "after": at}
    made = handover([Told("J", "T", "surveillance", 1, "clock.stepped", at, None, None, data)], DAY)
    said = " ".join(text(made).split())
    assert said.partition(" clock set ")[2].partition(" refused ")[0] == " ".join(lines)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**9), cut=st.integers(1, 100))
def test_any_history_can_be_handed_over_and_the_shifts_add_up(seed: int, cut: int) -> None:
    told = of_walk(walk(seed, 120), "delayed")
    assert [one.at for one in told] == sorted(one.at for one in told)
    begin, middle, end = "1970-01-01T00:00:00.000000Z", told[len(told) * cut // 101].at, NEXT.end
    whole, early, late = (
        handover(told, Period("x", first, last))
        for first, last in ((begin, end), (begin, middle), (middle, end))
    )
    text(whole)
    results = Counter(early.results) + Counter(late.results)
    total = sum(whole.results.values()) + whole.invalidated
    since = [one for one in late.revisions if one.adjusts and one.what.startswith("invalidated")]
    assert results.total() - len(since) == sum(whole.results.values())
    assert early.invalidated + late.invalidated + len(since) == whole.invalidated
    assert early.voids + late.voids == whole.voids
    assert early.refused + late.refused == whole.refused
    firsts = [one for one in told if one.type == "coup.result" and one.audience == "public"]
    assert total == sum(one.data["revision"] == 1 for one in firsts)
    assert len(early.revisions) + len(late.revisions) == len(whole.revisions)


def test_a_day_begins_when_the_house_says_in_its_zone() -> None:
    london = Clock(ZoneInfo("Europe/London"), "Europe/London")
    summer = Period.of_day(date(2026, 7, 1), time(6), london)
    assert (summer.begin, summer.end) == ("2026-07-01T05:00:00.000000Z", "2026-07-02T05:00:00.000000Z")
    autumn = Period.of_day(date(2026, 10, 24), time(6), london)
    assert (autumn.begin, autumn.end) == ("2026-10-24T05:00:00.000000Z", "2026-10-25T06:00:00.000000Z")
    assert summer.gaming_day("2026-07-02T04:59:59.000000Z", london) == "2026-07-01"
    assert summer.gaming_day("2026-07-02T05:00:00.000000Z", london) == "2026-07-02"


def test_a_shift_goes_past_midnight_within_its_gaming_day() -> None:
    night = Period.of_shift("22:00", "06:00", date(2026, 11, 30), time(6), CLOCK)
    assert (night.begin, night.end) == ("2026-11-30T22:00:00.000000Z", "2026-12-01T06:00:00.000000Z")
    early = Period.of_shift("06:00", "02:30", date(2026, 11, 30), time(6), CLOCK)
    assert (early.begin, early.end) == ("2026-11-30T06:00:00.000000Z", "2026-12-01T02:30:00.000000Z")
    dated = Period.of_shift("2026-11-30T22:00", "2026-12-01T02:00", None, time(6), CLOCK)
    assert dated.end == "2026-12-01T02:00:00.000000Z"


@pytest.mark.parametrize(
    ("night", "hours"),
    [(date(2026, 4, 5), 3.5), (date(2026, 9, 27), 1.5)],  # its clock goes back from 3 to 2, on from 2 to 3
)
def test_the_night_of_another_summer_time_has_each_coup_once(
    journal: Journal, night: date, hours: float
) -> None:
    auckland = Clock(ZoneInfo("Pacific/Auckland"), "Pacific/Auckland")
    marks = [f"{night}T{at}" for at in ("01:30", "02:30", "03:00", "04:00")]

    def period(begin: str, end: str) -> Period:
        return Period.of_shift(begin, end, None, time(6), auckland)

    whole = period(marks[0], marks[-1])
    first = datetime.fromisoformat(whole.begin).timestamp()
    begun = [first + 600 * number for number in range(round(hours * 6))]
    lines: list[str] = []
    for at, suit in zip(begun, cycle("CDHS")):
        lines += coup(at, [face[:-1] + suit for face in PLAYER])
    Played(journal, FIRST).play(lines)
    told = told_of(journal)
    results = [one for one in told if one.type == "coup.result" and one.audience == "public"]
    assert [one.coup for one in results] == list(range(1, len(begun) + 1))
    assert [one.at for one in results] == sorted({one.at for one in results})
    assert sum(handover(told, whole).results.values()) == len(begun)
    if hours > 2:  # in the other night there is no half past two
        parts = [handover(told, period(*both)).results.values() for both in pairwise(marks)]
        assert sum(map(sum, parts)) == len(begun)
    assert "Pacific/Auckland" in text(handover(told, whole), whole, auckland)


def test_times_of_the_hour_that_comes_twice_are_told_apart(shared_data: Path) -> None:
    clock = Clock(ZoneInfo("Pacific/Auckland"), "Pacific/Auckland")
    with (shared_data / "cases" / "inputs" / "TIM-05.csv").open() as lines:
        for row in DictReader(lines):
            local = clock.local(row["utc"])
            assert f"{local:%H:%M} {local.tzname()}" == row["local"]


@pytest.mark.parametrize(
    ("begin", "end", "why"),
    [("22:00", "21:00", "not after"), ("25:00", "26:00", "hour"), ("soon", "later", "soon")],
)
def test_what_is_no_shift(begin: str, end: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Period.of_shift(begin, end, date(2026, 11, 30), time(6), CLOCK)


def test_a_time_alone_has_no_day() -> None:
    with pytest.raises(ValueError, match="on which day"):
        Period.of_shift("14:00", "22:00", None, time(6), CLOCK)


# -- who, whose shoe, and what numbers could tell ------------------------------------------------------------


def test_who_stood_by_is_named(journal: Journal) -> None:
    second = {"second": "game_supervisor:8"}
    lines = [
        *coup(7 * HOUR, PLAYER),
        say(7 * HOUR + 60, "correct", slot="P1", card="8S", coup=1, **second),
        say(7 * HOUR + 70, "dispute", coup=1, stage="raised", seat=4, **second),
        say(7 * HOUR + 80, "set_limits", minimum=2500, **second),
        say(7 * HOUR + 90, "invalidate", coup=1, ground="fraud"),
        say(7 * HOUR + 100, "close_shoe"),
    ]
    Played(journal, FIRST).play(lines)
    made = handover(told_of(journal), DAY)
    revised = [(one.by, one.second) for one in made.revisions]
    noted = [(one.by, one.second) for one in made.disputes]
    assert [*revised, *noted, *((one.by, one.second) for one in made.changes)] == [
        ("supervisor:3", "game_supervisor:8"),
        ("supervisor:3", None),
        ("supervisor:3", "game_supervisor:8"),
        ("supervisor:3", "game_supervisor:8"),
    ]
    said = " ".join(text(made).split())
    assert "coup 1: player, as before, revision 2 by supervisor:3 with game_supervisor:8" in said
    assert said.count("by supervisor:3 with game_supervisor:8") == 3
    assert json.loads(msgspec.json.encode(made))["revisions"][0]["second"] == "game_supervisor:8"


def test_of_an_open_shoe_nobody_is_named_who_revised(journal: Journal) -> None:
    corrected = say(8 * HOUR, "correct", slot="P1", card="8S", second="game_supervisor:8")
    Played(journal, FIRST).play([*coup(7 * HOUR, PLAYER), corrected])
    (revised,) = handover(told_of(journal), DAY).revisions
    assert (revised.what, revised.by, revised.second) == ("player, as before, revision 2", None, None)


def test_a_receipt_counts_what_is_of_its_shoe_alone(journal: Journal) -> None:
    parked = [
        say(7 * HOUR, "no_more_bets", "dealer:17"),
        *(card(7 * HOUR + 1 + place, face) for place, face in enumerate(PLAYER[:3])),
        json.dumps({"t": 7 * HOUR + 5, "rx": b" [Game]<Game> \r\n".hex()}),
        say(7 * HOUR + 6, "reveal", "dealer:17"),
        say(7 * HOUR + 7, "open_betting", "dealer:17"),
        *coup(8 * HOUR, BANKER),
        say(9 * HOUR, "close_shoe"),
    ]
    later = [
        say(10 * HOUR, "load_shoe"),
        say(10 * HOUR + 20, "dispute", "dealer:17", coup=2, shoe=1, stage="raised", seat=4),
        say(10 * HOUR + 30, "correct", slot="P1", card="4S", coup=2, shoe=1),
        say(10 * HOUR + 40, "report", code="card_returned", text="a card fell"),
        say(10 * HOUR + 50, "resolve", code="card_returned", remedy="accept"),
        *coup(11 * HOUR, PLAYER),
    ]
    named = say(12 * HOUR, "identify", coup=1, shoe=1, slot="B2", card="5C")
    played = Played(journal, FIRST)
    played.play([*parked, *later])
    told = told_of(journal)

    def receipt(number: int) -> Handover:
        return handover(told_of(journal), Period.of_shoe(number, told_of(journal), time(6)))

    made = receipt(2)
    assert (made.pending, made.items, made.revisions, made.disputes) == ([], [], [], [])
    assert [tally.code for tally in receipt(1).irregularities] == ["unreadable_card"]
    assert receipt(1).pending == [(1, 1)]
    whole = handover(told, DAY)
    assert (whole.pending, len(whole.items), len(whole.revisions), len(whole.disputes)) == ([(1, 1)], 1, 1, 1)
    played.play([named, say(13 * HOUR, "close_shoe")])
    made = receipt(2)
    assert made.results == {"player": 1, "banker": 0, "tie": 0}
    assert [shoe.shoe for shoe in made.shoes] == [2]
    assert [(tally.code, tally.settled) for tally in made.irregularities] == [
        ("card_returned", {"accept": 1})
    ]
    assert sum(handover(told_of(journal), DAY).results.values()) == 3


def test_the_numbers_of_surveillance_are_not_told_while_a_shoe_is_open(journal: Journal) -> None:
    played = Played(journal, FIRST)
    played.play(coup(7 * HOUR, PLAYER))
    made = handover(told_of(journal), DAY)
    assert made.sequences["surveillance"] is None
    assert None not in {made.sequences["public"], made.sequences["cage"]}
    assert json.loads(msgspec.json.encode(made))["sequences"]["surveillance"] is None
    said = text(made)
    assert "surveillance: sequence not told while a shoe is open" in said
    assert "public: sequence " in said
    played.play([say(32 * HOUR, "close_shoe")])
    after = handover(told_of(journal), DAY)
    assert after.sequences["surveillance"] is not None
    assert "not told" not in text(after)
