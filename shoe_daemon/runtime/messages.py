"""The bytes that each audience gets: numbered without a gap, made once, stored and replayed unchanged."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import msgspec

from shoe_daemon.table.codec import Step
from shoe_daemon.table.events import AUDIENCES
from shoe_daemon.table.inputs import AnyInput, Command
from shoe_daemon.table.project import Policy, Projection
from shoe_daemon.table.verbs import SECOND, role_of

VERSION = 1
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


class Message(msgspec.Struct, frozen=True):
    """One event for one audience. `body` is its JSON, `topic` as ZeroMQ sends it."""

    audience: str
    seq: int
    type: str
    topic: bytes
    body: bytes


class _Envelope(msgspec.Struct, frozen=True):
    """What a message says of itself."""

    audience: str
    table: str
    seq: int
    type: str


_envelope = msgspec.json.Decoder(_Envelope).decode


def pack(messages: Sequence[Message]) -> bytes:
    """Messages as the journal keeps them, a line each."""
    return b"\n".join([message.body for message in messages])


def unpack(kept: bytes) -> list[Message]:
    """The messages that `pack` made `kept` of. Raises msgspec.DecodeError where it did not."""
    return [_message(body) for body in kept.split(b"\n")]


def _message(body: bytes) -> Message:
    said = _envelope(body)
    return Message(said.audience, said.seq, said.type, topic(said.audience, said.table, said.type), body)


class _Shared(msgspec.Struct, frozen=True):
    """What the messages of one event have in common, as long as their audiences are told the same."""

    type: str
    at: str
    shoe: int | None
    coup: int | None
    data: dict[str, Any]


class Projector:
    """Turns steps into messages. `tops`: the last sequence number of each audience."""

    def __init__(
        self, journal: str, table: str, policy: Policy, decks: int, tops: dict[str, int] | None = None
    ) -> None:
        self._projection = Projection(policy, decks, rfc3339)
        self._encode = msgspec.json.Encoder().encode
        self._table = table
        self._heads = {audience: self._head(journal, audience) for audience in AUDIENCES}
        self.tops = dict.fromkeys(AUDIENCES, 0) | (tops or {})

    def project(self, step: Step) -> list[Message]:
        """The messages of one step, in order; an event's audiences one after the other."""
        actor = step.input.actor if isinstance(step.input, Command) else None
        second = _second(step.input)
        at = rfc3339(step.input.at)
        messages: list[Message] = []
        for event in step.events:
            before, shared = None, b""
            for audience, kind, shoe, coup, data in self._projection.tell(event, actor, second):
                if data is not before:
                    before, shared = data, self._encode(_Shared(kind, at, shoe, coup, data))
                messages.append(self._message(audience, kind, shared))
        return messages

    def remember(self, step: Step) -> None:
        """Take in a step whose messages are stored already (a restart)."""
        for event in step.events:
            self._projection.tell(event, None)

    def _head(self, journal: str, audience: str) -> bytes:
        """An envelope's first members (contracts 5), up to the value of `seq`."""
        first = {"v": VERSION, "journal": journal, "table": self._table, "audience": audience, "seq": 0}
        return self._encode(first).removesuffix(b"0}")

    def _message(self, audience: str, kind: str, shared: bytes) -> Message:
        seq = self.tops[audience] + 1
        self.tops[audience] = seq
        body = b"%b%d,%b" % (self._heads[audience], seq, shared[1:])
        return Message(audience, seq, kind, topic(audience, self._table, kind), body)


def _second(what: AnyInput) -> str | None:
    """The second person of a command, where one stood by it."""
    said = what.args.get(SECOND) if isinstance(what, Command) else None
    return said if isinstance(said, str) and role_of(said) is not None else None


@cache
def topic(audience: str, table: str, kind: str) -> bytes:
    """First frame of a message (contracts 6)."""
    return f"{audience}/{table}/{kind}/".encode()


def rfc3339(at: int) -> str:
    """`at` (microseconds since 1970) as RFC 3339, UTC, microseconds, `Z`."""
    time = _BEGINNING + timedelta(microseconds=at)
    return time.isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"
