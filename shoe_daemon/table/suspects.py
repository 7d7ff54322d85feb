"""A card told sooner than the shoe can give one: a card of its own, or the one before, told twice.

Until a person says which, it has no place, nor has any card after it; what was read is not looked at.
"""

from shoe_daemon.table import events as ev
from shoe_daemon.table.drawing import unsettled
from shoe_daemon.table.ending import void
from shoe_daemon.table.excess import carry, open_betting_auto
from shoe_daemon.table.irregularities import UNREAD
from shoe_daemon.table.judging import judge
from shoe_daemon.table.state import Item
from shoe_daemon.table.turn import Turn


def told_twice(turn: Turn, item: Item, remedy: str) -> None:
    """Answer `item`: `accept` makes it a card of its own, `read_twice` none."""
    coup = turn.table.open_coup
    lies_here = coup is not None and any(card.serial in item.serials for card in coup.cards)
    waits = any(one.card.serial in item.serials for one in turn.table.waiting)
    if remedy == "read_twice":
        _is_none(turn, item)
    turn.resolve(item, remedy)
    if waits and coup is None:
        carry(turn)
        open_betting_auto(turn)
    elif coup is not None and lies_here:
        coup = turn.again(coup)
        if not coup.cards:
            void(turn, coup, "suspect_double")
            return
        judge(turn, coup)
        coup = turn.again(coup)
        for card in coup.cards:
            if card.slot is None:
                unsettled(turn, turn.again(coup), card)


def _is_none(turn: Turn, item: Item) -> None:
    table = turn.table
    here = table.coup.cards if table.coup is not None else ()
    for card in (*here, *(one.card for one in table.waiting)):
        if card.serial not in item.serials:
            continue
        turn.emit(ev.CardReadTwice(shoe=item.shoe, coup=item.coup, n=card.n, serial=card.serial))
        for other in turn.table.items:
            if other.code in {*UNREAD, "excess_card"} and card.serial in other.serials:
                turn.resolve(other, "read_twice")
