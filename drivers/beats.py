"""The course of one coup at each kind of table: what is drawn, and which command follows when."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from shoe_daemon.game.cards import INITIAL, Card, Slot, points, value
from shoe_daemon.game.drawing import next_third

DEALER: Final = "dealer:1"
SUPERVISOR: Final = "supervisor:1"


class Draw(msgspec.Struct, frozen=True):
    """A card leaves the shoe for `slot`; `shown` where the table takes it as face up at once.

    `by_hand`: the shoe is dead, a supervisor names the card. `read_as`: the face that the shoe wrongly says.
    """

    slot: Slot
    shown: bool
    by_hand: bool = False
    read_as: Card | None = None


class TooMany(msgspec.Struct, frozen=True):
    """A card leaves the shoe although none is due: it belongs to the next coup."""


class Press(msgspec.Struct, frozen=True):
    """The command that follows, the dealer's or another `actor`'s, and the slots whose cards it shows."""

    verb: str
    args: dict[str, Any]
    shows: tuple[Slot, ...] = ()
    actor: str = DEALER


Beat = Draw | TooMany | Press


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """One procedure: presses after the first four, after each third card, at the end; slots shown on draw."""

    calls_no_more_bets: bool = False
    first: tuple[Press, ...] = ()
    third: Mapping[Slot, Press] = msgspec.field(default_factory=dict)
    last: Press | None = None
    on_draw: frozenset[Slot] = frozenset()


_TURN_FOUR: Final = Press("reveal", {}, INITIAL)
_CONFIRM: Final = Press("confirm", {})
_METHOD_C: Final = Course(
    calls_no_more_bets=True, first=(_TURN_FOUR,), last=_CONFIRM, on_draw=frozenset({"P3", "B3"})
)

COURSES: Final[Mapping[str, Course]] = {
    "face-up": Course(on_draw=frozenset({*INITIAL, "P3", "B3"})),
    "result-button": Course(last=Press("reveal", {"all": True}, (*INITIAL, "P3", "B3"))),
    "dealer-reveal": Course(
        calls_no_more_bets=True,
        first=(_TURN_FOUR,),
        third={"P3": Press("reveal", {}, ("P3",)), "B3": Press("reveal", {}, ("B3",))},
        last=_CONFIRM,
    ),
    "squeeze": Course(
        calls_no_more_bets=True,
        first=(
            Press("reveal", {"hand": "player"}, ("P1", "P2")),
            Press("reveal", {"hand": "banker"}, ("B1", "B2")),
        ),
        third={
            "P3": Press("reveal", {"hand": "player"}, ("P3",)),
            "B3": Press("reveal", {"hand": "banker"}, ("B3",)),
        },
        last=_CONFIRM,
    ),
    "method-b": Course(
        calls_no_more_bets=True,
        first=(_TURN_FOUR,),
        third={"B3": Press("reveal", {}, ("B3",))},
        last=_CONFIRM,
        on_draw=frozenset({"P3"}),
    ),
    "method-c": _METHOD_C,
}

NO_BET: Final = msgspec.structs.replace(_METHOD_C, calls_no_more_bets=False)
"""A no-bet coup: betting is closed from the start."""

LATE: Final = frozenset(name for name, course in COURSES.items() if course.last is not None)
"""Procedures with presses: one can be forgotten, and made good by the dealer alone."""


def slots_of(cards: Sequence[Card]) -> tuple[Slot, ...]:
    """Slots that a coup dealt from `cards` fills, in drawing order; six cards are always enough."""
    player = points((value(cards[0]), value(cards[2])))
    banker = points((value(cards[1]), value(cards[3])))
    due = next_third(player, banker, None)
    if due is None:
        return INITIAL
    if due == "P3" and next_third(player, banker, value(cards[4])) == "B3":
        return (*INITIAL, "P3", "B3")
    return (*INITIAL, due)


def beats_of(course: Course, slots: Sequence[Slot]) -> list[Beat]:
    """Beats of a whole coup that fills `slots`, nothing forgotten."""
    beats: list[Beat] = []
    for slot in slots:
        beats.append(Draw(slot, shown=slot in course.on_draw))
        if slot == INITIAL[-1]:
            beats += course.first
        elif slot in course.third:
            beats.append(course.third[slot])
    return beats if course.last is None else [*beats, course.last]


def shows_excess(course: Course, slots: Sequence[Slot]) -> bool:
    """Whether a card too many after a coup of `slots` lies face up, as the third card it was taken for."""
    return ("P3" if len(slots) == len(INITIAL) else "B3") in course.on_draw


def late(beats: Sequence[Beat], place: int) -> tuple[list[Beat], list[Beat]]:
    """Move the press at `place` behind the next card drawn; one for a hand is for all that lies there then.

    Where no card of this coup is left, the second list has what waits for a card of the next one. Presses
    that the late one may have made needless fall away; the end of the coup turns what is still down.
    """
    press, rest = beats[place], beats[place + 1 :]
    if isinstance(press, Press) and "hand" in press.args:
        press = Press("reveal", {"all": True}, press.shows)
    draws = [number for number, beat in enumerate(rest) if isinstance(beat, Draw)]
    if not draws:
        return list(beats[:place]), [press, *(one for one in rest if not _turns(one))]
    following = draws[0]
    after = [one for one in rest[following + 1 :] if not _turns(one, "B3")]
    return [*beats[:place], *rest[: following + 1], press, *after], []


def _turns(beat: Beat, slot: Slot | None = None) -> bool:
    """Whether `beat` is a press that turns cards, or turns the one in `slot` alone."""
    return isinstance(beat, Press) and beat.verb == "reveal" and (slot is None or beat.shows == (slot,))
