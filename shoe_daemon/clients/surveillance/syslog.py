"""The output `syslog`: RFC 5424 or CEF over UDP, TCP with octet counting (RFC 6587), or RELP."""

import socket
from collections.abc import Callable, Sequence
from typing import Annotated, Final, Literal

import msgspec

from shoe_daemon.clients.surveillance import cef, rfc5424
from shoe_daemon.clients.surveillance.output import Output, Undelivered
from shoe_daemon.clients.surveillance.relp import Relp
from shoe_daemon.clients.surveillance.section import Section
from shoe_daemon.clients.surveillance.wires import PLACE, Wire, place, wire_to
from shoe_daemon.clients.told import Told

Message = Callable[[Told, rfc5424.Header], bytes]
_FORMATS: Final[dict[str, Message]] = {"rfc5424": rfc5424.message, "cef": cef.message}


class SyslogSection(
    Section, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="syslog", tag_field="kind"
):
    """`kind = "syslog"`. `to`: `relp://`, `tcp://` or `udp://` and `host:port`; `host`: this machine's name.

    `window`: messages that may be unanswered at once, over RELP.
    """

    to: Annotated[
        str,
        msgspec.Meta(
            pattern=rf"^(relp|tcp|udp)://{PLACE}\Z",
            description='"relp://host:port", "tcp://host:port" or "udp://host:port"',
        ),
    ]
    format: Literal["rfc5424", "cef"] = "rfc5424"
    facility: Literal[
        "local0", "local1", "local2", "local3", "local4", "local5", "local6", "local7", "daemon", "audit"
    ] = "local0"
    host: str | None = None
    enterprise: Annotated[int, msgspec.Meta(ge=1, le=2**32 - 1)] = rfc5424.EXAMPLE_ENTERPRISE
    window: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 16

    def output(self) -> Output:
        """The output that this describes."""
        header = rfc5424.Header(self.facility, self.host or socket.gethostname(), self.enterprise)
        where = place(self.to)
        message = _FORMATS[self.format]
        if where.scheme == "relp":
            return RelpOutput(Relp(where), message, header, self.window)
        return StreamOutput(wire_to(where), message, header, counted=where.scheme == "tcp")


class RelpOutput:
    """Acknowledged by the server, message by message."""

    def __init__(self, relp: Relp, message: Message, header: rfc5424.Header, window: int) -> None:
        self._relp = relp
        self._message = message
        self._header = header
        self.most = window

    async def open(self) -> None:
        """Nothing: it connects when there is something to send."""

    async def deliver(self, events: Sequence[Told]) -> None:
        """Return once the server has acknowledged all."""
        await self._relp.send([self._message(told, self._header) for told in events])

    async def close(self) -> None:
        """End the session."""
        await self._relp.close()


class StreamOutput:
    """Best effort: over TCP to the peer's system, over UDP to the network."""

    most = 16

    def __init__(self, wire: Wire, message: Message, header: rfc5424.Header, *, counted: bool) -> None:
        self._wire = wire
        self._message = message
        self._header = header
        self._counted = counted

    async def open(self) -> None:
        """Nothing: it connects when there is something to send."""

    async def deliver(self, events: Sequence[Told]) -> None:
        """Send one after the other. Raises Undelivered, with how many went."""
        for done, told in enumerate(events):
            data = self._message(told, self._header)
            try:
                await self._wire.send(b"%d %s" % (len(data), data) if self._counted else data)
            except Undelivered as failed:
                raise Undelivered(str(failed), done) from None

    async def close(self) -> None:
        """Let the connection go."""
        await self._wire.close()
