"""SIGTERM under load, a second process on the same journal, and a disk that is full for a while."""

import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import zmq

from shoe_daemon.runtime.rows import Reader
from shoe_daemon.table.codec import decode_step
from shoe_daemon.table.inputs import CardRead
from tests.process.conftest import Tables
from tests.process.load import shuffled
from tests.process.running import PATIENCE_S, Running, Socket, card, until


def _read(table: Running) -> list[str]:
    """The cards on disk."""
    with Reader(table.journal) as journal:
        inputs = [decode_step(row.body).input for row in journal.rows(0, ("step",))]
    return [what.face.open() for what in inputs if isinstance(what, CardRead)]


def test_sigterm_under_load_ends_well_and_tells_of_it_last(tables: Tables) -> None:
    table = tables().start()
    table.must("open_table")
    table.must("load_shoe")
    shoe = shuffled(5)

    def draw() -> None:
        for face in shoe:
            try:
                table.shoe.write(card(face))
            except OSError:  # the daemon let go
                return

    def ask() -> None:
        with Socket(zmq.DEALER, table.at("control")) as mouth:
            for number in range(500):
                mouth.socket.send(b'{"id":%d,"verb":"open_table","actor":"dealer:9"}' % number)

    with Socket(zmq.SUB, table.at("surveillance")) as ear:
        busy = [threading.Thread(target=draw), threading.Thread(target=ask)]
        for one in busy:
            one.start()
        until(lambda: len(_read(table)) > 20)
        assert table.stop() == 0
        for one in busy:
            one.join()
        heard = [frames for frames in ear.waiting(0.2) if frames[2] != b"{}"]
    told = table.raw("surveillance")
    assert heard[-1][2] == told[-1]
    assert b'"type":"service.stopped"' in told[-1]
    assert sum(b"service.stopped" in body for body in told) == 1
    table.verified()
    read = _read(table)
    assert read == shoe[: len(read)]
    table.start()
    table.must("resolve", id="link_gap", remedy="none_missed")


def test_a_second_process_on_the_same_journal_is_refused(tables: Tables) -> None:
    first = tables().start()
    second = tables(journal=first.journal)
    command = [*second.command, "run", "--config", str(second.config)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert first.process is not None
    assert done.returncode == 1
    assert str(first.process.pid) in done.stderr
    assert "Traceback" not in done.stderr
    first.must("open_table")
    assert first.stop() == 0
    first.verified()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "shoe-test", str(folder)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount")
    if done.returncode:
        pytest.skip("only root may mount a small disk")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _fill(folder: Path) -> Path:
    """A file that leaves no room."""
    full = folder / "full"
    with full.open("wb", buffering=0) as out:
        for size in (4096, 1):
            try:
                while True:
                    out.write(bytes(size))
            except OSError:
                continue
    return full


def _hold_up(table: Running) -> None:
    """Draw cards until one is not told because the disk is full."""
    before = table.log.read_text().count("nothing is published until the journal can be written")
    for face in shuffled(6)[:40]:
        table.shoe.write(card(face))
    until(lambda: table.log.read_text().count("nothing is published until") > before, table.log.read_text)


def _over_heartbeats(ear: Socket) -> list[bytes]:
    """What is told until the third heartbeat from now: the journal was tried again between them."""
    heard: list[bytes] = []
    beats = 0
    while beats < 3:
        body = ear.socket.recv_multipart()[2]
        if body == b"{}":
            beats += 1
        else:
            heard.append(body)
    return heard


def test_nothing_is_told_while_the_disk_is_full_and_no_card_is_lost(tables: Tables, small_disk: Path) -> None:
    table = tables(journal=small_disk / "t.db").start()
    table.must("open_table")
    table.must("load_shoe")
    with Socket(zmq.SUB, table.at("public")) as ear:
        table.shoe.write(card("9C"))
        table.wait("card.drawn", 1)
        full = _fill(small_disk)
        _hold_up(table)
        on_disk = table.raw("public")
        assert table.snapshot("public")["seq"] == len(on_disk)
        heard = _over_heartbeats(ear)
        assert set(heard) <= set(on_disk)
        assert table.ask("public_replay", {"after": len(on_disk)}) == ([], {"id": "1", "top": len(on_disk)})
        full.unlink()
        table.wait("card.drawn", 41)
        assert _read(table) == ["9C", *shuffled(6)[:40]]
        heard += [frames[2] for frames in ear.waiting(0.2) if frames[2] != b"{}"]
    assert heard == table.raw("public")[-len(heard) :]
    table.must("cut_card")
    assert table.stop() == 0
    table.verified()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_stops_while_the_disk_is_full_and_says_that_it_is_not_well(
    tables: Tables, small_disk: Path, number: int
) -> None:
    table = tables(journal=small_disk / "t.db").start()
    table.must("open_table")
    table.must("load_shoe")
    full = _fill(small_disk)
    _hold_up(table)
    assert table.kill(number) == 1
    assert "cannot be written" in table.log.read_text()
    assert "Traceback" not in table.log.read_text()
    full.unlink()
    table.verified()
    table.start()
    assert table.of("irregularity.raised")[-1]["data"]["code"] == "link_gap"
