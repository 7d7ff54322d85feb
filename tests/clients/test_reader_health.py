"""What a shoe could not read is counted once, by the card that it was, and what stands out is said."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import date, time
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoe_daemon.clients.handover.period import Period
from shoe_daemon.clients.pages import WIDTH
from shoe_daemon.clients.reader_health.facts import CHANCE, Reading, at_least, reading
from shoe_daemon.clients.reader_health.text import page
from shoe_daemon.clients.told import Clock, Told, decode
from shoe_daemon.table.events.cards import CardDrawn, CardExposed, CardIdentified
from shoe_daemon.table.project import Policy
from tests.clients.accounts import of_walk
from tests.runtime.journals import Played, open_journal
from tests.table.histories import Walk, walk

FIRST = '{"t": 0, "profile": "beetek-rs232", "rules": "nsw", "procedure": "dealer-reveal", "table": "BAC-07"}'
CLOCK = Clock()
ALL = Period.always()
EIGHT = "8H"
POLICIES: tuple[Policy, ...] = ("delayed", "immediate")


def say(t: float, verb: str, actor: str = "supervisor:3", **args: object) -> str:
    return json.dumps({"t": t, "cmd": {"verb": verb, "actor": actor, "args": args}})


def rx(t: float, text: str) -> str:
    return json.dumps({"t": t, "rx": f" {text} \r\n".encode().hex()})


def coup(t: float, faces: Sequence[str], unread: int | None = None) -> list[str]:
    """A coup of four cards; the card `unread` (0 to 3) has no face on the line, and the dealer names it."""
    lines = [say(t, "no_more_bets", "dealer:17")]
    for place, face in enumerate(faces):
        lines.append(rx(t + 1 + place, "[Game]<Game>" if place == unread else f"[Game]<Card:{face}>"))
    lines.append(say(t + 6, "reveal", "dealer:17"))
    if unread is not None:
        slot = ("P1", "B1", "P2", "B2")[unread]
        lines.append(say(t + 7, "identify", "dealer:17", slot=slot, card=faces[unread]))
    return [*lines, say(t + 8, "confirm", "dealer:17")]


def shoe(t: float, set_id: str, *, bad: str, coups: int = 30) -> list[str]:
    """A shoe of naturals; every `bad` card in it goes by unread, and one king, whatever it is."""
    lines = [say(t, "close_shoe"), say(t + 1, "load_shoe", set_id=set_id)]
    for number in range(coups):
        rank, suit = "234567TJQ"[number % 9], "CDHS"[number % 4]
        faces = (f"9{suit}" if number % 6 else EIGHT, f"{rank}C", f"K{suit}", f"{rank}S")
        unread = next((place for place, face in enumerate(faces) if face == bad), None)
        if number == 1:
            unread = 2
        lines += coup(t + 10 + 20 * number, faces, unread)
    return lines


def told_of(tmp_path: Path, lines: Sequence[str], policy: Policy = "delayed") -> list[Told]:
    journal = open_journal(tmp_path / f"{policy}.db")
    Played(journal, FIRST, policy).play(lines)
    told = [decode(message.body) for message in journal.told()]
    journal.close()
    return told


def text(made: Reading) -> str:
    lines = page(made, CLOCK)
    assert all(len(line) <= WIDTH for line in lines)
    return " ".join(" ".join(lines).split())


def by_serial(history: Walk) -> tuple[Counter[str], Counter[str]]:
    """Cards exposed and, of these, gone by unread, by the face they have at the end; found by serial."""
    faces: dict[int, str] = {}
    exposed: set[int] = set()
    unread: set[int] = set()
    for _, events in history.events:
        for event in events:
            if isinstance(event, CardDrawn) and event.source == "shoe" and not event.readable:
                unread.add(event.serial)
            elif isinstance(event, CardIdentified):
                faces[event.serial] = event.card
            elif isinstance(event, CardExposed):
                exposed.add(event.serial)
                faces[event.serial] = event.card
    return Counter(faces[one] for one in exposed), Counter(faces[one] for one in exposed & unread)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9), policy=st.sampled_from(POLICIES))
def test_every_card_is_counted_by_what_it_was(seed: int, policy: Policy) -> None:
    history = walk(seed, 200)
    made = reading(of_walk(history, policy), ALL, CLOCK)
    drawn = [event for _, events in history.events for event in events if isinstance(event, CardDrawn)]
    by_shoe = [event for event in drawn if event.source == "shoe"]
    assert (made.cards, made.unread) == (len(by_shoe), sum(not event.readable for event in by_shoe))
    assert made.unseen == len(drawn) - len(by_shoe)
    for by in ("set", "place", "hour"):
        rates = [rate for rate in made.rates if rate.by == by]
        assert sum(rate.cards for rate in rates) == made.cards
        assert sum(rate.unread for rate in rates) == made.unread
    seen, unread = by_serial(history)
    rates = [rate for rate in made.rates if rate.by == "card"]
    assert {rate.of: rate.cards for rate in rates} == dict(seen)
    assert {rate.of: rate.unread for rate in rates if rate.unread} == dict(unread)
    text(made)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9), cut=st.integers(1, 100))
def test_two_periods_add_up(seed: int, cut: int) -> None:
    told = of_walk(walk(seed, 120), "delayed")
    middle = told[len(told) * cut // 101].at
    whole, early, late = (
        reading(told, Period("x", first, last), CLOCK)
        for first, last in (("", "~"), ("", middle), (middle, "~"))
    )
    for name in ("shoes", "cards", "unread", "unseen", "burned", "burned_unread", "cable_down"):
        assert getattr(early, name) + getattr(late, name) == getattr(whole, name), name
    assert Counter(early.alarms) + Counter(late.alarms) == Counter(whole.alarms)
    for by in ("set", "place", "quarter", "hour"):
        parts: Counter[str] = Counter()
        for rate in (*early.rates, *late.rates):
            parts[rate.of] += rate.cards if rate.by == by else 0
        assert +parts == Counter({rate.of: rate.cards for rate in whole.rates if rate.by == by})


def test_one_bad_card_of_one_set_stands_out(tmp_path: Path) -> None:
    told = told_of(tmp_path, [*shoe(3600, "blue-3", bad=EIGHT), *shoe(20_000, "red-1", bad="none")])
    made = reading(told, ALL, CLOCK)
    (found,) = [one for one in made.findings if one.rate.by == "card"]
    assert (found.rate.of, found.rate.cards, found.rate.unread, found.sets) == (EIGHT, 10, 5, ("blue-3",))
    assert (
        "8H: 5 of 10 unread (50.00 %), all others 2 of 230, all in the set blue-3: take its 8H out"
        in text(made)
    )
    assert [one.of for one in made.rates if one.by == "set"] == ["blue-3", "red-1"]
    only = reading(told, Period.of_shoe(3, told, time(6)), CLOCK)
    assert (only.shoes, only.cards, only.unread, only.findings) == (1, 120, 1, [])


def test_a_card_that_no_set_gives_is_the_print_or_the_profile(tmp_path: Path) -> None:
    told = told_of(tmp_path, [*shoe(3600, "blue-3", bad=EIGHT), *shoe(20_000, "red-1", bad=EIGHT)])
    made = reading(told, ALL, CLOCK)
    (found,) = [one for one in made.findings if one.rate.by == "card"]
    assert found.sets == ("blue-3", "red-1")
    assert "in the sets blue-3, red-1: look at how this card is printed" in text(made)


def test_a_corrected_card_is_told_as_misread_by_what_the_shoe_said_first(tmp_path: Path) -> None:
    lines = coup(10, ("9S", "2H", "KD", "5C"))
    lines += [
        say(30, "correct", slot="B1", card="2D", coup=1),
        say(31, "correct", slot="B1", card="3D", coup=1),
    ]
    lines += [
        say(32, "correct", slot="B2", card="5S", coup=1),
        say(33, "correct", slot="B2", card="5C", coup=1),
    ]
    made = reading(told_of(tmp_path, lines), ALL, CLOCK)
    (misread,) = made.misreads
    assert (misread.slot, misread.read, misread.card) == ("B1", "2H", "3D")
    assert made.unread == 0
    assert "3D read as 2H, coup 1 of shoe 1, B1: corrected by a person" in text(made)


def test_a_face_that_nobody_has_seen_is_in_no_figure(tmp_path: Path) -> None:
    hidden = []
    for face, policy in product(("9S", "4D"), POLICIES):
        folder = tmp_path / face
        folder.mkdir(exist_ok=True)
        hidden.append(reading(told_of(folder, coup(10, (face, "2H", "KD", "5C"))[:-2], policy), ALL, CLOCK))
    assert all(made == hidden[0] for made in hidden)
    assert (hidden[0].cards, [rate for rate in hidden[0].rates if rate.by == "card"]) == (4, [])


def test_damaged_bytes_and_the_cable_are_told(tmp_path: Path) -> None:
    lines = [rx(10, "<nonsense>"), json.dumps({"t": 20, "link": "down"}), json.dumps({"t": 30, "link": "up"})]
    said = text(reading(told_of(tmp_path, lines), ALL, CLOCK))
    assert "1 whole, but nothing that the profile knows" in said
    assert "down 1 times" in said


@pytest.mark.parametrize(("unread", "cards", "usual"), [(3, 10, 0.1), (1, 400, 0.002), (7, 8, 0.5)])
def test_chance_is_the_binomial_one(unread: int, cards: int, usual: float) -> None:
    ways = [1.0] + [0.0] * cards
    for _ in range(cards):  # one card after the other
        ways = [ways[k] * (1 - usual) + (ways[k - 1] * usual if k else 0) for k in range(cards + 1)]
    assert at_least(unread, cards, usual) == pytest.approx(sum(ways[unread:]))


def test_even_readers_hardly_ever_give_a_finding() -> None:
    assert at_least(3, 100_000, 0.001) == pytest.approx(1)
    assert at_least(300, 100_000, 0.001) < CHANCE


def test_the_period_asked_for_is_the_one_counted(tmp_path: Path) -> None:
    told = told_of(tmp_path, [*shoe(3600, "blue-3", bad=EIGHT), *shoe(30_000 + 86_400, "red-1", bad="none")])
    day = Period.of_day(date(1970, 1, 2), time(6), CLOCK)
    assert not any(one.type == "command.refused" for one in told)
    made = reading(told, day, CLOCK)
    assert (made.shoes, made.cards, made.unread) == (1, 120, 1)
    assert [rate.of for rate in made.rates if rate.by == "set"] == ["red-1"]
