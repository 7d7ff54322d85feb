"""Excess cards: one question, was it seen; then it is a card of the next coup (NSW-13.4, 13.5)."""

from typing import Literal

from shoe_daemon.game.cards import INITIAL, Slot
from shoe_daemon.table import events as ev
from shoe_daemon.table.exposure import expose
from shoe_daemon.table.irregularities import UNREAD
from shoe_daemon.table.places import UNSETTLED, expected_next
from shoe_daemon.table.stakes import ask_seats, send_back
from shoe_daemon.table.state import Coup, CoupCard, Item
from shoe_daemon.table.turn import Turn

Answer = Literal["disclose", "undisclosed"]
NoBetReason = Literal["disclosed", "declared", "demonstration"]


def set_aside(turn: Turn, coup: Coup, card: CoupCard) -> None:
    """A card of the open coup is judged to be in excess of it."""
    last, burned = turn.table.in_last_coup, turn.rules(coup).excess_is_burned
    turn.emit(ev.CardInExcess(shoe=coup.shoe, coup=coup.number, serial=card.serial, aside=last or burned))
    if last:
        beyond_last(turn, coup.number, card)
        return
    if burned:
        burned_excess(turn, coup.number, card)
        return
    turned_early = card.turned and not turn.procedure(coup).by_press
    seen = turned_early or card.seen or (not card.kept and face_up(turn, coup))
    ask(turn, coup.number, card, seen=seen)


def burned_excess(turn: Turn, coup: int | None, card: CoupCard) -> None:
    """By these rules a card in excess is burned and may not be used for the next coup; nobody is asked."""
    turn.raise_item("excess_card", shoe=turn.shoe, coup=coup, card=card, remedies=())
    _nobody_names(turn, card)


def beyond_last(turn: Turn, coup: int | None, card: CoupCard) -> None:
    """A card after the last coup lies aside and is never carried; nobody need name an unread one."""
    turn.raise_item("beyond_last_coup", shoe=turn.shoe, coup=coup, card=card)
    _nobody_names(turn, card)


def _nobody_names(turn: Turn, card: CoupCard) -> None:
    for item in turn.table.items:
        if item.code in UNREAD and card.serial in item.serials:
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
    if not waiting or any(one.answer is None for one in waiting):
        return False
    if turn.doubted(one.card for one in waiting):
        return False
    to_coup = turn.table.coming
    seen = turn.table.coup is None and waiting[0].answer == "disclose"
    for card in waiting:
        here = turn.table.coup
        place = expected_next(here.cards if here is not None else ())
        coup, n = card.card.left or (card.coup, card.n)
        turn.emit(
            ev.CardCarried(
                shoe=turn.shoe,
                coup=coup,
                n=n,
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


def disclose_face_up(turn: Turn) -> None:
    """A card found face up is not needed in the coup that ended: it opens a no-bet coup (NSW-13.5, 13.7)."""
    table = turn.table
    ready = table.shoe is not None and table.shoe.face_up and table.open_coup is None
    if ready and not table.waiting and table.coup is None and not table.no_more_coups:
        first_card_seen(turn)


def first_card_seen(turn: Turn) -> None:
    """The first card of the coming coup was seen: it is a no-bet coup (NSW-13.5)."""
    number = turn.table.coming
    turn.raise_item("disclosed_first_card", shoe=turn.shoe, coup=number, slot=INITIAL[0])
    if turn.table.betting == "open":
        turn.emit(ev.BettingClosed(shoe=turn.shoe, coup=number, reason="no_bet", implied=True))
    declare_no_bet(turn)


def declare_no_bet(
    turn: Turn, reason: Literal["disclosed", "declared", "demonstration"] = "disclosed"
) -> None:
    """The coming coup has no wagers; a first card that was seen and is carried already lies open at once."""
    disclosed = reason == "disclosed"
    send_back(turn, None, turn.table.book, "no_bet")
    turn.emit(
        ev.CoupNoBet(
            shoe=turn.shoe,
            coup=turn.table.coming,
            reason=reason,
            rule=_no_bet_rule(turn, reason),
        )
    )
    if not disclosed:
        return
    coup = turn.table.coup
    if coup is not None and coup.cards and coup.cards[0].down:
        expose(turn, coup, coup.cards[0], carried=True)


def _no_bet_rule(turn: Turn, reason: str) -> str | None:
    rules = turn.rules(turn.table.coup)
    if reason == "disclosed":
        return rules.no_bet_rule
    shown = rules.house.demonstrations
    return shown.rule if reason == "demonstration" and shown is not None else None


def open_betting_auto(turn: Turn) -> None:
    """Betting for the coming coup opens by itself, where the procedure says so and nothing forbids it."""
    table = turn.table
    barred = (
        turn.procedure(None).betting_opens != "auto"
        or not table.opened
        or table.paused
        or table.shoe is None
        or table.shoe.empty
        or table.betting == "open"
        or table.no_more_coups
        or table.open_coup is not None
        or (table.coup is not None and table.coup.no_bet)
        or bool(table.waiting)
    )
    if not barred:
        turn.emit(ev.BettingOpened(shoe=turn.shoe, coup=table.coming, reason="auto", implied=True))
        ask_seats(turn)
