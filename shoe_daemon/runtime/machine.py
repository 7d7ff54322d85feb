"""Bytes, commands and time in; steps out: decoder, table and timers as `run` and `replay` share them."""

from typing import Final, Literal

import msgspec

from drivers import Decoder
from shoe_daemon.table import inputs as inp
from shoe_daemon.table.codec import Step
from shoe_daemon.table.decide import implied, next_due, step
from shoe_daemon.table.setup import Setup
from shoe_daemon.table.state import Table

DEVICE: Final = "dealer:shoe"
"""Who gives a command by pressing a button of the shoe."""


class Machine:
    """One table with its device. Times are microseconds since 1970 and go back by `clock_stepped` alone.

    Timers fire at their own due time before anything that comes at or after it, the decoder's first, so
    that the same timed bytes and commands give the same steps however late the process woke up.
    """

    def __init__(
        self,
        setup: Setup,
        decoder: Decoder,
        table: Table | None = None,
        buttons: dict[str, str] | None = None,
    ) -> None:
        self.setup = setup
        self.table = table or Table()
        self._decoder = decoder
        self._buttons = buttons or {}

    def rx(self, data: bytes, at: int) -> list[Step]:
        """Bytes from the shoe."""
        steps = self.advance(at)
        return steps + self._device(self._decoder.feed(data, at))

    def command(self, command: inp.Command) -> list[Step]:
        """An operator's command; its step is the last one."""
        return self.advance(command.at) + self._take(command)

    def opened(self, at: int) -> None:
        """A capture begins with the line up."""
        self._decoder.opened(at)

    def to_send(self) -> bytes:
        """What the device must be sent now that what was read is kept; given once."""
        return self._decoder.to_send()

    def link(self, state: Literal["up", "down"], reason: str | None, at: int) -> list[Step]:
        """The cable came or went. Down gives a half frame up first, as an input of its own."""
        steps = self.advance(at)
        if state == "down" and self.table.link in {"never", "up"}:
            steps += self._device(self._decoder.reset(at))
        if state == "up" and self.table.link != "up":
            self._decoder.opened(at)
        return steps + self._take(inp.Link(at, state, reason))

    def line_alarm(self, code: inp.LineFault, text: str, at: int) -> list[Step]:
        """The port saw something of the line; a half frame waits on."""
        return self.advance(at) + self._take(inp.LineAlarm(at, code, text))

    def noticed(self, notice: inp.Noticed, at: int) -> list[Step]:
        """The daemon noticed something, `at` the latest of what came before."""
        return self.advance(at) + self._take(msgspec.structs.replace(notice, at=at))

    def service(self, service: inp.Service) -> list[Step]:
        """The process starts or stops. A stop gives a half frame up first, as an input of its own."""
        if service.state == "started":
            # A half frame went with the process that was killed; it lies in the gap that is declared now.
            self._decoder.reset(service.at)
            return self.advance(service.at, up=False) + self._take(service)
        steps = self.advance(service.at)
        return steps + self._device(self._decoder.reset(service.at)) + self._take(service)

    def start(self, at: int) -> list[Step]:
        """The opening of a capture: table, shoe, first bets."""
        steps: list[Step] = []
        parts: tuple[Literal["table", "shoe", "betting"], ...] = ("table", "shoe", "betting")
        for part in parts:
            steps += self._take(inp.Start(at, part))
        return steps

    def advance(self, at: int, *, up: bool = True) -> list[Step]:
        """Fire every timer that is due at or before `at`, in the order of their times.

        `up` False: the daemon did not run until then; notices count nothing of it.
        """
        steps: list[Step] = []
        while True:
            frame, timer = self._decoder.due(), next_due(self.table, up=up)
            if frame is not None and frame <= at and (timer is None or frame <= timer):
                steps += self._device(self._decoder.tick(frame))
            elif timer is not None and timer <= at:
                steps += self._take(inp.TimePassed(timer, up))
            else:
                return steps

    def due(self) -> int | None:
        """When `advance` must be called next."""
        times = [time for time in (self._decoder.due(), next_due(self.table)) if time is not None]
        return min(times, default=None)

    @property
    def counting(self) -> bool:
        """A timer of the table or of a frame runs, which counts on the clock as it is."""
        return self._decoder.pending or next_due(self.table) is not None

    def checkpointed(self, checkpoint: inp.Checkpointed) -> list[Step]:
        """The journal has a checkpoint."""
        return self.advance(checkpoint.at) + self._take(checkpoint)

    def clock_stepped(self, stepped: inp.ClockStepped, until: int) -> list[Step]:
        """The clock was set, with no such timer running. `until`: when, in the time that counted before.

        What a device is asked in time is asked by the new clock.
        """
        steps = self.advance(until)
        self._decoder.clock_set(stepped.at)
        return steps + self._take(stepped)

    @property
    def pending(self) -> bool:
        """Bytes of an unfinished frame are held."""
        return self._decoder.pending

    def _device(self, inputs: list[inp.DeviceInput]) -> list[Step]:
        steps: list[Step] = []
        for what in inputs:
            if not isinstance(what, inp.Button):
                steps += self._take(what)
            elif what.name in self._buttons:
                verb = self._buttons[what.name]
                steps += self._take(inp.Command(what.at, verb, DEVICE, {}, pressed=True))
            else:  # nobody said what it means
                steps += self._take(inp.FrameRejected(what.at, "unmatched", what.raw))
        return steps

    def _take(self, what: inp.AnyInput) -> list[Step]:
        first = implied(self.table, what, self.setup)
        steps = [] if first is None else [self._decide(first)]
        return [*steps, self._decide(what)]

    def _decide(self, what: inp.AnyInput) -> Step:
        events, self.table = step(self.table, what, self.setup)
        return Step(what, events)
