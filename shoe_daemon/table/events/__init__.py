"""Every event of a table, in one registry: its type, its audiences, its data, its place in the order.

Visibility is a property of the event type: being drawn, being dealt and being exposed are different events.
`docs/events.md` is generated from this package. Fields in `internal` never leave the journal; `only` names
the audiences that get a field which others of the same event do not get. `rank` is the place of the event
among those of one input.
"""

from typing import Final

from shoe_daemon.table.events.base import AUDIENCES, CAGE, PUBLIC, STAFF, SURVEILLANCE, Event
from shoe_daemon.table.events.cards import (
    BettingClosed,
    BettingOpened,
    CardAssigned,
    CardCarried,
    CardDealt,
    CardDrawn,
    CardExposed,
    CardIdentified,
    CardInExcess,
    CardKept,
    CardTurned,
    CarriedExposed,
    CarriedTurned,
    HandAnnounced,
)
from shoe_daemon.table.events.coups import (
    CoupCards,
    CoupConfirmed,
    CoupHeld,
    CoupNoBet,
    CoupPending,
    CoupPressed,
    CoupReleased,
    CoupResult,
    CoupSettling,
    CoupVoid,
    Handed,
    IrregularityJoined,
    IrregularityRaised,
    IrregularityResolved,
    Pairs,
    RulesNamed,
    Settlement,
    VoidCard,
)
from shoe_daemon.table.events.device import (
    AlarmRaised,
    CommandRefused,
    DeviceAlarm,
    DeviceLink,
    FrameRejected,
    Rejection,
    ServiceStarted,
    ServiceStopped,
)
from shoe_daemon.table.events.shoes import (
    BurnCard,
    BurnedCards,
    BurnStarted,
    ShoeBurned,
    ShoeClosed,
    ShoeCutCard,
    ShoeLoaded,
    TableClosed,
    TableOpened,
)

__all__ = [
    "AUDIENCES",
    "CAGE",
    "PUBLIC",
    "REGISTRY",
    "STAFF",
    "SURVEILLANCE",
    "TYPE",
    "AlarmRaised",
    "BettingClosed",
    "BettingOpened",
    "BurnCard",
    "BurnStarted",
    "BurnedCards",
    "CardAssigned",
    "CardCarried",
    "CardDealt",
    "CardDrawn",
    "CardExposed",
    "CardIdentified",
    "CardInExcess",
    "CardKept",
    "CardTurned",
    "CarriedExposed",
    "CarriedTurned",
    "CommandRefused",
    "CoupCards",
    "CoupConfirmed",
    "CoupHeld",
    "CoupNoBet",
    "CoupPending",
    "CoupPressed",
    "CoupReleased",
    "CoupResult",
    "CoupSettling",
    "CoupVoid",
    "DeviceAlarm",
    "DeviceLink",
    "Event",
    "FrameRejected",
    "HandAnnounced",
    "Handed",
    "IrregularityJoined",
    "IrregularityRaised",
    "IrregularityResolved",
    "Pairs",
    "Rejection",
    "RulesNamed",
    "ServiceStarted",
    "ServiceStopped",
    "Settlement",
    "ShoeBurned",
    "ShoeClosed",
    "ShoeCutCard",
    "ShoeLoaded",
    "TableClosed",
    "TableOpened",
    "VoidCard",
]


def _kinds(base: type[Event]) -> dict[str, type[Event]]:
    kinds: dict[str, type[Event]] = {}
    for kind in base.__subclasses__():
        kinds[str(kind.__struct_config__.tag)] = kind
        kinds |= _kinds(kind)
    return kinds


REGISTRY: Final = _kinds(Event)
"""Every kind of event by its tag in the journal."""

TYPE: Final = {kind: tag.partition("/")[0] for tag, kind in REGISTRY.items()}
"""The type that the outside sees."""
