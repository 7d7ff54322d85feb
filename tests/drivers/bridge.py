"""A device that sends frames again when it is asked to, on a line that damages what it carries."""

import heapq
import random
from collections.abc import Callable
from functools import partial

from drivers.decoder import ProfileDecoder
from drivers.encoder import ProfileEncoder
from drivers.profile import ShoeProfile
from drivers.resending import Resending
from shoe_daemon.game.cards import DECK
from shoe_daemon.table.inputs import CardRead, DeviceInput, SequenceGap, draws

MS = 1000
Damage = Callable[[bytes, random.Random], bytes]


def one_bit(frame: bytes, rng: random.Random) -> bytes:
    """`frame` with a bit flipped between its length and its end: still found as one frame."""
    place = rng.randrange(2, len(frame) - 1)
    return frame[:place] + bytes([frame[place] ^ 1 << rng.randrange(8)]) + frame[place + 1 :]


def anything(frame: bytes, rng: random.Random) -> bytes:
    """`frame` with a bit flipped, a byte left out, a byte more, or without its end; or nothing of it."""
    place = rng.randrange(len(frame))
    changed = bytes([frame[place] ^ 1 << rng.randrange(8)])
    return rng.choice(
        [
            frame[:place] + changed + frame[place + 1 :],
            frame[:place] + frame[place + 1 :],
            frame[:place] + changed + frame[place:],
            frame[:place],
            b"",
        ]
    )


def noise(frame: bytes, rng: random.Random) -> bytes:
    """`frame` among random bytes, or these alone."""
    return rng.choice(
        [
            rng.randbytes(rng.randrange(1, 40)) + frame,
            frame + frame[:1] + rng.randbytes(rng.randrange(1, 20)),
            frame[:2] + rng.randbytes(7),
            anything(frame, rng),
        ]
    )


class Bridge:
    """The device, its line and a decoder at the other end, run in the time of the bytes.

    Each frame that is sent, or sent again, is damaged by `damage` with the chance `bad`.
    """

    def __init__(self, profile: ShoeProfile, rng: random.Random, bad: float, damage: Damage) -> None:
        self._rng, self._bad, self._damage = rng, bad, damage
        self._decoder = ProfileDecoder(profile)
        self._encoder = ProfileEncoder(profile)
        self._alive = next(one for one in profile.messages if one.event == "none")
        self._again = Resending(profile)
        self._nak = profile.session.nak
        self._apart = profile.semantics.min_gap_ms
        self._last = b""
        self._line: list[tuple[int, int, Callable[[], bytes]]] = []
        self._written = 0
        self.cards: list[bytes] = []
        self.found: list[DeviceInput] = []

    def deals(self, cards: int, at: int) -> int:
        """Deal so many cards from `at` on, as fast and as slowly as it comes; when that is over."""
        for _ in range(cards):
            frame = self._encoder.encode_card(self._rng.choice(DECK))
            self.cards.append(frame)
            self._write(at, partial(self._new, frame))
            at += (self._apart + self._rng.choice([0, 5, 120, 350, 900])) * MS
        return at

    def lives(self, at: int) -> None:
        """Say at `at` that it lives, in a frame that is never damaged."""
        frame = self._encoder._filled(self._alive, {})
        self._write(at, lambda: frame)

    def run(self) -> None:
        """Until nothing is under way and nothing is waited for."""
        while True:
            due = self._decoder.due()
            if self._line and (due is None or self._line[0][0] <= due):
                now, _, data = heapq.heappop(self._line)
                self.found += self._decoder.feed(data(), now)
            elif due is not None:
                now = due
                self.found += self._decoder.tick(now)
            else:
                return
            said = self._decoder.to_send()
            for frame in self._again.asked(said):
                self._answers(now, partial(self._carried, frame))
            for _ in range(0 if self._nak is None else said.count(self._nak.encode("latin-1"))):
                self._answers(now, lambda: self._carried(self._last))

    def _answers(self, now: int, data: Callable[[], bytes]) -> None:
        self._write(now + self._rng.choice([1, 20, 80]) * MS, data)

    def _new(self, frame: bytes) -> bytes:
        self._again.sent(frame)
        self._last = frame
        return self._carried(frame)

    def _carried(self, frame: bytes) -> bytes:
        return self._damage(frame, self._rng) if self._rng.random() < self._bad else frame

    def _write(self, at: int, data: Callable[[], bytes]) -> None:
        self._written += 1
        heapq.heappush(self._line, (at, self._written, data))

    def places(self) -> list[tuple[int, int]]:
        """Of each card read, which one of those dealt it is, and the places before it; at the end, of all."""
        told, before = list[tuple[int, int]](), 0
        for one in self.found:
            if isinstance(one, CardRead):
                number = next(place for place, frame in enumerate(self.cards) if frame.startswith(one.raw))
                told.append((number, before))
            before += one.missing if isinstance(one, SequenceGap) else draws(one)
        return [*told, (len(self.cards), before)]
