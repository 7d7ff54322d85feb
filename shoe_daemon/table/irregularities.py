"""The irregularities as rows: what kind, whether it holds the coup, which remedies a person may choose.

The rule numbers stand in the rule profile. Face-dependent rows are raised only by a face just exposed.
"""

from typing import Final, Literal

import msgspec


class Row(msgspec.Struct, frozen=True):
    """One irregularity. `trigger`: what raises it, for the documents; `faces`: whether it reads a face."""

    code: str
    kind: Literal["game", "evidence"]
    hold: bool
    remedies: tuple[str, ...]
    trigger: str
    faces: bool = False


ROWS: Final = {
    row.code: row
    for row in (
        Row(
            "unreadable_card",
            "evidence",
            hold=True,
            remedies=("identify", "void"),
            trigger="the device says that a card went by unread, or a person says that one did",
        ),
        Row(
            "unknown_code",
            "evidence",
            hold=True,
            remedies=("identify", "void"),
            trigger="a frame that looks like a card but names none",
        ),
        Row(
            "composition_exceeded",
            "evidence",
            hold=True,
            remedies=("correct", "accept", "void"),
            trigger="a face exposed more often than there are decks",
            faces=True,
        ),
        Row(
            "result_mismatch",
            "evidence",
            hold=True,
            remedies=("correct", "accept", "void"),
            trigger="the dealer's call differs from the exposed cards",
            faces=True,
        ),
        Row(
            "link_gap",
            "evidence",
            hold=True,
            remedies=("none_missed", "missed", "void"),
            trigger="the cable or the daemon came back with a shoe open; no hold and no void between coups",
        ),
        Row(
            "drawn_before_reveal",
            "game",
            hold=True,
            remedies=("reveal", "keep", "void"),
            trigger="a further card while exposed faces do not settle what it is for",
        ),
        Row(
            "third_card_missing",
            "game",
            hold=True,
            remedies=("draw", "void"),
            trigger="the coup was called complete, but exposed faces show that a third card is due",
            faces=True,
        ),
        Row(
            "excess_card",
            "game",
            hold=False,
            remedies=("disclose", "undisclosed"),
            trigger="a card that exposed faces show to be none of the coup's, or one drawn between coups",
        ),
        Row(
            "drawn_before_betting_closed",
            "game",
            hold=False,
            remedies=(),
            trigger="a card while betting was open, where the dealer closes it",
        ),
        Row(
            "disclosed_first_card",
            "game",
            hold=False,
            remedies=(),
            trigger="the first card of the coming coup was seen",
        ),
        Row(
            "beyond_last_coup",
            "game",
            hold=False,
            remedies=(),
            trigger="a card after the last coup, or in excess in it",
        ),
    )
}

PARKED_MISSING: Final = ("correct", "void")
"""Remedies of `third_card_missing` for a parked coup: nothing can be drawn into it any more."""

BETWEEN_COUPS: Final = ("none_missed", "missed")
"""Remedies of `link_gap` while no coup is open."""
