"""What a page says of the time before its coup, and of cards whose coup was never dealt."""

from datetime import timedelta, timezone
from pathlib import Path

import pytest

from shoe_daemon.clients.explaining.facts import explain
from shoe_daemon.clients.explaining.parts import Explained
from shoe_daemon.clients.explaining.sentences import happened
from shoe_daemon.clients.explaining.text import page
from shoe_daemon.clients.told import Clock, Told
from tests.clients.accounts import AT, of_walk, played, say
from tests.table.histories import walk

Line = str | dict[str, object]
FOUR: tuple[Line, ...] = (say("no_more_bets"), "7S", "6H", "KD", "KC", say("reveal"))
"""Both hands stand: a further card is in excess."""
COUP = (*FOUR, say("confirm"))
DOWN: dict[str, object] = {"link": "down"}
UP: dict[str, object] = {"link": "up"}
MISSED = say("resolve", "supervisor:3", code="link_gap", remedy="missed")
CLOSED = say("close_shoe", "supervisor:3")
PAUSED = say("pause", "supervisor:3")
GONE = "The cable to the shoe is gone."


def of(told: list[Told], coup: int) -> Explained:
    return explain([one for one in told if one.shoe == 1], 1, coup, delayed=True)


def said(told: list[Told], coup: int) -> str:
    return " ".join(" ".join(page(of(told, coup), Clock(counted=True), "x")).split())


# -- decisions while there was no coup -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "lines",
    [
        (*COUP, DOWN, UP, MISSED, "6H", "KD", "KC"),
        (
            *COUP,
            PAUSED,
            DOWN,
            UP,
            MISSED,
            say("undisclosed"),
            say("resume", "supervisor:3"),
            "6H",
            "KD",
            "KC",
        ),
    ],
)
def test_the_page_tells_of_the_gap_that_its_first_card_came_from(
    tmp_path: Path, lines: tuple[Line, ...]
) -> None:
    told = played(tmp_path, *lines)
    words = said(told, 2)
    assert words.count(GONE) == words.count("The cable to the shoe is there again.") == 1
    assert (
        "Irregularity 1, link gap, raised between coups: the cable or the program came back with a shoe open."
        " May be settled by: none missed, missed."
    ) in words
    assert (
        "Irregularity 1, link gap, was settled by supervisor:3: missed; one card was said to have left the"
        " shoe unseen, and was entered as not read."
    ) in words
    assert "left the shoe unread or unseen, entered by supervisor:3" in words
    assert GONE not in said(told, 1)
    (item,) = [one for one in of(told, 2).irregularities if one.code == "link_gap"]
    assert (item.coup, item.remedy, item.settled_by) == (None, "missed", "supervisor:3")


def test_an_irregularity_between_coups_is_on_the_pages_of_its_time_alone(tmp_path: Path) -> None:
    reported = say("report", code="equipment_fault", text="the lid is loose")
    settled = say("resolve", "supervisor:3", code="equipment_fault", remedy="continue")
    told = played(tmp_path, *COUP, reported, *COUP, *COUP, settled, *COUP, *COUP)
    shown = [
        [(item.code, item.remedy) for item in of(told, coup).irregularities if item.coup is None]
        for coup in range(1, 6)
    ]
    item = [("equipment_fault", "continue")]
    assert shown == [[], item, [], item, []]
    assert "settled by supervisor:3: continue." in said(told, 4)
    assert of(told, 2).begin == next(one.at for one in told if one.coup == 2)


def test_the_dealers_call_is_on_the_page(tmp_path: Path) -> None:
    told = played(tmp_path, *FOUR, say("confirm", outcome="banker"))
    assert "The dealer called Banker." in said(told, 1)


def test_a_coup_of_which_only_its_time_is_known_is_none(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="coup 3 in shoe 1"):
        of(played(tmp_path, *COUP, DOWN, UP), 3)


# -- what the dealer called ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [("banker", " The dealer called Banker. "), ("tie", " The dealer called Tie. "), (None, ". It holds ")],
)
def test_a_call_that_differs_is_the_dealers_call(text: str | None, words: str) -> None:
    data = {
        "id": 1,
        "code": "result_mismatch",
        "rule": None,
        "kind": "evidence",
        "slot": None,
        "hold": True,
        "remedies": ["correct", "accept", "void"],
        "text": text,
        "actor": "dealer:17",
    }
    told = said([Told("J", "T", "surveillance", 1, "irregularity.raised", AT, 1, 1, data)], 1)
    assert words in told
    assert "Reported" not in told


# -- cards whose coup has no wagers, or was never dealt ------------------------------------------------------


def test_no_wagers_are_told_of_a_coup_whose_betting_was_called_off(tmp_path: Path) -> None:
    off = played(tmp_path, *FOUR, "4S", say("undisclosed"), say("confirm"), PAUSED)
    words = said(off, 1)
    assert (
        "undisclosed; coup 1 is unchanged; the card is the first of coup 2; betting for it was called"
        in words
    )
    assert "has wagers" not in words + said(off, 2)
    again = played(
        tmp_path, *FOUR, "4S", say("undisclosed"), say("confirm"), PAUSED, say("resume", "supervisor:3")
    )
    assert "coup 2 has wagers" in said(again, 1)


@pytest.mark.parametrize("answer", ["disclose", "undisclosed"])
def test_a_coup_that_its_shoe_was_closed_before_was_never_dealt(tmp_path: Path, answer: str) -> None:
    told = played(tmp_path, *FOUR, "4S", say("confirm"), say(answer), CLOSED)
    words = said(told, 1)
    assert (
        "in excess: none of this coup's cards, it waited for coup 2, which was never dealt: the shoe was"
        " closed before"
    ) in words
    assert f"{answer}; coup 1 is unchanged; coup 2 was never dealt: the shoe was closed before." in words
    assert not any(false in words for false in ("became", "has wagers", "is a no-bet coup"))
    facts = of(told, 2)
    assert facts.status == "not_dealt"
    assert [card.went for card in of(told, 1).cards] == [*["hand"] * 4, "not_dealt"]
    other = said(told, 2)
    assert "The coup was never dealt: its shoe was closed before." in other
    assert "a card drawn in coup 1 that was to be one of this coup" in other
    assert "became" not in other


@pytest.mark.parametrize(
    ("lines", "went", "words"),
    [
        (("4S",), "waits", "it waits for the answer whether it was seen"),
        (("4S", say("undisclosed")), "goes", "it goes into the next coup"),
        (("4S", say("confirm"), CLOSED), "unused", "it went into no other coup"),
    ],
)
def test_where_a_card_in_excess_is_that_was_not_carried(
    tmp_path: Path, lines: tuple[Line, ...], went: str, words: str
) -> None:
    told = played(tmp_path, *FOUR, *lines)
    assert of(told, 1).cards[4].went == went
    assert f"in excess: none of this coup's cards; {words}" in said(told, 1)


def test_a_card_nobody_saw_opens_a_no_bet_coup_because_another_was_seen() -> None:
    words = said(of_walk(walk(18, 150), "delayed"), 5)
    assert "disclose; coup 5 is unchanged; coup 6 is a no-bet coup." in words
    assert "undisclosed; coup 5 is unchanged; another card was seen: coup 6 is a no-bet coup." in words
    assert "undisclosed; coup 5 is unchanged; coup 6" not in words


def test_a_card_that_was_seen_after_all_opens_a_no_bet_coup(tmp_path: Path) -> None:
    told = played(tmp_path, *FOUR, "4S", say("confirm"), say("undisclosed"), say("disclose"))
    assert (
        "undisclosed; coup 1 is unchanged; its first card was seen after all: coup 2 is a no-bet coup."
        in said(told, 1)
    )


# -- wagers declared void ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("backer", "bet", "words"),
    [
        ("", None, "the wagers of seat 3 void"),
        ("", "tie", "the wagers of seat 3 on Tie void"),
        ("Ann", "dragon-7", "the wagers of seat 3 of Ann behind it on Dragon-7 void"),
    ],
)
def test_wagers_declared_void(backer: str, bet: str | None, words: str) -> None:
    data = {"seat": 3, "backer": backer, "bet": bet, "actor": "supervisor:3"}
    told = Told("J", "T", "surveillance", 1, "wagers.declared_void", AT, 1, 1, data)
    assert happened(told) == f"A supervisor declared {words} (NSW-14.3.1), by supervisor:3"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("link_flapping", "The cable to the shoe comes and goes: 3 times in 2.0 s"),
        ("link_settled", "The cable to the shoe came and went, and has settled: 3 times in 2.0 s"),
        ("line_parity", "Errors on the line to the shoe: 3 times in 2.0 s"),
        ("E3", "The shoe reported an alarm: E3 3 times in 2.0 s"),
    ],
)
def test_what_the_port_saw_is_no_word_of_the_shoe(code: str, words: str) -> None:
    data = {"code": code, "text": "3 times in 2.0 s", "raw": None}
    assert happened(Told("J", "T", "surveillance", 1, "device.alarm", AT, 1, None, data)) == words


def test_a_clock_set_between_coups_is_on_the_page_of_the_next_in_the_times_of_the_page(
    tmp_path: Path,
) -> None:
    clock: dict[str, object] = {"clock": 1_800_000_000, "before": 1_800_003_600.25}
    told = played(tmp_path, *COUP, clock, *COUP)
    words = "The machine's clock was set back by 3600.2 s; until then it said "
    assert said(told, 2).count(f"{words}2027-01-15 09:00:00.") == 1
    assert words not in said(told, 1)
    east = " ".join(" ".join(page(of(told, 2), Clock(timezone(timedelta(hours=8))), "x")).split())
    assert f"{words}2027-01-15 17:00:00." in east
