"""The client as a process: begin, end, another journal, and what nobody may see."""

import signal
import socket
from pathlib import Path

from tests.process.conftest import Tables
from tests.process.running import Running, card, free_ports, until
from tests.surveillance.client import Client, deal, said
from tests.surveillance.conftest import Archives, Clients
from tests.surveillance.rsyslog import Rsyslog, needs_relp
from tests.surveillance.test_archive import output


class Recorder:
    """A recorder that connects to the client and reads lines."""

    def __init__(self, port: int) -> None:
        self._socket = socket.socket()
        until(lambda: self._socket.connect_ex(("127.0.0.1", port)) == 0)
        self._socket.settimeout(30)
        self._lines = self._socket.makefile("r", newline="\r\n")

    def event(self) -> list[str]:
        """The lines of one event, between its marks."""
        assert self._lines.readline() == "<BAC>\r\n"
        found: list[str] = []
        while (line := self._lines.readline()) != "</BAC>\r\n":
            assert line, found
            found.append(line.removesuffix("\r\n"))
        return found

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


def test_a_recorder_draws_each_event_once_and_goes_on_when_it_comes_back(
    table: Running, clients: Clients
) -> None:
    (port,) = free_ports(1)
    toml = f'[outputs.nvr]\nkind = "text"\npreset = "milestone"\nto = "tcp-listen://127.0.0.1:{port}"\n'
    client = clients(toml + 'events = ["coup.result", "card.exposed"]\nstamp = false\n').start()
    recorder = Recorder(port)
    deal(table, 1)
    drawn = [recorder.event() for _ in range(5)]
    assert drawn == [
        ["T-1 S1 C1", "P1 9H"],
        ["T-1 S1 C1", "B1 KH"],
        ["T-1 S1 C1", "P2 10H"],
        ["T-1 S1 C1", "B2 2H"],
        ["T-1 S1 C1", "P 9H 10H 9", "B KH 2H 2", "PLAYER NATURAL"],
    ]
    recorder.close()
    last = deal(table, 1)
    until(lambda: said(client, "not delivered"))
    recorder = Recorder(port)
    assert [recorder.event()[1] for _ in range(5)][:4] == ["P1 9C", "B1 KC", "P2 10C", "B2 2C"]
    client.until_at("nvr", last)
    assert client.kill(signal.SIGTERM) == 0
    recorder.close()


@needs_relp
def test_an_order_to_end_is_followed_while_the_archive_hangs_and_nothing_is_lost(
    table: Running, clients: Clients, archives: Archives
) -> None:
    archive = archives("relp")
    client = clients(output(archive, "window = 4")).start()
    client.until_at("archive", deal(table, 1))
    archive.signal(signal.SIGSTOP)
    last = deal(table, 2)
    assert client.kill(signal.SIGTERM) == 0
    assert client.cursor("archive") < last
    archive.signal(signal.SIGCONT)
    client.start().until_at("archive", last)
    numbers = archive.numbers()
    assert sorted(set(numbers)) == list(range(1, last + 1))
    assert len(numbers) - last <= 4


@needs_relp
def test_it_waits_for_a_daemon_that_is_not_there_yet(
    table: Running, clients: Clients, archives: Archives
) -> None:
    archive = archives("relp")
    last = deal(table, 1)
    table.kill(signal.SIGTERM)
    client = clients(output(archive)).start()
    until(lambda: said(client, "the feed does not answer"))
    table.start()
    client.until_at("archive", last)
    assert archive.numbers()[:last] == list(range(1, last + 1))


@needs_relp
def test_of_another_journal_everything_comes_and_an_old_cursor_moves_nothing_there(
    table: Running, clients: Clients, archives: Archives
) -> None:
    archive = archives("relp")
    client = clients(output(archive)).start()
    first = deal(table, 2)
    client.until_at("archive", first)
    old = table.told("surveillance")[0]["journal"]
    table.kill(signal.SIGTERM)
    for file in table.folder.glob("t.db*"):
        file.rename(file.with_name(f"old-{file.name}"))
    table.start()
    last = deal(table, 3)
    new = table.told("surveillance")[0]["journal"]
    late = {"ack": last, "consumer": f"archive.{old[-6:]}"}
    assert table.ask("surveillance_replay", late)[1]["ack"] == last
    client.until_at("archive", last)
    assert numbers(archive, new) == list(range(1, last + 1))
    table.kill(signal.SIGTERM)
    for file in table.folder.glob("t.db*"):
        file.unlink()
    for file in table.folder.glob("old-t.db*"):
        file.rename(file.with_name(file.name.removeprefix("old-")))
    table.start()
    table.wait("irregularity.raised", 1)
    top = table.told("surveillance")[-1]["seq"]
    client.until_at("archive", top)
    # The end of the old journal may be there twice: nobody took its acknowledgement any more.
    assert sorted(set(numbers(archive, old))) == list(range(1, top + 1))
    assert len(numbers(archive, old)) - top <= 2


@needs_relp
def test_of_an_older_copy_of_the_journal_what_happens_since_is_handed_over(
    table: Running, clients: Clients, archives: Archives
) -> None:
    archive = archives("relp")
    client = clients(output(archive)).start()
    client.until_at("archive", deal(table, 1))
    table.kill(signal.SIGTERM)
    copies = [(file, file.read_bytes()) for file in table.folder.glob("t.db*")]
    table.start()
    gap = table.wait("irregularity.raised", 1)[-1]
    table.must("resolve", id=gap["data"]["id"], remedy="none_missed")
    client.until_at("archive", deal(table, 2))
    table.kill(signal.SIGTERM)
    for file in table.folder.glob("t.db*"):
        file.unlink()
    for file, data in copies:
        file.write_bytes(data)
    table.start()
    table.must("resolve", id=gap["data"]["id"], remedy="none_missed")
    client.until_at("archive", deal(table, 1))
    lines = archive.lines()
    for event in table.told("surveillance"):
        assert any(f'seq="{event["seq"]}"' in line and event["at"] in line for line in lines), event


def numbers(archive: Rsyslog, journal: str) -> list[int]:
    """The numbers of one journal's events in the archive."""
    both = zip(archive.lines(), archive.numbers(), strict=True)
    return [number for line, number in both if journal in line]


@needs_relp
def test_what_is_too_old_for_an_output_is_passed_over_and_said(
    table: Running, clients: Clients, archives: Archives
) -> None:
    archive = archives("relp")
    client = clients(output(archive, "skip_older_s = 0.000001"))
    last = deal(table, 1)
    client.start().until_at("archive", last)
    assert archive.lines() == []
    assert sum(line.get("events", 0) for line in client.logged()) == last


@needs_relp
def test_under_the_delayed_policy_no_face_is_said_before_it_is_turned(
    tables: Tables, tmp_path: Path, archives: Archives
) -> None:
    table = tables(procedure="dealer-reveal", allow_face_up=False).start()
    archive = archives("relp")
    client = Client(tmp_path / "client", table, output(archive))
    client.start()
    try:
        table.must("open_table")
        table.must("load_shoe")
        table.must("no_more_bets", "dealer:1")
        faces = ("9S", "KD", "10H", "2C")
        for face in faces:
            table.shoe.write(card(face))
        table.wait("card.drawn", 4)
        client.until_at("archive", table.told("surveillance")[-1]["seq"])
        before = archive.archive.read_bytes()
        assert before.count(b"FACE DOWN") == 4
        assert not any(face.encode() in before for face in faces)
        table.must("reveal", "dealer:1")
        client.until_at("archive", table.told("surveillance")[-1]["seq"])
        assert all(face.encode() in archive.archive.read_bytes() for face in faces)
    finally:
        client.close()
