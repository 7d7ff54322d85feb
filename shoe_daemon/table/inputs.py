"""Everything that can happen to a table, as data. Times are integer microseconds since 1970, UTC."""

from typing import Any, Literal

import msgspec

from shoe_daemon.game.cards import Outcome, Slot
from shoe_daemon.table.sealed import Sealed


class Input(msgspec.Struct, frozen=True, tag_field="input", tag=str.lower):
    """One thing that happened. `at`: microseconds since 1970 UTC; all its events bear that time."""

    at: int


class CardRead(Input, frozen=True):
    """A whole frame named a card that left the shoe. `raw`: the frame without its line end.

    `soon`: it came sooner after the card before it than the shoe can give two (here and below). `slots`: the
    device read it at one of these places; empty where cards are told apart by their order alone. `tag`: what
    tells this card from every other, where the device can.
    """

    face: Sealed
    raw: bytes
    soon: bool = False
    slots: tuple[Slot, ...] = ()
    tag: str | None = None


class CardUnread(Input, frozen=True):
    """A card left the shoe and the device could not read it."""

    raw: bytes
    soon: bool = False


class DeviceAlarm(Input, frozen=True):
    """The device reported an alarm or a warning. `unread`: it also says that a card went by unread."""

    code: str | None
    text: str
    raw: bytes
    unread: bool = False
    soon: bool = False


Rejection = Literal["unmatched", "unknown_code", "partial", "too_long", "bad_checksum", "repeated"]


class FrameRejected(Input, frozen=True):
    """Bytes that mean nothing in the profile. `card_like`: they take the next place all the same."""

    reason: Rejection
    raw: bytes
    card_like: bool = False
    soon: bool = False


class SequenceGap(Input, frozen=True):
    """Messages of the device are missing by its own numbers: `missing` of them before the one in `raw`."""

    missing: int
    raw: bytes


class DeviceReset(Input, frozen=True):
    """The device says that it started anew, while the line was up: what it read before may be lost."""

    raw: bytes


class CardReturned(Input, frozen=True):
    """The device says that a card went back into it: what was told of it may be told again."""

    raw: bytes


class DeviceResult(Input, frozen=True):
    """The device says who won, by its own account of the cards."""

    outcome: Outcome
    raw: bytes


class Silent(Input, frozen=True):
    """`stalled`: a device that always says something says nothing; `back`: it does again.

    `garbage`: bytes come, but no frame.
    """

    state: Literal["stalled", "back", "garbage"]
    reason: str

    @property
    def raw(self) -> bytes:
        """No frame says it."""
        return b""


class Button(Input, frozen=True):
    """A button of the device was pressed; the configuration says which verb it means."""

    name: str
    raw: bytes


class Link(Input, frozen=True):
    """The cable: `up` after an opening, `down` after a loss. `reason` is free text or None (captures)."""

    state: Literal["up", "down"]
    reason: str | None = None


LineFault = Literal[
    "line_parity", "line_frame", "line_break", "line_overrun", "link_flapping", "link_settled"
]


class LineAlarm(Input, frozen=True):
    """What the port saw of the line to the device; no bytes say it. `text`: how often, in words."""

    code: LineFault
    text: str


class Command(Input, frozen=True):
    """An operator's command. `actor` is `role:id`; `args` are not yet checked.

    `expect_coup`: the coup, open or coming, that the operator means; refused where it has moved on.
    `refused`: why the door did not take it; it is journaled all the same. `pressed`: a button of the device
    said it. `via`: name of the key that vouches for the actor.
    """

    verb: str
    actor: str
    args: dict[str, Any]
    expect_coup: int | None = None
    refused: str | None = None
    pressed: bool = False
    via: str | None = None


Door = Literal["public", "surveillance", "cage", "control"]
"""Where somebody may come in: as one of the audiences, or to give commands."""


class Noticed(Input, frozen=True):
    """The daemon noticed something of those around it, or (`over`) that it is over.

    `key_refused`: somebody may not come in at the door `what`; `reason`: whose key. `consumer_lagging`: the
    consumer `reason` of the audience `what` does not keep up.
    """

    code: Literal["key_refused", "consumer_lagging"]
    what: Door
    reason: str
    over: bool = False


class Service(Input, frozen=True):
    """The process itself started or stopped. Reasons: `new_journal`, `restart`, `stop`.

    `configured`: what a capture's first line says of the table, as it was when the process started.
    """

    state: Literal["started", "stopped"]
    reason: str
    configured: dict[str, Any] = {}


class ClockStepped(Input, frozen=True):
    """The machine's clock was set while the program ran: it said `before`, and `after` from then on.

    Both in microseconds since 1970 UTC. Where the daemon runs, `at` is `after`; a capture's time runs on.
    """

    before: int
    after: int

    @property
    def by_s(self) -> float:
        """Seconds that it was set by, negative where back."""
        return (self.after - self.before) / 1_000_000


class Checkpointed(Input, frozen=True):
    """A checkpoint of the journal is on disk, in its row `row`, made at `signed`, µs since 1970 UTC.

    It covers the rows `first` to `last`. `head`: hash of the last one in the chain; `root`: of the tree over
    them; `key`, `signature`: who signed that, and how. All hex.
    """

    row: int
    first: int
    last: int
    signed: int
    head: str
    root: str
    key: str
    signature: str


class TimePassed(Input, frozen=True):
    """A timer of the table is due. `up`: the daemon ran until then, so that notices count it."""

    up: bool = True


class AnswerImplied(Input, frozen=True):
    """A card drawn between coups answers for the excess cards before it: they were seen."""


class Start(Input, frozen=True):
    """A part of a capture's opening: the table, a shoe burned already, the first bets."""

    part: Literal["table", "shoe", "betting"]


_FromShoe = (
    CardRead
    | CardUnread
    | DeviceAlarm
    | FrameRejected
    | SequenceGap
    | DeviceReset
    | CardReturned
    | DeviceResult
    | Silent
)
DeviceInput = _FromShoe | Button
AnyInput = (
    _FromShoe
    | Link
    | LineAlarm
    | Command
    | Noticed
    | Service
    | ClockStepped
    | Checkpointed
    | TimePassed
    | AnswerImplied
    | Start
)


def draws(what: AnyInput | Button) -> bool:
    """Whether `what` says that a card left the shoe, read or not."""
    if isinstance(what, DeviceAlarm):
        return what.unread
    if isinstance(what, FrameRejected):
        return what.card_like
    return isinstance(what, CardRead | CardUnread)
