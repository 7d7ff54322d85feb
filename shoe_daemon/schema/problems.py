"""What is wrong in a file: a problem with its place, and the error that bears them all."""

from collections.abc import Iterable
from typing import Final

import msgspec


class Problem(msgspec.Struct, frozen=True):
    """One thing wrong in a file. `line` counts from 1; `key` is dotted, `messages[0].event`, or empty."""

    source: str
    line: int | None
    key: str
    message: str

    def __str__(self) -> str:
        place = self.source if self.line is None else f"{self.source}:{self.line}"
        return f"{place}: {self.key}: {self.message}" if self.key else f"{place}: {self.message}"


class ConfigError(Exception):
    """A file of configuration or rules cannot be used; `problems` are all that were found, in file order."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: Final = tuple(sorted(problems, key=lambda one: (one.source, one.line or 0)))
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(str(one) for one in self.problems)
