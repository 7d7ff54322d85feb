"""The self test of a profile: its capture, read by its driver, beside the inputs written down for it."""

import json
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any

import msgspec

from drivers import decoder_for
from drivers.profile import ShoeProfile
from drivers.script import Cable, Send, read_capture
from shoe_daemon.table.inputs import (
    CardRead,
    DeviceAlarm,
    DeviceInput,
    DeviceResult,
    FrameRejected,
    SequenceGap,
    Silent,
)

Row = dict[str, Any]

_MICROSECONDS = 1_000_000
_SILENCE = 10 * _MICROSECONDS


class Difference(msgspec.Struct, frozen=True):
    """Where read and expected part: line `number`, from 1; None where one of them has no more."""

    number: int
    expected: Row | None
    read: Row | None


def row(one: DeviceInput) -> Row:
    """Write an input as a line of the expected file: `t` in seconds, `raw` in hex."""
    line: Row = {"t": one.at / _MICROSECONDS, "input": type(one).__name__}
    match one:
        case CardRead():
            line["card"] = tested(one)
            if one.slots:
                line["slots"] = list(one.slots)
        case DeviceAlarm():
            line |= {"code": one.code, "text": one.text, "unread": one.unread}
        case DeviceResult():
            line["outcome"] = one.outcome
        case SequenceGap():
            line["missing"] = one.missing
        case FrameRejected():
            line |= {"reason": one.reason, "card_like": one.card_like}
        case Silent():
            return line | {"state": one.state, "reason": one.reason}
    if getattr(one, "soon", False):
        line["soon"] = True
    return line | {"raw": one.raw.hex()}


def tested(card: CardRead) -> str:
    """The face of a card in a capture of its own, which no table has ever dealt."""
    return card.face.open()


def read(profile: ShoeProfile, capture: Iterable[str]) -> list[Row]:
    """What `profile` reads in a capture and in ten silent seconds. Raises ValueError for a bad line."""
    decoder = decoder_for(profile)
    decoder.opened(0)
    found: list[DeviceInput] = []
    at = 0
    for action in read_capture(capture):
        at = round(action.at_s * _MICROSECONDS)
        if isinstance(action, Send):
            found += decoder.feed(action.data, at)
        elif isinstance(action, Cable) and action.state == "down":
            found += decoder.reset(at)
        elif isinstance(action, Cable):
            decoder.opened(at)
    return [row(one) for one in found + decoder.tick(at + _SILENCE)]


def differences(got: Sequence[Row], expected: Iterable[str]) -> list[Difference]:
    """Lines that differ; empty where the profile reads just what is written down."""
    wanted = [json.loads(line) for line in expected if line.strip()]
    pairs = enumerate(zip_longest(wanted, got), 1)
    return [Difference(number, want, have) for number, (want, have) in pairs if want != have]
