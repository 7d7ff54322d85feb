"""The output `mqtt`: each event published once to a broker, MQTT 5, quality of service 1."""

from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import msgspec

from shoe_daemon.clients.surveillance.output import Output
from shoe_daemon.clients.surveillance.section import Section
from shoe_daemon.clients.surveillance.wires import PLACE, place
from shoe_daemon.clients.told import Told
from shoe_daemon.runtime.threads import in_thread

if TYPE_CHECKING:
    from shoe_daemon.clients.surveillance.broker import Broker

_Absolute = Annotated[str, msgspec.Meta(pattern=r"^/", description="an absolute path")]
_Topic = Annotated[
    str,
    msgspec.Meta(pattern=r"^[^+#\x00/]+(?:/[^+#\x00/]+)*\Z", description="parts between /, without + and #"),
]


class MqttSection(
    Section, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="mqtt", tag_field="kind"
):
    """`kind = "mqtt"`. An event goes to `TOPIC/TABLE/TYPE`. `password_file`: a file with nothing else in it.

    `ca_file`: who vouches for a broker at `mqtts://`; those that the system trusts where it is not said.
    """

    to: Annotated[
        str,
        msgspec.Meta(
            pattern=rf"^mqtts?://{PLACE}\Z", description='"mqtt://host:port" or "mqtts://host:port"'
        ),
    ]
    topic: _Topic = "surveillance"
    user: str | None = None
    password_file: _Absolute | None = None
    ca_file: _Absolute | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if find_spec("paho") is None:
            raise ValueError("kind: mqtt needs the extra mqtt: pip install 'shoe-daemon[mqtt]'")

    def output(self) -> Output:
        """The output that this describes."""
        return MqttOutput(self)

    def topic_of(self, told: Told) -> str:
        """Where an event goes."""
        return f"{self.topic}/{told.table}/{told.type}"


class MqttOutput:
    """Acknowledged by the broker, event by event; from there on it is the broker's."""

    most = 16

    def __init__(self, section: MqttSection) -> None:
        self._section = section
        self._broker: Broker | None = None

    async def open(self) -> None:
        """Nothing: it connects when there is something to send."""

    async def deliver(self, events: Sequence[Told]) -> None:
        """Return once the broker has acknowledged all."""
        if self._broker is None or not self._broker.there:
            await self.close()
            self._broker = await in_thread(self._connected)
        try:
            await in_thread(partial(self._broker.publish, [self._message(told) for told in events]))
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Take leave of the broker."""
        broker, self._broker = self._broker, None
        if broker is not None:
            await in_thread(broker.close)

    def _message(self, told: Told) -> tuple[str, bytes, list[tuple[str, str]]]:
        names = [("journal", told.journal), ("seq", str(told.seq))]
        return self._section.topic_of(told), msgspec.json.encode(told), names

    def _connected(self) -> "Broker":
        from shoe_daemon.clients.surveillance.broker import Broker, Login  # noqa: PLC0415 - of the extra mqtt

        section = self._section
        return Broker(place(section.to), Login(section.user, section.password_file, section.ca_file))
