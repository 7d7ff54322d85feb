"""Words to systemd, on real sockets."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from shoe_daemon.runtime.notify import Notifier


@pytest.fixture(params=["path", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, str]]:
    name = str(tmp_path / "notify")
    address, told = ("\0" + name, "@" + name) if request.param == "abstract" else (name, name)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        server.bind(address)
        server.settimeout(10)
        yield server, told


def test_each_word_arrives(systemd: tuple[socket.socket, str]) -> None:
    server, address = systemd
    notifier = Notifier({"NOTIFY_SOCKET": address})
    notifier.starting("reads")
    notifier.ready("table BAC-07,\nlink up")
    notifier.alive()
    notifier.status("coup 4")
    notifier.stopping()
    assert [server.recv(100) for _ in range(5)] == [
        b"EXTEND_TIMEOUT_USEC=30000000\nSTATUS=reads",
        b"READY=1\nSTATUS=table BAC-07, link up",
        b"WATCHDOG=1",
        b"STATUS=coup 4",
        b"STOPPING=1",
    ]
    notifier.close()
    notifier.alive()


def test_without_systemd_it_is_silent() -> None:
    notifier = Notifier({})
    with capture_logs() as logs:
        notifier.ready("x")
        notifier.alive()
    assert (logs, notifier.interval_s) == ([], None)
    notifier.close()


def test_a_deaf_systemd_is_logged_and_harms_nothing(tmp_path: Path) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": str(tmp_path / "none")})
    with capture_logs() as logs:
        notifier.alive()
    notifier.close()
    assert [(line["event"], line["log_level"]) for line in logs] == [("systemd does not listen", "warning")]


@pytest.mark.parametrize(
    ("environment", "interval"),
    [
        ({"WATCHDOG_USEC": "3000000"}, 1.0),
        ({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": str(os.getpid())}, 1.0),
        ({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "x"}, None),
        ({}, None),
    ],
)
def test_the_watchdog_is_fed_in_a_third_of_its_time(
    environment: dict[str, str], interval: float | None
) -> None:
    assert Notifier(environment).interval_s == interval
