"""What is told of bytes that nobody at the table has seen."""

from drivers.profile import parse_shoe
from shoe_daemon.runtime.listening import HIDDEN, Ear, Heard
from shoe_daemon.runtime.resources import shoe_file

CARD = b"[Game]<Card:5H>\r\n"
BETRAYER = """
[[messages]]
event = "alarm"
match = '\\[Game\\]<Card:(?P<text>[^<>]*)>'
example = "[Game]<Card:5H>\\r\\n"
"""


def heard(profile: bytes, *, hidden: bool, foreign: bool) -> list[Heard]:
    told: list[Heard] = []
    ear = Ear(parse_shoe(profile, "x.toml"), told.append, hidden=hidden, foreign=foreign)
    ear.heard(CARD, 0)
    return told


def test_a_profile_of_another_kind_makes_nothing_of_hidden_bytes() -> None:
    """Its alarms, or what it rejects, would tell one card from another."""
    text = shoe_file("beetek-rs232")[0].decode().replace("Card:", "Kard:")
    first = text.index("[[messages]]")
    betrayer = (text[:first] + BETRAYER + text[first:]).encode()
    (open_,) = heard(betrayer, hidden=False, foreign=True)
    assert "5H" in "".join(open_.means)
    (closed,) = heard(betrayer, hidden=True, foreign=True)
    assert (closed.means, closed.hex) == ((), HIDDEN)


def test_only_the_shoe_that_was_asked_for_is_told() -> None:
    told: list[Heard] = []
    profile = parse_shoe(shoe_file("beetek-rs232")[0], "x.toml")
    ear = Ear(profile, told.append, hidden=False, bared=3)
    for shoe in (3, None, 4, 2):
        ear.lies_open(shoe)
        ear.heard(CARD, 0)
    assert [one.means for one in told] == [("card 5H",), ("card 5H",), *[(f"card {HIDDEN}",)] * 2]
    assert [one.hex == HIDDEN for one in told] == [False, False, True, True]


def test_the_tables_own_says_that_a_card_came() -> None:
    (told,) = heard(shoe_file("beetek-rs232")[0], hidden=True, foreign=False)
    assert (told.means, told.hex) == ((f"card {HIDDEN}",), HIDDEN)


def test_errors_of_the_line_are_told_beside_the_bytes() -> None:
    told: list[Heard] = []
    ear = Ear(parse_shoe(*shoe_file("beetek-rs232")), told.append, hidden=True)
    ear.alarmed("line_parity", "3 bytes with wrong parity", 7)
    assert told == [Heard(7, means=("line_parity: 3 bytes with wrong parity",))]
