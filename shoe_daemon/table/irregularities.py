"""The irregularities as rows; what their remedies do is in `remedies`.

The rule numbers stand in the rule profile. Face-dependent rows are raised only by a face just exposed, or by
a person. A row without remedies is closed as it is raised.
"""

from typing import Final, Literal

import msgspec


class Consequence(msgspec.Struct, frozen=True):
    """What it means for the coup, the shoe's cards, the roads and the cage, in words for the documents."""

    coup: str
    shoe: str
    roads: str
    cage: str


class Row(msgspec.Struct, frozen=True):
    """One irregularity. `trigger`: what raises it, for the documents; `faces`: whether it reads a face.

    `reported`: a person may raise it by `report`. `void` is no remedy where no coup is open, nor is a hold.
    `at_once`: what a row without remedies brings about.
    """

    code: str
    kind: Literal["game", "evidence"]
    hold: bool
    remedies: tuple[str, ...]
    trigger: str
    faces: bool = False
    reported: bool = False
    at_once: Consequence | None = None


GAPS: Final = frozenset({"link_gap", "device_reset", "sequence_gap"})
"""Codes that say that cards may have left the shoe unseen."""

UNREAD: Final = frozenset({"unreadable_card", "unknown_code"})
"""Codes about the face of one card."""

OF_ONE_CARD: Final = UNREAD | {"suspect_double"}
"""Codes that go where their card goes."""

_GAP: Final = ("none_missed", "missed", "void")
_EVIDENCE: Final = ("correct", "accept", "void")
_ACCEPT: Final = ("accept", "void")
_UNCHANGED: Final = ("unchanged", "as the coup ends", "as the coup ends")

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
            "suspect_double",
            "evidence",
            hold=True,
            remedies=("accept", "read_twice", "void"),
            trigger="two cards told sooner after each other than the shoe can give them",
        ),
        Row(
            "composition_exceeded",
            "evidence",
            hold=True,
            remedies=_EVIDENCE,
            trigger="a face exposed more often than there are decks",
            faces=True,
        ),
        Row(
            "duplicate_card",
            "evidence",
            hold=True,
            remedies=_EVIDENCE,
            trigger="one physical card was seen twice",
            faces=True,
            reported=True,
        ),
        Row(
            "result_mismatch",
            "evidence",
            hold=True,
            remedies=_EVIDENCE,
            trigger="the dealer's call, or the device's own result, differs from the exposed cards",
            faces=True,
        ),
        Row(
            "order_suspicious",
            "evidence",
            hold=False,
            remedies=("accept",),
            trigger="exposed cards follow each other as in a new deck",
            faces=True,
            reported=True,
        ),
        Row(
            "link_gap",
            "evidence",
            hold=True,
            remedies=_GAP,
            trigger="the cable or the program came back with a shoe open",
        ),
        Row(
            "device_reset",
            "evidence",
            hold=True,
            remedies=_GAP,
            trigger="the shoe's electronics started again",
            reported=True,
        ),
        Row(
            "sequence_gap",
            "evidence",
            hold=True,
            remedies=_GAP,
            trigger="messages of the device are missing",
            reported=True,
        ),
        Row(
            "card_returned",
            "evidence",
            hold=True,
            remedies=_ACCEPT,
            trigger="a card went back into the shoe",
            reported=True,
        ),
        Row(
            "set_changed",
            "evidence",
            hold=True,
            remedies=_ACCEPT,
            trigger="the cards in the shoe are not the set that was loaded",
            reported=True,
        ),
        Row(
            "equipment_fault",
            "evidence",
            hold=True,
            remedies=("continue", "moved", "void"),
            trigger="the dealing device does not work as it should",
            reported=True,
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
            "misdeal",
            "game",
            hold=True,
            remedies=("reconstruct", "void"),
            trigger="a card of the initial deal went to the wrong hand",
            reported=True,
        ),
        Row(
            "too_many_cards",
            "game",
            hold=True,
            remedies=("void",),
            trigger="more than two cards went to a hand in the initial deal",
            reported=True,
        ),
        Row(
            "insufficient_cards",
            "game",
            hold=False,
            remedies=(),
            trigger="the shoe is empty and exposed faces show that a card is due",
            faces=True,
            reported=True,
            at_once=Consequence("is void", "its cards are out", "no mark", "wagers go back"),
        ),
        Row(
            "excess_card",
            "game",
            hold=False,
            remedies=("disclose", "undisclosed"),
            trigger="a card that exposed faces show to be none of the coup's, or one drawn between coups",
        ),
        Row(
            "unauthorised_third_card",
            "game",
            hold=False,
            remedies=(),
            trigger="a third card was laid to a hand that had none to draw",
            reported=True,
            at_once=Consequence(
                "goes on; by its order the card is the Banker's third, or in excess", *_UNCHANGED
            ),
        ),
        Row(
            "face_up_card",
            "game",
            hold=False,
            remedies=(),
            trigger="a card was found face up during a coup",
            reported=True,
            at_once=Consequence(
                "goes on; the card is played where it is due, else it opens a no-bet coup", *_UNCHANGED
            ),
        ),
        Row(
            "drawn_before_betting_closed",
            "game",
            hold=False,
            remedies=(),
            trigger="a card while betting was open, where the dealer closes it",
            at_once=Consequence("betting is closed, and it goes on", *_UNCHANGED),
        ),
        Row(
            "disclosed_first_card",
            "game",
            hold=False,
            remedies=(),
            trigger="the first card of the coming coup was seen",
            at_once=Consequence(
                "is a no-bet coup",
                "unchanged",
                "marked as a no-bet coup",
                "wagers go back, nothing is settled",
            ),
        ),
        Row(
            "beyond_last_coup",
            "game",
            hold=False,
            remedies=(),
            trigger="a card after the last coup, or in excess in it",
            at_once=Consequence(
                "unchanged; the card lies aside and goes to no coup",
                "counts as read, or as unread",
                "none",
                "nothing",
            ),
        ),
        Row(
            "other",
            "game",
            hold=True,
            remedies=_ACCEPT,
            trigger="what no other code says, in words",
            reported=True,
        ),
    )
}

PARKED_MISSING: Final = ("correct", "void")
"""Remedies of `third_card_missing` for a parked coup: nothing can be drawn into it any more."""


def between_coups(code: str) -> tuple[str, ...]:
    """Remedies of `code` while no coup is open: there is none to void, and nothing is held."""
    return tuple(remedy for remedy in ROWS[code].remedies if remedy != "void")
