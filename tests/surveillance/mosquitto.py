"""A real mosquitto, in the foreground, on a loopback port, and one who listens to it."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final, Self

import pytest

from tests.process.running import PATIENCE_S, free_ports, until

PROGRAM: Final = shutil.which("mosquitto", path="/usr/sbin:/usr/bin")

needs_mosquitto = pytest.mark.skipif(PROGRAM is None, reason="needs mosquitto")


class Mosquitto:
    """`start` and `kill` it as often as wanted. `acl`: who may what; everybody everything without one."""

    def __init__(self, folder: Path, acl: str = "") -> None:
        folder.mkdir()
        (self.port,) = free_ports(1)
        self.at = f"mqtt://127.0.0.1:{self.port}"
        self._config = folder / "mosquitto.conf"
        self._log = folder / "mosquitto.log"
        self._process: subprocess.Popen[bytes] | None = None
        more = ""
        if acl:
            (folder / "acl").write_text(acl)
            (folder / "acl").chmod(0o700)
            more = f"acl_file {folder / 'acl'}\n"
        folder.chmod(0o755)
        self._config.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\nuser root\n{more}")

    def start(self) -> Self:
        """Start it; it listens when this returns."""
        assert PROGRAM is not None
        with self._log.open("ab") as log:
            self._process = subprocess.Popen([PROGRAM, "-c", str(self._config)], stdout=log, stderr=log)
        runs = self._log.read_text().count(" running") + 1
        until(lambda: self._log.read_text().count(" running") >= runs, self._log.read_text)
        return self

    def kill(self) -> None:
        """Kill it."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(PATIENCE_S)
        self._process = None

    def close(self) -> None:
        """Leave nothing behind."""
        if self._process is not None:
            self.kill()


class Listener:
    """Hears all topics: `heard` are topic, names beside it, and the event."""

    def __init__(self, port: int) -> None:
        from paho.mqtt.client import Client, MQTTv5  # noqa: PLC0415 - of the extra mqtt
        from paho.mqtt.enums import CallbackAPIVersion  # noqa: PLC0415 - the same

        self.heard: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self._subscribed = 0
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect = lambda client, *_: client.subscribe("#", 1)
        self._client.on_subscribe = self._subscribe
        self._client.on_message = self._take
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        self.until_subscribed(1)

    def until_subscribed(self, times: int) -> None:
        """Wait until it has subscribed for so many times."""
        until(lambda: self._subscribed >= times)

    def _subscribe(self, *_: object) -> None:
        self._subscribed += 1

    def _take(self, _: object, __: object, message: Any) -> None:  # noqa: ANN401 - of paho
        self.heard.append((message.topic, dict(message.properties.UserProperty), json.loads(message.payload)))

    def close(self) -> None:
        """Hear no more."""
        self._client.disconnect()
        self._client.loop_stop()
