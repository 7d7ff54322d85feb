"""A real daemon in a folder of its own, with its shoe on a pseudo-terminal, and ears at all its sockets."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any, Final, Self

import zmq

from shoe_daemon.clients.operator import Operator
from shoe_daemon.clients.shoe_line import PtyLine, ShoeLine
from shoe_daemon.runtime.rows import Reader
from shoe_daemon.runtime.verify import VerifyReport, verify

PATIENCE_S: Final = 30.0
LOOK_S: Final = 0.005
AUDIENCES: Final = ("public", "surveillance", "cage")
PORTS: Final = 7
_LOWEST, _HIGHEST = 11_000, 31_000
"""Below the ports that the system itself gives to clients, so that none of them takes one meanwhile."""

Json = dict[str, Any]
_numbers = count()
_next_port = _LOWEST + os.getpid() * 61 % (_HIGHEST - _LOWEST)


def free_ports(wanted: int = PORTS) -> list[int]:
    """Ports on 127.0.0.1 that nobody listens at, in a row."""
    global _next_port  # noqa: PLW0603 - goes on where the last test stopped
    while True:
        first = _next_port
        _next_port = _LOWEST + (first + wanted - _LOWEST) % (_HIGHEST - _LOWEST)
        if all(map(_free, range(first, first + wanted))):
            return list(range(first, first + wanted))


def _free(port: int) -> bool:
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def until(done: Callable[[], bool], what: Callable[[], object] = lambda: "") -> None:
    """Look until `done`; fails after a long time, saying `what` there is instead."""
    end = time.monotonic() + PATIENCE_S
    while not done():
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain: {what()}")
        time.sleep(LOOK_S)


class Notified:
    """What systemd would hear, at an abstract socket."""

    def __init__(self) -> None:
        self.name = f"@shoe-test-{os.getpid()}-{next(_numbers)}"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("\0" + self.name[1:])
        self._socket.settimeout(0.1)

    def ready(self, process: "subprocess.Popen[bytes]") -> bool:
        """Wait for READY of a process just started; False where it ended before."""
        end = time.monotonic() + PATIENCE_S
        while process.poll() is None and time.monotonic() < end:
            try:
                if b"READY=1" in self._socket.recv(4096):
                    return True
            except TimeoutError:
                continue
        return False

    def close(self) -> None:
        self._socket.close()


class Running:
    """One table: `start`, `stop`, `kill` its daemon as often as wanted; the journal and the ports stay."""

    def __init__(  # noqa: PLR0913 - what tables differ in
        self,
        folder: Path,
        *,
        command: Sequence[str] = (sys.executable, "-m", "shoe_daemon"),
        feed: str = "control_claims = true",
        journal: Path | None = None,
        cwd: Path | None = None,
        profile: str = "beetek-rs232",
        line: ShoeLine | None = None,
        host: str = "127.0.0.1",
        **table: object,
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.command = list(command)
        self.journal = journal or folder / "t.db"
        self.config = folder / "t.toml"
        self.log = folder / "daemon.log"
        self.shoe: ShoeLine = line or PtyLine(folder / "shoe")
        self.host = host
        self.ports = free_ports()
        self.heard = Notified()
        self.beside = ExitStack()
        self.process: subprocess.Popen[bytes] | None = None
        self._cwd = cwd or folder
        self._control: Operator | None = None
        settings = {"id": "T-1", "rules": "live", "procedure": "face-up", "allow_face_up": True, **table}
        ends = dict(zip(_ENDS, self.ports, strict=True))
        self.config.write_text(
            "[table]\n"
            + "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())
            + f'[shoe]\nprofile = "{profile}"\nport = "{self.shoe.name}"\n'
            + f'[journal]\npath = "{self.journal}"\n'
            + "[feed]\n"
            + "".join(f'{key} = "tcp://{host}:{port}"\n' for key, port in ends.items())
            + f"{feed}\n"
        )

    # -- the process ---------------------------------------------------------------------------------------

    def start(self, *, link: bool = True) -> Self:
        """Start the daemon; it is ready, and with `link` has the shoe's line open, when this returns."""
        ups = self._ups()
        self.spawn()
        assert self.process is not None
        assert self.heard.ready(self.process), self.log.read_text()
        if link:
            until(lambda: self._ups() > ups, self.log.read_text)
        return self

    def spawn(self) -> None:
        """Start the daemon and wait for nothing."""
        self.heard.close()
        self.heard = Notified()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.command, "run", "--config", str(self.config)],
                stderr=log,
                cwd=self._cwd,
                env={**os.environ, "NOTIFY_SOCKET": self.heard.name},
            )

    def _ups(self) -> int:
        """How often the daemons logged that the link came up: the line is open then, and was flushed."""
        return self.log.read_text().count('"event":"link up"') if self.log.exists() else 0

    def kill(self, number: int = signal.SIGKILL) -> int:
        """End the daemon by a signal; its exit code."""
        self.signal(number)
        assert self.process is not None
        code = self.process.wait(PATIENCE_S)
        self.process = None
        return code

    def signal(self, number: int) -> None:
        """Send the daemon a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        return self.kill(signal.SIGTERM)

    def close(self) -> None:
        """Leave nothing behind, whatever happened."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        self.beside.close()
        if self._control is not None:
            self._control.close()
        self.heard.close()
        self.shoe.close()

    # -- its sockets ---------------------------------------------------------------------------------------

    def at(self, end: str) -> str:
        """Endpoint by its key in the configuration, such as `public` or `cage_replay`."""
        return f"tcp://{self.host}:{self.port(end)}"

    def port(self, end: str) -> int:
        """Port of the same."""
        return self.ports[_ENDS.index(end)]

    def say(self, verb: str, actor: str = "supervisor:1", /, **args: object) -> Json:
        """Give a command; the answer."""
        if self._control is None:
            self._control = Operator(self.at("control"), patience=PATIENCE_S)
        return self._control.say(verb, actor, args)

    def must(self, verb: str, actor: str = "supervisor:1", /, **args: object) -> list[Json]:
        """Give a command that is carried out; its public events."""
        answer = self.say(verb, actor, **args)
        assert answer.get("ok"), answer
        events: list[Json] = answer["events"]
        return events

    def refused(self, verb: str, actor: str = "supervisor:1", /, **args: object) -> str:
        """Give a command that is refused; the reason."""
        answer = self.say(verb, actor, **args)
        assert answer.get("ok") is False, answer
        return str(answer["refused"])

    def ask(self, end: str, request: Json) -> tuple[list[list[bytes]], Json]:
        """Ask a ROUTER; the rows that come, and the closing answer."""
        with Socket(zmq.DEALER, self.at(end)) as dealer:
            dealer.socket.send(json.dumps({"id": "1", **request}).encode())
            rows: list[list[bytes]] = []
            while len(frames := dealer.socket.recv_multipart()) == 3:
                rows.append(frames)
            return rows, json.loads(frames[0])

    def snapshot(self, audience: str) -> Json:
        """State of an audience, as the feed tells it once all that is on disk is in it."""
        with Reader(self.journal) as journal:
            top = journal.top(audience)
        found: Json = {}

        def caught_up() -> bool:
            found.update(self.ask(f"{audience}_replay", {"snapshot": True})[1])
            return bool(found["seq"] >= top)

        until(caught_up, lambda: (top, found))
        return found

    # -- its journal ---------------------------------------------------------------------------------------

    def raw(self, audience: str | None = None) -> list[bytes]:
        """Messages in the journal, as they were told; of all audiences without one."""
        with Reader(self.journal) as journal:
            return [one.body for one in journal.told() if audience in {None, one.audience}]

    def told(self, audience: str) -> list[Json]:
        """Events in the journal."""
        return list(map(json.loads, self.raw(audience)))

    def of(self, kind: str, audience: str = "surveillance") -> list[Json]:
        """Events of one type in the journal."""
        return [one for one in self.told(audience) if one["type"] == kind]

    def wait(self, kind: str, number: int, audience: str = "surveillance") -> list[Json]:
        """Wait until the journal has `number` events of a type."""
        found: list[Json] = []

        def there() -> bool:
            found[:] = self.of(kind, audience)
            return len(found) >= number

        until(there, lambda: f"{kind} {len(found)} of {number}\n{self.log.read_text()}")
        assert len(found) == number, found
        return found

    def verified(self) -> VerifyReport:
        """The journal, found whole."""
        report = verify(self.journal)
        assert report.ok, report
        return report

    def cli(self, *arguments: str, code: int = 0, patience_s: float = 2 * PATIENCE_S) -> str:
        """Run a command of the program; what it prints. `code`: how it must end."""
        done = subprocess.run(
            [*self.command, *arguments],
            capture_output=True,
            text=True,
            timeout=patience_s,
            check=False,
            cwd=self._cwd,
        )
        assert done.returncode == code, done.stderr
        return done.stdout


_ENDS: Final = (
    "public",
    "public_replay",
    "surveillance",
    "surveillance_replay",
    "cage",
    "cage_replay",
    "control",
)


class Socket:
    """One plain ZeroMQ socket, quick to come back to a daemon that was started again."""

    def __init__(self, kind: int, endpoint: str) -> None:
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.socket = self._context.socket(kind)
        self.socket.setsockopt(zmq.RCVTIMEO, int(PATIENCE_S * 1000))
        self.socket.setsockopt(zmq.RCVHWM, 0)
        self.socket.setsockopt(zmq.RECONNECT_IVL, 5)
        self.socket.setsockopt(zmq.LINGER, 0)
        if kind == zmq.SUB:
            self.socket.setsockopt(zmq.SUBSCRIBE, b"")
        self.socket.connect(endpoint)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._context.destroy(0)

    def waiting(self, patience_s: float = 0.0) -> Iterator[list[bytes]]:
        """Messages that are here, or come while less than `patience_s` passes without one."""
        while self.socket.poll(round(patience_s * 1000)):
            yield self.socket.recv_multipart()


def card(face: str) -> bytes:
    """The frame of a card, as the shoe sends it."""
    return b" [Game]<Card:%s> \r\n" % face.encode()


def plain(body: bytes | str) -> Json:
    """An event without what a replay cannot know: its time and its journal."""
    event: Json = json.loads(body)
    del event["at"], event["journal"]
    return event
