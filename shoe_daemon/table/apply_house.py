"""The state after events of the shoe, the table and the house: `apply` for those."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from shoe_daemon.game.wagers import Book, Wager, WagerKey
from shoe_daemon.table import events as ev
from shoe_daemon.table.irregularities import GAPS
from shoe_daemon.table.state import KEPT_SHOES, Burn, Item, Marked, Notice, Payer, Shoe, Table

Apply = Callable[[Table, Any], Table]


def on_shoe(table: Table, **changes: Any) -> Table:  # noqa: ANN401 - fields of Shoe
    """The table with `changes` to the shoe on it."""
    return table if table.shoe is None else replace(table, shoe=replace(table.shoe, **changes))


def stale(item: Item) -> Item:
    """`item` once a card left the shoe: what may have been missed can no longer be put in its place."""
    return replace(item, stale=True) if item.code in GAPS else item


# -- the shoe and the table -----------------------------------------------------------------------------


def _loaded(table: Table, event: ev.ShoeLoaded) -> Table:
    number = event.shoe or 0
    earlier = tuple(coup for coup in (*table.earlier, *table.past) if coup.shoe >= number - KEPT_SHOES)
    kept = {coup.shoe for coup in (*table.parked, *earlier)}
    return replace(
        table,
        number=number,
        shoe=Shoe(number, event.decks),
        betting="unopened",
        coup=None,
        waiting=(),
        past=(),
        earlier=earlier,
        exposed={shoe: faces for shoe, faces in table.exposed.items() if shoe in kept} | {number: {}},
        tags={},
        attested=(),
        reshuffled=event.reshuffled,
    )


def _burn_started(table: Table, event: ev.BurnStarted) -> Table:
    return on_shoe(table, burn=Burn(event.count))


def _burn_card(table: Table, event: ev.BurnCard) -> Table:
    shoe = table.shoe
    if shoe is None or shoe.burn is None:
        return table
    burn = Burn(event.count, (*shoe.burn.faces, event.face))
    table = replace(table, items=tuple(map(stale, table.items)))
    return on_shoe(table, burn=burn, burned=shoe.burned + 1, empty=False)


def _burned(table: Table, _: ev.ShoeBurned) -> Table:
    shoe = table.shoe
    if shoe is None or shoe.burn is None:
        return table
    return on_shoe(table, burn=None, burns=(*shoe.burns, shoe.burn.faces), run=None)


def _cut_card(table: Table, event: ev.ShoeCutCard) -> Table:
    return on_shoe(table, last_coups=event.last_coups)


def _empty(table: Table, _: ev.ShoeEmpty) -> Table:
    return on_shoe(table, empty=True)


def _reclassified(table: Table, event: ev.Reclassified) -> Table:
    shoe = table.shoe
    if shoe is None:
        return table
    unread = event.unread
    return on_shoe(
        table,
        read=shoe.read - len(event.faces) + unread,
        unread=shoe.unread - unread,
        burned=shoe.burned + len(event.faces),
        burns=(*shoe.burns, event.faces),
    )


def _closed_shoe(table: Table, _: ev.ShoeClosed) -> Table:
    return replace(
        table,
        shoe=None,
        coup=None,
        waiting=(),
        betting="unopened",
        book=Book("unopened"),
        items=tuple(map(stale, table.items)),
    )


def _opened_table(table: Table, _: ev.TableOpened) -> Table:
    return replace(table, opened=True)


def _closed_table(table: Table, _: ev.TableClosed) -> Table:
    kept = tuple(notice for notice in table.notices if notice.what != "closing")
    under_way = table.coup is not None and (table.coup.no_bet or table.coup.opened)
    betting = table.betting if under_way else "unopened"
    return replace(table, opened=False, paused=False, betting=betting, notices=kept)


def _paused(table: Table, _: ev.TablePaused) -> Table:
    return replace(table, paused=True)


def _resumed(table: Table, _: ev.TableResumed) -> Table:
    return replace(table, paused=False)


# -- the house ------------------------------------------------------------------------------------------


def _attested(table: Table, event: ev.Attested) -> Table:
    return replace(table, attested=(*table.attested, (event.what, event.by)))


def _method_requested(table: Table, event: ev.MethodRequested) -> Table:
    return replace(table, requested=(event.to, event.approver, event.seat))


def _method_changed(table: Table, event: ev.MethodChanged) -> Table:
    return replace(table, method=event.to, seat=event.seat, requested=None)


def _bank_passed(table: Table, event: ev.BankPassed) -> Table:
    return replace(table, seat=event.to)


def _rules_changed(table: Table, event: ev.RulesChanged) -> Table:
    return replace(_without(table, "game"), rules=event.to, reshuffled=event.reshuffled)


def _limits_changed(table: Table, event: ev.LimitsChanged) -> Table:
    limits = table.limits
    if event.seat is not None:
        lowest, highest = limits.seats.get(event.seat, (None, None))
        own = (event.to, highest) if event.what == "minimum" else (lowest, event.to)
        return replace(table, limits=replace(limits, seats={**limits.seats, event.seat: own}))
    table = replace(table, limits=replace(limits, **{event.what: event.to}))
    if event.what != "minimum":
        return table
    kept = tuple(up for up in table.notices if up.what != "minimum" or up.to != event.to)
    return replace(table, notices=kept)


def _without(table: Table, what: str) -> Table:
    """What the notices of `what` announced was done."""
    return replace(table, notices=tuple(notice for notice in table.notices if notice.what != what))


def _posted(table: Table, event: ev.NoticePosted) -> Table:
    notice = Notice(event.id, event.what, event.to, event.left_s, event.due)
    return replace(table, notices=(*table.notices, notice), last_notice=event.id)


def _counted(table: Table, event: ev.NoticeCounted) -> Table:
    def count(notice: Notice) -> Notice:
        return replace(notice, left_s=event.left_s, due=event.due) if notice.id == event.id else notice

    return replace(table, notices=tuple(map(count, table.notices)))


def _dispute(table: Table, event: ev.DisputeNoted) -> Table:
    key = (event.shoe or 0, event.coup or 0, event.seat or 0)
    others = tuple(known for known in table.disputes if known[:3] != key)
    return replace(table, disputes=(*others, (*key, event.stage)))


# -- wagers and seats -----------------------------------------------------------------------------------


def _placed(table: Table, event: ev.WagerPlaced) -> Table:
    put = Wager(
        seat=event.seat,
        bet=event.bet,
        amount=event.amount,
        voucher=event.voucher,
        backer=event.backer,
        player=event.player,
    )
    last = table.last_book.put(put) if event.late else table.last_book
    return replace(table, book=table.book.put(put), last_book=last, proposal=None)


def _withdrawn(table: Table, event: ev.WagerWithdrawn) -> Table:
    key = WagerKey(event.seat, event.backer, event.bet, event.voucher)
    return replace(table, book=table.book.without([key]), proposal=None)


def _returned(table: Table, event: ev.WagersReturned) -> Table:
    if not event.ours:
        return table
    fields = WagerKey._fields
    keys = [WagerKey(*(line[name] for name in fields)) for line in event.lines]
    if event.reason == "declared_void":
        last = table.last_book if table.betting == "open" else table.last_book.without(keys)
        return replace(table, book=table.book.struck(keys), last_book=last, proposal=None)
    return replace(table, book=table.book.without(keys), proposal=None)


def _reduced(table: Table, event: ev.DifferentialApplied) -> Table:
    after = {one.key: one.after for one in event.proposal.reductions}
    return replace(table, book=table.book.reduced(after), proposal=None)


def _proposed(table: Table, event: ev.DifferentialProposed) -> Table:
    return replace(table, proposal=event.proposal)


def _own_limit(table: Table, event: ev.SeatLimit) -> Table:
    own = {**table.limits.own, event.player: (event.maximum, event.week)}
    return replace(table, limits=replace(table.limits, own=own))


def _missed(table: Table, event: ev.SeatsCounted) -> Table:
    return replace(table, missed=event.missed)


def _marked(table: Table, event: ev.CommissionMarked | ev.CommissionSettled) -> Table:
    payer = Payer(event.player or "", 0 if event.player else event.seat, event.backer)
    owed = event.owed if isinstance(event, ev.CommissionMarked) else 0
    others = tuple(one for one in table.marked if one.payer != payer)
    return replace(table, marked=(*others, Marked(payer, owed)) if owed else others)


def _seats(table: Table, event: ev.SeatsAsked | ev.SeatsTimed) -> Table:
    return replace(table, seats=event.seats)


def _seat_changed(table: Table, event: ev.SeatChanged) -> Table:
    """Who moves takes his last wagers along; who comes or goes leaves none there."""
    before = next((one.number for one in table.seats.seats if one.player == event.player), event.seat)
    last = table.last_book
    if event.state == "left" or before != event.seat:
        last = last.moved(before, None if event.state == "left" else event.seat)
    elif all(one.number != event.seat for one in table.seats.seats):
        last = last.moved(event.seat, None)
    return replace(table, seats=event.seats, last_book=last)


CHANGES: Final[dict[type[ev.Event], Apply]] = {
    ev.ShoeLoaded: _loaded,
    ev.BurnStarted: _burn_started,
    ev.BurnCard: _burn_card,
    ev.ShoeBurned: _burned,
    ev.ShoeCutCard: _cut_card,
    ev.ShoeClosed: _closed_shoe,
    ev.ShoeEmpty: _empty,
    ev.Reclassified: _reclassified,
    ev.TableOpened: _opened_table,
    ev.TableClosed: _closed_table,
    ev.TablePaused: _paused,
    ev.TableResumed: _resumed,
    ev.Attested: _attested,
    ev.MethodRequested: _method_requested,
    ev.MethodChanged: _method_changed,
    ev.BankPassed: _bank_passed,
    ev.RulesChanged: _rules_changed,
    ev.LimitsChanged: _limits_changed,
    ev.NoticePosted: _posted,
    ev.NoticeCounted: _counted,
    ev.DisputeNoted: _dispute,
    ev.WagerPlaced: _placed,
    ev.WagerWithdrawn: _withdrawn,
    ev.WagersReturned: _returned,
    ev.DifferentialProposed: _proposed,
    ev.DifferentialApplied: _reduced,
    ev.CommissionMarked: _marked,
    ev.CommissionSettled: _marked,
    ev.SeatChanged: _seat_changed,
    ev.SeatLimit: _own_limit,
    ev.SeatsCounted: _missed,
    ev.SeatsAsked: _seats,
    ev.SeatsTimed: _seats,
}
