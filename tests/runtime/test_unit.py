"""The systemd unit: known keys only, hardened, and with what libzmq needs."""

import shutil
import subprocess
from pathlib import Path

import pytest

UNIT = Path(__file__).parents[2] / "systemd" / "shoe-daemon.service"


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """Make a copy of the unit that starts a program which exists here."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not here")
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text().replace("/usr/local/bin/shoe-daemon", "/bin/true"))
    return copy


def test_systemd_finds_no_fault(unit: Path) -> None:
    ran = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert [line for line in (ran.stdout + ran.stderr).splitlines() if UNIT.name in line] == []
    assert ran.returncode == 0


def test_exposure_is_low(unit: Path) -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=25", str(unit)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if "--offline" in ran.stderr:
        pytest.skip("this systemd cannot judge a file")
    assert ran.returncode == 0, ran.stdout


def test_what_libzmq_needs_is_allowed_after_what_is_denied() -> None:
    lines = UNIT.read_text().splitlines()
    denied = lines.index("SystemCallFilter=~@privileged @resources")
    assert lines.index("SystemCallFilter=sched_setscheduler") > denied
    (families,) = [line for line in lines if line.startswith("RestrictAddressFamilies=")]
    assert "AF_NETLINK" in families
