"""The output `text`: the lines that video recorders take in over a network or a serial line, and draw."""

import ipaddress
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from shoe_daemon.clients.surveillance.framing import Address, Encoding, Framing, preset
from shoe_daemon.clients.surveillance.listening import ListeningWire
from shoe_daemon.clients.surveillance.output import Output, Undelivered
from shoe_daemon.clients.surveillance.section import Section
from shoe_daemon.clients.surveillance.serial_line import Line, SerialWire
from shoe_daemon.clients.surveillance.wires import PLACE, Wire, place, wire_to
from shoe_daemon.clients.surveillance.words import lines
from shoe_daemon.clients.told import Told

_SERIAL = "serial://"


class TextSection(
    Section, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="text", tag_field="kind"
):
    """`kind = "text"`. The marks are those of `preset`, or its own; `stamp`: time and number in each event.

    `allow`: the addresses of the recorders that may connect to `tcp-listen`; the last four are of a serial
    line.
    """

    to: Annotated[
        str,
        msgspec.Meta(
            pattern=rf"^(?:(?:tcp|tcp-listen|udp)://{PLACE}|serial:///\S+)\Z",
            description='"tcp://host:port", "tcp-listen://address:port", "udp://host:port", "serial:///dev/…"',
        ),
    ]
    preset: str | None = None
    start: str | None = None
    line: str | None = None
    end: str | None = None
    encoding: Encoding | None = None
    address: Address | None = None
    stamp: bool = True
    allow: tuple[str, ...] = ()
    baud: Annotated[int, msgspec.Meta(ge=300)] = 9600
    bits: Literal[7, 8] = 8
    parity: Literal["none", "even", "odd"] = "none"
    stop: Literal[1, 2] = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.framing()
        for one in self.allow:
            try:
                ipaddress.ip_address(one)
            except ValueError as error:
                raise ValueError(f"allow: {error}") from None
        if self.to.startswith("tcp-listen://"):
            try:
                here = ipaddress.ip_address(place(self.to).host)
            except ValueError:
                raise ValueError(
                    f"to: {self.to}: listen at an address of this machine, as 0.0.0.0 or 127.0.0.1"
                ) from None
            if not here.is_loopback and not self.allow:
                raise ValueError("allow: name the addresses of the recorders that may connect")

    def framing(self) -> Framing:
        """The marks: the preset's, where no others are given. Raises ValueError."""
        own = {key: getattr(self, key) for key in ("start", "line", "end", "encoding", "address")}
        said = {key: value for key, value in own.items() if value is not None}
        if self.preset is not None:
            return msgspec.structs.replace(preset(self.preset), **said)
        if self.end is None:
            raise ValueError("end: missing key: the mark after each event, or a preset")
        return Framing(**said)

    def output(self) -> Output:
        """The output that this describes."""
        return TextOutput(self._wire(), self.framing(), stamp=self.stamp)

    def _wire(self) -> Wire:
        if self.to.startswith(_SERIAL):
            path = self.to.removeprefix(_SERIAL)
            return SerialWire(Line(path, self.baud, self.bits, self.parity, self.stop))
        where = place(self.to)
        if where.scheme == "tcp-listen":
            return ListeningWire(where, frozenset(str(ipaddress.ip_address(one)) for one in self.allow))
        return wire_to(where)


class TextOutput:
    """Best effort: a recorder acknowledges nothing."""

    most = 16

    def __init__(self, wire: Wire, framing: Framing, *, stamp: bool) -> None:
        self._wire = wire
        self._framing = framing
        self._stamp = stamp

    async def open(self) -> None:
        """Listen, where recorders connect to us."""
        await self._wire.open()

    async def deliver(self, events: Sequence[Told]) -> None:
        """Send one event after the other, each from its start mark to its end mark."""
        for done, told in enumerate(events):
            try:
                await self._wire.send(self._framing.framed(lines(told, stamp=self._stamp)))
            except Undelivered as failed:
                raise Undelivered(str(failed), done) from None

    async def close(self) -> None:
        """Let the recorder go."""
        await self._wire.close()
