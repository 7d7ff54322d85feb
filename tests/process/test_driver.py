"""A driver from outside, found by its entry point: the worked example, in processes of its own."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = DOCS / "example-driver"
PROFILE = EXAMPLE / "rolling-shoe.toml"


def test_the_page_shows_the_driver_as_it_is() -> None:
    page = (DOCS / "drivers.md").read_text(encoding="utf-8")
    assert f"```python\n{(EXAMPLE / 'rolling_shoe.py').read_text(encoding='utf-8')}```" in page


@pytest.fixture
def beside(tmp_path: Path) -> dict[str, str]:
    """An environment in which the example is installed, as pip lays it out."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (tmp_path / "rolling_shoe.py").write_bytes((EXAMPLE / "rolling_shoe.py").read_bytes())
    info = tmp_path / f"rolling_shoe-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    for group, points in project["entry-points"].items():
        lines = [f"{name} = {place}" for name, place in points.items()]
        (info / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines]) + "\n")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path}


def ran(env: dict[str, str], *arguments: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "shoe_daemon", *arguments],
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_example_keeps_every_promise(beside: dict[str, str]) -> None:
    lines = [json.loads(line) for line in ran(beside, "driver", "test", str(PROFILE), "--json").splitlines()]
    assert lines[0] == {"profile": "rolling-shoe", "driver": "rolling", "seed": 7}
    assert [line["check"] for line in lines[1:] if not line["well"]] == []
    assert lines[-1]["check"] == "expected"


def test_the_example_reads_its_capture_at_a_table(beside: dict[str, str]) -> None:
    capture = str(PROFILE.with_suffix(".capture.jsonl"))
    told = ran(beside, "replay", capture, "--profile", str(PROFILE), "--audience", "surveillance")
    assert sum(json.loads(line)["type"] == "card.drawn" for line in told.splitlines()) >= 10


def test_without_it_the_profile_names_what_is_installed() -> None:
    told = ran(dict(os.environ), "driver", "test", str(PROFILE), code=2)
    assert "meta.driver: no driver 'rolling'; installed: profile" in told


def test_a_setting_that_the_driver_does_not_want_is_told(beside: dict[str, str], tmp_path: Path) -> None:
    wrong = tmp_path / "rolling-shoe.toml"
    wrong.write_text(PROFILE.read_text(encoding="utf-8").replace("step = 3", "step = 300"), encoding="utf-8")
    for ending in (".capture.jsonl", ".expected.jsonl"):
        wrong.with_suffix(ending).write_bytes(PROFILE.with_suffix(ending).read_bytes())
    told = ran(beside, "driver", "test", str(wrong), code=2)
    assert "wants step alone, a whole number from 1 to 127" in told
