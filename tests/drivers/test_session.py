"""What a device is sent, what is sent again, and what its silence means; all in the time of the bytes."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from drivers.decoder import ProfileDecoder
from drivers.encoder import ProfileEncoder
from drivers.profile import ShoeProfile, parse_shoe
from drivers.shapes import Message, Semantics, Session
from shoe_daemon.game.cards import DECK, parse
from shoe_daemon.runtime.resources import shoe_file
from shoe_daemon.table.inputs import (
    Button,
    CardRead,
    DeviceInput,
    DeviceReset,
    DeviceResult,
    FrameRejected,
    SequenceGap,
    Silent,
)

MS = 1000
HOUSE = parse_shoe(*shoe_file("house-serial"))
PLAIN = parse_shoe(*shoe_file("barcode4-serial"))
ASKED = Path(__file__).parents[1] / "shoes" / "asked-lines.toml"
FACES = ["4S", "10H", "KD", "7C", "2H", "AS"]


def sent(profile: ShoeProfile = HOUSE) -> list[bytes]:
    encoder = ProfileEncoder(profile)
    return [encoder.encode_card(parse(face)) for face in FACES]


def damaged(frame: bytes) -> bytes:
    return frame[:4] + bytes([frame[4] ^ 1]) + frame[5:]


def told(found: list[DeviceInput]) -> list[str]:
    """Each input in a word: a face, or what it is."""
    words = {FrameRejected: "reason", Silent: "state", Button: "name"}
    return [
        str(one.face.open())
        if isinstance(one, CardRead)
        else getattr(one, words.get(type(one), ""), "")
        or (f"missing {one.missing}" if isinstance(one, SequenceGap) else type(one).__name__)
        for one in found
    ]


def asking(**session: object) -> ShoeProfile:
    """The bar code scanner, with something to say to it; two cards cannot come within 50 ms."""
    return replace(PLAIN, semantics=Semantics(min_gap_ms=50), session=Session(**session))  # type: ignore[arg-type]  # keys of the test


# -- frames that are missing -----------------------------------------------------------------------------


def test_each_whole_frame_is_acknowledged_by_its_number() -> None:
    decoder, frames = ProfileDecoder(HOUSE), sent()
    decoder.feed(frames[0] + frames[1], 0)
    said = decoder.to_send()
    assert [said[:3], said[3:4], said[7:10], said[10:11]] == [b"\x02\x07\x01", b"K", b"\x02\x07\x02", b"K"]
    assert decoder.to_send() == b""


def test_a_missing_frame_is_asked_for_and_comes_before_those_behind_it() -> None:
    decoder, frames = ProfileDecoder(HOUSE), sent()
    assert told(decoder.feed(frames[0], 0)) == ["4S"]
    decoder.to_send()
    assert told(decoder.feed(frames[3], 10 * MS)) == []
    said = decoder.to_send()
    assert (said.count(b"\x02R"), said.count(b"\x03R"), said.count(b"R")) == (1, 1, 2)
    assert told(decoder.feed(frames[2], 20 * MS)) == []
    assert told(decoder.feed(frames[1] + frames[4], 30 * MS)) == ["10H", "KD", "7C", "2H"]
    assert decoder.due() is None


def test_what_never_comes_is_told_where_it_is_missing() -> None:
    decoder, frames = ProfileDecoder(HOUSE), sent()
    decoder.feed(frames[0], 0)
    decoder.feed(frames[2] + frames[4], 0)
    decoder.to_send()
    assert told(decoder.tick(300 * MS)) == []
    assert decoder.to_send().count(b"R") == 2
    assert told(decoder.tick(600 * MS)) == ["missing 1", "KD", "missing 1", "2H"]


def test_a_damaged_frame_is_asked_for_and_takes_no_second_place() -> None:
    decoder, frames = ProfileDecoder(HOUSE), sent()
    decoder.feed(frames[0], 0)
    decoder.to_send()
    assert told(decoder.feed(damaged(frames[1]), MS)) == []
    assert told(decoder.tick(101 * MS)) == []  # no more of it comes
    assert b"\x02R" in decoder.to_send()
    found = decoder.feed(frames[1], 102 * MS)
    assert told(found) == ["bad_checksum", "10H"]
    assert isinstance(found[0], FrameRejected)
    assert not found[0].card_like


def test_a_damaged_frame_that_is_not_sent_again_takes_its_place() -> None:
    """And where it is sent after all, its place is taken already."""
    decoder, frames = ProfileDecoder(HOUSE), sent()
    decoder.feed(frames[0], 0)
    decoder.feed(damaged(frames[1]) + frames[2], MS)
    (rejected, card) = decoder.tick(601 * MS)
    assert isinstance(rejected, FrameRejected)
    assert (rejected.card_like, told([card])) == (True, ["KD"])
    late = ProfileDecoder(HOUSE)
    late.feed(frames[0] + damaged(frames[1]), 0)
    assert told(late.tick(700 * MS)) == ["bad_checksum"]
    assert told(late.feed(frames[1] + frames[2], 1200 * MS)) == ["repeated", "KD"]


def test_noise_that_was_taken_for_a_frame_takes_no_number_from_the_cards_that_come_later() -> None:
    decoder, frames = ProfileDecoder(HOUSE), sent()
    decoder.feed(frames[0], 0)
    for at in (1000 * MS, 1100 * MS, 3000 * MS):
        decoder.feed(b"\x02\x07noise", at)
    assert told(decoder.tick(5000 * MS)) == ["unknown_code"]
    assert told(decoder.feed(frames[1] + frames[2], 9000 * MS)) == ["10H", "KD"]
    assert told(decoder.feed(frames[4], 9001 * MS)) == []
    assert told(decoder.tick(10_000 * MS)) == ["missing 1", "2H"]


def test_noise_taken_for_a_frame_takes_no_number_where_the_clock_was_set_back_since() -> None:
    decoder, frames = ProfileDecoder(HOUSE), sent()
    decoder.feed(frames[0], 3_600_000 * MS)
    decoder.feed(b"\x02\x07noise", 3_601_000 * MS)
    assert told(decoder.tick(3_605_000 * MS)) == ["unknown_code"]
    decoder.clock_set(0)
    assert told(decoder.feed(frames[1] + frames[2], 5000 * MS)) == ["10H", "KD"]


def test_a_frame_asked_for_twice_may_come_twice_and_late() -> None:
    """And its number means another frame once the device has counted round."""
    decoder, frames = ProfileDecoder(HOUSE), sent()
    decoder.feed(frames[0] + frames[2], 0)
    decoder.tick(300 * MS)
    assert told(decoder.feed(frames[1] + frames[3], 310 * MS)) == ["10H", "KD", "7C"]
    assert told(decoder.feed(frames[1], 320 * MS)) == ["repeated"]
    never = ProfileDecoder(HOUSE)
    never.feed(frames[0] + frames[2], 0)
    assert told(never.tick(600 * MS)) == ["missing 1", "KD"]
    assert told(never.feed(frames[1], 700 * MS)) == ["repeated"]
    encoder = ProfileEncoder(HOUSE)
    more = [encoder.encode_card(DECK[place % 52]) for place in range(300)]
    assert told(never.feed(b"".join(more[3:300]), 800 * MS)) == [DECK[place % 52] for place in range(3, 300)]


def test_a_frame_sent_again_because_an_acknowledgement_got_lost_is_acknowledged_and_no_card() -> None:
    decoder, frames = ProfileDecoder(HOUSE), sent()
    decoder.feed(frames[0], 0)
    decoder.to_send()
    assert told(decoder.feed(frames[0], MS)) == ["repeated"]
    assert b"\x01K" in decoder.to_send()


def test_the_line_goes_down_while_a_frame_is_waited_for() -> None:
    decoder, frames = ProfileDecoder(HOUSE), sent()
    decoder.feed(frames[0] + frames[2], 0)
    decoder.feed(frames[3][:4], MS)
    assert told(decoder.reset(2 * MS)) == ["partial", "missing 1", "KD"]
    assert (decoder.due(), decoder.pending, decoder.to_send()) == (None, False, b"")
    assert told(decoder.feed(frames[5], 3 * MS)) == ["AS"]


@given(
    st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=12),
    st.lists(st.integers(1, 400), min_size=12, max_size=12),
    st.lists(st.integers(0, 40), max_size=6),
)
def test_what_comes_out_depends_on_bytes_and_times_alone(
    picks: list[tuple[int, bool]], gaps: list[int], cuts: list[int]
) -> None:
    """Frames missing, damaged and sent again, in any order, however they are cut and however often asked."""
    frames, now, pieces = sent(), 0, list[tuple[bytes, int]]()
    for (pick, broken), gap in zip(picks, gaps, strict=False):
        now += gap * MS
        pieces.append((damaged(frames[pick]) if broken else frames[pick], now))
    whole, cut = ProfileDecoder(HOUSE), ProfileDecoder(HOUSE)
    first = [one for data, at in pieces for one in whole.feed(data, at)]
    first += whole.tick(now + 10**7)
    second: list[DeviceInput] = []
    for data, at in pieces:
        places = sorted({0, *(place for place in cuts if place < len(data)), len(data)})
        for begin, end in pairwise(places):
            second += cut.tick(at - 1)
            second += cut.feed(data[begin:end], at)
            second += cut.tick(at)
    second += cut.tick(now + 10**7)
    assert first == second


# -- frames without numbers ------------------------------------------------------------------------------


def test_without_numbers_the_next_good_frame_is_the_damaged_one_sent_again() -> None:
    profile = asking(nak="\x15", ack="\x06", again_ms=50, tries=3)
    decoder, frames = ProfileDecoder(profile), sent(PLAIN)
    assert told(decoder.feed(b"1?40\r", 0)) == []
    assert decoder.to_send() == b"\x15"
    assert told(decoder.feed(b"1?40\r", 10 * MS)) == ["unknown_code"]
    assert decoder.to_send() == b"\x15"
    found = decoder.feed(frames[0], 20 * MS)
    assert told(found) == ["unknown_code", "4S"]
    assert not any(getattr(one, "card_like", False) or getattr(one, "soon", False) for one in found)
    assert decoder.to_send() == b"\x06"


def test_what_came_at_once_with_a_damaged_frame_is_no_answer_to_the_question() -> None:
    """Both waited in the line. The scanner answers with its last frame: a person says that it is one card."""
    profile = asking(nak="\x15", again_ms=50, tries=3)
    decoder, frames = ProfileDecoder(profile), sent(PLAIN)
    rejected, card = decoder.feed(b"1?40\r" + frames[0], 0)
    assert (getattr(rejected, "card_like", False), told([card])) == (True, ["4S"])
    assert decoder.to_send() == b"\x15"
    assert [getattr(one, "soon", None) for one in decoder.feed(frames[0], 10 * MS)] == [True]


def test_what_draws_no_card_is_no_answer_to_the_question() -> None:
    button = Message(event="button", match="B", example="B\r", button="enter")
    profile = asking(nak="\x15", again_ms=50, tries=3)
    profile = replace(profile, messages=(*profile.messages, button))
    decoder, frames = ProfileDecoder(profile), sent(PLAIN)
    assert told(decoder.feed(b"1?40\r", 0) + decoder.feed(b"B\r", 10 * MS)) == []
    found = decoder.feed(frames[0], 20 * MS)
    assert told(found) == ["unknown_code", "4S", "enter"]
    assert told(decoder.feed(b"1?40\r", 1000 * MS) + decoder.feed(b"B\r", 1010 * MS)) == []
    rejected, pressed = decoder.tick(10**9)
    assert (getattr(rejected, "card_like", False), told([pressed])) == (True, ["enter"])


def test_a_scanner_that_never_sends_it_again_is_asked_so_often_and_no_more() -> None:
    decoder = ProfileDecoder(asking(nak="\x15", again_ms=50, tries=3))
    asked = []
    found: list[DeviceInput] = []
    for round_ in range(5):
        found += decoder.feed(b"1?40\r", round_ * 10 * MS)
        asked.append(decoder.to_send())
    assert asked == [b"\x15"] * 3 + [b""] * 2
    found += decoder.tick(10**9)
    assert [getattr(one, "card_like", None) for one in found] == [False] * 4 + [True]


# -- silence ---------------------------------------------------------------------------------------------


def test_a_device_is_greeted_and_polled_while_its_line_is_open() -> None:
    decoder = ProfileDecoder(asking(hello="HI\r", poll="?", poll_ms=100))
    assert (decoder.due(), decoder.to_send()) == (None, b"")
    decoder.opened(0)
    assert (decoder.due(), decoder.to_send()) == (100 * MS, b"HI\r")
    decoder.tick(250 * MS)
    assert (decoder.due(), decoder.to_send()) == (300 * MS, b"??")
    decoder.reset(260 * MS)
    assert (decoder.due(), decoder.to_send()) == (None, b"")


def test_a_device_that_says_nothing_is_stalled_once_until_it_says_something() -> None:
    decoder, frames = ProfileDecoder(asking(silence_ms=1000)), sent(PLAIN)
    decoder.opened(0)
    decoder.feed(frames[0], 900 * MS)
    assert told(decoder.tick(1899 * MS)) == []
    assert decoder.tick(10**9) == [Silent(1900 * MS, "stalled", "no frame for 1000 ms")]
    decoder.reset(10**9)
    decoder.opened(10**9)
    assert told(decoder.tick(10**10)) == []
    assert told(decoder.feed(frames[1], 10**10)) == ["back", "10H"]
    assert told(decoder.tick(10**11)) == ["stalled"]


def test_the_clock_is_set_and_nothing_falls_due_by_it() -> None:
    decoder = ProfileDecoder(asking(poll="?", poll_ms=100, silence_ms=1000))
    decoder.opened(0)
    decoder.clock_set(3_600_000 * MS)
    assert decoder.due() == 3_600_100 * MS
    assert told(decoder.tick(3_600_999 * MS)) == []
    decoder.clock_set(0)
    assert decoder.due() == 100 * MS


@pytest.mark.parametrize("cut", [1, 3, 64])
def test_bytes_without_a_frame_for_too_long_are_garbage_once(cut: int) -> None:
    profile, frames = asking(garbage_ms=2000), sent(PLAIN)
    decoder, found = ProfileDecoder(profile), list[DeviceInput]()
    for second in range(6):
        noise = b"\xaa" * 64
        for begin in range(0, len(noise), cut):
            found += decoder.feed(noise[begin : begin + cut], second * 1000 * MS)
    states = [one for one in found if isinstance(one, Silent)]
    words = "128 bytes and no frame: check speed, parity, cable and profile"
    assert states == [Silent(2000 * MS, "garbage", words)]
    assert "4S" in told(decoder.feed(b"\r" + frames[0], 7000 * MS))
    assert told(decoder.feed(b"\xaa" * 64, 7000 * MS) + decoder.feed(b"\xaa", 9999 * MS)) == ["too_long"]


def test_a_stray_byte_long_ago_is_no_garbage() -> None:
    decoder, frames = ProfileDecoder(asking(garbage_ms=2000)), sent(PLAIN)
    decoder.feed(b"\xaa", 0)
    assert told(decoder.feed(frames[0], 10_000 * MS)) == ["partial", "4S"]


# -- a device that starts anew ---------------------------------------------------------------------------


def test_the_first_hello_is_no_news_and_a_later_one_is() -> None:
    decoder, frames = ProfileDecoder(HOUSE), sent()
    hello = b"\x02\x07\x01S\x10\xab\x03"
    decoder.opened(0)
    assert told(decoder.feed(hello + frames[1], 0)) == ["10H"]
    assert told(decoder.feed(frames[2] + hello, MS)) == ["KD", "DeviceReset"]
    decoder.reset(10**7)
    decoder.opened(10**7)
    assert DeviceReset.__name__ not in told(decoder.feed(hello, 10**7))


def test_words_of_a_start_are_news_once_and_only_behind_a_frame() -> None:
    decoder, frames = ProfileDecoder(asking(boot="(?i)boot")), sent(PLAIN)
    decoder.opened(0)
    assert told(decoder.feed(b"Booting\r" + frames[0], 0)) == ["unmatched", "4S"]
    found = decoder.feed(b"Booting\rboot 2\r" + frames[1], 1000 * MS)
    assert told(found) == ["unmatched", "DeviceReset", "unmatched", "10H"]
    assert told(decoder.feed(b"x\rBOOT\r", 2000 * MS)) == ["unmatched", "unmatched", "DeviceReset"]


def test_numbers_begin_again_behind_the_words_of_a_start() -> None:
    profile = replace(HOUSE, session=replace(HOUSE.session, boot="boot", replay=None))
    decoder = ProfileDecoder(profile)
    assert told(decoder.feed(b"".join(sent()[:3]), 0)) == ["4S", "10H", "KD"]
    decoder.feed(b"boot", MS)
    found = decoder.tick(1000 * MS) + decoder.feed(sent()[0], 1000 * MS)
    assert [one for one in told(found) if one.startswith("missing")] == []
    assert told(found)[-2:] == ["DeviceReset", "4S"]


# -- what else a device says of cards --------------------------------------------------------------------


def test_a_card_that_went_back_and_a_result_are_told() -> None:
    decoder = ProfileDecoder(parse_shoe(*shoe_file(str(ASKED))))
    found = decoder.feed(b"BACK*0B\r\nWIN P*20\r\nWIN B*32\r\n", 0)
    assert told(found[:1]) == ["CardReturned"]
    assert [one.outcome for one in found[1:] if isinstance(one, DeviceResult)] == ["player", "banker"]


def test_a_result_in_no_table_is_rejected() -> None:
    profile = parse_shoe(*shoe_file(str(ASKED)))
    outcomes = {"P": "player", "B": "banker"}
    decoder = ProfileDecoder(replace(profile, semantics=replace(profile.semantics, outcomes=outcomes)))
    (found,) = decoder.feed(b"WIN T*24\r\n", 0)
    assert isinstance(found, FrameRejected)
    assert (found.reason, found.card_like) == ("unmatched", False)


# -- cards too fast, tags that lie there -----------------------------------------------------------------


def test_a_card_too_soon_after_the_one_before_is_told_so_whatever_it_is() -> None:
    decoder, frames = ProfileDecoder(asking()), sent(PLAIN)
    found = decoder.feed(frames[0], 0) + decoder.feed(frames[0], 49 * MS)
    found += decoder.feed(b"1?40\r", 98 * MS) + decoder.feed(frames[0], 148 * MS)
    assert [getattr(one, "soon", None) for one in found] == [False, True, True, False]
    decoder.reset(150 * MS)
    assert [one.soon for one in decoder.feed(frames[1], 151 * MS) if isinstance(one, CardRead)] == [False]


def test_a_tag_that_lies_in_the_field_is_one_card_and_comes_back_as_another() -> None:
    tags = parse_shoe(*shoe_file("rfid-uid-lines"))
    decoder = ProfileDecoder(replace(tags, semantics=Semantics(same_tag_ms=500)))
    first, second = ProfileEncoder(tags).encode_card(DECK[0]), ProfileEncoder(tags).encode_card(DECK[1])
    times = [0, 200, 650, 1100, 1700, 1800, 1900]
    tags_told = [first, first, first, first, first, second, first]
    found = [one for at, data in zip(times, tags_told, strict=True) for one in decoder.feed(data, at * MS)]
    assert told(found) == ["AS", "repeated", "repeated", "repeated", "AS", DECK[1], "AS"]
    assert not any(getattr(one, "card_like", False) for one in found)
    stranger = [one for at in (9000, 9200) for one in decoder.feed(b"E004015012FFFFFF\r\n", at * MS)]
    assert told(stranger) == ["unknown_code", "repeated"]


@pytest.mark.parametrize("clock", [0, 7_200_000])
@pytest.mark.parametrize(("after", "said"), [(400, "repeated"), (600, "AS")])
def test_a_tag_told_before_the_clock_was_set_lies_there_for_its_time_and_no_longer(
    clock: int, after: int, said: str
) -> None:
    tags = parse_shoe(*shoe_file("rfid-uid-lines"))
    decoder = ProfileDecoder(replace(tags, semantics=Semantics(same_tag_ms=500)))
    first = ProfileEncoder(tags).encode_card(DECK[0])
    assert told(decoder.feed(first, 3_600_000 * MS)) == ["AS"]
    decoder.clock_set(clock * MS)
    assert told(decoder.feed(first, (clock + after) * MS)) == [said]


def test_an_unread_card_is_numbered_as_every_frame_is() -> None:
    encoder, decoder = ProfileEncoder(HOUSE), ProfileDecoder(HOUSE)
    data = encoder.encode_card(DECK[0]) + b"".join(encoder.encode_unread()) + encoder.encode_card(DECK[1])
    assert told(decoder.feed(data, 0)) == [DECK[0], "CardUnread", DECK[1]]
