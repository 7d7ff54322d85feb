"""The pump with a clock in hand: what a capture makes of a clock set back, and what a stop leaves out."""

import asyncio
from pathlib import Path

import msgspec

from drivers import decoder_for
from shoe_daemon import __version__
from shoe_daemon.runtime.control import Request
from shoe_daemon.runtime.export import capture_lines
from shoe_daemon.runtime.journal import Journal
from shoe_daemon.runtime.machine import Machine
from shoe_daemon.runtime.messages import Message, Projector
from shoe_daemon.runtime.pump import Pump
from shoe_daemon.runtime.replay import replay
from shoe_daemon.runtime.resume import Views
from shoe_daemon.table.events import AUDIENCES
from shoe_daemon.table.inputs import Service
from shoe_daemon.table.procedure import PROCEDURES
from shoe_daemon.table.setup import Setup
from tests.process.running import card, plain
from tests.process.virtual import PROFILE
from tests.table.histories import RULES

SECOND = 1_000_000
START = 1_800_000_000 * SECOND
HEADER = {"profile": "beetek-rs232", "rules": "live", "decks": 8, "table": "T-1", "procedure": "face-up"}


class _Hand:
    """A pump, and the clock it goes by."""

    def __init__(self, journal: Journal) -> None:
        self.at = START
        self.told: list[Message] = []
        procedure = msgspec.structs.replace(PROCEDURES["face-up"], settle_s=2.0)
        setup = Setup(
            table="T-1",
            rules=RULES["live"],
            procedure=procedure,
            decks=8,
            software=__version__,
            profile_sha256=PROFILE.sha256,
        )
        self.pump = Pump(
            machine=Machine(setup, decoder_for(PROFILE)),
            projector=Projector(journal.id, "T-1", "delayed", 8),
            journal=journal,
            views=Views(),
            publish=self.told.extend,
            now=lambda: self.at,
        )

    async def say(self, verb: str) -> None:
        request = Request(verb, verb, "supervisor:1", {}, None, key=None)
        assert msgspec.json.decode(await self.pump.submit(request))["ok"]

    async def coup(self) -> None:
        """Four cards, a second apart, and then time enough for the result."""
        for face in ("8S", "3H", "AC", "QD"):
            self.pump.bytes_read(card(face), self.at)
            await self.pump.turn()
            self.at += SECOND
        self.at += 5 * SECOND
        await self.pump.turn()


async def _play(hand: _Hand) -> None:
    task = asyncio.create_task(hand.pump.run())
    hand.pump.service(Service(hand.at, "started", "new_journal", {**HEADER, "settle_s": 2.0}))
    hand.pump.link("up", None, hand.at)
    await hand.say("open_table")
    await hand.say("load_shoe")
    await hand.coup()
    hand.at -= 3600 * SECOND
    assert hand.pump.clock_set()
    await hand.coup()
    await hand.coup()
    hand.pump.service(Service(hand.at, "stopped", "stop"))
    await task


def test_each_coup_settles_in_the_replay_too(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "t.db", table="T-1", software="0", at=START)
    asyncio.run(_play(_Hand(journal)))
    replayed = [message for messages in replay(capture_lines(journal)) for message in messages]
    for audience in AUDIENCES:
        live = [plain(row.body) for row in journal.messages(audience, 0, 1000)]
        assert live == [plain(message.body) for message in replayed if message.audience == audience]
        assert sum(event["type"] == "coup.result" for event in live) == 3
    journal.close()


async def _stop(hand: _Hand) -> None:
    task = asyncio.create_task(hand.pump.run())
    hand.pump.service(Service(hand.at, "started", "new_journal"))
    await hand.say("open_table")
    hand.pump.service(Service(hand.at, "stopped", "stop"))
    hand.pump.link("up", None, hand.at)  # at the pump before it has come round
    await task


def test_nothing_is_told_after_the_stop(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "t.db", table="T-1", software="0", at=START)
    hand = _Hand(journal)
    asyncio.run(_stop(hand))
    assert hand.told[-1].type == "service.stopped"
    assert not [message for message in hand.told if message.type == "device.link"]
    assert len(list(journal.rows(0, ("message",)))) == len(hand.told)
    journal.close()
