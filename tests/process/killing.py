"""Kills the real daemon at one instant after another, and looks each time at what is left.

Where an instant fell is told from outside: the process is stopped first, so that the system calls of its
threads can be read, and killed then. `start` is before READY; `commit` is inside a call that writes or syncs
the journal; else `read` has bytes or a command of ours that never reached the journal, `publish` messages on
disk that nobody was told, and in `idle` all that came in has been told.
"""

import json
import platform
import random
import signal
import struct
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
import zmq

from shoe_daemon.game.cards import DECK, Card
from shoe_daemon.runtime.messages import Message, unpack
from shoe_daemon.runtime.resume import Views, resume
from shoe_daemon.runtime.rows import Reader, Row
from shoe_daemon.table import view
from shoe_daemon.table.codec import decode_step
from shoe_daemon.table.decide import fold
from shoe_daemon.table.inputs import CardRead, Service
from shoe_daemon.table.state import Table
from tests.process.running import AUDIENCES, Json, Running, Socket, card, until

DECKS: Final = 8
LOW: Final = 16
HALF: Final = b" [Game]<Card:4"
_WRITES: Final = {"x86_64": {18, 74, 75, 77}, "aarch64": {46, 68, 82, 83}}
"""Numbers of pwrite64, fsync, fdatasync and ftruncate."""


class Kills:
    """A table that is dealt at and killed at; `phases` counts where the instants fell."""

    def __init__(self, table: Running, seed: int) -> None:
        self.table = table
        self.phases: Counter[str] = Counter()
        self.rng = random.Random(seed)
        keep = table.beside.enter_context
        self._ears = {audience: keep(Socket(zmq.SUB, table.at(audience))) for audience in AUDIENCES}
        self._mouth = keep(Socket(zmq.DEALER, table.at("control")))
        self._cage = keep(Socket(zmq.DEALER, table.at("cage_replay")))
        self._acknowledged = 0
        self._heard: dict[tuple[str, int], bytes] = {}
        self._published: set[tuple[str, int]] = set()
        self._answers: list[bytes] = []
        self._written: list[list[Card]] = [[]]
        self._shoe: list[Card] = []
        self._latency = 0.01
        self._asked = 0
        self._in_flight = False

    def begin(self) -> None:
        """Open the table, load a shoe, and measure how long a card takes to be told."""
        self.table.start()
        self.table.must("open_table")
        self._new_shoe()
        times = []
        self._hear_all()
        for _ in range(9):
            begun = time.perf_counter()
            self._send(1)
            while b"/card.dealt/" not in (frames := self._ears["public"].socket.recv_multipart())[0]:
                self._take("public", frames)
            self._take("public", frames)
            times.append(time.perf_counter() - begun)
        self._hear_all()
        self._latency = sorted(times)[4]
        self._finish()

    def instant(self) -> None:
        """Do something, kill the daemon meanwhile, start it again, look, settle the gap, deal on."""
        before = self._top()
        phase = self._kill()
        self._hear(0.02)
        self._written.append([])
        while self.rng.random() < 0.15:
            self._kill_while_starting()
        self.table.start()
        self.table.refused("open_table")  # its answer comes after all that the start itself tells
        self.phases[phase or self._where(before)] += 1
        self._look()
        self._settle()
        self._finish()
        self._same_state()

    def end(self) -> None:
        """Stop; all that was ever told is in the journal, once."""
        assert self.table.stop() == 0
        self.table.verified()
        self._look()

    # -- the instant -----------------------------------------------------------------------------------------

    def _kill(self) -> str | None:
        """Kill at a random instant; the phase, where the process itself shows it."""
        what = self.rng.choice(["idle", "card", "card", "card", "burst", "command", "command", "half", "ack"])
        if what == "idle":
            self._hear_all()
        elif what == "card":
            self._send(1)
        elif what == "burst":
            self._send(self.rng.randint(2, 4))
        elif what == "half":
            self.table.shoe.write(HALF)
            self._command("reveal")
        elif what == "ack":
            self._acknowledge()
        else:
            self._command(self.rng.choice(["open_table", "cut_card", "open_betting", "resolve"]))
        # Between disk and sockets lies a short time: half of the instants are near it.
        share = self.rng.uniform(0, 1.6) if self.rng.random() < 1 / 2 else self.rng.uniform(0.7, 1.1)
        end = time.perf_counter() + share * self._latency
        while time.perf_counter() < end:
            pass
        process = self.table.process
        assert process is not None
        process.send_signal(signal.SIGSTOP)
        tasks = Path("/proc", str(process.pid), "task")
        until(lambda: all(_state(task) == "T" for task in tasks.iterdir()))
        writing = any(self._writes(task) for task in tasks.iterdir())
        assert self.table.kill() == -signal.SIGKILL
        return "commit" if writing else None

    def _writes(self, task: Path) -> bool:
        """Whether a thread is in a system call that changes the journal."""
        number, *arguments = (task / "syscall").read_text().split()
        if number == "running" or int(number) not in _WRITES[platform.machine()]:
            return False
        target = (task / "fd" / str(int(arguments[0], 16))).readlink()
        return target.name.startswith(self.table.journal.name)

    def _kill_while_starting(self) -> None:
        self.table.spawn()
        time.sleep(self.rng.uniform(0, 0.5))  # an instant of the start, whichever it is
        self.table.kill()
        self._hear(0.02)
        self.phases["start"] += 1

    def _where(self, before: int) -> str:
        """The phase of a kill, from what is on disk and what was told."""
        written = [row for row in self._rows(before) if row.kind in {"step", "told"}]
        for place, row in enumerate(written):
            if row.kind == "step" and isinstance(decode_step(row.body).input, Service):
                written = written[:place]
                break
        if any((one.audience, one.seq) not in self._heard for one in _told(written)):
            return "publish"
        return "idle" if written or not self._in_flight else "read"

    # -- at the table ----------------------------------------------------------------------------------------

    def _send(self, cards: int) -> None:
        """Draw cards from the shoe, whether or not anybody is there to read them."""
        drawn, self._shoe = self._shoe[:cards], self._shoe[cards:]
        self._written[-1] += drawn
        self._in_flight = True
        self.table.shoe.write(b"".join(map(card, drawn)))

    def _command(self, verb: str) -> None:
        """Send a command and wait for nothing."""
        self._asked += 1
        args = {"id": "link_gap", "remedy": "none_missed"} if verb == "resolve" else {}
        request = {"id": self._asked, "verb": verb, "actor": "supervisor:2", "args": args}
        self._in_flight = True
        self._mouth.socket.send(json.dumps(request).encode())

    def _acknowledge(self) -> None:
        """Acknowledge all that the cage was told."""
        top = max(seq for audience, seq in self._heard if audience == "cage")
        self._in_flight = True
        self._cage.socket.send(json.dumps({"id": 1, "ack": top, "consumer": "c"}).encode())

    def _new_shoe(self) -> None:
        self._shoe = list(DECK) * DECKS
        self.rng.shuffle(self._shoe)
        self.table.must("load_shoe")

    def _settle(self) -> None:
        """A gap was declared if a shoe is open; one command settles it."""
        state = self.table.snapshot("surveillance")["state"]
        gaps = [item for item in state["irregularities"] if item["code"] == "link_gap"]
        assert bool(gaps) == (state["shoe"] is not None and not state["shoe_closed"])
        for item in gaps:
            self.table.must("resolve", id=item["id"], remedy="none_missed")

    def _finish(self) -> None:
        """Deal until the coup has its result; a new shoe where this one runs low."""
        self._in_flight = False
        for _ in range(8):
            state = self.table.snapshot("surveillance")["state"]
            if any(item["code"] != "link_gap" and item["hold"] for item in state["irregularities"]):
                self.table.must("void")
            elif state["coup"] is None and state["betting"] == "open":
                break
            elif state["coup"] is None:  # the last coup was dealt
                self.table.must("close_shoe")
                self._new_shoe()
            else:
                self._draw_one()
        else:
            raise AssertionError(f"the coup does not end: {state}")
        if len(self._shoe) < LOW:
            self.table.must("close_shoe")
            self._new_shoe()
        self._in_flight = False

    def _draw_one(self) -> None:
        drawn = len(self.table.of("card.drawn"))
        self._send(1)
        self.table.wait("card.drawn", drawn + 1)

    # -- what was told, and what is on disk ------------------------------------------------------------------

    def _hear(self, patience_s: float = 0.0) -> None:
        """Take what the sockets told; nothing may come twice."""
        for audience, ear in self._ears.items():
            for frames in ear.waiting(patience_s):
                self._take(audience, frames)
        for frames in self._mouth.waiting():
            self._answers.append(frames[-1])
        for frames in self._cage.waiting():
            self._acknowledged = max(self._acknowledged, json.loads(frames[-1])["ack"])

    def _take(self, audience: str, frames: list[bytes]) -> None:
        _, header, body = frames
        _, seq = struct.unpack(">16sQ", header)
        if body == b"{}":
            return
        assert (audience, seq) not in self._published, f"{audience} {seq} was told twice"
        self._published.add((audience, seq))
        assert self._heard.setdefault((audience, seq), body) == body

    def _hear_all(self) -> None:
        """Take what was told, and ask for what was told to nobody, up to the top of each audience."""
        self._hear()
        for audience in AUDIENCES:
            after, top = 0, 1
            while after < top:
                while (audience, after + 1) in self._heard:
                    after += 1
                rows, end = self.table.ask(f"{audience}_replay", {"after": after, "limit": 10_000})
                for number, (_, header, body) in enumerate(rows, after + 1):
                    assert struct.unpack(">16sQ", header)[1] == number
                    assert self._heard.setdefault((audience, number), body) == body
                after, top = after + len(rows), end["top"]

    def _rows(self, after: int) -> list[Row]:
        with Reader(self.table.journal) as journal:
            return list(journal.rows(after))

    def _top(self) -> int:
        return self._rows(0)[-1].pos

    def _look(self) -> None:
        """Nothing told or answered is missing, no card is there twice, none but in a gap is missing."""
        self.table.verified()
        self._hear()
        rows = self._rows(0)
        stored = {(one.audience, one.seq): one.body for one in _told(rows)}
        for key, body in self._heard.items():
            assert stored.get(key) == body, f"{key} was told and is not in the journal"
        answers = {row.body for row in rows if row.kind == "answer"}
        for answer in self._answers:
            assert answer in answers
        with Reader(self.table.journal) as journal:
            assert journal.cursors().get(("cage", "c"), 0) >= self._acknowledged
        for audience in AUDIENCES:
            seqs = [seq for whose, seq in stored if whose == audience]
            assert seqs == list(range(1, len(seqs) + 1))
        self._cards(rows)

    def _cards(self, rows: list[Row]) -> None:
        """The cards on disk since each start are the first ones that left the shoe since then."""
        lives: list[list[Card]] = []
        for row in rows:
            if row.kind == "step":
                what = decode_step(row.body).input
                if isinstance(what, Service) and what.state == "started":
                    lives.append([])
                elif isinstance(what, CardRead):
                    lives[-1].append(what.face.open())
        written = [life for life in self._written if life]
        read = [life for life in lives if life]
        assert len(read) <= len(written)
        for life in read:
            while written and written[0][: len(life)] != life:
                written.pop(0)
            assert written, f"{life} never left the shoe so"
            written.pop(0)

    def _same_state(self) -> None:
        """The state a start goes on from is the fold of all steps, and the feed's snapshots say the same."""
        self._hear_all()
        with Reader(self.table.journal) as journal:
            table, views = resume(journal)
            folded, seen = Table(), Views()
            for row in journal.rows(0, ("step",)):
                folded = fold(folded, decode_step(row.body).events)
            for one in journal.told():
                told = msgspec.json.decode(one.body)
                seen.views[one.audience] = view.apply(seen.views[one.audience], told)
        assert table == folded
        assert views.views == seen.views
        for audience in AUDIENCES:
            snapshot: Json = self.table.snapshot(audience)["state"]
            assert snapshot == json.loads(msgspec.json.encode(seen.views[audience]))


def _told(rows: Sequence[Row]) -> list[Message]:
    """The messages in `rows`."""
    return [one for row in rows if row.kind == "told" for one in unpack(row.body)]


def _state(task: Path) -> str:
    return (task / "stat").read_text().rpartition(")")[2].split()[0]
