"""`decide(table, input, setup) -> events`: what an input means. Pure, total, and blind to hidden faces."""

from collections.abc import Callable
from operator import attrgetter, is_
from typing import Any, Final, Literal

from shoe_daemon.table import advance, bank, by_hand, commands, dealing, house, reports, resolving, wagering
from shoe_daemon.table import events as ev
from shoe_daemon.table import inputs as inp
from shoe_daemon.table.apply import apply
from shoe_daemon.table.arguments import Acknowledge
from shoe_daemon.table.drawing import Drawn, answer_due, draw
from shoe_daemon.table.ending import conclude, decided
from shoe_daemon.table.irregularities import between_coups
from shoe_daemon.table.resolving import give_answer
from shoe_daemon.table.setup import Setup
from shoe_daemon.table.state import Table
from shoe_daemon.table.turn import Refused, Turn
from shoe_daemon.table.verbs import check, is_emergency

_RANK: Final = attrgetter("rank")


def decide(table: Table, what: inp.AnyInput, setup: Setup) -> tuple[ev.Event, ...]:
    """The events of one input, in the order in which they are told (docs/events.md)."""
    return tuple(sorted(deliberate(table, what, setup).events, key=_RANK))


def step(table: Table, what: inp.AnyInput, setup: Setup) -> tuple[tuple[ev.Event, ...], Table]:
    """The events of one input, as `decide` gives them, and the table that they fold to."""
    turn = deliberate(table, what, setup)
    told = sorted(turn.events, key=_RANK)
    # Events told in the order in which they came about were folded in that order already.
    after = turn.table if all(map(is_, told, turn.events)) else fold(table, tuple(told))
    return tuple(told), after


def deliberate(table: Table, what: inp.AnyInput, setup: Setup) -> Turn:
    """The whole turn of one input: its events in the order of cause and effect, and the table after it."""
    actor = what.actor if isinstance(what, inp.Command) else None
    turn = Turn(table, setup, what.at, actor)
    _INPUTS[type(what)](turn, what)
    conclude(turn)
    _held(turn)
    return turn


def fold(table: Table, events: tuple[ev.Event, ...]) -> Table:
    """The table after `events`."""
    for event in events:
        table = apply(table, event)
    return table


def implied(table: Table, what: inp.AnyInput, setup: Setup) -> inp.AnyInput | None:
    """The answer that `what` implies, an input of its own before it."""
    if table.items and inp.draws(what) and answer_due(Turn(table, setup, what.at)):
        return inp.AnswerImplied(what.at)
    return None


def next_due(table: Table, *, up: bool = True) -> int | None:
    """When a timer of the table is due, in microseconds since 1970; None while none runs.

    `up`: the daemon has run since; otherwise no notice was counted.
    """
    coup = table.open_coup
    notices = house.notices_due(table) if up and table.notices else None
    times = (None if coup is None else coup.due, notices, table.seats.deadline)
    return min((time for time in times if time is not None), default=None)


def _held(turn: Turn) -> None:
    """Tell which coups are held now and were not before, and the other way round."""
    if not turn.before.items and not turn.table.items:
        return
    before = {coup.key for coup in turn.before.live if turn.before.holds(coup)}
    live = {coup.key: coup for coup in turn.table.live}
    after = {key for key, coup in live.items() if turn.table.holds(coup)}
    for shoe, coup in sorted(after - before):
        turn.emit(ev.CoupHeld(shoe=shoe, coup=coup))
    for shoe, coup in sorted(before - after):
        if (shoe, coup) in live or _has_result(turn, shoe, coup):
            turn.emit(ev.CoupReleased(shoe=shoe, coup=coup))


def _has_result(turn: Turn, shoe: int, coup: int) -> bool:
    key = (shoe, coup)
    in_shoe = any(past.key == key and past.ended == "result" for past in turn.table.past)
    return in_shoe or any(
        isinstance(event, ev.CoupResult) and (event.shoe, event.coup) == key for event in turn.events
    )


# -- the device -----------------------------------------------------------------------------------------


def _take(turn: Turn, drawn: Drawn) -> None:
    if turn.table.opened and turn.table.shoe is not None:
        draw(turn, drawn)


def _card(turn: Turn, what: inp.CardRead) -> None:
    if not _nowhere(turn, what.raw):
        draw(turn, Drawn(what.face, soon=what.soon, slots=what.slots, tag=what.tag))


def _unread(turn: Turn, what: inp.CardUnread) -> None:
    if not _nowhere(turn, what.raw):
        draw(turn, Drawn(None, "unreadable_card", soon=what.soon))


def _nowhere(turn: Turn, raw: bytes) -> bool:
    """A card with no shoe on the table, or the table closed, is no card of any coup."""
    if turn.table.opened and turn.table.shoe is not None:
        return False
    _rejected(turn, "no_shoe", raw)
    return True


def _rejected(turn: Turn, reason: ev.Rejection, raw: bytes) -> None:
    turn.emit(
        ev.FrameRejected(
            shoe=turn.shoe,
            coup=turn.table.open_number,
            reason=reason,
            raw=raw,
            shoe_open=turn.table.shoe is not None,
        )
    )


def _key_refused(turn: Turn, what: inp.KeyRefused) -> None:
    number = turn.table.open_number
    turn.emit(
        ev.AlarmRaised(shoe=turn.shoe, coup=number, code="key_refused", what=what.door, reason=what.who)
    )


def _tell_alarm(turn: Turn, code: str | None, text: str, raw: bytes) -> None:
    turn.emit(
        ev.DeviceAlarm(
            shoe=turn.shoe,
            coup=turn.table.open_number,
            code=code,
            text=text,
            raw=raw,
            shoe_open=turn.table.shoe is not None,
        )
    )


def _alarm(turn: Turn, what: inp.DeviceAlarm) -> None:
    _tell_alarm(turn, what.code, what.text, what.raw)
    if what.unread and not _nowhere(turn, what.raw):
        draw(turn, Drawn(None, "unreadable_card", soon=what.soon))


def _line_alarm(turn: Turn, what: inp.LineAlarm) -> None:
    _tell_alarm(turn, what.code, what.text, b"")


def _frame(turn: Turn, what: inp.FrameRejected) -> None:
    _rejected(turn, what.reason, what.raw)
    if what.card_like:
        _take(turn, Drawn(None, "unknown_code", soon=what.soon))


def _sequence(turn: Turn, what: inp.SequenceGap) -> None:
    """Messages of the device are missing: there may have been cards among them."""
    _unseen(turn, "sequence_gap", f"{what.missing} missing")


def _reset(turn: Turn, _: inp.DeviceReset) -> None:
    """What the device read before it started anew may not have been told."""
    if turn.table.shoe is not None:
        _unseen(turn, "device_reset")


def _returned(turn: Turn, what: inp.CardReturned) -> None:
    """A card that was told may be none, and be told again when it is drawn again."""
    if not _nowhere(turn, what.raw):
        _unseen(turn, "card_returned")


def _claimed(turn: Turn, what: inp.DeviceResult) -> None:
    """Compare with our own result: now if it is told, else before it is."""
    table = turn.table
    coup = table.open_coup
    if coup is None and table.shoe is not None and table.shoe.last_coup is not None:
        coup = table.find(table.shoe.last_coup, table.number)
    if coup is None or coup.ended in {"void", "invalidated"}:
        return
    if coup.ended != "result":
        turn.emit(ev.CoupClaimed(shoe=coup.shoe, coup=coup.number, outcome=what.outcome))
    elif decided(coup).outcome != what.outcome:
        code = "result_mismatch"
        turn.raise_item(
            code,
            shoe=coup.shoe,
            coup=coup.number,
            remedies=between_coups(code),
            hold=False,
            text=what.outcome,
        )


def _silent(turn: Turn, what: inp.Silent) -> None:
    if turn.table.link != "up":
        return
    if what.state != "back":
        _tell_link(turn, what.state, what.reason)
        return
    _tell_link(turn, "up", what.reason)
    _tell_link(turn, "gap", what.reason)
    coup = turn.table.open_coup
    asked = any(item.code == "link_gap" and (coup is None or item.about(coup)) for item in turn.table.items)
    if turn.table.shoe is not None and not asked:
        _unseen(turn, "link_gap")


def _link(turn: Turn, what: inp.Link) -> None:
    table = turn.table
    if what.state == "down":
        if table.link in {"never", "up"}:
            _tell_link(turn, "down", what.reason)
        return
    if table.link == "up":
        return
    _tell_link(turn, "up", what.reason)
    if table.link == "down":
        _tell_link(turn, "gap", what.reason)
        if not table.gap_told:
            _unseen(turn, "link_gap")


def _tell_link(
    turn: Turn,
    state: Literal["up", "down", "gap", "stalled", "garbage"],
    reason: str | None,
    *,
    restart: bool = False,
) -> None:
    turn.emit(
        ev.DeviceLink(
            shoe=turn.shoe,
            coup=turn.table.open_number,
            state=state,
            reason=reason,
            restart=restart,
        )
    )


def _unseen(
    turn: Turn,
    code: Literal["link_gap", "device_reset", "sequence_gap", "card_returned"],
    text: str | None = None,
) -> None:
    """More or fewer cards may have left the shoe than were told."""
    coup = turn.table.open_coup
    if coup is None:
        turn.raise_item(code, shoe=turn.shoe, coup=None, remedies=between_coups(code), hold=False, text=text)
    else:
        turn.raise_item(code, shoe=coup.shoe, coup=coup.number, text=text)


def _service(turn: Turn, what: inp.Service) -> None:
    number = turn.table.open_number
    if what.state == "stopped":
        turn.emit(ev.ServiceStopped(shoe=turn.shoe, coup=number, reason=what.reason))
        return
    turn.emit(
        ev.ServiceStarted(shoe=turn.shoe, coup=number, reason=what.reason, software=turn.setup.software)
    )
    house.restart_notices(turn)
    if what.reason != "restart" or turn.table.link == "down":
        return
    if turn.table.link == "up":
        _tell_link(turn, "down", "restart", restart=True)
    if turn.table.shoe is not None:
        _unseen(turn, "link_gap")


def _clock(turn: Turn, what: inp.ClockStepped) -> None:
    """Nothing at the table changes by it; times that are told do."""
    turn.emit(
        ev.ClockStepped(
            shoe=turn.shoe, coup=turn.table.open_number, by_s=what.by_s, before=what.before, after=what.after
        )
    )


# -- people and time ------------------------------------------------------------------------------------


def _command(turn: Turn, what: inp.Command) -> None:
    try:
        if what.refused is not None:
            raise Refused(what.refused)  # noqa: TRY301 - one answer below for every refusal
        args = check(turn.table, what.verb, what.actor, what.args, turn.setup.two_persons)
        if what.expect_coup not in {None, turn.table.coming} and not is_emergency(args):
            raise Refused("coup_moved_on")  # noqa: TRY301 - the same
        _VERBS[what.verb](turn, args)
    except Refused as refused:
        turn.table, turn.events = turn.before, []
        turn.emit(
            ev.CommandRefused(
                shoe=turn.shoe,
                coup=turn.table.open_number,
                verb=what.verb,
                actor=what.actor,
                reason=refused.reason,
            )
        )


def _acknowledge(turn: Turn, args: Acknowledge) -> None:
    if args.what == "differential":
        wagering.reduce(turn)
    else:
        house.acknowledge(turn, args)


def _answer_implied(turn: Turn, _: inp.AnswerImplied) -> None:
    give_answer(turn, "disclose")


def _time(turn: Turn, what: inp.TimePassed) -> None:
    """Count notices; `conclude` finds what else is due."""
    if what.up:
        house.count_notices(turn)
    wagering.seats_due(turn)


def _start(turn: Turn, what: inp.Start) -> None:
    """A capture's opening, one part an input."""
    if what.part == "table":
        turn.emit(ev.TableOpened(shoe=turn.shoe, reason="start"))
    elif what.part == "shoe":
        commands.put_shoe(turn, None)
    else:
        turn.emit(ev.BettingOpened(shoe=turn.shoe, coup=turn.table.coming, reason="auto", implied=True))


_VERBS: Final[dict[str, Callable[[Turn, Any], None]]] = {
    "open_table": commands.open_table,
    "close_table": commands.close_table,
    "pause": commands.pause,
    "resume": commands.resume,
    "attest": house.attest,
    "load_shoe": commands.load_shoe,
    "burn": commands.burn,
    "cut_card": commands.cut_card,
    "shoe_empty": reports.shoe_empty,
    "close_shoe": commands.close_shoe,
    "open_betting": commands.open_betting,
    "no_more_bets": commands.no_more_bets,
    "reveal": dealing.reveal,
    "confirm": dealing.confirm,
    "advance": advance.advance,
    "enter": by_hand.enter,
    "enter_result": by_hand.enter_result,
    "identify": dealing.identify,
    "disclose": resolving.disclose,
    "undisclosed": resolving.undisclosed,
    "report": reports.report,
    "resolve": resolving.resolve,
    "void": dealing.void_coup,
    "invalidate": dealing.invalidate,
    "correct": dealing.correct,
    "declare_no_bet": commands.declare_no_bet,
    "set_method": house.set_method,
    "bank": bank.bank,
    "set_rules": house.set_rules,
    "set_limits": house.set_limits,
    "notice": house.notice,
    "wager": wagering.wager,
    "withdraw": wagering.withdraw,
    "seat": wagering.seat,
    "dispute": house.dispute,
    "acknowledge": _acknowledge,
    "unmask": house.unmask,
    "sign_in": house.sign_in,
    "sign_out": house.sign_out,
}

_INPUTS: Final[dict[type[inp.Input], Callable[[Turn, Any], None]]] = {
    inp.CardRead: _card,
    inp.CardUnread: _unread,
    inp.DeviceAlarm: _alarm,
    inp.FrameRejected: _frame,
    inp.SequenceGap: _sequence,
    inp.DeviceReset: _reset,
    inp.CardReturned: _returned,
    inp.DeviceResult: _claimed,
    inp.Silent: _silent,
    inp.Link: _link,
    inp.LineAlarm: _line_alarm,
    inp.Service: _service,
    inp.ClockStepped: _clock,
    inp.Command: _command,
    inp.KeyRefused: _key_refused,
    inp.AnswerImplied: _answer_implied,
    inp.TimePassed: _time,
    inp.Start: _start,
}
