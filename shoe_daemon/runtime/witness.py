"""What another machine was told of the checkpoints of a journal: it notices a tail that was cut off.

A witness is a file of JSON lines, as `events --audience surveillance` prints them and a recorder keeps them.
What is no `journal.checkpoint` is passed over.
"""

from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from shoe_daemon.runtime.checkpoint import Checkpoint, encode

_TYPE: Final = "journal.checkpoint"

Witness = dict[tuple[str, int], bytes]
"""By journal and row: the body that the row must have."""


class WitnessError(Exception):
    """A file is no witness; the text says where, and why."""


class _Line(msgspec.Struct):
    type: str


class _Data(msgspec.Struct):
    row: int
    first: int
    last: int
    signed: datetime
    head: str
    root: str
    key: str
    signature: str


class _Event(msgspec.Struct):
    journal: str
    data: _Data


def read_witness(path: Path) -> Witness:
    """The checkpoints in the file at `path`. Raises WitnessError."""
    witness: Witness = {}
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if (found := _checkpoint(path, number, line)) is not None:
                    witness[found[0]] = found[1]
    except OSError as error:
        raise WitnessError(f"{path}: cannot be read: {error.strerror}") from error
    return witness


def _checkpoint(path: Path, number: int, line: bytes) -> tuple[tuple[str, int], bytes] | None:
    try:
        if not line.strip() or msgspec.json.decode(line, type=_Line).type != _TYPE:
            return None
        event = msgspec.json.decode(line, type=_Event)
    except msgspec.MsgspecError as error:
        raise WitnessError(f"{path}:{number}: is no event of surveillance: {error}") from error
    said = event.data
    at = round(said.signed.timestamp() * 1_000_000)
    kept = Checkpoint(said.first, said.last, at, said.head, said.root, said.key, said.signature)
    return (event.journal, said.row), encode(kept)
