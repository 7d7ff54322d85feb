"""What tests of every room share."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of shared test data; tests that need it are skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("shared test data is absent")
    return SHARED
