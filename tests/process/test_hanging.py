"""A stop comes through whatever the port waits for: a device that hangs, a server that does not answer."""

import socket
import sys
from contextlib import suppress

from tests.process.conftest import Tables
from tests.process.running import Running, until

DEVICE = """
import sys, time
from shoe_daemon.cli import main
from shoe_daemon.runtime import serialport

def hang(_):
    sys.stderr.write("hanging\\n")
    sys.stderr.flush()
    time.sleep(86400)

serialport.%s = hang
main()
"""
"""The program, with a system call that never returns, as a sick adapter's does; no real one is at hand."""


def hanging(tables: Tables, call: str) -> Running:
    return tables(command=(sys.executable, "-c", DEVICE % call))


def test_a_device_that_hangs_while_it_is_opened(tables: Tables) -> None:
    table = hanging(tables, "_open").start(link=False)
    until(lambda: "hanging" in table.log.read_text())
    (told,) = table.wait("device.link", 1)
    assert told["data"]["reason"].startswith("hangs: ")
    table.must("open_table")
    assert table.stop() == 0
    table.verified()


def test_a_device_that_hangs_while_it_is_closed(tables: Tables) -> None:
    table = hanging(tables, "_close").start()
    assert table.stop() == 0
    assert "hanging" in table.log.read_text()
    table.verified()


def test_a_server_that_does_not_answer(tables: Tables) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server:
        number = server.getsockname()[1]
        waiting = [socket.socket() for _ in range(3)]
        for one in waiting:
            one.settimeout(0)
            with suppress(BlockingIOError):
                one.connect(("127.0.0.1", number))
        table = tables()
        text = table.config.read_text()
        table.config.write_text(text.replace(str(table.folder / "shoe"), f"tcp://127.0.0.1:{number}"))
        table.start(link=False)
        table.must("open_table")
        assert table.stop() == 0
        assert "left to the system" not in table.log.read_text()
        for one in waiting:
            one.close()
    table.verified()
