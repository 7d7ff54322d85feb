"""Excess cards: one question, was it seen; then it is a card of the next coup (NSW-13.4, 13.5)."""

from typing import Literal

from shoe_daemon.game.cards import Slot
from shoe_daemon.table import events as ev
from shoe_daemon.table.exposure import expose
from shoe_daemon.table.places import UNSETTLED, expected_next
from shoe_daemon.table.state import Coup, CoupCard, Item
from shoe_daemon.table.turn import Turn

Answer = Literal["disclose", "undisclosed"]


def set_aside(turn: Turn, coup: Coup, card: CoupCard) -> None:
    """A card of the open coup is judged to be in excess of it."""
    last = turn.table.in_last_coup
    turn.emit(ev.CardInExcess(shoe=coup.shoe, coup=coup.number, serial=card.serial, aside=last))
    if last:
        beyond_last(turn, coup.number, card)
        return
    turned_early = card.turned and not turn.procedure(coup).by_press
    ask(turn, coup.number, card, seen=turned_early or (not card.kept and face_up(turn, coup)))


def beyond_last(turn: Turn, coup: int | None, card: CoupCard) -> None:
    """A card after the last coup lies aside and is never carried; nobody need name an unread one."""
    turn.raise_item("beyond_last_coup", shoe=turn.shoe, coup=coup, card=card)
    for item in turn.table.items:
        if card.serial in item.serials:
            turn.resolve(item, "void")


def face_up(turn: Turn, coup: Coup | None) -> bool:
    """Whether a card in excess lies face up: the place it would have had is turned on draw."""
    return turn.procedure(coup).on_draw(_would_be(coup))


def _would_be(coup: Coup | None) -> Slot:
    if coup is None:
        return "P1"
    return "P3" if coup.at("P3") is None and coup.at("B3") is None else "B3"


def ask(turn: Turn, coup: int | None, card: CoupCard, *, seen: bool) -> None:
    """Raise the question about an excess card; one that lies face up answers it for all that wait."""
    turn.raise_item("excess_card", shoe=turn.shoe, coup=coup, card=card)
    if seen:
        for item in unanswered(turn):
            turn.resolve(item, "disclose")


def unanswered(turn: Turn) -> tuple[Item, ...]:
    """Open questions about excess cards, oldest first."""
    return tuple(item for item in turn.table.items if item.code == "excess_card")


def answer(turn: Turn, remedy: Answer) -> None:
    """One answer serves all that wait; between coups the cards are carried at once."""
    for item in unanswered(turn):
        turn.resolve(item, remedy)
    if turn.table.open_coup is None:
        carry(turn)


def carry(turn: Turn) -> bool:
    """Carry the waiting cards into the next coup if all are answered; True if there were any."""
    waiting = turn.table.waiting
    if not waiting or any(card.answer is None for card in waiting):
        return False
    to_coup = turn.table.coming
    seen = turn.table.coup is None and waiting[0].answer == "disclose"
    for card in waiting:
        here = turn.table.coup
        place = expected_next(here.cards if here is not None else ())
        turn.emit(
            ev.CardCarried(
                shoe=turn.shoe,
                coup=card.coup,
                n=card.n,
                slot=None if place == UNSETTLED else place,
                to_coup=to_coup,
                disclosed=card.answer == "disclose",
                serial=card.card.serial,
                n_there=len(here.cards) + 1 if here is not None else 1,
            )
        )
    if seen:
        declare_no_bet(turn)
    return True


def declare_no_bet(turn: Turn) -> None:
    """The coming coup's first card was seen: no wagers; if it is carried already, it lies open at once."""
    turn.emit(
        ev.CoupNoBet(
            shoe=turn.shoe,
            coup=turn.table.coming,
            reason="disclosed",
            rule=turn.setup.rules.no_bet_rule,
        )
    )
    coup = turn.table.coup
    if coup is not None and coup.cards and coup.cards[0].down:
        expose(turn, coup, coup.cards[0], carried=True)


def open_betting_auto(turn: Turn) -> None:
    """Betting for the coming coup opens by itself, where the procedure says so and nothing forbids it."""
    table = turn.table
    barred = (
        turn.setup.procedure.betting_opens != "auto"
        or not table.opened
        or table.shoe is None
        or table.betting == "open"
        or table.no_more_coups
        or table.open_coup is not None
        or (table.coup is not None and table.coup.no_bet)
        or bool(table.waiting)
    )
    if not barred:
        turn.emit(ev.BettingOpened(shoe=turn.shoe, coup=table.coming, reason="auto", implied=True))
