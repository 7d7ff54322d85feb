"""What each card is for, as soon as the faces that are open settle it."""

from shoe_daemon.table import events as ev
from shoe_daemon.table.excess import set_aside
from shoe_daemon.table.exposure import expose
from shoe_daemon.table.places import UNSETTLED, expected_next
from shoe_daemon.table.procedure import TURN_ORDER
from shoe_daemon.table.state import Coup
from shoe_daemon.table.turn import Turn


def turn_cards(turn: Turn, coup: Coup, serials: frozenset[int]) -> None:
    """Turn the cards of `coup` named by `serials`, in the order in which they are told; then judge."""
    cards = turn.again(coup).cards
    placed = {card.slot: card for card in cards if card.serial in serials and card.slot is not None}
    for slot in TURN_ORDER:
        if slot in placed:
            expose(turn, coup, placed[slot])
    for card in cards:
        if card.serial in serials and card.slot is None and not card.turned:
            turn.emit(ev.CardTurned(shoe=coup.shoe, coup=coup.number, serial=card.serial))
    judge(turn, coup)


def judge(turn: Turn, coup: Coup) -> None:
    """Give cards without a place theirs, in order, as far as exposed faces settle it."""
    while True:
        coup = turn.again(coup)
        index = next((i for i, card in enumerate(coup.cards) if card.slot is None), None)
        if index is None:
            return
        card = coup.cards[index]
        asked = turn.item("drawn_before_reveal", coup)
        if asked is not None and card.serial in asked.serials:
            return
        if turn.suspect(card) is not None:
            return
        place = expected_next(coup.cards[:index])
        if place == UNSETTLED:
            return
        if place is None:
            set_aside(turn, coup, card)
            continue
        turn.emit(ev.CardAssigned(shoe=coup.shoe, coup=coup.number, n=card.n, slot=place, serial=card.serial))
        if card.turned or turn.procedure(coup).on_draw(place):
            coup = turn.again(coup)
            expose(turn, coup, coup.cards[index])
