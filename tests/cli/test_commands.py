"""The commands, as a person types them: real processes, their words and their exit codes."""

import json
import os
import pty
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from shoe_daemon.cli import output
from shoe_daemon.runtime.rows import Row
from shoe_daemon.table.codec import Step, encode
from shoe_daemon.table.inputs import Service
from shoe_daemon.table.remedies import REMEDIES
from shoe_daemon.table.verbs import DEALER_REMEDIES
from tests.runtime.journals import Played, card, open_journal

ROOT = Path(__file__).resolve().parents[2]
TRACE = ROOT / "tests" / "traces" / "dealer-reveal.capture.jsonl"
CHECKPOINT = (
    '{"t": 2, "checkpoint": {"row": 3, "first": 1, "last": 2, "signed": %s,'
    ' "head": "", "root": "", "key": "", "signature": ""}}'
)


def shoe_daemon(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "shoe_daemon", *arguments],
        capture_output=True,
        text=True,
        check=False,
        input=stdin,
        cwd=ROOT,
        timeout=120,
    )


@pytest.mark.parametrize("audience", ["public", "surveillance", "cage"])
def test_replay_of_one_audience_is_all_filtered(audience: str) -> None:
    everything = shoe_daemon("replay", str(TRACE)).stdout.splitlines()
    one = shoe_daemon("replay", str(TRACE), "--audience", audience).stdout.splitlines()
    assert one == [line for line in everything if json.loads(line)["audience"] == audience]
    assert [json.loads(line)["seq"] for line in one] == list(range(1, len(one) + 1))


def test_immediate_shows_surveillance_the_face_at_the_draw_and_nobody_else() -> None:
    public = [
        shoe_daemon("replay", str(TRACE), "--audience", "public", "--hidden", p).stdout
        for p in ("delayed", "immediate")
    ]
    assert public[0] == public[1]
    drawn = [
        json.loads(line)["data"]
        for line in shoe_daemon(
            "replay", str(TRACE), "--audience", "surveillance", "--hidden", "immediate"
        ).stdout.splitlines()
        if json.loads(line)["type"] == "card.drawn"
    ]
    assert [(card["slot"], card["card"]) for card in drawn[:5]] == [
        ("P1", "5S"),
        ("B1", "6H"),
        ("P2", "KC"),
        ("B2", "KD"),
        ("P3", "6C"),
    ]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nonsense", "no JSON object"),
        ("[]", "no JSON object"),
        ('{"rx": "00"}', "t:"),
        ('{"t": 0.5, "rx": "00"}', "before the line above"),
        ('{"t": 2}', "exactly one of"),
        ('{"t": 2, "rx": "00", "link": "up"}', "exactly one of"),
        ('{"t": 2, "rx": "0"}', "hex"),
        ('{"t": true, "rx": "00"}', "t:"),
        ('{"t": 2, "cmd": {"verb": "dance", "actor": "dealer:1"}}', "unknown verb"),
        ('{"t": 2, "cmd": {"verb": "burn", "actor": "dealer"}}', "role:id"),
        ('{"t": 2, "link": "sideways"}', "link"),
        ('{"t": NaN, "rx": "00"}', "t:"),
        ('{"t": 2, "alarm": "line_parity"}', "text:"),
        ('{"t": 2, "alarm": "E3", "text": "x"}', "alarm: one of line_parity, "),
        ('{"t": 2, "alarm": ["line_parity"], "text": "x"}', "alarm: one of "),
        ('{"t": 2, "clock": 5}', "before: seconds since 1970"),
        ('{"t": 2, "clock": 5, "before": -1}', "before: seconds since 1970"),
        ('{"t": 2, "clock": "now", "before": 5}', "clock: seconds since 1970"),
        ('{"t": 2, "clock": true, "before": 5}', "clock: seconds since 1970"),
        ('{"t": 2, "clock": 1e12, "before": 5}', "clock: seconds since 1970"),
        ('{"t": 2, "clock": 5, "before": 5, "reason": "x"}', "unknown key 'reason'"),
        ('{"t": 2, "checkpoint": 5}', "checkpoint: an object of first, head, key, last, root, row, sign"),
        ('{"t": 2, "checkpoint": {"at": 5}}', "checkpoint: an object of first, head, key, last, root"),
        ('{"t": 2, "checkpoint": {}}', "checkpoint: Object missing required field"),
        (CHECKPOINT % "1e30", "checkpoint: "),
        (CHECKPOINT % -1, "checkpoint: signed: microseconds since 1970"),
        (CHECKPOINT % 10**18, "checkpoint: signed: microseconds since 1970"),
        ('{"t": 2, "alarm": "line_parity", "text": "x", "reason": "y"}', "unknown key 'reason'"),
        ('{"t": 2, "rx": "00", "text": "x"}', "unknown key 'text'"),
    ],
)
def test_a_bad_line_is_named_after_the_events_before_it(line: str, words: str, tmp_path: Path) -> None:
    capture = tmp_path / "bad.jsonl"
    capture.write_text(
        '{"t": 0, "profile": "beetek-rs232", "rules": "live"}\n{"t": 1, "rx": "00"}\n' + line + "\n"
    )
    ran = shoe_daemon("replay", str(capture), "--audience", "public")
    assert ran.returncode == 2
    assert "line 3" in ran.stderr
    assert words in ran.stderr
    assert [json.loads(told)["type"] for told in ran.stdout.splitlines()] == [
        "table.opened",
        "shoe.loaded",
        "betting.opened",
    ]


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ('{"t": 0}', "profile"),
        ('{"t": 0, "profile": "beetek-rs323"}', "beetek-rs232"),
        ('{"t": 0, "profile": "beetek-rs232", "rules": "nws"}', "nsw"),
        ('{"t": 0, "profile": "beetek-rs232", "procedure": "fast"}', "procedure"),
        ('{"t": 0, "profile": "beetek-rs232", "deck": 8}', "unknown key"),
        ('{"t": 0, "profile": "beetek-rs232", "decks": 0}', "decks"),
        ('{"t": 0, "profile": "beetek-rs232", "settle_s": -1}', "settle_s"),
        ('{"profile": "beetek-rs232"}', "t:"),
        ("", "no JSON object"),
    ],
)
def test_a_bad_first_line(first: str, words: str, tmp_path: Path) -> None:
    capture = tmp_path / "bad.jsonl"
    capture.write_text(first + "\n")
    ran = shoe_daemon("replay", str(capture))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "line 1" in ran.stderr
    assert words in ran.stderr


def test_simulated_shoe_replays_to_the_coups_asked_for(tmp_path: Path) -> None:
    capture = tmp_path / "shoe.jsonl"
    wrote = shoe_daemon(
        "simulate",
        "--capture",
        str(capture),
        "--coups",
        "12",
        "--seed",
        "3",
        "--procedure",
        "dealer-reveal",
        "--rules",
        "nsw",
    )
    assert wrote.returncode == 0, wrote.stderr
    again = shoe_daemon(
        "simulate",
        "--capture",
        "-",
        "--coups",
        "12",
        "--seed",
        "3",
        "--procedure",
        "dealer-reveal",
        "--rules",
        "nsw",
    )
    assert again.stdout == capture.read_text()
    told = shoe_daemon("replay", str(capture), "--audience", "cage").stdout.splitlines()
    kinds = [json.loads(line)["type"] for line in told]
    assert (kinds.count("coup.result"), kinds.count("settlement"), kinds.count("coup.held")) == (12, 12, 0)


def test_a_simulated_shoe_of_tags_is_dealt_whole_and_replays_without_a_hold(tmp_path: Path) -> None:
    capture = tmp_path / "tags.jsonl"
    options = ("--profile", "rfid-uid-lines", "--coups", "100", "--capture", str(capture))
    wrote = shoe_daemon("simulate", *options)
    assert wrote.returncode == 0, wrote.stderr
    told = [json.loads(line) for line in shoe_daemon("replay", str(capture)).stdout.splitlines()]
    kinds = [(one["audience"], one["type"], one["shoe"]) for one in told]
    results = Counter(shoe for audience, kind, shoe in kinds if (audience, kind) == ("cage", "coup.result"))
    assert sum(results.values()) == 100
    assert results[1] > 60
    assert not {"coup.held", "frame.rejected"} & {kind for _, kind, _ in kinds}
    refused = shoe_daemon("simulate", *options, "--decks", "9")
    assert refused.returncode == 2
    assert "9 decks have 9 times AS, and the profile has tags for 8" in refused.stderr


def test_explain_names_places_decisions_and_rules() -> None:
    ran = shoe_daemon("explain", "5S", "6H", "KD", "KC", "6D", "3S", "2H")
    assert ran.returncode == 0
    assert "Banker draws on 6 against a third card of 6" in ran.stdout
    assert "2H   in excess" in ran.stdout
    assert "banker: Player 1, Banker 9   (rules nsw: NSW-10.3, NSW-10.4)" in ran.stdout


@pytest.mark.parametrize("cards", [["5S"], ["5S", "6H", "KD", "1C"]])
def test_explain_refuses_what_is_no_coup(cards: list[str]) -> None:
    ran = shoe_daemon("explain", *cards)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr


def test_version_names_every_rule_file_with_its_hash() -> None:
    ran = shoe_daemon("--version")
    lines = ran.stdout.splitlines()
    assert lines[0].startswith("shoe-daemon 0.")
    for name in ("nsw", "nsw-even-money", "nzg-1994", "live", "intercasino"):
        assert any(line.startswith(f"rules {name} sha256 ") for line in lines)


@pytest.mark.parametrize("command", ["pause", "watch", "console", "camera"])
def test_a_command_of_a_later_version_does_not_exist(command: str) -> None:
    ran = shoe_daemon(command)
    assert ran.returncode == 2
    assert "No such command" in ran.stderr


def test_control_knows_its_verbs_before_it_asks_anybody(tmp_path: Path) -> None:
    ran = shoe_daemon("control", "dance", "--config", str(tmp_path / "none.toml"), "--actor", "dealer:1")
    assert ran.returncode == 2
    assert "unknown command" in ran.stderr


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"t": 1, "cmd": {"verb": "reveal", "actor": "dealer:\\ud800"}}', "line 2"),
        (b'{"t": 1, "rx": "00", "rx": "01"}', "twice"),
        (b'{"t": 1, "link": "\xff"}', "UTF-8"),
    ],
)
def test_a_line_that_is_no_text_is_a_bad_line(line: bytes, words: str, tmp_path: Path) -> None:
    capture = tmp_path / "bad.jsonl"
    capture.write_bytes(b'{"t": 0, "profile": "beetek-rs232", "rules": "live"}\n' + line + b"\n")
    ran = shoe_daemon("replay", str(capture), "--audience", "cage")
    assert ran.returncode == 2
    assert words in ran.stderr
    assert "Traceback" not in ran.stderr
    assert len(ran.stdout.splitlines()) == 3


@pytest.mark.parametrize(
    "arguments",
    [
        ("replay", str(TRACE)),
        ("journal", "show", "{journal}"),
        ("journal", "export", "{journal}", "--audience", "public"),
        ("simulate", "--capture", "-", "--coups", "400"),
    ],
)
def test_a_reader_that_goes_away_is_an_ordinary_end(arguments: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    journal = open_journal(path)
    first, *rest = TRACE.read_text().splitlines()
    Played(journal, first).play(rest)
    journal.close()
    with subprocess.Popen(
        [sys.executable, "-m", "shoe_daemon", *(one.format(journal=path) for one in arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read().decode()
    assert (process.returncode, said) == (0, "")


def test_control_names_the_roles_before_it_asks_anybody(tmp_path: Path) -> None:
    for actor in ("dealer", "dealer:", "king:1"):
        ran = shoe_daemon("control", "reveal", "--config", str(tmp_path / "none.toml"), "--actor", actor)
        assert (ran.returncode, ran.stdout) == (2, "")
        assert "role:id" in ran.stderr
        assert "duty_manager" in ran.stderr


def write_config(folder: Path, **changed: str) -> Path:
    values = {"id": "BAC-07", "rules": "nsw", "port": "/dev/serial/by-id/usb-none", "path": "j.db", **changed}
    file = folder / "table.toml"
    file.write_text(
        f'[table]\nid = "{values["id"]}"\nrules = "{values["rules"]}"\nprocedure = "dealer-reveal"\n'
        f'[shoe]\nprofile = "beetek-rs232"\nport = "{values["port"]}"\n[journal]\npath = "{values["path"]}"\n'
        f'[feed]\npublic = "ipc://{folder}/p"\npublic_replay = "ipc://{folder}/pr"\n',
        encoding="utf-8",
    )
    return file


def test_show_says_by_which_remedies_a_dealer_may_resolve(tmp_path: Path) -> None:
    ran = shoe_daemon("check", str(write_config(tmp_path)), "--show")
    of = {line.split()[1]: line for line in ran.stdout.splitlines() if line.startswith("# ") and "," in line}
    dealers = {name for name in REMEDIES if name in of and "dealer," in of[name]}
    assert dealers == {"identify", *DEALER_REMEDIES}


def test_health_is_told_in_lines_with_every_word_of_them(tmp_path: Path) -> None:
    ran = shoe_daemon("health", "--config", str(write_config(tmp_path)))
    assert ran.returncode == 1
    lines = [line.split(maxsplit=1) for line in ran.stdout.splitlines()]
    assert lines[:2] == [["well", "no"], ["table", "BAC-07"]]
    assert lines[2:] == [["problem", f"ipc://{tmp_path}/pr: no answer in 2 s: does the daemon run?"]]


def test_what_is_in_brackets_is_said_too(capsys: pytest.CaptureFixture[str]) -> None:
    output.say([("problem", "look at [shoe] port"), ("held", []), ("link", None), ("told", {"cage": 1200})])
    assert capsys.readouterr().out.splitlines() == [
        "problem        look at [shoe] port",
        "held           none",
        "told           cage 1200",
    ]


def test_verify_and_stat_speak_to_people(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    journal = open_journal(path)
    journal.append(card(journal, 1))
    journal.close()
    well = shoe_daemon("journal", "verify", str(path))
    assert well.returncode == 0
    said = dict(line.split(maxsplit=1) for line in well.stdout.splitlines() if not line.startswith("not "))
    assert (said["well"], said["table"], said["rows"]) == ("yes", "BAC-07", "4")
    assert said["told"] == "public 1, cage 1"  # no daemon wrote these rows: a shoe may be open
    assert "signatures were not checked" in well.stdout
    stat = shoe_daemon("journal", "stat", str(path))
    assert stat.returncode == 0
    assert "rows           meta 1, rx 1, step 1, told 1" in stat.stdout.splitlines()
    assert "acknowledged   none" in stat.stdout.splitlines()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE row SET at = 7 WHERE pos = 3")
    bad = shoe_daemon("journal", "verify", str(path))
    assert bad.returncode == 1
    assert bad.stdout.splitlines()[:2] == ["well           no", "first bad row  3"]
    assert json.loads(shoe_daemon("journal", "verify", "--json", str(path)).stdout)["bad"] == 3


def test_verify_shows_how_far_it_is_on_a_terminal_alone(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    journal = open_journal(path)
    journal.append([Row("rx", at, b"") for at in range(2000)])
    journal.close()
    command = [sys.executable, "-m", "shoe_daemon", "journal", "verify", str(path)]
    ours, theirs = pty.openpty()
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=theirs, check=False, env={**os.environ, "TERM": "xterm"}
    )
    os.close(theirs)
    shown = os.read(ours, 100_000)
    os.close(ours)
    assert (done.returncode, b"rows" in shown, b"/2001" in shown) == (0, True, True)
    assert shoe_daemon("journal", "verify", str(path)).stderr == ""


def test_explain_says_of_an_open_shoe_what_the_public_knows(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    journal = open_journal(path)
    first, *rest = TRACE.read_text().splitlines()
    played = Played(journal, first, "immediate")
    played.play(rest[:5])
    asked = ("explain", str(path), "--coup", "1")
    ran = shoe_daemon(*asked)
    assert ran.returncode == 0
    assert ran.stdout.count("nobody turned it") == 4
    assert "Withheld: the shoe of this coup is still open" in ran.stdout
    assert "5S" not in ran.stdout
    end = '{"t": %d, "cmd": {"verb": "%s", "actor": "supervisor:1"}}'
    played.play([end % (98, "void"), end % (99, "close_shoe")])
    journal.close()
    closed = shoe_daemon(*asked).stdout
    assert "5S   Player's first" in closed
    assert "The coup is void: declared so, by supervisor:1." in closed
    assert "Withheld" not in closed


def test_explain_finds_a_coup_by_its_time_and_lists_those_that_fit() -> None:
    asked = ("explain", str(TRACE), "--at")
    several = shoe_daemon(*asked, "00:00")
    assert several.returncode == 0
    first, *lines = several.stdout.splitlines()
    assert first.startswith(f"{len(lines)} coups fit")
    assert lines[-1].endswith(f"--shoe 1 --coup {len(lines)}")
    listed = json.loads(shoe_daemon(*asked, "00:00", "--json").stdout)["coups"]
    assert [span["coup"] for span in listed] == list(range(1, len(lines) + 1))
    one = json.loads(shoe_daemon(*asked, "00:00:03", "--json").stdout)
    assert (one["coup"], one["view"], one["status"]) == (1, "surveillance", "result")
    assert shoe_daemon(*asked, "23:59").stdout.splitlines()[0].endswith(f"coup {len(lines)}")


@pytest.mark.parametrize(
    "asked",
    [
        ("--coup", "99"),
        ("--at", "noon"),
        ("--coup", "1", "--at", "00:00"),
        ("--coup", "1", "--zone", "Mars/Base"),
        ("5S", "--coup", "1"),
        (),
    ],
)
def test_explain_refuses_what_it_cannot_find(asked: tuple[str, ...], tmp_path: Path) -> None:
    ran = shoe_daemon("explain", str(TRACE), *asked)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr
    gone = shoe_daemon("explain", str(tmp_path / "none"), "--coup", "1")
    assert (gone.returncode, gone.stdout) == (2, "")


def test_report_hands_a_day_over_with_the_head_of_the_chain(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    journal = open_journal(path)
    first, *rest = TRACE.read_text().splitlines()
    Played(journal, first).play(rest)
    journal.close()
    asked = ("report", str(path), "--day", "1970-01-01", "--day-begins", "00:00")
    said = json.loads(shoe_daemon(*asked, "--json").stdout)
    head = json.loads(shoe_daemon("journal", "verify", str(path), "--json").stdout)["head"]
    assert (said["head"], said["whole"], said["sequences"]["public"][0]) == (head, True, 1)
    ran = shoe_daemon(*asked)
    assert ran.returncode == 0
    assert head in ran.stdout
    assert shoe_daemon(*asked[:2], "--day", "1971-01-01").stdout.count("nothing told") == 2
    assert shoe_daemon(*asked[:2], "--shift", "14:00", "22:00").returncode == 2
    assert shoe_daemon(*asked[:2]).returncode == 2
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE row SET at = 7 WHERE pos = 3")
    bad = shoe_daemon(*asked)
    assert bad.returncode == 1
    assert "NOT WHOLE" in bad.stdout


def test_a_report_goes_by_the_day_and_zone_of_the_house(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    journal = open_journal(path)
    first, *rest = TRACE.read_text().splitlines()
    Played(journal, first).play(rest)
    for zone in ("UTC", "Asia/Macau"):  # the last start is the one that counts
        start = Service(9_000_000, "started", "restart", {"house": {"zone": zone, "day_begins": "04:00"}})
        journal.append([Row("step", start.at, encode(Step(start, ())))])
    journal.close()
    said = json.loads(shoe_daemon("report", str(path), "--day", "1970-01-01", "--json").stdout)
    assert (said["from"], said["to"]) == ("1969-12-31T20:00:00.000000Z", "1970-01-01T20:00:00.000000Z")
    asked = ("report", str(path), "--day", "1970-01-01", "--zone", "UTC", "--day-begins", "05:00", "--json")
    assert json.loads(shoe_daemon(*asked).stdout)["from"] == "1970-01-01T05:00:00.000000Z"
    page = shoe_daemon("explain", str(path), "--coup", "1").stdout
    assert "08:00:0" in page


def test_a_locale_that_cannot_name_a_path_says_so(tmp_path: Path) -> None:
    home = tmp_path / "Tisch-\u00e9"
    home.mkdir()
    plain = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    def ran(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "shoe_daemon", *arguments]
        return subprocess.run(command, capture_output=True, check=False, env=plain, cwd=home)

    file = write_config(home)
    file.write_text(file.read_text(encoding="utf-8").replace(str(home), str(tmp_path)), encoding="utf-8")
    assert ran("check", str(file)).returncode == 0
    wrong = {"rules": "./h\u00e9.toml", "port": "/dev/\u00e9", "path": "\u00e9.db"}
    file = write_config(home, **wrong)
    for command in (("check", str(file)), ("run", "--config", str(file)), ("health", "--config", str(file))):
        done = ran(*command)
        assert done.returncode == 2
        lines = done.stderr.decode("ascii").splitlines()
        keys = ["table.rules", "shoe.port", "journal.path", "feed.public", "feed.public_replay"]
        assert [line.removeprefix("error: ").split(": ")[1] for line in lines] == keys
        assert all(line.endswith("set LC_ALL=C.UTF-8") for line in lines)
    assert ran("control", "reveal", "--config", "none.toml", "--actor", "dealer:\u00e9").returncode == 2


def test_a_shoes_receipt_is_signed_and_every_change_of_it_is_found(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    journal = open_journal(path)
    first, *rest = (ROOT / "tests" / "traces" / "shoes.capture.jsonl").read_text("utf-8").splitlines()
    Played(journal, first).play(rest)
    journal.close()
    key = tmp_path / "key.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True)
    key.chmod(0o644)
    assert "others may read it" in shoe_daemon("report", str(path), "--shoe", "1", "--key", str(key)).stderr
    key.chmod(0o600)
    done = shoe_daemon("report", str(path), "--shoe", "1", "--key", str(key))
    assert done.returncode == 0
    assert "receipt of shoe 1" in done.stdout
    assert "computed " in done.stdout
    page = tmp_path / "page.txt"
    page.write_text(done.stdout, encoding="utf-8")
    checked = shoe_daemon("report", str(page), "--check")
    assert (checked.returncode, "whole, signed by the key" in checked.stdout) == (0, True)
    other = shoe_daemon("report", str(page), "--check", "--public", "00" * 32)
    assert (other.returncode, "not by the one asked for" in other.stdout) == (1, True)
    page.write_text(done.stdout.replace("coups", "c0ups"), encoding="utf-8")
    changed = shoe_daemon("report", str(page), "--check")
    assert (changed.returncode, "was changed" in changed.stdout) == (1, True)
    assert "no shoe 9 was loaded" in shoe_daemon("report", str(path), "--shoe", "9").stderr


def test_report_on_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    journal = open_journal(path)
    first, *rest = (TRACE.parent / "unread.capture.jsonl").read_text().splitlines()
    Played(journal, first).play(rest)
    journal.close()
    said = json.loads(shoe_daemon("report", str(path), "--reader", "--json").stdout)
    assert (said["cards"], said["unread"], said["table"]) == (6, 1, "BAC-07")
    assert [(one["card"], one["read"]) for one in said["misreads"]] == [("QS", "KC")]
    ran = shoe_daemon("report", str(path), "--reader", "--shoe", "1")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "1 of 6 unread (16.67 %)" in ran.stdout
    head = json.loads(shoe_daemon("journal", "verify", str(path), "--json").stdout)["head"]
    assert head in ran.stdout
    assert shoe_daemon("report", str(path), "--reader", "--shoe", "9").returncode == 2
