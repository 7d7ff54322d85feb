"""What tests of every room share."""

from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session", autouse=True)
def at_the_root() -> Iterator[None]:
    """Traces name invented shoes by their path from the root of the checkout."""
    with chdir(ROOT):
        yield


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of shared test data; tests that need it are skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("shared test data is absent")
    return SHARED
