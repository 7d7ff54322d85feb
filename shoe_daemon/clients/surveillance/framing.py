"""How a recorder tells lines apart: a mark at the start, one after each line, one at the end."""

import difflib
from collections.abc import Sequence
from typing import Annotated, Final, Literal

import msgspec

from shoe_daemon.clients.surveillance.words import ALPHABET
from shoe_daemon.runtime import resources
from shoe_daemon.schema import ConfigError, read_toml

Encoding = Literal["ascii", "utf-8", "latin-1", "cp1252", "utf-16-le", "utf-16-be"]
Address = Annotated[int, msgspec.Meta(ge=1, le=16)]
_ESCAPE: Final = b"\x1b"
_FOREIGN: Final = "a mark needs a character that no line has: none of A-Z, 0-9, space, - : / ."


class Framing(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The marks that a recorder is told to look for.

    `address`: 1 to 16 before each piece, behind an escape, where several tables share a line (AVE VSI-ADD).
    """

    start: str = ""
    line: str = "\r\n"
    end: str
    encoding: Encoding = "ascii"
    address: Address | None = None

    def __post_init__(self) -> None:
        if set(self.line) <= ALPHABET:
            raise ValueError(f"line: {_FOREIGN}")
        for name, mark in (("start", self.start), ("end", self.end)):
            # A mark that is the line's own end is an empty line, which no event has.
            if mark not in {"", self.line} and set(mark) <= ALPHABET | set(self.line):
                raise ValueError(f"{name}: {_FOREIGN}")
        if not self.end:
            raise ValueError("end: a recorder that is told no end waits for one: give a mark")
        for name, mark in (("start", self.start), ("line", self.line), ("end", self.end)):
            try:
                mark.encode(self.encoding)
            except UnicodeEncodeError:
                raise ValueError(f"{name}: {self.encoding} cannot say it") from None

    def framed(self, lines: Sequence[str]) -> bytes:
        """The bytes of one event; the end mark is always there."""
        pieces = [self.start, *(f"{line}{self.line}" for line in lines), self.end]
        before = b"" if self.address is None else _ESCAPE + bytes([self.address])
        return b"".join(before + piece.encode(self.encoding) for piece in pieces if piece)


def preset(name: str) -> Framing:
    """The framing shipped as `config/recorders/NAME.toml`. Raises ValueError where there is none."""
    names = resources.names("recorders")
    if name not in names:
        near = difflib.get_close_matches(name.lower(), names, 1)
        hint = f'did you mean "{near[0]}"? ' if near else ""
        raise ValueError(f'preset: there is no "{name}": {hint}there are {", ".join(names)}')
    path = resources.path_of("recorders", name)
    try:
        return read_toml(path.read_bytes(), str(path), Framing)
    except (ConfigError, OSError) as error:
        raise ValueError(f'preset "{name}": {error}') from error
