"""Going on where the journal ends: the table, the views, and what the projection must remember."""

from typing import Any, Final

import msgspec

from shoe_daemon.runtime.messages import Message, Projector
from shoe_daemon.runtime.rows import Reader
from shoe_daemon.table import view
from shoe_daemon.table.codec import decode_step, decode_table, encode
from shoe_daemon.table.decide import fold
from shoe_daemon.table.events import AUDIENCES
from shoe_daemon.table.state import Table
from shoe_daemon.table.view_shapes import View


class _State(msgspec.Struct, frozen=True):
    table: msgspec.Raw
    views: dict[str, View]
    tops: dict[str, int]


_DECODE: Final = msgspec.json.Decoder(_State).decode


class Views:
    """What each audience knows, folded from its own messages; `snapshot` is what the feed answers."""

    def __init__(self, views: dict[str, View] | None = None) -> None:
        self.views = views or {audience: view.empty(audience) for audience in AUDIENCES}

    def take(self, message: Message) -> None:
        """Move the view of the message's audience on."""
        audience = message.audience
        self.views[audience] = view.apply(self.views[audience], msgspec.json.decode(message.body))

    def snapshot(self, audience: str) -> tuple[int, Any]:
        """The top seq of an audience and the fold of its messages up to there."""
        known = self.views[audience]
        return known.seq, known


def encode_state(table: Table, views: Views) -> bytes:
    """A snapshot for the journal, so that a start need not fold all history."""
    tops = {audience: known.seq for audience, known in views.views.items()}
    return msgspec.json.encode(_State(msgspec.Raw(encode(table)), views.views, tops))


def resume(journal: Reader, projector: Projector | None = None) -> tuple[Table, Views]:
    """The table and the views at the end of `journal`; `projector` remembers the present shoe's cards."""
    body, steps = journal.since_last_state()
    if body is None:
        table, views, tops = Table(), Views(), dict.fromkeys(AUDIENCES, 0)
    else:
        state = _DECODE(body)
        table, views, tops = decode_table(bytes(state.table)), Views(dict(state.views)), state.tops
    for row in steps:
        step = decode_step(row.body)
        table = fold(table, step.events)
        if projector is not None:
            projector.remember(step)
    for audience, seq in tops.items():
        _catch_up(journal, views, audience, seq)
    return table, views


def _catch_up(journal: Reader, views: Views, audience: str, after: int) -> None:
    while page := journal.messages(audience, after, 1000):
        for message in page:
            views.views[audience] = view.apply(views.views[audience], msgspec.json.decode(message.body))
        after = page[-1].seq
