"""Events of the process, the device and refused commands."""

from typing import Literal

from shoe_daemon.table.events.base import SURVEILLANCE, Event

Rejection = Literal["unmatched", "unknown_code", "partial", "too_long", "bad_checksum", "repeated", "no_shoe"]
"""Why bytes made no frame, or a card no place."""


class CommandRefused(Event, frozen=True, tag="command.refused"):
    """A command was not carried out; the journal keeps it all the same."""

    audiences = (SURVEILLANCE,)
    rank = 0
    verb: str
    actor: str
    reason: str


class ServiceStarted(Event, frozen=True, tag="service.started"):
    """The daemon runs. `reason`: `new_journal` (history begins here) or `restart`."""

    audiences = (SURVEILLANCE,)
    rank = 1
    reason: str
    software: str


class ServiceStopped(Event, frozen=True, tag="service.stopped"):
    """The daemon stops in good order. `reason`: `stop`."""

    audiences = (SURVEILLANCE,)
    rank = 1
    reason: str


class ClockStepped(Event, frozen=True, tag="clock.stepped"):
    """The machine's clock was set: `at`, here and of what follows, is by the new one, and may go back.

    `by_s`: seconds that it was set by, negative where back. `before`, `after`: what it said, and says now.
    """

    audiences = (SURVEILLANCE,)
    rank = 1
    times = frozenset({"before", "after"})
    by_s: float
    before: int
    after: int


class JournalCheckpoint(Event, frozen=True, tag="journal.checkpoint"):
    """What was kept up to here is signed; no coup was open. Whoever keeps it notices a journal cut short.

    The signed checkpoint is the journal's row `row`, made at `signed`, and covers the rows `first` to `last`.
    `head`: hash of the last one in the chain; `root`: of the tree over them; with `key` and `signature`, hex.
    """

    audiences = (SURVEILLANCE,)
    rank = 1
    times = frozenset({"signed"})
    row: int
    first: int
    last: int
    signed: int
    head: str
    root: str
    key: str
    signature: str


class DeviceLink(Event, frozen=True, tag="device.link"):
    """The cable to the shoe: `up`, `down`, or `gap` (cards may have passed unseen before `up`).

    While it is up: `stalled`, the device says nothing although it always does; `garbage`, its bytes make no
    frame.
    """

    audiences = (SURVEILLANCE,)
    rank = 1
    internal = frozenset({"restart"})
    state: Literal["up", "down", "gap", "stalled", "garbage"]
    reason: str | None
    restart: bool = False


class DeviceAlarm(Event, frozen=True, tag="device.alarm"):
    """The device's own alarm or warning, or (code `line_…`, `link_…`) what the port saw of the line to it.

    `raw`: the frame in hex, empty where none says it, null under delayed while a shoe is open.
    """

    audiences = (SURVEILLANCE,)
    rank = 1
    internal = frozenset({"shoe_open"})
    code: str | None
    text: str
    raw: bytes
    shoe_open: bool


class FrameRejected(Event, frozen=True, tag="frame.rejected"):
    """Bytes that made no frame of the profile, or a card where none can be. `raw` as in `device.alarm`."""

    audiences = (SURVEILLANCE,)
    rank = 1
    internal = frozenset({"shoe_open"})
    reason: Rejection
    raw: bytes
    shoe_open: bool


class AlarmRaised(Event, frozen=True, tag="alarm.raised"):
    """Something that surveillance should look at, never which face.

    `composition_exceeded` (with `n`, under immediate): more cards of one face than there are decks.
    `unmasked` (with `what`, `reason`): two persons asked to see the faces that lie hidden in the open shoe.
    `key_refused` (with `what`, the door, and `reason`, whose key): somebody knocked who may not come in.
    `consumer_lagging` (with `what`, the audience, and `reason`, the consumer): it does not keep up.
    """

    audiences = (SURVEILLANCE,)
    rank = 3
    code: str
    n: int | None = None
    what: Literal["listen", "journal", "export", "public", "surveillance", "cage", "control"] | None = None
    reason: str | None = None
