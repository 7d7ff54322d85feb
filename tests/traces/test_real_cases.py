"""Every real case of table, shoe, line, feed, journal and clock has a trace, a test, or a reason why not."""

import json
import re
from pathlib import Path

from tests.test_rules_page import missing
from tests.traces.bless import TRACES, names

ROOT = TRACES.parents[1]
AREAS = frozenset({"baccarat", "deck", "rfid", "serial", "storage", "time", "zeromq"})
CASE = re.compile(r"\b[A-Z]{2,3}-\d{2}\b")
FILE = re.compile(r"`((?:tests|config)/[^`]+)`")
WORDS_OF_A_REASON = 20


def rows() -> list[list[str]]:
    """Cells of each row of the section `Real cases`: trace, cases, words; or case, where instead."""
    text = (TRACES / "README.md").read_text(encoding="utf-8")
    section = text.partition("## Real cases\n")[2].partition("\n## ")[0]
    cells = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in cells if CASE.search(row[-2])]


def shown() -> list[str]:
    """Numbers of the cases that have a row, one for each row."""
    return [number for row in rows() for number in CASE.findall(row[-2])]


def absent(named: str) -> bool:
    """Whether there is no such file, or no such test in it."""
    return missing(named) is not None if "::" in named else not (ROOT / named).is_file()


def test_every_case_is_a_trace_or_a_test_or_has_a_reason(shared_data: Path) -> None:
    lines = (shared_data / "cases" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    areas = {case["id"]: case["area"] for case in map(json.loads, lines)}
    wanted = {number for number, area in areas.items() if area in AREAS}
    assert len(wanted) > 60
    assert wanted - set(shown()) == set()
    assert set(shown()) - set(areas) == set()


def test_what_a_row_names_exists() -> None:
    assert [row[0] for row in rows() if len(row) == 3 and row[0] not in names()] == []
    assert [named for row in rows() for named in FILE.findall(row[-1]) if absent(named)] == []
    assert absent("tests/traces/no_such_file.py")
    assert absent("tests/traces/test_traces.py::test_that_nobody_wrote")


def test_a_row_without_a_trace_or_a_test_has_a_reason() -> None:
    bare = [
        row for row in rows() if len(row) == 2 and not any("tests/" in one for one in FILE.findall(row[1]))
    ]
    assert [row[0] for row in bare if len(row[1].split()) < WORDS_OF_A_REASON] == []
