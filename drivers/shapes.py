"""A shoe's language as data: how it is wired, how its frames end, and what each frame means.

A profile is one TOML file. Every frame that a shoe may send is one of its `messages`: a pattern over the
whole frame, once the blanks around it are dropped. Nothing is ever searched for inside a damaged frame.
Patterns and codes are bytes, one for each Latin-1 character; case matters.
"""

import re
from typing import Annotated, Literal

import msgspec

from drivers.cardtables import Cards
from drivers.framing import Checksum, Framing

Baud = Literal[300, 600, 1200, 2400, 4800, 9600, 14400, 19200, 28800, 38400, 57600, 76800, 115200, 230400]
Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]*\Z", description="a name of a-z, 0-9 and -")]
Text = Annotated[str, msgspec.Meta(min_length=1)]


class Meta(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the profile is, where it is known from, what nobody knows yet, and the driver that reads it."""

    id: Name
    title: Text
    known_from: tuple[str, ...]
    not_known: tuple[str, ...]
    driver: Name = "profile"


class Transport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a serial port; a TCP port has none of them, nor has `hid`, a scanner that types."""

    kind: Literal["serial", "hid"] = "serial"
    baud: Baud | None = None
    bits: Literal[7, 8] = 8
    parity: Literal["none", "even", "odd"] = "none"
    stop: Literal[1, 2] = 1
    flow: Literal["none"] = "none"


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of frame: what it means, its pattern, and a whole example as the shoe sends it.

    `none`: a frame that is known and means nothing here.

    Named groups: of a card those that its table is looked up by (`rank` and `suit`, `code`, `index`, `uid`);
    `code` and `text` of an alarm or warning, or constants instead.
    `button`: what a button is called, `NAME` of `shoe:NAME` in a configuration.
    """

    event: Literal["alarm", "button", "card", "none", "unread", "warning"]
    match: Text
    example: Text
    code: Text | None = None
    text: Text | None = None
    button: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,32}\Z")] | None = None

    def pattern(self) -> re.Pattern[bytes]:
        """`match` over bytes. Raises re.error, or UnicodeEncodeError beyond Latin-1."""
        return re.compile(self.match.encode("latin-1"), re.DOTALL)


class Sequence(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Frames are numbered, in a group `seq` of every pattern: `bits` wide, after the last number comes 0."""

    bits: Literal[8, 16]
    written: Literal["bytes", "decimal", "hex"] = "bytes"

    def number(self, told: bytes) -> int:
        """The number that a frame tells."""
        if self.written == "bytes":
            return int.from_bytes(told, "big")
        return int(told, 10 if self.written == "decimal" else 16)

    def write(self, number: int) -> str:
        """The number as a frame has it."""
        if self.written == "bytes":
            return number.to_bytes(self.bits // 8, "big").decode("latin-1")
        return str(number) if self.written == "decimal" else f"{number:0{self.bits // 4}X}"


class Semantics(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Alarm codes that also mean a card went by unread, and how frames are numbered.

    Such an alarm and an `unread` frame at most `coalesce_ms` milliseconds apart are one card; 0: never.
    """

    unread_alarms: tuple[Text, ...] = ()
    sequence: Sequence | None = None
    coalesce_ms: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 0


class ShoeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The file of a profile as written."""

    meta: Meta
    transport: Transport
    framing: Framing
    messages: tuple[Message, ...]
    cards: Cards
    checksum: Checksum | None = None
    semantics: Semantics = Semantics()
