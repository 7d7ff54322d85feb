"""A real rsyslogd, in the foreground, with files of its own on loopback ports."""

import json
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any, Final, Self

import pytest

from tests.process.running import PATIENCE_S, free_ports, until

PROGRAM: Final = shutil.which("rsyslogd", path="/usr/sbin:/usr/bin")
_MODULES: Final = [*Path("/usr/lib").glob("*/rsyslog"), Path("/usr/lib/rsyslog")]

needs_rsyslog = pytest.mark.skipif(PROGRAM is None, reason="needs rsyslog")
needs_relp = pytest.mark.skipif(
    PROGRAM is None or not any((folder / "imrelp.so").exists() for folder in _MODULES),
    reason="needs rsyslog and rsyslog-relp",
)
_INPUTS: Final = {"relp": "imrelp", "tcp": "imtcp", "udp": "imudp"}


class Rsyslog:
    """`archive` gets each message as it came, `parsed` what rsyslog made of it, as JSON lines.

    It writes before it acknowledges: its queue is direct. `start` and `kill` it as often as wanted.
    """

    def __init__(self, folder: Path, transport: str) -> None:
        folder.mkdir(exist_ok=True)
        self.archive = folder / "archive.log"
        self.parsed = folder / "parsed.jsonl"
        (self.port,) = free_ports(1)
        self.at = f"{transport}://127.0.0.1:{self.port}"
        self._tcp = transport != "udp"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._config = folder / "rsyslog.conf"
        kind = _INPUTS[transport]
        parse = (
            'action(type="mmpstrucdata")'
            if any((one / "mmpstrucdata.so").exists() for one in _MODULES)
            else ""
        )
        self._config.write_text(f"""
global(workDirectory="{folder}" maxMessageSize="64k" parser.escapeControlCharactersOnReceive="off")
module(load="{kind}")
module(load="mmpstrucdata")
template(name="whole" type="string" string="%rawmsg%\\n")
template(name="parts" type="list") {{
  constant(value="{{\\"pri\\": ") property(name="pri")
  constant(value=", \\"host\\": \\"") property(name="hostname" format="json")
  constant(value="\\", \\"app\\": \\"") property(name="app-name" format="json")
  constant(value="\\", \\"msgid\\": \\"") property(name="msgid" format="json")
  constant(value="\\", \\"at\\": \\"") property(name="timereported" dateFormat="rfc3339")
  constant(value="\\", \\"msg\\": \\"") property(name="msg" format="json")
  constant(value="\\", \\"sd\\": ") property(name="$!rfc5424-sd")
  constant(value="}}\\n")
}}
ruleset(name="archive" queue.type="Direct") {{
  action(type="omfile" file="{self.archive}" template="whole")
  {parse}
  action(type="omfile" file="{self.parsed}" template="parts")
}}
input(type="{kind}" port="{self.port}" address="127.0.0.1" ruleset="archive")
""")

    def start(self) -> Self:
        """Start it; it listens when this returns."""
        assert PROGRAM is not None
        pid = self._folder / "pid"
        pid.unlink(missing_ok=True)
        with (self._folder / "rsyslog.log").open("ab") as log:
            self._process = subprocess.Popen(
                [PROGRAM, "-n", "-f", str(self._config), "-i", str(pid)], stdout=log, stderr=log
            )
        until(self._listens if self._tcp else pid.exists, (self._folder / "rsyslog.log").read_text)
        return self

    def _listens(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, (self._folder / "rsyslog.log").read_text()
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self, number: int = signal.SIGKILL) -> None:
        """End it by a signal."""
        assert self._process is not None
        self._process.send_signal(number)
        self._process.wait(PATIENCE_S)
        self._process = None

    def signal(self, number: int) -> None:
        """Send it a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    def close(self) -> None:
        """Leave nothing behind."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def lines(self) -> list[str]:
        """The archive."""
        return self.archive.read_text(encoding="utf-8").splitlines() if self.archive.exists() else []

    def numbers(self) -> list[int]:
        """The number of each event in the archive, in the order of the archive."""
        return [int(line.partition('" seq="')[2].partition('"')[0]) for line in self.lines()]

    def messages(self) -> list[dict[str, Any]]:
        """What it made of each message."""
        if not self.parsed.exists():
            return []
        return [json.loads(line) for line in self.parsed.read_text(encoding="utf-8").splitlines()]
