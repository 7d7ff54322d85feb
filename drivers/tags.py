"""Tags of cards in a file of their own beside the profile, of a known hash: `uid,card`, one card a line."""

import hashlib
import re
from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from drivers.shapes import ShoeFile
from shoe_daemon.game.cards import DECK
from shoe_daemon.schema import ConfigError, Problem, problem

Beside = Callable[[str], bytes]
"""Reads the file of that name in the folder of the profile. Raises OSError."""

HEADER: Final = "uid,card"
NO_TAG: Final = "is no tag: readers say it where they read none"

_CARDS: Final = frozenset(DECK)
_DIGITS: Final = re.compile("[0-9A-F]+")
_SHORTEST, _LONGEST = 8, 32


def says_none(uid: str) -> bool:
    """Whether these digits are what a reader says that read no tag: zeros alone or F alone."""
    return set(uid) in ({"0"}, {"F"})


def with_tags(file: ShoeFile, text: str, source: str, beside: Beside | None) -> ShoeFile:
    """Put the tags of `uid_file` in their place, where `file` names one; `text` is the TOML of `file`.

    Raises ConfigError with every problem of theirs; those of a line name the file of the tags.
    """
    cards = file.cards
    name = cards.uid_file
    if name is None and cards.uid_sha256 is None:
        return file

    def wrong(key: str, words: str) -> Problem:
        return problem(text, source, f"cards.{key}", words)

    if name is None:
        raise ConfigError([wrong("uid_sha256", "is the hash of a uid_file, and none is given")])
    if cards.uids:
        raise ConfigError([wrong("uid_file", "is given beside [cards.uids]: the tags stand in one place")])
    if beside is None:
        words = "cannot be read: the profile was given without its folder"
        raise ConfigError([wrong("uid_file", words)])
    try:
        data = beside(name)
    except OSError as error:
        raise ConfigError([wrong("uid_file", f"{name} cannot be read: {error.strerror}")]) from error
    found = []
    if (has := hashlib.sha256(data).hexdigest()) != cards.uid_sha256:
        found.append(wrong("uid_sha256", f"{name} has another hash: {has}"))
    table = _Table(data)
    beside_source = source[: source.rfind("/") + 1] + name
    found += [Problem(beside_source, line, "", words) for line, words in table.wrong]
    if found:
        raise ConfigError(found)
    return replace(file, cards=replace(cards, uids=table.faces))


class _Table:
    """Lines of a file of tags: `faces`, cards by tag; `wrong`, numbers of bad lines and what is wrong."""

    def __init__(self, data: bytes) -> None:
        # Latin-1 reads any bytes, and what is no digit and no card is refused with its line.
        header, *lines = (line.removesuffix("\r") for line in data.decode("latin-1").split("\n"))
        if lines[-1:] == [""]:
            lines.pop()
        self.faces: dict[str, str] = {}
        self._lines: dict[str, int] = {}
        self._width = 0
        if header != HEADER:
            self.wrong = [(1, f"wants the line {HEADER} first, and has {header[:40]!r}")]
        elif not lines:
            self.wrong = [(1, "has no tag below this line")]
        else:
            self.wrong = list(self._read(lines))

    def _read(self, lines: list[str]) -> Iterator[tuple[int, str]]:
        for number, line in enumerate(lines, 2):
            uid, _, face = line.partition(",")
            words = self._misshapen(uid) or self._unusable(uid, face, number)
            if words is None:
                self.faces[uid] = face
            else:
                yield number, words

    def _misshapen(self, uid: str) -> str | None:
        if _DIGITS.fullmatch(uid) is None:
            lower = _DIGITS.fullmatch(uid.upper()) is not None
            return f"{uid[:40]!r} " + (
                "has letters in lower case" if lower else "is no tag: digits are 0-9 A-F"
            )
        if len(uid) % 2:
            return f"{uid} has an odd number of digits: a zero is lost"
        if not _SHORTEST <= len(uid) <= _LONGEST:
            return f"{uid} has {len(uid)} digits: a tag has {_SHORTEST} to {_LONGEST}"
        self._width = self._width or len(uid)
        if len(uid) != self._width:
            return f"{uid} has {len(uid)} digits, the first tag {self._width}: all tags are of one width"
        return None

    def _unusable(self, uid: str, face: str, number: int) -> str | None:
        if says_none(uid):
            return f"{uid} {NO_TAG}"
        if (before := self._lines.setdefault(uid, number)) != number:
            return f"{uid} is the tag of line {before}"
        if face not in _CARDS:
            return f"{face[:40]!r} is no card, such as 10H"
        return None
