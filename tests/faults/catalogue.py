"""The faults of a shoe and its line, as data: what is done, what the daemon must say, where it can show.

`says` are events of docs/events.md, with the reason, code or state that tells them apart. What every coup
tells is not among them. A number with a letter is a part of that fault with a play, or a reason, of its own.
"""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from drivers.profile import ShoeProfile
from tests.faults.fault import CONSEQUENCES, TAKES_PLACE, Fault
from tests.faults.listed import FAULTS
from tests.faults.needs import LINE

__all__ = ["CONSEQUENCES", "FAULTS", "TAKES_PLACE", "TRANSPORTS", "Fault", "Place", "places"]

TRANSPORTS: Final = ("pty", "tcp")
State = Literal["play", "n/a", "later", "shown"]


class Place(NamedTuple):
    """One cell of the matrix. `profile` and `transport` are empty for a fault of the process."""

    fault: Fault
    profile: str
    transport: str
    state: State
    reason: str


INVENTED: Final = {
    "asked-lines": (
        frozenset({"7b", "16", "26", "45", "51"}),
        "an invented shoe, for what no shipped profile has: the rest is played at those",
    )
}
"""Profiles that are not shipped: the faults played at each, and why no others are."""


def place(fault: Fault, profile: ShoeProfile, transport: str) -> Place:
    """The cell of a fault at a profile and a transport."""
    for need in (LINE, *fault.needs):
        if not need.met(profile, transport):
            return Place(fault, profile.id, transport, "n/a", need.reason)
    played, why = INVENTED.get(profile.id, (None, ""))
    if played is not None and fault.key not in played:
        return Place(fault, profile.id, transport, "n/a", why)
    return Place(fault, profile.id, transport, "later" if fault.later else "play", fault.later)


def places(profiles: list[ShoeProfile]) -> Iterator[Place]:
    """Every cell, by fault, then profile, then transport."""
    for fault in FAULTS:
        if fault.process:
            state: State = "later" if fault.later else "shown" if fault.shown else "play"
            yield Place(fault, "", "", state, fault.later)
        else:
            for profile in profiles:
                yield from (place(fault, profile, transport) for transport in TRANSPORTS)
