"""A card told sooner than the shoe can give one: a card of its own, or the one before, told twice.

Until a person says which, it has no place, nor has any card after it; what was read is not looked at.
"""

from shoe_daemon.table import events as ev
from shoe_daemon.table.drawing import unsettled
from shoe_daemon.table.ending import next_coup, void
from shoe_daemon.table.irregularities import UNREAD
from shoe_daemon.table.judging import judge
from shoe_daemon.table.state import Coup, Item
from shoe_daemon.table.turn import Turn


def told_twice(turn: Turn, item: Item, remedy: str) -> None:
    """Answer `item`: `accept` makes it a card of its own, `read_twice` none."""
    coup = turn.table.open_coup
    cards = coup.cards if coup is not None else ()
    here = next((index for index, card in enumerate(cards) if card.serial in item.serials), None)
    waits = any(one.card.serial in item.serials for one in turn.table.waiting)
    if remedy == "read_twice":
        _is_none(turn, item)
    turn.resolve(item, remedy)
    if waits and coup is None:
        next_coup(turn)
    elif coup is not None and here is not None:
        _goes_on(turn, turn.again(coup), here)


def _goes_on(turn: Turn, coup: Coup, first: int) -> None:
    """The cards of `coup` from index `first` on are judged as they would have been when they were drawn."""
    if not coup.cards:
        void(turn, coup, "suspect_double")
        return
    judge(turn, coup)
    coup = turn.again(coup)
    missing = turn.item("third_card_missing", coup)
    if missing is not None and missing.slot is not None and coup.at(missing.slot) is not None:
        turn.resolve(missing, "draw")
    for card in coup.cards[first:]:
        if card.slot is None:
            unsettled(turn, coup, card)


def _is_none(turn: Turn, item: Item) -> None:
    table = turn.table
    here = table.coup.cards if table.coup is not None else ()
    for card in (*here, *(one.card for one in table.waiting)):
        if card.serial not in item.serials:
            continue
        turn.emit(
            ev.CardReadTwice(shoe=item.shoe, coup=item.coup, n=card.n, serial=card.serial, face=card.face)
        )
        for other in turn.table.items:
            if other.code in {*UNREAD, "excess_card"} and card.serial in other.serials:
                turn.resolve(other, "read_twice")
