"""Tags that no reader tells, and tags that cannot be told apart, are refused with their lines."""

import re
from pathlib import Path

import pytest

from drivers.profile import parse_shoe
from shoe_daemon.schema import ConfigError

SHOES = Path(__file__).parents[2] / "config" / "shoes"
TAGS = (SHOES / "example-tags.csv").read_text(encoding="ascii").splitlines()[1:53]
"""A tag of each card."""
GOOD = (
    re.sub("(?m)^uid_.*\n", "", (SHOES / "rfid-uid-lines.toml").read_text(encoding="utf-8"))
    + "[cards.uids]\n"
    + "".join(f'{tag} = "{card}"\n' for tag, card in (line.split(",") for line in TAGS))
)
"""The profile with its tags in it."""
FIRST = len(GOOD.splitlines()) + 1
"""Number of the line behind the last of the profile, which ends with its tags."""


def refused(*rows: str) -> list[tuple[int | None, str]]:
    """Line and words of each problem of the profile with `rows` below its tags."""
    with pytest.raises(ConfigError) as caught:
        parse_shoe((GOOD + "\n".join(rows) + "\n").encode(), "shoe.toml")
    return [(one.line, one.message) for one in caught.value.problems]


def test_a_lost_zero_and_the_other_case_of_letters_are_no_tags() -> None:
    found = refused('ED0BA996 = "7D"', 'EDBA996 = "KH"', 'AC8C5E0A = "2C"', 'ac8c5e0a = "3C"')
    assert [line for line, _ in found] == [FIRST + 1, FIRST + 3]
    assert all("wants a tag, 8 to 32 digits 0-9 A-F" in words for _, words in found)


def test_one_tag_is_one_card() -> None:
    assert refused('ED0BA996 = "7D"', 'ED0BA996 = "KH"') == [(FIRST + 1, "the key is given twice")]


@pytest.mark.parametrize("tag", ["00000000", "FFFFFFFF", "0" * 14, "F" * 32])
def test_what_a_reader_says_that_read_none_is_no_tag(tag: str) -> None:
    """The checksum of such a frame may well fit: the reader reckons it after it misread."""
    assert refused('ED0BA996 = "7D"', f'{tag} = "KH"') == [
        (FIRST + 1, "is no tag: readers say it where they read none")
    ]


def test_zeros_and_fs_within_a_tag_are_well() -> None:
    profile = parse_shoe((GOOD + 'F0000000 = "7D"\n00000F00 = "KH"\n').encode(), "shoe.toml")
    assert profile.cards.faces[b"F0000000",] == "7D"
