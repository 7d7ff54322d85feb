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
    return msgspec.json.encode(_State(msgspec.Raw(encode(table)), views.views))


def resume(journal: Reader, projector: Projector | None = None) -> tuple[Table, Views]:
    """The table and the views at the end of `journal`; `projector` remembers the present shoe's cards."""
    body, rows = journal.since_last_state(("step", "told"))
    if body is None:
        table, views = Table(), Views()
    else:
        state = _DECODE(body)
        table, views = decode_table(bytes(state.table)), Views(dict(state.views))
    for row in rows:
        if row.kind == "told":
            for message in journal.messages_in(row.pos, row.body):
                views.take(message)
            continue
        step = decode_step(row.body)
        table = fold(table, step.events)
        if projector is not None:
            projector.remember(step)
    return table, views
