"""The profile decoder against a byte-by-byte reading of the same rules, and sentence by sentence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.decoder import ProfileDecoder
from shoe_daemon.game.cards import DECK, parse
from shoe_daemon.table.inputs import CardRead, DeviceInput, FrameRejected
from shoe_daemon.table.sealed import Sealed
from tests.drivers.shoe_lines import ENCODER, IDLE, MODES, PAIR, PROFILE, cards, decode, sentences, slowly


@st.composite
def timed_bytes(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Bytes with times; pauses lie around the idle time and the time of a pair."""
    pauses = st.sampled_from([0, 0, 0, 1, 100_000, IDLE - 1, IDLE, IDLE + 1, PAIR - IDLE, PAIR, PAIR + 1])
    at = draw(st.integers(0, 10))
    stream = []
    for piece in draw(st.lists(sentences(), max_size=12)):
        at += draw(pauses)
        cut = draw(st.integers(0, len(piece)))
        stream += [(byte, at) for byte in piece[:cut]]
        at += draw(pauses)
        stream += [(byte, at) for byte in piece[cut:]]
    return stream


@given(timed_bytes(), st.data())
@settings(max_examples=200)
def test_any_chunking_and_any_ticking_read_as_one_byte_at_a_time(
    stream: list[tuple[int, int]], data: st.DataObject
) -> None:
    decoder = ProfileDecoder(PROFILE)
    found: list[DeviceInput] = []
    rest = stream
    while rest:
        same = sum(at == rest[0][1] for _, at in rest)
        size = data.draw(st.one_of(st.just(same), st.integers(1, same)))
        chunk, at = bytes(byte for byte, _ in rest[:size]), rest[0][1]
        due = decoder.due()
        if due is not None and due <= at and data.draw(st.booleans()):
            found += decoder.tick(data.draw(st.integers(due, at)))
        found += decoder.feed(chunk, at)
        rest = rest[size:]
        if data.draw(st.booleans()):
            found += decoder.tick(at)
    end = (stream[-1][1] if stream else 0) + IDLE
    assert decoder.due() in (None, end)
    assert decoder.pending == (decoder.due() is not None)
    found += decoder.tick(end)
    assert not decoder.pending
    assert decoder.due() is None
    assert found == slowly(stream, end)


# --- the sentences of the contract, one by one ---------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("card", DECK)
def test_every_card_in_both_modes(mode: bytes, card: str) -> None:
    raw = mode + b"<Card:" + card.encode() + b">"
    assert decode([(b"\t " + raw + b" \r\n", 7)]) == [
        CardRead(at=7, face=Sealed(parse(card)), raw=b"\t " + raw + b" ")
    ]


def test_ten_is_read_in_both_spellings_and_never_kept_as_t() -> None:
    assert cards(decode([(b"[Game]<Card:TH>\r[Game]<Card:10H>\r", 0)])) == ["10H", "10H"]


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n", b"\n\r", b"\r\r", b"\n\n"])
def test_whatever_the_line_end_nine_cards(end: bytes) -> None:
    assert len(decode([(ENCODER.encode_card(card).rstrip() + end, 0) for card in DECK[:9]])) == 9


def test_line_end_cut_between_two_chunks_makes_no_empty_frame_and_no_older_time() -> None:
    found = decode([(b"[Game]<Card:4S>\r", 1), (b"\n", 2), (b" [Game]<Card:5S>", 3), (b"\n", 4)])
    assert [one.at for one in found] == [1, 3]


def test_a_blank_is_the_first_byte_of_its_frame() -> None:
    assert [one.at for one in decode([(b" ", 10), (b"[Game]<Card:4S>\r", 100)])] == [10]


def test_blanks_alone_given_up_are_no_frame_and_do_not_lend_their_time() -> None:
    found = decode([(b" \t", 10), (b"[Game]<Card:4S>\r", 10 + IDLE)])
    assert [(type(one), one.at) for one in found] == [(CardRead, 10 + IDLE)]


def test_silence_gives_up_at_exactly_the_idle_time() -> None:
    head, tail = b"[Game]<Card:4", b"S>\r"
    assert cards(decode([(head, 0), (tail, IDLE - 1)])) == ["4S"]
    assert decode([(head, 5), (tail, 5 + IDLE)]) == [
        FrameRejected(at=5, reason="partial", raw=head, card_like=True),
        FrameRejected(at=5 + IDLE, reason="unmatched", raw=b"S>", card_like=False),
    ]


def test_silence_counts_from_the_last_byte() -> None:
    found = decode([(bytes([byte]), place * (IDLE - 1)) for place, byte in enumerate(b"[Game]<Card:4S>\r")])
    assert cards(found) == ["4S"]
    assert found[0].at == 0


def test_longest_frame_and_one_byte_more() -> None:
    fits = b"[Game]<Card:4S>".ljust(80)
    assert cards(decode([(fits + b"\r", 0)])) == ["4S"]
    assert cards(decode([(b"\r" + fits + b"\r", 0)])) == ["4S"]
    assert decode([(b"\r" + fits + b" \r", 0)]) == decode([(fits + b" \r", 0)])
    assert decode([(fits + b" \r", 0)]) == [FrameRejected(at=0, reason="too_long", raw=fits, card_like=True)]


def test_too_long_is_said_with_byte_81_and_only_once() -> None:
    decoder = ProfileDecoder(PROFILE)
    assert decoder.feed(b"x" * 80, 3) == []
    held = decoder.pending
    assert decoder.feed(b"y", 4) == [FrameRejected(at=3, reason="too_long", raw=b"x" * 80)]
    assert (held, decoder.pending) == (True, False)
    assert decoder.feed(b"<Card:" * 1000, 5) == []
    assert cards(decoder.feed(b"z\r[Game]<Card:4S>\r", 6)) == ["4S"]


def test_what_is_dropped_does_not_make_a_frame_card_like() -> None:
    assert decode([(b"x" * 78 + b"<Card:4S>\r", 0)]) == [
        FrameRejected(at=0, reason="too_long", raw=b"x" * 78 + b"<C", card_like=False)
    ]


def test_dropping_ends_with_a_silence_too() -> None:
    found = decode(
        [
            (b"x" * 100, 0),
            (b"[Game]<Card:4S>\r", IDLE - 1),
            (b"y" * 100, IDLE),
            (b"[Game]<Card:5S>\r", 2 * IDLE),
        ]
    )
    assert cards(found) == ["5S"]


def test_reset_gives_up_the_half_frame_and_what_comes_later_is_not_its_end() -> None:
    decoder = ProfileDecoder(PROFILE)
    assert decoder.feed(b"[Game]<Card:K", 10) == []
    assert decoder.reset(20) == [FrameRejected(at=10, reason="partial", raw=b"[Game]<Card:K", card_like=True)]
    assert not decoder.pending
    assert decoder.due() is None
    assert decoder.reset(21) == []
    assert decoder.feed(b"H>\r", 30) == [FrameRejected(at=30, reason="unmatched", raw=b"H>")]
