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
from shoe_daemon.game.cards import Outcome, Slot

Baud = Literal[300, 600, 1200, 2400, 4800, 9600, 14400, 19200, 28800, 38400, 57600, 76800, 115200, 230400]
Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]*\Z", description="a name of a-z, 0-9 and -")]
Text = Annotated[str, msgspec.Meta(min_length=1)]
Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=10_000)]


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

    `none`: a frame that is known and means nothing here. `hello`: the device has started. `returned`: a card
    went back into it. `result`: who won, by its own account.

    Named groups: of a card those that its table is looked up by (`rank` and `suit`, `code`, `index`, `uid`),
    and `slot` where the device tells its place; `outcome` of a result; `seq` where frames are numbered;
    `code` and `text` of an alarm or warning, or constants instead.
    `button`: what a button is called, `NAME` of `shoe:NAME` in a configuration.
    """

    event: Literal["alarm", "button", "card", "hello", "none", "result", "returned", "unread", "warning"]
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


class Semantics(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a frame means beyond its own words.

    `unread_alarms`: codes of alarms that also mean a card went by unread. Such an alarm and an `unread` frame
    at most `coalesce_ms` milliseconds apart are one card; 0: never. `min_gap_ms`: two cards told sooner after
    each other may be one, told twice: a person is asked. `same_tag_ms`: a tag told again within this time, no
    other in between, still lies in the field. `slots`: the places that a `slot` of a card stands for.
    `outcomes`: what the `outcome` of a result stands for.
    """

    unread_alarms: tuple[Text, ...] = ()
    sequence: Sequence | None = None
    coalesce_ms: Milliseconds = 0
    min_gap_ms: Milliseconds = 0
    same_tag_ms: Milliseconds = 0
    slots: dict[Text, tuple[Slot, ...]] = {}
    outcomes: dict[Text, Outcome] = {}


class Session(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is sent to the device, and how long it may say nothing; all of it is left out where it only talks.

    Sent are: `hello` when the line opens; `ack` for each whole frame, once what it caused is on disk; `nak`
    for a damaged one; `replay` for a number that is missing; `poll` every `poll_ms`. `{seq}` in an `ack` or
    `replay` is the number of the frame. `framed`: as frames of the device's own kind, else just these bytes.
    A frame asked for again may take `again_ms`, `tries` times; what came behind it waits so long. Without a
    number the next card within it is that one, and it is asked for again only where it comes damaged again;
    so is the first frame of all asked for, where no other card can come in that time.
    `silence_ms`: no whole frame for so long is `stalled`, and the line is opened anew. `garbage_ms`: bytes
    for so long without a whole frame are `garbage`. 0: never. `boot`: a pattern; a frame that is rejected in
    which it is found was said by a device that started anew.
    """

    framed: bool = False
    hello: Text | None = None
    ack: Text | None = None
    nak: Text | None = None
    replay: Text | None = None
    again_ms: Annotated[int, msgspec.Meta(ge=20, le=10_000)] = 300
    tries: Annotated[int, msgspec.Meta(ge=1, le=10)] = 2
    poll: Text | None = None
    poll_ms: Annotated[int, msgspec.Meta(ge=0, le=60_000)] = 0
    silence_ms: Annotated[int, msgspec.Meta(ge=0, le=3_600_000)] = 0
    garbage_ms: Annotated[int, msgspec.Meta(ge=0, le=60_000)] = 0
    boot: Text | None = None


class ShoeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The file of a profile as written. `options`: settings of the driver's own; `profile` has none."""

    meta: Meta
    transport: Transport
    framing: Framing
    messages: tuple[Message, ...]
    cards: Cards
    checksum: Checksum | None = None
    semantics: Semantics = Semantics()
    session: Session = Session()
    options: dict[str, str | int | bool] = {}
