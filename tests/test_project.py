"""The repository itself: sizes, reasons, links, commands that exist, what `run` loads, how `check` speaks."""

import ast
import hashlib
import importlib
import json
import re
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from shoe_daemon.table.verbs import VERBS

ROOT = Path(__file__).resolve().parents[1]
BROKEN = ROOT / "tests" / "broken"
PRODUCT = sorted([*(ROOT / "shoe_daemon").rglob("*.py"), *(ROOT / "drivers").rglob("*.py")])
REST = [file for top in ("tests", "bench", "tools") for file in (ROOT / top).rglob("*.py")]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "tests").rglob("*.md")])
TEXTS = {"", ".css", ".html", ".js", ".jsonl", ".md", ".py", ".service", ".svg", ".toml", ".txt"}
RUN = """
import contextlib, json, sys
from shoe_daemon.cli import main
sys.argv[1:] = ["run", "--config", "absent.toml"]
with contextlib.suppress(SystemExit):
    main()
print(json.dumps([name for name, module in sys.modules.items() if module is not None]))
"""
LONGEST_MODULE = 400
MEDIAN_MODULE = 160
LONGEST_FUNCTION = 60


def lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


def name(file: Path) -> str:
    return str(file.relative_to(ROOT))


def shoe_daemon(*arguments: str, cwd: Path = ROOT) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "shoe_daemon", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_modules_are_short() -> None:
    lengths = {name(file): len(lines(file)) for file in PRODUCT}
    assert {file: length for file, length in lengths.items() if length > LONGEST_MODULE} == {}
    assert statistics.median(length for length in lengths.values() if length > 1) < MEDIAN_MODULE


def test_functions_fit_on_a_screen() -> None:
    long = [
        f"{name(file)}:{node.lineno} {node.name}"
        for file in PRODUCT
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
    ]
    assert long == []


def test_every_exception_to_the_linters_has_its_reason() -> None:
    bare = re.compile(r"#\s*(?:noqa(?!: [A-Z0-9, ]+ - \S)|type: ignore(?!\[[a-z, -]+\]\s+# \S))")
    found = [
        f"{name(file)}:{number}"
        for file in (*PRODUCT, *REST)
        if file != Path(__file__)
        for number, line in enumerate(lines(file), 1)
        if bare.search(line)
    ]
    assert found == []
    codes = re.findall(
        r'^  "[A-Z]+\d+",(.*)$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert codes
    assert all(re.match(r"\s+# \S", rest) for rest in codes)


def test_no_registry_and_no_place_of_one_machine_is_named() -> None:
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("no git checkout")
    files = [ROOT / file for file in listed.stdout.splitlines()]
    told = re.compile(rb"pythonhosted|pypi|index-url|/(?:work|root|Users)/|/home/\w", re.IGNORECASE)
    found = [
        f"{name(file)}:{number}"
        for file in files
        if file.is_file() and file.suffix in TEXTS and file != Path(__file__)
        for number, line in enumerate(file.read_bytes().splitlines(), 1)
        if told.search(line)
    ]
    assert found == []


def test_what_is_installed_is_pinned() -> None:
    pins = [line for line in lines(ROOT / "constraints.txt") if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][A-Za-z0-9.]*", pin) for pin in pins), pins
    pinned = {re.sub(r"[-_.]+", "-", pin.partition("==")[0]).lower() for pin in pins}
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    asked = {asked.lower() for asked in re.findall(r'^  "([A-Za-z-]+)[>=]=', project, re.MULTILINE)}
    assert asked
    assert asked <= pinned


def anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        if "://" in path:
            continue
        aim = page.parent / path if path else page
        assert aim.exists(), target
        if anchor:
            heads = re.findall(r"^#+ (.+)$", aim.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}, (
                target
            )


def test_the_page_of_the_house_is_true_to_the_code() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    files = set(re.findall(r"`((?:\w+/)+\w+\.py)`", text))
    named = re.findall(r"`((?:\w+/)+\w+)\.py`[\s,]+`([A-Za-z_.]+)`", text)
    assert len(named) > len(files) / 2
    for file in files:
        assert (ROOT / file).is_file() or (ROOT / "shoe_daemon" / file).is_file(), file
    for file, path in named:
        package = "" if (ROOT / f"{file}.py").is_file() else "shoe_daemon."
        found: object = importlib.import_module(package + file.replace("/", "."))
        for part in path.split("."):
            found = getattr(found, part)
    for folder in re.findall(r"`((?:tests|shoe_daemon)/\w+)`", text):
        assert (ROOT / folder).is_dir(), folder


def test_pages_name_only_commands_that_exist() -> None:
    known = set(re.findall(r"^│ (\w+) ", shoe_daemon("--help").stdout, re.MULTILINE))
    assert {"run", "demo", "check", "replay"} <= known
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for command, words in re.findall(r"shoe-daemon (\w+)((?: [\w-]+)*)", text):
            assert command in known, (name(page), command)
            if command == "control" and words:
                assert words.split()[0] in VERBS, (name(page), words)
        for target in re.findall(r"(?:^|`)make (\w+)", text, re.MULTILINE):
            assert target in targets, (name(page), target)


def test_the_version_names_the_rules_by_their_hashes() -> None:
    said = shoe_daemon("--version").stdout.splitlines()
    assert said[0].startswith("shoe-daemon ")
    files = sorted((ROOT / "config" / "rules").glob("*.toml"))
    hashes = {file.stem: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
    assert said[1:] == [f"rules {stem} sha256 {hashes[stem]}" for stem in sorted(hashes)]


def test_run_loads_no_more_than_it_needs() -> None:
    done = subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout))
    assert {"zmq", "msgspec", "structlog"} <= loaded
    assert loaded & {"typer", "click", "rich", "starlette", "uvicorn", "cv2", "numpy", "hypothesis"} == set()


@pytest.mark.parametrize("file", sorted(BROKEN.glob("*.toml")), ids=lambda file: file.stem)
def test_check_names_every_problem_of_a_broken_file(file: Path) -> None:
    """Each with its line and, where something is near, what was meant: `*.expected` beside the file."""
    done = shoe_daemon("check", file.name, cwd=BROKEN)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == file.with_suffix(".expected").read_text(encoding="utf-8")


def test_run_refuses_a_broken_file_in_the_same_words() -> None:
    expected = lines(BROKEN / "many-at-once.expected")
    done = shoe_daemon("run", "--config", "many-at-once.toml", cwd=BROKEN)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [line.removeprefix("error: ") for line in expected]


def test_the_example_configuration_is_well() -> None:
    done = shoe_daemon("check", str(ROOT / "config" / "table.example.toml"))
    assert (done.returncode, done.stderr) == (0, "")
