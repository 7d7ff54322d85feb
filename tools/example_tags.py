"""The tags of example cards, config/shoes/example-tags.csv: eight decks, each card with a tag of its own.

Tags are E004015012340000 and a multiple of 151, counted up; one is left out where it is too near to one
before it: so any two differ in three bits and in two digits at least, and no bit lost on a line makes another
card's. They are dealt out deck by deck, ace of spades first. No real card is meant.

`python -m tools.example_tags` writes the file, and tells the hash that the profiles have of it.
"""

import hashlib
import sys
from itertools import count, cycle
from pathlib import Path
from typing import Final

from drivers.tags import HEADER
from shoe_daemon.game.cards import DECK

FILE: Final = Path(__file__).parents[1] / "config" / "shoes" / "example-tags.csv"
DECKS: Final = 8

_FIRST, _STEP = 0xE004015012340000, 151
_BITS, _DIGITS = 3, 2


def apart(one: int, other: int) -> bool:
    """Whether two tags differ enough, in bits and in hexadecimal digits."""
    differ = one ^ other
    return differ.bit_count() >= _BITS and sum(digit != "0" for digit in f"{differ:X}") >= _DIGITS


def tags() -> list[int]:
    """Every tag, in the order of the file."""
    found: list[int] = []
    for number in count(1):
        tag = _FIRST + _STEP * number
        if all(apart(tag, before) for before in found):
            found.append(tag)
        if len(found) == DECKS * len(DECK):
            break
    return found


def text() -> str:
    """The whole file."""
    lines = (f"{tag:016X},{card}\n" for tag, card in zip(tags(), cycle(DECK), strict=False))
    return f"{HEADER}\n" + "".join(lines)


if __name__ == "__main__":
    FILE.write_text(text(), encoding="ascii")
    sys.stdout.write(f"{FILE}: written, {hashlib.sha256(FILE.read_bytes()).hexdigest()}\n")
