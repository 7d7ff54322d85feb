"""A TOML file read as a shape, or refused with all that is wrong in it."""

import re
import tomllib
from typing import Final, TypeVar, cast

from shoe_daemon.schema.lines import Lines, dotted
from shoe_daemon.schema.problems import ConfigError, Problem
from shoe_daemon.schema.walk import Walk

T = TypeVar("T")

_PLACE: Final = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_PLAINER: Final = {"Cannot overwrite a value": "the key is given twice"}


def read_toml(data: bytes | str, source: str, shape: type[T]) -> T:
    """Read `data` as `shape`; raises ConfigError with every problem found, `source` naming the file."""
    text, problems = _decoded(data, source)
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise ConfigError([*problems, Problem(source, None, "", "is nested too deeply")]) from None
    except ValueError as error:
        raise ConfigError([*problems, _syntax(error, text, source)]) from None
    walk = Walk(shape)
    result = walk.check(table, shape)
    if problems or walk.found:
        lines = Lines(text)
        for path, words in walk.found:
            problems.append(Problem(source, lines.of(dotted(path)), dotted(path), words))
        raise ConfigError(problems)
    return cast("T", result)


def problem(data: str, source: str, key: str, message: str) -> Problem:
    """Make a problem of meaning, found after `read_toml`, with the line of `key` in `data`."""
    return Problem(source, Lines(data).of(key), key, message)


def _decoded(data: bytes | str, source: str) -> tuple[str, list[Problem]]:
    """Decode a file, with the problem of its mark if it has one; raises ConfigError where it is no UTF-8."""
    if isinstance(data, str):
        text = data
    elif data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:2]:
        raise ConfigError([Problem(source, None, "", "the file is UTF-16: save it as UTF-8")])
    else:
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            words = f"byte 0x{data[error.start]:02x} is no UTF-8: save the file as UTF-8"
            raise ConfigError([Problem(source, line, "", words)]) from None
    if text.startswith("\ufeff"):
        mark = "file starts with a byte order mark: save it as UTF-8 without"
        return text[1:], [Problem(source, 1, "", mark)]
    return text, []


def _syntax(error: ValueError, text: str, source: str) -> Problem:
    """Give what tomllib said, with its line."""
    words = str(error)
    place = _PLACE.search(words)
    if place is None:
        return Problem(source, None, "", words)
    line = int(place[1]) if place[1] else text.count("\n") + 1
    said = words[: place.start()]
    return Problem(source, line, "", _PLAINER.get(said, said))
