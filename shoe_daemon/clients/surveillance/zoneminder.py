"""The output `zoneminder`: lines for zmtrigger.pl, `id|action|score|cause|text|showtext`, over TCP."""

from collections.abc import Sequence
from typing import Annotated, Final

import msgspec

from shoe_daemon.clients.surveillance.fields import severity
from shoe_daemon.clients.surveillance.output import Output, Undelivered
from shoe_daemon.clients.surveillance.section import Section
from shoe_daemon.clients.surveillance.wires import PLACE, TcpWire, Wire, place
from shoe_daemon.clients.surveillance.words import lines
from shoe_daemon.clients.told import Told

CAUSE: Final = 32
TEXT: Final = 256
_ALARMING: Final = frozenset({"alarm", "warning"})


class ZoneMinderSection(
    Section, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="zoneminder", tag_field="kind"
):
    """`kind = "zoneminder"`. `monitor`: its number there. `hold_s`: how long an alarm of ours lasts.

    An event that is an alarm or a warning turns the monitor's alarm on; any other is shown in the picture
    alone.
    """

    to: Annotated[
        str, msgspec.Meta(pattern=rf"^tcp://{PLACE}\Z", description='"tcp://host:port", as a rule port 6802')
    ]
    monitor: Annotated[int, msgspec.Meta(ge=1)]
    hold_s: Annotated[int, msgspec.Meta(ge=1, le=3600)] = 20
    score: Annotated[int, msgspec.Meta(ge=1, le=255)] = 255

    def output(self) -> Output:
        """The output that this describes."""
        return ZoneMinderOutput(TcpWire(place(self.to)), self)


def trigger(told: Told, section: ZoneMinderSection) -> bytes:
    """The line for one event. No field has a `|`, which cannot be escaped there."""
    said = lines(told, stamp=False)[1:]
    action = f"on+{section.hold_s}" if severity(told) in _ALARMING else "show"
    score = 0 if action == "show" else section.score
    cause = told.type.replace(".", " ").upper()[:CAUSE]
    text = " ".join(lines(told))[:TEXT]
    return f"{section.monitor}|{action}|{score}|{cause}|{text}|{said[0]}\n".encode("ascii")


class ZoneMinderOutput:
    """Best effort: zmtrigger acknowledges nothing."""

    most = 16

    def __init__(self, wire: Wire, section: ZoneMinderSection) -> None:
        self._wire = wire
        self._section = section

    async def open(self) -> None:
        """Nothing: it connects when there is something to send."""

    async def deliver(self, events: Sequence[Told]) -> None:
        """Send a line for each event."""
        for done, told in enumerate(events):
            try:
                await self._wire.send(trigger(told, self._section))
            except Undelivered as failed:
                raise Undelivered(str(failed), done) from None

    async def close(self) -> None:
        """Let the connection go."""
        await self._wire.close()
