"""What a fault is, and the words in which the catalogue says what the daemon must say."""

from typing import Final

import msgspec

from tests.faults.needs import Need

PARTIAL: Final = "frame.rejected partial"
UNMATCHED: Final = "frame.rejected unmatched"
UNKNOWN: Final = "frame.rejected unknown_code"
TOO_LONG: Final = "frame.rejected too_long"
BAD_CHECKSUM: Final = "frame.rejected bad_checksum"
REPEATED: Final = "frame.rejected repeated"
TAKES_PLACE: Final = "irregularity.raised unknown_code"
GAP_IN_NUMBERS: Final = "irregularity.raised sequence_gap"
LINK: Final = ("device.link down", "device.link up", "device.link gap", "irregularity.raised link_gap")
EXCESS: Final = ("irregularity.raised excess_card", "card.carried", "coup.no_bet")
CONSEQUENCES: Final = (
    "irregularity.raised drawn_before_reveal",
    "irregularity.raised misdeal",
    "irregularity.raised other",
    *EXCESS,
)
"""What a place too many in a coup may lead to by the rules of dealing, whatever took it."""

CAMERA: Final = "not there yet: a camera that counts and reads cards"


class Fault(msgspec.Struct, frozen=True):
    """One fault. `says`: what the daemon must say; `may`: what it says besides, by where the damage falls.

    `session`: settings of the profile's session while it is played; `alone`: at a daemon of its own, which is
    no other one's after it. `needs`: where it can show; `later`: why it cannot be played yet; `shown`: tests
    of it. `process`: it is a matter of the process and not of a profile, so that it is one cell. `note`: what
    is said beside it.
    """

    key: str
    title: str
    injected: str
    says: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    needs: tuple[Need, ...] = ()
    later: str = ""
    shown: tuple[str, ...] = ()
    process: bool = False
    session: tuple[str, ...] = ()
    alone: bool = False
    note: str = ""

    @property
    def number(self) -> int:
        """Its number in the list of 54."""
        return int(self.key.rstrip("bcd"))
