"""The profile decoder against a byte-by-byte reading of the same rules, and against damaged lines."""

import random
from itertools import pairwise
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.decoder import ProfileDecoder
from drivers.encoder import ProfileEncoder
from drivers.profile import parse_shoe
from shoe_daemon.game.cards import DECK, parse
from shoe_daemon.table.inputs import CardRead, CardUnread, DeviceAlarm, DeviceInput, FrameRejected
from shoe_daemon.table.sealed import Sealed

FILE = Path(__file__).parents[2] / "config" / "shoes" / "beetek-rs232.toml"
PROFILE = parse_shoe(FILE.read_bytes(), FILE.name)
ENCODER = ProfileEncoder(PROFILE)
IDLE = 200_000
PAIR = 500_000
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "T", "J", "Q", "K")
MODES = (b"[Game]", b"[Manual Burn Cards]")

Timed = list[tuple[bytes, int]]


def decode(chunks: Timed, *, end: int | None = None) -> list[DeviceInput]:
    """All inputs of `chunks`; with `end`, the line stays silent until then."""
    decoder = ProfileDecoder(PROFILE)
    found = [one for data, at in chunks for one in decoder.feed(data, at)]
    return found + (decoder.tick(end) if end is not None else [])


def cards(found: list[DeviceInput]) -> list[str]:
    return [str(one.face.open()) for one in found if isinstance(one, CardRead)]


# --- a second reading of contracts 23 and 24, one byte at a time -------------------------------------


def plain_meaning(text: bytes) -> tuple[str, ...]:
    """Tell what one frame says, without a regular expression."""
    line = text.decode("latin-1").strip(" \t")
    mode = ""
    for name in ("[Game]", "[GameAlarm]", "[Manual Burn Cards]"):
        if line.startswith(name):
            mode, line = name, line[len(name) :]
    if not (line.startswith("<") and line.endswith(">")) or "<" in line[1:] or ">" in line[:-1]:
        return ("unmatched",)
    inner = line[1:-1]
    shoe = mode in ("[Game]", "[Manual Burn Cards]")
    if shoe and inner == "Game":
        return ("unread",)
    if shoe and inner.startswith("Card:"):
        rank, suit = inner[5:-1], inner[-1]
        if rank in RANKS and suit in "CDHS":
            return ("card", ("10" if rank == "T" else rank) + suit)
    if inner.startswith("Alarm:"):
        words = inner[6:]
        digits = 0
        while (
            words[:1] == "E"
            and words[1 + digits : 2 + digits].isascii()
            and words[1 + digits : 2 + digits].isdigit()
        ):
            digits += 1
        code = words[: 1 + digits] if digits else None
        words = words[len(code) :] if code else words
        return ("alarm", code or "", words.removeprefix(" "))
    if (
        len(inner) == 5
        and inner.startswith("W0x")
        and all(char in "0123456789abcdefABCDEF" for char in inner[3:])
    ):
        return ("alarm", inner, "")
    return ("unmatched",)


class Slow:
    """The framing rules taken byte by byte; `found` are the inputs so far."""

    def __init__(self) -> None:
        self.found: list[DeviceInput] = []
        self.frame: list[int] = []
        self.start = self.last = 0
        self.lost = False
        self.alone: list[tuple[str, int]] = []

    def byte(self, byte: int, at: int) -> None:
        self.silence(at)
        self.last = at
        if byte in b"\r\n":
            if not self.lost and bytes(self.frame).strip(b" \t"):
                self.whole(bytes(self.frame))
            self.frame.clear()
            self.lost = False
        elif not self.lost:
            self.start = self.start if self.frame else at
            self.frame.append(byte)
            if len(self.frame) > 80:
                self.reject("too_long", bytes(self.frame[:80]))
                self.frame.clear()
                self.lost = True

    def silence(self, until: int) -> None:
        if (self.frame or self.lost) and until - self.last >= IDLE:
            if bytes(self.frame).strip(b" \t"):
                self.reject("partial", bytes(self.frame))
            self.frame.clear()
            self.lost = False

    def whole(self, raw: bytes) -> None:
        match plain_meaning(raw):
            case ("card", face):
                self.found.append(CardRead(at=self.start, face=Sealed(parse(face)), raw=raw))
            case ("unread",):
                if self.counts("unread"):
                    self.found.append(CardUnread(at=self.start, raw=raw))
            case ("alarm", code, text):
                unread = code == "E3" and self.counts("E3")
                alarm = DeviceAlarm(at=self.start, code=code or None, text=text, raw=raw, unread=unread)
                self.found.append(alarm)
            case _:
                self.reject("unmatched", raw)

    def reject(self, reason: Literal["unmatched", "partial", "too_long"], raw: bytes) -> None:
        self.found.append(FrameRejected(at=self.start, reason=reason, raw=raw, card_like=b"<Card:" in raw))

    def counts(self, kind: str) -> bool:
        """Whether an unread card's frame is a card of its own, not the second frame of an earlier one."""
        for one in self.alone:
            if one[0] != kind and self.start - one[1] <= PAIR:
                self.alone.remove(one)
                return False
        self.alone.append((kind, self.start))
        return True


def slowly(stream: list[tuple[int, int]], end: int) -> list[DeviceInput]:
    """Read `stream`, bytes with their times; then silence until `end`."""
    slow = Slow()
    for byte, at in stream:
        slow.byte(byte, at)
    slow.silence(end)
    return slow.found


def sentences() -> st.SearchStrategy[bytes]:
    """Good lines, near misses and noise."""
    card = st.builds(ENCODER.encode_card, st.sampled_from(DECK))
    words = st.sampled_from(
        [
            b"[Game]<Game>\r",
            b"[Manual Burn Cards]<Game>\n",
            b"[GameAlarm]<Alarm:E3 Card Not Read>\r\n",
            b"<Alarm:E3>\r",
            b"<Alarm: open>\r",
            b"<Alarm:E12lid>\n",
            b"[Game]<W0x1f>\n",
            b"<W0x1g>\n",
            b"[Game]<Card:1S>\r\n",
            b"[Game]<Card:4s>\r\n",
            b"[Game]<Alarm:E3 Card[Game]<Card:4S>\r\n",
            b"[Game]<Card:",
            b"\t ",
            b" ",
            b"\r\n\r\n",
            b"x" * 79,
            b"[Game]<Card:" + b"y" * 90,
            b" " * 81,
        ]
    )
    return st.one_of(card, words, st.binary(max_size=6), st.binary(min_size=75, max_size=90))


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
        size = data.draw(st.integers(1, same))
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
        (b"[Game] <Card:4S>", True),
        (b"[Game]<Card:4S>[Game]<Card:5S>", True),
        (b"[Game]<Alarm:E3 Ca[Game]<Card:4S>", True),
        (b"[Other]<Alarm:E3 Card Not Read>", False),
        (b"temp 29.6\xc2\xb5s", False),
    ],
)
def test_a_frame_that_is_not_exactly_right_is_rejected(line: bytes, like: bool) -> None:  # noqa: FBT001 - a table's column
    assert decode([(line + b"\n", 0)]) == [FrameRejected(at=0, reason="unmatched", raw=line, card_like=like)]


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


def test_sixty_four_kilobytes_of_noise_hold_no_memory_and_cost_no_card() -> None:
    rng = random.Random(9)  # noqa: S311 - noise, not a secret
    decoder = ProfileDecoder(PROFILE)
    for _ in range(64):
        assert not cards(decoder.feed(rng.randbytes(1024), 0))
        assert len(decoder._held) <= 80
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
    rng = random.Random(4)  # noqa: S311 - a shuffle of a test
    order = list(DECK) * 8
    rng.shuffle(order)
    data = b"".join(ENCODER.encode_card(card, rng.randrange(ENCODER.forms(card))) for card in order)
    marks = sorted({0, len(data), *(rng.randrange(len(data)) for _ in range(400))})
    pieces = [(data[first:last], place * 1000) for place, (first, last) in enumerate(pairwise(marks))]
    assert cards(decode(pieces)) == order


def test_text_of_a_face_is_in_no_repr_of_a_card() -> None:
    assert "KH" not in repr(decode([(b"[Game]<Card:KH>\r", 0)])[0]).replace("raw=b'[Game]<Card:KH>'", "")
