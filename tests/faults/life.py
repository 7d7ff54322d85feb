"""One daemon's life at a profile and a transport: its table, the far end of its line, journal, listeners."""

import random
import re
import signal
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, Self

from drivers.encoder import ProfileEncoder
from drivers.profile import ShoeProfile, parse_shoe
from shoe_daemon.game.cards import DECK, Card
from shoe_daemon.runtime.resources import shoe_file
from tests.faults.ears import Ears
from tests.faults.lines import far_end
from tests.faults.record import Record
from tests.process.running import Running, until

DECKS = 8
BUTTON = "shoe:enter"
"""Where a shoe has this button, it says that the cut card came out."""


INVENTED: Final = {"asked-lines": Path(__file__).parents[1] / "shoes" / "asked-lines.toml"}
"""Profiles that are not shipped, by name."""
SESSION: Final = "[session]\n"
TAGS: Final = "example-tags.csv"


def profile_named(name: str) -> ShoeProfile:
    return parse_shoe(*shoe_file(str(INVENTED.get(name, name))))


class Life:
    """A running daemon; `stop` and `start` it again as often as wanted, its journal stays.

    Betting is opened by command, so that a card between two coups is seen to be one too many. `session`:
    settings of the profile's session that are other ones here.
    """

    def __init__(self, folder: Path, name: str, transport: str, session: Sequence[str] = ()) -> None:
        folder.mkdir(parents=True)
        name = _copy(name, transport, session, folder)
        self.profile = profile_named(name)
        self.far = far_end(transport, folder)
        buttons = {one.button for one in self.profile.messages} - {None}
        pressed = f'\n[buttons]\n"{BUTTON}" = "cut_card"' if buttons else ""
        self.table = Running(
            folder,
            profile=name,
            line=self.far,
            feed=f"control_claims = true{pressed}",
            betting_opens="command",
            decks=DECKS,
        )
        self.encoder = ProfileEncoder(self.profile)
        self.record = Record(self.table.journal, self.profile)
        self.written = bytearray()
        self.spans: list[tuple[int, int]] = []
        self.last_tag: tuple[str, ...] = ()
        self.ears = Ears(self.table)

    def begin(self) -> Self:
        """Start the daemon and open the table."""
        self.start()
        self.table.must("open_table")
        return self

    def start(self, *, link: bool = True) -> None:
        """Start the daemon, and its listeners anew."""
        self.ears.anew()
        self.table.start(link=link)

    def stop(self) -> None:
        assert self.table.stop() == 0
        self.record.look()

    def pid(self) -> int:
        """Id of the daemon's process, which runs."""
        process = self.table.process
        assert process is not None
        assert process.poll() is None, f"I4: the daemon ended: {self.table.log.read_text()}"
        return process.pid

    def new_shoe(self, rng: random.Random) -> list[Card]:
        """Take the shoe off the table, if one is there, and put a shuffled one on it; its cards."""
        if self.table.snapshot("surveillance")["state"]["shoe"] is not None:
            self.table.must("close_shoe")
        self.table.must("load_shoe")
        cards = list(DECK) * DECKS
        rng.shuffle(cards)
        return cards

    def send(self, data: bytes, *, whole: bool = True) -> None:
        """Write bytes while the line is up. `whole`: no silence may fall between them and those before it."""
        begin = len(self.written)
        self.far.write(data)
        self.written += data
        if whole:
            self.spans.append((begin, len(self.written)))

    def hush(self) -> None:
        """Forget what the daemon has said to the shoe so far."""
        while self.far.heard():
            pass

    def together(self, pieces: list[bytes]) -> None:
        """Write pieces of one frame, each read alone where that can be seen."""
        begin = len(self.written)
        for piece in pieces:
            self.send(piece, whole=False)
            until(lambda: not self.far.unread())
        self.spans.append((begin, len(self.written)))

    def stalled(self) -> bool:
        """Whether bytes sent together came to the daemon with a silence between them: nobody's fault."""
        idle, at, times = self.profile.framing.idle_ms * 1000, 0, []
        for time, data in self.record.rx:
            times.append((at, at + len(data), time))
            at += len(data)
        for first, last in self.spans:
            inside = [time for begin, end, time in times if begin < last and end > first]
            if any(later - earlier >= idle for earlier, later in pairwise(inside)):
                return True
        return False

    def received(self) -> bytes:
        return b"".join(data for _, data in self.record.rx)

    def end(self) -> None:
        """Stop; the journal is whole, and nothing came in that was not sent."""
        self.stop()
        self.table.verified()
        assert self.received() == bytes(self.written), "I1: what was received is not what was sent"

    def freeze(self) -> None:
        """Let the process stand still, so that what it would do next is known."""
        pid = self.pid()
        self.table.signal(signal.SIGSTOP)
        tasks = Path("/proc", str(pid), "task")
        until(lambda: all(_state(task) == "T" for task in tasks.iterdir()))

    def thaw(self) -> None:
        self.table.signal(signal.SIGCONT)

    def memory_kb(self) -> int:
        """Memory of the daemon's process, in KiB."""
        status = Path("/proc", str(self.pid()), "status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0])

    def descriptors(self) -> int:
        """How many files the daemon has open."""
        return sum(1 for _ in Path("/proc", str(self.pid()), "fd").iterdir())

    def close(self) -> None:
        """Leave nothing behind, whatever happened."""
        self.ears.close()
        self.record.close()
        self.table.close()


def _copy(name: str, transport: str, session: Sequence[str], folder: Path) -> str:
    """Path of the profile with settings of its session; a pseudo-terminal refuses parity, so it has none."""
    data, _, beside = shoe_file(str(INVENTED.get(name, name)))
    text = data.decode("utf-8")
    if transport == "pty":
        text = re.sub(r"(?m)^parity = .*$", 'parity = "none"', text)
    for setting in session:
        text = re.sub(rf"(?m)^{setting.partition(' ')[0]} = .*\n", "", text)
    if session:
        before, _, after = text.partition(SESSION)
        text = before + "\n" + SESSION + "".join(f"{one}\n" for one in session) + after
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    (folder / TAGS).write_bytes(beside(TAGS) if name not in INVENTED else b"")
    return str(path)


def _state(task: Path) -> str:
    return (task / "stat").read_text().rpartition(")")[2].split()[0]
