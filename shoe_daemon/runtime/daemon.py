"""One process: the parts joined, started in order, and stopped in order.

Order at the start: journal (one process each), the table folded from it, the sockets bound, then the port.
At the stop: the port, the pump's last batch, the sockets, the journal; under two seconds in all.
"""

import asyncio
import contextlib
import gc
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import structlog

from drivers import decoder_for
from shoe_daemon import __version__
from shoe_daemon.runtime.checkpoint import Signer
from shoe_daemon.runtime.clock import Clock
from shoe_daemon.runtime.config import Config
from shoe_daemon.runtime.control import Control
from shoe_daemon.runtime.feed import Feed
from shoe_daemon.runtime.gate import Gate, OnRefused
from shoe_daemon.runtime.hidport import HidPort
from shoe_daemon.runtime.house import House
from shoe_daemon.runtime.journal import Journal
from shoe_daemon.runtime.keys import DOORS, KeyFileError, Keys
from shoe_daemon.runtime.lagging import Lagging
from shoe_daemon.runtime.machine import Machine
from shoe_daemon.runtime.messages import Message, Projector
from shoe_daemon.runtime.notify import Notifier
from shoe_daemon.runtime.ports import Now, OnAlarm, OnBytes, OnLink, Port
from shoe_daemon.runtime.pump import Pump
from shoe_daemon.runtime.requests import Requests
from shoe_daemon.runtime.resume import resume
from shoe_daemon.runtime.rows import JournalError
from shoe_daemon.runtime.serialport import Line, SerialPort
from shoe_daemon.runtime.tcpport import TcpPort, address
from shoe_daemon.schema import ConfigError, Problem
from shoe_daemon.table.inputs import Door, Noticed, Service
from shoe_daemon.table.procedure import PARTS
from shoe_daemon.table.setup import Setup
from shoe_daemon.table.state import Table

CLOCK_S: Final = 1.0
KEYS_S: Final = 1.0
CONSUMERS_S: Final = 1.0
_TCP: Final = "tcp://"
_log = structlog.get_logger("daemon")


async def serve(config: Config) -> None:
    """Run until SIGTERM or SIGINT. Raises ConfigError or JournalError before anything is served."""
    clock = Clock()
    journal = Journal.open(
        config.journal,
        table=config.table,
        software=__version__,
        at=clock.now(),
    )
    try:
        notify = Notifier()
        if config.signing_key is not None:
            signer = _signer(config.signing_key)
            journal.sign_with(signer, lambda: notify.starting("the journal is read for its next checkpoint"))
        await _Daemon(config, clock, journal, notify).run()
    finally:
        await asyncio.to_thread(journal.close)


def _signer(key: Path) -> Signer:
    """Who signs the journal's checkpoints. Raises JournalError where the key went since it was checked."""
    from shoe_daemon.runtime.signing import SigningError, load_signer  # noqa: PLC0415 - loaded where a key is named

    try:
        return load_signer(key)
    except SigningError as error:
        raise JournalError(str(error)) from error


class _Daemon:
    """The parts of one table's process."""

    def __init__(self, config: Config, clock: Clock, journal: Journal, notify: Notifier) -> None:
        self._config = config
        self._clock = clock
        self._journal = journal
        self._notify = notify
        setup = setup_of(config)
        projector = Projector(journal.id, config.table, config.hidden_cards, config.decks, journal.tops())
        table, self._views = resume(journal, projector)
        requests = Requests(journal.id, journal, self._views.snapshot, self._ack)
        self._gate = _gate(config, self._key_refused)
        self._requests = requests
        self._feed = Feed(config.table, config.doors, requests, source=config.source, gate=self._gate)
        self._pump = Pump(
            machine=_machine(config, setup, table),
            projector=projector,
            journal=journal,
            views=self._views,
            publish=self._publish,
            now=clock.now,
            written=self._written,
            send=self._send,
            reopen=self._reopen,
        )
        self._control = Control(
            config.control,
            claims=config.claims,
            answered=journal.answer,
            submit=self._pump.submit,
            source=config.source,
            gate=self._gate,
        )
        self._port = port_of(config, self._pump.bytes_read, self._pump.link, clock.now, self._pump.line_alarm)

    async def run(self) -> None:
        """Serve until a signal says stop."""
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, stop.set)
        await self._bind()
        pump = asyncio.create_task(self._pump.run())
        reason = "restart" if self._journal.tops()["surveillance"] else "new_journal"
        self._pump.service(Service(self._clock.now(), "started", reason, configured(self._config)))
        self._port.start()
        gc.freeze()  # what the start made stays: no collection walks it while a card waits
        self._notify.ready(f"table {self._config.table}")
        _log.info("ready", table=self._config.table, journal=self._journal.id, start=reason)
        watches = (self._beat, self._watch_clock, self._watch_consumers)
        beside = [asyncio.create_task(watch()) for watch in watches]
        if self._gate is not None:
            beside.append(asyncio.create_task(self._watch_keys(self._gate)))
        stopped = asyncio.create_task(stop.wait())
        await asyncio.wait({stopped, pump}, return_when=asyncio.FIRST_COMPLETED)
        self._notify.stopping()
        for task in (stopped, *beside):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await self._stop(pump)

    async def _bind(self) -> None:
        """Take every endpoint, or none: ConfigError names all that are not to be had."""
        problems: list[Problem] = []
        bound: list[Feed | Control] = []
        for part in (self._feed, self._control):
            try:
                part.open()
            except ConfigError as error:
                problems += error.problems
            else:
                bound.append(part)
        if problems:
            for part in bound:
                await part.close()
            raise ConfigError(problems)

    async def _stop(self, pump: "asyncio.Task[None]") -> None:
        await self._port.stop()
        self._pump.service(Service(self._clock.now(), "stopped", "stop"))
        try:
            await pump
        finally:
            if self._gate is not None:
                self._gate.close()
            await self._control.close()
            await self._feed.close()
            self._notify.close()
        _log.info("stopped", table=self._config.table)

    async def _beat(self) -> None:
        """Feed the watchdog for as long as the pump takes what comes in."""
        interval = self._notify.interval_s
        while True:
            await self._pump.turn()
            self._notify.alive()
            if interval is None:
                return
            await asyncio.sleep(interval)

    async def _watch_clock(self) -> None:
        """Follow the machine's clock when it was set, at a moment when no timer counts on ours."""
        while True:
            await asyncio.sleep(CLOCK_S)
            if (moved := self._clock.stepped()) and self._pump.clock_set(self._clock.rebase):
                _log.warning("the clock was set", moved_us=moved)

    async def _watch_consumers(self) -> None:
        """Tell surveillance of a consumer that does not keep up, and when it does again."""
        lagging = Lagging(self._config.late_s)
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(CONSUMERS_S)
            found = lagging.look(self._requests.cursors(), self._requests.tops(), loop.time())
            for audience, consumer, late in found:
                _log.warning("a consumer is late" if late else "a consumer is in time again", name=consumer)
                door = next(one for one in DOORS if one == audience)
                now = self._clock.now()
                self._pump.noticed(Noticed(now, "consumer_lagging", door, consumer, over=not late))

    async def _watch_keys(self, gate: Gate) -> None:
        """Put out whose key was revoked: a socket cannot let one client go, so the door is opened anew."""
        while True:
            await asyncio.sleep(KEYS_S)
            for door in gate.revoked():
                _log.warning("a key was revoked: its door is opened anew", door=door)
                await (self._control.reopen() if door == "control" else self._feed.reopen(door))

    def _key_refused(self, door: Door, who: str) -> None:
        self._pump.noticed(Noticed(self._clock.now(), "key_refused", door, who))

    def _send(self, data: bytes) -> None:
        self._port.send(data)

    def _reopen(self, reason: str) -> None:
        self._port.reopen(reason)

    def _publish(self, messages: Sequence[Message]) -> None:
        self._feed.publish(messages)

    async def _ack(self, audience: str, consumer: str, seq: int) -> None:
        await self._pump.ack(audience, consumer, seq)

    def _written(self, well: bool) -> None:  # noqa: FBT001 - the one thing it tells
        if not well:
            self._notify.status("the journal cannot be written: nothing is published")


def _gate(config: Config, refused: OnRefused) -> Gate | None:
    """Who asks for keys, where the configuration has some. Raises ConfigError."""
    if config.keys is None:
        return None
    keys = Keys(config.keys)
    try:
        return Gate(keys, keys.server(), refused)
    except KeyFileError as error:
        raise ConfigError([Problem(config.source, None, "keys.folder", str(error))]) from error


def setup_of(config: Config) -> Setup:
    """The constants of the table that `config` describes."""
    return Setup(
        table=config.table,
        rules=config.rules,
        procedure=config.procedure,
        decks=config.decks,
        software=__version__,
        profile_sha256=config.profile.sha256,
        hidden=config.hidden_cards,
        **config.settled.setup(config.house),
    )


def configured(config: Config) -> dict[str, Any]:
    """What a capture's first line says of this table."""
    procedure = msgspec.to_builtins(config.procedure)
    return {
        "profile": config.profile_file,
        "rules": config.rules_file,
        "decks": config.decks,
        "table": config.table,
        "procedure": config.procedure.name,
        **{part: procedure[part] for part in PARTS},
        **({"buttons": buttons_of(config)} if config.buttons else {}),
        **({"house": msgspec.to_builtins(config.house)} if config.house != House() else {}),
    }


def buttons_of(config: Config) -> dict[str, str]:
    """What each button of the shoe means, by its name in the profile."""
    return {key.removeprefix("shoe:"): verb for key, verb in config.buttons.items()}


def _machine(config: Config, setup: Setup, table: Table) -> Machine:
    return Machine(setup, decoder_for(config.profile), table, buttons_of(config))


def port_of(config: Config, on_bytes: OnBytes, on_link: OnLink, now: Now, on_alarm: OnAlarm) -> Port:
    """The way to the shoe of `config`."""
    if config.port.startswith(_TCP):
        host, number = address(config.port)
        return TcpPort(host, number, on_bytes, on_link, now, on_alarm)
    serial = config.profile.transport
    if serial.baud is None:  # a keyboard: a profile of a serial line has a speed
        return HidPort(config.port, on_bytes, on_link, now, on_alarm)
    line = Line(config.port, serial.baud, serial.bits, serial.parity, serial.stop)
    return SerialPort(line, on_bytes, on_link, now, on_alarm)
