"""The two programs that are measured, each in a process of its own, and the shoe's line to them."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, Self

import zmq

from bench import bare
from drivers.profile import ShoeProfile, parse_shoe
from drivers.script import Send
from drivers.virtual import VirtualOptions, virtual_shoe
from shoe_daemon.clients.operator import Operator
from shoe_daemon.clients.shoe_line import PtyLine
from shoe_daemon.runtime.resources import shoe_file

PROFILE: Final = "beetek-rs232"
TABLE: Final = "BENCH"
PATIENCE_S: Final = 20.0
SHOE: Final = 400
"""Cards dealt from one shoe of eight decks."""


def frames(count: int, seed: int = 7) -> list[bytes]:
    """What a shoe sends for `count` cards dealt face up, a frame a card."""
    options = VirtualOptions(procedure="face-up", seed=seed, opening=False)
    sends = (one.data for one in virtual_shoe(profile(), options) if isinstance(one, Send))
    return [data for data, _ in zip(sends, range(count), strict=False)]


def profile() -> ShoeProfile:
    """The shoe profile that everything here speaks."""
    return parse_shoe(*shoe_file(PROFILE))


class Running:
    """A program that reads `line` and tells of each card on `cards`."""

    def __init__(self, process: "subprocess.Popen[bytes]", line: PtyLine, cards: "zmq.Socket[bytes]") -> None:
        self.process = process
        self._line = line
        self._cards = cards

    def deal(self, frame: bytes, patience_ms: int = 1000) -> float | None:
        """Seconds from writing `frame` until the subscriber has its card; None if none came."""
        begun = time.perf_counter()
        self._line.write(frame)
        if not self._cards.poll(patience_ms):
            return None
        self._cards.recv_multipart()
        return time.perf_counter() - begun

    def warm_up(self, cards: list[bytes]) -> None:
        """Deal `cards`; the first ones may pass before everything is connected, the last one may not."""
        end = time.monotonic() + PATIENCE_S
        while not self._line.listened_to():
            if time.monotonic() > end:
                raise RuntimeError("nobody opens the shoe's line")
            time.sleep(0.01)
        seen = [self.deal(card) for card in cards]
        if seen[-1] is None:
            raise RuntimeError("no card comes through")

    def burst(self, cards: list[bytes]) -> None:
        """Deal all of `cards` as fast as the line takes them, and wait for the last one."""
        for card in cards:
            self._line.write(card)
        for _ in cards:
            if not self._cards.poll(round(PATIENCE_S * 1000)):
                raise RuntimeError("cards of a burst are missing")
            self._cards.recv_multipart()


@contextmanager
def bare_loop(journal: Path) -> Iterator[Running]:
    """Run the bare loop, its database at `journal`."""
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="shoe-bench-")))
        line = PtyLine(place / "shoe")
        stack.callback(line.close)
        endpoint = f"ipc://{place}/cards"
        cards = _listen(stack, endpoint, bare.TOPIC)
        command = [sys.executable, "-m", "bench.bare", str(place / "shoe"), str(journal), endpoint]
        process = stack.enter_context(subprocess.Popen(command))
        stack.callback(process.terminate)
        yield Running(process, line, cards)


class Daemon:
    """The real daemon as `shoe-daemon run` starts it, its journal at `journal`; it may be started again."""

    def __init__(self, journal: Path) -> None:
        self._stack = ExitStack()
        self._place = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="shoe-bench-")))
        self._line = PtyLine(self._place / "shoe")
        self._stack.callback(self._line.close)
        self._config = self._place / "table.toml"
        self._config.write_text(self._configuration(journal), encoding="utf-8")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @contextmanager
    def run(self) -> Iterator[tuple[Running, float]]:
        """Start it; gives it with the seconds from the start of the process to READY."""
        with ExitStack() as stack:
            heard = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
            address = self._place / "notify"
            stack.callback(address.unlink)
            heard.bind(str(address))
            heard.settimeout(PATIENCE_S)
            cards = _listen(stack, self._at("public"), f"public/{TABLE}/card.dealt/".encode())
            command = [sys.executable, "-m", "shoe_daemon", "run", "--config", str(self._config)]
            environment = {**os.environ, "NOTIFY_SOCKET": str(address)}
            begun = time.perf_counter()
            process = stack.enter_context(
                subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
            )
            stack.callback(process.terminate)
            while b"READY=1" not in heard.recv(4096):
                pass
            yield Running(process, self._line, cards), time.perf_counter() - begun

    def new_shoe(self) -> None:
        """Open the table and load a shoe, burned already."""
        with Operator(self._at("control")) as operator:
            for verb in ("open_table", "load_shoe"):
                answer = operator.say(verb, "supervisor:bench", {})
                if not answer.get("ok"):
                    raise RuntimeError(f"{verb}: {answer}")

    def _at(self, door: str) -> str:
        return f"ipc://{self._place}/{door}"

    def _configuration(self, journal: Path) -> str:
        audiences = ("public", "surveillance", "cage")
        doors = [*audiences, *(f"{audience}_replay" for audience in audiences), "control"]
        feed = "\n".join(f'{door} = "{self._at(door)}"' for door in doors)
        return f"""[table]
id = "{TABLE}"
rules = "live"
procedure = "face-up"
decks = 8
[shoe]
profile = "{PROFILE}"
port = "{self._place / "shoe"}"
[journal]
path = "{journal}"
[feed]
{feed}
"""


def _listen(stack: ExitStack, endpoint: str, topic: bytes) -> "zmq.Socket[bytes]":
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    stack.callback(context.destroy, 0)
    subscriber = context.socket(zmq.SUB)
    subscriber.setsockopt(zmq.SUBSCRIBE, topic)
    subscriber.setsockopt(zmq.RECONNECT_IVL, 10)
    subscriber.connect(endpoint)
    return subscriber
