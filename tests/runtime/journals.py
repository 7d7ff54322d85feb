"""Journals to test with."""

import json
from collections.abc import Sequence
from pathlib import Path

from shoe_daemon.runtime.journal import Journal
from shoe_daemon.runtime.rows import Row
from shoe_daemon.table.events import AUDIENCES

TABLE = "BAC-07"


def open_journal(path: Path, table: str = TABLE) -> Journal:
    return Journal.open(path, table=table, software="0.0", at=1_800_000_000_000_000)


def message(journal: Journal, audience: str, seq: int, kind: str = "card.dealt") -> Row:
    body = {"v": 1, "journal": journal.id, "table": TABLE, "audience": audience, "seq": seq, "type": kind}
    return Row(
        "message",
        seq,
        json.dumps(body).encode(),
        audience=audience,
        seq=seq,
        key=f"{audience}/{TABLE}/{kind}/",
    )


def card(journal: Journal, seq: int, audiences: Sequence[str] = AUDIENCES) -> list[Row]:
    """Give the rows one card leaves behind: bytes, a step, a message for each audience."""
    return [
        Row("rx", seq, b" [Game]<Card:4S> \r\n"),
        Row("step", seq, b"step %d" % seq),
        *(message(journal, audience, seq) for audience in audiences),
    ]
