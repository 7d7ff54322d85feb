"""What is told of a device beside its cards: messages missing by its numbers, errors of the line to it."""

import json
from pathlib import Path
from typing import get_args

import pytest

from drivers.encoder import ProfileEncoder
from drivers.profile import parse_shoe
from shoe_daemon.game.cards import parse
from shoe_daemon.runtime.capture import read_capture
from shoe_daemon.runtime.replay import machine_of, replay
from shoe_daemon.runtime.resources import shoe_file
from shoe_daemon.table import events as ev
from shoe_daemon.table import inputs as inp
from shoe_daemon.table.codec import Step, decode_step, encode
from shoe_daemon.table.decide import step
from shoe_daemon.table.state import Table

HOUSE = parse_shoe(*shoe_file("house-serial"))


FACES = ("9S", "2H", "3D", "KD", "5C")


def told(
    kept: list[int],
    *more: dict[str, object],
    faces: tuple[str, ...] = FACES,
    profile: str = "house-serial",
) -> list[dict[str, object]]:
    """What surveillance is told of cards dealt face up, of which the shoe sent those in `kept`."""
    encoder = ProfileEncoder(HOUSE)
    frames = [encoder.encode_card(parse(face)) for face in faces]
    lines: list[dict[str, object]] = [{"t": 0, "profile": profile, "procedure": "face-up"}]
    lines += [{"t": 1 + place, "rx": frames[place].hex()} for place in kept]
    lines += [*more, {"t": 20, "rx": ""}]  # so long nothing is sent again
    events = [
        json.loads(message.body)
        for messages in replay(map(json.dumps, lines))
        for message in messages
        if message.audience == "surveillance"
    ]
    return [{"type": one["type"], "coup": one["coup"], **one["data"]} for one in events]


def test_a_message_that_is_missing_holds_the_coup_until_a_person_says_what_it_was() -> None:
    events = told([0, 1, 3, 4])
    (raised,) = [one for one in events if one["type"] == "irregularity.raised"]
    assert (raised["code"], raised["coup"], raised["hold"]) == ("sequence_gap", 1, True)
    assert (raised["remedies"], raised["text"]) == (["none_missed", "missed", "void"], "1 missing")
    assert [one["type"] for one in events if one["type"] in {"coup.held", "coup.result"}] == ["coup.held"]


def test_none_was_a_card() -> None:
    resolve = {"code": "sequence_gap", "remedy": "none_missed"}
    said = {"t": 9, "cmd": {"verb": "resolve", "actor": "supervisor:1", "args": resolve}}
    ends = [
        one["type"] for one in told([0, 1, 3, 4], said) if one["type"] in {"coup.released", "coup.result"}
    ]
    assert ends == ["coup.released", "coup.result"]


def test_between_coups_nothing_is_held() -> None:
    events = told([0, 1, 2, 3, 5], faces=("9S", "2H", "KD", "5C", "3D", "4D"))
    (raised,) = [one for one in events if one["type"] == "irregularity.raised"]
    assert (raised["code"], raised["coup"], raised["hold"]) == ("sequence_gap", None, False)


HELLO = "0207015310ab03"


def test_a_device_that_starts_anew_in_a_coup_holds_it_until_a_person_says_what_it_missed() -> None:
    events = told([0, 1], {"t": 4, "rx": HELLO}, {"t": 5, "rx": HELLO})
    codes = [(one["code"], one["hold"]) for one in events if one["type"] == "irregularity.raised"]
    assert codes == [("device_reset", True), ("device_reset", True)]
    events = told([], {"t": 4, "rx": HELLO}, {"t": 5, "rx": HELLO})
    assert [one["hold"] for one in events if one["type"] == "irregularity.raised"] == [False]


def test_a_silence_and_its_end_are_told_and_what_passed_meanwhile_is_a_gap(tmp_path: Path) -> None:
    text = shoe_file("house-serial")[0].decode()
    path = tmp_path / "beating.toml"
    path.write_text(text + "silence_ms = 1500\n", encoding="utf-8")
    events = told([0, 1, 4], faces=FACES, profile=str(path))
    states = [(one["state"], one["reason"]) for one in events if one["type"] == "device.link"]
    assert states[:3] == [
        ("stalled", "no frame for 1500 ms"),
        ("up", "frames come again"),
        ("gap", "frames come again"),
    ]
    raised = [one["code"] for one in events if one["type"] == "irregularity.raised"]
    assert raised[:2] == ["link_gap", "sequence_gap"]


def test_bytes_at_the_wrong_speed_are_garbage_told_once() -> None:
    noise = [{"t": 1 + second / 2, "rx": "e6" * 32} for second in range(30)]
    events = told([], *noise, {"t": 17, "rx": "e6"})
    states = [(one["state"], one["type"]) for one in events if one["type"] == "device.link"]
    assert states == [("garbage", "device.link")]


def test_an_error_of_the_line_is_an_alarm_and_touches_no_card() -> None:
    error = {"t": 1.5, "alarm": "line_parity", "text": "3 bytes with wrong parity"}
    line: list[dict[str, object]] = [{"t": 0, "profile": "beetek-rs232", "procedure": "face-up"}]
    card = b"[Game]<Card:4S>\r"
    line += [{"t": 1.45, "rx": card[:9].hex()}, error, {"t": 1.55, "rx": card[9:].hex()}]
    told = [
        json.loads(message.body)
        for messages in replay(map(json.dumps, line))
        for message in messages
        if message.type in {"device.alarm", "frame.rejected", "card.drawn"}
    ]
    assert [one["type"] for one in told] == ["device.alarm", "card.drawn"]
    assert {one["audience"] for one in told} == {"surveillance"}
    alarm = {"code": "line_parity", "text": "3 bytes with wrong parity", "raw": None}
    assert (told[0]["data"], told[0]["at"]) == (alarm, "1970-01-01T00:00:01.500000Z")


@pytest.mark.parametrize("code", get_args(inp.LineFault))
def test_an_error_of_the_line_lies_in_the_journal_as_it_came(code: inp.LineFault) -> None:
    setup = machine_of(read_capture(iter(['{"profile":"beetek-rs232","t":0}']))[0], "delayed").setup
    events, table = step(Table(), inp.LineAlarm(7, code, "twice"), setup)
    kept = Step(inp.LineAlarm(7, code, "twice"), events)
    assert decode_step(encode(kept)) == kept
    assert [type(one) for one in events] == [ev.DeviceAlarm]
    assert table == Table()


def test_that_the_clock_was_set_is_told_to_surveillance_alone_and_touches_no_card() -> None:
    line: list[dict[str, object]] = [{"t": 0, "profile": "beetek-rs232", "procedure": "face-up"}]
    card = b"[Game]<Card:4S>\r"
    clock: dict[str, object] = {"t": 1.5, "clock": 1800003600.000001, "before": 1799999999.5}
    line += [{"t": 1.45, "rx": card[:9].hex()}, clock, {"t": 1.55, "rx": card[9:].hex()}]
    told = [
        json.loads(message.body)
        for messages in replay(map(json.dumps, line))
        for message in messages
        if message.type in {"clock.stepped", "frame.rejected", "card.drawn"}
    ]
    assert [(one["type"], one["audience"]) for one in told] == [
        ("clock.stepped", "surveillance"),
        ("card.drawn", "surveillance"),
    ]
    assert (told[0]["at"], told[0]["shoe"], told[0]["coup"]) == ("1970-01-01T00:00:01.500000Z", 1, None)
    assert told[0]["data"] == {
        "by_s": 3600.500001,
        "before": "2027-01-15T07:59:59.500000Z",
        "after": "2027-01-15T09:00:00.000001Z",
    }
