"""What docs/rules/*.toml say of the printed rules, and the profiles in config/rules, read for the page."""

import hashlib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from shoe_daemon.schema import read_toml

ROOT: Final = Path(__file__).resolve().parents[1]
DATA: Final = ROOT / "docs" / "rules"
PROFILES: Final = ROOT / "config" / "rules"
DOCUMENTS: Final = ("nsw", "nzg", "live", "intercasino")
"""Files of `DATA` that hold a document's rows, in the order of the page."""

Does = Literal["enforced", "recorded", "assisted", "shown", "none"]
MEANING: Final[Mapping[Does, str]] = {
    "enforced": "it computes by the rule, refuses what the rule forbids, or holds the coup",
    "recorded": "it keeps what was said and done, with time and person, and judges nothing",
    "assisted": "it warns, counts or proposes; a person decides",
    "shown": "it shows it to those who may see it",
    "none": "it has no part in it, and the reason stands there",
}


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


class Conflict(_Strict, frozen=True, kw_only=True):
    """A rule of another document, or another rule of this one, that says something else."""

    id: str
    what: str


class Row(_Strict, frozen=True, kw_only=True):
    """One rule of a document, in our words, and what the daemon does with it.

    `where`: places in a text that bears no numbers. `reason`: why the daemon has no part in it. `profile`:
    the profile that `profile_key` is looked up in, the document's first by default.
    """

    id: str
    says: str
    does: Does
    how: str = ""
    by_hand: str = ""
    events: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    profile: str = ""
    profile_key: str = ""
    tests: tuple[str, ...] = ()
    reason: str = ""
    deviation: str = ""
    conflicts: tuple[Conflict, ...] = ()
    where: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.does == "none":
            if not self.reason or self.how or self.tests:
                raise ValueError("none needs its reason, and has neither how nor tests")
        elif not self.how or not self.tests:
            raise ValueError("needs how, and a test")
        elif self.reason:
            raise ValueError("has no reason but for none")


class Section(_Strict, frozen=True, kw_only=True):
    """The rows under one heading. `note`: what is said above them."""

    heading: str
    rows: tuple[Row, ...]
    note: str = ""


class Cited(_Strict, frozen=True, kw_only=True):
    """A rule that the text names and does not print. `instead`: what stands in for it."""

    id: str
    by: str
    instead: str


class Document(_Strict, frozen=True, kw_only=True):
    """One document. `profiles`: those read from it; `headings`: its own, where its rules bear no numbers."""

    seeds: tuple[str, ...]
    profiles: tuple[str, ...]
    sections: tuple[Section, ...]
    cited: tuple[Cited, ...] = ()
    headings: tuple[str, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, in order."""
        return tuple(row for section in self.sections for row in section.rows)


class Decision(_Strict, frozen=True, kw_only=True):
    """A matter on which no document speaks, decided here for every profile. `rules`: those it touches."""

    matter: str
    decision: str
    why: str
    tests: tuple[str, ...]
    rules: tuple[str, ...] = ()


class Silent(_Strict, frozen=True, kw_only=True):
    """All such decisions."""

    decisions: tuple[Decision, ...]


class Profile(msgspec.Struct, frozen=True):
    """A rule profile as its file states it."""

    stated: Mapping[str, Any]
    sha256: str


def document(name: str) -> Document:
    """Read the rows of one of `DOCUMENTS`; ConfigError with every problem."""
    return read_toml((DATA / f"{name}.toml").read_bytes(), f"docs/rules/{name}.toml", Document)


def silent() -> tuple[Decision, ...]:
    """Read what was decided where every document is silent."""
    return read_toml((DATA / "silent.toml").read_bytes(), "docs/rules/silent.toml", Silent).decisions


def profiles(folder: Path = PROFILES) -> dict[str, Profile]:
    """Read every rule profile in `folder`, by name."""
    files = sorted(folder.glob("*.toml"))
    data = {file.stem: file.read_bytes() for file in files}
    return {
        name: Profile(tomllib.loads(text.decode()), hashlib.sha256(text).hexdigest())
        for name, text in data.items()
    }
