"""Ten million random and damaged bytes through each decoder: no exception, flat memory, no card not sent."""

import random
import tracemalloc

import pytest

from drivers.decoder import ProfileDecoder
from drivers.encoder import ProfileEncoder
from shoe_daemon.game.cards import DECK
from shoe_daemon.table.inputs import CardRead
from tests.drivers.test_profiles import CHECKED, NAMES, other_copies, profile

BYTES = 10_000_000
PIECE = 4096
PATIENCE = 10_000_000
"""Microseconds in which any frame that is asked for is given up."""


@pytest.mark.torture
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", NAMES)
def test_ten_million_bytes(name: str) -> None:
    """Half noise, half cards with a byte changed in every other frame; the figures are printed."""
    rng, decoder, encoder = random.Random(name), ProfileDecoder(profile(name)), ProfileEncoder(profile(name))
    session = profile(name).session
    fed, at, sent, read, wrong, peak = 0, 0, 0, 0, 0, 0
    before = set[str]()  # a frame may wait behind a false start until the next piece
    while fed < BYTES:
        if rng.random() < 0.5:
            data, cards = rng.randbytes(PIECE), set[str]()
        else:
            dealt = rng.choices(DECK, k=100)
            frames = [bytearray(frame) for frame in other_copies(encoder, dealt)]
            for frame in frames[::2]:
                frame[rng.randrange(len(frame))] = rng.randrange(256)
            data, cards = b"".join(frames), set(map(str, dealt))
            sent += len(dealt)
        faces = [str(one.face.open()) for one in decoder.feed(data, at) if isinstance(one, CardRead)]
        decoder.to_send()
        read += len(faces)
        wrong += sum(face not in cards | before for face in faces)
        before = cards
        fed += len(data)
        # Nobody sends again what is asked for: it is given up before the next piece.
        at += len(data) if session.nak is session.replay is None else PATIENCE
        if fed > BYTES // 10 and not tracemalloc.is_tracing():
            tracemalloc.start()
        if tracemalloc.is_tracing():
            peak = max(peak, tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    print(f"\n{name}: {fed:,} bytes, {sent:,} cards sent, {read:,} read, {wrong:,} never sent")  # noqa: T201 - figures
    assert peak < 200_000
    assert wrong == 0 or name not in CHECKED
