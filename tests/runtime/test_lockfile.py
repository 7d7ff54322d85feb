"""A lock that one process holds, and that others may ask about without being in the way."""

import subprocess
import sys
from pathlib import Path

import pytest

from shoe_daemon.runtime.lockfile import HeldError, LockFile, holder

LOOKS = """
import sys
from pathlib import Path
from shoe_daemon.runtime.lockfile import holder
path = Path(sys.argv[1])
print("looking", flush=True)
while True:
    holder(path)
"""


def test_who_looks_whether_it_is_held_is_in_nobodys_way(tmp_path: Path) -> None:
    path = tmp_path / "j.db.lock"
    LockFile(path).release()
    with subprocess.Popen([sys.executable, "-c", LOOKS, str(path)], stdout=subprocess.PIPE) as looking:
        assert looking.stdout is not None
        assert looking.stdout.readline() == b"looking\n"
        for _ in range(20_000):
            LockFile(path).release()
        looking.kill()


def test_a_held_lock_is_refused_and_names_its_holder(tmp_path: Path) -> None:
    path = tmp_path / "j.db.lock"
    with LockFile(path):
        assert holder(path) is not None
        with pytest.raises(HeldError, match="process"):
            LockFile(path)
        with pytest.raises(HeldError):  # a refused try took nothing
            LockFile(path)
    assert holder(path) is None
