"""What goes wrong at a table and needs a supervisor: how a coup runs then, and the remedy that is right.

A mistake is a coup's beats, changed: what happens, who reports it, what the supervisor answers. Everything
else, an unread card and a forgotten press included, a dealer puts right alone.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final, Literal

from msgspec.structs import replace

from drivers.beats import COURSES, DEALER, SUPERVISOR, Beat, Draw, Press, TooMany, slots_of
from shoe_daemon.game.cards import DECK, INITIAL, Card, Outcome, Slot
from shoe_daemon.game.outcome import decide_outcome

Mistake = Literal[
    "excess_card",
    "misdeal",
    "too_many_cards",
    "face_up_card",
    "burn_forgotten",
    "equipment_fault",
    "misread_card",
    "wrong_call",
]

_ANYWHERE: Final[tuple[Mistake, ...]] = (
    "excess_card",
    "misdeal",
    "too_many_cards",
    "face_up_card",
    "equipment_fault",
    "misread_card",
)
_FACE_DOWN: Final[tuple[Mistake, ...]] = (*_ANYWHERE, "burn_forgotten")

MISTAKES: Final[Mapping[str, tuple[Mistake, ...]]] = {
    name: _ANYWHERE
    if course.last is None
    else (*_FACE_DOWN, "wrong_call")
    if course.last.verb == "confirm"
    else _FACE_DOWN
    for name, course in COURSES.items()
}
"""What can go wrong in each procedure: a burn taken for a coup counts as burned only while its cards lie face
down, and only where the dealer calls the end can the call be wrong."""

VOID: Final[frozenset[Mistake]] = frozenset({"too_many_cards"})
"""Mistakes that void the coup (NSW-13.3)."""


def mistaken(
    mistake: Mistake, beats: Sequence[Beat], lies: Mapping[Slot, Card], rng: Random
) -> list[Beat] | None:
    """Beats of a coup with `mistake` in it; None where this coup gives no occasion for it.

    `lies`: the true cards of the coup, in the order drawn. A burn is forgotten before any coup, not here.
    """
    if mistake == "burn_forgotten":
        return None
    whole = _WHOLE.get(mistake)
    if whole is not None:
        return whole(beats, lies, rng)
    return _early(mistake, beats, rng)


def _early(mistake: Mistake, beats: Sequence[Beat], rng: Random) -> list[Beat]:
    """Something goes wrong when two or three cards are out; three are too many for one hand."""
    place = 3 if mistake == "too_many_cards" else rng.randrange(2, len(INITIAL))
    before, after = list(beats[:place]), list(beats[place:])
    report = Press("report", {"code": mistake}, actor=DEALER)
    if mistake == "misdeal":
        return [*before, report, _resolves(mistake, "reconstruct"), *after]
    if mistake == "too_many_cards":
        return [*before, report, _resolves(mistake, "void")]
    if mistake == "equipment_fault":
        by_hand = [replace(one, by_hand=True) if isinstance(one, Draw) else one for one in after]
        return [*before, report, _resolves(mistake, "continue"), *by_hand]
    return [*before, _says("report", code=mistake), *after]  # a card found face up is played


def _excess(beats: Sequence[Beat], lies: Mapping[Slot, Card], _: Random) -> list[Beat]:
    """A third card too many, before the coup is called complete (NSW-13.4)."""
    last = beats[-1:] if isinstance(beats[-1], Press) else []
    report = _says("report", code="unauthorised_third_card", n=len(lies) + 1)
    return [*beats[: len(beats) - len(last)], TooMany(), report, *last]


def _misread(beats: Sequence[Beat], lies: Mapping[Slot, Card], rng: Random) -> list[Beat] | None:
    """The shoe says another face; the dealer's call, or somebody who looks after it, finds that out."""
    found = _other_ends(lies)
    if not found:
        return None
    slot, face = rng.choice(found)
    read = [
        replace(one, read_as=face) if isinstance(one, Draw) and one.slot == slot else one for one in beats
    ]
    correct = _says("correct", slot=slot, card=lies[slot])
    if not _calls_end(beats):
        return [*read, correct]
    call = Press("confirm", {"outcome": _outcome(lies)})
    return [*read[:-1], call, correct, call]


def _other_ends(lies: Mapping[Slot, Card]) -> list[tuple[Slot, Card]]:
    """Faces of one card under which the same places are filled, but the coup ends otherwise."""
    true, slots = _outcome(lies), tuple(lies)
    found = []
    for slot in slots:
        for face in DECK:
            other = {**lies, slot: face}
            faces = list(other.values())
            if slots_of([*faces, *faces[:2]]) == slots and _outcome(other) != true:
                found.append((slot, face))
    return found


def _wrong_call(beats: Sequence[Beat], lies: Mapping[Slot, Card], rng: Random) -> list[Beat] | None:
    """The dealer calls an outcome that the cards do not have; the supervisor lets the cards speak."""
    if not _calls_end(beats):
        return None
    outcomes: tuple[Outcome, ...] = ("player", "banker", "tie")
    call = rng.choice([outcome for outcome in outcomes if outcome != _outcome(lies)])
    return [*beats[:-1], Press("confirm", {"outcome": call}), _resolves("result_mismatch", "accept")]


def _calls_end(beats: Sequence[Beat]) -> bool:
    last = beats[-1]
    return isinstance(last, Press) and last.verb == "confirm"


def _outcome(lies: Mapping[Slot, Card]) -> Outcome:
    player, banker = ([card for slot, card in lies.items() if slot[0] == side] for side in "PB")
    return decide_outcome(player, banker).outcome


def _says(verb: str, **args: Any) -> Press:  # noqa: ANN401 - arguments of any verb
    return Press(verb, args, actor=SUPERVISOR)


def _resolves(code: str, remedy: str) -> Press:
    return _says("resolve", code=code, remedy=remedy)


_WHOLE: Final[
    Mapping[Mistake, Callable[[Sequence[Beat], Mapping[Slot, Card], Random], list[Beat] | None]]
] = {
    "excess_card": _excess,
    "misread_card": _misread,
    "wrong_call": _wrong_call,
}
