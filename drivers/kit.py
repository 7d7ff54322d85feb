"""The test kit for drivers: what a Decoder promises, tried on a capture of its device and on noise.

Nothing here needs to know what the device speaks. All chance comes from one seed. A decoder that never
returns from a call hangs the kit as it would hang a table.
"""

import gc
import random
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import msgspec

from drivers import Decoder
from drivers.handling import (
    SECOND,
    SILENCE,
    START,
    Handling,
    Notes,
    Step,
    WrongDecoderError,
    bytewise,
    steps_of,
    whole,
)
from shoe_daemon.table.inputs import DeviceInput

Make = Callable[[], Decoder]

CUTS: Final = 8
"""Times that a capture is cut at random."""
DAMAGED: Final = 150
"""Captures with one bit flipped, and as many with one byte dropped."""
PLACES: Final = 60
"""Places of a capture at which the line goes."""
NOISE: Final = 1_000_000
"""Bytes."""
MORE: Final = 100_000
"""Bytes of noise, and as many of the capture, that must leave no memory behind."""
GROWTH: Final = 65_536
"""Bytes of memory that may be more behind noise than before."""
_HOUR: Final = 3_600 * SECOND
_DAY: Final = 24 * _HOUR


class Outcome(msgspec.Struct, frozen=True):
    """One check: its name, what it looks for, and what is wrong; no `problems` where it is well."""

    check: str
    about: str
    problems: tuple[str, ...]


class Kit:
    """The checks, of the decoders that `make` gives, on a capture."""

    def __init__(self, make: Make, steps: Sequence[Step], seed: int, noise: int = NOISE) -> None:
        self._make = make
        self._steps = steps
        self._seed = seed
        self._amount = noise
        self._random = random.Random(seed)  # noqa: S311 - the same trials each time, from a seed
        self._notes: Notes = {}
        self._read: list[DeviceInput] = []

    def outcomes(self, checks: Sequence[str] = ()) -> Iterator[Outcome]:
        """Give each check as it is done; where the capture cannot be read at all, that one alone.

        `checks`: those wanted beside the capture; all where none is named.
        """
        for name, (about, check) in CHECKS.items():
            if checks and name not in {"capture", *checks}:
                continue
            self._random.seed(f"{self._seed} {name}")
            try:
                check(self)
            except WrongDecoderError as error:
                self._note(name, str(error))
            except Exception as error:  # noqa: BLE001 - whatever a driver raises is what is looked for
                self._note(name, f"raises {type(error).__name__}: {error}")
            yield Outcome(name, about, tuple(self._notes.get(name, ())))
            if name == "capture" and name in self._notes:
                return

    def capture(self) -> None:
        """Read the capture as it is; all else is compared with that."""
        self._read = self._fresh().play(self._steps)
        if not self._read:
            self._note("capture", "nothing is read in it: there is nothing to compare with")

    def chunks(self) -> None:
        """Cut the bytes of each moment in other ways."""
        self._compare("chunks", "cut into single bytes", self._fresh().play(self._steps, bytewise))
        for _ in range(CUTS):
            self._compare("chunks", "cut at random", self._fresh().play(self._steps, self._cut))

    def ticks(self) -> None:
        """Tick when due, late, too often; ask for what is to be sent, or not."""
        for words, between in (
            ("ticked whenever it is due", Handling.settle),
            ("ticked before all bytes of a moment", _tick),
            ("given empty chunks", _feed_nothing),
            ("ticked at random", self._tick_often),
            ("asked for what is to be sent", _send),
        ):
            self._compare("ticks", words, self._fresh().play(self._steps, between=between))

    def due(self) -> None:
        """Tick a microsecond early, and on time, whenever something is due."""
        self._fresh().play(self._steps, bytewise, self._early)

    def sending(self) -> None:
        """Take what is to be sent after each byte."""
        one = self._fresh()

        def cut(data: bytes) -> Iterator[bytes]:
            for piece in bytewise(data):
                yield piece
                one.send()

        one.play(self._steps, cut, _send)
        one.send()

    def reset(self) -> None:
        """Let the line go between any two bytes."""
        pieces = self._pieces()
        for place in self._sample(len(pieces), PLACES):
            one = self._fresh()
            one.opened(START)
            for piece in pieces[: place + 1]:
                one.step(piece, whole, START)
            one.reset(one.now)
            if one.decoder.pending:
                self._note("reset", "pending is still true")
            if (due := one.due()) is not None:
                self._note("reset", f"due() is {due}, not None")
            if sent := one.decoder.to_send():
                self._note("reset", f"to_send() gives {sent!r}: the line is down")
            if again := one.reset(one.now):
                self._note("reset", f"a second reset gives {again} inputs more")

    def apart(self) -> None:
        """Feed two decoders in turn, byte by byte."""
        pieces = self._pieces()
        pair = (self._fresh(), self._fresh())
        for one in pair:
            one.opened(START)
        done = [0, 0]
        while any(count < len(pieces) for count in done):
            which = self._random.randrange(2)
            if done[which] < len(pieces):
                pair[which].step(pieces[done[which]], whole, START)
                done[which] += 1
        for one in pair:
            one.tick(START + self._steps[-1].after + SILENCE)
            self._compare("apart", "read beside another decoder", one.found)

    def noise(self) -> None:
        """Feed noise, taking what is to be sent."""
        one = self._fresh()
        one.opened(START)
        self._make_noise(one, self._amount)

    def memory(self) -> None:
        """Measure what is held after noise and the capture, and after much more of both."""
        one = self._fresh()
        one.opened(START)
        tracing = tracemalloc.is_tracing()
        if not tracing:
            tracemalloc.start()
        try:
            self._rounds(one, MORE // 4)
            before = _held() - one.kept()
            self._rounds(one, MORE)
            grown = _held() - one.kept() - before
        finally:
            if not tracing:
                tracemalloc.stop()
        if grown > GROWTH:
            self._note("memory", f"{grown:,} bytes more are held after {2 * MORE:,} bytes more")

    def damage(self) -> None:
        """Flip a bit or drop a byte; what is read then depends on chunks as little as before."""
        places = [
            (number, place) for number, step in enumerate(self._steps) for place in range(len(step.data))
        ]
        for trial in range(2 * DAMAGED):
            number, place = self._random.choice(places)
            step = self._steps[number]
            data = bytearray(step.data)
            if trial % 2:
                del data[place]
            else:
                data[place] ^= 1 << self._random.randrange(8)
            damaged = [*self._steps]
            damaged[number] = Step(step.after, "bytes", bytes(data))
            once = self._fresh().play(damaged)
            again = self._fresh().play(damaged, self._cut, Handling.settle)
            if once != again:
                self._note("damage", f"read otherwise when cut and ticked: {_parting(once, again)}")

    def recovery(self) -> None:
        """Read the capture behind noise and a reset."""
        one = self._fresh()
        one.opened(START)
        self._make_noise(one, self._amount // 20)
        one.reset(one.now)
        one.found.clear()
        base = one.now + SECOND
        expected = self._fresh().play(self._steps, base=base)
        self._differ("recovery", "behind noise and a reset", expected, one.play(self._steps, base=base))

    def opening(self) -> None:
        """Open twice before the first byte."""
        one = self._fresh()
        one.opened(START)
        self._compare("opening", "opened twice", one.play(self._steps))

    def clock(self) -> None:
        """Set the clock before the first byte, and then whenever nothing is unfinished."""
        for moved in (_HOUR, -_HOUR):
            one = self._fresh()
            one.opened(START)
            one.clock_set(START + moved)
            base = START + moved
            expected = self._fresh().play(self._steps, base=base)
            words = f"the clock set {moved // SECOND} s before the first byte"
            self._differ("clock", words, expected, one.play(self._steps, base=base))
        for moved in (_DAY, -_DAY):
            self._set_between(moved)

    def _set_between(self, moved: int) -> None:
        """Move the clock before each step where nothing is unfinished."""
        one = self._fresh()
        one.opened(START)
        base = START
        for step in self._steps:
            one.settle(base + step.after)
            if not one.decoder.pending:
                base += moved
                one.clock_set(base + step.after)
                due = one.due()
                if due is not None and due > one.now + _DAY // 2:
                    self._note("clock", "after clock_set due() still counts by the clock as it was")
            one.step(step, whole, base)
        one.settle(one.now + SILENCE)

    def noted(self) -> None:
        """All that was looked at on the way."""

    def _fresh(self) -> Handling:
        return Handling(self._make(), self._notes)

    def _note(self, check: str, words: str) -> None:
        self._notes.setdefault(check, [])
        if words not in self._notes[check]:
            self._notes[check].append(words)

    def _compare(self, check: str, words: str, got: Sequence[DeviceInput]) -> None:
        self._differ(check, words, self._read, got)

    def _differ(
        self, check: str, words: str, expected: Sequence[DeviceInput], got: Sequence[DeviceInput]
    ) -> None:
        if got != expected:
            self._note(check, f"{words}: {_parting(expected, got)}")

    def _cut(self, data: bytes) -> Iterator[bytes]:
        while data:
            size = self._random.randint(1, len(data))
            yield data[:size]
            data = data[size:]

    def _pieces(self) -> list[Step]:
        """The capture in steps of one byte."""
        return [
            Step(step.after, step.does, data)
            for step in self._steps
            for data in (bytewise(step.data) if step.data else (b"",))
        ]

    def _sample(self, size: int, most: int) -> list[int]:
        return sorted(self._random.sample(range(size), min(size, most)))

    def _tick_often(self, one: Handling, until: int) -> None:
        for now in sorted(self._random.randint(one.now, until) for _ in range(4)):
            one.tick(now)

    def _early(self, one: Handling, until: int) -> None:
        due = one.due()
        if due is not None and one.now < due - 1 and due <= until and one.tick(due - 1):
            self._note("due", "inputs came by a tick before due()")
        one.settle(until)

    def _make_noise(self, one: Handling, size: int) -> None:
        """Feed `size` random bytes in chunks, now and then a silence."""
        while size > 0:
            data = self._random.randbytes(min(size, self._random.randint(1, 4096)))
            size -= len(data)
            now = one.now + self._random.choice((10_000, 50_000, SILENCE))
            one.settle(now)
            one.feed(data, now)
            one.send()
            one.found.clear()

    def _rounds(self, one: Handling, size: int) -> None:
        """Noise and the capture in turn, `size` bytes of each."""
        self._make_noise(one, size)
        sent = b"".join(step.data for step in self._steps)
        for _ in range(size // len(sent) + 1):
            one.settle(one.now + SECOND)
            one.feed(sent, one.now)
            one.send()
            one.found.clear()


CHECKS: Final[dict[str, tuple[str, Callable[[Kit], None]]]] = {
    "capture": ("the capture is read, and nothing is raised", Kit.capture),
    "chunks": ("how bytes are cut into chunks makes no difference", Kit.chunks),
    "ticks": ("when tick is called makes no difference", Kit.ticks),
    "due": ("due is when something falls due, and lies ahead after tick(due)", Kit.due),
    "sending": ("to_send gives bytes, and each of them once", Kit.sending),
    "reset": ("after reset nothing is held, due or to be sent", Kit.reset),
    "apart": ("two decoders do not disturb each other", Kit.apart),
    "opening": ("opened before the first byte does no harm", Kit.opening),
    "clock": ("clock_set does no harm while nothing is unfinished", Kit.clock),
    "damage": ("flipped bits and dropped bytes raise nothing, in whatever chunks", Kit.damage),
    "noise": ("random bytes raise nothing", Kit.noise),
    "memory": ("noise and cards leave no memory behind", Kit.memory),
    "recovery": ("the capture is read right behind noise and a reset", Kit.recovery),
    "kinds": ("all inputs are of the known kinds", Kit.noted),
    "times": ("inputs bear times from their first byte to now", Kit.noted),
    "raw": ("raw is part of what was fed", Kit.noted),
}
"""By name: what the check looks for, and the check. The last three were looked at all the way."""


def examine(
    make: Make, capture: Iterable[str], seed: int, checks: Sequence[str] = (), noise: int = NOISE
) -> Iterator[Outcome]:
    """Try the decoders that `make` gives: behind the capture the `checks`, all where none is named.

    `noise`: how many random bytes. Raises ValueError for a bad line of `capture`.
    """
    yield from Kit(make, steps_of(capture), seed, noise).outcomes(checks)


def _tick(one: Handling, now: int) -> None:
    one.tick(now)


def _feed_nothing(one: Handling, now: int) -> None:
    one.feed(b"", now)


def _send(one: Handling, _now: int) -> None:
    one.send()


def _held() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def _parting(expected: Sequence[DeviceInput], got: Sequence[DeviceInput]) -> str:
    """Where two readings part, in words."""
    number = next(
        (place for place, (one, other) in enumerate(zip(expected, got, strict=False)) if one != other),
        min(len(expected), len(got)),
    )
    was, now = (repr(some[number]) if number < len(some) else "no more" for some in (expected, got))
    return f"input {number + 1} is {now} instead of {was}"
