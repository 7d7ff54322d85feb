"""The irregularities as rows, and the remedies: what each does to coup, shoe, roads and cage, who may choose.

The rule numbers stand in the rule profile. Face-dependent rows are raised only by a face just exposed, or by
a person. A row without remedies is closed as it is raised.
"""

from typing import Final, Literal

import msgspec


class Row(msgspec.Struct, frozen=True):
    """One irregularity. `trigger`: what raises it, for the documents; `faces`: whether it reads a face.

    `reported`: a person may raise it by `report`. `void` is no remedy where no coup is open, nor is a hold.
    """

    code: str
    kind: Literal["game", "evidence"]
    hold: bool
    remedies: tuple[str, ...]
    trigger: str
    faces: bool = False
    reported: bool = False


class Remedy(msgspec.Struct, frozen=True):
    """One remedy. `verb`: it is chosen by a verb of its own, not by `resolve`."""

    name: str
    dealer: bool
    coup: str
    shoe: str
    roads: str
    cage: str
    verb: bool = False


GAPS: Final = frozenset({"link_gap", "device_reset", "sequence_gap"})
"""Codes that say that cards may have left the shoe unseen."""

UNREAD: Final = frozenset({"unreadable_card", "unknown_code"})
"""Codes about the face of one card: they go where that card goes."""

_GAP: Final = ("none_missed", "missed", "void")
_EVIDENCE: Final = ("correct", "accept", "void")
_ACCEPT: Final = ("accept", "void")

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
            trigger="the dealer's call differs from the exposed cards",
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
            trigger="the cable or the daemon came back with a shoe open",
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
            trigger="the shoe is empty and exposed faces show that a card is due: the coup is void",
            faces=True,
            reported=True,
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
            trigger="a third card was laid to a hand that had none to draw; by its order it has its place",
            reported=True,
        ),
        Row(
            "face_up_card",
            "game",
            hold=False,
            remedies=(),
            trigger="a card was found face up during a coup: it is played, or opens a no-bet coup",
            reported=True,
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

REMEDIES: Final = {
    remedy.name: remedy
    for remedy in (
        Remedy(
            "identify",
            dealer=True,
            coup="goes on with the face named",
            shoe="the card stays counted as unread",
            roads="as the coup ends",
            cage="as the coup ends",
            verb=True,
        ),
        Remedy(
            "correct",
            dealer=False,
            coup="goes on with the face corrected; the dealer calls again",
            shoe="the face counts as corrected",
            roads="as the coup ends; redrawn after a result",
            cage="as the coup ends; `adjust` after a result",
            verb=True,
        ),
        Remedy(
            "accept",
            dealer=False,
            coup="goes on as it is",
            shoe="unchanged",
            roads="as the coup ends",
            cage="as the coup ends",
        ),
        Remedy(
            "void",
            dealer=False,
            coup="is void",
            shoe="its cards are out",
            roads="no mark",
            cage="wagers go back",
        ),
        Remedy(
            "none_missed",
            dealer=False,
            coup="goes on",
            shoe="unchanged",
            roads="as the coup ends",
            cage="as the coup ends",
        ),
        Remedy(
            "missed",
            dealer=False,
            coup="one card unseen takes the next place",
            shoe="one card more, unread",
            roads="as the coup ends",
            cage="as the coup ends",
        ),
        Remedy(
            "continue",
            dealer=False,
            coup="goes on, with the device or by hand",
            shoe="unchanged",
            roads="as the coup ends",
            cage="as the coup ends",
        ),
        Remedy(
            "moved",
            dealer=False,
            coup="goes on, the same cards in another device",
            shoe="unchanged",
            roads="as the coup ends",
            cage="as the coup ends",
        ),
        Remedy(
            "reveal",
            dealer=True,
            coup="the cards before the last one were open; the last is judged by them",
            shoe="unchanged",
            roads="as the coup ends",
            cage="as the coup ends",
        ),
        Remedy(
            "keep",
            dealer=True,
            coup="the card is judged when the others are revealed",
            shoe="unchanged",
            roads="as the coup ends",
            cage="as the coup ends",
        ),
        Remedy(
            "draw",
            dealer=True,
            coup="the third card is drawn",
            shoe="one card more",
            roads="as the coup ends",
            cage="as the coup ends",
            verb=True,
        ),
        Remedy(
            "reconstruct",
            dealer=False,
            coup="goes on, each card in the place of its order; wagers may come off while no card is exposed",
            shoe="unchanged",
            roads="as the coup ends",
            cage="wagers may be taken off; as the coup ends",
        ),
        Remedy(
            "disclose",
            dealer=True,
            coup="unchanged; the next one is a no-bet coup",
            shoe="the card belongs to the next coup",
            roads="the next coup is marked by setting",
            cage="nothing is settled for the next coup",
        ),
        Remedy(
            "undisclosed",
            dealer=True,
            coup="unchanged; the next one has wagers",
            shoe="the card belongs to the next coup",
            roads="as the coups end",
            cage="as the coups end",
        ),
    )
}

PARKED_MISSING: Final = ("correct", "void")
"""Remedies of `third_card_missing` for a parked coup: nothing can be drawn into it any more."""


def between_coups(code: str) -> tuple[str, ...]:
    """Remedies of `code` while no coup is open: there is none to void, and nothing is held."""
    return tuple(remedy for remedy in ROWS[code].remedies if remedy != "void")
