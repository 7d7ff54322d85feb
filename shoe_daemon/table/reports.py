"""What a person reports because a machine cannot see it, and a misdeal put right (NSW-13.1 to 13.8)."""

from collections.abc import Callable
from typing import Final

from shoe_daemon.game.cards import INITIAL
from shoe_daemon.table import events as ev
from shoe_daemon.table.arguments import Args, Report
from shoe_daemon.table.excess import answer, first_card_seen, unanswered
from shoe_daemon.table.irregularities import between_coups
from shoe_daemon.table.state import Coup, CoupCard, Item
from shoe_daemon.table.turn import Refused, Turn


def report(turn: Turn, args: Report) -> None:
    """Raise what was reported, about the open coup or the table."""
    _REPORTS.get(args.code, _any)(turn, args)


def _any(turn: Turn, args: Report) -> None:
    """Something that may happen at any time: with no coup open nothing is held, and none can be void."""
    coup = turn.table.open_coup
    if coup is not None:
        turn.raise_item(args.code, shoe=coup.shoe, coup=coup.number, card=_card(coup, args), text=args.text)
        return
    if args.n is not None:
        raise Refused("no_coup")
    remedies = between_coups(args.code)
    turn.raise_item(args.code, shoe=turn.shoe, coup=None, remedies=remedies, hold=False, text=args.text)


def _of_coup(turn: Turn, args: Report) -> None:
    coup = _coup(turn)
    turn.raise_item(args.code, shoe=coup.shoe, coup=coup.number, card=_card(coup, args), text=args.text)


def _third(turn: Turn, args: Report) -> None:
    """A third card that was not due: one of the coup, or in excess of it (NSW-13.4)."""
    coup = _coup(turn)
    card = None if args.n is None else _drawn(turn, coup, args.n)
    turn.raise_item(args.code, shoe=coup.shoe, coup=coup.number, card=card, text=args.text)


def _drawn(turn: Turn, coup: Coup, n: int) -> CoupCard:
    out = [waiting.card for waiting in turn.table.waiting if waiting.coup == coup.number]
    card = next((card for card in (*coup.cards, *out) if card.n == n), None)
    if card is None:
        raise Refused("no_such_card")
    return card


def _of_initial_deal(turn: Turn, args: Report) -> None:
    """The initial deal lasts until its cards are turned: a fifth one may have gone to a hand (NSW-13.3)."""
    cards = _coup(turn).cards
    if len(cards) > len(INITIAL) and any(card.turned for card in cards):
        raise Refused("past_initial_deal")
    if turn.item(args.code, _coup(turn)) is not None:
        raise Refused("reported")
    _of_coup(turn, args)


def _coup(turn: Turn) -> Coup:
    coup = turn.table.open_coup
    if coup is None:
        raise Refused("no_coup")
    return coup


def _card(coup: Coup, args: Report) -> CoupCard | None:
    if args.n is None:
        return None
    found = next((card for card in coup.cards if card.n == args.n), None)
    if found is None:
        raise Refused("no_such_card")
    return found


def _face_up(turn: Turn, args: Report) -> None:
    """A card was found face up: drawn already (`n`), or at the mouth (NSW-13.5, 13.7)."""
    table = turn.table
    coup = table.open_coup
    if table.shoe is not None and table.shoe.burn is not None:
        raise Refused("burning")
    if args.n is not None:
        _drawn_face_up(turn, _coup(turn), args, args.n)
    elif coup is None and table.coup is None and not table.waiting:
        if table.no_more_coups:
            raise Refused("last_coup")
        first_card_seen(turn)
    elif table.shoe is not None and table.shoe.face_up:
        raise Refused("reported")
    else:
        number = table.coming
        turn.raise_item(args.code, shoe=turn.shoe, coup=number, text=args.text)


def _drawn_face_up(turn: Turn, coup: Coup, args: Report, n: int) -> None:
    card = _drawn(turn, coup, n)
    turn.raise_item(args.code, shoe=coup.shoe, coup=coup.number, card=card, text=args.text)
    turn.emit(ev.CardSeen(shoe=coup.shoe, coup=coup.number, serial=card.serial))
    if any(card.serial in item.serials for item in unanswered(turn)):
        answer(turn, "disclose")


def shoe_empty(turn: Turn, _: Args) -> None:
    """No card is left; a coup that needs one more is void as soon as exposed faces show it (NSW-13.8)."""
    shoe = turn.table.shoe
    if shoe is not None and shoe.empty:
        raise Refused("already_empty")
    turn.emit(ev.ShoeEmpty(shoe=turn.shoe, coup=turn.table.open_number))


def _insufficient(turn: Turn, args: Report) -> None:
    shoe_empty(turn, args)


def reconstruct(turn: Turn, coup: Coup, item: Item) -> None:
    """The cards lie where their order says; while none is exposed wagers may come off (NSW-13.2)."""
    turn.resolve(item, "reconstruct")
    if not coup.no_bet and not any(card.turned for card in coup.cards):
        turn.emit(ev.BettingWithdrawOnly(shoe=coup.shoe, coup=coup.number, reason="misdeal", implied=False))


_REPORTS: Final[dict[str, Callable[[Turn, Report], None]]] = {
    "misdeal": _of_initial_deal,
    "too_many_cards": _of_initial_deal,
    "unauthorised_third_card": _third,
    "face_up_card": _face_up,
    "insufficient_cards": _insufficient,
}
