"""Checksums of frames: what a profile says of them, and how they are reckoned.

The figure stands at the end of a frame, before its `end`; it covers all from byte `skip` up to its separator.
"""

import zlib
from binascii import crc_hqx
from collections.abc import Callable
from functools import cache, reduce
from operator import xor
from typing import Annotated, Final, Literal

import msgspec

_CCITT: Final = 0x1021
"""The one polynomial that the standard library reckons with: five times as fast for a card's frame."""

_Word = Annotated[int, msgspec.Meta(ge=0, le=0xFFFF)]


class Checksum(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One kind of checksum. `lrc`: the two's complement of the sum of all bytes.

    `poly`, `init`, `reflected`, `xorout`: of `crc16` alone, as the catalogues of CRCs give them, `poly` not
    reflected. `encoding`: the figure as bytes in `order`, or as hexadecimal digits, the highest first.
    """

    kind: Literal["xor8", "sum8", "lrc", "crc16", "crc32"]
    poly: _Word | None = None
    init: _Word | None = None
    reflected: bool | None = None
    xorout: _Word | None = None
    encoding: Literal["raw", "hex"] = "raw"
    order: Literal["big", "little"] = "big"
    separator: Annotated[str, msgspec.Meta(max_length=4)] = ""
    skip: Annotated[int, msgspec.Meta(ge=0, le=8)] = 0

    @property
    def bytes_wide(self) -> int:
        """Bytes of the figure itself."""
        return {"crc16": 2, "crc32": 4}.get(self.kind, 1)

    @property
    def size(self) -> int:
        """Bytes that it takes in a frame, its separator included."""
        return len(self.separator) + self.bytes_wide * (2 if self.encoding == "hex" else 1)

    def over(self, covered: bytes) -> bytes:
        """Give the separator and the figure of `covered`, as they stand in a frame."""
        return writer(self)(covered)


@cache
def writer(checksum: Checksum) -> Callable[[bytes], bytes]:
    """Make what gives the separator and the figure of bytes, as they stand in a frame."""
    figure, wide, order = _figure(checksum), checksum.bytes_wide, checksum.order
    separator = checksum.separator.encode("latin-1")
    if checksum.encoding == "hex":
        return lambda covered: separator + figure(covered).to_bytes(wide, "big").hex().upper().encode()
    return lambda covered: separator + figure(covered).to_bytes(wide, order)


def reader(checksum: Checksum) -> Callable[[bytes], bytes | None]:
    """Make what takes the checksum off the end of bytes, in digits of any case; None: it does not fit."""
    right, size, skip, digits = writer(checksum), checksum.size, checksum.skip, checksum.encoding == "hex"

    def read(raw: bytes) -> bytes | None:
        covered, told = raw[:-size], raw[-size:]
        wanted = right(covered[skip:])
        return covered if told == wanted or (digits and told.upper() == wanted.upper()) else None

    return read


def _figure(checksum: Checksum) -> Callable[[bytes], int]:
    match checksum.kind:
        case "xor8":
            return lambda covered: reduce(xor, covered, 0)
        case "sum8":
            return lambda covered: sum(covered) & 0xFF
        case "lrc":
            return lambda covered: -sum(covered) & 0xFF
        case "crc32":
            return zlib.crc32
        case "crc16":
            poly, init, xorout = checksum.poly or 0, checksum.init or 0, checksum.xorout or 0
            return crc16(poly, init, reflected=bool(checksum.reflected), xorout=xorout)


@cache
def crc16(poly: int, init: int, *, reflected: bool, xorout: int) -> Callable[[bytes], int]:
    """Make the CRC of these parameters: 16 bits wide, `poly` and `init` not reflected."""
    if poly == _CCITT and not reflected:
        return lambda data: crc_hqx(data, init) ^ xorout
    table = [_entry(byte, poly, reflected=reflected) for byte in range(256)]
    first = _mirrored(init) if reflected else init

    def figure(data: bytes) -> int:
        value = first
        for byte in data:
            if reflected:
                value = table[(value ^ byte) & 0xFF] ^ value >> 8
            else:
                value = table[value >> 8 ^ byte] ^ (value << 8 & 0xFFFF)
        return value ^ xorout

    return figure


def _mirrored(value: int) -> int:
    return int(f"{value:016b}"[::-1], 2)


def _entry(byte: int, poly: int, *, reflected: bool) -> int:
    """What one byte brings into a CRC of zero."""
    value = byte if reflected else byte << 8
    back = _mirrored(poly)
    for _ in range(8):
        if reflected:
            value = value >> 1 ^ (back if value & 1 else 0)
        else:
            value = (value << 1 ^ (poly if value & 0x8000 else 0)) & 0xFFFF
    return value
