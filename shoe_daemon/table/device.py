"""What the device, its line, the machine's clock and the process itself say to the table."""

from collections.abc import Callable
from typing import Any, Final, Literal

import msgspec

from shoe_daemon.table import events as ev
from shoe_daemon.table import house
from shoe_daemon.table import inputs as inp
from shoe_daemon.table.drawing import Drawn, draw
from shoe_daemon.table.ending import decided
from shoe_daemon.table.irregularities import between_coups
from shoe_daemon.table.turn import Turn


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


def _checkpointed(turn: Turn, what: inp.Checkpointed) -> None:
    """Nothing at the table changes by it."""
    said = msgspec.structs.asdict(what)
    del said["at"]
    turn.emit(ev.JournalCheckpoint(shoe=turn.shoe, coup=turn.table.open_number, **said))


def _noticed(turn: Turn, what: inp.Noticed) -> None:
    told = {"code": what.code, "what": what.what, "reason": what.reason}
    number = turn.table.open_number
    if what.over:
        turn.emit(ev.AlarmOver(shoe=turn.shoe, coup=number, **told))
    else:
        turn.emit(
            ev.AlarmRaised(shoe=turn.shoe, coup=number, code=what.code, what=what.what, reason=what.reason)
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


INPUTS: Final[dict[type[inp.Input], Callable[[Turn, Any], None]]] = {
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
    inp.Checkpointed: _checkpointed,
    inp.Noticed: _noticed,
}
