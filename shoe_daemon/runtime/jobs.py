"""What waits for the pump."""

import asyncio
from typing import Any, Literal

import msgspec

from shoe_daemon.runtime.control import Request
from shoe_daemon.table import inputs as inp


class Rx(msgspec.Struct, frozen=True):
    """Bytes came from the shoe."""

    at: int
    data: bytes


class Cable(msgspec.Struct, frozen=True):
    """The line came or went."""

    at: int
    state: Literal["up", "down"]
    reason: str | None


class Ask(msgspec.Struct, frozen=True):
    """A command, and who waits for its answer."""

    at: int
    request: Request
    answer: asyncio.Future[bytes]


class Cursor(msgspec.Struct, frozen=True):
    """A consumer is so far, and waits for that to be on disk."""

    at: int
    audience: str
    consumer: str
    seq: int
    done: asyncio.Future[None]


class Turn(msgspec.Struct, frozen=True):
    """Somebody waits for the pump to come round."""

    at: int
    done: asyncio.Future[None]


Noted = inp.LineAlarm | inp.Noticed | inp.Service | inp.ClockStepped
"""What the pump is told as the table is."""
Job = Rx | Cable | Ask | Cursor | Turn | Noted
Answers = list[tuple[asyncio.Future[Any], Any]]
"""Who waits for what."""
