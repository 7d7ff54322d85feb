"""What each message means, in one plain sentence."""

from collections.abc import Callable
from typing import Any, Final

from shoe_daemon.clients.explaining.coups import OF_COUPS
from shoe_daemon.clients.explaining.house import OF_HOUSE
from shoe_daemon.clients.explaining.seats import OF_SEATS
from shoe_daemon.clients.explaining.words import plain
from shoe_daemon.clients.told import Told

SAID: Final[dict[str, Callable[[dict[str, Any]], str]]] = OF_COUPS | OF_HOUSE | OF_SEATS
"""Sentences by the type of the message; those of an irregularity need to know where its card went."""

SHOWN_WITH_THE_CARDS: Final = frozenset(
    {
        "card.drawn",
        "card.dealt",
        "card.exposed",
        "card.identified",
        "card.assigned",
        "card.carried",
        "card.read_twice",
        "coup.cards",
        "hand.announced",
    }
)
"""Types that are told card by card."""

_MOMENTS: Final = {"notice.posted": "effective_at", "seats.asked": "until", "clock.stepped": "before"}


def moment(message: Told) -> str | None:
    """The time that the sentence names, as messages say times; None where it names none."""
    named: str | None = message.data.get(_MOMENTS.get(message.type, ""))
    return named if named is not None and named in happened(message) else None


def happened(message: Told) -> str:
    """One message in words; a type that this program does not know, by its name alone."""
    known = SAID.get(message.type)
    if known is None:
        return f"Told, and not known to this program: {plain(message.type.replace('.', ' '))}"
    return known(message.data)
