"""`make demo`: a virtual shoe on a pseudo-terminal, the real daemon reading it, the trend display."""

import contextlib
import os
import select
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import msgspec

from drivers import decoder_for
from drivers.profile import ShoeProfile, parse_shoe
from drivers.virtual import VirtualOptions, virtual_shoe
from shoe_daemon.clients.operator import Operator
from shoe_daemon.clients.shoe_line import PtyLine
from shoe_daemon.clients.subscriber import Subscriber
from shoe_daemon.clients.virtual_table import Player, Table
from shoe_daemon.clients.wire import Event
from shoe_daemon.runtime.lockfile import holder, lock_of
from shoe_daemon.runtime.resources import shoe_file
from shoe_daemon.runtime.spelling import toml

PORTS: Final = range(5570, 5577)
DISPLAY: Final = 8080
START_S: Final = 20.0
STOP_S: Final = 1.5
PROFILE: Final = "beetek-rs232"
TAKEN: Final = "address already in use"

Say = Callable[[str], None]


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What the demo deals. `coups` None: until Ctrl-C. `journal` None: it goes with the demo."""

    coups: int | None = None
    speed: float = 1.0
    seed: int = 0
    rules: str = "live"
    procedure: str = "face-up"
    journal: Path | None = None


class _Stopped(Exception):  # noqa: N818 - Ctrl-C, not an error
    """Somebody asked the demo to stop."""


_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Each of them is a request to stop; the last comes from a terminal that was closed."""


def demo(options: Options, say: Say) -> int:
    """Run the demo; 0 where it ended well: by itself after `coups`, or by Ctrl-C.

    Raises ValueError for a journal that exists: its shoe would go on where the demo's own begins.
    """
    if options.journal is not None and options.journal.exists():
        raise ValueError(f"{options.journal}: exists already, and a demo begins a new journal")
    with ExitStack() as stack:
        for number in _SIGNALS:
            stack.callback(signal.signal, number, signal.signal(number, _stop))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="shoe-demo-")))
        try:
            return _Demo(options, folder, stack, say).run()
        except _Stopped:
            say("stopping")
            return 0
        finally:
            _deaf()


def _stop(*_: object) -> None:
    _deaf()
    raise _Stopped


def _deaf() -> None:
    """From now on no signal breaks into the cleaning up."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


class _Demo:
    def __init__(self, options: Options, folder: Path, stack: ExitStack, say: Say) -> None:
        self._options = options
        self._folder = folder
        self._stack = stack
        self._say = say
        self._config = folder / "demo.toml"
        self._ports = _free_ports(PORTS)
        self._gap = threading.Event()
        self._journal = (options.journal or folder / "demo.db").absolute()
        self._daemon: subprocess.Popen[bytes] | None = None
        self._starting = threading.Lock()
        self._awaits_enter = False
        self._ending = False

    def run(self) -> int:
        """Set everything up, deal, and wait for the end."""
        profile = parse_shoe(*shoe_file(PROFILE))
        line = PtyLine(self._folder / "shoe")
        self._stack.callback(line.close)
        self._stack.callback(self._end_daemon)
        self._start_at_free_ports()
        operator = self._stack.enter_context(Operator(self._at(6), patience=1.0))
        table = Table(Subscriber(self._at(2), self._at(3), "surveillance"), self._staff_saw)
        self._stack.callback(table.close)
        address = self._start_display()
        self._greet(address)
        player = Player(line, decoder_for(profile), operator, table, self._say, self._gap.is_set)
        return self._deal(profile, player, table)

    def _deal(self, profile: ShoeProfile, player: Player, table: Table) -> int:
        options = self._options
        script = virtual_shoe(
            profile,
            VirtualOptions(
                procedure=options.procedure, seed=options.seed, coups=options.coups, speed=options.speed
            ),
        )
        dealer = threading.Thread(target=player.play, args=(script,), daemon=True)
        self._stack.callback(dealer.join)
        self._stack.callback(player.stop)
        dealer.start()
        while dealer.is_alive():
            dealer.join(0.1)
            self._look_after_daemon()
        if options.coups is None or not table.wait(lambda: table.results >= (options.coups or 0), START_S):
            self._say(f"only {table.results} coups have a result")
            return 1
        self._say(f"{table.results} coups dealt, each with its result")
        return 0

    # -- the daemon ------------------------------------------------------------------------------------

    def _write_config(self) -> None:
        options = self._options
        self._config.write_text(
            f"""[table]
id = "DEMO"
rules = {toml(options.rules)}
procedure = {toml(options.procedure)}
decks = 8
allow_face_up = true
[shoe]
profile = "{PROFILE}"
port = {toml(str(self._folder / "shoe"))}
[journal]
path = {toml(str(self._journal))}
[feed]
public = "{self._at(0)}"
public_replay = "{self._at(1)}"
surveillance = "{self._at(2)}"
surveillance_replay = "{self._at(3)}"
cage = "{self._at(4)}"
cage_replay = "{self._at(5)}"
control = "{self._at(6)}"
control_claims = true
""",
            encoding="utf-8",
        )

    def _at(self, place: int) -> str:
        return f"tcp://127.0.0.1:{self._ports[place]}"

    def _start_at_free_ports(self) -> None:
        """Start the daemon; at other ports where somebody took one since they were found free."""
        self._write_config()
        try:
            self._start_daemon()
        except RuntimeError as error:
            if TAKEN not in str(error):
                raise
            self._ports = _free_ports([0] * len(PORTS))
            self._write_config()
            self._start_daemon()

    def _start_daemon(self) -> None:
        """Start it and wait until it is ready. Raises RuntimeError with what it said instead."""
        with (
            (self._folder / "daemon.log").open("a+b") as log,
            _notified(self._folder / "notify") as (path, ready),
        ):
            begin = log.tell()
            with self._starting:
                if self._ending:
                    raise _Stopped
                self._daemon = daemon = subprocess.Popen(  # noqa: S603 - our own program
                    _command("run", "--config", str(self._config)),
                    stderr=log,
                    env={**os.environ, "NOTIFY_SOCKET": path},
                    start_new_session=True,
                )
            if not ready(daemon):
                _end(daemon)
                log.seek(begin)
                said = log.read().decode(errors="replace")
                raise RuntimeError(f"the daemon did not start:\n{said}")

    def _look_after_daemon(self) -> None:
        """Say what to do where the daemon was killed; Enter starts it again, where there is one to press."""
        if self._awaits_enter or self._daemon is None or self._daemon.poll() is None:
            return
        self._daemon = None
        self._awaits_enter = sys.stdin is not None and sys.stdin.isatty()
        where = "press Enter here, or in another terminal" if self._awaits_enter else "in another terminal"
        command = _shown("run", "--config", str(self._config))
        self._say(f"\nThe daemon is gone. Start it again: {where}\n  {command}\n")
        if self._awaits_enter:
            threading.Thread(target=self._await_enter, daemon=True).start()

    def _await_enter(self) -> None:
        with contextlib.suppress(_Stopped):
            while select.select([sys.stdin], [], [])[0] and sys.stdin.readline():
                try:
                    self._start_daemon()
                except RuntimeError as error:
                    if not self._ending:
                        self._say(f"{error}\nPress Enter to try again.")
                else:
                    break
        self._awaits_enter = False

    def _end_daemon(self) -> None:
        """End the daemon, also one that somebody started in another terminal: the journal's lock names it."""
        with self._starting:
            self._ending = True
        if self._daemon is not None:
            _end(self._daemon)
        pid = holder(lock_of(self._journal))
        if pid is not None and not _end_other(pid, str(self._config)):
            self._say(f"process {pid}, which writes {self._journal}, goes on: stop it where it was started")

    # -- what people see -------------------------------------------------------------------------------

    def _start_display(self) -> str:
        """Start the display, at its own port or any free one; the address that it says."""
        for port in (DISPLAY, 0):
            display = subprocess.Popen(  # noqa: S603 - our own program
                _command("display", "--config", str(self._config), "--port", str(port)),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            self._stack.callback(_end, display)
            if display.stdout is not None and (address := display.stdout.readline().decode().strip()):
                return address
        raise RuntimeError("the display did not start")

    def _greet(self, address: str) -> None:
        pid = self._daemon.pid if self._daemon is not None else 0
        self._say(
            f"""
  Trend display   {address}
                  an 8-deck shoe is being dealt: cards as they are turned, beads and big road
  What it tells   {_shown("events", "--config", str(self._config), "--audience", "surveillance")}
  Try             kill -9 {pid}      (the daemon, in the middle of a coup)
  Stop            Ctrl-C
"""
        )

    def _staff_saw(self, event: Event) -> None:
        """Say how a declared gap is settled, and let the dealer wait for it."""
        data = event.message()["data"]
        if event.type == "irregularity.raised" and data["code"] == "link_gap":
            self._gap.set()
            settle = _shown("control", "resolve", "--config", str(self._config), "--actor", "supervisor:demo")
            self._say(
                "\nNothing is missing from the journal. What may have passed while the daemon was down is a\n"
                "declared gap; the dealer drew nothing, so one command settles it:\n"
                f"  {settle} id={data['id']} remedy=none_missed\n"
            )
        elif event.type == "irregularity.resolved" and data["code"] == "link_gap":
            self._gap.clear()
            self._say("The gap is settled; the dealer goes on.")


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "shoe_daemon", *arguments]


def _shown(*arguments: str) -> str:
    """The command as a person types it."""
    script = Path(sys.executable).with_name("shoe-daemon")
    try:
        short = script.relative_to(Path.cwd())
    except ValueError:
        short = script
    return shlex.join([str(short), *arguments])


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _end_other(pid: int, mark: str) -> bool:
    """End a process known by its id alone, if `mark` is in its command line; whether it has ended."""
    try:
        handle = os.pidfd_open(pid)
    except OSError as error:
        return isinstance(error, ProcessLookupError)
    try:
        if os.fsencode(mark) not in Path("/proc", str(pid), "cmdline").read_bytes():
            return False
        for number in (signal.SIGTERM, signal.SIGKILL):
            signal.pidfd_send_signal(handle, number)
            if select.select([handle], [], [], STOP_S)[0]:
                return True
    except OSError as error:
        return isinstance(error, ProcessLookupError)
    finally:
        os.close(handle)
    return False


def _free_ports(wanted: Sequence[int]) -> list[int]:
    """The wanted ports if all are free, else as many free ones."""
    with ExitStack() as stack:
        try:
            return [_bound(stack, port) for port in wanted]
        except OSError:
            return [_bound(stack, 0) for _ in wanted]


def _bound(stack: ExitStack, port: int) -> int:
    listener = stack.enter_context(socket.socket())
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as those who bind it afterwards do
    listener.bind(("127.0.0.1", port))
    number: int = listener.getsockname()[1]
    return number


@contextmanager
def _notified(path: Path) -> "Iterator[tuple[str, Callable[[subprocess.Popen[bytes]], bool]]]":
    """A socket for sd_notify, and a function that waits for READY or the end of the process."""
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(path))
        heard.settimeout(0.1)

        def ready(process: "subprocess.Popen[bytes]") -> bool:
            end = time.monotonic() + START_S
            while process.poll() is None and time.monotonic() < end:
                with contextlib.suppress(TimeoutError):
                    if b"READY=1" in heard.recv(4096):
                        return True
            return False

        yield str(path), ready
