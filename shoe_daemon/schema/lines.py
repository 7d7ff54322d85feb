"""Lines of the keys of a TOML text, which tomllib does not keep. All texts here are valid TOML."""

import json
import re
import tomllib
from typing import Final

Path = tuple[str | int, ...]

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_BLANK: Final = re.compile(r"[ \t]*")
_SKIP: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SCALAR: Final = re.compile(r"[^,\]}\n#]+")
_STRING: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"""(?:"{0,2})'
    r"|'''.*?'''(?:'{0,2})"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_LAST_PART: Final = re.compile(r'(?:\.?(?:"(?:\\.|[^"\\])*"|[A-Za-z0-9_-]+)|\[\d+\])$')


def line_of(data: str, dotted_key: str) -> int | None:
    """Give the line of `dotted_key` in valid TOML, else of the nearest table around it, else None."""
    return Lines(data).of(dotted_key)


def dotted(path: Path) -> str:
    """Text of a path: `shoe.port`, `messages[0].event`, `buttons."shoe:enter"`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            name = part if _BARE.fullmatch(part) else json.dumps(part, ensure_ascii=False)
            text += f".{name}" if text else name
    return text


class Lines:
    """Line of every key of a valid TOML text, by dotted path."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._pos = 0
        self._at: dict[str, int] = {}
        self._arrays: dict[Path, int] = {}
        self._document()

    def of(self, key: str) -> int | None:
        """Give the line of a dotted key, else of the nearest table around it, else None."""
        while key and key not in self._at:
            shorter = _LAST_PART.sub("", key)
            key = shorter if shorter != key else ""
        return self._at.get(key)

    def _document(self) -> None:
        table: Path = ()
        while self._ahead(_SKIP):
            if self._took("[["):
                table = self._header(array=True)
            elif self._took("["):
                table = self._header(array=False)
            else:
                self._pair(table)

    def _header(self, *, array: bool) -> Path:
        line = self._line()
        parts = self._key()
        path: Path = ()
        for place, part in enumerate(parts, start=1):
            path = (*path, part)
            last = place == len(parts)
            self._at.setdefault(dotted(path), line)
            if last and array:
                self._arrays[path] = self._arrays.get(path, 0) + 1
            if path in self._arrays:
                path = (*path, self._arrays[path] - 1)
            if last:
                self._at[dotted(path)] = line
        self._expect("]]" if array else "]")
        return path

    def _pair(self, table: Path) -> None:
        line = self._line()
        parts = self._key()
        for length in range(1, len(parts) + 1):
            self._at.setdefault(dotted((*table, *parts[:length])), line)
        self._expect("=")
        self._value((*table, *parts))

    def _key(self) -> tuple[str, ...]:
        parts: list[str] = []
        while True:
            self._ahead(_BLANK)
            quoted = self._text[self._pos] in "\"'"
            word = self._eat(_STRING if quoted else _BARE)
            parts.append(tomllib.loads(f"key = {word}")["key"] if quoted else word)
            self._ahead(_BLANK)
            if not self._took("."):
                return tuple(parts)

    def _value(self, path: Path) -> None:
        self._ahead(_BLANK)
        if self._took("["):
            place = 0
            while self._ahead(_SKIP) and not self._took("]"):
                self._at[dotted((*path, place))] = self._line()
                self._value((*path, place))
                self._ahead(_SKIP)
                self._took(",")
                place += 1
        elif self._took("{"):
            while self._ahead(_SKIP) and not self._took("}"):
                self._pair(path)
                self._ahead(_SKIP)
                self._took(",")
        else:
            self._eat(_STRING if self._text[self._pos] in "\"'" else _SCALAR)

    def _line(self) -> int:
        return self._text.count("\n", 0, self._pos) + 1

    def _ahead(self, blank: re.Pattern[str]) -> bool:
        """Skip what `blank` matches; whether any text is left."""
        self._eat(blank)
        return self._pos < len(self._text)

    def _took(self, token: str) -> bool:
        found = self._text.startswith(token, self._pos)
        self._pos += len(token) if found else 0
        return found

    def _expect(self, token: str) -> None:
        if not self._took(token):
            raise ValueError(f"no valid TOML at line {self._line()}: no {token!r}")

    def _eat(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._pos)
        if match is None:
            raise ValueError(f"no valid TOML at line {self._line()}")
        self._pos = match.end()
        return match[0]
