"""A wheel installed elsewhere does what the checkout does: the same live events, the same replay."""

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import shoe_daemon
from tests.process.conftest import Tables
from tests.process.whole_run import late_presses, same_events

ROOT = Path(shoe_daemon.__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment's python: our wheel installed, what it needs borrowed from here."""
    if not (ROOT / "pyproject.toml").is_file():
        pytest.skip("there is no checkout to build from")
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    left_out = shutil.ignore_patterns(".*", "__pycache__")
    shutil.copytree(ROOT, source, ignore=left_out)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(source)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
    python = folder / "venv" / "bin" / "python"
    install = ["-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([sys.executable, *install], check=True, capture_output=True)
    (packages,) = (folder / "venv" / "lib").glob("*/site-packages")
    # A path in a .pth is searched after the wheel's own packages, and its own .pth files are not read.
    (packages / "borrowed.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return python


def test_a_wheel_and_the_checkout_tell_the_same(tables: Tables, installed: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    where = subprocess.run(
        [str(installed), "-c", "import shoe_daemon, drivers; print(shoe_daemon.__file__, drivers.__file__)"],
        capture_output=True,
        text=True,
        check=True,
        cwd=elsewhere,
    ).stdout.split()
    assert all(Path(file).is_relative_to(installed.parents[1]) for file in where)
    script = installed.with_name("shoe-daemon")
    table = tables(command=[str(script)], cwd=elsewhere, rules="nsw", procedure="dealer-reveal")
    late_presses(table)
    capture = table.folder / "capture.jsonl"
    capture.write_text(table.cli("journal", "export", str(table.journal), "--capture"))
    replayed = table.cli("replay", str(capture))
    assert same_events(table, replayed) > 50
    here = tables(rules="nsw", procedure="dealer-reveal")
    assert here.cli("replay", str(capture)) == replayed
