"""Faces that nobody has seen.

A card's face travels from the decoder to the journal inside a `Sealed`. The table's decisions see the
envelope only. Four functions may open one, and a test over the syntax tree holds that list:
`expose` (the card is turned), `audit` (a check on a face just turned), the projection of the immediate
surveillance policy, and the account of faces once a coup is void or a shoe closed.
"""

from shoe_daemon.game.cards import Card


class Sealed:
    """An envelope around one card's face; its repr is dots, so no log or traceback shows it."""

    __slots__ = ("_face",)

    def __init__(self, face: Card) -> None:
        self._face = face

    def __repr__(self) -> str:
        return "••"

    def __eq__(self, other: object) -> bool:
        # Needed to compare whole states in tests; decisions never compare envelopes (tests/table).
        return isinstance(other, Sealed) and self._face == other._face

    def __hash__(self) -> int:
        return hash(self._face)

    def open(self) -> Card:
        """The face inside. Only the functions named at the head of this module may call this."""
        return self._face
