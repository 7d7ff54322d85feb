"""The page for an inspector: complete against the printed rules, and true to the code that it names."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from shoe_daemon.game.profile import parse_rules
from shoe_daemon.game.rules_file import rule_ids
from shoe_daemon.schema import ConfigError, read_toml
from shoe_daemon.table.events import TYPE
from shoe_daemon.table.verbs import VERBS
from tools import rules_page
from tools.rules_data import (
    DOCUMENTS,
    PROFILES,
    ROOT,
    Document,
    Row,
    Section,
    document,
    profiles,
    silent,
)
from tools.rules_page import page

SEEDS = ROOT.parent / "shared" / "seeds"
TRACES = ROOT / "tests" / "traces"
NUMBERED = {"nsw": "NSW", "nzg": "NZG"}
IN_WORDS = ("live", "intercasino")
EVENTS = set(TYPE.values())


@cache
def read(name: str) -> Document:
    return document(name)


def every_row() -> Iterator[Row]:
    for name in DOCUMENTS:
        yield from read(name).rows


def seed(name: str) -> str:
    """The text of a document, its parts one after the other."""
    files = [next(iter(SEEDS.glob(f"{number}_*.txt")), None) for number in read(name).seeds]
    if None in files:
        pytest.skip("the seed documents are absent")
    return "\n".join(file.read_text(encoding="utf-8") for file in files if file is not None)


def printed_numbers(text: str) -> list[str]:
    """Numbers of all rules in a text, a lettered part with the number before it."""
    numbers: list[str] = []
    whole = ""
    for line in text.splitlines():
        if found := re.match(r"\s*(?:•\s*)?(\d+(?:\.\d+)+)\s", line):
            whole = found[1]
            if not whole.endswith(".0"):
                numbers.append(whole)
        elif found := re.match(r"\s*\(([a-z])\)\s", line):
            numbers.append(f"{whole}.{found[1]}")
    return numbers


def sentences(text: str, headings: tuple[str, ...]) -> list[str]:
    """Place of each sentence, and of each line of a table: its heading, and its number below it."""
    places: list[str] = []
    heading, number = "", 0
    for line in filter(None, map(str.strip, text.splitlines())):
        if line in headings:
            heading, number = line.removesuffix(":"), 0
            continue
        for _ in re.split(r"(?<=[.!?])\s+", line):
            number += 1
            places.append(f"{heading} {number}")
    return places


def spread(where: str) -> list[str]:
    """The places of `The Play 1-3`."""
    heading, _, numbers = where.rpartition(" ")
    first, _, last = numbers.partition("-")
    return [f"{heading} {number}" for number in range(int(first), int(last or first) + 1)]


@pytest.mark.parametrize("name", NUMBERED)
def test_every_printed_number_has_one_row_and_no_row_is_of_another(name: str) -> None:
    printed = printed_numbers(seed(name))
    assert len(printed) > 20
    rows = [row.id for row in read(name).rows if not row.where]
    assert Counter(rows) == Counter(f"{NUMBERED[name]}-{number}" for number in printed)


def test_every_definition_and_every_table_has_its_row() -> None:
    text = seed("nsw")
    terms = re.findall(r'^• ["“](.+?)["”] means', text, re.MULTILINE)
    tables = re.findall(r"^• (TABLE \d)", text, re.MULTILINE)
    assert (len(terms), len(tables)) == (16, 2)
    assert Counter(place for row in read("nsw").rows for place in row.where) == Counter([*terms, *tables])


@pytest.mark.parametrize("name", IN_WORDS)
def test_every_sentence_of_a_text_without_numbers_is_in_one_row(name: str) -> None:
    text = seed(name)
    printed = {line.strip() for line in text.splitlines()}
    assert [heading for heading in read(name).headings if heading not in printed] == []
    covered = [place for row in read(name).rows for where in row.where for place in spread(where)]
    assert Counter(covered) == Counter(sentences(text, read(name).headings))
    assert all(row.where for row in read(name).rows)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_is_cited_and_not_printed_is_in_the_text_and_has_no_row(name: str) -> None:
    text = seed(name)
    ids = {row.id for row in read(name).rows}
    for one in read(name).cited:
        number = one.id.partition("-")[2]
        between = number.startswith("9.") and re.search(r"rules 9\.2 to 9\.5", text) is not None
        assert between or re.search(rf"\b{re.escape(number)}\b", text), one.id
        assert one.id not in ids


def test_ids_are_unique_and_bear_the_prefix_of_their_document() -> None:
    counts = Counter(row.id for row in every_row())
    assert [key for key, count in counts.items() if count > 1] == []
    known = profiles()
    for name in DOCUMENTS:
        prefixes = {known[profile].stated["document"]["prefix"] for profile in read(name).profiles}
        assert len(prefixes) == 1
        assert {row.id.partition("-")[0] for row in read(name).rows} == prefixes


@pytest.mark.parametrize(
    "broken",
    [
        'id = "X-1"\nsays = "s"\ndoes = "none"',  # no part in it, and no reason
        'id = "X-1"\nsays = "s"\ndoes = "none"\nreason = "r"\ntests = ["t"]',
        'id = "X-1"\nsays = "s"\ndoes = "enforced"\ntests = ["t"]',  # does not say how
        'id = "X-1"\nsays = "s"\ndoes = "recorded"\nhow = "h"',  # no test
        'id = "X-1"\nsays = "s"\ndoes = "shown"\nhow = "h"\nreason = "r"',  # a reason in its place
        'id = "X-1"\nsays = "s"\ndoes = "perhaps"\nreason = "r"',
        'id = "X-1"\nsays = "s"\ndoes = "none"\nreason = "r"\ntest = "t"',
    ],
)
def test_a_row_that_does_not_say_enough_is_refused(broken: str) -> None:
    with pytest.raises(ConfigError):
        read_toml(f'heading = "H"\n[[rows]]\n{broken}\n', "x.toml", Section)


def test_no_part_in_it_needs_its_reason() -> None:
    rows = [row for row in every_row() if row.does == "none"]
    assert rows
    assert [row.id for row in rows if not row.reason.strip()] == []


@cache
def functions(file: str) -> frozenset[str]:
    path = ROOT / file
    if not path.is_file():
        return frozenset()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def missing(test: str) -> str | None:
    """`test` if there is none of that name."""
    file, _, rest = test.partition("::")
    function, _, case = rest.partition("[")
    if not function.startswith("test_") or function not in functions(file):
        return test
    trace = case.removesuffix("]")
    return test if trace and not (TRACES / f"{trace}.capture.jsonl").is_file() else None


def test_every_named_test_exists() -> None:
    named = [(row.id, test) for row in every_row() for test in row.tests]
    named += [(one.matter, test) for one in silent() for test in one.tests]
    assert [(who, test) for who, test in named if missing(test)] == []
    assert all(one.tests for one in silent())
    assert missing("tests/test_rules_page.py::test_that_nobody_wrote")
    assert missing("tests/traces/test_traces.py::test_trace_gives_its_events[no-such-trace]")


def test_every_event_and_command_exists() -> None:
    assert [(row.id, name) for row in every_row() for name in row.events if name not in EVENTS] == []
    assert [(row.id, name) for row in every_row() for name in row.verbs if name not in VERBS] == []


def at(stated: Any, dotted: str) -> Any:  # noqa: ANN401 - a value of a TOML file
    for part in dotted.split("."):
        stated = stated.get(part) if isinstance(stated, dict) else None
    return stated


def test_every_profile_key_is_in_its_profile() -> None:
    known = profiles()
    for name in DOCUMENTS:
        one = read(name)
        for row in one.rows:
            if row.profile:
                assert row.profile in one.profiles, row.id
            if row.profile_key:
                profile = known[row.profile or one.profiles[0]]
                assert at(profile.stated, row.profile_key) is not None, (row.id, row.profile_key)


def test_every_rule_that_a_profile_names_has_a_row_or_is_not_printed() -> None:
    for name in DOCUMENTS:
        one = read(name)
        ids = {row.id for row in one.rows} | {cited.id for cited in one.cited}
        for profile in one.profiles:
            source = PROFILES / f"{profile}.toml"
            for key, rule in rule_ids(parse_rules(source.read_bytes(), source.name).stated):
                group = any(known.startswith(f"{rule}.") for known in ids)
                assert rule in ids or group, (profile, key, rule)


def test_conflicts_and_decisions_name_rules_that_have_rows() -> None:
    ids = {row.id for row in every_row()}
    pairs = [(row.id, other.id) for row in every_row() for other in row.conflicts]
    pairs += [(one.matter, rule) for one in silent() for rule in one.rules]
    assert pairs
    assert [(who, rule) for who, rule in pairs if rule not in ids or rule == who] == []


def test_the_page_has_every_row_once_and_counts_them() -> None:
    made = page(profiles())
    for name in DOCUMENTS:
        rows = read(name).rows
        for row in rows:
            assert made.count(f"\n| {row.id} | {row.says} |") == 1, row.id
        no_part = sum(row.does == "none" for row in rows)
        heading = re.search(rf"^## {rows[0].id.partition('-')[0]}: (.+)$", made, re.MULTILINE)
        assert heading is not None
        assert heading[1].startswith(f"{len(rows)} rules – ")
        assert f", {no_part} no part" in heading[1]


def test_every_place_of_events_md_that_the_page_points_to_is_there() -> None:
    places = set(re.findall(r"\]\(events\.md#(\w+)\)", page(profiles())))
    assert {"irregularities", "remedies"} <= places
    headings = re.findall(
        r"^## (.+)$", (ROOT / "docs" / "events.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert places <= {heading.lower() for heading in headings}


def test_a_profile_without_rows_is_on_the_page_with_its_sources() -> None:
    known = profiles()
    others = set(known) - {name for one in map(read, DOCUMENTS) for name in one.profiles}
    assert others == {"france", "macau"}
    (part,) = re.findall(r"^## Profiles of other documents$(.+?)^## ", page(known), re.MULTILINE | re.DOTALL)
    for name in others:
        told = known[name].stated["document"]
        assert f"| document | {told['title']} |" in part
        assert all(missing in part for missing in told["missing"])
        rules = {
            rule for _, rule in rule_ids(parse_rules((PROFILES / f"{name}.toml").read_bytes(), name).stated)
        }
        assert [rule for rule in rules if f"| {rule} |" not in part] == []


def test_what_the_profiles_do_not_state_is_on_the_page() -> None:
    made = page(profiles())
    for profile in profiles().values():
        reasons = list(_reasons(profile.stated))
        assert reasons
        for reason in (*reasons, *(gap["matter"] for gap in profile.stated.get("gaps", ()))):
            assert f"| {reason} |" in made
    for one in silent():
        assert f"| {one.matter} | {one.decision} | {one.why} |" in made


def _reasons(table: dict[str, Any] | Any) -> Iterator[str]:  # noqa: ANN401 - a table of a TOML file
    for key, value in table.items():
        if key == "not_stated":
            yield value
        elif isinstance(value, dict):
            yield from _reasons(value)


def test_a_changed_profile_makes_the_page_another_one(tmp_path: Path) -> None:
    for file in PROFILES.glob("*.toml"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    assert page(profiles(tmp_path)) == page(profiles())
    changed = tmp_path / "nzg-1994.toml"
    changed.write_text(changed.read_text(encoding="utf-8") + "# a word\n", encoding="utf-8")
    assert page(profiles(tmp_path)) != page(profiles())


def test_check_finds_a_page_that_is_not_current(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(rules_page, "PAGE", tmp_path / "rules.md")
    with pytest.raises(SystemExit, match="not current"):
        rules_page.main(["--check"])
    rules_page.main([])
    rules_page.main(["--check"])
    (tmp_path / "rules.md").write_text("old", encoding="utf-8")
    with pytest.raises(SystemExit, match="not current"):
        rules_page.main(["--check"])


def test_rules_md_is_current() -> None:
    assert (ROOT / "docs" / "rules.md").read_text(encoding="utf-8") == page(profiles()), "run: make docs"
