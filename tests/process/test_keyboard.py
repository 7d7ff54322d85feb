"""A table whose shoe is a scanner that types: the whole daemon, `listen`, `record`, `replay`.

A named pipe carries the kernel's events; opening and grabbing it is the one thing that is replaced.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest

from tests.drivers.keys import DROPPED, Event, packed, press
from tests.process.conftest import Tables
from tests.process.running import Running, until
from tests.process.test_listen import ear

NAME = "/dev/input/by-id/usb-scanner-event-kbd"
PROGRAM = """
import os
import sys

from shoe_daemon.cli import main
from shoe_daemon.runtime import hidport
from shoe_daemon.runtime.ports import UnreachableError


class Pipe:
    def __init__(self, fd):
        self.fd = fd

    def close(self):
        os.close(self.fd)


def opened(path):
    try:
        return Pipe(os.open({pipe!r}, os.O_RDONLY | os.O_NONBLOCK)), path
    except OSError as error:
        raise UnreachableError(hidport._why(error, path)) from error


hidport._open = opened
hidport.missing = lambda: None
main()
"""
CODES = {"S": "1", "H": "2", "C": "3", "D": "4"}
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


class Scanner:
    """The writing end of the pipe; unplugged, there is none."""

    def __init__(self, pipe: Path) -> None:
        self.pipe = pipe
        self._fd = -1
        self.plug()

    def plug(self) -> None:
        os.mkfifo(self.pipe)
        self._fd = os.open(self.pipe, os.O_RDWR | os.O_NONBLOCK)

    def unplug(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
            self.pipe.unlink()

    def tell(self, events: list[Event]) -> None:
        data = packed(events)
        assert os.write(self._fd, data) == len(data)

    def scan(self, face: str) -> None:
        self.tell(code(face))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.unplug()


def code(face: str) -> list[Event]:
    """The keys of a card's bar code."""
    return press(*f"{CODES[face[-1]]}{RANKS.index(face[:-1]) + 1:02}0", "ENTER")


@pytest.fixture
def scanner(tmp_path: Path) -> Iterator[Scanner]:
    with Scanner(tmp_path / "keys") as one:
        yield one


def at_table(tables: Tables, scanner: Scanner) -> Running:
    running = tables(command=(sys.executable, "-c", PROGRAM.format(pipe=str(scanner.pipe))))
    text = running.config.read_text(encoding="utf-8")
    text = text.replace(str(running.folder / "shoe"), NAME).replace("beetek-rs232", "barcode4-hid")
    running.config.write_text(text, encoding="utf-8")
    return running


def test_a_coup_is_scanned_and_a_lost_plug_and_lost_keys_hold_it(tables: Tables, scanner: Scanner) -> None:
    running = at_table(tables, scanner).start()
    running.must("open_table")
    running.must("load_shoe")
    for number, face in enumerate(("2S", "3H", "KC"), 1):
        scanner.scan(face)
        running.wait("card.drawn", number)
    scanner.unplug()
    running.wait("device.link", 2)
    scanner.plug()
    (gap,) = running.wait("irregularity.raised", 1)
    assert (gap["data"]["code"], gap["data"]["hold"]) == ("link_gap", True)
    running.must("resolve", id="link_gap", remedy="none_missed")
    scanner.scan("QD")
    scanner.scan("4S")
    running.wait("card.drawn", 5)
    scanner.tell([*press("3"), DROPPED, *code("9C")])
    running.wait("device.link", 7)
    links = [one["data"] for one in running.of("device.link")]
    assert [one["state"] for one in links] == ["up", "down", "up", "gap", "down", "up", "gap"]
    assert links[4]["reason"].startswith(f"overrun: keys of {NAME} came faster")
    (rejected,) = running.wait("frame.rejected", 1)
    assert rejected["data"]["reason"] == "partial"
    raised = [one["data"] for one in running.of("irregularity.raised")]
    assert [(one["code"], one["slot"]) for one in raised] == [
        ("link_gap", None),
        ("unknown_code", "B3"),
        ("link_gap", None),
    ]
    assert not running.of("coup.result")
    assert running.stop() == 0
    running.verified()


def test_keys_are_listened_to_and_recorded_as_bytes_and_replayed(
    tables: Tables, scanner: Scanner, tmp_path: Path
) -> None:
    running, out, capture = at_table(tables, scanner), tmp_path / "heard", tmp_path / "evening.jsonl"
    with ear(running, "listen", out=out):
        until(lambda: "link up" in out.read_text(encoding="utf-8"), lambda: out.read_text(encoding="utf-8"))
        scanner.scan("KH")
        scanner.tell(press("1", "F1", "0", "TAB"))
        until(lambda: "rejected" in out.read_text(encoding="utf-8"), lambda: out.read_text(encoding="utf-8"))
    text = out.read_text(encoding="utf-8")
    assert f"listening at {NAME}" in text
    assert "32 31 33 30 0d" in text
    assert "card KH" in text
    assert "31 1a 30 09" in text
    with ear(running, "record", "--out", str(capture), out=tmp_path / "said"):
        until(lambda: "link up" in (tmp_path / "said").read_text(encoding="utf-8"))
        scanner.scan("4S")
        until(lambda: b"1040\r".hex() in capture.read_text(encoding="utf-8"))
    ran = subprocess.run(
        [*running.command, "replay", str(capture), "--audience", "public"], capture_output=True, check=True
    )
    assert b'"card":"4S"' in ran.stdout
    assert json.loads(capture.read_text(encoding="utf-8").splitlines()[0])["profile"] == "barcode4-hid"
