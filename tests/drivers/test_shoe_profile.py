"""A shoe profile that contradicts itself is refused with every problem, its line and its key."""

import hashlib
from pathlib import Path

import pytest

from drivers import decoder_for
from drivers.decoder import ProfileDecoder
from drivers.encoder import ProfileEncoder
from drivers.framing import Delimited
from drivers.profile import ShoeProfile, parse_shoe
from shoe_daemon.game.cards import DECK, Card
from shoe_daemon.schema import ConfigError, Problem
from shoe_daemon.table.inputs import CardRead, CardUnread, DeviceAlarm

FILE = Path(__file__).parents[2] / "config" / "shoes" / "beetek-rs232.toml"
GOOD = FILE.read_text()


def problems(text: str) -> tuple[Problem, ...]:
    with pytest.raises(ConfigError) as caught:
        parse_shoe(text.encode(), "shoe.toml")
    return caught.value.problems


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new, 1)


def test_the_profile_is_named_by_its_bytes() -> None:
    profile = parse_shoe(GOOD.encode(), "shoe.toml")
    assert profile.id == "beetek-rs232"
    assert profile.sha256 == hashlib.sha256(GOOD.encode()).hexdigest()
    assert isinstance(profile.framing, Delimited)
    assert (profile.transport.baud, profile.framing.max_bytes, profile.framing.idle_ms) == (9600, 80, 200)
    assert profile.semantics.coalesce_ms == 500


BROKEN = [
    ("baud = 9600", "baud = 0", "transport.baud", "got 0"),
    ("baud = 9600", "baud = true", "transport.baud", "got true"),
    ("baud = 9600", "baud = 2.7", "transport.baud", "got 2.7"),
    ("baud = 9600", 'baud = "96OO"', "transport.baud", '"96OO"'),
    ("baud = 9600", "baud = 9601", "transport.baud", "9600"),
    ("baud = 9600", "buad = 9600", "transport.buad", "transport.baud"),
    ('flow = "none"', 'flow = "xonxoff"', "transport.flow", "xonxoff"),
    ("idle_ms = 200", "", "framing.idle_ms", "missing"),
    ("idle_ms = 200", "idle_ms = 0", "framing.idle_ms", "from 10"),
    ("idle_ms = 200", "idle_ms = 10001", "framing.idle_ms", "up to 10000"),
    ("max_bytes = 80", "max_bytes = 0", "framing.max_bytes", "from 4"),
    ("max_bytes = 80", "max_bytes = 100000", "framing.max_bytes", "up to 4096"),
    ("max_bytes = 80", "max_bytes = 12", "messages[0].example", "longer than 12 bytes"),
    (r'ends = ["\r", "\n"]', "ends = []", "framing.ends", "no line end"),
    (r'ends = ["\r", "\n"]', r'ends = ["\r\n"]', "framing.ends[0]", "at most 1"),
    (r'ends = ["\r", "\n"]', r'ends = ["\r", "\r"]', "framing.ends", "twice"),
    (r'ends = ["\r", "\n"]', 'ends = ["€"]', "framing.ends", "single byte"),
    (r'strip = " \t"', r'strip = " \r"', "framing.strip", "both ends a frame and is dropped"),
    ('event = "unread"', 'event = "unraed"', "messages[1].event", '"unread"'),
    ('event = "unread"', 'event = "button"', "messages[1].button", "goes with the event button"),
    ('event = "unread"', 'event = "result"', "messages[1].match", "needs a group named outcome"),
    ('event = "unread"', 'event = "result"', "semantics.outcomes", "goes with a message `result`"),
    ("(?P<suit>[CDHS])", "(?P<suit>[CDHS]", "messages[0].match", "no regular expression"),
    ("(?P<suit>[CDHS])", "[CDHS]", "messages[0].match", "needs a group named suit"),
    ("(?P<suit>[CDHS])", "(?P<suti>[CDHS])", "messages[0].match", "no use for a group named suti"),
    ("(?P<suit>[CDHS])", "(?P<suit>[CDH])", "messages[0].example", "does not match its own pattern"),
    ("(?P<suit>[CDHS])", "(?P<suit>[CDS])", "messages[0].match", "suit 'H'"),
    ("(?P<rank>10|[2-9TJQKA])", "(?P<rank>10|[2-9JQKA])", "messages[0].match", "rank 'T'"),
    (
        "(?P<rank>10|[2-9TJQKA])(?P<suit>[CDHS])",
        "(?P<rank>.*)(?P<suit>.*)",
        "messages[0].match",
        "does not read",
    ),
    (
        r'example = " [Game]<Card:4S> \r\n"',
        'example = " [Game]<Card:4S> "',
        "messages[0].example",
        "no line end",
    ),
    (r"<Card:4S> \r\n", r"<Card:4S>\r[Game]<Card:4S>\r\n", "messages[0].example", "more than one frame"),
    (r"<Card:4S> \r\n", r"<Card:4€> \r\n", "messages[0].example", "single byte"),
    (r'example = " [Game]<Card:4S> \r\n"', "", "messages[0].example", "missing"),
    (r"[Game]<Game> \r\n", r"[Game]<Card:4S> \r\n", "messages[1].example", "does not match"),
    (r"'\[(?:Game|Manual Burn Cards)\]<Game>'", "'.*'", "messages[2].example", "messages[1] reads"),
    (r"(?P<code>W0x[0-9A-Fa-f]{2})", "W0x[0-9]+", "messages[3].match", "says nothing"),
    (r"(?P<code>W0x", r"(?P<rank>W0x", "messages[3].match", "no use for a group named rank"),
    ('event = "unread"', 'event = "unread"\ncode = "E3"', "messages[1].code", "no use"),
    ('event = "warning"', 'event = "warning"\ncode = "W"', "messages[3].code", "already has a group"),
    ('event = "warning"', 'event = "warning"\ncoed = "W"', "messages[3].coed", "code"),
    ('like = "<Card:"', 'like = "<card:"', "cards.like", "is not in the example"),
    ('like = "<Card:"', 'like = ""', "cards.like", "at least 1"),
    ('J = ["J"]', "", "cards.ranks", "J has no code"),
    ('J = ["J"]', "J = []", "cards.ranks", "J has no code"),
    ('J = ["J"]', 'J = ["Q"]', "cards.ranks", "'Q' is given more than once: J, Q"),
    ('J = ["J"]', 'J = ["J"]\n1 = ["1"]', "cards.ranks.1", "a rank"),
    ('C = ["C"]', 'C = ["D"]', "cards.suits", "'D' is given more than once: C, D"),
    (
        'unread_alarms = ["E3"]',
        'unread_alarms = ["X3"]',
        "semantics.unread_alarms",
        "no alarm can have the code 'X3'",
    ),
    ('unread_alarms = ["E3"]', "unread_alarms = []", "semantics.coalesce_ms", "needs an unread message"),
    ("coalesce_ms = 500", "coalesce_ms = -1", "semantics.coalesce_ms", "from 0"),
    ('id = "beetek-rs232"', 'id = "Bee Tek"', "meta.id", "a name"),
    *(
        ("coalesce_ms = 500", f"coalesce_ms = 500\n{more}", key, words)
        for more, key, words in (
            ("same_tag_ms = 500", "semantics.same_tag_ms", "needs cards.uids"),
            ('slots = {A = ["P1"]}', "semantics.slots", "no code stands for B1"),
            ('slots = {A = ["P4"]}', "semantics.slots.A[0]", "P1"),
            (
                'min_gap_ms = 9\nslots = {A = ["P1", "P2", "P3", "B1", "B2", "B3"]}',
                "semantics.min_gap_ms",
                "the same place twice is seen",
            ),
            (
                'slots = {A = ["P1", "P2", "P3", "B1", "B2", "B3"]}',
                "messages[0].match",
                "needs a group named slot",
            ),
            ('outcomes = {P = "player"}', "semantics.outcomes", "goes with a message `result`"),
            ('outcomes = {P = "player"}', "semantics.outcomes", "no code stands for tie"),
            ('outcomes = {P = "punto"}', "semantics.outcomes.P", "player"),
            ('[session]\nboot = "("', "session.boot", "no regular expression"),
            ('[session]\nboot = "€"', "session.boot", "single byte"),
            ('[session]\npoll = "?"', "session.poll", "goes with poll_ms"),
            ("[session]\npoll_ms = 50", "session.poll", "goes with poll_ms"),
            (
                '[session]\npoll = "?"\npoll_ms = 50\nsilence_ms = 50',
                "session.silence_ms",
                "over before the device is asked",
            ),
            ('[session]\nhello = "{seq}"', "session.hello", "no number to stand for"),
            ('[session]\nnak = "{seq}"', "session.nak", "no number to stand for"),
            ('min_gap_ms = 100\n[session]\nnak = "!"\nagain_ms = 101', "session.again_ms", "the next card"),
            ('[session]\nack = "{seq}"', "session.ack", "needs numbered frames"),
            ('[session]\nack = "!"', "session.ack", "looks like a second card"),
            ('[session]\nreplay = "?"', "session.replay", "by its number"),
            ('[session]\nhello = "€"', "session.hello", "single byte"),
            ("[session]\nagain_ms = 1", "session.again_ms", "from 20"),
        )
    ),
    (
        "(?P<suit>[CDHS])",
        "(?P<suit>(?P<slot>[CDHS]))",
        "messages[0].match",
        "has a group named slot, and no places",
    ),
]


@pytest.mark.parametrize(("old", "new", "key", "words"), BROKEN)
def test_each_contradiction_is_named_with_its_line(old: str, new: str, key: str, words: str) -> None:
    text = changed(old, new)
    found = problems(text)
    named = [one for one in found if one.key == key]
    assert named, found
    assert any(words in one.message for one in named), named
    assert all(one.line is not None and one.source == "shoe.toml" for one in found)


def test_all_problems_at_once() -> None:
    text = changed("baud = 9600", "baud = 0").replace('J = ["J"]', "J = 1").replace("idle_ms", "idel_ms")
    assert {one.key for one in problems(text)} >= {"transport.baud", "cards.ranks.J", "framing.idel_ms"}
    text = changed('C = ["C"]', 'C = ["D"]').replace("(?P<suit>[CDHS])", "[CDHS]").replace('"\\r", "\\n"', "")
    assert {one.key for one in problems(text)} == {"framing.ends", "cards.suits", "messages[0].match"}


def test_a_slow_line_needs_a_longer_silence() -> None:
    text = changed("baud = 9600", "baud = 300").replace("idle_ms = 200", "idle_ms = 50")
    assert [(one.key, one.message) for one in problems(text)] == [
        ("framing.idle_ms", "two bytes at 300 baud take 67 ms")
    ]


def test_no_card_message_and_no_message_at_all() -> None:
    head, *messages = GOOD.split("[[messages]]")
    tail = messages[-1][messages[-1].index("[cards]") :]
    assert [one.key for one in problems("messages = []\n" + head + tail)] == ["messages"]
    without = "[[messages]]".join([head, *messages[1:]])
    assert [one.message for one in problems(without)] == ["no message is a card"]


# --- other shoes of the same family -----------------------------------------------------------------------

DIGITS = r"""
[meta]
id = "four-digits"
title = "Four digits a line"
known_from = ["a test"]
not_known = []
[transport]
baud = 9600
[framing]
kind = "delimited"
ends = ["\r"]
strip = ""
max_bytes = 8
idle_ms = 100
[[messages]]
event = "card"
match = '(?P<suit>\d)(?P<rank>\d\d)0'
example = "1040\r"
[[messages]]
event = "alarm"
match = '(?P<text>NO ?READ)'
code = "unread"
example = "NOREAD\r"
[cards]
like = "0"
[cards.ranks]
A = ["01"]
2 = ["02"]
3 = ["03"]
4 = ["04"]
5 = ["05"]
6 = ["06"]
7 = ["07"]
8 = ["08"]
9 = ["09"]
10 = ["10"]
J = ["11"]
Q = ["12"]
K = ["13"]
[cards.suits]
S = ["1"]
H = ["2"]
C = ["3"]
D = ["4"]
[semantics]
unread_alarms = ["unread"]
"""


def test_suit_first_codes_constant_codes_and_codes_in_no_table() -> None:
    profile = parse_shoe(DIGITS.encode(), "digits.toml")
    decoder = ProfileDecoder(profile)
    found = decoder.feed(b"4130\r2100\rNO READ\r5010\rx\r", 0)
    assert [one.face.open() for one in found if isinstance(one, CardRead)] == ["KD", "10H"]
    assert found[2] == DeviceAlarm(at=0, code="unread", text="NO READ", raw=b"NO READ", unread=True)
    assert [(one.raw, getattr(one, "reason", None)) for one in found[3:]] == [
        (b"5010", "unknown_code"),
        (b"x", "unmatched"),
    ]
    assert getattr(found[3], "card_like", None) is True
    assert decoder.feed(b"NOREAD\rNOREAD\r", 1)[1].unread  # type: ignore[union-attr]  # both are cards: nothing pairs


def test_a_warning_is_never_an_unread_card() -> None:
    text = changed("(?P<code>W0x[0-9A-Fa-f]{2})", "(?P<code>W0x[0-9A-Fa-f]{2}|E3)")
    decoder = ProfileDecoder(parse_shoe(text.encode(), "shoe.toml"))
    assert decoder.feed(b"<E3>\r", 0) == [DeviceAlarm(at=0, code="E3", text="", raw=b"<E3>", unread=False)]


@pytest.mark.parametrize("text", [GOOD, DIGITS], ids=["beetek", "digits"])
def test_what_the_encoder_writes_the_decoder_reads(text: str) -> None:
    profile = parse_shoe(text.encode(), "shoe.toml")
    encoder = ProfileEncoder(profile)
    for card in DECK:
        written = {encoder.encode_card(card, form) for form in range(encoder.forms(card))}
        assert len(written) == (2 if card[:-1] == "10" and text == GOOD else 1)
        for data in written:
            assert [
                one.face.open() for one in decoder_for(profile).feed(data, 0) if isinstance(one, CardRead)
            ] == [card]


def test_frames_are_written_as_the_shoe_sends_them() -> None:
    encoder = ProfileEncoder(parse_shoe(GOOD.encode(), "shoe.toml"))
    assert encoder.encode_card(Card("4S")) == b" [Game]<Card:4S> \r\n"
    assert [encoder.encode_card(Card("10H"), form) for form in (0, 1)] == [
        b" [Game]<Card:10H> \r\n",
        b" [Game]<Card:TH> \r\n",
    ]
    decoder = decoder_for(parse_shoe(GOOD.encode(), "shoe.toml"))
    line, alarm, both = map(encoder.encode_unread, range(encoder.unread_signs))
    assert both == line + alarm
    assert [type(one) for one in decoder.feed(b"".join(both), 0)] == [CardUnread, DeviceAlarm]
    assert ProfileEncoder(parse_shoe(DIGITS.encode(), "digits.toml")).encode_unread() == (b"NOREAD\r",)


def test_a_driver_that_is_not_installed_is_named_with_those_that_are() -> None:
    text = changed('id = "beetek-rs232"', 'id = "beetek-rs232"\ndriver = "lidless"')
    profile: ShoeProfile = parse_shoe(text.encode(), "shoe.toml")
    with pytest.raises(
        ConfigError, match=r"profile beetek-rs232: meta.driver: no driver 'lidless'; installed: .*profile"
    ):
        decoder_for(profile)
