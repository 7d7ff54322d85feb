"""The commands, as a person types them: real processes, their words and their exit codes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TRACE = ROOT / "tests" / "traces" / "dealer-reveal.capture.jsonl"


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


@pytest.mark.parametrize("command", ["pause", "watch", "surveillance", "camera"])
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
