"""Journal ids: 128 bits, time first, as 26 letters of Crockford's base 32 (a ULID) or as 16 bytes."""

import os
from typing import Final

_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_VALUE: Final = {letter: value for value, letter in enumerate(_LETTERS)}
TEXT_SIZE: Final = 26
BYTES_SIZE: Final = 16
ZERO: Final = "0" * TEXT_SIZE


def new(at: int) -> str:
    """Make a fresh id. `at`: microseconds since 1970 UTC, kept in it as milliseconds."""
    millis = max(at, 0) // 1000 % (1 << 48)
    return to_text(millis.to_bytes(6, "big") + os.urandom(10))


def to_text(data: bytes) -> str:
    """Text of the 16 bytes of an id."""
    if len(data) != BYTES_SIZE:
        raise ValueError(f"an id has {BYTES_SIZE} bytes, not {len(data)}")
    number = int.from_bytes(data, "big")
    return "".join(_LETTERS[number >> 5 * place & 31] for place in reversed(range(TEXT_SIZE)))


def to_bytes(text: str) -> bytes:
    """Return the 16 bytes of an id's text. Raises ValueError on anything that `to_text` never writes."""
    if len(text) != TEXT_SIZE or text[0] > "7" or not set(text) <= _VALUE.keys():
        raise ValueError(f"{text!r} is no id: 26 letters of {_LETTERS}, the first at most 7")
    number = 0
    for letter in text:
        number = number << 5 | _VALUE[letter]
    return number.to_bytes(BYTES_SIZE, "big")
