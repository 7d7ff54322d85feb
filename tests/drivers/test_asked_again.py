"""Frames that are numbered and asked for again: damaged once more, late, lost, the first of all."""

from functools import reduce
from operator import xor

import pytest

from drivers.decoder import ProfileDecoder
from drivers.encoder import ProfileEncoder
from drivers.profile import ShoeProfile, parse_shoe
from shoe_daemon.game.cards import DECK, RANKS, Card
from shoe_daemon.runtime.resources import shoe_file
from shoe_daemon.table.inputs import CardRead, DeviceInput, FrameRejected, SequenceGap
from tests.drivers.bridge import MS

HOUSE = parse_shoe(*shoe_file("house-serial"))


def sent(count: int) -> list[bytes]:
    encoder = ProfileEncoder(HOUSE)
    return [encoder.encode_card(card) for card in DECK[:count]]


def bad(frame: bytes, bit: int = 1) -> bytes:
    return frame[:4] + bytes([frame[4] ^ bit]) + frame[5:]


def told(found: list[DeviceInput]) -> list[str]:
    """Each input in a word: which card of the deck, a damaged card, what only was damaged, how many lack."""
    words = []
    for one in found:
        if isinstance(one, CardRead):
            words.append(f"card {DECK.index(one.face.open())}")
        elif isinstance(one, SequenceGap):
            words.append(f"missing {one.missing}")
        else:
            assert isinstance(one, FrameRejected)
            words.append("damaged card" if one.card_like else one.reason)
    return words


def asked(decoder: ProfileDecoder) -> list[int]:
    """The numbers of the frames that are asked for now."""
    said = decoder.to_send()
    return [said[place - 1] for place in range(3, len(said)) if said[place : place + 1] == b"R"]


def test_a_frame_that_comes_damaged_again_is_still_one_frame() -> None:
    decoder, frames = ProfileDecoder(HOUSE), sent(3)
    decoder.feed(frames[0] + bad(frames[1]), 0)
    decoder.tick(100 * MS)
    assert asked(decoder) == [2]
    assert told(decoder.feed(bad(frames[1], 2), 110 * MS)) == []
    assert told(decoder.tick(210 * MS)) == ["bad_checksum"]
    assert told(decoder.tick(400 * MS)) == []
    assert asked(decoder) == [2]
    assert told(decoder.feed(frames[1], 410 * MS)) == ["bad_checksum", "card 1"]
    assert asked(decoder) == [3]  # the damaged one may have been the next frame
    assert told(decoder.feed(frames[2], 5000 * MS)) == ["card 2"]
    assert decoder.due() is None


def test_a_frame_that_comes_damaged_each_time_takes_one_place() -> None:
    decoder, frames = ProfileDecoder(HOUSE), sent(3)
    decoder.feed(frames[0] + bad(frames[1]), 0)
    decoder.tick(100 * MS)
    found = decoder.feed(bad(frames[1], 2), 110 * MS) + decoder.feed(bad(frames[1], 4), 410 * MS)
    found += decoder.tick(10_000 * MS)
    assert told(found) == ["bad_checksum", "bad_checksum", "damaged card"]
    assert told(decoder.feed(frames[2], 11_000 * MS)) == ["card 2"]


def test_a_missing_frame_that_comes_damaged_each_time_is_missing_once() -> None:
    decoder, frames = ProfileDecoder(HOUSE), sent(4)
    decoder.feed(frames[0] + frames[2], 0)
    found = decoder.feed(bad(frames[1]), 10 * MS) + decoder.feed(bad(frames[1], 2), 310 * MS)
    found += decoder.tick(10_000 * MS) + decoder.feed(frames[3], 11_000 * MS)
    assert told(found) == ["bad_checksum", "bad_checksum", "missing 1", "card 2", "card 3"]


def test_what_came_damaged_meanwhile_may_be_the_next_frame_and_is_asked_for() -> None:
    decoder, frames = ProfileDecoder(HOUSE), sent(3)
    decoder.feed(frames[0] + bad(frames[1]), 0)
    decoder.tick(100 * MS)
    decoder.feed(bad(frames[2]), 110 * MS)
    decoder.to_send()
    assert told(decoder.feed(frames[1], 120 * MS)) == ["bad_checksum", "bad_checksum", "card 1"]
    assert asked(decoder) == [3]
    assert told(decoder.feed(frames[2], 130 * MS)) == ["card 2"]


def test_what_came_damaged_meanwhile_is_missed_by_the_numbers() -> None:
    decoder, frames = ProfileDecoder(HOUSE), sent(4)
    decoder.feed(frames[0] + bad(frames[1]), 0)
    decoder.tick(100 * MS)
    decoder.feed(bad(frames[2]), 110 * MS)
    decoder.feed(frames[1], 120 * MS)
    decoder.to_send()
    assert told(decoder.feed(frames[3], 5000 * MS)) == []
    assert asked(decoder) == [3]
    assert told(decoder.tick(10_000 * MS)) == ["missing 1", "card 3"]


def test_what_came_damaged_before_anything_was_asked_for_is_no_answer() -> None:
    decoder, frames = ProfileDecoder(HOUSE), sent(4)
    decoder.feed(frames[0] + bad(frames[1]) + bad(frames[2]), 0)
    decoder.tick(100 * MS)
    assert asked(decoder) == [2, 3]
    assert told(decoder.tick(10_000 * MS)) == ["damaged card"] * 2


def test_the_next_frame_is_one_card_whether_it_was_asked_for_or_came_by_itself() -> None:
    """It left before the question reached the device, which answers the question too."""
    decoder, frames = ProfileDecoder(HOUSE), sent(4)
    decoder.feed(frames[0] + bad(frames[1]), 0)
    decoder.tick(100 * MS)
    decoder.feed(bad(frames[1], 2), 110 * MS)
    found = decoder.feed(frames[1], 310 * MS) + decoder.feed(frames[2] + frames[3] + frames[2], 320 * MS)
    assert told(found)[-3:] == ["card 2", "card 3", "repeated"]


def test_what_was_lost_behind_a_frame_given_up_is_asked_for_and_not_that_frame() -> None:
    decoder, frames = ProfileDecoder(HOUSE), sent(4)
    decoder.feed(frames[0] + bad(frames[1]), 0)
    assert told(decoder.tick(10_000 * MS)) == ["damaged card"]
    decoder.to_send()
    assert told(decoder.feed(frames[3], 11_000 * MS)) == []
    assert asked(decoder) == [3]
    assert told(decoder.feed(frames[2], 11_010 * MS)) == ["card 2", "card 3"]


def test_a_frame_that_came_late_is_no_noise_any_more() -> None:
    decoder, frames = ProfileDecoder(HOUSE), sent(4)
    decoder.feed(frames[0] + bad(frames[1]), 0)
    assert told(decoder.tick(700 * MS)) == ["damaged card"]
    assert told(decoder.feed(frames[1], 1200 * MS)) == ["repeated"]
    decoder.feed(bad(frames[2]), 9000 * MS)
    decoder.to_send()
    decoder.tick(9100 * MS)
    assert asked(decoder) == [3]


def test_noise_told_before_stands_for_no_frame_behind_the_next_damaged_one() -> None:
    decoder, frames = ProfileDecoder(HOUSE), sent(4)
    decoder.feed(frames[0] + b"\x02\x07noise", 0)
    assert told(decoder.tick(10_000 * MS)) == ["damaged card"]
    decoder.feed(bad(frames[1]), 11_000 * MS)
    decoder.tick(11_100 * MS)
    assert told(decoder.feed(frames[1], 11_110 * MS)) == ["bad_checksum", "card 1"]
    decoder.to_send()
    decoder.feed(frames[3], 12_000 * MS)
    assert asked(decoder) == [3]


def test_another_frame_under_the_number_of_one_that_was_sent_again_is_no_repeat() -> None:
    """The device counts anew, and has not said so."""
    encoder, decoder, frames = ProfileEncoder(HOUSE), ProfileDecoder(HOUSE), sent(2)
    decoder.feed(frames[0] + bad(frames[1]), 0)
    decoder.tick(100 * MS)
    decoder.feed(frames[1], 110 * MS)
    encoder.encode_card(DECK[9])
    assert told(decoder.feed(encoder.encode_card(DECK[9]), 5000 * MS)) == ["missing 255", "card 9"]


# -- before any number is known --------------------------------------------------------------------------

LINES = """
[meta]
id = "numbered-lines"
title = "Numbered lines, the last of which is sent again"
known_from = []
not_known = []
[transport]
baud = 9600
[framing]
kind = "delimited"
ends = ["\\r"]
max_bytes = 80
idle_ms = 200
[checksum]
kind = "xor8"
encoding = "hex"
[semantics]
min_gap_ms = 150
[semantics.sequence]
bits = 8
written = "hex"
[[messages]]
event = "card"
match = '(?P<seq>[0-9A-F]{2})C(?P<rank>[2-9TAJQK])(?P<suit>[SHDC])'
example = "07C4S23\\r"
[[messages]]
event = "none"
match = '(?P<seq>[0-9A-F]{2})L'
example = "07L4B\\r"
[cards]
like = "[!-~]"
[cards.ranks]
%s
[cards.suits]
S = ["S"]
H = ["H"]
C = ["C"]
D = ["D"]
[session]
nak = "?"
again_ms = 100
tries = 2
%s
"""
RANKED = "\n".join(f'{rank} = ["{"T" if rank == "10" else rank}"]' for rank in RANKS)


def line(text: str) -> bytes:
    return f"{text}{reduce(xor, text.encode()):02X}\r".encode()


def lines(session: str = "") -> ShoeProfile:
    return parse_shoe((LINES % (RANKED, session)).encode(), "numbered-lines.toml")


def speaks(session: str = "") -> ProfileDecoder:
    return ProfileDecoder(lines(session))


FIRST = line("07C4S")[:3] + b"#" + line("07C4S")[4:]
"""The first frame since the line opened, damaged."""


def test_the_first_frame_of_all_is_asked_for_without_its_number() -> None:
    decoder = speaks()
    assert told(decoder.feed(FIRST, 0)) == []
    assert decoder.to_send() == b"?"
    assert told(decoder.feed(line("07C4S"), 10 * MS)) == ["bad_checksum", f"card {DECK.index(Card('4S'))}"]
    assert told(decoder.feed(line("07C4S"), 20 * MS)) == ["repeated"]
    assert told(decoder.feed(line("09C5S"), 500 * MS)) == ["missing 1", f"card {DECK.index(Card('5S'))}"]


def test_the_first_frame_that_comes_damaged_each_time_takes_one_place() -> None:
    decoder = speaks()
    found = decoder.feed(FIRST, 0) + decoder.feed(FIRST, 10 * MS)
    assert decoder.to_send() == b"??"
    assert told(found + decoder.tick(1000 * MS)) == ["bad_checksum", "damaged card"]
    assert told(decoder.feed(line("08C5S"), 2000 * MS)) == [f"card {DECK.index(Card('5S'))}"]


def test_a_sign_of_life_is_no_answer_and_tells_the_number() -> None:
    """That number is not asked for: what came damaged may be noise, and the frame one of long ago."""
    decoder = speaks('replay = "{seq}R"')
    assert told(decoder.feed(FIRST, 0) + decoder.feed(line("08L"), 10 * MS)) == []
    assert told(decoder.feed(line("07C4S"), 20 * MS)) == ["bad_checksum", f"card {DECK.index(Card('4S'))}"]
    never = speaks('replay = "{seq}R"')
    found = never.feed(FIRST + line("08L"), 0) + never.tick(1000 * MS)
    assert (told(found), never.to_send()) == (["damaged card"], b"?")
    assert told(never.feed(line("07C4S"), 1100 * MS)) == ["repeated"]


def test_a_card_that_left_before_the_question_is_no_answer() -> None:
    decoder = speaks()
    assert told(decoder.feed(FIRST + line("08C5S"), 0)) == []
    assert told(decoder.tick(1000 * MS)) == ["damaged card", f"card {DECK.index(Card('5S'))}"]
    two = speaks()
    found = two.feed(FIRST + FIRST, 0) + two.feed(line("08C5S"), 10 * MS)
    assert told(found) == ["damaged card", "bad_checksum", f"card {DECK.index(Card('5S'))}"]


def test_where_cards_may_come_as_fast_as_an_answer_the_first_one_is_not_asked_for() -> None:
    slow = LINES.replace("again_ms = 100", "again_ms = 151")
    decoder = ProfileDecoder(parse_shoe((slow % (RANKED, "")).encode(), "numbered-lines.toml"))
    assert told(decoder.feed(FIRST, 0)) == ["damaged card"]
    assert decoder.to_send() == b""


def test_the_last_frame_again_in_answer_to_noise_is_no_card() -> None:
    decoder = speaks()
    decoder.feed(line("07C4S"), 0)
    assert told(decoder.feed(b"noiseC\r", 1000 * MS)) == []
    assert decoder.to_send() == b"?"
    found = decoder.feed(line("07C4S"), 1010 * MS) + decoder.tick(2000 * MS)
    assert told(found) == ["repeated", "damaged card"]
    assert told(decoder.feed(line("08C5S"), 9000 * MS)) == [f"card {DECK.index(Card('5S'))}"]


# -- the clock is set ------------------------------------------------------------------------------------

HOUR = 3_600_000 * MS


def given_up(frames: list[bytes], until: int) -> ProfileDecoder:
    """Noise behind the first frame was taken for the second one, and is given up at 700 ms."""
    decoder = ProfileDecoder(HOUSE)
    decoder.feed(frames[0] + b"\x02\x07noise", 0)
    assert told(decoder.tick(700 * MS)) == ["damaged card"]
    decoder.tick(until)
    assert not decoder.pending
    return decoder


@pytest.mark.parametrize("moved", [0, HOUR, -HOUR])
def test_a_late_answer_may_take_as_long_by_the_new_clock(moved: int) -> None:
    frames = sent(2)
    for after, words in ((500, "repeated"), (700, "card 1"), (60_000, "card 1")):
        decoder = given_up(frames, 700 * MS)
        decoder.clock_set(700 * MS + moved)
        assert told(decoder.feed(frames[1], (700 + after) * MS + moved)) == [words]


@pytest.mark.parametrize("moved", [HOUR, -HOUR])
def test_what_was_too_late_by_the_old_clock_stays_so(moved: int) -> None:
    frames = sent(2)
    decoder = given_up(frames, 1400 * MS)
    assert decoder.due() is None
    decoder.clock_set(1400 * MS + moved)
    assert told(decoder.feed(frames[1], 1401 * MS + moved)) == ["card 1"]


def test_the_rest_of_a_line_too_long_ends_with_its_silence_by_any_clock() -> None:
    profile = parse_shoe(*shoe_file("barcode4-serial"))
    decoder = ProfileDecoder(profile)
    assert told(decoder.feed(b"\xaa" * 64, HOUR)) == ["too_long"]
    decoder.tick(HOUR + 1000 * MS)
    assert not decoder.pending
    decoder.clock_set(1000 * MS)
    assert told(decoder.feed(ProfileEncoder(profile).encode_card(DECK[0]), 2000 * MS)) == ["card 0"]
