"""The stakes of a coup: by what terms they are judged, who plays, what goes back without a settlement."""

from typing import Any

from msgspec.structs import asdict, replace

from shoe_daemon.game.limits import LIMITS
from shoe_daemon.game.wagers import (
    BetLimits,
    Book,
    Line,
    OwnLimit,
    PlayerLimits,
    Seats,
    Sign,
    Terms,
    WagerKey,
    after_round,
    give_back,
    may_be_asked,
    propose,
)
from shoe_daemon.table import events as ev
from shoe_daemon.table.events.wagers import ReturnReason
from shoe_daemon.table.state import Coup, Limits
from shoe_daemon.table.turn import Turn

_SIDES = ("player", "banker")


def terms_of(turn: Turn, coup: Coup | None = None) -> Terms | None:
    """What wagers on `coup` (None: the coming one) are judged by; None: this table takes no wagers here."""
    sign = turn.setup.sign
    if sign is None:
        return None
    odds = {name: tuple(bet.pays.values()) for name, bet in turn.setup.side_bets.items()}
    # A coup that has a card already, or was declared, keeps the rules of then.
    return Terms(turn.rules(coup or turn.table.coup), _sign(sign, turn.table.limits, turn.table.seats), odds)


def limits_agree(turn: Turn) -> bool:
    """Whether no minimum is above its maximum, of each bet at the table and at the seats with their own."""
    sign = turn.setup.sign
    if sign is None:
        return True
    try:
        _sign(sign, turn.table.limits, turn.table.seats)
    except ValueError:
        return False
    return True


def _own_limits(limits: Limits, seats: Seats) -> tuple[OwnLimit, ...]:
    """What the players who sit there set themselves, wherever they sit now."""
    return tuple(
        OwnLimit(seat=one.number, maximum=limits.own[one.player][0], week=limits.own[one.player][1])
        for one in seats.seats
        if one.player in limits.own
    )


def _sign(sign: Sign, limits: Limits, seats: Seats) -> Sign:
    """The sign as limits set since have it: on both hands, and for single seats."""
    changed = {bet: _changed(sign.limits.get(bet, BetLimits()), limits) for bet in _SIDES}
    players = tuple(
        PlayerLimits(seat=seat, limits={bet: _own(changed[bet], *own) for bet in _SIDES})
        for seat, own in limits.seats.items()
    )
    return replace(
        sign,
        own=_own_limits(limits, seats),
        limits={**sign.limits, **changed},
        differential=limits.differential or sign.differential,
        players=(*(one for one in sign.players if one.seat not in limits.seats), *players),
    )


def _changed(of: BetLimits, limits: Limits) -> BetLimits:
    return BetLimits(
        minimum=limits.minimum or of.minimum,
        maximum=limits.maximum or of.maximum,
        unit=limits.unit or of.unit,
        multiples=of.multiples,
    )


def _own(of: BetLimits, minimum: int | None, maximum: int | None) -> BetLimits:
    return replace(of, minimum=minimum or of.minimum, maximum=maximum or of.maximum)


def stated(turn: Turn, name: str) -> int | None:
    """The limit `name` that is in force for both hands: as set, or as configured."""
    found: int | None = getattr(turn.table.limits, name)
    sign = turn.setup.sign
    if found is not None or sign is None or name not in LIMITS:
        return found
    if name == "differential":
        return sign.differential
    of = sign.limits.get("player")
    value: int | None = None if of is None else getattr(of, name)
    return value


def lowest_minima(turn: Turn) -> list[int]:
    """The minimum in force on each hand, where one is."""
    if turn.table.limits.minimum is not None:
        return [turn.table.limits.minimum]
    sign = turn.setup.sign
    return [] if sign is None else [sign.limits[bet].minimum for bet in _SIDES if bet in sign.limits]


def send_back(turn: Turn, coup: Coup | None, book: Book, reason: ReturnReason) -> None:
    """Wagers in `book` go back without a settlement."""
    terms = terms_of(turn, coup)
    if terms is None or not book.wagers:
        return
    back = give_back(book, terms)
    turn.emit(
        ev.WagersReturned(
            shoe=turn.shoe if coup is None else coup.shoe,
            coup=turn.table.coming if coup is None else coup.number,
            reason=reason,
            lines=tuple(map(line_told, back.lines)),
            totals=back.totals,
            ours=coup is None or coup.ended == "",
        )
    )


def line_told(line: Line) -> dict[str, Any]:
    """What a message says of one line of a settlement."""
    key: WagerKey = line.key
    return {**key._asdict(), "kind": line.kind, **asdict(line.amounts), "void": line.void}


def count_round(turn: Turn, coup: Coup, book: Book) -> None:
    """A round with a result is over: count who let it pass while every place was in use (NSW-14.10)."""
    terms = terms_of(turn, coup)
    if terms is None or coup.no_bet or not turn.table.seats.seats:
        return
    used = [seat.number for seat in turn.table.seats.seats]
    wagered = [one.seat for one in book.wagers]
    places = terms.rules.seats.places
    missed = after_round(turn.table.missed, places=places, used=used, wagered=wagered)
    if missed != turn.table.missed:
        turn.emit(ev.SeatsCounted(shoe=coup.shoe, coup=coup.number, missed=missed))
    asked = may_be_asked(missed)
    if asked:
        turn.emit(ev.SeatIdle(shoe=coup.shoe, coup=coup.number, seats=asked))


def seats_of(turn: Turn, terms: Terms) -> Seats:
    """The seats of the table, as many as the rules have places."""
    return replace(turn.table.seats, places=terms.rules.seats.places)


def betting_over(turn: Turn, *, card: bool = False) -> None:
    """Betting has closed: wagers of seats that sat out go back, a reduction is proposed where it is due.

    `card`: a card closed it, after which nothing is reduced any more.
    """
    terms = terms_of(turn)
    if terms is None or turn.table.book.state != "closed":
        return
    if terms.rules.seats.window is not None and turn.table.seats.seats:
        end_window(turn)
        playing = turn.table.seats.dealt_in
        out = tuple(one for one in turn.table.book.wagers if one.seat not in playing)
        send_back(turn, None, replace(turn.table.book, wagers=out), "sat_out")
    if not card:
        propose_reduction(turn)


def propose_reduction(turn: Turn) -> None:
    """Wagers that exceed the differential may be reduced, if a person says so (NSW-6.2)."""
    terms = terms_of(turn)
    proposal = None if terms is None else propose(turn.table.book, terms)
    if proposal is not None:
        turn.emit(ev.DifferentialProposed(shoe=turn.shoe, coup=turn.table.coming, proposal=proposal))


def end_window(turn: Turn) -> bool:
    """Nobody may answer any more: whoever was asked and did not sits the coup out. Whether there was one."""
    before = turn.table.seats
    if before.deadline is None:
        return False
    late = replace(before.after(before.deadline), deadline=None)
    turn.emit(ev.SeatsTimed(shoe=turn.shoe, coup=turn.table.coming, seats=late))
    out = [one for one in late.seats if one.state == "excluded" and before.at(one.number).state == "asked"]
    for one in out:
        turn.emit(
            ev.SeatChanged(
                shoe=turn.shoe,
                coup=turn.table.coming,
                seat=one.number,
                player=one.player,
                state="excluded",
                seats=late,
            )
        )
    return bool(out)


def ask_seats(turn: Turn) -> None:
    """Betting has opened: where the rules have a window, every seat is asked."""
    terms = terms_of(turn)
    if terms is None or terms.rules.seats.window is None or not turn.table.seats.seats:
        return
    asked = seats_of(turn, terms).ask(turn.at, terms.rules.seats.window.seconds)
    turn.emit(
        ev.SeatsAsked(shoe=turn.shoe, coup=turn.table.coming, until=asked.deadline or turn.at, seats=asked)
    )
