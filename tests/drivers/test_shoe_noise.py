"""Unread cards and alarms, frames that are not exactly right, and noise."""

import copy
import random
from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.decoder import ProfileDecoder
from shoe_daemon.game.cards import DECK, parse
from shoe_daemon.table.inputs import CardUnread, DeviceAlarm, FrameRejected
from tests.drivers.shoe_lines import ENCODER, PAIR, PROFILE, Timed, cards, decode, plain_meaning, sentences

# --- unread cards ---------------------------------------------------------------------------------------

GAME = b"[Game]<Game>\r"
E3 = b"[GameAlarm]<Alarm:E3 Card Not Read>\r"


def places(chunks: Timed) -> int:
    """How many cards the frames stand for."""
    found = decode(chunks)
    return sum(isinstance(one, CardUnread) or (isinstance(one, DeviceAlarm) and one.unread) for one in found)


@pytest.mark.parametrize(
    ("frames", "unread"),
    [
        ([(GAME, 0)], 1),
        ([(E3, 0)], 1),
        ([(GAME, 0), (E3, PAIR)], 1),
        ([(E3, 0), (GAME, PAIR)], 1),
        ([(GAME, 0), (E3, PAIR + 1)], 2),
        ([(E3, 0), (GAME, PAIR + 1)], 2),
        ([(GAME, 0), (GAME, 0)], 2),
        ([(E3, 0), (E3, 0)], 2),
        ([(GAME, 0), (E3, 1), (GAME, 2)], 2),
        ([(GAME, 0), (E3, 1), (E3, 2)], 2),
        ([(GAME, 0), (E3, 1), (GAME, 2), (E3, 3)], 2),
        ([(GAME, 0), (E3, 1), (E3, 2), (GAME, 3)], 2),
        ([(GAME, 0), (GAME, 1), (E3, 2), (E3, 3)], 2),
        ([(GAME, 0), (GAME, PAIR), (E3, PAIR + 1), (E3, PAIR + 2)], 3),
        ([(E3, 0), (ENCODER.encode_card(DECK[0]), 1), (GAME, 2)], 1),
        ([(b"<Alarm:E4 Jam>\r", 0), (GAME, 1)], 1),
        ([(b"[GameAlarm]<Game>\r", 0)], 0),
    ],
)
def test_an_alarm_and_a_line_close_together_are_one_unread_card(frames: Timed, unread: int) -> None:
    assert places(frames) == unread


def test_the_alarm_is_reported_even_where_the_line_was_the_card() -> None:
    assert decode([(GAME + E3, 0)]) == [
        CardUnread(at=0, raw=b"[Game]<Game>"),
        DeviceAlarm(at=0, code="E3", text="Card Not Read", raw=E3[:-1], unread=False),
    ]


def test_a_pair_is_timed_by_first_bytes() -> None:
    late = [(GAME, 0), (E3[:5], PAIR), (E3[5:], PAIR + 100_000)]
    assert places(late) == 1


def test_reset_forgets_the_partner_waited_for() -> None:
    decoder = ProfileDecoder(PROFILE)
    decoder.feed(GAME, 0)
    decoder.reset(1)
    assert decoder.feed(E3, 2) == [
        DeviceAlarm(at=2, code="E3", text="Card Not Read", raw=E3[:-1], unread=True)
    ]


@pytest.mark.parametrize(
    ("line", "code", "text"),
    [
        (b"<Alarm:E3 Card Not Read>", "E3", "Card Not Read"),
        (b"[Manual Burn Cards]<Alarm:E12 Lid>", "E12", "Lid"),
        (b"[Game]<Alarm:Lid open>", None, "Lid open"),
        (b"[GameAlarm]<Alarm:>", None, ""),
        (b"<Alarm:E7>", "E7", ""),
        (b"<Alarm:e3 x>", None, "e3 x"),
        (b"<W0x01>", "W0x01", ""),
        (b"[GameAlarm]<W0xFf>", "W0xFf", ""),
        (b"<Alarm:E9 \xb5\x00>", "E9", "µ\x00"),
    ],
)
def test_alarms_and_warnings(line: bytes, code: str | None, text: str) -> None:
    unread = code == "E3"
    assert decode([(line + b"\r", 0)]) == [DeviceAlarm(at=0, code=code, text=text, raw=line, unread=unread)]


@pytest.mark.parametrize(
    ("line", "like"),
    [
        (b"[game]<Card:4S>", True),
        (b"[GameAlarm]<Card:4S>", True),
        (b"<Card:4S>", True),
        (b"[Game]<card:4S>", False),
        (b"[Game]<Card:S4>", True),
        (b"[Game]<Card:>", True),
        (b"[Game]<Card:4S>x", True),
        (b"\x00[Game]<Card:4S>", True),
        (b"\x0b[Game]<Card:4S>\x0c", True),
        (b"[Game] <Card:4S>", True),
        (b"[Game]<Card:4S>[Game]<Card:5S>", True),
        (b"[Game]<Alarm:E3 Ca[Game]<Card:4S>", True),
        (b"[Other]<Alarm:E3 Card Not Read>", False),
        (b"temp 29.6\xc2\xb5s", False),
    ],
)
def test_a_frame_that_is_not_exactly_right_is_rejected(line: bytes, like: bool) -> None:  # noqa: FBT001 - a table's column
    rejected = decode([(line + b"\n", 0)])
    reason: Literal["unknown_code", "unmatched"] = "unknown_code" if like else "unmatched"
    assert rejected == [FrameRejected(at=0, reason=reason, raw=line, card_like=like)]


# --- noise ----------------------------------------------------------------------------------------------


@given(st.lists(st.one_of(st.binary(max_size=200), sentences()), max_size=30), st.sampled_from(DECK))
def test_one_bad_line_never_loses_the_next(noise: list[bytes], card: str) -> None:
    found = decode([(b"".join(noise) + b"\n" + ENCODER.encode_card(parse(card)), 0)])
    assert cards(found)[-1:] == [card]


@given(st.sampled_from(DECK), st.data())
def test_a_mutated_line_is_a_card_only_where_it_is_exactly_one(card: str, data: st.DataObject) -> None:
    line = bytearray(ENCODER.encode_card(parse(card)).strip())
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, max(0, len(line) - 1)))
        kind = data.draw(st.sampled_from(["drop", "double", "replace", "insert"]))
        if kind == "drop":
            del line[place : place + 1]
        elif kind == "double":
            line[place:place] = line[place : place + 1]
        elif kind == "replace":
            line[place : place + 1] = data.draw(st.binary(min_size=1, max_size=1))
        else:
            line[place:place] = data.draw(st.binary(min_size=1, max_size=1))
    parts = [part for part in bytes(line).replace(b"\n", b"\r").split(b"\r") if part.strip(b" \t")]
    exact = [plain_meaning(part)[1] for part in parts if plain_meaning(part)[0] == "card"]
    assert cards(decode([(bytes(line) + b"\r", 0)])) == exact


def test_no_checksum_so_some_flipped_bits_give_another_card() -> None:
    """Of all single-bit errors in a card line 1.6 % give another valid card; only other evidence tells."""
    wrong = same = total = 0
    for card in DECK:
        for form in range(ENCODER.forms(card)):
            line = ENCODER.encode_card(card, form).strip()
            for bit in range(8 * len(line)):
                total += 1
                flipped = bytearray(line)
                flipped[bit // 8] ^= 1 << bit % 8
                read = cards(decode([(bytes(flipped) + b"\r", 0)]))
                same += read == [card]
                wrong += read not in ([], [card])
    assert (total, wrong, same) == (6752, 108, 0)


def held(decoder: ProfileDecoder) -> int:
    """Bytes of an unfinished frame: what is given up when the line goes."""
    return sum(len(one.raw) for one in copy.deepcopy(decoder).reset(0))


def test_sixty_four_kilobytes_of_noise_hold_no_memory_and_cost_no_card() -> None:
    rng = random.Random(9)
    decoder = ProfileDecoder(PROFILE)
    for _ in range(64):
        assert not cards(decoder.feed(rng.randbytes(1024), 0))
        assert held(decoder) <= 80
    assert cards(decoder.feed(b"\r" + ENCODER.encode_card(parse("KH")), 1)) == ["KH"]


def test_a_line_that_never_ends_is_one_rejection() -> None:
    found = decode([(b"\xaa" * 1000, place) for place in range(5000)])
    assert [one.raw for one in found] == [b"\xaa" * 80]
    assert decode([(b"A" * 1_000_000 + b"\r\n" + ENCODER.encode_card(DECK[0]), 0)])[1].at == 0


def test_waiting_partners_are_bounded() -> None:
    decoder = ProfileDecoder(PROFILE)
    decoder.feed(GAME * 10_000, 0)
    assert len(decoder._coalesce._waiting) == 64


def test_a_whole_shoe_in_random_pieces() -> None:
    rng = random.Random(4)
    order = list(DECK) * 8
    rng.shuffle(order)
    data = b"".join(ENCODER.encode_card(card, rng.randrange(ENCODER.forms(card))) for card in order)
    marks = sorted({0, len(data), *(rng.randrange(len(data)) for _ in range(400))})
    pieces = [(data[first:last], place * 1000) for place, (first, last) in enumerate(pairwise(marks))]
    assert cards(decode(pieces)) == order


def test_text_of_a_face_is_in_no_repr_of_a_card() -> None:
    assert "KH" not in repr(decode([(b"[Game]<Card:KH>\r", 0)])[0]).replace("raw=b'[Game]<Card:KH>'", "")
