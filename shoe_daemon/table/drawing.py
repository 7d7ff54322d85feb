"""A card leaves the shoe: into the coup, into the burn, in excess, or aside after the last coup."""

from typing import Final, Literal

import msgspec

from shoe_daemon.game.cards import INITIAL, Slot, burn_count
from shoe_daemon.table import events as ev
from shoe_daemon.table.bank import stakes_something
from shoe_daemon.table.excess import (
    ask,
    beyond_last,
    burned_excess,
    carry,
    face_up,
    open_betting_auto,
    unanswered,
)
from shoe_daemon.table.exposure import expose, open_face
from shoe_daemon.table.irregularities import between_coups
from shoe_daemon.table.places import UNSETTLED, expected_next
from shoe_daemon.table.sealed import Sealed
from shoe_daemon.table.stakes import betting_over
from shoe_daemon.table.state import Coup, CoupCard, Table
from shoe_daemon.table.turn import Turn

WAITS_FOR_PRESS = 6
"""With one press a coup, cards up to this one wait for it; the next is one too many."""


Fate = Literal["coup", "excess", "aside"]
_SOON: Final[dict[Fate, tuple[str, ...] | None]] = {
    "coup": None,
    "excess": between_coups("suspect_double"),
    "aside": ("accept",),
}
"""Remedies for a card told too soon; one that lies aside is in nobody's way."""


class Drawn(msgspec.Struct, frozen=True):
    """A card that left the shoe. `face` None: not read; `trouble` says how.

    `soon`: the shoe cannot give two cards so fast, this may be the one before, told twice. `slots`: where the
    device read it, `tag`: which card it is, if it can tell.
    """

    face: Sealed | None
    trouble: Literal["unreadable_card", "unknown_code"] | None = None
    source: Literal["shoe", "operator"] = "shoe"
    soon: bool = False
    slots: tuple[Slot, ...] = ()
    tag: str | None = None


def answer_due(turn: Turn) -> bool:
    """A card drawn now would be the answer to the question about an excess card."""
    table = turn.table
    burning = table.shoe is not None and table.shoe.burn is not None
    ready = table.opened and table.shoe is not None and not burning
    return ready and table.open_coup is None and bool(unanswered(turn))


def draw(turn: Turn, drawn: Drawn) -> None:
    """Take in a card that left the shoe. The table is open and a shoe is on it."""
    go_on(turn)
    table = turn.table
    if table.shoe is None:
        return
    if table.shoe.burn is not None:
        _burn(turn, drawn)
    elif table.open_coup is not None:
        _into_coup(turn, drawn, table.open_coup)
    elif table.no_more_coups:
        _out(turn, drawn, "aside")
    elif in_excess_between(table):
        _out(turn, drawn, "excess")
    else:
        _first(turn, drawn)


def go_on(turn: Turn) -> None:
    """Dealing goes on after a misdeal was put right: no wager can be taken off any more (NSW-13.2)."""
    if turn.table.betting == "withdraw_only":
        number = turn.table.coming
        turn.emit(ev.BettingClosed(shoe=turn.shoe, coup=number, reason="no_more_bets", implied=True))


def in_excess_between(table: Table) -> bool:
    """After a coup of this shoe, or in a pause, and before betting opens: a card drawn now is in excess."""
    no_bet = table.coup is not None and table.coup.no_bet
    began = table.shoe is not None and table.shoe.last_coup is not None
    return table.betting == "unopened" and (began or table.paused) and not no_bet


def _first(turn: Turn, drawn: Drawn) -> None:
    """A card that opens the coming coup."""
    table = turn.table
    early = table.betting == "open"
    number = table.coming
    if early:
        turn.emit(ev.BettingClosed(shoe=turn.shoe, coup=number, reason="first_card", implied=True))
        betting_over(turn, card=True)
        stakes_something(turn, turn.table.book)
    if table.shoe is None:
        return
    coup = table.coming_coup(table.shoe)
    early = early and turn.procedure(coup).betting_closes == "no-more-bets"
    _into_coup(turn, drawn, coup, early=early)


def _into_coup(turn: Turn, drawn: Drawn, coup: Coup, *, early: bool = False) -> None:
    place = expected_next(coup.cards)
    if place is None:
        last = turn.table.in_last_coup
        _out(turn, drawn, "aside" if last else "excess")
        return
    told = _told(coup, drawn)
    slot = None if place == UNSETTLED or drawn.soon else told or place
    card = _leaves(turn, drawn, coup.number, coup.drawn + 1, slot, "coup")
    if early:
        turn.raise_item("drawn_before_betting_closed", shoe=turn.shoe, coup=coup.number, card=card)
    _trouble(turn, drawn, coup.number, card)
    if drawn.slots and told is None:
        _elsewhere(turn, drawn, coup, place, card)
    coup = turn.table.open_coup or coup
    if slot is None:
        unsettled(turn, coup, card)
        return
    missing = turn.item("third_card_missing", coup)
    if missing is not None and len(coup.cards) > len(INITIAL):
        turn.resolve(missing, "draw")
    seen_before = coup.no_bet and coup.disclosed and len(coup.cards) == 1
    if turn.procedure(coup).on_draw(slot) or seen_before:
        expose(turn, coup, card)


def _told(coup: Coup, drawn: Drawn) -> Slot | None:
    """The place that the device tells, where a card may lie there: the first four come in any order."""
    if len(coup.cards) < len(INITIAL):
        return next((slot for slot in drawn.slots if slot in INITIAL and coup.at(slot) is None), None)
    due = expected_next(coup.cards)
    return next((slot for slot in drawn.slots if slot == due), None)


def _elsewhere(
    turn: Turn, drawn: Drawn, coup: Coup, due: Slot | Literal["unsettled"], card: CoupCard
) -> None:
    """The device read the card where none was due; it takes its place by the order of the cards."""
    if due == UNSETTLED and not set(drawn.slots) <= set(INITIAL):
        return
    told = " or ".join(drawn.slots)
    code = "misdeal" if due in INITIAL else "other"
    text = f"read at {told}, due at {'the third cards' if due == UNSETTLED else due}"
    turn.raise_item(code, shoe=coup.shoe, coup=coup.number, card=card, text=text)


def unsettled(turn: Turn, coup: Coup, card: CoupCard) -> None:
    """Exposed faces do not say what `card` is for: it waits for the press, or for an answer, or holds."""
    if turn.doubted(coup.cards[: coup.cards.index(card) + 1]):
        return
    asked = turn.item("drawn_before_reveal", coup)
    if asked is not None:
        turn.emit(ev.IrregularityJoined(shoe=coup.shoe, coup=coup.number, id=asked.id, serial=card.serial))
    elif not turn.procedure(coup).by_press or coup.cards.index(card) >= WAITS_FOR_PRESS:
        turn.raise_item("drawn_before_reveal", shoe=coup.shoe, coup=coup.number, card=card)


def _out(turn: Turn, drawn: Drawn, fate: Literal["excess", "aside"]) -> None:
    """A card that is none of the open coup's, or drawn between coups."""
    shoe = turn.table.shoe
    coup = turn.table.open_coup
    number: int | None
    if coup is not None:
        number, n = coup.number, coup.drawn + 1
    else:
        number, n = (shoe.last_coup, shoe.last_n + 1) if shoe is not None else (None, 1)
    burned = fate == "excess" and turn.rules(coup).excess_is_burned
    card = _leaves(turn, drawn, number, n, None, "aside" if burned else fate)
    _trouble(turn, drawn, number, card, fate="aside" if burned else fate)
    if burned:
        burned_excess(turn, number, card)
        return
    if fate == "excess":
        ask(turn, number, card, seen=card.seen or face_up(turn, coup))
        if coup is None and carry(turn):
            open_betting_auto(turn)
        return
    beyond_last(turn, number, card)


def _leaves(  # noqa: PLR0913, PLR0917 - all that is known of one card
    turn: Turn,
    drawn: Drawn,
    coup: int | None,
    n: int,
    slot: Slot | None,
    fate: Fate,
) -> CoupCard:
    serial = turn.table.serial + 1
    seen = turn.table.shoe is not None and turn.table.shoe.face_up
    turn.emit(
        ev.CardDrawn(
            shoe=turn.shoe,
            coup=coup,
            n=n,
            slot=slot,
            readable=drawn.face is not None,
            source=drawn.source,
            serial=serial,
            face=drawn.face,
            fate=fate,
            seen=seen,
            tag=drawn.tag,
        )
    )
    turn.emit(ev.CardDealt(shoe=turn.shoe, coup=coup, n=n))
    return CoupCard(serial, n, slot, drawn.face, seen=seen, source=drawn.source, tag=drawn.tag)


def _trouble(turn: Turn, drawn: Drawn, coup: int | None, card: CoupCard, *, fate: Fate = "coup") -> None:
    """What is wrong with a card itself. One that is none of the open coup's holds none."""
    if drawn.trouble is not None:
        turn.raise_item(drawn.trouble, shoe=turn.shoe, coup=coup, card=card)
    if drawn.soon:
        turn.raise_item(
            "suspect_double",
            shoe=turn.shoe,
            coup=coup,
            card=card,
            remedies=_SOON[fate],
            hold=None if fate == "coup" else False,
        )


def _burn(turn: Turn, drawn: Drawn) -> None:
    shoe = turn.table.shoe
    if shoe is None or shoe.burn is None:
        return
    coup = turn.table.open_number
    if drawn.soon:  # how many were burned is counted by people: `burn` with `reclassify` puts it right
        turn.raise_item(
            "suspect_double", shoe=turn.shoe, coup=coup, remedies=("accept",), hold=False, text="burned"
        )
    count = shoe.burn.count
    if count is None:
        count = 1 + (0 if drawn.face is None else burn_count(open_face(drawn.face)))
    turn.emit(ev.BurnCard(shoe=turn.shoe, coup=coup, face=drawn.face, count=count))
    burn = turn.table.shoe.burn if turn.table.shoe is not None else None
    if burn is None or len(burn.faces) < count:
        return
    burned(turn, burn.faces)


def burned(turn: Turn, faces: tuple[Sealed | None, ...]) -> None:
    """A burn is over: how many cards it took, and for surveillance under immediate which."""
    number = turn.table.open_number
    turn.emit(ev.ShoeBurned(shoe=turn.shoe, coup=number, count=len(faces)))
    turn.emit(ev.BurnedCards(shoe=turn.shoe, coup=number, faces=faces, at_close=False))
