"""What is said to peers: syslog, CEF, the lines of a picture, ZoneMinder."""

import re

import pytest

from shoe_daemon.clients.surveillance import cef, rfc5424
from shoe_daemon.clients.surveillance.fields import flat
from shoe_daemon.clients.surveillance.framing import Framing, preset
from shoe_daemon.clients.surveillance.words import lines, sentence
from shoe_daemon.clients.surveillance.zoneminder import ZoneMinderSection, trigger
from shoe_daemon.runtime import resources
from tests.surveillance.told import JOURNAL, RESULT, made, traced

HEADER = rfc5424.Header("local0", "pit-7")
NAME = r'[^\x00-\x20\x7f-\U0010ffff="\]]{1,32}'
VALUE = r'(?:[^"\\\]\x00-\x1f\x7f]|\\["\\\]])*'
ELEMENT = rf'\[{NAME}(?: {NAME}="{VALUE}")*\]'
MESSAGE = re.compile(
    r"<(?:\d{1,2}|1[0-8]\d|19[01])>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z"
    rf" [!-~]{{1,255}} [!-~]{{1,48}} [!-~]{{1,128}} [!-~]{{1,32}} (?:{ELEMENT})+(?: .*)?"
)


def test_every_event_of_every_capture_is_a_message_as_the_standard_has_it() -> None:
    for told in traced():
        for message in (rfc5424.message, cef.message):
            assert MESSAGE.fullmatch(message(told, HEADER).decode()), message(told, HEADER)


def test_a_message_in_full() -> None:
    told = made("card.exposed", slot="P1", card="4S", source="shoe", actor=None)
    assert rfc5424.message(told, HEADER).decode() == (
        "<134>1 2026-11-30T12:00:00.123456Z pit-7 shoe-daemon - card.exposed"
        ' [timeQuality tzKnown="1" isSynced="0"][meta sequenceId="412"]'
        f'[event@32473 journal="{JOURNAL}" seq="412" table="BAC-07" shoe="3" coup="41"]'
        '[data@32473 slot="P1" card="4S" source="shoe"] BAC-07 S3 C41 P1 4S'
    )


def test_hostile_data_stay_inside_their_value() -> None:
    told = made("seat.message", 412, text='a"] [x y="z\\', **{'Na me="]' + "x" * 40: "v\nw\x00é"})
    message = rfc5424.message(told, rfc5424.Header("audit", "pit 7\n", 4711)).decode()
    assert MESSAGE.fullmatch(message)
    assert '[data@4711 text="a\\"\\] [x y=\\"z\\\\"' in message
    assert f'na_me___{"x" * 24}="v w é"' in message
    assert message.startswith("<110>1 2026-11-30T12:00:00.123456Z pit_7_ shoe-daemon")


@pytest.mark.parametrize(("seq", "number"), [(1, 1), (2**31 - 1, 2**31 - 1), (2**31, 1)])
def test_the_number_of_a_message_begins_again_where_the_standard_ends(seq: int, number: int) -> None:
    assert f'[meta sequenceId="{number}"]' in rfc5424.message(made("coup.held", seq), HEADER).decode()


@pytest.mark.parametrize(
    ("kind", "data", "pri"),
    [
        ("alarm.raised", {"code": "unmasked"}, 129),
        ("irregularity.raised", {}, 132),
        ("device.link", {"state": "down"}, 132),
        ("device.link", {"state": "up"}, 133),
        ("coup.void", {}, 133),
        ("coup.result", {}, 134),
        ("what.comes.later", {}, 134),
    ],
)
def test_how_grave(kind: str, data: dict[str, str], pri: int) -> None:
    assert rfc5424.message(made(kind, 412, **data), HEADER).startswith(b"<%d>1 " % pri)


def test_cef_in_full() -> None:
    told = made("dispute.noted", what="a=b\\c|d\ne", actor="dealer:17")
    text = cef.message(told, HEADER).decode().partition("] CEF:")[2]
    assert text == (
        "0|shoe-daemon|shoe-daemon|0.1.0|dispute.noted|dispute noted|4|rt=1796040000123"
        f" externalId={JOURNAL}:412 deviceExternalId=BAC-07 cn1Label=shoe cn1=3 cn2Label=coup cn2=41"
        " cn3Label=seq cn3=412 suser=dealer:17 msg=BAC-07 S3 C41 DISPUTE NOTED A B C D E BY DEALER:17"
        r" shoeWhat=a\=b\\c|d\ne"
    )


def test_data_become_names_and_texts() -> None:
    data = {"a": None, "b": {"c": 1, "d": {"e": True}}, "f": ["x", 2], "g": [{"h": 1}], "i": []}
    assert list(flat(data)) == [("b_c", "1"), ("b_d_e", "true"), ("f", "x 2"), ("g", '[{"h":1}]'), ("i", "")]


def test_no_line_is_too_long_or_has_a_character_that_a_recorder_draws_wrongly() -> None:
    for told in traced():
        said = lines(told)
        assert len(said) >= 3
        assert all(re.fullmatch(r"[A-Z0-9:/.-][A-Z0-9 :/.-]{0,31}", line) for line in said), said


def test_lines_of_a_result() -> None:
    assert lines(made("coup.result", **RESULT)) == [
        "BAC-07 S3 C41",
        "2026-11-30 12:00:00.123 N412",
        "P 4H 9C UNREAD 3",
        "B KS 8D 8",
        "BANKER NATURAL",
    ]


def test_a_long_text_goes_on_in_the_next_line_and_nothing_of_it_is_lost() -> None:
    told = made("seat.message", text="Señor, das Geld = 5 € liegt im Feld des Spielers " + "x" * 40)
    said = lines(told, stamp=False)
    assert max(map(len, said)) <= 32
    words = "BAC-07 S3 C41 SEAT MESSAGE SENOR DAS GELD 5 LIEGT IM FELD DES SPIELERS "
    assert " ".join(said).replace(" ", "") == (words + "X" * 40).replace(" ", "")


def test_a_face_that_the_feed_did_not_tell_is_in_no_line() -> None:
    drawn = made("card.drawn", n=5, slot=None, readable=True, card=None, source="shoe")
    assert sentence(drawn) == "BAC-07 S3 C41 CARD 5 DRAWN FACE DOWN"
    assert sentence(made("card.drawn", n=1, slot="P1", readable=True, card="9H")).endswith(
        "CARD 1 DRAWN P1 9H"
    )


@pytest.mark.parametrize("name", resources.names("recorders"))
def test_every_preset_marks_the_end_and_each_line(name: str) -> None:
    framing = preset(name)
    said = lines(made("coup.result", **RESULT))
    data = framing.framed(said).decode(framing.encoding)
    assert data.endswith(framing.end)
    before = "" if framing.address is None else f"\x1b{chr(framing.address)}"
    body = data.removeprefix(before + framing.start).removesuffix(before + framing.end)
    assert body.split(framing.line) == [*(f"{before}{line}" for line in said), ""] or framing.start == ""
    assert [line.removeprefix(before) for line in body.split(framing.line)] == [*said, ""]


def test_each_piece_bears_the_address() -> None:
    framing = Framing(start="<\n", line="\n", end=">\n", address=16, encoding="utf-16-le")
    assert framing.framed(["A"]) == b"\x1b\x10<\0\n\0\x1b\x10A\0\n\0\x1b\x10>\0\n\0"


def test_zoneminder_is_told_in_its_own_words() -> None:
    section = ZoneMinderSection(to="tcp://h:6802", monitor=3)
    text = "BAC-07 S3 C41 2026-11-30 12:00:00.123 N412"
    raised = made("irregularity.raised", code="excess|card")
    words = "IRREGULARITY RAISED EXCESS CARD"
    assert trigger(raised, section).decode() == f"3|on+20|255|IRREGULARITY RAISED|{text} {words}|{words}\n"
    shown = trigger(made("card.exposed", slot="B2", card="KD"), section).decode()
    assert shown == f"3|show|0|CARD EXPOSED|{text} B2 KD|B2 KD\n"
    for told in traced():
        fields = trigger(told, section).decode().rstrip("\n").split("|")
        assert len(fields) == 6
        assert all(len(field) <= most for field, most in zip(fields[3:], (32, 256, 32), strict=True))
