"""What a profile or a transport must have so that a fault can show at it, and the reason where it has not."""

from collections.abc import Callable
from typing import Final, NamedTuple

from drivers.framing import Counted, Delimited
from drivers.profile import ShoeProfile


class Need(NamedTuple):
    """`met`: of a profile and a transport; `reason`: why the fault does not apply where it is not met."""

    met: Callable[[ShoeProfile, str], bool]
    reason: str


def _events(profile: ShoeProfile) -> set[str]:
    return {message.event for message in profile.messages}


def _signs(profile: ShoeProfile) -> set[str]:
    return _events(profile) | ({"unread"} if profile.semantics.unread_alarms else set())


LINE: Final = Need(
    lambda profile, transport: transport == "tcp" or profile.transport.kind == "serial",
    "a keyboard is no serial line: the bytes of its keys are played over TCP",
)
"""Asked of every cell."""
PTY: Final = Need(
    lambda _, transport: transport == "pty", "a TCP line has no node, no lock and no second reader"
)
CHECKSUM: Final = Need(
    lambda profile, _: profile.checksum is not None,
    "its frames have no checksum: what one bit makes of a card is fault 8",
)
NO_CHECKSUM: Final = Need(lambda profile, _: profile.checksum is None, "a checksum shows the damage: fault 7")
CODES: Final = Need(
    lambda profile, _: not profile.cards.uids, "no tag of its table is one bit away from another one"
)
TEXT: Final = Need(
    lambda profile, _: isinstance(profile.framing, Delimited),
    "its frames are binary: any byte may stand there, and damage is fault 7",
)
NUMBERED: Final = Need(
    lambda profile, _: profile.semantics.sequence is not None,
    "its frames bear no number: none can be missing or come again under the same one",
)
NOT_NUMBERED: Final = Need(
    lambda profile, _: profile.semantics.sequence is None, "its frames are numbered: fault 15"
)
COUNTS_IN_A_BYTE: Final = Need(
    lambda profile, _: profile.semantics.sequence is None or profile.semantics.sequence.bits == 8,
    "its numbers are too wide to be counted through here",
)
UNREAD: Final = Need(
    lambda profile, _: "unread" in _signs(profile), "it has no sign for a card that it could not read"
)
BOTH_SIGNS: Final = Need(
    lambda profile, _: profile.semantics.coalesce_ms > 0,
    "it has at most one sign for a card that it could not read",
)
BUTTON: Final = Need(
    lambda profile, _: "button" in _events(profile),
    "it has no button; a dealer says `cut_card`, and that is no matter of the shoe",
)
ALARM: Final = Need(lambda profile, _: "alarm" in _events(profile), "it sends no alarms")
PARITY: Final = Need(
    lambda profile, _: profile.transport.parity != "none", "its line has no parity: damage is faults 7 and 8"
)
SERIAL_PARITY: Final = Need(
    lambda _, transport: transport == "pty", "a serial server reads the parity and sends bytes alone over TCP"
)
TAGS: Final = Need(
    lambda profile, _: bool(profile.cards.uids), "it reads a code on the card and knows no card from another"
)
HEARTBEAT: Final = Need(
    lambda profile, _: "none" in _events(profile) and profile.semantics.sequence is not None,
    "it sends no sign of life: silence is normal for minutes",
)
ACKNOWLEDGED: Final = Need(
    lambda profile, _: profile.session.ack is not None,
    "it waits for no acknowledgement, and sends nothing again",
)
RESENDS: Final = Need(
    lambda profile, _: profile.session.nak is not None or profile.session.replay is not None,
    "it sends nothing again",
)
REPLAYS: Final = Need(
    lambda profile, _: profile.session.replay is not None, "it sends nothing again by its number"
)
LEAST_TIME: Final = Need(
    lambda profile, _: profile.semantics.min_gap_ms > 0, "its profile has no least time between two cards"
)
RETURNED: Final = Need(
    lambda profile, _: "returned" in _events(profile), "it has no sign for a card that went back into it"
)
OWN_RESULT: Final = Need(lambda profile, _: "result" in _events(profile), "it tells no result of its own")
STARTS: Final = Need(lambda profile, _: "hello" in _events(profile), "it does not say that it started")
POLLED: Final = Need(
    lambda profile, _: profile.semantics.sequence is not None or isinstance(profile.framing, Counted),
    "it speaks unasked and takes no question",
)
