"""The remedies: what each does to coup, shoe, roads and cage, and who may choose it."""

from typing import Final

import msgspec


class Remedy(msgspec.Struct, frozen=True):
    """One remedy. `verb`: it is chosen by a verb of its own, not by `resolve`."""

    name: str
    dealer: bool
    coup: str
    shoe: str
    roads: str
    cage: str
    verb: bool = False


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
            "read_twice",
            dealer=False,
            coup="goes on without it: the card before it was told twice; void where it was the only one",
            shoe="the card counts once",
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
            roads="the next coup is marked as a no-bet coup",
            cage="nothing is settled for the next coup",
        ),
        Remedy(
            "undisclosed",
            dealer=True,
            coup="unchanged; the next one has wagers, or none where two or more cards are carried into it",
            shoe="the card belongs to the next coup",
            roads="as the coups end",
            cage="as the coups end",
        ),
    )
}
