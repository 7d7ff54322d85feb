"""The pump: take all that waits, decide, commit, publish, answer. One thread, so order needs no lock.

The loop's thread reads the port with the exact time and serves the sockets; a disk that stalls holds up
neither. Nothing is told before it is on disk. If the journal cannot be written, the batch waits, what comes
in meanwhile waits behind it, and nothing is final; when space returns it goes on without a restart.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Final, Literal

import msgspec
import structlog

from shoe_daemon.runtime.checkpoint import at_rest, due
from shoe_daemon.runtime.control import Request, accepted, refused
from shoe_daemon.runtime.jobs import Answers, Ask, Cable, Cursor, Job, Noted, Rx, Turn
from shoe_daemon.runtime.journal import Journal
from shoe_daemon.runtime.machine import Machine
from shoe_daemon.runtime.messages import Message, Projector
from shoe_daemon.runtime.resume import Views, encode_state
from shoe_daemon.runtime.rows import JournalError, Row, acknowledged, told
from shoe_daemon.table import events as ev
from shoe_daemon.table import inputs as inp
from shoe_daemon.table.codec import Step, encode

RETRY_S: Final = 1.0
"""How long a batch waits before it is tried again, while the journal cannot be written."""

_MICROSECONDS: Final = 1_000_000

_log = structlog.get_logger("pump")


class Pump:
    """One table's pump. `now`: microseconds since 1970; `publish` tells, in the pump's thread.

    `send` and `reopen` are called in the loop: bytes for the device, and why its line must be opened anew.
    All methods are for the loop's thread.
    """

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
        send: Callable[[bytes], None] = lambda _: None,
        reopen: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._machine = machine
        self._projector = projector
        self._journal = journal
        self._views = views
        self._publish = publish
        self._now = now
        self._written = written
        self._send = send
        self._reopen = reopen
        self._inbox: SimpleQueue[Job] = SimpleQueue()
        self._given = 0
        self._done = 0
        self._due = machine.due()
        self._counting = machine.counting
        self._busy = threading.Lock()
        self._behind: list[Job] = []
        self._rows: list[Row] = []
        self._last = 0
        self._unsigned = True
        self._untold: inp.Checkpointed | None = None
        self._closing = False
        self._stopping = False
        self._stalled = ""

    # -- what comes in, all in the loop's thread --------------------------------------------------------

    def bytes_read(self, data: bytes, at: int) -> None:
        """Bytes came from the shoe at `at`."""
        self._put(Rx(at, data))

    def link(self, state: Literal["up", "down"], reason: str | None, at: int) -> None:
        """The cable came or went."""
        self._put(Cable(at, state, reason))

    def line_alarm(self, code: inp.LineFault, text: str, at: int) -> None:
        """The port saw something of the line."""
        self._put(inp.LineAlarm(at, code, text))

    def noticed(self, notice: inp.Noticed) -> None:
        """The daemon noticed something that surveillance should look at."""
        self._put(notice)

    def service(self, service: inp.Service) -> None:
        """The process started, or stops: then the pump ends once that is on disk, or cannot be written."""
        self._closing = self._closing or service.state == "stopped"
        self._put(service)

    async def submit(self, request: Request) -> bytes:
        """Carry a command out and give its answer, on disk by then."""
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._put(Ask(self._now(), request, answer))
        return await answer

    async def ack(self, audience: str, consumer: str, seq: int) -> None:
        """Keep the cursor of a consumer."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._put(Cursor(self._now(), audience, consumer, seq, done))
        await done

    async def turn(self) -> None:
        """Wait until the pump has come round once more: proof that it works, journal written or not."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._put(Turn(self._now(), done))
        await done

    def clock_set(self, rebase: Callable[[], int]) -> bool:
        """The machine's clock was set: follow it, and tell so. False while a timer counts.

        `rebase` sets ours and gives how far it moved, µs: here alone may times go back.
        """
        if not self._busy.acquire(blocking=False):
            return False
        try:
            # Jobs come from this thread alone: a pump at rest stays so until we return.
            if self._given != self._done or self._counting:
                return False
            moved = rebase()
            after = self._now()
            # Before the pump may go on: what waits for a time of the old clock must not come first.
            self._put(inp.ClockStepped(after, after - moved, after))
        finally:
            self._busy.release()
        return True

    def _put(self, job: Job) -> None:
        self._given += 1
        self._inbox.put(job)

    async def run(self) -> None:
        """Pump until the service has stopped. Nothing is written once this is over, however it ended."""
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[None] = loop.create_future()
        thread = threading.Thread(target=self._work, args=(loop, ended), name="pump", daemon=True)
        thread.start()
        try:
            await ended
        finally:
            self._closing = self._stopping = True
            self._put(Turn(self._last, ended))  # wakes it where nobody waits for it any more
            thread.join()

    # -- the one thread ---------------------------------------------------------------------------------

    def _work(self, loop: asyncio.AbstractEventLoop, ended: "asyncio.Future[None]") -> None:
        try:
            self._journal.lengthen_log()
            while not self._stopping:
                jobs = self._next()
                with self._busy:
                    answers = self._batch(jobs, loop)
                    self._due, self._counting = self._machine.due(), self._machine.counting
                    self._done += len(jobs)
                _answer(loop, answers)
        except BaseException as error:  # noqa: BLE001 - raised again where the pump is awaited
            loop.call_soon_threadsafe(_fail, ended, error)
        else:
            _answer(loop, [(ended, None)])

    def _next(self) -> list[Job]:
        """Wait for a job, or until a timer is due; give all that waits."""
        if self._behind:
            jobs, self._behind = self._behind, []
            return jobs
        due = self._due if self._untold is None else 0
        return self._take(None if due is None else max(due - self._now(), 0) / _MICROSECONDS)

    def _take(self, patience_s: float | None) -> list[Job]:
        try:
            jobs = [self._inbox.get(timeout=patience_s)]
        except Empty:
            return []
        while not self._inbox.empty():
            jobs.append(self._inbox.get())
        return jobs

    def _batch(self, jobs: list[Job], loop: asyncio.AbstractEventLoop) -> Answers:
        messages: list[Message] = []
        answers: Answers = []
        turns: Answers = []
        if self._untold is not None:  # before anything opens a coup
            self._took(self._machine.checkpointed(self._untold), messages)
            self._untold = None
        for job in jobs:
            if isinstance(job, Turn):
                turns.append((job.done, None))
                continue
            self._one(job, messages, answers)
            if self._stopping:  # nothing is told after it: what came behind it is asked again
                break
        else:
            self._fire(messages)
        # Bytes of half a frame wait for the rest, to be written with what they cause.
        say = self._machine.to_send()
        if self._rows and (messages or answers or say or not self._machine.pending):
            self._keep_state(messages)
            signs = self._signs(messages)
            rows, self._rows = self._rows, []
            self._commit(rows, turns, loop)
            if signs and self._journal.checkpoint is not None:
                self._untold = self._journal.checkpoint.told()
            self._publish(messages)
            for message in messages:
                self._views.take(message)
        if say:  # an acknowledgement means that it is on disk
            loop.call_soon_threadsafe(self._send, say)
        if self._stalled:
            loop.call_soon_threadsafe(self._reopen, self._stalled)
            self._stalled = ""
        return answers + turns

    def _fire(self, messages: list[Message]) -> None:
        """Fire what is due by now, unless more has come in: that came before it, or may have."""
        now = self._now()
        if not self._inbox.empty():
            return
        while (due := self._machine.due()) is not None and due <= now:
            # What was read a moment ago and is not here yet follows in the account: so it does in time.
            self._last = max(self._last, due)
            self._took(self._machine.advance(due), messages)

    def _one(
        self,
        job: Rx | Cable | Ask | Cursor | Noted,
        messages: list[Message],
        answers: Answers,
    ) -> None:
        if isinstance(job, inp.ClockStepped):
            self._took(self._machine.clock_stepped(job, job.before), messages)
            self._last = job.at
            return
        at = self._last = max(job.at, self._last)
        # Timers first, so that the rows lie in the order in which things happened.
        starts = isinstance(job, inp.Service) and job.state == "started"
        self._took(self._machine.advance(at, up=not starts), messages)
        if isinstance(job, Rx):
            self._rows.append(Row("rx", at, job.data))
            self._took(self._machine.rx(job.data, at), messages)
        elif isinstance(job, Cable):
            self._took(self._machine.link(job.state, job.reason, at), messages)
        elif isinstance(job, inp.LineAlarm):
            self._took(self._machine.line_alarm(job.code, job.text, at), messages)
        elif isinstance(job, inp.Noticed):
            self._took(self._machine.noticed(job, at), messages)
        elif isinstance(job, Ask):
            self._command(job, at, messages, answers)
        elif isinstance(job, Cursor):
            self._rows.append(acknowledged(at, job.audience, job.consumer, job.seq))
            answers.append((job.done, None))
        else:
            self._took(self._machine.service(msgspec.structs.replace(job, at=at)), messages)
            self._stopping = job.state == "stopped"

    def _command(self, job: Ask, at: int, messages: list[Message], answers: Answers) -> None:
        request = job.request
        command = inp.Command(
            at,
            request.verb,
            request.actor,
            request.args,
            request.expect_coup,
            request.refused,
            via=request.via,
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
        answers.append((job.answer, answer))

    def _took(self, steps: list[Step], messages: list[Message]) -> list[Message]:
        """Rows and messages of `steps`; gives the messages of the last one."""
        own: list[Message] = []
        for step in steps:
            own = self._projector.project(step)
            if isinstance(step.input, inp.Silent) and step.input.state == "stalled":
                self._stalled = f"stalled: {step.input.reason}"
            at = step.input.at
            self._rows.append(Row("step", at, encode(step)))
            if own:
                self._rows.append(told(at, own))
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

    def _signs(self, messages: list[Message]) -> bool:
        """Add a checkpoint to the batch where something has ended and no coup is open; also at the start."""
        self._unsigned = self._unsigned or due(messages)
        signs = self._unsigned and self._journal.signs and at_rest(self._machine.table)
        if signs:
            self._rows.append(Row("checkpoint", self._last, b""))
            self._unsigned = False
        return signs

    def _commit(self, rows: list[Row], turns: Answers, loop: asyncio.AbstractEventLoop) -> None:
        """Write `rows`, however long the journal cannot be written; what comes in meanwhile waits behind.

        `turns` do not wait for that.
        """
        failed = False
        while True:
            try:
                self._journal.append(rows)
            except JournalError as error:
                if not failed:
                    _log.error("nothing is published until the journal can be written", error=str(error))
                failed = True
                self._written(False)  # noqa: FBT003 - is it written: no
                if self._closing:
                    raise
                _answer(loop, turns)
                self._wait_behind(loop)
            else:
                if failed:
                    _log.info("the journal can be written again")
                self._written(True)  # noqa: FBT003 - and yes
                return

    def _wait_behind(self, loop: asyncio.AbstractEventLoop) -> None:
        """Let `RETRY_S` pass, unless told to stop, and answer those who ask whether the pump comes round."""
        end = time.monotonic() + RETRY_S
        while (left := end - time.monotonic()) > 0 and not self._closing:
            jobs = self._take(left)
            _answer(loop, [(job.done, None) for job in jobs if isinstance(job, Turn)])
            self._behind += jobs


def _refusal(step: Step) -> str | None:
    found = (event.reason for event in step.events if isinstance(event, ev.CommandRefused))
    return next(found, None)


def _answer(loop: asyncio.AbstractEventLoop, answers: Answers) -> None:
    if answers:
        loop.call_soon_threadsafe(_give, answers)


def _give(answers: Answers) -> None:
    for future, value in answers:
        if not future.done():  # nobody waits any more
            future.set_result(value)


def _fail(ended: "asyncio.Future[None]", error: BaseException) -> None:
    if not ended.done():
        ended.set_exception(error)
