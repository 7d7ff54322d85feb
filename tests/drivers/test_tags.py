"""Tags in a file beside the profile: of the hash written down and each line well, or refused."""

import hashlib
from itertools import combinations
from pathlib import Path

import pytest

from drivers.decoder import ProfileDecoder
from drivers.profile import ShoeProfile, parse_shoe
from shoe_daemon.game.cards import DECK
from shoe_daemon.runtime.resources import shoe_file
from shoe_daemon.schema import ConfigError, Problem
from shoe_daemon.table.inputs import CardRead, FrameRejected
from tools import example_tags

SHOES = Path(__file__).parents[2] / "config" / "shoes"
PROFILE = (SHOES / "rfid-uid-lines.toml").read_text(encoding="utf-8")
TAGS = (SHOES / "example-tags.csv").read_bytes()
HASH = hashlib.sha256(TAGS).hexdigest()
LINE = next(number for number, line in enumerate(PROFILE.splitlines(), 1) if line.startswith("uid_sha256"))
"""Of the hash in the profile; the name of the file stands in the line before it."""
BEHIND = TAGS.count(b"\n") + 1
"""The first line behind the tags."""


def loaded(tags: bytes, profile: str = PROFILE) -> ShoeProfile:
    """The profile with `tags` beside it and the hash of those in it."""
    text = profile.replace(HASH, hashlib.sha256(tags).hexdigest())
    return parse_shoe(text.encode(), "shoes/x.toml", lambda _: tags)


def refused(tags: bytes, profile: str = PROFILE) -> list[Problem]:
    with pytest.raises(ConfigError) as caught:
        loaded(tags, profile)
    return list(caught.value.problems)


def bad_lines(*rows: str) -> list[tuple[int | None, str]]:
    """Line and words of each problem of the tags with `rows` below them."""
    found = refused(TAGS + "".join(f"{row}\n" for row in rows).encode())
    assert {one.source for one in found} == {"shoes/example-tags.csv"}
    return [(one.line, one.message) for one in found]


def test_each_tag_of_the_file_is_its_card() -> None:
    decoder = ProfileDecoder(loaded(TAGS))
    rows = [line.split(",") for line in TAGS.decode().splitlines()[1:]]
    found = [one for tag, _ in rows for one in decoder.feed(f"{tag}\r\n".encode(), 0)]
    assert [one.face.open() for one in found if isinstance(one, CardRead)] == [card for _, card in rows]


@pytest.mark.parametrize("rewritten", [TAGS.rstrip(), TAGS.replace(b"\n", b"\r\n")])
def test_line_ends_of_either_kind_and_none_behind_the_last_line(rewritten: bytes) -> None:
    assert loaded(rewritten).cards.uids == loaded(TAGS).cards.uids


def test_a_file_that_was_changed_is_refused_with_the_hash_it_has() -> None:
    changed = TAGS.replace(b",AS\n", b",KS\n")
    with pytest.raises(ConfigError) as caught:
        parse_shoe(PROFILE.encode(), "shoes/x.toml", lambda _: changed)
    (found,) = caught.value.problems
    has = hashlib.sha256(changed).hexdigest()
    assert str(found) == f"shoes/x.toml:{LINE}: cards.uid_sha256: example-tags.csv has another hash: {has}"


def test_the_profile_has_the_hash_of_its_tags_within_its_own() -> None:
    assert loaded(TAGS).sha256 != loaded(TAGS.rstrip()).sha256


def test_a_lost_zero_and_one_tag_twice_are_refused_with_their_lines() -> None:
    assert refused(b"uid,card\nED0BA996,7D\nEDBA996,KH\nAC8C5E0A,2C\nac8c5e0a,3C\nAC8C5E0A,4C\n") == [
        Problem("shoes/example-tags.csv", 3, "", "EDBA996 has an odd number of digits: a zero is lost"),
        Problem("shoes/example-tags.csv", 5, "", "'ac8c5e0a' has letters in lower case"),
        Problem("shoes/example-tags.csv", 6, "", "AC8C5E0A is the tag of line 4"),
    ]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("E00401501235FFFG,7D", "'E00401501235FFFG' is no tag: digits are 0-9 A-F"),
        ("E004 0150 1235 FFFF,7D", "'E004 0150 1235 FFFF' is no tag: digits are 0-9 A-F"),
        ("E.004E+14,7D", "'E.004E+14' is no tag: digits are 0-9 A-F"),
        ("é00401501235FFFF,7D", "is no tag: digits are 0-9 A-F"),
        ("", "'' is no tag: digits are 0-9 A-F"),
        ("# spares", "'# spares' is no tag: digits are 0-9 A-F"),
        ("E0040150,7D", "E0040150 has 8 digits, the first tag 16: all tags are of one width"),
        ("E00401,7D", "E00401 has 6 digits: a tag has 8 to 32"),
        ("0" * 16 + ",7D", "is no tag: readers say it where they read none"),
        ("F" * 16 + ",7D", "is no tag: readers say it where they read none"),
        ("E00401501235FFFF", "'' is no card, such as 10H"),
        ("E00401501235FFFF,TD", "'TD' is no card, such as 10H"),
        ("E00401501235FFFF, 7D", "' 7D' is no card, such as 10H"),
        ("E00401501235FFFF,7D,7D", "'7D,7D' is no card, such as 10H"),
        ("E004015012340097,AS", "E004015012340097 is the tag of line 2"),
    ],
)
def test_a_bad_line_is_named_with_its_number(row: str, words: str) -> None:
    ((line, told),) = bad_lines(row)
    assert line == BEHIND
    assert told.endswith(words)


def test_every_bad_line_is_named() -> None:
    assert [line for line, _ in bad_lines("x,7D", "E00401501235FFFF,7D", "y,7D")] == [BEHIND, BEHIND + 2]


@pytest.mark.parametrize(
    "start", [b"", b"\xef\xbb\xbfuid,card\n", b"card_id,card\n", b"uid;card\n", b"\xff\xfeu"]
)
def test_a_file_of_another_form_is_refused_at_its_first_line(start: bytes) -> None:
    (found,) = refused(start + TAGS.removeprefix(b"uid,card\n"))
    assert (found.line, found.message[:35]) == (1, "wants the line uid,card first, and ")


def test_a_file_without_tags_is_refused() -> None:
    (found,) = refused(b"uid,card\n")
    assert (found.line, found.message) == (1, "has no tag below this line")


def test_a_face_without_any_tag_is_named() -> None:
    (found,) = refused(
        b"".join(line for line in TAGS.splitlines(keepends=True) if not line.endswith(b",10H\n"))
    )
    assert (found.line, found.message) == (LINE - 1, "10H has no code: it could never be read")


def test_a_tag_that_no_frame_can_have_is_named() -> None:
    longer = TAGS.replace(b"\nE0", b"\n" + b"E0" * 4)
    assert "uid 'E0E0E0E004015012340097': the pattern does not read" in refused(longer)[0].message


@pytest.mark.parametrize(
    ("profile", "key", "words"),
    [
        (
            PROFILE.replace('uid_file = "example-tags.csv"', ""),
            "uid_sha256",
            "is the hash of a uid_file, and none",
        ),
        (
            PROFILE.replace(f'uid_sha256 = "{HASH}"', ""),
            "uid_sha256",
            f"example-tags.csv has another hash: {HASH}",
        ),
        (PROFILE + '[cards.uids]\nE00401501235FFFF = "7D"\n', "uid_file", "is given beside [cards.uids]"),
        (PROFILE.replace("example-tags.csv", "../tags.csv"), "uid_file", "the name of a file, no path"),
        (PROFILE.replace("example-tags.csv", "/etc/passwd"), "uid_file", "the name of a file, no path"),
        (PROFILE.replace(HASH, HASH.upper()), "uid_sha256", "64 digits 0-9 a-f"),
    ],
)
def test_what_the_profile_says_of_the_file_must_be_whole(profile: str, key: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_shoe(profile.encode(), "shoes/x.toml", lambda _: TAGS)
    (found,) = caught.value.problems
    assert found.key == f"cards.{key}"
    assert words in found.message


def test_a_profile_that_was_given_without_its_folder_says_so() -> None:
    with pytest.raises(
        ConfigError, match="uid_file: cannot be read: the profile was given without its folder"
    ):
        parse_shoe(PROFILE.encode(), "x.toml")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(PROFILE, encoding="utf-8")
    words = (
        f"mine.toml:{LINE - 1}: cards.uid_file: example-tags.csv cannot be read: No such file or directory"
    )
    with pytest.raises(ConfigError, match=words):
        parse_shoe(*shoe_file("mine.toml", tmp_path))
    (tmp_path / "example-tags.csv").write_bytes(TAGS)
    assert len(parse_shoe(*shoe_file("mine.toml", tmp_path)).cards.uids) == 416


# -- the tags that ship ------------------------------------------------------------------------------------


def test_the_example_tags_are_what_their_rule_makes() -> None:
    assert TAGS.decode() == example_tags.text(), "run: python -m tools.example_tags"


def test_eight_example_tags_of_each_card_differ_in_three_bits_and_two_digits() -> None:
    rows = [line.split(",") for line in TAGS.decode().splitlines()[1:]]
    assert [card for _, card in rows] == list(DECK) * 8
    differing = [int(one, 16) ^ int(other, 16) for (one, _), (other, _) in combinations(rows, 2)]
    assert min(bits.bit_count() for bits in differing) == 3
    assert min(sum(digit != "0" for digit in f"{bits:X}") for bits in differing) == 2


@pytest.mark.parametrize("name", ["rfid-uid-lines", "feig-scan", "feig-frame"])
def test_the_profiles_with_tags_have_them_all_and_take_a_tag_told_again_for_one_card(name: str) -> None:
    profile = parse_shoe(*shoe_file(name))
    assert len(profile.cards.faces) == 416
    capture = (SHOES / f"{name}.capture.jsonl").read_text(encoding="utf-8").splitlines()
    frame = bytes.fromhex(capture[1].partition('"rx": "')[2].rstrip('"}'))
    decoder = ProfileDecoder(profile)
    found = decoder.feed(frame, 0) + decoder.feed(frame, 1_000_000) + decoder.feed(frame, 2_000_001)
    assert [type(one) for one in found] == [CardRead, FrameRejected, CardRead]
