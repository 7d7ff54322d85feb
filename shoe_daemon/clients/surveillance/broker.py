"""One connection to an MQTT 5 broker, over paho. Used from one thread at a time, beside paho's own."""

import queue
import ssl
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from paho.mqtt.client import Client, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from shoe_daemon.clients.surveillance.output import Undelivered
from shoe_daemon.clients.surveillance.wires import Place

CONNECT_S: Final = 5.0
KEEPALIVE_S: Final = 5
"""A broker that says nothing for one and a half times as long is gone."""
_properties: Final[Callable[[int], Any]] = Properties  # paho says no types of it

Message = tuple[str, bytes, list[tuple[str, str]]]
"""Topic, payload, and names and values beside it."""


class Login(msgspec.Struct, frozen=True):
    """Who we are, and whom we believe to be the broker."""

    user: str | None
    password_file: str | None
    ca_file: str | None

    def password(self) -> str | None:
        """What stands in the file. Raises OSError."""
        return None if self.password_file is None else Path(self.password_file).read_text("utf-8").strip()


class Broker:
    """Connected when made. Raises Undelivered."""

    def __init__(self, where: Place, login: Login) -> None:
        self._where = where
        self._heard: queue.SimpleQueue[tuple[int, Any] | None] = queue.SimpleQueue()
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5, reconnect_on_failure=False)
        self._client.connect_timeout = CONNECT_S
        self._client.on_connect = lambda _, __, ___, reason, ____: self._heard.put((0, reason))
        self._client.on_publish = lambda _, __, mid, reason, ____: self._heard.put((mid, reason))
        self._client.on_disconnect = lambda *_: self._heard.put(None)
        try:
            if login.user is not None:
                self._client.username_pw_set(login.user, login.password())
            if where.scheme == "mqtts":
                self._client.tls_set_context(ssl.create_default_context(cafile=login.ca_file))
            self._client.connect(where.host, where.port, KEEPALIVE_S)
        except OSError as error:
            raise Undelivered(f"{where}: {_why(error)}") from None
        self._client.loop_start()
        try:
            self._next(CONNECT_S, 0)
        except Undelivered:
            self.close()
            raise

    @property
    def there(self) -> bool:
        """Whether the connection stands."""
        return bool(self._client.is_connected())

    def publish(self, messages: Sequence[Message]) -> None:
        """Return once the broker has acknowledged all. Raises Undelivered, with how many it has."""
        numbers: list[int] = []
        for topic, payload, beside in messages:
            said = _properties(PacketTypes.PUBLISH)
            said.ContentType = "application/json"
            said.UserProperty = beside
            numbers.append(self._client.publish(topic, payload, qos=1, properties=said).mid)
        acknowledged: set[int] = set()
        done = 0
        while done < len(numbers):
            acknowledged.add(self._next(None, done))
            while done < len(numbers) and numbers[done] in acknowledged:
                done += 1

    def close(self) -> None:
        """Take leave."""
        self._client.disconnect()
        self._client.loop_stop()

    def _next(self, patience: float | None, done: int) -> int:
        """The number of what the broker answers next, 0 the connection itself. Raises Undelivered."""
        try:
            heard = self._heard.get(timeout=patience)
        except queue.Empty:
            raise Undelivered(f"{self._where}: does not answer", done) from None
        if heard is None:
            raise Undelivered(f"{self._where}: the connection is lost", done)
        number, reason = heard
        if reason.is_failure:
            raise Undelivered(f"{self._where}: refused: {reason}", done)
        return number


def _why(error: OSError) -> str:
    words = error.strerror or str(error) or "does not answer"
    return words if error.filename is None else f"{error.filename}: {words}"
