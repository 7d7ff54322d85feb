"""Wagers and seats over the control channel: placed, withdrawn, reduced; seats that pass or deal."""

from collections.abc import Callable
from typing import Final, TypeVar

from msgspec.structs import replace

from shoe_daemon.game.wagers import (
    Bettor,
    Seats,
    Terms,
    Wager,
    WagerRefused,
    confirm,
    message,
    repeat,
    with_own_limit,
)
from shoe_daemon.table import arguments as arg
from shoe_daemon.table import events as ev
from shoe_daemon.table.ending import void
from shoe_daemon.table.settling import settle_marked
from shoe_daemon.table.stakes import (
    ask_seats,
    end_window,
    propose_reduction,
    seats_of,
    send_back,
    terms_of,
)
from shoe_daemon.table.turn import Refused, Turn
from shoe_daemon.table.verbs import DEALER, SUPERVISORS, role_of

T = TypeVar("T")


def _terms(turn: Turn) -> Terms:
    terms = terms_of(turn)
    if terms is None:
        raise Refused("not_taken")
    return terms


def _try(act: Callable[[], T]) -> T:
    try:
        return act()
    except WagerRefused as refused:
        raise Refused(refused.reason) from refused


def wager(turn: Turn, args: arg.Bet) -> None:
    """A wager on the coming coup, or one that lay there unrefused when the first card came (NSW-6.3)."""
    terms = _terms(turn)
    put = Wager(seat=args.seat, bet=args.bet, amount=args.amount, voucher=args.voucher, backer=args.backer)
    book = turn.table.book
    if args.late:
        _lay_there(turn, put, terms)
    placed = _try(lambda: (book.accept_late if args.late else book.place)(put, terms))
    turn.emit(
        ev.WagerPlaced(
            shoe=turn.shoe,
            coup=turn.table.coming,
            seat=put.seat,
            backer=put.backer,
            bet=put.bet,
            amount=placed.wager.amount,
            voucher=put.voucher,
            raised=placed.raised,
            void=placed.void,
            late=args.late,
            player=turn.table.seated.get(put.seat, ""),
        )
    )


def _lay_there(turn: Turn, put: Wager, terms: Terms) -> None:
    """A wager may be taken up late while no card lies open, and none that lies there is changed by it.

    Where seats pass or deal, only one of a seat that is dealt in (IC-window).
    """
    coup = turn.table.open_coup
    if coup is None:
        raise Refused("no_coup")
    if any(card.turned for card in coup.cards):
        raise Refused("cards_exposed")
    if turn.table.book.find(put.key) is not None:
        raise Refused("betting_closed")
    if terms.rules.seats.window is not None and turn.table.seats.seats:
        state = _try(lambda: turn.table.seats.at(put.seat)).state
        if state != "deal":
            raise Refused("waiting" if state == "waiting" else "excluded")


def withdraw(turn: Turn, args: arg.Withdraw) -> None:
    """Wagers of a seat are taken off; when the last one goes after a misdeal the coup is void (NSW-13.2)."""
    _terms(turn)
    mine = [
        one
        for one in turn.table.book.wagers
        if (one.seat, one.backer) == (args.seat, args.backer) and args.bet in {None, one.bet}
    ]
    if args.void and role_of(turn.actor or "") not in SUPERVISORS:
        raise Refused("not_allowed")
    if not mine:
        raise Refused("no_such_wager")
    if args.void:
        _declare_void(turn, args, mine)
        return
    coup = turn.table.open_coup
    over = False
    for one in mine:
        key, book = one.key, turn.table.book
        removed = _try(lambda key=key, book=book: book.remove(key))  # type: ignore[misc] # bound now
        over = removed.coup_void
        turn.emit(
            ev.WagerWithdrawn(
                shoe=turn.shoe,
                coup=turn.table.coming,
                seat=one.seat,
                backer=one.backer,
                bet=one.bet,
                amount=one.amount,
                voucher=one.voucher,
            )
        )
    if over and coup is not None:
        void(turn, coup, "wagers_removed")


def _declare_void(turn: Turn, args: arg.Withdraw, mine: list[Wager]) -> None:
    """Wagers go back by a supervisor's word; what is left may have to be reduced otherwise."""
    turn.emit(
        ev.WagersDeclaredVoid(
            shoe=turn.shoe, coup=turn.table.coming, seat=args.seat, backer=args.backer, bet=args.bet
        )
    )
    send_back(turn, None, replace(turn.table.book, wagers=tuple(mine)), "declared_void")
    coup, left = turn.table.open_coup, turn.table.book
    if left.state == "withdraw_only" and not left.wagers and coup is not None:
        void(turn, coup, "wagers_removed")
    if turn.table.book.state == "closed" and turn.table.open_coup is None:
        propose_reduction(turn)


def reduce(turn: Turn) -> None:
    """A person says that the wagers are reduced as proposed, before the first card (NSW-6.2)."""
    terms = _terms(turn)
    if role_of(turn.actor or "") not in DEALER:
        raise Refused("not_allowed")
    proposal = turn.table.proposal
    if proposal is None:
        raise Refused("nothing_asked")
    if turn.table.open_coup is not None:
        raise Refused("coup_open")
    _try(lambda: confirm(turn.table.book, proposal, terms))
    turn.emit(ev.DifferentialApplied(shoe=turn.shoe, coup=turn.table.coming, proposal=proposal))


# -- seats (IC-window) ----------------------------------------------------------------------------------


def seat(turn: Turn, args: arg.SeatAct) -> None:
    """A seat is taken, left or changed; it passes, deals, or repeats its last wagers; or it speaks."""
    terms = _terms(turn)
    _ACTS[args.act](turn, args, terms)


def _changed(turn: Turn, number: int, seats: Seats, player: str, *, left: bool = False) -> None:
    state = "left" if left else seats.at(number).state
    turn.emit(
        ev.SeatChanged(
            shoe=turn.shoe, coup=turn.table.coming, seat=number, player=player, state=state, seats=seats
        )
    )


def _join(turn: Turn, args: arg.SeatAct, terms: Terms) -> None:
    if args.player is None:
        raise Refused("bad_args")
    player = args.player
    seats = _try(lambda: seats_of(turn, terms).join(args.seat, player))
    _changed(turn, args.seat, seats, player)
    nobody_asked = all(one.state == "waiting" for one in seats.seats)
    if turn.table.betting == "open" and nobody_asked:
        ask_seats(turn)


def _leave(turn: Turn, args: arg.SeatAct, terms: Terms) -> None:
    gone = _try(lambda: seats_of(turn, terms).at(args.seat))
    if turn.table.owes(turn.table.sitting(Bettor(args.seat))):
        raise Refused("commission_due")
    _take_up(turn, args.seat, terms)
    _changed(turn, args.seat, seats_of(turn, terms).leave(args.seat), gone.player, left=True)
    if gone.state in {"asked", "deal"}:
        _ready(turn)


def _settle(turn: Turn, args: arg.SeatAct, _: Terms) -> None:
    settle_marked(turn, Bettor(args.seat, args.backer), args.player)


def _move(turn: Turn, args: arg.SeatAct, terms: Terms) -> None:
    if args.to is None:
        raise Refused("bad_args")
    to = args.to
    gone = _try(lambda: seats_of(turn, terms).at(args.seat))
    seats = _try(lambda: seats_of(turn, terms).move(args.seat, to))
    _take_up(turn, args.seat, terms)
    _changed(turn, to, seats, gone.player)
    if gone.state == "asked":
        _ready(turn)


def _take_up(turn: Turn, number: int, terms: Terms) -> None:
    """Whoever gives a place up while betting is open does not play: the wagers of that place go back."""
    if turn.table.betting == "open" and terms.rules.seats.window is not None:
        book = turn.table.book
        mine = tuple(one for one in book.wagers if one.seat == number)
        send_back(turn, None, replace(book, wagers=mine), "sat_out")


def _answer(turn: Turn, args: arg.SeatAct, terms: Terms) -> None:
    seats = _try(
        lambda: seats_of(turn, terms).answer(args.seat, "deal" if args.act == "deal" else "pass", turn.at)
    )
    _changed(turn, args.seat, seats, seats.at(args.seat).player)
    _ready(turn)


def _repeat(turn: Turn, args: arg.SeatAct, terms: Terms) -> None:
    last = [one for one in turn.table.last_book.wagers if one.seat == args.seat and not one.voucher]
    if not last:
        raise Refused("no_such_wager")
    _try(lambda: repeat(turn.table.book, last, terms))
    for one in last:
        wager(turn, arg.Bet(seat=one.seat, bet=one.bet, amount=one.amount, backer=one.backer))


def _limit(turn: Turn, args: arg.SeatAct, terms: Terms) -> None:
    if args.amount is None:
        raise Refused("bad_args")
    amount = args.amount
    player = _try(lambda: seats_of(turn, terms).at(args.seat)).player
    sign = _try(lambda: with_own_limit(terms, Bettor(args.seat), amount, turn.at))
    week = next(own.week for own in sign.own if own.seat == args.seat)
    turn.emit(
        ev.SeatLimit(
            shoe=turn.shoe,
            coup=turn.table.open_number,
            seat=args.seat,
            player=player,
            maximum=amount,
            week=week,
        )
    )


def _say(turn: Turn, args: arg.SeatAct, terms: Terms) -> None:
    text = args.text or ""
    sender, to = (None, args.seat) if args.from_pit else (args.seat, args.to)
    said = _try(lambda: message(seats_of(turn, terms), sender, to, text))
    turn.emit(
        ev.SeatMessage(
            shoe=turn.shoe, coup=turn.table.open_number, sender=said.sender, to=said.to, text=said.text
        )
    )


def seats_due(turn: Turn) -> None:
    """The window is over: who did not answer sits the coup out."""
    seats = turn.table.seats
    if seats.deadline is None or seats.deadline > turn.at:
        return
    if end_window(turn):
        _ready(turn)


def _ready(turn: Turn) -> None:
    seats = turn.table.seats
    if seats.ready and turn.table.betting == "open":
        turn.emit(ev.SeatsReady(shoe=turn.shoe, coup=turn.table.coming, dealt_in=seats.dealt_in))


_ACTS: Final[dict[str, Callable[[Turn, arg.SeatAct, Terms], None]]] = {
    "join": _join,
    "leave": _leave,
    "move": _move,
    "deal": _answer,
    "pass": _answer,
    "repeat": _repeat,
    "limit": _limit,
    "settle": _settle,
    "say": _say,
}
