"""The page for an inspector, docs/rules.md, from docs/rules/*.toml and the rule profiles.

`python -m tools.rules_page` writes it; with `--check` nothing is written, and the exit status is 1 where it
is not current.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from tools.rules_data import (
    DOCUMENTS,
    MEANING,
    ROOT,
    Document,
    Profile,
    Row,
    Section,
    document,
    profiles,
    silent,
)
from tools.rules_profiles import by_a_rule, gaps, not_stated

PAGE: Final = ROOT / "docs" / "rules.md"
INTRODUCTION: Final = """\
# The printed rules, and what this program does with them

For an inspector. One row for each rule of each document that was read: what it says, in our words; what the
daemon does; what staff must still do by hand; by which events and commands; which key of the profile it is;
which tests fail when the rule is broken. The casino's approved rules prevail over all of it.

What is said of wagers and seats holds where a table takes them over its control channel (`[house.wagers]`
in its configuration). Elsewhere they are the staff's, and a settlement gives odds and no amounts.

The decision tables are in events.md, drawn from those by which the program itself decides: each irregularity
with its trigger, hold and remedies ([irregularities](events.md#irregularities)); what a remedy does to coup,
shoe, roads and cage, and who may choose it ([remedies](events.md#remedies)); when cards are turned
([procedures](events.md#procedures)); who may give which command ([verbs](events.md#verbs)).

Generated (`make docs`) from `docs/rules/*.toml` and `config/rules/*.toml`, and tested to be complete and
current. Events and commands are explained in [events.md](events.md). A profile may name a whole group of
rows: `LB-third` is every row that begins so.
"""


class _Tests:
    """Tests by short names, numbered in the order in which the page first names them."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}

    def names(self, tests: Iterable[str]) -> str:
        return " ".join(self.known.setdefault(test, f"T{len(self.known) + 1}") for test in tests)


def page(known: Mapping[str, Profile]) -> str:
    """`docs/rules.md`, whole, with these profiles."""
    return "\n".join(_page(known)).rstrip() + "\n"


def _page(known: Mapping[str, Profile]) -> Iterator[str]:
    documents = [document(name) for name in DOCUMENTS]
    tests = _Tests()
    yield from _head(documents, known)
    for one in documents:
        yield from _document(one, known, tests)
    yield from _others(documents, known)
    yield from _undecided(known, tests)
    yield from _test_list(tests)


def _head(documents: Iterable[Document], known: Mapping[str, Profile]) -> Iterator[str]:
    yield INTRODUCTION
    yield from _table(
        ("the daemon's part", "means"), ((f"**{does}**", words) for does, words in MEANING.items())
    )
    yield from _table(
        ("document", "rules", *MEANING),
        (
            (_prefix(one, known), len(one.rows), *(_counts(one)[does] for does in MEANING))
            for one in documents
        ),
    )
    yield "Profiles shipped, each with the hash of its file; a coup's result bears the hash of the one that"
    yield "decided it."
    yield ""
    yield from _table(
        ("profile", "title", "document, date", "sha256"),
        ((f"`{name}`", one.stated["title"], _source(one), f"`{one.sha256}`") for name, one in known.items()),
    )


def _source(profile: Profile) -> str:
    told = profile.stated["document"]
    return f"{told['title']}, {told['date']}"


def _prefix(one: Document, known: Mapping[str, Profile]) -> str:
    return str(known[one.profiles[0]].stated["document"]["prefix"])


def _counts(one: Document) -> Counter[str]:
    return Counter(row.does for row in one.rows)


def _document(one: Document, known: Mapping[str, Profile], tests: _Tests) -> Iterator[str]:
    told = known[one.profiles[0]].stated["document"]
    counts = _counts(one)
    shares = ", ".join(
        f"{counts[key]} {'no part' if key == 'none' else key}" for key in MEANING if counts[key]
    )
    yield f"## {told['prefix']}: {len(one.rows)} rules – {shares}"
    yield ""
    yield from _table(
        ("document", told["title"]),
        (
            ("date", told["date"]),
            ("text read", ", ".join(f"reference text {seed}" for seed in one.seeds)),
            ("not found", "; ".join(told["missing"]) or "nothing"),
            *((f"profile `{name}`", f"sha256 `{known[name].sha256}`") for name in one.profiles),
        ),
    )
    if one.cited:
        yield "Rules that the text names and does not print:"
        yield ""
        yield from _table(
            ("rule", "named by", "in its place"), ((row.id, row.by, row.instead) for row in one.cited)
        )
    for section in one.sections:
        yield from _section(section, tests)


def _section(section: Section, tests: _Tests) -> Iterator[str]:
    yield f"### {section.heading}"
    yield ""
    if section.note:
        yield from (section.note, "")
    yield from _table(
        ("rule", "says", "the daemon", "by hand", "events, commands, key", "tests"),
        (
            (row.id, row.says, _does(row), row.by_hand, _names(row), tests.names(row.tests))
            for row in section.rows
        ),
    )
    deviations = [f"- {row.id}: {row.deviation}" for row in section.rows if row.deviation]
    conflicts = [f"- {row.id}, {other.id}: {other.what}." for row in section.rows for other in row.conflicts]
    for title, found in (("Where the daemon deviates:", deviations), ("What other rules say:", conflicts)):
        if found:
            yield from (title, "", *found, "")


def _does(row: Row) -> str:
    return f"**none**: {row.reason}" if row.does == "none" else f"**{row.does}**. {row.how}"


def _names(row: Row) -> str:
    key = f"{row.profile}: {row.profile_key}" if row.profile else row.profile_key
    return ", ".join(f"`{name}`" for name in (*row.events, *row.verbs, key) if name)


def _others(documents: Iterable[Document], known: Mapping[str, Profile]) -> Iterator[str]:
    """Profiles of documents that have no rows: their sources, and what they are said to state."""
    with_rows = {name for one in documents for name in one.profiles}
    yield "## Profiles of other documents"
    yield ""
    yield "The text of these documents does not lie beside this page, so there are no rows: the operator is"
    yield "to compare the profile with the whole document before use. Below is what each states by a rule;"
    yield "what it does not state, and what was decided instead, stands in the last part of this page."
    yield ""
    for name, one in known.items():
        if name in with_rows:
            continue
        told = one.stated["document"]
        yield f"### `{name}`: {one.stated['title']}"
        yield ""
        yield from _table(
            ("document", told["title"]),
            (
                ("date", told["date"]),
                ("not found", "; ".join(told["missing"]) or "nothing"),
                ("sha256", f"`{one.sha256}`"),
            ),
        )
        yield from _table(("key", "value", "rule"), by_a_rule(one.stated))


def _undecided(known: Mapping[str, Profile], tests: _Tests) -> Iterator[str]:
    yield "## Decided by us, where the documents are silent"
    yield ""
    yield "### Values of the profiles that the documents do not state"
    yield ""
    yield "Each is the operator's to confirm before the profile is used."
    yield ""
    yield from _table(("profile", "key", "value", "why"), not_stated(known))
    yield "### Other matters of one profile"
    yield ""
    yield from _table(("profile", "matter", "what is done", "why"), gaps(known))
    yield "### Matters of every profile"
    yield ""
    yield from _table(
        ("matter", "decision", "why", "rules", "tests"),
        (
            (one.matter, one.decision, one.why, " ".join(one.rules), tests.names(one.tests))
            for one in silent()
        ),
    )


def _test_list(tests: _Tests) -> Iterator[str]:
    yield "## Tests"
    yield ""
    yield "Each runs with `.venv/bin/pytest` and the name given here."
    yield ""
    yield from _table(("", "test"), ((short, f"`{test}`") for test, short in tests.known.items()))


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    head = tuple(head)
    yield _line(head)
    yield "|" + "---|" * len(head)
    yield from map(_line, rows)
    yield ""


def _line(cells: Iterable[object]) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") or "–" for cell in cells) + " |"


def main(arguments: list[str]) -> None:
    """Write the page, or check that it is current."""
    parser = argparse.ArgumentParser(prog="python -m tools.rules_page", description="docs/rules.md")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where it is not current")
    made = page(profiles())
    if not parser.parse_args(arguments).check:
        PAGE.write_text(made, encoding="utf-8")
    elif not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != made:
        sys.exit("docs/rules.md is not current: run make docs")


if __name__ == "__main__":
    main(sys.argv[1:])
