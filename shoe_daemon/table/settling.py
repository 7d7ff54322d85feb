"""What a coup's result brings the wagers on it, and the commission that is marked and settled later."""

from collections.abc import Collection
from typing import Any, Literal

from msgspec.structs import replace

from shoe_daemon.game.side_bets import BetResult
from shoe_daemon.game.wagers import Bettor, Book, Settlement, adjust, give_back, settle
from shoe_daemon.table import events as ev
from shoe_daemon.table.stakes import line_told, terms_of
from shoe_daemon.table.state import Coup, Payer
from shoe_daemon.table.turn import Refused, Turn


def settled(
    turn: Turn, coup: Coup, book: Book, pays: dict[str, str], bets: dict[str, BetResult]
) -> Settlement | None:
    """What a result brings to the wagers in `book`; None where the table takes none."""
    terms = terms_of(turn, coup)
    if terms is None:
        return None
    side = {name: "0" if one.result == "push" else one.odds for name, one in bets.items()}
    closed = book if book.state in {"closed", "no_bet"} else replace(book, state="closed")
    strange = [one.key for one in closed.wagers if not terms.offers(one.bet)]
    done = settle(closed.without(strange), pays, side, terms)
    if not strange:
        return done
    # The table was configured otherwise while they lay there: nobody judges them, so they go back.
    back = give_back(replace(closed, wagers=tuple(one for one in closed.wagers if one.key in strange)), terms)
    return replace(done, lines=(*done.lines, *back.lines), totals=done.totals.plus(back.totals))


def _told(settlement: Settlement | None, before: Settlement | None) -> dict[str, Any]:
    """What a settlement event says of money."""
    if settlement is None:
        return {"stakes": None, "totals": None, "settled": None}
    shown = _change(settlement, before)
    return {
        "stakes": tuple(line_told(line) for line in shown.lines),
        "totals": shown.totals,
        "settled": settlement,
    }


def invalid(turn: Turn, coup: Coup, forfeit: Collection[int]) -> Settlement | None:
    """All wagers of an invalid result back, those of the seats in `forfeit` kept (NSW-14.5)."""
    terms = terms_of(turn, coup)
    if terms is None or coup.book is None:
        return None
    return give_back(coup.book, terms, [one.key for one in coup.book.wagers if one.seat in forfeit])


def _change(settlement: Settlement, before: Settlement | None) -> Settlement:
    """A first settlement whole; a further revision says what it changes."""
    return settlement if before is None else adjust(settlement, before)


def tell_settlement(  # noqa: PLR0913, PLR0917 - all that one settlement says
    turn: Turn,
    coup: Coup,
    kind: Literal["pay", "none", "adjust", "return"],
    pays: dict[str, str],
    settlement: Settlement | None,
    forfeit: tuple[int, ...] = (),
) -> None:
    """Tell what the next revision of `coup` brings; a commission that is not taken at once is marked."""
    turn.emit(
        ev.Settlement(
            shoe=coup.shoe,
            coup=coup.number,
            revision=coup.revision + 1,
            kind=kind,
            pays=pays,
            forfeit=forfeit,
            **_told(settlement, coup.settled),
        )
    )
    if settlement is not None and "marked" in {
        settlement.commission,
        coup.settled and coup.settled.commission,
    }:
        _mark(turn, coup, _change(settlement, coup.settled))


def _mark(turn: Turn, coup: Coup, changed: Settlement) -> None:
    """Write down each player's commission, or what a revision changes of it.

    He owes it who placed the wager, wherever he is by now.
    """
    ended = turn.table.find(coup.number, coup.shoe)
    book = None if ended is None else turn.table.book_of(ended)
    placed = {} if book is None else {wager.key: wager.player for wager in book.wagers}
    sums: dict[tuple[Bettor, Payer], int] = {}
    for line in changed.lines:
        who = Bettor(line.key.seat, line.key.backer)
        owing = (who, Payer.of(who, placed[line.key]))
        sums[owing] = sums.get(owing, 0) + line.amounts.commission
    for (who, payer), amount in sums.items():
        if amount:
            turn.emit(
                ev.CommissionMarked(
                    shoe=coup.shoe,
                    coup=coup.number,
                    seat=who.seat,
                    backer=who.backer,
                    player=payer.player or None,
                    amount=amount,
                    owed=turn.table.owes(payer) + amount,
                )
            )


def settle_marked(turn: Turn, who: Bettor, player: str | None) -> None:
    """All commission marked for `who`, or for `player` wherever he was, was paid. Refused: `nothing_owed`.

    Where the player who sits there owes none, what the place owes since nobody was named there is meant.
    """
    payer = turn.table.sitting(who) if player is None else Payer(player, 0, who.backer)
    owed = turn.table.owes(payer)
    if not owed and player is None:
        payer = Payer.of(who, "")
        owed = turn.table.owes(payer)
    if not owed:
        raise Refused("nothing_owed")
    turn.emit(
        ev.CommissionSettled(
            shoe=turn.shoe,
            coup=turn.table.open_number,
            seat=who.seat,
            backer=who.backer,
            player=payer.player or None,
            amount=owed,
        )
    )
