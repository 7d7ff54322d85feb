"""The journal of a running daemon, read as it grows, beside what its bytes must give."""

import json
from pathlib import Path
from typing import Any, Final, get_args

from drivers import Decoder, decoder_for
from drivers.profile import ShoeProfile
from shoe_daemon.runtime.rows import Reader
from shoe_daemon.table.codec import decode_step
from shoe_daemon.table.inputs import Button, DeviceInput, Link, Service, Silent
from tests.process.running import AUDIENCES, until

Json = dict[str, Any]
DEVICE: Final = tuple(kind for kind in get_args(DeviceInput) if kind not in {Button, Silent})
"""What bytes alone mean, at whatever time; a silence is told by the clock."""


def words(event: Json) -> str | None:
    """An event of surveillance in short, as the catalogue names it; None for what every coup tells."""
    kind, data = event["type"], event["data"]
    match kind:
        case "frame.rejected":
            return f"{kind} {data['reason']}"
        case "irregularity.raised":
            return f"{kind} {data['code']}"
        case "device.link":
            return f"{kind} {data['state']}"
        case "device.alarm" | "coup.no_bet" | "card.carried" | "shoe.cut_card" | "shoe.burned":
            return str(kind)
    return None


class Record:
    """What the journal at `path` has so far. `rx`: time and bytes; `bodies`: messages of each audience."""

    def __init__(self, path: Path, profile: ShoeProfile) -> None:
        self._path = path
        self._reader: Reader | None = None
        self._pos = 0
        self._decoder: Decoder = decoder_for(profile)
        self._meant: list[DeviceInput] = []
        self.inputs: list[DeviceInput] = []
        self.rx: list[tuple[int, bytes]] = []
        self.received = 0
        self.events: list[Json] = []
        self.said: list[str] = []
        self.bodies: dict[str, list[bytes]] = {audience: [] for audience in AUDIENCES}

    def look(self) -> None:
        """Read on."""
        if self._reader is None:
            self._reader = Reader(self._path)
        for row in self._reader.rows(self._pos):
            self._pos = row.pos
            if row.kind == "rx":
                self.rx.append((row.at, row.body))
                self.received += len(row.body)
                self._mean(self._decoder.feed(row.body, row.at))
            elif row.kind == "step":
                self._step(row.body)
            elif row.kind == "told":
                for message in self._reader.messages_in(row.pos, row.body):
                    self._tell(message.audience, message.body)

    def _step(self, body: bytes) -> None:
        what = decode_step(body).input
        if isinstance(what, DEVICE):
            self.inputs.append(what)
        elif isinstance(what, Service) or (isinstance(what, Link) and what.state == "down"):
            self._mean(self._decoder.reset(what.at))
        elif isinstance(what, Link):
            self._decoder.opened(what.at)

    def _mean(self, found: list[DeviceInput]) -> None:
        self._meant += [one for one in found if isinstance(one, DEVICE)]

    def _tell(self, audience: str, body: bytes) -> None:
        self.bodies[audience].append(body)
        if audience == "surveillance":
            event = json.loads(body)
            self.events.append(event)
            word = words(event)
            if word is not None:
                self.said.append(word)

    def complete(self, written: int) -> bool:
        """Whether all that was written is here with all that it means, the silence behind it included."""
        self.look()
        if self.received < written:
            return False
        while self._decoder.pending and (due := self._decoder.due()) is not None:
            self._mean(self._decoder.tick(due))  # nothing more is sent until this is over
        return len(self.inputs) >= len(self._meant)

    def wait_received(self, written: int) -> None:
        """Wait until all that was written is here, whatever it means."""

        def there() -> bool:
            self.look()
            return self.received >= written

        until(there, lambda: (self.received, written))

    def wait_complete(self, written: int) -> None:
        """Wait for that."""
        until(
            lambda: self.complete(written),
            lambda: (self.received, written, self.inputs[-3:], self._meant[-3:]),
        )

    def wait_said(self, word: str, after: int, number: int = 1) -> None:
        """Wait until `word` was said `number` times since `after` words were said."""

        def there() -> bool:
            self.look()
            return self.said[after:].count(word) >= number

        until(there, lambda: f"{word}: {self.said[after:]}")

    def close(self) -> None:
        """Let the file go."""
        if self._reader is not None:
            self._reader.close()
