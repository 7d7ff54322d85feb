"""Daemons for the tests here, ended however a test ends."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.process.running import Running

Tables = Callable[..., Running]


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    """Makes a table with its own folder; keywords as for `Running`."""
    made: list[Running] = []
    numbers = count(1)

    def make(**settings: object) -> Running:
        running = Running(tmp_path / str(next(numbers)), **settings)  # type: ignore[arg-type]  # its own keywords
        made.append(running)
        return running

    yield make
    for running in made:
        running.close()
