"""The configuration of one table: read, checked as a whole, every problem told at once."""

import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal, TypeVar, TypeVarTuple

import msgspec

from drivers import decoder_for
from drivers.profile import ShoeProfile, parse_shoe
from shoe_daemon.game.profile import RuleProfile, parse_rules
from shoe_daemon.runtime import checks, resources
from shoe_daemon.runtime.endpoints import Doors, Endpoint
from shoe_daemon.runtime.host.finding import Host
from shoe_daemon.runtime.house import House, Settled, settle
from shoe_daemon.runtime.shapes import (
    FeedSection,
    File,
    JournalSection,
    KeysSection,
    ShoeSection,
    TableSection,
)
from shoe_daemon.runtime.spelling import toml
from shoe_daemon.schema import ConfigError, Problem, problem, read_toml
from shoe_daemon.table.events import AUDIENCES
from shoe_daemon.table.procedure import PARTS, Procedure

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_FILLING: Final[dict[str, dict[str, str]]] = {
    "table": {"id": "x", "rules": "nsw", "procedure": "result-button"},
    "shoe": {"profile": "x", "port": "/x"},
    "journal": {"path": "/x"},
    "keys": {"folder": "/x"},
}
"""Stands for required keys that are missing or wrong, so that the rest can be checked; never used."""


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration in force. Paths are absolute; `claims`: whether control takes claimed actors.

    `keys`: the folder of the daemon's keys; every tcp endpoint asks for one then.
    """

    source: str
    table: str
    name: str
    rules_file: str
    rules: RuleProfile
    procedure: Procedure
    decks: int
    allow_face_up: bool
    profile_file: str
    profile: ShoeProfile
    port: str
    allow_unstable: bool
    journal: Path
    signing_key: Path | None
    doors: dict[str, Doors]
    control: Endpoint
    hidden_cards: Literal["delayed", "immediate"]
    control_claims: bool
    late_s: int
    buttons: dict[str, str]
    keys: Path | None
    house: House
    settled: Settled

    @property
    def claims(self) -> bool:
        """Whether actors are taken as claimed: by order, or because only the same user reaches control."""
        return self.control_claims or self.control.scheme == "ipc"


class Checked(msgspec.Struct, frozen=True):
    """What `check` found: `config` where there is no problem."""

    config: Config | None
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]


def load_config(path: Path, host: Host | None = None) -> Config:
    """Read the configuration at `path`. Raises ConfigError with every problem. `host` as in `check`."""
    checked = check(path, host)
    if checked.config is None:
        raise ConfigError(checked.problems)
    return checked.config


def check(path: Path, host: Host | None = None) -> Checked:
    """Find every problem of the file at `path`; opens nothing that it names but rules, profile, tags, key.

    `host`: the machine that is to open the port: whether its adapters can be told apart is looked at too.
    """
    source = os.fsencode(path).decode("utf-8", "backslashreplace")
    try:
        data = path.read_bytes()
    except OSError as error:
        return Checked(None, (Problem(source, None, "", f"cannot be read: {error.strerror}"),), ())
    return _Check(data, source, path.absolute().parent, host).result()


class _Check:
    """One file being checked."""

    def __init__(self, data: bytes, source: str, base: Path, host: Host | None) -> None:
        self._host = host
        self._source = source
        self._base = base
        self._text = data.decode("utf-8", "replace").removeprefix("\ufeff")
        self._problems: list[Problem] = []
        try:
            self._file: File | None = read_toml(data, source, File)
        except ConfigError as error:
            self._problems += error.problems
            self._file = _what_is_left(self._text, [one.key for one in error.problems])
        self._bad = {one.key for one in self._problems}

    def result(self) -> Checked:
        """Everything that is wrong, or the configuration."""
        if self._file is None:
            return Checked(None, ConfigError(self._problems).problems, ())
        rules = self._read("table.rules", resources.rules_file, self._file.table.rules, parse_rules)
        profile = self._read("shoe.profile", resources.shoe_file, self._file.shoe.profile, parse_shoe)
        self._driver(profile)
        feed = (f"feed.{key}" for key in FeedSection.__struct_fields__)
        malformed = frozenset(filter(self._is_bad, feed))
        view = checks.View(self._file, self._base, rules, profile, malformed, self._host)
        for needs, look in checks.CHECKS:
            if not any(self._is_bad(key) for key in needs):
                self._problems += [self._problem(key, words) for key, words in look(view)]
        known = not any(self._is_bad(key) for key in checks.PROCEDURE_KEYS)
        notes = checks.warnings(view) if known else ()
        warned = tuple(self._problem(key, words) for key, words in notes)
        settled = self._house(rules)
        if self._problems or rules is None or profile is None or settled is None:
            return Checked(None, ConfigError(self._problems).problems, warned)
        return Checked(_config(self._file, self._source, self._base, rules, profile, settled), (), warned)

    def _driver(self, profile: ShoeProfile | None) -> None:
        """Make a decoder, as `run` will: its driver may not be installed, or want other options."""
        if profile is not None:
            try:
                decoder_for(profile)
            except ConfigError as error:
                self._problems += error.problems

    def _house(self, rules: RuleProfile | None) -> Settled | None:
        """Read what [house] names; None, with its problems noted, where it cannot be used."""
        if self._file is None or rules is None or self._is_bad("house"):
            return None
        settled, wrong = settle(self._file.house, rules, self._base)
        self._problems += [self._problem(key, words) for key, words in wrong.items()]
        return settled

    def _read(
        self,
        key: str,
        find: Callable[[str, Path], tuple[*Ts]],
        name: str,
        parse: Callable[[*Ts], T],
    ) -> T | None:
        """Read the file that `key` names; None, with its problems noted, where it cannot be used."""
        if self._is_bad(key):
            return None
        try:
            file = find(name, self._base)
        except ConfigError as error:
            self._problems += [self._problem(key, one.message) for one in error.problems]
            return None
        try:
            return parse(*file)
        except ConfigError as error:
            self._problems += error.problems
            return None

    def _is_bad(self, key: str) -> bool:
        """Whether the value of `key`, of the table around it, or of any key in it has a problem of form."""
        return any(
            bad == key or bad.startswith(f"{key}.") or (bad and key.startswith(f"{bad}."))
            for bad in self._bad
        )

    def _problem(self, key: str, words: str) -> Problem:
        return problem(self._text, self._source, key, words)


def _what_is_left(text: str, bad: list[str]) -> File | None:
    """Give the file without its `bad` keys, required ones filled in; None where nothing can be read."""
    try:
        data = tomllib.loads(text)
    except ValueError:
        return None
    kept: dict[str, dict[str, Any]] = {}
    for section in (field.encode_name for field in msgspec.structs.fields(File)):
        if section == "keys" and section not in data:
            continue  # it may be left out as a whole
        values = data.get(section, {})
        if section in bad or not isinstance(values, dict):
            values = {}
        prefix = f"{section}."
        wrong = {key.removeprefix(prefix).strip('"') for key in bad if key.startswith(prefix)}
        good = {key: value for key, value in values.items() if key not in wrong}
        kept[section] = {**_FILLING.get(section, {}), **good}
    try:
        return msgspec.convert(kept, File)
    except msgspec.ValidationError:
        return None


def _config(  # noqa: PLR0913, PLR0917 - what was read from so many files
    file: File, source: str, base: Path, rules: RuleProfile, profile: ShoeProfile, settled: Settled
) -> Config:
    ends, _ = checks.endpoints(file)
    return Config(
        source=source,
        table=file.table.id,
        name=file.table.name,
        rules_file=_found("rules", file.table.rules, base),
        rules=rules,
        procedure=checks.procedure_of(file.table),
        decks=rules.default_decks if file.table.decks is None else file.table.decks,
        allow_face_up=file.table.allow_face_up,
        profile_file=_found("shoes", file.shoe.profile, base),
        profile=profile,
        port=file.shoe.port,
        allow_unstable=file.shoe.allow_unstable,
        journal=base / file.journal.path,
        signing_key=None if file.journal.signing_key is None else base / file.journal.signing_key,
        doors={name: Doors(ends[f"feed.{name}"], ends[f"feed.{name}_replay"]) for name in AUDIENCES},
        control=ends["feed.control"],
        hidden_cards=file.feed.hidden_cards,
        control_claims=file.feed.control_claims,
        late_s=file.feed.late_s,
        buttons=file.buttons,
        keys=None if file.keys is None else base / file.keys.folder,
        house=_absolute(file.house, base),
        settled=settled,
    )


def _absolute(house: House, base: Path) -> House:
    """The settings with names that hold from any folder."""
    return msgspec.structs.replace(house, others=tuple(_found("rules", name, base) for name in house.others))


def _found(kind: resources.Folder, name: str, base: Path) -> str:
    """Name of a shipped file as it is, else the absolute path."""
    path = resources.path_of(kind, name, base)
    return name if path.parent == resources.folder(kind) else str(path)


def show(config: Config) -> str:
    """Write the whole configuration as TOML, defaults too; reading it gives the same one."""
    way = config.procedure
    feed = {name: doors.pub.text for name, doors in config.doors.items()}
    feed |= {f"{name}_replay": doors.router.text for name, doors in config.doors.items()}
    sections: dict[type[msgspec.Struct], dict[str, object]] = {
        TableSection: {
            "id": config.table,
            "name": config.name,
            "rules": config.rules_file,
            "procedure": way.name,
            "decks": config.decks,
            "allow_face_up": config.allow_face_up,
            **{part: getattr(way, part) for part in PARTS},
        },
        ShoeSection: {
            "profile": config.profile_file,
            "port": config.port,
            "allow_unstable": config.allow_unstable,
        },
        JournalSection: {
            "path": str(config.journal),
            "signing_key": None if config.signing_key is None else str(config.signing_key),
        },
        FeedSection: {
            **feed,
            "control": config.control.text,
            "hidden_cards": config.hidden_cards,
            "control_claims": config.control_claims,
            "late_s": config.late_s,
        },
    }
    if config.keys is not None:
        sections[KeysSection] = {"folder": str(config.keys)}
    lines: list[str] = []
    for shape, values in sections.items():
        lines.append(f"[{shape.__name__.removesuffix('Section').lower()}]")
        said = ((key, values[key]) for key in shape.__struct_fields__)
        lines += [f"{key} = {toml(value)}" for key, value in said if value is not None]
        lines.append("")
    lines += _house_lines(config.house)
    lines.append("[buttons]")
    lines += [f"{toml(button)} = {toml(verb)}" for button, verb in config.buttons.items()]
    return "\n".join(lines) + "\n"


def _house_lines(house: House) -> list[str]:
    said = msgspec.to_builtins(house)
    wagers = said.pop("wagers")
    lines = ["[house]", *(f"{key} = {toml(value)}" for key, value in said.items() if value is not None), ""]
    if wagers is None:
        return lines
    limits = wagers.pop("limits")
    tables = [("house.wagers", wagers)]
    tables += [(f"house.wagers.limits.{toml(bet)}", values) for bet, values in limits.items()]
    for name, values in tables:
        lines += [f"[{name}]", *(f"{key} = {toml(v)}" for key, v in values.items() if v is not None), ""]
    return lines
