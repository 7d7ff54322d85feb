"""`apply(table, event) -> table`: the state after an event. Total over the registry; it decides nothing."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from shoe_daemon.game import order
from shoe_daemon.game.wagers import Book
from shoe_daemon.table import apply_house
from shoe_daemon.table import events as ev
from shoe_daemon.table.apply_house import Apply, on_shoe, stale
from shoe_daemon.table.state import Coup, CoupCard, Item, Shoe, Table, Waiting


def apply(table: Table, event: ev.Event) -> Table:
    """The table after `event`."""
    change = _CHANGES.get(type(event))
    return table if change is None else change(table, event)


# -- finding what an event is about ---------------------------------------------------------------------


def _on_coup(table: Table, event: ev.Event, change: Callable[[Coup], Coup]) -> Table:
    key = (event.shoe, event.coup)
    if table.coup is not None and table.coup.key == key:
        return replace(table, coup=change(table.coup))
    return replace(
        table,
        parked=tuple(change(coup) if coup.key == key else coup for coup in table.parked),
        past=tuple(change(coup) if coup.key == key else coup for coup in table.past),
        earlier=tuple(change(coup) if coup.key == key else coup for coup in table.earlier),
    )


def _on_card(table: Table, event: ev.Event, serial: int, **changes: Any) -> Table:  # noqa: ANN401 - of CoupCard
    def on_coup(coup: Coup) -> Coup:
        cards = [replace(card, **changes) if card.serial == serial else card for card in coup.cards]
        return replace(coup, cards=tuple(cards))

    return _on_coup(table, event, on_coup)


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


# -- cards ----------------------------------------------------------------------------------------------


def _drawn(table: Table, event: ev.CardDrawn) -> Table:
    shoe = table.shoe
    if shoe is None:
        return table
    by_shoe = event.face is not None and event.source == "shoe"
    counted = replace(
        shoe,
        read=shoe.read + by_shoe,
        unread=shoe.unread + (not by_shoe),
        empty=False,
        face_up=False,
    )
    table = replace(table, serial=event.serial, items=tuple(map(stale, table.items)), shoe=counted)
    card = CoupCard(
        event.serial, event.n, event.slot, event.face, seen=event.seen, source=event.source, tag=event.tag
    )
    if event.fate == "coup":
        return _joins(table, counted, card)
    if table.coup is not None and table.coup.opened:
        table = replace(table, coup=replace(table.coup, drawn=event.n))
    else:
        table = on_shoe(table, last_n=event.n)
    if event.fate == "aside":
        return table
    return replace(table, waiting=(*table.waiting, Waiting(card, event.coup, event.n)))


def _joins(table: Table, shoe: Shoe, card: CoupCard) -> Table:
    coup = table.coming_coup(shoe)
    if not coup.opened:
        table = replace(table, betting="closed", shoe=replace(shoe, coups=coup.number))
    coup = replace(
        coup, cards=(*coup.cards, card), drawn=card.n, opened=True, pressed=False, confirmed=False, due=None
    )
    return replace(table, coup=coup)


def _assigned(table: Table, event: ev.CardAssigned) -> Table:
    return _on_card(table, event, event.serial, slot=event.slot)


def _turned(table: Table, event: ev.CardTurned) -> Table:
    return _on_card(table, event, event.serial, turned=True)


def _seen(table: Table, event: ev.CardSeen) -> Table:
    waiting = tuple(
        replace(one, card=replace(one.card, seen=True)) if one.card.serial == event.serial else one
        for one in table.waiting
    )
    return _on_card(replace(table, waiting=waiting), event, event.serial, seen=True)


def _kept(table: Table, event: ev.CardKept) -> Table:
    return _on_card(table, event, event.serial, kept=True)


def _read_twice(table: Table, event: ev.CardReadTwice) -> Table:
    """The card goes from where it lay, and from the count of the shoe's cards."""
    coup = table.coup
    lay = [*(coup.cards if coup is not None else ()), *(one.card for one in table.waiting)]
    gone = next(card for card in lay if card.serial == event.serial)
    if coup is not None:
        rest = tuple(card for card in coup.cards if card.serial != event.serial)
        table = replace(table, coup=replace(coup, cards=rest))
    table = replace(table, waiting=tuple(one for one in table.waiting if one.card.serial != event.serial))
    shoe = table.shoe
    if shoe is None:
        return table
    read = gone.face is not None
    return on_shoe(table, read=shoe.read - read, unread=shoe.unread - (not read))


def _exposed(table: Table, event: ev.CardExposed) -> Table:
    before = table.coup if table.coup is not None and table.coup.key == (event.shoe, event.coup) else None
    coup = before or (table.find(event.coup, event.shoe) if event.coup is not None else None)
    lay = next((card for card in coup.cards if card.serial == event.serial), None) if coup else None
    known = lay.card if lay is not None else None
    if lay is not None and lay.tag is not None and known is None and event.shoe == table.number:
        table = replace(table, tags={**table.tags, lay.tag: table.tags.get(lay.tag, 0) + 1})
    shoe = event.shoe or 0
    if shoe in table.exposed and not (coup is not None and coup.reshuffled):
        exposed = dict(table.exposed[shoe])
        exposed[event.card] = exposed.get(event.card, 0) + 1
        if known is not None:
            exposed[known] -= 1
        table = replace(table, exposed={**table.exposed, shoe: exposed})
    return _on_card(table, event, event.serial, card=event.card, turned=True)


def _identified(table: Table, event: ev.CardIdentified) -> Table:
    """A face named in an ended coup; in a live one `card.exposed` follows and says the same."""
    coup = None if event.coup is None else table.find(event.coup, event.shoe)
    if coup is None or coup.ended in {"", "pending"}:
        return table
    return _exposed(
        table,
        ev.CardExposed(
            shoe=event.shoe,
            coup=event.coup,
            slot=event.slot,
            card=event.card,
            source="operator",
            serial=event.serial,
        ),
    )


def _in_excess(table: Table, event: ev.CardInExcess) -> Table:
    coup = table.coup
    if coup is None:
        return table
    card = next(card for card in coup.cards if card.serial == event.serial)
    rest = tuple(other for other in coup.cards if other.serial != event.serial)
    table = replace(table, coup=replace(coup, cards=rest))
    if event.aside:
        return table
    return replace(table, waiting=(*table.waiting, Waiting(card, coup.number, card.n)))


def _carried(table: Table, event: ev.CardCarried) -> Table:
    shoe = table.shoe
    if shoe is None:
        return table
    coup = table.coming_coup(shoe)
    moved = next(waiting.card for waiting in table.waiting if waiting.card.serial == event.serial)
    card = CoupCard(
        moved.serial,
        event.n_there,
        event.slot,
        moved.face,
        seen=moved.seen,
        source=moved.source,
        tag=moved.tag,
        left=(event.coup, event.n),
    )
    cards = (*coup.cards, card)
    opens = len(cards) > 1 and not coup.opened
    coup = replace(coup, cards=cards, drawn=event.n_there, opened=coup.opened or opens)
    return replace(
        table,
        coup=coup,
        waiting=tuple(waiting for waiting in table.waiting if waiting.card.serial != event.serial),
        shoe=replace(shoe, coups=event.to_coup) if opens else shoe,
        betting="closed" if opens else table.betting,
    )


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
    return _on_coup(table, event, lambda coup: replace(coup, pressed=True))


def _confirmed(table: Table, event: ev.CoupConfirmed) -> Table:
    return _on_coup(table, event, lambda coup: replace(coup, confirmed=event.stands))


def _settling(table: Table, event: ev.CoupSettling) -> Table:
    return _on_coup(table, event, lambda coup: replace(coup, due=event.due))


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
    return _on_coup(table, event, lambda coup: replace(coup, settled=event.settled))


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
    return _on_coup(table, event, lambda coup: replace(coup, ended="invalidated", revision=event.revision))


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
    **apply_house.CHANGES,
    ev.DeviceLink: _link,
    ev.BettingClosed: _betting_closed,
    ev.BettingOpened: _betting_opened,
    ev.BettingWithdrawOnly: _withdraw_only,
    ev.CardDrawn: _drawn,
    ev.CardAssigned: _assigned,
    ev.CardTurned: _turned,
    ev.CarriedTurned: _turned,
    ev.CardKept: _kept,
    ev.CardReadTwice: _read_twice,
    ev.CardSeen: _seen,
    ev.CardExposed: _exposed,
    ev.CarriedExposed: _exposed,
    ev.CardIdentified: _identified,
    ev.CardInExcess: _in_excess,
    ev.CardCarried: _carried,
    ev.CoupNoBet: _no_bet,
    ev.CoupPressed: _pressed,
    ev.CoupConfirmed: _confirmed,
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
