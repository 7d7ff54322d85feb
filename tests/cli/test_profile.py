"""`profile test` and `profile new`: a shoe that nobody knew, running by a file and a capture alone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from drivers.profile import parse_shoe
from drivers.selftest import read
from shoe_daemon.runtime.resources import folder, names

INVENTED = sorted((Path(__file__).parents[1] / "shoes").glob("*.toml"))
CARDS = ("CardRead", "CardUnread")


def shoe_daemon(*arguments: str, said: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "shoe_daemon", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, input=said)


@pytest.mark.parametrize("name", names("shoes"))
def test_every_shipped_profile_passes_its_own_test(name: str) -> None:
    ran = shoe_daemon("profile", "test", name)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"shoes/{name}.toml: well: ")


@pytest.mark.parametrize("path", INVENTED, ids=lambda path: path.stem)
def test_an_invented_shoe_is_three_files(path: Path) -> None:
    """A TOML, a capture and its inputs: it passes its own test, and a table deals each card of it."""
    ran = shoe_daemon("profile", "test", str(path))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"{path}: well: ")
    told = shoe_daemon("replay", str(path.with_suffix(".capture.jsonl")), "--audience", "surveillance")
    assert (told.returncode, told.stderr) == (0, "")
    drawn = [
        event["data"] for event in map(json.loads, told.stdout.splitlines()) if event["type"] == "card.drawn"
    ]
    rows = map(json.loads, path.with_suffix(".expected.jsonl").read_text(encoding="utf-8").splitlines())
    cards = [
        row["input"] for row in rows if row["input"] in CARDS or row.get("card_like") or row.get("unread")
    ]
    assert [card["readable"] for card in drawn] == [name == "CardRead" for name in cards]


def test_a_profile_that_reads_otherwise_is_shown_line_by_line(tmp_path: Path) -> None:
    for ending in (".toml", ".capture.jsonl", ".expected.jsonl"):
        text = (folder("shoes") / f"barcode4-serial{ending}").read_text(encoding="utf-8")
        changed = text.replace('"card": "10H"', '"card": "10D"', 1)
        (tmp_path / f"mine{ending}").write_text(changed, encoding="utf-8")
    ran = shoe_daemon("profile", "test", str(tmp_path / "mine.toml"))
    assert ran.returncode == 1
    first, second, last = ran.stdout.splitlines()
    assert first.startswith("mine.expected.jsonl:2: expected ")
    assert "'10D'" in first
    assert "'10H'" in second
    assert last.endswith(" inputs differ")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("kind", "knid"), "framing.kind"),
        (("", ""), "No such file"),
    ],
)
def test_what_is_wrong_with_the_files_is_said(tmp_path: Path, change: tuple[str, str], words: str) -> None:
    path = tmp_path / "mine.toml"
    text = (folder("shoes") / "barcode4-serial.toml").read_text(encoding="utf-8")
    path.write_text(text.replace(*change), encoding="utf-8")
    ran = shoe_daemon("profile", "test", str(path))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert words in ran.stderr


def test_an_invented_shoe_runs_by_answers_and_a_capture(tmp_path: Path) -> None:
    path = tmp_path / "invented.toml"
    answers = ("19200", "@1S!", "1", "S", "1 2 3 4 5 6 7 8 9 X J Q K", "S H C D", "@??!")
    ran = shoe_daemon("profile", "new", str(path), said="\n".join(answers) + "\n")
    assert (ran.returncode, ran.stderr) == (0, "")
    profile = parse_shoe(path.read_bytes(), path.name)
    sent = b"@1S!\r\n@XH!\r\n@??!\r\n@KX!\r\n@2C!\r\n@9D!\r\n"
    lines = [
        {"t": 0, "profile": str(path), "procedure": "face-up", "decks": 8},
        {"t": 1, "rx": sent.hex()},
    ]
    capture = [json.dumps(line) for line in lines]
    assert [row.get("card", row["input"]) for row in read(profile, capture)] == [
        *("AS", "10H", "CardUnread", "FrameRejected", "2C", "9D"),
    ]
    file = tmp_path / "evening.jsonl"
    file.write_text("\n".join(capture) + "\n", encoding="utf-8")
    told = shoe_daemon("replay", str(file), "--audience", "public").stdout.splitlines()
    exposed = [json.loads(line)["data"] for line in told if '"card.exposed"' in line]
    assert [(one["slot"], one["card"]) for one in exposed[:2]] == [("P1", "AS"), ("B1", "10H")]
    again = shoe_daemon("profile", "new", str(path), said="\n".join(answers) + "\n")
    assert again.returncode == 2
    assert "is there already" in again.stderr


@pytest.mark.parametrize(
    ("at", "answer", "words"),
    [
        (2, "Z", "must be parts of"),
        (4, "1 2 3", "wants 13 codes of ranks"),
        (4, "2 1 3 4 5 6 7 8 9 X J Q K", "ace of spades"),
        (1, "@1S!\u20ac", "single byte"),
        (1, "1S 1S", "more than once"),
    ],
)
def test_answers_that_do_not_fit_write_nothing(tmp_path: Path, at: int, answer: str, words: str) -> None:
    path = tmp_path / "invented.toml"
    answers = ["19200", "@1S!", "1", "S", "1 2 3 4 5 6 7 8 9 X J Q K", "S H C D", ""]
    answers[at] = answer
    ran = shoe_daemon("profile", "new", str(path), said="\n".join(answers) + "\n")
    assert ran.returncode == 2
    assert words in ran.stderr
    assert not path.exists()


def test_rank_and_suit_are_the_two_that_lie_together(tmp_path: Path) -> None:
    path = tmp_path / "card.toml"
    answers = ("9600", "CARD AS", "A", "S", "A 2 3 4 5 6 7 8 9 10 J Q K", "S H C D", "")
    assert shoe_daemon("profile", "new", str(path), said="\n".join(answers) + "\n").returncode == 0
    sent = b"CARD AS\r\nCARD 2S\r\nC2RD AS\r\nCARD 10D\r\nCARD ??\r\n"
    capture = [json.dumps({"t": 0, "profile": str(path)}), json.dumps({"t": 1, "rx": sent.hex()})]
    got = read(parse_shoe(path.read_bytes(), path.name), capture)
    assert [row.get("card", row.get("reason")) for row in got] == [
        "AS",
        "2S",
        "unmatched",
        "10D",
        "unknown_code",
    ]


def test_a_scanner_that_types_is_asked_for_no_speed(tmp_path: Path) -> None:
    path = tmp_path / "typed.toml"
    ranks = "01 02 03 04 05 06 07 08 09 10 11 12 13"
    answers = ("0", "1010", "01", "1", ranks, "1 2 3 4", "9999")
    ran = shoe_daemon("profile", "new", str(path), said="\n".join(answers) + "\n")
    assert (ran.returncode, ran.stderr) == (0, "")
    profile = parse_shoe(path.read_bytes(), path.name)
    assert (profile.transport.kind, profile.transport.baud) == ("hid", None)
    capture = [
        json.dumps({"t": 0, "profile": str(path)}),
        json.dumps({"t": 1, "rx": b"2130\r9999\t4020\r".hex()}),
    ]
    assert [row.get("card", row["input"]) for row in read(profile, capture)] == ["KH", "CardUnread", "2D"]


@pytest.mark.parametrize(("name", "words"), [("no/such.toml", "is no folder"), ("New.toml", "a-z")])
def test_nothing_is_asked_for_a_file_that_cannot_be(tmp_path: Path, name: str, words: str) -> None:
    ran = shoe_daemon("profile", "new", str(tmp_path / name))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert words in ran.stderr
