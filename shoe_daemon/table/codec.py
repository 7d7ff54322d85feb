"""Inputs, events and state as the journal keeps them: JSON, faces included."""

from typing import Any, Final, Union

import msgspec

from shoe_daemon.game.cards import Card
from shoe_daemon.table.events import REGISTRY, Event
from shoe_daemon.table.inputs import AnyInput
from shoe_daemon.table.sealed import Sealed
from shoe_daemon.table.state import Table


class Step(msgspec.Struct, frozen=True):
    """One input and what it caused, in order."""

    input: AnyInput
    events: tuple[Event, ...]


_AnyEvent = Union[tuple(REGISTRY.values())]  # type: ignore[valid-type]  # noqa: UP007 - a union made at run time


class _Kept(msgspec.Struct, frozen=True):
    input: AnyInput
    events: tuple[_AnyEvent, ...]  # type: ignore[valid-type]  # as above


def into_journal(value: object) -> str:
    """A sealed face goes into the journal as its text: the journal is where faces are kept."""
    if isinstance(value, Sealed):
        return value.open()
    raise TypeError(f"{type(value).__name__} has no form in the journal")


def _from_journal(kind: type, value: object) -> object:
    if kind is Sealed and isinstance(value, str):
        return Sealed(Card(value))
    raise TypeError(f"{kind.__name__} has no form in the journal")


_ENCODER: Final = msgspec.json.Encoder(enc_hook=into_journal)
_STEP: Final = msgspec.json.Decoder(_Kept, dec_hook=_from_journal)
_TABLE: Final = msgspec.json.Decoder(Table, dec_hook=_from_journal)


def encode(value: Step | Table) -> bytes:
    """The bytes that the journal keeps."""
    return _ENCODER.encode(value)


def decode_step(data: bytes) -> Step:
    """The step in `data`. Raises msgspec.DecodeError on anything that `encode` did not write."""
    kept: Any = _STEP.decode(data)
    return Step(kept.input, kept.events)


def decode_table(data: bytes) -> Table:
    """The state in `data`. Raises msgspec.DecodeError as above."""
    return _TABLE.decode(data)
