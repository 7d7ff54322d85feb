"""Subscribers of all audiences: what they hear is what the journal has, in its order, without a hole.

A PUB whose subscriber falls behind drops messages; its ROUTER has them, and a hole is filled from there.
"""

import struct

import zmq

from tests.faults.record import Record
from tests.process.running import AUDIENCES, Running, Socket, until


class Ears:
    """One plain SUB an audience. A PUB tells only who has joined: what is heard first is the beginning."""

    def __init__(self, table: Running) -> None:
        self._table = table
        self._sockets = {audience: Socket(zmq.SUB, table.at(audience)) for audience in AUDIENCES}
        self._last: dict[str, int] = {}

    def anew(self) -> None:
        """The daemon was started again: a PUB tells its first messages to nobody."""
        for audience in AUDIENCES:
            self._hear(audience, [])
        self._last.clear()

    def check(self, record: Record) -> None:
        """All that the journal has was heard, each message once, as it is there; no number is missing."""
        for audience in AUDIENCES:
            bodies = record.bodies[audience]
            numbers = [int(body.partition(b'"seq":')[2].partition(b",")[0]) for body in bodies]
            assert numbers == list(range(1, len(bodies) + 1)), f"I5: {audience} has a hole"
            while self._last.get(audience, -1) < len(bodies):
                until(lambda socket=self._sockets[audience].socket: socket.poll(0))  # type: ignore[misc]  # bound now
                self._hear(audience, bodies)

    def _hear(self, audience: str, bodies: list[bytes]) -> None:
        """Take what is here; each must be the one that follows, as it is in the journal."""
        for _, header, body in self._sockets[audience].waiting():
            seq: int = struct.unpack(">16sQ", header)[1]
            last = self._last.setdefault(audience, seq - (body != b"{}"))
            if body == b"{}":
                continue
            assert seq > last, f"I5: {audience} heard {seq} after {last}"
            if seq > last + 1:
                self._ask(audience, bodies, last, seq)
            assert seq > len(bodies) or bodies[seq - 1] == body, f"I5: {audience} heard another {seq}"
            self._last[audience] = seq

    def _ask(self, audience: str, bodies: list[bytes], last: int, seq: int) -> None:
        """Fill the hole between two messages that were heard."""
        rows, _ = self._table.ask(f"{audience}_replay", {"after": last, "limit": seq - last - 1})
        assert [body for _, _, body in rows] == bodies[last : seq - 1], f"I5: {audience} after {last}"

    def close(self) -> None:
        for socket in self._sockets.values():
            socket.__exit__()
