"""A journal as a capture that replays to the same events, and as the messages of an audience."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from shoe_daemon.runtime.inspection import Mask
from shoe_daemon.runtime.messages import Message
from shoe_daemon.runtime.rows import JournalError, Reader
from shoe_daemon.table import inputs as inp
from shoe_daemon.table.codec import decode_step

_MICROSECONDS = 1_000_000


def capture_lines(journal: Reader, end: int | None = None) -> Iterator[str]:
    """Lines of a capture: what the device sent and people said, with the configuration of the first start.

    `end`: the last row that is in it; what is there while it is read, where none is given.

    The time of the capture runs on where the clock was set. Where it was set back while the program did not
    run, so that nothing says it, the time stands still for an instant and goes on from there.
    Raises JournalError, before the first line, where the table was configured otherwise later on: one capture
    has one first line.
    """
    _one_configuration(journal)
    before, t = journal.meta.created, 0
    configured: dict[str, Any] | None = None
    given_up = False
    for row in journal.rows(0, ("rx", "step")):
        if end is not None and row.pos > end:
            return
        what = None if row.kind == "rx" else decode_step(row.body).input
        fields = {"rx": row.body.hex()} if what is None else _line(what)
        if fields is None:
            if isinstance(what, inp.TimePassed):
                t, before = t + max(row.at - before, 0), row.at
            given_up = given_up or (isinstance(what, inp.FrameRejected) and what.reason == "partial")
            continue
        until = what.before if isinstance(what, inp.ClockStepped) else row.at
        t, before = t + max(until - before, 0), row.at
        if isinstance(what, inp.Service) and what.state == "started":
            if configured is None:
                configured = what.configured
                yield json.dumps({"t": 0.0, **configured, "open": False, "link": "never"})
            elif given_up:  # before the kill: the replay must not take the half frame for one lost in it
                yield json.dumps({"t": t / _MICROSECONDS, "rx": ""})
        given_up = given_up and what is not None
        yield json.dumps({"t": t / _MICROSECONDS, **fields})


def _one_configuration(journal: Reader) -> None:
    first: dict[str, Any] | None = None
    for row in journal.rows(0, ("step",)):
        what = decode_step(row.body).input
        if not isinstance(what, inp.Service) or what.state != "started":
            continue
        if first is not None and what.configured != first:
            changed = sorted(key for key, value in what.configured.items() if first.get(key) != value)
            raise JournalError(
                f"{journal.path}: from row {row.pos} on the table was configured otherwise"
                f" ({', '.join(changed)}): one capture has one first line, so none can be made of it all"
            )
        first = what.configured


def _line(what: inp.AnyInput) -> dict[str, Any] | None:  # noqa: PLR0911 - one for each kind
    """What an input says in a capture; None where it follows from the other lines."""
    if isinstance(what, inp.Command):
        return None if what.pressed else {"cmd": _command(what)}
    if isinstance(what, inp.Link):
        return {"link": what.state, **({} if what.reason is None else {"reason": what.reason})}
    if isinstance(what, inp.LineAlarm):
        return {"alarm": what.code, "text": what.text}
    if isinstance(what, inp.Noticed):
        over = {"over": True} if what.over else {}
        return {"notice": what.code, "what": what.what, "reason": what.reason, **over}
    if isinstance(what, inp.Service):
        return {"service": what.state, "reason": what.reason}
    if isinstance(what, inp.Checkpointed):
        said = msgspec.structs.asdict(what)
        del said["at"]
        return {"checkpoint": said}
    if isinstance(what, inp.ClockStepped):
        return {"clock": what.after / _MICROSECONDS, "before": what.before / _MICROSECONDS}
    return None


def _command(what: inp.Command) -> dict[str, Any]:
    said: dict[str, Any] = {"verb": what.verb, "actor": what.actor, "args": what.args}
    if what.expect_coup is not None:
        said["expect_coup"] = what.expect_coup
    if what.refused is not None:
        said["refused"] = what.refused
    if what.via is not None:
        said["via"] = what.via
    return said


def messages(journal: Reader, mask: Mask | None, audience: str | None, after: int = 0) -> Iterator[Message]:
    """Messages as they were told, of one audience or of all in the order of the journal; no masked ones."""
    for message in journal.told():
        wanted = (audience is None or message.audience == audience) and message.seq > after
        if wanted and (mask is None or not mask.hides_told(message)):
            yield message
