"""Real cases that need a real daemon: a taken port, consumers that do not read, a damaged journal."""

import signal
import socket
import subprocess
from contextlib import ExitStack

import pytest
import zmq

from shoe_daemon.runtime.rows import Reader
from tests.process.conftest import Tables
from tests.process.load import Follower, deal_shoe
from tests.process.running import PATIENCE_S, Running, Socket, until


def _refused(table: Running, code: int) -> list[str]:
    """Start a daemon that cannot run and ends with `code`; what it says."""
    command = [*table.command, "run", "--config", str(table.config)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == code, done.stderr
    return done.stderr.strip().splitlines()


@pytest.mark.parametrize("end", ["public", "cage_replay", "control"])
def test_a_port_that_another_program_holds_is_named_and_ends_the_start(tables: Tables, end: str) -> None:
    table = tables()
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", table.port(end)))
        other.listen()
        (line,) = _refused(table, 2)
    assert f"{table.config}: feed.{end}: cannot bind {table.at(end)}: address already in use" in line
    table.start()
    assert table.stop() == 0


def test_a_second_daemon_at_the_same_ports_ends_and_the_first_goes_on(tables: Tables) -> None:
    first, second = tables().start(), tables()
    text = second.config.read_text()
    for mine, its in zip(second.ports, first.ports, strict=True):
        text = text.replace(f":{mine}", f":{its}")
    second.config.write_text(text)
    with Socket(zmq.SUB, first.at("public")) as ear:
        ear.socket.recv_multipart()
        said = _refused(second, 2)
        assert said
        assert all("cannot bind" in line for line in said)
        first.must("open_table")
        until(lambda: any(b"table.opened" in frames[2] for frames in ear.waiting()))
    assert first.stop() == 0
    first.verified()


def test_it_stops_while_nobody_reads(tables: Tables) -> None:
    """A subscriber that stands still, one that asked for everything and takes nothing, half a handshake."""
    table = tables().start()
    table.must("open_table")
    for number in range(3):  # told eight times over, they are more than any buffer on the way holds
        deal_shoe(table, number)
    with ExitStack() as ends:
        stopped = Follower(table, "stopped")
        ends.callback(stopped.process.wait)
        ends.callback(stopped.process.kill)
        until(lambda: len(stopped.lines) == len(table.raw("surveillance")), lambda: stopped.err)
        stopped.process.send_signal(signal.SIGSTOP)
        half = ends.enter_context(socket.create_connection(("127.0.0.1", table.port("cage"))))
        half.sendall(b"\xff\0")
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        ends.callback(context.destroy, 0)
        greedy = context.socket(zmq.DEALER)
        greedy.setsockopt(zmq.RCVHWM, 1)
        greedy.setsockopt(zmq.RCVBUF, 4096)
        greedy.connect(table.at("surveillance_replay"))
        for number in range(8):
            greedy.send(b'{"id":%d,"after":0,"limit":100000}' % number)
        greedy.recv_multipart()
        deal_shoe(table, 3)
        assert table.stop() == 0
    table.verified()
    assert b"service.stopped" in table.raw("surveillance")[-1]


def test_a_damaged_journal_is_refused_and_kept_and_a_new_one_begins_beside_it(
    tables: Tables,
) -> None:
    table = tables().start()
    table.must("open_table")
    deal_shoe(table, 0)
    assert table.stop() == 0
    with Reader(table.journal) as journal:
        old = journal.meta.journal
    whole = table.journal.read_bytes()
    middle = len(whole) // 2
    for damaged in (whole[:middle] + bytes(4096) + whole[middle + 4096 :], bytes(4096) + whole[4096:]):
        table.journal.write_bytes(damaged)
        (line,) = _refused(table, 1)
        assert str(table.journal) in line
        assert table.journal.read_bytes() == damaged
        table.cli("journal", "verify", str(table.journal), code=1 if damaged[:6] == b"SQLite" else 2)
    table.journal.rename(table.folder / "aside.db")
    table.start()
    table.must("open_table")
    with Reader(table.journal) as journal:
        assert journal.meta.journal != old
    assert table.stop() == 0
    table.verified()
