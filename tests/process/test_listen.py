"""`listen` and `record`: the bytes of a shoe, live, beside what they mean; nothing of an open shoe."""

import json
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.process.conftest import Tables
from tests.process.running import Running, until

CARD = b"[Game]<Card:4S>\r\n"
PIECES = (CARD[:5], CARD[5:], b"[Game]<Game>\r\n", b"hello\r\n")


@contextmanager
def ear(running: Running, *arguments: str, out: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A command that listens until it is told to stop; its lines go to `out`."""
    with out.open("wb") as file:
        process = subprocess.Popen(
            [*running.command, *arguments, "--config", str(running.config)],
            stdout=file,
            stderr=subprocess.STDOUT,
        )
        try:
            yield process
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=30) == 0, out.read_text(encoding="utf-8")
        finally:
            process.kill()
            process.wait()


def test_bytes_and_meaning_side_by_side_at_the_port(tables: Tables, tmp_path: Path) -> None:
    running, out = tables(), tmp_path / "heard"
    with ear(running, "listen", out=out):
        until(lambda: "link up" in out.read_text(encoding="utf-8"), lambda: out.read_text(encoding="utf-8"))
        for piece in PIECES:
            running.shoe.write(piece)
        until(lambda: "unmatched" in out.read_text(encoding="utf-8"), lambda: out.read_text(encoding="utf-8"))
    text = out.read_text(encoding="utf-8")
    told = "".join(
        line[17:77] for line in text.splitlines() if re.match(r"[\d ]", line) and "link" not in line
    )
    assert "".join(told.split()) == b"".join(PIECES).hex()
    for words in ("card 4S", "a card that could not be read", "rejected, unmatched"):
        assert words in text


def test_beside_a_daemon_its_journal_is_followed_and_nothing_of_an_open_shoe_is_shown(
    tables: Tables, tmp_path: Path
) -> None:
    running, out = tables(), tmp_path / "heard"
    running.start()
    with ear(running, "listen", out=out):
        until(lambda: "following" in out.read_text(encoding="utf-8"))
        running.shoe.write(b"hello\r\n")
        until(lambda: "unmatched" in out.read_text(encoding="utf-8"), lambda: out.read_text(encoding="utf-8"))
        running.say("open_table")
        running.say("load_shoe")
        running.shoe.write(CARD)
        until(lambda: "card" in out.read_text(encoding="utf-8"), lambda: out.read_text(encoding="utf-8"))
    text = out.read_text(encoding="utf-8")
    assert b"hello\r\n".hex(" ") in text
    assert "card ··" in text
    assert "4S" not in text
    assert CARD.hex(" ") not in text


def test_a_daemon_that_starts_meanwhile_takes_the_shoe(tables: Tables, tmp_path: Path) -> None:
    running, out = tables(), tmp_path / "heard"
    with ear(running, "listen", out=out) as listening:
        until(lambda: "link up" in out.read_text(encoding="utf-8"), lambda: out.read_text(encoding="utf-8"))
        running.start()
        assert listening.wait(timeout=30) == 0
    running.say("open_table")
    running.say("load_shoe")
    running.shoe.write(CARD)
    text = out.read_text(encoding="utf-8")
    assert "a daemon has the shoe now" in text
    assert "4S" not in text


def test_what_is_recorded_replays(tables: Tables, tmp_path: Path) -> None:
    running, capture = tables(), tmp_path / "evening.jsonl"
    with ear(running, "record", "--out", str(capture), out=tmp_path / "said"):
        until(capture.exists)
        until(running.shoe.listened_to)
        until(lambda: _sent(running, capture))
    first, *lines = map(json.loads, capture.read_text(encoding="utf-8").splitlines())
    assert (first["profile"], first["procedure"], first["t"]) == ("beetek-rs232", "face-up", 0.0)
    assert "".join(line["rx"] for line in lines if "rx" in line).endswith(CARD.hex())
    assert capture.stat().st_mode & 0o777 == 0o600
    ran = subprocess.run(
        [*running.command, "replay", str(capture), "--audience", "public"], capture_output=True, check=True
    )
    assert b'"card":"4S"' in ran.stdout
    again = subprocess.run(
        [*running.command, "record", "--config", str(running.config), "--out", str(capture)],
        capture_output=True,
        check=False,
    )
    assert again.returncode == 2
    assert b"is there already" in again.stderr


def _sent(running: Running, capture: Path) -> bool:
    """Send a card until one is in the capture: before the port is open, nobody hears."""
    running.shoe.write(CARD)
    return CARD.hex() in capture.read_text(encoding="utf-8")


def test_nothing_is_recorded_beside_a_daemon(tables: Tables, tmp_path: Path) -> None:
    running = tables()
    running.start()
    ran = subprocess.run(
        [*running.command, "record", "--config", str(running.config), "--out", str(tmp_path / "x")],
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 2
    assert b"a daemon has the shoe" in ran.stderr
    assert not (tmp_path / "x").exists()
