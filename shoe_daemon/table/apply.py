"""`apply(table, event) -> table`: the state after an event. Total over the registry; it decides nothing."""

from typing import Final

from msgspec.structs import replace

from shoe_daemon.game import order
from shoe_daemon.game.wagers import Book
from shoe_daemon.table import apply_cards, apply_house
from shoe_daemon.table import events as ev
from shoe_daemon.table.apply_cards import on_coup
from shoe_daemon.table.apply_house import Apply, on_shoe
from shoe_daemon.table.state import Coup, Item, Table


def apply(table: Table, event: ev.Event) -> Table:
    """The table after `event`."""
    change = _CHANGES.get(type(event))
    return table if change is None else change(table, event)


# -- the device and betting -----------------------------------------------------------------------------


def _link(table: Table, event: ev.DeviceLink) -> Table:
    if event.state not in {"up", "down"}:
        return table
    if event.state == "up":
        return replace(table, link="up", gap_told=False)
    return replace(table, link="absent" if table.link == "never" else "down", gap_told=event.restart)


def _betting_closed(table: Table, event: ev.BettingClosed) -> Table:
    gone = event.reason in {"table_closed", "table_paused", "shoe_closed"}
    book = table.book if table.book.state == "no_bet" else table.book.close()
    if gone:  # nothing that is said later can have lain there
        return replace(table, betting="unopened", book=replace(book, state="unopened"))
    return replace(table, betting="closed", book=book, last_book=table.last_book.renewed(table.book))


def _withdraw_only(table: Table, _: ev.BettingWithdrawOnly) -> Table:
    book = table.book.withdraw_only() if table.book.state == "closed" else table.book
    return replace(table, betting="withdraw_only", book=book)


def _betting_opened(table: Table, _: ev.BettingOpened) -> Table:
    # Betting may open again for the same coup: what lies there stays.
    return replace(table, betting="open", book=Book(wagers=table.book.wagers), proposal=None)


# -- the coup -------------------------------------------------------------------------------------------


def _no_bet(table: Table, event: ev.CoupNoBet) -> Table:
    shoe = table.shoe
    if shoe is None or event.coup is None:
        return table
    if event.reason == "demonstration":
        table = replace(table, shoe=replace(shoe, demonstrations=shoe.demonstrations + 1))
    return replace(
        table,
        book=table.book.without_bets(),
        coup=replace(table.coming_coup(shoe), no_bet=True, disclosed=event.reason == "disclosed"),
        betting="closed",
    )


def _pressed(table: Table, event: ev.CoupPressed) -> Table:
    return on_coup(table, event, lambda coup: replace(coup, pressed=True))


def _confirmed(table: Table, event: ev.CoupConfirmed) -> Table:
    return on_coup(table, event, lambda coup: replace(coup, confirmed=event.stands))


def _claimed(table: Table, event: ev.CoupClaimed) -> Table:
    return on_coup(table, event, lambda coup: replace(coup, claimed=event.outcome))


def _settling(table: Table, event: ev.CoupSettling) -> Table:
    return on_coup(table, event, lambda coup: replace(coup, due=event.due))


def _pending(table: Table, _: ev.CoupPending) -> Table:
    coup = table.coup
    if coup is None:
        return table
    parked = replace(coup, ended="pending", due=None, last=table.in_last_coup, book=table.book)
    table = on_shoe(table, run=None)
    return replace(_leaves(table, coup), parked=(*table.parked, parked))


def _result(table: Table, event: ev.CoupResult) -> Table:
    coup = None if event.coup is None else table.find(event.coup, event.shoe)
    if coup is None:
        return table
    done = replace(
        coup,
        ended="result",
        revision=event.revision,
        due=None,
        last=event.last_coup,
        confirmed=True,
        book=table.book_of(coup),
    )
    if coup.ended == "":
        table = _runs_on(table, coup)
    return _ends(table, coup, done)


def _settled(table: Table, event: ev.Settlement) -> Table:
    if event.settled is None:
        return table
    return on_coup(table, event, lambda coup: replace(coup, settled=event.settled))


def _runs_on(table: Table, coup: Coup) -> Table:
    """The cards of an ended coup carry a run of the shoe's cards on, or break it."""
    return on_shoe(table, run=order.run(table.run_into(coup), coup.known)[0])


def _void(table: Table, event: ev.CoupVoid) -> Table:
    coup = None if event.coup is None else table.find(event.coup, event.shoe)
    if coup is None:
        return table
    done = replace(coup, ended="void", due=None, book=table.book_of(coup))
    return _ends(on_shoe(table, run=None), coup, done)


def _invalidated(table: Table, event: ev.CoupInvalidated) -> Table:
    return on_coup(table, event, lambda coup: replace(coup, ended="invalidated", revision=event.revision))


def _put(coups: tuple[Coup, ...], done: Coup) -> tuple[Coup, ...]:
    return tuple(done if other.key == done.key else other for other in coups)


def _ends(table: Table, coup: Coup, done: Coup) -> Table:
    if coup.ended not in {"", "pending"}:
        return replace(table, past=_put(table.past, done), earlier=_put(table.earlier, done))
    if done.shoe == table.number:
        table = replace(table, past=(*table.past, done))
    else:
        table = replace(table, earlier=(*table.earlier, done))
    if coup.ended == "pending":
        return replace(table, parked=tuple(other for other in table.parked if other.key != coup.key))
    return _leaves(table, coup)


def _leaves(table: Table, coup: Coup) -> Table:
    """`coup` is no longer the one on the table."""
    shoe = table.shoe
    if shoe is not None:
        left = shoe.last_coups
        shoe = replace(
            shoe,
            coups=max(shoe.coups, coup.number),
            last_coup=coup.number,
            last_n=coup.drawn,
            last_coups=left if left is None else max(left - 1, 0),
        )
    return replace(
        table,
        coup=None,
        shoe=shoe,
        betting="unopened",
        book=Book("unopened"),
        proposal=None,
    )


# -- irregularities -------------------------------------------------------------------------------------


def _raised(table: Table, event: ev.IrregularityRaised) -> Table:
    table = replace(table, last_item=event.id)
    if event.code == "face_up_card" and not event.serials:
        table = on_shoe(table, face_up=True)
    if not event.remedies:
        return table
    item = Item(
        event.id,
        event.code,
        event.rule,
        event.kind,
        event.hold,
        event.remedies,
        event.shoe,
        event.coup,
        event.slot,
        event.serials,
    )
    return replace(table, items=(*table.items, item))


def _joined(table: Table, event: ev.IrregularityJoined) -> Table:
    def join(item: Item) -> Item:
        return replace(item, serials=(*item.serials, event.serial)) if item.id == event.id else item

    return replace(table, items=tuple(map(join, table.items)))


def _resolved(table: Table, event: ev.IrregularityResolved) -> Table:
    gone = next((item for item in table.items if item.id == event.id), None)
    if gone is None:
        return table
    table = replace(table, items=tuple(item for item in table.items if item.id != event.id))
    if event.code != "excess_card" or event.remedy not in {"disclose", "undisclosed"}:
        return table
    answered = tuple(
        replace(waiting, answer=event.remedy) if waiting.card.serial in gone.serials else waiting
        for waiting in table.waiting
    )
    return replace(table, waiting=answered)


_CHANGES: Final[dict[type[ev.Event], Apply]] = {
    **apply_cards.CHANGES,
    **apply_house.CHANGES,
    ev.DeviceLink: _link,
    ev.BettingClosed: _betting_closed,
    ev.BettingOpened: _betting_opened,
    ev.BettingWithdrawOnly: _withdraw_only,
    ev.CoupNoBet: _no_bet,
    ev.CoupPressed: _pressed,
    ev.CoupConfirmed: _confirmed,
    ev.CoupClaimed: _claimed,
    ev.CoupSettling: _settling,
    ev.CarriedSettling: _settling,
    ev.CoupPending: _pending,
    ev.CoupResult: _result,
    ev.CoupVoid: _void,
    ev.CoupInvalidated: _invalidated,
    ev.Settlement: _settled,
    ev.IrregularityRaised: _raised,
    ev.IrregularityJoined: _joined,
    ev.IrregularityResolved: _resolved,
}
