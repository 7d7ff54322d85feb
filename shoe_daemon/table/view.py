"""What one audience knows of a table: the fold of that audience's own messages, and of nothing else.

`View` is plain data for JSON. The feed answers snapshots with it and every client holds one. What an
audience is never told stays empty. A message of a type that is not known here changes `seq` and `at` alone.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from shoe_daemon.table.view_shapes import (
    AnnouncedTold,
    BankTold,
    CutCardTold,
    Ended,
    Ending,
    Entry,
    ExposedTold,
    IdTold,
    Irregularity,
    Laid,
    LimitTold,
    LinesTold,
    LinkTold,
    LoadedTold,
    Notice,
    Owes,
    Pending,
    PlaceTold,
    ReducedTold,
    ResultTold,
    Sat,
    Told,
    ToTold,
    View,
)


def empty(audience: str) -> View:
    """Give the view of an audience that has been told nothing."""
    return View(audience=audience)


def apply(view: View, message: Mapping[str, Any]) -> View:
    """Give `view` after `message`, one decoded event of its audience; messages come in order of `seq`.

    A message of another journal begins a new view. Raises ValueError for a message of another audience, and
    msgspec.ValidationError (a ValueError too) for one whose fields are not those of docs/events.md.
    """
    told = msgspec.convert(message, Told)
    if told.audience != view.audience:
        raise ValueError(f"a message for {told.audience!r} is no part of the view of {view.audience!r}")
    if view.journal not in {None, told.journal}:
        view = empty(view.audience)
    handler = _HANDLERS.get(told.type)
    after = view if handler is None else handler(view, told)
    return replace(after, journal=told.journal, table=told.table, seq=told.seq, at=told.at)


def _last(view: View) -> int:
    return view.ended.coup if view.ended else 0


def _current(view: View, told: Told) -> View | None:
    """`view` with the coup of `told` open in it; None if that coup has ended or is of another shoe."""
    if told.coup is None or told.shoe != view.shoe or told.coup <= _last(view):
        return None
    return (
        view
        if view.coup == told.coup
        else replace(view, coup=told.coup, cards_out=0, told_twice=0, exposed={}, hands={})
    )


def _card(view: View, told: Told) -> View:
    """Count a card of the open coup; one in excess of an ended coup is not counted."""
    now = _current(view, told)
    if now is None:
        return view
    return replace(
        now, cards_out=max(now.cards_out, msgspec.convert(told.data, PlaceTold).n - now.told_twice)
    )


def _read_twice(view: View, told: Told) -> View:
    """A card fewer than was told; what follows is numbered on."""
    now = _current(view, told)
    if now is None:
        return view
    return replace(now, cards_out=max(now.cards_out - 1, 0), told_twice=now.told_twice + 1)


def _exposed(view: View, told: Told) -> View:
    now = _current(view, told)
    if now is None:
        return view
    seen = msgspec.convert(told.data, ExposedTold)
    exposed = {**now.exposed, seen.slot: seen.card}
    return replace(now, exposed=exposed, cards_out=max(now.cards_out, len(exposed)))


def _announced(view: View, told: Told) -> View:
    now = _current(view, told)
    if now is None:
        return view
    call = msgspec.convert(told.data, AnnouncedTold)
    return replace(now, hands={**now.hands, call.hand: call.points})


def _held(view: View, told: Told) -> View:
    """Hold or release a coup that has not ended; the coming one can be held before this one ends."""
    if told.coup is None or told.shoe != view.shoe or told.coup <= _last(view):
        return view
    others = tuple(coup for coup in view.held if coup != told.coup)
    return replace(view, held=(*others, told.coup) if told.type == "coup.held" else others)


def _no_bet(view: View, told: Told) -> View:
    coming = told.shoe == view.shoe and told.coup is not None and told.coup > _last(view)
    return replace(view, no_bet=True) if coming else view


def _end(view: View, told: Told, how: Ending) -> View:
    """End the coup of `told`: for the first time or, after it was parked, for good."""
    if told.coup is None or told.shoe is None:
        return view
    parked = Pending(told.shoe, told.coup)
    others = tuple(one for one in view.pending if one != parked)
    view = replace(view, pending=(*others, parked) if how == "pending" else others)
    if told.shoe != view.shoe or told.coup < _last(view):
        return view
    if told.coup == _last(view):
        return replace(view, ended=Ended(told.coup, how))
    left = None if view.last_coups is None else max(view.last_coups - 1, 0)
    held = tuple(coup for coup in view.held if coup > told.coup)
    betting: Final = "closed" if view.betting_coup == told.coup else view.betting
    return replace(_cleared(view), held=held, betting=betting, last_coups=left, ended=Ended(told.coup, how))


def _cleared(view: View) -> View:
    """Take the coup on the table away."""
    return replace(view, coup=None, cards_out=0, told_twice=0, exposed={}, hands={}, held=(), no_bet=False)


def _without(view: View, told: Told) -> tuple[Entry, ...]:
    return tuple(one for one in view.history if told.shoe != view.shoe or one.coup != told.coup)


def _result(view: View, told: Told) -> View:
    done = msgspec.convert(told.data, ResultTold)
    view = _end(view, told, "result")
    if told.coup is None or told.shoe != view.shoe:
        return view
    entry = Entry(
        coup=told.coup,
        revision=done.revision,
        outcome=done.outcome,
        natural=done.natural,
        player_pair=done.pairs.player,
        banker_pair=done.pairs.banker,
        no_bet=done.no_bet,
        last_coup=done.last_coup,
        player=done.player,
        banker=done.banker,
    )
    history = sorted((*_without(view, told), entry), key=lambda one: one.coup)
    return replace(view, history=tuple(history))


def _without_result(view: View, told: Told) -> View:
    """End a coup that has no result: it is void, invalidated, or parked until one comes."""
    ended = _end(view, told, _ENDINGS[told.type])
    return replace(ended, history=_without(ended, told))


def _loaded(view: View, told: Told) -> View:
    """Begin a new shoe: of the last one only its parked coups stay, and what is not the shoe's."""
    return replace(
        empty(view.audience),
        open=view.open,
        paused=view.paused,
        shoe=told.shoe,
        decks=msgspec.convert(told.data, LoadedTold).decks,
        pending=view.pending,
        irregularities=view.irregularities,
        device=view.device,
        method=view.method,
        rules=view.rules,
        limits=view.limits,
        notices=view.notices,
        wagers=view.wagers,
        seats=view.seats,
        bank=view.bank,
        commission=view.commission,
    )


def _cut_card(view: View, told: Told) -> View:
    return replace(view, last_coups=msgspec.convert(told.data, CutCardTold).last_coups)


def _betting(view: View, told: Told) -> View:
    state: Final = {"betting.opened": "open", "betting.withdraw_only": "withdraw_only"}.get(
        told.type, "closed"
    )
    return replace(view, betting=state, betting_coup=told.coup)


def _raised(view: View, told: Told) -> View:
    """Keep an item while it is open; one without remedies is closed when it is raised."""
    item = replace(msgspec.convert(told.data, Irregularity), shoe=told.shoe, coup=told.coup)
    return replace(view, irregularities=(*view.irregularities, item)) if item.remedies else view


def _resolved(view: View, told: Told) -> View:
    closed = msgspec.convert(told.data, IdTold).id
    return replace(view, irregularities=tuple(one for one in view.irregularities if one.id != closed))


def _link(view: View, told: Told) -> View:
    """Take the state of the cable; `gap` is none, it tells what was missed."""
    state = msgspec.convert(told.data, LinkTold).state
    return view if state == "gap" else replace(view, device=state)


def _method(view: View, told: Told) -> View:
    return replace(view, method=msgspec.convert(told.data, ToTold).to, bank=told.data.get("seat"))


def _rules(view: View, told: Told) -> View:
    kept = tuple(one for one in view.notices if one.what != "game")
    return replace(view, rules=msgspec.convert(told.data, ToTold).to, notices=kept)


def _limits(view: View, told: Told) -> View:
    change = msgspec.convert(told.data, LimitTold)
    if change.seat is not None:
        return view
    kept = tuple(one for one in view.notices if (one.what, one.to) != (change.what, change.to))
    return replace(view, limits={**view.limits, change.what: change.to}, notices=kept)


def _posted(view: View, told: Told) -> View:
    return replace(view, notices=(*view.notices, msgspec.convert(told.data, Notice)))


def _ripe(view: View, told: Told) -> View:
    number = msgspec.convert(told.data, IdTold).id
    return replace(
        view,
        notices=tuple(replace(one, ripe=True) if one.id == number else one for one in view.notices),
    )


def _closed(view: View, _: Told) -> View:
    kept = tuple(one for one in view.notices if one.what != "closing")
    return replace(view, open=False, paused=False, notices=kept)


def _placed(view: View, told: Told) -> View:
    if told.coup is None:
        return view
    laid = msgspec.convert({**told.data, "coup": told.coup}, Laid)
    return replace(view, wagers=(*(one for one in view.wagers if one.key != laid.key), laid))


def _withdrawn(view: View, told: Told) -> View:
    return _off(view, told, [told.data])


def _returned(view: View, told: Told) -> View:
    return _off(view, told, msgspec.convert(told.data, LinesTold).lines)


def _off(view: View, told: Told, lines: Iterable[Mapping[str, Any]]) -> View:
    gone = {(told.coup, *(line[name] for name in ("seat", "backer", "bet", "voucher"))) for line in lines}
    return replace(view, wagers=tuple(one for one in view.wagers if one.key not in gone))


def _settled(view: View, told: Told) -> View:
    return replace(view, wagers=tuple(one for one in view.wagers if one.coup != told.coup))


def _reduced(view: View, told: Told) -> View:
    cuts = msgspec.convert(told.data, ReducedTold).proposal.reductions
    after = {(told.coup, *cut.key): cut.after for cut in cuts}
    wagers = (replace(one, amount=after.get(one.key, one.amount)) for one in view.wagers)
    return replace(view, wagers=tuple(one for one in wagers if one.amount))


def _seat(view: View, told: Told) -> View:
    sat = msgspec.convert(told.data, Sat)
    others = tuple(one for one in view.seats if one.seat != sat.seat and one.player != sat.player)
    return replace(view, seats=others if sat.state == "left" else (*others, sat))


def _commission(view: View, told: Told) -> View:
    """What a player owes since; nothing once it was paid."""
    owes = msgspec.convert(told.data, Owes)
    others = tuple(one for one in view.commission if one.payer != owes.payer)
    return replace(view, commission=(*others, owes) if owes.owed else others)


def _bank(view: View, told: Told) -> View:
    return replace(view, bank=msgspec.convert(told.data, BankTold).to)


_ENDINGS: Final[dict[str, Ending]] = {
    "coup.pending": "pending",
    "coup.void": "void",
    "coup.invalidated": "invalidated",
}
_HANDLERS: Final[dict[str, Callable[[View, Told], View]]] = {
    "table.opened": lambda view, _: replace(view, open=True, paused=False),
    "table.closed": _closed,
    "method.changed": _method,
    "rules.changed": _rules,
    "limits.changed": _limits,
    "notice.posted": _posted,
    "notice.ripe": _ripe,
    "table.paused": lambda view, _: replace(view, paused=True),
    "table.resumed": lambda view, _: replace(view, paused=False),
    "shoe.loaded": _loaded,
    "shoe.cut_card": _cut_card,
    "shoe.closed": lambda view, _: replace(_cleared(view), shoe_closed=True),
    "betting.opened": _betting,
    "betting.closed": _betting,
    "betting.withdraw_only": _betting,
    "card.drawn": _card,
    "card.dealt": _card,
    "card.read_twice": _read_twice,
    "card.exposed": _exposed,
    "hand.announced": _announced,
    "coup.no_bet": _no_bet,
    "coup.held": _held,
    "coup.released": _held,
    "coup.pending": _without_result,
    "coup.result": _result,
    "coup.void": _without_result,
    "coup.invalidated": _without_result,
    "wager.placed": _placed,
    "wager.withdrawn": _withdrawn,
    "wagers.returned": _returned,
    "differential.applied": _reduced,
    "settlement": _settled,
    "commission.marked": _commission,
    "commission.settled": _commission,
    "seat.changed": _seat,
    "bank.passed": _bank,
    "irregularity.raised": _raised,
    "irregularity.resolved": _resolved,
    "device.link": _link,
}
