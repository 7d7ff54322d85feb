"""Rule sets, side bets and shoe profiles by name: in the wheel, or beside the package in a checkout."""

import difflib
from pathlib import Path
from typing import Final, Literal

import shoe_daemon
from drivers.tags import Beside
from shoe_daemon.runtime.spelling import unnameable
from shoe_daemon.schema import ConfigError, Problem

Folder = Literal["rules", "bets", "shoes", "recorders"]

_ENDING: Final = ".toml"
_KIND: Final = {
    "rules": "rule set",
    "bets": "file of side bets",
    "shoes": "shoe profile",
    "recorders": "preset",
}


def folder(kind: Folder) -> Path:
    """Folder of the shipped files of a kind."""
    package = Path(shoe_daemon.__file__).parent
    packed = package / "_config"
    return (packed if packed.is_dir() else package.parent / "config") / kind


def names(kind: Folder) -> tuple[str, ...]:
    """Names of the shipped files of a kind, sorted."""
    return tuple(sorted(file.name.removesuffix(_ENDING) for file in folder(kind).glob(f"*{_ENDING}")))


def rules_file(name: str, base: Path | None = None) -> tuple[bytes, str]:
    """Bytes and source of the rule set `name`, or of the file at that path; see `_read`."""
    return _read("rules", name, base)


def bets_file(name: str, base: Path | None = None) -> tuple[bytes, str]:
    """Bytes and source of the side bets `name`, or of the file at that path; see `_read`."""
    return _read("bets", name, base)


def shoe_file(name: str, base: Path | None = None) -> tuple[bytes, str, Beside]:
    """Bytes and source of the shoe profile `name`, or of the file at that path; see `_read`.

    The third reads a file beside the profile, by its name, and raises OSError.
    """
    beside = path_of("shoes", name, base).parent
    return *_read("shoes", name, base), lambda file: (beside / file).read_bytes()


def path_of(kind: Folder, name: str, base: Path | None = None) -> Path:
    """Path of the file meant: a name of ours, or (with a slash or an ending .toml) a path from `base`."""
    if "/" in name or name.endswith(_ENDING):
        return (base or Path()) / name
    return folder(kind) / f"{name}{_ENDING}"


def _read(kind: Folder, name: str, base: Path | None) -> tuple[bytes, str]:
    """Read a file by name, or by a path that starts at `base` (the working directory where None).

    Raises ConfigError, with the names there are and the nearest.
    """
    if (why := unnameable(name)) is not None:
        raise ConfigError([Problem(source=name, line=None, key="", message=why)])
    path = path_of(kind, name, base)
    shipped = path.parent == folder(kind)
    if shipped and path.stem not in names(kind):
        raise ConfigError([Problem(source=name, line=None, key="", message=_unknown(kind, name))])
    try:
        return path.read_bytes(), f"{kind}/{path.name}" if shipped else str(path)
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise ConfigError([Problem(source=name, line=None, key="", message=message)]) from error


def _unknown(kind: Folder, name: str) -> str:
    known = names(kind)
    near = difflib.get_close_matches(name.lower(), known, 1)
    hint = f'; did you mean "{near[0]}"?' if near else ";"
    return f'no {_KIND[kind]} "{name}"{hint} there are {", ".join(known)}, or give a path with a slash in it'
