"""The pump: take all that waits, decide, commit, publish, answer. One task, so order needs no lock.

Nothing is told before it is on disk. If the journal cannot be written, the batch waits, what comes in
meanwhile waits behind it, and nothing is final; when space returns it goes on without a restart.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Literal

import msgspec
import structlog

from shoe_daemon.runtime.control import Request, accepted, refused
from shoe_daemon.runtime.journal import Journal
from shoe_daemon.runtime.machine import Machine
from shoe_daemon.runtime.messages import Message, Projector
from shoe_daemon.runtime.resume import Views, encode_state
from shoe_daemon.runtime.rows import JournalError, Row
from shoe_daemon.runtime.worker import Worker
from shoe_daemon.table import events as ev
from shoe_daemon.table import inputs as inp
from shoe_daemon.table.codec import Step, encode

RETRY_S: Final = 1.0
"""How long a batch waits before it is tried again, while the journal cannot be written."""

_MICROSECONDS: Final = 1_000_000

_log = structlog.get_logger("pump")


class _Rx(msgspec.Struct, frozen=True):
    at: int
    data: bytes


class _Cable(msgspec.Struct, frozen=True):
    at: int
    state: Literal["up", "down"]
    reason: str | None


class _Ask(msgspec.Struct, frozen=True):
    at: int
    request: Request
    answer: "asyncio.Future[bytes]"


class _Cursor(msgspec.Struct, frozen=True):
    at: int
    audience: str
    consumer: str
    seq: int
    done: "asyncio.Future[None]"


_Job = _Rx | _Cable | _Ask | _Cursor | inp.Service


class Pump:
    """One table's pump. `now`: microseconds since 1970; `publish` sends, from the thread that wrote them."""

    def __init__(  # noqa: PLR0913 - the parts it joins
        self,
        *,
        machine: Machine,
        projector: Projector,
        journal: Journal,
        views: Views,
        publish: Callable[[Sequence[Message]], None],
        now: Callable[[], int],
        written: Callable[[bool], None] = lambda _: None,
    ) -> None:
        self._machine = machine
        self._projector = projector
        self._journal = journal
        self._views = views
        self._publish = publish
        self._now = now
        self._written = written
        self._inbox: list[_Job] = []
        self._wake = asyncio.Event()
        self._writer = Worker("journal")
        self._timer: asyncio.TimerHandle | None = None
        self._rows: list[Row] = []
        self._last = 0
        self._stopping = False
        self._closing = asyncio.Event()
        self._turns: list[asyncio.Future[None]] = []

    # -- what comes in, all in the loop's thread --------------------------------------------------------

    def bytes_read(self, data: bytes, at: int) -> None:
        """Bytes came from the shoe at `at`."""
        self._put(_Rx(at, data))

    def link(self, state: Literal["up", "down"], reason: str | None, at: int) -> None:
        """The cable came or went."""
        self._put(_Cable(at, state, reason))

    def service(self, service: inp.Service) -> None:
        """The process started, or stops: then the pump ends once that is on disk, or cannot be written."""
        if service.state == "stopped":
            self._closing.set()
        self._put(service)

    async def submit(self, request: Request) -> bytes:
        """Carry a command out and give its answer, on disk by then."""
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._put(_Ask(self._now(), request, answer))
        return await answer

    async def ack(self, audience: str, consumer: str, seq: int) -> None:
        """Keep the cursor of a consumer."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._put(_Cursor(self._now(), audience, consumer, seq, done))
        await done

    async def turn(self) -> None:
        """Wait until the pump has come round once more: proof that it works, journal written or not."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._turns.append(turn)
        self._wake.set()
        await turn

    def clock_set(self) -> bool:
        """The machine's clock was set: times may go back once. False while a timer counts on the old one."""
        if self._machine.due() is not None or self._inbox:
            return False
        self._last = 0
        return True

    def _put(self, job: _Job) -> None:
        self._inbox.append(job)
        self._wake.set()

    # -- the one task -----------------------------------------------------------------------------------

    async def run(self) -> None:
        """Pump until the service has stopped."""
        try:
            while not self._stopping:
                await self._wake.wait()
                self._wake.clear()
                jobs, self._inbox = self._inbox, []
                await self._batch(jobs)
                self._come_round()
                self._arm()
        finally:
            if self._timer is not None:
                self._timer.cancel()
            self._writer.close()

    async def _batch(self, jobs: list[_Job]) -> None:
        messages: list[Message] = []
        after: list[Callable[[], None]] = []
        for job in jobs:
            self._one(job, messages, after)
            if self._stopping:  # nothing is told after it: what came behind it is asked again
                break
        else:
            self._took(self._machine.advance(self._now()), messages)
        if not self._rows or (self._machine.pending and not messages and not after):
            return
        self._keep_state(messages)
        rows, self._rows = self._rows, []
        await self._commit(rows, messages)
        for message in messages:
            self._views.take(message)
        for tell in after:
            tell()

    def _one(self, job: _Job, messages: list[Message], after: list[Callable[[], None]]) -> None:
        at = self._last = max(job.at, self._last)
        # Timers first, so that the rows lie in the order in which things happened.
        self._took(self._machine.advance(at), messages)
        if isinstance(job, _Rx):
            self._rows.append(Row("rx", at, job.data))
            self._took(self._machine.rx(job.data, at), messages)
        elif isinstance(job, _Cable):
            self._took(self._machine.link(job.state, job.reason, at), messages)
        elif isinstance(job, _Ask):
            self._command(job, at, messages, after)
        elif isinstance(job, _Cursor):
            row = Row("cursor", at, b"", audience=job.audience, key=job.consumer, seq=job.seq)
            self._rows.append(row)
            after.append(lambda: _give(job.done, None))
        else:
            self._took(self._machine.service(msgspec.structs.replace(job, at=at)), messages)
            self._stopping = job.state == "stopped"

    def _command(self, job: _Ask, at: int, messages: list[Message], after: list[Callable[[], None]]) -> None:
        request = job.request
        command = inp.Command(
            at, request.verb, request.actor, request.args, request.expect_coup, request.refused
        )
        steps = self._machine.command(command)
        own = self._took(steps, messages)
        reason = _refusal(steps[-1])
        if reason is not None:
            answer = refused(request, reason)
        else:
            answer = accepted(request, [m.body for m in own if m.audience == ev.PUBLIC])
        if request.key is not None:
            self._rows.append(Row("answer", at, answer, key=request.key))
        after.append(lambda: _give(job.answer, answer))

    def _took(self, steps: list[Step], messages: list[Message]) -> list[Message]:
        """Rows and messages of `steps`; gives the messages of the last one."""
        own: list[Message] = []
        for step in steps:
            own = self._projector.project(step)
            at = step.input.at
            self._rows.append(Row("step", at, encode(step)))
            self._rows.extend(
                Row("message", at, m.body, audience=m.audience, seq=m.seq, key=m.topic.decode()) for m in own
            )
            messages += own
        return own

    def _keep_state(self, messages: list[Message]) -> None:
        """Where a shoe begins, add a snapshot to the batch, so that a start folds one shoe."""
        kinds = {message.type for message in messages}
        # With cards behind it, the snapshot would stand after cards that the projection must remember.
        if "shoe.loaded" not in kinds or "card.dealt" in kinds:
            return
        ahead = Views(dict(self._views.views))
        for message in messages:
            ahead.take(message)
        self._rows.append(Row("state", self._last, encode_state(self._machine.table, ahead)))

    def _write(self, rows: list[Row], messages: list[Message]) -> None:
        """In the writer's thread: on disk, then told, with no way back to the loop between them."""
        self._journal.append(rows)
        self._publish(messages)

    async def _commit(self, rows: list[Row], messages: list[Message]) -> None:
        failed = False
        while True:
            try:
                await self._writer.do(partial(self._write, rows, messages))
            except JournalError as error:
                if not failed:
                    _log.error("nothing is published until the journal can be written", error=str(error))
                failed = True
                self._written(False)  # noqa: FBT003 - is it written: no
                self._come_round()
                if self._closing.is_set():
                    raise
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._closing.wait(), RETRY_S)
            else:
                if failed:
                    _log.info("the journal can be written again")
                self._written(True)  # noqa: FBT003 - and yes
                return

    def _come_round(self) -> None:
        turns, self._turns = self._turns, []
        for turn in turns:
            _give(turn, None)

    def _arm(self) -> None:
        """Wake up when the next timer is due."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self._machine.due()
        if due is not None:
            delay = max(due - self._now(), 0) / _MICROSECONDS
            self._timer = asyncio.get_running_loop().call_later(delay, self._wake.set)


def _refusal(step: Step) -> str | None:
    found = (event.reason for event in step.events if isinstance(event, ev.CommandRefused))
    return next(found, None)


def _give(future: "asyncio.Future[Any]", value: Any) -> None:  # noqa: ANN401 - of the future's own type
    if not future.done():
        future.set_result(value)
