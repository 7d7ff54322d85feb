"""A decoder in the hands of the test kit: driven through a capture, each answer looked at on the way.

What is wrong is noted under the name of its check; what the decoder raises is let through.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Literal, get_args

import msgspec

from drivers import Decoder
from drivers.script import Cable, Send, read_capture
from shoe_daemon.table.inputs import CardRead, DeviceInput, Silent
from shoe_daemon.table.sealed import Sealed

SECOND: Final = 1_000_000
START: Final = 1_700_000_000 * SECOND
"""When a capture begins here, microseconds since 1970: not 0, which a wrong time is most likely to be."""
SILENCE: Final = 10 * SECOND
"""What follows a capture."""

_WINDOW: Final = 262_144
"""Bytes: as much of what was fed is kept to look for `raw` in; frames may wait for one before them."""
_KINDS: Final = get_args(DeviceInput)

Cut = Callable[[bytes], Iterable[bytes]]
Between = Callable[["Handling", int], None]
Notes = dict[str, list[str]]


class Step(msgspec.Struct, frozen=True):
    """What a capture does `after` its start, in microseconds: bytes come, or the line goes or comes."""

    after: int
    does: Literal["bytes", "down", "up"]
    data: bytes = b""


class WrongDecoderError(Exception):
    """The decoder cannot be driven further; the words say why."""


def steps_of(capture: Iterable[str]) -> list[Step]:
    """The bytes and the cable of a capture; bytes of one time are one step. ValueError for a bad line."""
    steps: list[Step] = []
    for action in read_capture(capture):
        after = round(action.at_s * SECOND)
        if isinstance(action, Cable):
            steps.append(Step(after, action.state))
        elif isinstance(action, Send):
            last = steps[-1] if steps else None
            if last is not None and last.does == "bytes" and last.after == after:
                steps[-1] = Step(after, "bytes", last.data + action.data)
            else:
                steps.append(Step(after, "bytes", action.data))
    return steps


def whole(data: bytes) -> Iterable[bytes]:
    """Not cut."""
    return (data,)


def bytewise(data: bytes) -> Iterable[bytes]:
    """Cut into single bytes."""
    return (data[place : place + 1] for place in range(len(data)))


def untouched(_one: "Handling", _now: int) -> None:
    """Between two steps nothing is called."""


class Handling:
    """One decoder. `found` are its inputs so far; `notes`, what was wrong with them by check, once each."""

    def __init__(self, decoder: Decoder, notes: Notes) -> None:
        self.decoder = decoder
        self.found: list[DeviceInput] = []
        self.notes = notes
        self.now = START
        self._opened = START
        self._first: int | None = None
        self._fed = bytearray()

    def note(self, check: str, words: str) -> None:
        """Note what is wrong."""
        said = self.notes.setdefault(check, [])
        if words not in said:
            said.append(words)

    def kept(self) -> int:
        """Bytes of memory that are held here, not by the decoder."""
        return sys.getsizeof(self._fed)

    def opened(self, now: int) -> None:
        """The line comes up at `now`."""
        self.now = self._opened = now
        self._first = None
        self.decoder.opened(now)

    def feed(self, data: bytes, now: int) -> int:
        """Feed; gives how many inputs came."""
        self.now = now
        if data and self._first is None:
            self._first = now
        self._fed += data
        del self._fed[:-_WINDOW]
        return self._take(self.decoder.feed(data, now))

    def tick(self, now: int) -> int:
        """Tick; gives how many inputs came."""
        self.now = now
        return self._take(self.decoder.tick(now))

    def reset(self, now: int) -> int:
        """The line goes down at `now`, after what was due by then; gives how many inputs came."""
        self.tick(now)
        return self._take(self.decoder.reset(now))

    def clock_set(self, now: int) -> None:
        """The clock is set to `now`."""
        self.now = self._opened = now
        self._first = None
        self.decoder.clock_set(now)

    def due(self) -> int | None:
        """When the decoder wants to be called."""
        due: Any = self.decoder.due()  # what it promises is not believed
        if due is None:
            return None
        if type(due) is not int:
            raise WrongDecoderError(f"due() gives {due!r}: whole microseconds or None")
        return due

    def send(self) -> None:
        """Take what is to be sent."""
        sent = self.decoder.to_send()
        if type(sent) is not bytes:
            self.note("sending", f"to_send() gives {type(sent).__name__}, not bytes")
        elif again := self.decoder.to_send():
            self.note("sending", f"to_send() gives {again!r} at once again")

    def settle(self, until: int) -> None:
        """Tick whenever the decoder wants it, up to `until`, and once then."""
        began, count = self.now, 0
        while (due := self.due()) is not None and due <= until:
            self.tick(due)
            after = self.due()
            if after is not None and after <= due:
                raise WrongDecoderError(f"after tick({due}) due() is {after}: that is not later")
            count += 1
            if count > 1000 + (due - began) // 500:
                raise WrongDecoderError(f"wants tick {count} times in {(due - began) / SECOND:.3f} s")
        self.tick(until)

    def play(
        self,
        steps: Sequence[Step],
        cut: Cut = whole,
        between: Between = untouched,
        base: int = START,
    ) -> list[DeviceInput]:
        """Play a capture that starts at `base`, and ten silent seconds; gives all inputs of this decoder.

        `between` is called before each step and before the end, with its time.
        """
        self.opened(base)
        for step in steps:
            between(self, base + step.after)
            self.step(step, cut, base)
        end = base + (steps[-1].after if steps else 0) + SILENCE
        between(self, end)
        self.tick(end)
        return self.found

    def step(self, step: Step, cut: Cut, base: int) -> None:
        """Do one step of a capture that started at `base`."""
        at = base + step.after
        if step.does == "down":
            self.reset(at)
        elif step.does == "up":
            self.opened(at)
        else:
            for piece in cut(step.data):
                self.feed(piece, at)

    def _take(self, got: object) -> int:
        if not isinstance(got, list):
            raise WrongDecoderError(f"gives {type(got).__name__}, not a list of inputs")
        for one in got:
            if isinstance(one, _KINDS):
                self._look(one)
            else:
                self.note("kinds", f"{type(one).__name__} is no input of a device")
        self.found += got
        return len(got)

    def _look(self, one: Any) -> None:  # noqa: ANN401 - nothing that it holds is believed
        kind = type(one).__name__
        if kind == CardRead.__name__ and not isinstance(one.face, Sealed):
            self.note("kinds", "the face of a CardRead is not Sealed")
        first = self._opened if isinstance(one, Silent) or self._first is None else self._first
        if type(one.at) is not int:
            self.note("times", f"{kind}: at is {type(one.at).__name__}: whole microseconds")
        elif one.at > self.now:
            self.note("times", f"{kind}: at lies after the time of the call")
        elif one.at < first:
            self.note("times", f"{kind}: at lies before the first byte since the line came up")
        if type(one.raw) is not bytes:
            self.note("raw", f"{kind}: raw is {type(one.raw).__name__}, not bytes")
        elif self._fed.rfind(one.raw) < 0:
            self.note("raw", f"{kind}: raw is no part of what was fed, as it came")
