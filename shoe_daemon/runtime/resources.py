"""Files that come with the program: rule and shoe profiles, found in a wheel and in a checkout alike."""

import difflib
from pathlib import Path
from typing import Final, Literal

import shoe_daemon
from shoe_daemon.schema import ConfigError, Problem

Kind = Literal["rules", "shoes"]

_PACKAGE: Final = Path(shoe_daemon.__file__).parent


def config_dir() -> Path:
    """Where `rules/` and `shoes/` lie: inside an installed wheel, or beside the package in a checkout."""
    installed = _PACKAGE / "_config"
    return installed if installed.is_dir() else _PACKAGE.parent / "config"


def names(kind: Kind) -> tuple[str, ...]:
    """Names of the profiles that come with the program."""
    return tuple(sorted(path.stem for path in (config_dir() / kind).glob("*.toml")))


def rules_file(name: str) -> tuple[bytes, str]:
    """Bytes and path of a rule profile, by name or path. Raises ConfigError where there is none."""
    return _file("rules", name, "table.rules")


def shoe_file(name: str) -> tuple[bytes, str]:
    """Bytes and path of a shoe profile, by name or path. Raises ConfigError where there is none."""
    return _file("shoes", name, "shoe.profile")


def _file(kind: Kind, name: str, key: str) -> tuple[bytes, str]:
    known = names(kind)
    path = config_dir() / kind / f"{name}.toml" if name in known else Path(name)
    if name not in known and "/" not in name and not name.endswith(".toml"):
        raise ConfigError((Problem(name, None, key, _unknown(kind, name, known)),))
    try:
        return path.read_bytes(), str(path)
    except OSError as error:
        message = f"cannot read {path}: {error.strerror}"
        raise ConfigError((Problem(name, None, key, message),)) from error


def _unknown(kind: Kind, name: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(name, known, 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"no {kind} profile {name!r}{hint} (there are: {', '.join(known)}; or give a path)"
