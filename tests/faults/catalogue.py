"""The faults of a shoe and its line, as data: what is done, what the daemon must say, where it can show.

`says` are events of docs/events.md, with the reason, code or state that tells them apart. What every coup
tells is not among them. A number with a letter is a part of that fault with a play, or a reason, of its own.
"""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from drivers.profile import ShoeProfile
from tests.faults.fault import CONSEQUENCES, TAKES_PLACE, Fault
from tests.faults.listed import FAULTS

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


COLUMNS_LATER: Final[dict[str, str]] = {}
"""Profiles that nothing here can play yet, each with its reason."""


def place(fault: Fault, profile: ShoeProfile, transport: str) -> Place:
    """The cell of a fault at a profile and a transport."""
    for need in fault.needs:
        if not need.met(profile, transport):
            return Place(fault, profile.id, transport, "n/a", need.reason)
    later = fault.later or COLUMNS_LATER.get(profile.id, "")
    return Place(fault, profile.id, transport, "later" if later else "play", later)


def places(profiles: list[ShoeProfile]) -> Iterator[Place]:
    """Every cell, by fault, then profile, then transport."""
    for fault in FAULTS:
        if fault.process:
            state: State = "later" if fault.later else "shown" if fault.shown else "play"
            yield Place(fault, "", "", state, fault.later)
        else:
            for profile in profiles:
                yield from (place(fault, profile, transport) for transport in TRANSPORTS)
