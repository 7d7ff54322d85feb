"""How fast each shoe profile reads cards, and noise."""

import random
import statistics
import time
from collections.abc import Iterator
from typing import Final

import msgspec

from drivers.decoder import ProfileDecoder
from drivers.encoder import ProfileEncoder
from drivers.profile import ShoeProfile, parse_shoe
from shoe_daemon.game.cards import DECK
from shoe_daemon.runtime.resources import names, shoe_file

LINE: Final = 115_200 / 10
"""Bytes a second at 115,200 baud."""
_PIECE = 64
_CARDS = 4000
_NOISE = 100_000


class Decoding(msgspec.Struct, frozen=True):
    """Bytes a second of good frames, and of random bytes."""

    profile: str
    good: float
    noise: float


def decoding(repetitions: int) -> Iterator[Decoding]:
    """Every shipped profile, the median of so many repetitions."""
    for name in names("shoes"):
        profile = parse_shoe(*shoe_file(name))
        encoder = ProfileEncoder(profile)
        good = b"".join(encoder.encode_card(DECK[place % len(DECK)]) for place in range(_CARDS))
        noise = random.Random(7).randbytes(_NOISE)  # noqa: S311 - bytes to read, nothing secret
        yield Decoding(
            name,
            *(statistics.median(_speed(profile, data) for _ in range(repetitions)) for data in (good, noise)),
        )


def _speed(profile: ShoeProfile, data: bytes) -> float:
    decoder = ProfileDecoder(profile)
    begun = time.perf_counter()
    for place in range(0, len(data), _PIECE):
        decoder.feed(data[place : place + _PIECE], place)
    return len(data) / (time.perf_counter() - begun)
