"""The shipped rules and shoes are found in a wheel, an editable install and a checkout, from anywhere."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CONFIG = ROOT / "config"
LOOK = """
import importlib.resources
import json
from shoe_daemon.runtime import resources
found = {kind: {name: len(read(name)[0]) for name in resources.names(kind)}
         for kind, read in (("rules", resources.rules_file), ("shoes", resources.shoe_file))}
found["folder"] = str(resources.folder("rules").parent)
page = importlib.resources.files("shoe_daemon.clients") / "static"
found["page"] = sorted(path.name for path in page.iterdir())
print(json.dumps(found))
"""


def bare(folder: Path) -> Path:
    """Make an environment that sees our dependencies, but not this package; gives its python."""
    venv.create(folder, with_pip=False)
    site = next(folder.glob("lib/python*/site-packages"))
    # Folders named in a .pth file are searched, but .pth files in them are not read: no editable install.
    (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    return folder / "bin" / "python"


def run(python: Path, *arguments: str, cwd: Path, path: str = "") -> str:
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    if path:
        env["PYTHONPATH"] = path
    done = subprocess.run([python, *arguments], cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def install(python: Path, *what: str) -> None:
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
    ]
    done = subprocess.run([*pip, *what], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_what_is_needed_and_no_more(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
    shipped = {
        f"shoe_daemon/_config/{path.relative_to(CONFIG)}" for path in CONFIG.rglob("*") if path.is_file()
    }
    assert shipped
    assert shipped <= names
    assert any(name.endswith(".capture.jsonl") for name in shipped)
    assert any(name.endswith("/example-tags.csv") for name in shipped)
    assert {"shoe_daemon/py.typed", "drivers/py.typed", "shoe_daemon/clients/static/index.html"} <= names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    tops = {name.split("/", 1)[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"shoe_daemon", "drivers"}


@pytest.mark.parametrize("kind", ["wheel", "editable", "checkout"])
def test_names_resolve_from_any_directory(
    kind: str, wheel: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    python = bare(tmp_path / "env")
    path = ""
    if kind == "wheel":
        install(python, str(wheel))
        place = tmp_path / "env"
    elif kind == "editable":
        install(python, "--no-build-isolation", "-e", str(ROOT))
        place = CONFIG
    else:
        path, place = str(ROOT), CONFIG
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for cwd in (elsewhere, Path("/"), request.config.invocation_params.dir):
        # -P: the working directory is no place to import from
        found = json.loads(run(python, "-P", "-c", LOOK, cwd=cwd, path=path))
        assert Path(found["folder"]).is_relative_to(place)
        assert found["rules"] == {
            file.stem: file.stat().st_size for file in (CONFIG / "rules").glob("*.toml")
        }
        assert found["shoes"] == {
            file.stem: file.stat().st_size for file in (CONFIG / "shoes").glob("*.toml")
        }
        assert {"index.html", "display.js", "display.css"} <= set(found["page"])
    configuration = elsewhere / "table.toml"
    configuration.write_text(
        '[table]\nid = "T"\nrules = "nsw"\nprocedure = "result-button"\n'
        '[shoe]\nprofile = "rfid-uid-lines"\nport = "/dev/absent"\n[journal]\npath = "t.db"\n',
        encoding="utf-8",
    )
    assert run(python, "-P", "-m", "shoe_daemon", "check", "table.toml", cwd=elsewhere, path=path).strip()
