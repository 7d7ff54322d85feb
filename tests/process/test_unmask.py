"""Faces that lie hidden, shown to two named persons who ask: the real daemon journals it first."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from shoe_daemon.runtime.rows import Reader
from shoe_daemon.table.codec import decode_step
from shoe_daemon.table.inputs import Command
from tests.process.conftest import Tables
from tests.process.running import Running, card, until
from tests.process.test_listen import ear

FACES = ("4S", "9D")
BYTES = card("4S").hex(" ")
ASK = ("--unmask", "--actor", "supervisor:1", "--second", "inspector:2", "--reason", "a misread card")


@pytest.fixture
def table(tables: Tables) -> Running:
    """A table with two cards face down."""
    running = tables(rules="nsw", procedure="dealer-reveal").start()
    running.must("open_table")
    running.must("load_shoe")
    running.must("no_more_bets")
    deal(running, *FACES)
    return running


def deal(running: Running, *faces: str) -> None:
    for face in faces:
        before = len(running.of("card.drawn"))
        running.shoe.write(card(face))
        running.wait("card.drawn", before + 1)


def ran(running: Running, *arguments: str, code: int = 0) -> tuple[str, str]:
    """A command of the program; what it wrote to both ends."""
    done = subprocess.run(
        [*running.command, *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == code, done.stderr
    return done.stdout, done.stderr


def journal(running: Running, verb: str, *ask: str, code: int = 0) -> tuple[str, str]:
    """`journal show` or `journal export --capture` of the table's journal."""
    capture = ["--capture"] if verb == "export" else []
    named = ["--config", str(running.config)] if ask else []
    return ran(running, "journal", verb, str(running.journal), *capture, *ask, *named, code=code)


def asked(running: Running) -> list[tuple[int, Command]]:
    """Every `unmask` in the journal with its row, whether it was refused or not."""
    with Reader(running.journal) as rows:
        steps = [(row.pos, decode_step(row.body).input) for row in rows.rows(0, ("step",))]
    return [(pos, what) for pos, what in steps if isinstance(what, Command) and what.verb == "unmask"]


def faces(text: str) -> set[str]:
    """The hidden faces that a text shows, by name or by the bytes of the shoe."""
    bare = text.replace(" ", "")
    return {face for face in FACES if face in text or card(face).hex() in bare}


def test_a_journal_is_shown_once_two_have_asked(table: Running) -> None:
    assert faces(journal(table, "show")[0]) == set()
    assert not asked(table)
    out, err = journal(table, "show", *ASK)
    assert faces(out) == set(FACES)
    assert faces(err + table.log.read_text()) == set()
    ((pos, _),) = asked(table)
    rows = [json.loads(line) for line in out.splitlines()]
    (said,) = [row for row in rows if row["kind"] == "step" and row["body"]["input"].get("verb") == "unmask"]
    assert said["pos"] == pos
    (alarm,) = table.of("alarm.raised")
    assert alarm["data"] == {
        "code": "unmasked",
        "n": None,
        "what": "journal",
        "reason": "a misread card",
        "actor": "supervisor:1",
        "second": "inspector:2",
    }
    assert not any(table.of("alarm.raised", audience) for audience in ("public", "cage"))
    assert faces(journal(table, "show")[0]) == set()  # asked for once is shown once
    table.verified()


@pytest.mark.parametrize(
    ("actor", "second", "why"),
    [
        ("dealer:1", "inspector:2", "not_allowed"),
        ("inspector:2", "dealer:1", "not_allowed"),
        ("technician:1", "inspector:2", "not_allowed"),
        ("supervisor:2", "inspector:2", "same_person"),
        ("inspector:2", "inspector:2", "same_person"),
    ],
)
def test_who_may_not_ask_is_refused_and_journaled(table: Running, actor: str, second: str, why: str) -> None:
    ask = ("--unmask", "--actor", actor, "--second", second, "--reason", "x")
    for verb in ("show", "export"):
        out, err = journal(table, verb, *ask, code=1)
        assert (out, why in err) == ("", True)
    out, err = ran(table, "listen", "--config", str(table.config), *ask, code=1)
    assert (out, why in err) == ("", True)
    assert [what.args["what"] for _, what in asked(table)] == ["journal", "export", "listen"]
    assert [one["data"]["reason"] for one in table.of("command.refused")] == [why] * 3
    assert not table.of("alarm.raised")


def test_what_is_no_person_or_no_reason_is_not_even_asked(table: Running) -> None:
    for ask, why in (
        (("--unmask", "--actor", "king:1", "--second", "inspector:2", "--reason", "x"), "role:id"),
        (("--unmask", "--actor", "inspector:2", "--second", "king:1", "--reason", "x"), "role:id"),
        (("--unmask", "--actor", "inspector:2", "--second", "supervisor:1"), "needs"),
        (("--unmask", "--actor", "inspector:2", "--reason", "x"), "needs"),
        (("--actor", "inspector:2", "--second", "supervisor:1", "--reason", "x"), "go with --unmask"),
    ):
        out, err = journal(table, "show", *ask, code=2)
        assert (out, why in err) == ("", True), err
    assert ran(table, "journal", "show", str(table.journal), *ASK, code=2)[0] == ""
    assert not asked(table)


def test_listen_tells_the_shoe_that_was_asked_for_and_masks_the_next(table: Running, tmp_path: Path) -> None:
    masked, bare = tmp_path / "masked", tmp_path / "bare"

    def heard(words: str, times: int) -> None:
        def told() -> list[str]:
            return [out.read_text() for out in (masked, bare)]

        until(lambda: all(text.count(words) >= times for text in told()), told)

    with ear(table, "listen", out=masked), ear(table, "listen", *ASK, out=bare):
        heard("following", 1)
        ((pos, _),) = asked(table)
        deal(table, "4S")
        heard("card ", 1)
        table.must("void")
        table.must("close_shoe")
        table.must("load_shoe")
        table.must("no_more_bets")
        deal(table, "9D")
        heard("card ", 2)
    assert faces(masked.read_text()) == set()
    told = bare.read_text()
    assert faces(told) == {"4S"}
    assert BYTES in told
    assert faces(table.log.read_text()) == set()
    with Reader(table.journal) as rows:
        first = next(row.pos for row in rows.rows(pos, ("rx",)) if row.body == card("4S"))
    assert pos < first
    assert len(asked(table)) == 1


def test_there_is_no_capture_of_an_open_shoe_unless_two_ask(table: Running) -> None:
    out, err = journal(table, "export", code=2)
    assert (out, "a shoe is open" in err) == ("", True)
    out, err = journal(table, "export", *ASK)
    assert faces(out) == set(FACES)
    assert '"verb": "unmask"' in out
    table.must("void")
    table.must("close_shoe")
    assert faces(journal(table, "export")[0]) == set(FACES)
    out, err = journal(table, "show", *ASK, code=1)  # nothing is masked that could be asked for
    assert (out, "no_shoe" in err) == ("", True)


def test_messages_that_told_no_face_are_exported_while_the_shoe_is_open(table: Running) -> None:
    export = ("journal", "export", str(table.journal), "--audience")
    out, err = ran(table, *export, "surveillance")
    assert (out.count('"card.drawn"'), faces(out), err) == (2, set(), "")
    out, err = ran(table, *export, "public")
    assert (out.count('"card.dealt"'), err) == (2, "")


def test_a_daemon_that_stopped_hides_no_capture(table: Running) -> None:
    """Nobody could journal who asks, and what it had read must not be lost with it."""
    assert table.stop() == 0
    out, err = journal(table, "export")
    assert (faces(out), "nobody has seen" in err) == (set(FACES), True)


def test_nobody_is_shown_anything_that_no_daemon_journals(table: Running, tables: Tables) -> None:
    copy = table.folder / "copy.db"
    with Reader(table.journal) as rows:
        end = rows.end()
    assert table.stop() == 0
    out, err = journal(table, "show", *ASK, code=2)
    assert (out, "start the daemon" in err) == ("", True)
    out, err = ran(table, "listen", "--config", str(table.config), *ASK, code=2)
    assert (out, "start the daemon" in err) == ("", True)
    shutil.copy(table.journal, copy)
    table.start()
    out, err = ran(table, "journal", "show", str(copy), *ASK, "--config", str(table.config), code=2)
    assert (out, "is not the journal of" in err) == ("", True)
    other = tables(id="T-2").start()
    out, err = ran(table, "journal", "show", str(table.journal), *ASK, "--config", str(other.config), code=2)
    assert (out, "is not the journal of" in err) == ("", True)
    assert not asked(table)
    with Reader(table.journal) as rows:
        assert rows.end() > end


def test_claims_that_are_not_taken_show_nothing(tables: Tables) -> None:
    running = tables(feed="control_claims = false").start()
    out, err = journal(running, "show", *ASK, code=1)
    assert (out, "claims_not_taken" in err) == ("", True)
    assert [what.refused for _, what in asked(running)] == ["claims_not_taken"]
