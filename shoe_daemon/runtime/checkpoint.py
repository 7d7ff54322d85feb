"""Signed checkpoints: rows of the journal that say, under a signature, which rows came before them.

A checkpoint covers all rows since the one before it, that one included; the first covers the journal from its
first row. So every row but those after the last checkpoint lies in exactly one. A leaf of its tree is made of
a row's salt and columns: none can be guessed from a face. None is made while a coup is open, see `at_rest`.
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import msgspec

from shoe_daemon.runtime.messages import Message
from shoe_daemon.table.inputs import Checkpointed
from shoe_daemon.table.state import Table

ENDS: Final = frozenset({"coup.result", "coup.void", "coup.pending"})
"""Types of the messages that end a coup."""
_SEALED: Final = ENDS | {"coup.invalidated", "shoe.closed", "service.stopped"}
"""Types of the messages after which a checkpoint is due."""


class Signer(NamedTuple):
    """Who signs. `key`: the public key, hex, by which it is named."""

    key: str
    sign: Callable[[bytes], bytes]


class Checkpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of a checkpoint's row, as JSON. Hashes, key and signature are hex; `at` is the row's own time.

    `first`, `last`: the rows that are covered. `head`: hash of the last one in the chain. `root`: of the tree
    of their leaves. `signature`: Ed25519, by `key`, of `statement`.
    """

    first: int
    last: int
    at: int
    head: str
    root: str
    key: str
    signature: str = ""

    def statement(self, journal: str, table: str) -> bytes:
        """What is signed: seven lines of text, so that any program can write it."""
        return (
            "shoe-daemon checkpoint\n"
            f"journal {journal} table {table}\n"
            f"rows {self.first} to {self.last}\n"
            f"at {self.at}\n"
            f"head {self.head}\n"
            f"root {self.root}\n"
            f"key {self.key}\n"
        ).encode()

    def told(self) -> Checkpointed:
        """What the table is told of it: its row is the next after those that it covers."""
        said = msgspec.structs.asdict(self)
        return Checkpointed(row=self.last + 1, signed=self.at, **said)

    def signed(self, signer: Signer, journal: str, table: str) -> "Checkpoint":
        """The same with its signature."""
        signature = signer.sign(self.statement(journal, table))
        return msgspec.structs.replace(self, signature=signature.hex())


def encode(checkpoint: Checkpoint) -> bytes:
    """The one form in which the journal keeps it."""
    return msgspec.json.encode(checkpoint)


def decode(body: bytes) -> Checkpoint:
    """What `encode` made `body` of. Raises msgspec.MsgspecError on anything else."""
    checkpoint = msgspec.json.decode(body, type=Checkpoint)
    if encode(checkpoint) != body:
        raise msgspec.ValidationError("is not in the form in which checkpoints are kept")
    return checkpoint


def due(messages: Iterable[Message]) -> bool:
    """Whether `messages` tell of something after which a checkpoint is made."""
    return any(message.type in _SEALED for message in messages)


def at_rest(table: Table) -> bool:
    """Whether no coup is open and no card waits for one: only then is a checkpoint made."""
    coup = table.coup
    return not table.waiting and (coup is None or not (coup.opened or coup.cards))
