"""Numbered frames on a line that damages many of them: what is read and told of the cards that were dealt."""

import random
from itertools import pairwise

import pytest

from drivers.profile import ShoeProfile
from tests.drivers.bridge import MS, Bridge, Damage, anything, noise, one_bit
from tests.drivers.test_asked_again import HOUSE, lines


def low_bit(frame: bytes, rng: random.Random) -> bytes:
    """A line with the lowest bit of a byte flipped: its checksum tells, as it would not of several."""
    place = rng.randrange(len(frame) - 1)
    return frame[:place] + bytes([frame[place] ^ 1]) + frame[place + 1 :]


def ran(profile: ShoeProfile, seed: int, damage: Damage, share: float) -> Bridge:
    """Twelve cards; then all is settled, and two frames that come whole tell what is missing."""
    bridge = Bridge(profile, random.Random(seed), share, damage)
    if profile.session.nak is None:  # the number of the first frame of all is known by the next one alone
        bridge.lives(0)
    end = bridge.deals(12, 1_000 * MS)
    for later in (5_000, 8_000):
        bridge.lives(end + later * MS)
    bridge.run()
    return bridge


@pytest.mark.parametrize("share", [0.1, 0.3, 0.6, 0.9])
@pytest.mark.parametrize(
    ("profile", "damage"),
    [
        (HOUSE, one_bit),
        (HOUSE, anything),
        (HOUSE, noise),
        (lines(), low_bit),
        (lines('replay = "{seq}R"'), low_bit),
    ],
    ids=["house-bit", "house-anything", "house-noise", "nak", "nak-replay"],
)
def test_no_card_is_invented_nor_moved_nor_lost_unsaid(
    profile: ShoeProfile, damage: Damage, share: float
) -> None:
    """Cards are read in their order, once each; between two of them are as many places as cards, or more."""
    for seed in range(150):
        told_places = [(-1, -1), *ran(profile, seed, damage, share).places()]
        for (card, before), (later, places) in pairwise(told_places):
            assert card < later, seed
            assert places - before >= later - card, seed


@pytest.mark.parametrize("damage", [one_bit, anything])
def test_a_card_takes_one_place_however_often_its_frame_is_damaged(damage: Damage) -> None:
    for seed in range(150):
        assert all(card == places for card, places in ran(HOUSE, seed, damage, 0.2).places()), seed
