"""`decide(table, input, setup) -> events`: what an input means. Pure, total, and blind to hidden faces."""

from collections.abc import Callable
from operator import attrgetter, is_
from typing import Any, Final

from shoe_daemon.table import (
    advance,
    bank,
    by_hand,
    commands,
    dealing,
    device,
    house,
    reports,
    resolving,
    wagering,
)
from shoe_daemon.table import events as ev
from shoe_daemon.table import inputs as inp
from shoe_daemon.table.apply import apply
from shoe_daemon.table.arguments import Acknowledge
from shoe_daemon.table.drawing import answer_due
from shoe_daemon.table.ending import conclude
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
    **device.INPUTS,
    inp.Command: _command,
    inp.AnswerImplied: _answer_implied,
    inp.TimePassed: _time,
    inp.Start: _start,
}
