"""A pump with its clock in hand, on a journal whose disk stalls and fails as it is told."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from drivers import decoder_for
from drivers.profile import parse_shoe
from shoe_daemon import __version__
from shoe_daemon.runtime.checkpoint import Signer
from shoe_daemon.runtime.control import Request
from shoe_daemon.runtime.journal import Journal
from shoe_daemon.runtime.lockfile import LockFile
from shoe_daemon.runtime.machine import Machine
from shoe_daemon.runtime.messages import Message, Projector
from shoe_daemon.runtime.pump import Pump
from shoe_daemon.runtime.resources import shoe_file
from shoe_daemon.runtime.resume import Views
from shoe_daemon.runtime.rows import JournalError, Row
from shoe_daemon.table.inputs import Service
from shoe_daemon.table.procedure import PROCEDURES
from shoe_daemon.table.setup import Setup
from tests.process.running import Json, card
from tests.table.histories import RULES

SECOND = 1_000_000
START = 1_800_000_000 * SECOND
PROFILE = "beetek-rs232"
HEADER = {"rules": "live", "decks": 8, "table": "T-1", "procedure": "face-up"}
SETTLE = {"settle_s": 2.0}


class Disk(Journal):
    """A journal. Without `go` a batch stays in the call that writes it; `broken`, it cannot be written."""

    def __init__(self, path: Path, writer: sqlite3.Connection, lock: LockFile, *, created: bool) -> None:
        super().__init__(path, writer, lock, created=created)
        self.go = threading.Event()
        self.go.set()
        self.waits = threading.Event()
        self.broken = False
        self.tries = 0

    def append(self, batch: Sequence[Row]) -> None:
        self.tries += 1
        if not self.go.is_set():
            self.waits.set()
            self.go.wait()
        if self.broken:
            raise JournalError("the disk is full")
        super().append(batch)

    async def stall(self) -> None:
        """Wait until a batch stands still."""
        await asyncio.to_thread(self.waits.wait)


def disk(folder: Path, signer: Signer | None = None) -> Disk:
    made = Disk.open(folder / "t.db", table="T-1", software="0", at=START)
    if signer is not None:
        made.sign_with(signer)
    return made


class Hand:
    """A pump, and the clock it goes by."""

    def __init__(self, journal: Journal, profile: str = PROFILE) -> None:
        self.header = {"profile": profile, **HEADER, **SETTLE}
        self.at = START
        self.told: list[Message] = []
        self.threads: set[int] = set()
        self.written: list[bool] = []
        self.views = Views()
        shoe = parse_shoe(*shoe_file(profile))
        procedure = msgspec.structs.replace(PROCEDURES["face-up"], **SETTLE)
        setup = Setup(
            table="T-1",
            rules=RULES["live"],
            procedure=procedure,
            decks=8,
            software=__version__,
            profile_sha256=shoe.sha256,
        )
        self.machine = Machine(setup, decoder_for(shoe))
        self.pump = Pump(
            machine=self.machine,
            projector=Projector(journal.id, "T-1", "delayed", 8),
            journal=journal,
            views=self.views,
            publish=self.publish,
            now=self.now,
            written=self.written.append,
        )

    def now(self) -> int:
        return self.at

    def set_clock(self, by: int) -> bool:
        """The machine's clock is set by `by`, µs, and the pump told so; False where that must wait."""

        def rebase() -> int:
            self.at += by
            return by

        return self.pump.clock_set(rebase)

    def publish(self, messages: Sequence[Message]) -> None:
        self.threads.add(threading.get_ident())
        self.told += messages

    def kinds(self, audience: str = "public") -> list[str]:
        """Types of what `audience` was told."""
        return [one.type for one in self.told if one.audience == audience]

    def start(self) -> None:
        """The process starts, and the shoe is plugged in."""
        self.pump.service(Service(self.at, "started", "new_journal", self.header))
        self.pump.link("up", None, self.at)

    def stop(self) -> None:
        self.pump.service(Service(self.at, "stopped", "stop"))

    async def ask(self, verb: str, key: str | None = None) -> Json:
        request = Request(verb, verb, "supervisor:1", {}, None, key=key)
        answer: Json = msgspec.json.decode(await self.pump.submit(request))
        return answer

    async def say(self, verb: str) -> None:
        assert (await self.ask(verb))["ok"]

    def draw(self, face: str) -> None:
        self.pump.bytes_read(card(face), self.at)

    async def coup(self) -> None:
        """Four cards, a second apart, and then time enough for the result."""
        for face in ("8S", "3H", "AC", "QD"):
            self.draw(face)
            await self.pump.turn()
            self.at += SECOND
        self.at += 5 * SECOND
        await self.pump.turn()


@asynccontextmanager
async def dealing(hand: Hand) -> AsyncIterator["asyncio.Task[None]"]:
    """The task of a pump with a shoe loaded; stopped in the end."""
    task = asyncio.create_task(hand.pump.run())
    hand.start()
    await hand.say("open_table")
    await hand.say("load_shoe")
    yield task
    hand.stop()
    await task
