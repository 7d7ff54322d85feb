"""What a subscriber may ask at the ROUTER of its audience: messages again, a snapshot, a cursor kept."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Annotated, Any, Final, Protocol

import msgspec

from shoe_daemon.runtime import ulid
from shoe_daemon.runtime.messages import Message
from shoe_daemon.runtime.rows import JournalError

PAGE: Final = 200
"""Messages read and sent at a time; what else the loop has to do comes between."""
ID_SIZE: Final = 128
MALFORMED: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding may raise for bytes that a stranger sent."""

Frames = list[bytes]
Id = Annotated[str, msgspec.Meta(max_length=ID_SIZE)] | int
_Number = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
_Name = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9._-]{1,64}\Z")]

Ack = Callable[[str, str, int], Awaitable[None]]
"""Puts the cursor of (audience, consumer) on disk, or raises JournalError."""
Snapshot = Callable[[str], tuple[int, Any]]
"""The top seq of an audience and the fold of its messages up to there."""


class Store(Protocol):
    """The part of the journal that is asked here."""

    def messages(self, audience: str, after: int, limit: int) -> list[Message]:
        """Return at most `limit` messages above `after`."""

    def tops(self) -> dict[str, int]:
        """Return the highest seq of each audience."""

    def cursors(self) -> dict[tuple[str, str], int]:
        """Return the acknowledged seq of each (audience, consumer)."""


class _Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request: exactly one of `after`, `snapshot`, `cursors` and `ack`."""

    id: Id
    after: _Number | None = None
    limit: _Number | None = None
    snapshot: bool = False
    cursors: bool = False
    ack: _Number | None = None
    consumer: _Name | None = None

    def __post_init__(self) -> None:
        if (self.after is not None) + self.snapshot + self.cursors + (self.ack is not None) != 1:
            raise ValueError("ask for one of after, snapshot, cursors and ack")
        if (self.limit is not None) and self.after is None:
            raise ValueError("limit goes with after")
        if (self.consumer is None) != (self.ack is None):
            raise ValueError("ack and consumer go together")


class _OnlyId(msgspec.Struct):
    id: Id


_ask = msgspec.json.Decoder(_Ask).decode
_only_id = msgspec.json.Decoder(_OnlyId).decode


def header(journal: bytes, seq: int) -> bytes:
    """Second frame of every message: journal id, 16 bytes, and seq, 8 bytes, big-endian."""
    return journal + seq.to_bytes(8, "big")


def id_of(request: bytes) -> str | int | None:
    """Find the id of a request that is otherwise wrong, or None."""
    try:
        return _only_id(request).id
    except MALFORMED:
        return None


def error(request: bytes, text: str) -> Frames:
    """Answer to a request that cannot be served."""
    return [msgspec.json.encode({"id": id_of(request), "error": text})]


class Requests:
    """Answers the requests of all audiences. `journal`: its id, 26 letters; kept as 16 bytes."""

    def __init__(self, journal: str, store: Store, snapshot: Snapshot, ack: Ack) -> None:
        self.journal = ulid.to_bytes(journal)
        self.tops = store.tops
        self._name = journal
        self._store = store
        self._snapshot = snapshot
        self._ack = ack
        self._cursors = store.cursors()
        # One thread of its own: however many ask, the journal's writer never waits behind them.
        self._reading = ThreadPoolExecutor(1, "replay")

    def close(self) -> None:
        """Read no more."""
        self._reading.shutdown(wait=False, cancel_futures=True)

    async def answer(self, audience: str, request: bytes) -> AsyncGenerator[Frames, None]:
        """Answer one request, each answer a message's frames; never raises for what a client sent."""
        try:
            ask = _ask(request)
        except MALFORMED as wrong:
            yield error(request, str(wrong))
            return
        try:
            if ask.after is not None:
                limit = 1000 if ask.limit is None else ask.limit
                async for frames in self._again(audience, ask.after, limit, ask.id):
                    yield frames
            elif ask.ack is not None and ask.consumer is not None:
                yield [
                    msgspec.json.encode({"id": ask.id, **await self._keep(audience, ask.consumer, ask.ack)})
                ]
            elif ask.cursors:
                yield [msgspec.json.encode({"id": ask.id, **self._known(audience)})]
            else:
                seq, state = self._snapshot(audience)
                answer = {"id": ask.id, "journal": self._name, "seq": seq, "state": state}
                yield [msgspec.json.encode(answer)]
        except JournalError as failed:
            yield error(request, str(failed))

    async def _again(
        self, audience: str, after: int, limit: int, asked: str | int
    ) -> AsyncGenerator[Frames, None]:
        last = 0
        while limit > 0:
            read = partial(self._store.messages, audience, after, min(limit, PAGE))
            messages = await asyncio.get_running_loop().run_in_executor(self._reading, read)
            for message in messages:
                last = message.seq
                yield [message.topic, header(self.journal, last), message.body]
            if len(messages) < PAGE:
                break
            after = last
            limit -= PAGE
        # A message may be on disk an instant before the top is counted up.
        top = max(self.tops()[audience], last)
        yield [msgspec.json.encode({"id": asked, "top": top})]

    def cursors(self) -> dict[tuple[str, str], int]:
        """The acknowledged seq of each (audience, consumer)."""
        return dict(self._cursors)

    def _known(self, audience: str) -> dict[str, Any]:
        """How far each consumer of `audience` is, and the top."""
        mine = {name: seq for (whose, name), seq in sorted(self._cursors.items()) if whose == audience}
        return {"cursors": mine, "top": self.tops()[audience]}

    async def _keep(self, audience: str, consumer: str, seq: int) -> dict[str, Any]:
        top = self.tops()[audience]
        if seq > top:
            return {"error": f"ack {seq} is above the top, {top}"}
        if seq > self._cursors.get((audience, consumer), 0):
            await self._ack(audience, consumer, seq)
            self._cursors[audience, consumer] = max(seq, self._cursors.get((audience, consumer), 0))
        return {"ack": self._cursors.get((audience, consumer), 0), "consumer": consumer}
