"""What a person sees of a journal: all of it, but no face that nobody at the table has seen yet."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from shoe_daemon.runtime import inspection
from shoe_daemon.runtime.export import capture_lines, messages
from shoe_daemon.runtime.journal import Journal
from shoe_daemon.runtime.rows import acknowledged
from shoe_daemon.table.project import Policy
from tests.runtime.journals import Played, open_journal

FACE = re.compile(r'"(?:10|[2-9AJQK])[SHCD]"')
FIRST = '{"t": 0, "profile": "beetek-rs232", "rules": "nsw", "procedure": "dealer-reveal", "table": "BAC-07"}'
DEALT = ("5S", "6H", "KC", "KD")


def said(t: float, verb: str, actor: str = "dealer:1") -> str:
    return json.dumps({"t": t, "cmd": {"verb": verb, "actor": actor, "args": {}}})


def asked(t: float, second: str = "inspector:2") -> list[str]:
    """Two persons ask for what lies hidden."""
    args = {"what": "journal", "reason": "a drill", "second": second}
    return [json.dumps({"t": t, "cmd": {"verb": "unmask", "actor": "supervisor:7", "args": args}})]


def drawn(t: float, face: str) -> str:
    return json.dumps({"t": t, "rx": f" [Game]<Card:{face}> \r\n".encode().hex()})


HIDDEN = [said(1, "no_more_bets"), *(drawn(2 + place, face) for place, face in enumerate(DEALT))]
CLOSED = [*HIDDEN, said(8, "void", "supervisor:1"), said(9, "close_shoe", "supervisor:1")]
NEXT = [said(10, "load_shoe", "supervisor:1"), drawn(11, "9D")]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = open_journal(tmp_path / "j.db")
    yield journal
    journal.close()


def plain(fields: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [json.loads(msgspec.json.encode(one)) for one in fields]


@pytest.mark.parametrize("policy", ["delayed", "immediate"])
def test_no_hidden_face_is_shown_while_its_shoe_is_open(journal: Journal, policy: Policy) -> None:
    Played(journal, FIRST, policy).play(HIDDEN)
    rows = plain(inspection.shown(journal))
    places = [row["pos"] for row in rows]
    assert places == sorted(places)
    told = [(row["audience"], row["seq"]) for row in rows if row["kind"] == "told"]
    shown = (one for one in journal.told() if one.audience != "surveillance" or b'"shoe":null' in one.body)
    assert told == [(one.audience, one.seq) for one in shown]
    said = json.dumps(rows)
    assert not FACE.search(said)
    assert not any(json.loads(line)["rx"] in said for line in HIDDEN[1:])
    assert {row["kind"] for row in rows if row["body"] == "masked"} == {"rx", "step"}
    assert inspection.open_shoe(journal)


def told_of(path: Path, faces: tuple[str, ...]) -> list[object]:
    """What the commands tell of a journal in whose open shoe `faces` lie hidden, under immediate."""
    journal = open_journal(path)
    first = FIRST.replace('"rules"', '"decks": 1, "rules"')
    seen = [drawn(2 + place, face) for place, face in enumerate(("9S", "2H", "KD", "5C"))]
    turned = [said(7, "reveal"), said(8, "confirm"), said(9, "no_more_bets")]
    hidden = [drawn(10 + place, face) for place, face in enumerate(faces)]
    Played(journal, first, "immediate").play([said(1, "no_more_bets"), *seen, *turned, *hidden])
    journal.append([acknowledged(1, "surveillance", "cctv", journal.tops()["surveillance"])])
    found = inspection.stat(journal)
    rows = [{key: value for key, value in row.items() if key != "body"} for row in inspection.shown(journal)]
    journal.close()
    return [found.tops, found.cursors, found.rows, rows, inspection.countable(path)]


def test_nothing_counts_what_surveillance_alone_was_told(tmp_path: Path) -> None:
    """A face drawn once too often is an alarm of its own; until it is turned nobody else may know."""
    same, other = told_of(tmp_path / "a.db", ("9S", "2D")), told_of(tmp_path / "b.db", ("8S", "2D"))
    assert same == other
    assert same[0].keys() == {"public", "cage"}  # type: ignore[attr-defined]  # tops


def test_a_closed_shoe_is_shown_and_its_surveillance_also_later(journal: Journal) -> None:
    played = Played(journal, FIRST, "immediate")
    played.play(CLOSED)
    assert not inspection.open_shoe(journal)
    before = plain(inspection.shown(journal))
    assert all(row["body"] != "masked" for row in before)
    assert set(FACE.findall(json.dumps(before))) == {f'"{face}"' for face in DEALT}
    played.play(NEXT)
    rows = plain(inspection.shown(journal))
    told = [row for row in before if row["kind"] == "told"]
    assert [row for row in rows if row["kind"] == "told"][: len(told)] == told
    assert not FACE.search(json.dumps(rows[len(before) :]))


def test_a_shoe_loaded_meanwhile_is_an_open_one(journal: Journal) -> None:
    played = Played(journal, FIRST, "immediate")
    journal.append([acknowledged(1, "cage", "cage-1", 0)] * 1200)  # more than is read at a time
    played.play(CLOSED)
    rows = inspection.shown(journal)
    first = next(rows)
    played.play(NEXT)
    all_rows = plain([first, *rows])
    loaded = next(
        place
        for place, row in enumerate(all_rows)
        if row["kind"] == "told"
        and "shoe.loaded" in json.dumps(row["body"])
        and row["at"] > "1970-01-01T00:00:09"
    )
    assert not FACE.search(json.dumps(all_rows[loaded:]))
    assert FACE.search(json.dumps(all_rows[:loaded]))


@pytest.mark.parametrize("policy", ["delayed", "immediate"])
def test_the_shoe_that_was_asked_for_is_shown_and_none_after_it(journal: Journal, policy: Policy) -> None:
    played = Played(journal, FIRST, policy)
    played.play([*HIDDEN, *asked(7)])
    assert inspection.open_shoe(journal) == 1
    rows = plain(inspection.shown(journal, bared=1))
    assert all(row["body"] != "masked" for row in rows)
    assert set(FACE.findall(json.dumps(rows))) == {f'"{face}"' for face in DEALT}
    told = [(row["audience"], row["seq"]) for row in rows if row["kind"] == "told"]
    assert told == [(one.audience, one.seq) for one in journal.told()]
    assert not FACE.search(json.dumps(plain(inspection.shown(journal, bared=2))))
    begun = inspection.shown(journal, bared=1)
    first = next(begun)
    played.play([*CLOSED[-2:], *NEXT])
    for later in (plain([first, *begun]), plain(inspection.shown(journal, bared=1))):
        assert '"9D"' not in json.dumps(later)
        assert any(row["body"] == "masked" for row in later)


def test_what_was_asked_is_found_by_who_asked_it_and_not_where_it_was_refused(journal: Journal) -> None:
    Played(journal, FIRST).play([*HIDDEN, *asked(7, second="inspector:7"), *asked(8)])
    args = {"what": "journal", "reason": "a drill", "second": "inspector:2"}
    assert inspection.unmasked(journal, 0, "supervisor:7", args) == 1
    assert inspection.unmasked(journal, 0, "supervisor:7", {**args, "second": "inspector:7"}) is None
    assert inspection.unmasked(journal, 0, "supervisor:8", args) is None
    assert inspection.unmasked(journal, 0, "supervisor:7", {**args, "what": "listen"}) is None
    assert inspection.unmasked(journal, journal.end(), "supervisor:7", args) is None


def test_an_export_has_nothing_of_an_open_shoe_that_surveillance_alone_was_told(journal: Journal) -> None:
    Played(journal, FIRST, "immediate").play(HIDDEN)
    masked, bare = inspection.Mask(journal), inspection.Mask(journal, 1)
    assert (masked.on, bare.on, masked.end) == (True, False, journal.end())
    assert masked.tells_faces
    assert not FACE.search(b"".join(one.body for one in messages(journal, masked, None)).decode())
    assert list(messages(journal, masked, "public")) == list(messages(journal, bare, "public"))
    assert len(list(messages(journal, bare, None))) == sum(journal.tops().values())
    assert len(FACE.findall(b"".join(one.body for one in messages(journal, bare, None)).decode())) == 4


def test_delayed_surveillance_is_told_no_face_of_an_open_shoe(journal: Journal) -> None:
    Played(journal, FIRST, "delayed").play(HIDDEN)
    assert not inspection.Mask(journal).tells_faces


def test_a_capture_ends_where_the_mask_was_made(journal: Journal) -> None:
    played = Played(journal, FIRST)
    played.play(CLOSED)
    mask, before = inspection.Mask(journal), list(capture_lines(journal))
    played.play(NEXT)
    assert list(capture_lines(journal, mask.end)) == before
    assert json.loads(NEXT[-1])["rx"] in "".join(capture_lines(journal))


def test_one_kind_alone(journal: Journal) -> None:
    Played(journal, FIRST).play(CLOSED)
    rows = plain(inspection.shown(journal, 1, "rx"))
    assert [bytes.fromhex(row["body"]) for row in rows] == [
        f" [Game]<Card:{face}> \r\n".encode() for face in DEALT
    ]


def test_the_size_counts_what_is_still_in_the_log(journal: Journal) -> None:
    Played(journal, FIRST).play(CLOSED)
    found = inspection.stat(journal)
    log = journal.path.with_name("j.db-wal").stat().st_size
    assert log
    assert found.size == journal.path.stat().st_size + log
    assert found.tops == journal.tops()
    assert found.rows["told"] == found.rows["step"]
    assert len(list(journal.told())) == sum(found.tops.values())
    assert json.loads(msgspec.json.encode(found)).keys() >= {"from", "to", "bytes"}
