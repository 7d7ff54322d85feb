"""Framings and checksums: catalogue values, contradictions, frames that are found again behind noise."""

import re
from pathlib import Path

import pytest

from drivers.framing import Checksum, Counted, Escaped, Fixed, Frame, framer_of
from drivers.framing.checksums import crc16, reader
from drivers.profile import parse_shoe
from shoe_daemon.schema import ConfigError

SHOES = Path(__file__).parents[2] / "config" / "shoes"
CHECK = b"123456789"


@pytest.mark.parametrize(
    ("poly", "init", "reflected", "xorout", "figure"),
    [
        (0x1021, 0xFFFF, False, 0x0000, 0x29B1),  # IBM-3740
        (0x1021, 0x0000, False, 0x0000, 0x31C3),  # XMODEM
        (0x1021, 0x1D0F, False, 0x0000, 0xE5CC),  # SPI-FUJITSU
        (0x1021, 0xFFFF, True, 0xFFFF, 0x906E),  # IBM-SDLC
        (0x1021, 0xFFFF, True, 0x0000, 0x6F91),  # MCRF4XX, as FEIG readers have it
        (0x1021, 0x89EC, True, 0x0000, 0x26B1),  # TMS37157
        (0x1021, 0x0000, True, 0x0000, 0x2189),  # KERMIT
        (0x8005, 0xFFFF, True, 0x0000, 0x4B37),  # MODBUS
        (0x8005, 0x0000, True, 0x0000, 0xBB3D),  # ARC
        (0x8005, 0x0000, False, 0x0000, 0xFEE8),  # UMTS
    ],
)
def test_the_check_values_of_the_catalogue(
    poly: int,
    init: int,
    reflected: bool,  # noqa: FBT001 - a table
    xorout: int,
    figure: int,
) -> None:
    assert crc16(poly, init, reflected=reflected, xorout=xorout)(CHECK) == figure


@pytest.mark.parametrize(
    ("checksum", "told"),
    [
        (Checksum(kind="xor8"), b"\x31"),
        (Checksum(kind="sum8"), b"\xdd"),
        (Checksum(kind="lrc"), b"\x23"),
        (Checksum(kind="lrc", encoding="hex", separator="*"), b"*23"),
        (Checksum(kind="crc32"), b"\xcb\xf4\x39\x26"),
        (Checksum(kind="crc32", order="little"), b"\x26\x39\xf4\xcb"),
        (Checksum(kind="crc32", encoding="hex", order="little"), b"CBF43926"),
    ],
)
def test_a_figure_as_it_stands_in_a_frame(checksum: Checksum, told: bytes) -> None:
    assert checksum.over(CHECK) == told
    assert len(told) == checksum.size
    read = reader(checksum)
    assert read(CHECK + told) == CHECK
    digits = checksum.encoding == "hex" or told.lower() == told
    assert read(CHECK + told.lower()) == (CHECK if digits else None)
    assert read(CHECK[:-1] + told) is None


COUNTED = Counted(start="\x02", length_at=1, end="\x03", min_bytes=5, max_bytes=16, idle_ms=100)
XOR = Checksum(kind="xor8", skip=1)


def counted(text: bytes) -> bytes:
    body = bytes([2, len(text) + 4]) + text
    return body + XOR.over(body[1:]) + b"\x03"


def read(
    framing: Counted | Fixed | Escaped, checksum: Checksum | None, *pieces: tuple[bytes, int]
) -> list[Frame]:
    framer = framer_of(framing, checksum)
    found = [frame for data, at in pieces for frame in framer.feed(data, at)]
    assert len(pieces) == 0 or framer.due() is None or framer.pending
    return found + framer.tick(10**9)


def told(found: list[Frame]) -> list[tuple[int, bytes, str]]:
    """Time, text of a good frame or bytes of a bad one, and why it is bad."""
    return [(one.at, one.raw if one.fault else one.text, one.fault) for one in found]


def test_a_false_start_costs_no_frame_behind_it() -> None:
    """Even where its length would reach over the good one: it is looked through when nothing more comes."""
    found = read(COUNTED, XOR, (b"\x02\x0f", 5), (counted(b"ab"), 7), (counted(b"c"), 9))
    assert told(found) == [(5, b"\x02\x0f", "partial"), (7, b"ab", ""), (9, b"c", "")]


def test_a_frame_bears_the_time_of_its_first_byte_and_noise_its_own() -> None:
    found = read(COUNTED, XOR, (b"zz\x02", 5), (counted(b"ab")[1:3], 6), (counted(b"ab")[3:] + b"!", 7))
    assert told(found) == [(5, b"zz", "unmatched"), (5, b"ab", ""), (7, b"!", "unmatched")]


def test_noise_without_end_is_told_once_and_cut() -> None:
    found = read(COUNTED, XOR, *((b"n" * 1000, at) for at in range(50)), (counted(b"ab"), 60))
    assert told(found) == [(0, b"n" * 16, "too_long"), (60, b"ab", "")]


def test_a_silence_ends_a_frame_and_what_comes_later_is_not_its_end() -> None:
    whole = counted(b"ab")
    found = read(COUNTED, XOR, (whole[:3], 0), (whole[3:], 100_000), (whole, 100_001))
    assert [one.fault for one in found] == ["partial", "unmatched", ""]


def test_frames_of_one_size() -> None:
    fixed = Fixed(start="<", size=5, end=">", idle_ms=100)
    found = read(fixed, None, (b"<abc>x<de", 1), (b"f><<gh>>", 2))
    assert told(found) == [
        (1, b"abc", ""),
        (1, b"x", "unmatched"),
        (1, b"def", ""),
        (2, b"<gh", ""),
        (2, b">", "unmatched"),
    ]


def test_escaped_bytes_are_read_as_they_were() -> None:
    escaped = Escaped(start="\x02", end="\x03", escape="\x10", xor=0x20, max_bytes=32, idle_ms=100)
    found = read(escaped, None, (b"\x02a\x10\x22b\x10\x23\x10\x30\x03", 1), (b"\x02ab\x02cd\x03", 2))
    assert told(found) == [(1, b"a\x02b\x03\x10", ""), (2, b"\x02ab", "unmatched"), (2, b"cd", "")]


HOUSE = (SHOES / "house-serial.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "key", "words"),
    [
        ("length_at = 1", "length_at = 0", "framing.length_at", "within the start"),
        ("min_bytes = 7", "min_bytes = 5", "framing.min_bytes", "at least 6"),
        ("max_bytes = 64", "max_bytes = 300", "framing.max_bytes", "255 at most"),
        ("min_bytes = 7", "min_bytes = 70", "framing.min_bytes", "above max_bytes"),
        ("poly = 0x1021\n", "", "checksum.poly", "crc16 needs it"),
        ('kind = "crc16"', 'kind = "xor8"', "checksum.poly", "xor8 has no use"),
        ("skip = 1", 'skip = 1\nseparator = "*"', "checksum.separator", "hexadecimal digits alone"),
        ("init = 0xFFFF", "init = 0x0000", "messages[0].example", "checksum of the example"),
        ("bits = 8\nparity", "bits = 7\nparity", "transport.bits", "bytes over 7F"),
        ("[cards.suits]", '[cards.codes]\nx = "AS"\n[cards.suits]', "cards", "wants one table"),
        (
            "(?P<suit>[CDHS])",
            "(?P<suit>[CDHS])(?P<uid>)",
            "messages[0].match",
            "looked up by a group named uid",
        ),
        ("idle_ms = 100", "idle_ms = 100\nends = [';']", "framing.ends", "unknown key"),
    ],
)
def test_each_contradiction_is_named(old: str, new: str, key: str, words: str) -> None:
    assert HOUSE.count(old) == 1, old
    with pytest.raises(ConfigError) as caught:
        parse_shoe(HOUSE.replace(old, new).encode(), "shoe.toml")
    named = [one for one in caught.value.problems if one.key == key]
    assert any(words in one.message for one in named), caught.value.problems
    assert all(one.line is not None for one in named)


def test_cards_by_number_and_tags_need_every_card() -> None:
    text = HOUSE.replace("(?P<rank>10|[2-9TJQKA])(?P<suit>[CDHS])", r"(?P<index>[\x00-\xff])", 1)
    head, _, _ = text.partition("[cards.ranks]")
    numbers = '[cards.numbers]\nbase = 1\nsuits = "SHCD"\nwritten = "byte"\n[semantics.sequence]\nbits = 8\n'
    example = counted_house(b"\x01C\x01")
    text = re.sub('example = "[^"]*"', lambda _: f'example = "{example}"', head, count=1) + numbers
    profile = parse_shoe(text.encode(), "shoe.toml")
    assert profile.cards.faces[b"\x01",] == "AS"
    assert profile.cards.faces[bytes([52]),] == "KD"
    with pytest.raises(ConfigError, match="names a suit twice"):
        parse_shoe(text.replace('"SHCD"', '"SHCC"').encode(), "shoe.toml")


def counted_house(text: bytes) -> str:
    """A frame of the house protocol as a TOML string."""
    body = bytes([len(text) + 5]) + text
    crc = crc16(0x1021, 0xFFFF, reflected=False, xorout=0)(body).to_bytes(2, "big")
    return "".join(f"\\u{byte:04x}" for byte in b"\x02" + body + crc + b"\x03")
