"""What the events about single cards change: drawn, placed, turned, carried, or none after all."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from shoe_daemon.table import events as ev
from shoe_daemon.table.apply_house import Apply, on_shoe, stale
from shoe_daemon.table.state import Coup, CoupCard, Shoe, Table, Waiting


def on_coup(table: Table, event: ev.Event, change: Callable[[Coup], Coup]) -> Table:
    """Change the coup that `event` is about, live or ended."""
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
    def change(coup: Coup) -> Coup:
        cards = [replace(card, **changes) if card.serial == serial else card for card in coup.cards]
        return replace(coup, cards=tuple(cards))

    return on_coup(table, event, change)


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


CHANGES: Final[dict[type[ev.Event], Apply]] = {
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
}
