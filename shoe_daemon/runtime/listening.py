"""What a shoe sends, as it comes: from its port while no daemon has it, else from the daemon's journal.

Nothing is sent and nothing is decided. While a shoe lies open on the table, no face and no byte of a card is
told, for the table has not seen it yet; unless two persons asked for that shoe.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from drivers import Decoder, decoder_for
from drivers.profile import ShoeProfile
from shoe_daemon.runtime.config import Config
from shoe_daemon.runtime.daemon import port_of
from shoe_daemon.runtime.inspection import open_shoe
from shoe_daemon.runtime.lockfile import holder, lock_of
from shoe_daemon.runtime.ports import Now, State
from shoe_daemon.runtime.rows import Reader
from shoe_daemon.table.inputs import (
    Button,
    CardRead,
    CardReturned,
    CardUnread,
    DeviceAlarm,
    DeviceInput,
    DeviceReset,
    DeviceResult,
    FrameRejected,
    LineFault,
    SequenceGap,
    Silent,
)

POLL_S: Final = 0.2
"""How often a journal is looked at for new rows."""
HIDDEN: Final = "··"
"""Stands for a byte or a face that nobody at the table has seen."""


class Heard(msgspec.Struct, frozen=True):
    """Bytes with what they mean, or a change of the link. `at`: µs since 1970 UTC."""

    at: int
    data: bytes = b""
    means: tuple[str, ...] = ()
    link: str | None = None
    hidden: bool = False

    @property
    def hex(self) -> str:
        """The bytes in hexadecimal digits, two and two."""
        return HIDDEN if self.hidden else self.data.hex(" ")


Tell = Callable[[Heard], None]


def meaning(one: DeviceInput, *, hidden: bool) -> str:
    """Say in words what was read."""
    soon = " (sooner than the shoe can give two)" if getattr(one, "soon", False) else ""
    return f"{_words(one, hidden=hidden)}{soon}"


def _words(one: DeviceInput, *, hidden: bool) -> str:  # noqa: C901, PLR0911 - one for each kind
    match one:
        case CardRead():
            read_at = f" read at {' or '.join(one.slots)}" if one.slots else ""
            return f"card {HIDDEN if hidden else one.face.open()}{read_at}"
        case CardUnread():
            return "a card that could not be read"
        case DeviceAlarm():
            unread = " (a card went by unread)" if one.unread else ""
            return f"alarm {one.code or ''} {one.text}".rstrip() + unread
        case SequenceGap():
            return f"{one.missing} frames missing before"
        case DeviceReset():
            return "the device started anew"
        case CardReturned():
            return "a card went back into the shoe"
        case DeviceResult():
            return f"the device's own result: {HIDDEN if hidden else one.outcome}"
        case Silent():
            return f"{one.state}: {one.reason}"
        case Button():
            return f"button {one.name}"
        case FrameRejected():
            return f"rejected, {one.reason}" + (" (it takes a card's place)" if one.card_like else "")


class Ear:
    """Reads bytes with a decoder of its own and tells what they mean. `hidden`: whether faces are.

    `bared`: the shoe that two persons asked for.
    `foreign`: the profile is not the table's own; what it makes of hidden bytes could betray them.
    """

    def __init__(
        self,
        profile: ShoeProfile,
        tell: Tell,
        *,
        hidden: bool,
        foreign: bool = False,
        bared: int | None = None,
    ) -> None:
        self._decoder: Decoder = decoder_for(profile)
        self._tell = tell
        self._foreign = foreign
        self._bared = bared
        self.hidden = hidden

    def lies_open(self, shoe: int | None) -> None:
        """A shoe is open on the table from now on, or none."""
        self.hidden = shoe not in {None, self._bared}

    def heard(self, data: bytes, at: int) -> None:
        """Bytes from the shoe."""
        self._told(at, data, self._decoder.feed(data, at))

    def linked(self, state: State, reason: str | None, at: int) -> None:
        """The link came or went."""
        given_up = self._decoder.reset(at) if state == "down" else []
        if given_up:
            self._told(at, b"", given_up)
        self._tell(Heard(at, link=state if reason is None else f"{state}: {reason}"))

    def alarmed(self, code: LineFault, text: str, at: int) -> None:
        """The port saw something of the line."""
        self._tell(Heard(at, means=(f"{code}: {text}",)))

    def silent(self, now: int) -> None:
        """Give up what was silent for too long."""
        due = self._decoder.due()
        if due is not None and due <= now:
            self._told(due, b"", self._decoder.tick(now))

    def _told(self, at: int, data: bytes, found: list[DeviceInput]) -> None:
        means = tuple(meaning(one, hidden=self.hidden) for one in found)
        if self.hidden and self._foreign:
            means = ()
        self._tell(Heard(at, data, means, hidden=self.hidden and bool(data)))


async def hear_port(config: Config, ear: Ear, stop: asyncio.Event, now: Now) -> bool:
    """Listen at the port of `config` until `stop`; it is opened again however often it goes.

    A daemon that starts meanwhile may open a shoe: then nothing more is told. Gives whether one did.
    """
    lock = lock_of(config.journal)

    def heard(data: bytes, at: int) -> None:
        if holder(lock) is None:
            ear.heard(data, at)

    port = port_of(config, heard, ear.linked, now, ear.alarmed)
    port.start()
    try:
        while not stop.is_set() and holder(lock) is None:
            ear.silent(now())
            await _pause(stop)
    finally:
        await port.stop()
    return not stop.is_set()


async def hear_journal(
    path: Path, ear: Ear, stop: asyncio.Event, now: Now, begun: Callable[[], None]
) -> None:
    """Follow the bytes that a daemon writes to its journal until `stop`, all since `begun` was called.

    Raises JournalError.
    """
    with Reader(path) as journal:
        last = journal.end()
        begun()
        while not stop.is_set():
            ear.silent(now())
            rows = list(journal.rows(last, ("rx",)))
            if rows:
                last = rows[-1].pos
                ear.lies_open(open_shoe(journal))
            for row in rows:
                ear.heard(row.body, row.at)
            await _pause(stop)


async def _pause(stop: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(stop.wait(), POLL_S)
    except TimeoutError:
        return
