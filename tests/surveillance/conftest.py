"""Daemons, clients and archives for the tests here, ended however a test ends."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.process.conftest import tables  # noqa: F401 - a fixture for the tests here
from tests.process.running import Running
from tests.surveillance.client import Client
from tests.surveillance.rsyslog import Rsyslog

Archives = Callable[[str], Rsyslog]
Clients = Callable[[str], Client]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Running]:
    """A table whose daemon runs."""
    running = Running(tmp_path / "table")
    try:
        yield running.start()
    finally:
        running.close()


@pytest.fixture
def archives(tmp_path: Path) -> Iterator[Archives]:
    """Makes an rsyslogd that runs, by its transport."""
    made: list[Rsyslog] = []

    def make(transport: str) -> Rsyslog:
        made.append(Rsyslog(tmp_path / f"rsyslog{len(made)}", transport))
        return made[-1].start()

    yield make
    for one in made:
        one.close()


@pytest.fixture
def clients(tmp_path: Path, table: Running) -> Iterator[Clients]:
    """Makes a client of the table, not yet started, by the TOML of its outputs."""
    numbers = count()
    made: list[Client] = []

    def make(outputs: str) -> Client:
        made.append(Client(tmp_path / f"client{next(numbers)}", table, outputs))
        return made[-1]

    yield make
    for one in made:
        one.close()
