"""The bytes that each audience gets: numbered without a gap, made once, stored and replayed unchanged."""

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import msgspec

from shoe_daemon.table.codec import Step
from shoe_daemon.table.events import AUDIENCES
from shoe_daemon.table.inputs import Command
from shoe_daemon.table.project import Policy, Projection

VERSION = 1
_MICROSECONDS = 1_000_000


class Message(msgspec.Struct, frozen=True):
    """One event for one audience. `body` is its JSON, `topic` as ZeroMQ sends it."""

    audience: str
    seq: int
    type: str
    topic: bytes
    body: bytes


class Projector:
    """Turns steps into messages. `tops`: the last sequence number of each audience."""

    def __init__(
        self, journal: str, table: str, policy: Policy, decks: int, tops: dict[str, int] | None = None
    ) -> None:
        self._journal = journal
        self._table = table
        self._projection = Projection(policy, decks)
        self._encode = msgspec.json.Encoder().encode
        self.tops = {audience: 0 for audience in AUDIENCES} | (tops or {})

    def project(self, step: Step) -> list[Message]:
        """The messages of one step, in order; an event's audiences one after the other."""
        actor = step.input.actor if isinstance(step.input, Command) else None
        at = rfc3339(step.input.at)
        return [
            self._message(told, at) for event in step.events for told in self._projection.tell(event, actor)
        ]

    def remember(self, step: Step) -> None:
        """Take in a step whose messages are stored already (a restart)."""
        for event in step.events:
            for _ in self._projection.tell(event, None):
                pass

    def _message(self, told: tuple[str, str, int | None, int | None, dict[str, Any]], at: str) -> Message:
        audience, kind, shoe, coup, data = told
        seq = self.tops[audience] + 1
        self.tops[audience] = seq
        body = self._encode(
            {
                "v": VERSION,
                "journal": self._journal,
                "table": self._table,
                "audience": audience,
                "seq": seq,
                "type": kind,
                "at": at,
                "shoe": shoe,
                "coup": coup,
                "data": data,
            }
        )
        return Message(audience, seq, kind, f"{audience}/{self._table}/{kind}/".encode(), body)


def rfc3339(at: int) -> str:
    """`at` (microseconds since 1970) as RFC 3339, UTC, microseconds, `Z`."""
    seconds, micros = divmod(at, _MICROSECONDS)
    return f"{_second(seconds)}.{micros:06d}Z"


@lru_cache(maxsize=8)
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
