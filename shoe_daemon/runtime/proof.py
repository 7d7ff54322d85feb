"""One coup's rows with what proves that they are in a signed journal, for whoever has the public key alone.

A proof holds every row from the end of the coup before, or the loading of the shoe, to the end of the coup,
and what was told of the coup later on. So nothing in between can be left out, and no other coup's rows will
do instead. What it cannot show is that nothing was said of the coup after its last row.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final, Literal, NoReturn

import msgspec

from shoe_daemon.runtime.checkpoint import ENDS, Checkpoint
from shoe_daemon.runtime.merkle import root_by
from shoe_daemon.runtime.rows import Seqs, leaf_of
from shoe_daemon.runtime.signing import is_signed
from shoe_daemon.table.events import PUBLIC, SURVEILLANCE

FORM: Final = "shoe-daemon coup 1"
_RESULTS: Final = ENDS | {"coup.invalidated"}


class ProofError(Exception):
    """A proof does not hold, or none can be made; the text says why, and what to do."""


class ProvenRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the journal. `path`: what leads from its leaf to the root of the checkpoint that covers it."""

    pos: int
    kind: str
    at: int
    key: str | None
    seqs: Seqs
    body: bytes
    salt: bytes
    path: tuple[bytes, ...]


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A proof as it is written: one line of JSON, bytes in base64."""

    form: Literal["shoe-daemon coup 1"]
    journal: str
    table: str
    shoe: int
    coup: int
    checkpoints: tuple[Checkpoint, ...]
    rows: tuple[ProvenRow, ...]


class Said(msgspec.Struct, frozen=True):
    """What a message says, as far as it is looked at here."""

    audience: str
    type: str
    at: str
    shoe: int | None
    coup: int | None
    data: dict[str, Any]


_said = msgspec.json.Decoder(Said).decode


def said_in(body: bytes) -> list[Said]:
    """The messages of a row of kind `told`. Raises msgspec.DecodeError."""
    return [_said(line) for line in body.split(b"\n")]


def encode(proof: Proof) -> bytes:
    """The one form in which a proof is written."""
    return msgspec.json.encode(proof) + b"\n"


def rows_of(told: Iterable[tuple[int, list[Said]]], shoe: int, coup: int) -> set[int] | None:
    """Positions of the rows that prove `coup` of `shoe`, of all rows told; None where it has not ended there.

    What is told lies in the row after what was decided.
    """
    begin: int | None = None
    chosen: set[int] = set()
    for pos, messages in told:
        if begin is None and _begins(messages, shoe, coup):
            begin = pos - 1
        elif begin is not None and not chosen and _ends(messages, shoe, coup):
            chosen.update(range(begin, pos + 1))
        elif chosen and any((one.shoe, one.coup) == (shoe, coup) for one in messages):
            chosen.update((pos - 1, pos))
    return chosen or None


def _begins(messages: list[Said], shoe: int, coup: int) -> bool:
    if coup == 1:
        return any(one.type == "shoe.loaded" and one.shoe == shoe for one in messages)
    return _ends(messages, shoe, coup - 1)


def _ends(messages: list[Said], shoe: int, coup: int) -> bool:
    return any(one.type in ENDS and (one.shoe, one.coup) == (shoe, coup) for one in messages)


class Proven(msgspec.Struct, frozen=True):
    """What a proof shows. `results`: what was told of each end of the coup, in order; `keys`: who signed.

    `begin`, `end`: times of its first card, and of the last thing told of it. `until`: last row that is
    signed; `signed_at`: when that was, µs since 1970.
    """

    journal: str
    table: str
    shoe: int
    coup: int
    begin: str
    end: str
    results: tuple[Said, ...]
    rows: tuple[int, ...]
    keys: tuple[str, ...]
    until: int
    signed_at: int


def check(data: bytes, keys: Collection[str]) -> Proven:
    """What the proof `data` shows by the public `keys`, hex. Raises ProofError where it does not hold."""
    proof = _read(data)
    _check_checkpoints(proof, keys)
    _check_rows(proof)
    messages = list(_told(proof))
    chosen = rows_of(messages, proof.shoe, proof.coup)
    if chosen is None:
        _fail(f"it does not show {_name(proof)} from the end of the one before to its own end")
    if sorted(chosen) != [row.pos for row in proof.rows]:
        _fail(f"it holds other rows than those of {_name(proof)}")
    told = [one for _, row in messages for one in row]
    _check_cards(told, proof)
    mine = [one for one in told if (one.shoe, one.coup) == (proof.shoe, proof.coup)]
    dealt = [one for one in mine if one.type == "card.dealt"]
    last = proof.checkpoints[-1]
    return Proven(
        journal=proof.journal,
        table=proof.table,
        shoe=proof.shoe,
        coup=proof.coup,
        begin=(dealt or mine)[0].at,
        end=mine[-1].at,
        results=tuple(one for one in mine if one.type in _RESULTS and one.audience == PUBLIC),
        rows=tuple(row.pos for row in proof.rows),
        keys=tuple(sorted({one.key for one in proof.checkpoints})),
        until=last.last,
        signed_at=last.at,
    )


def _read(data: bytes) -> Proof:
    try:
        proof = msgspec.json.decode(data, type=Proof)
    except msgspec.MsgspecError as error:
        _fail(f"it is no proof of a coup: {error}")
    if encode(proof) != data:
        _fail("it is not in the form in which proofs are written: it was changed, or saved anew")
    return proof


def _check_checkpoints(proof: Proof, keys: Collection[str]) -> None:
    if not proof.checkpoints:
        _fail("it bears no signature")
    for one in proof.checkpoints:
        name = f"the checkpoint over rows {one.first} to {one.last}"
        if one.key not in keys:
            _fail(f"{name} is signed by the key {one.key}, which is none of those named")
        if not is_signed(one.key, one.signature, one.statement(proof.journal, proof.table)):
            _fail(f"{name} is not what was signed: it, the journal's id or the table was changed")


def _check_rows(proof: Proof) -> None:
    """Every row is where its checkpoint says, and each checkpoint is needed."""
    left = list(proof.rows)
    for one in proof.checkpoints:
        size, covered = one.last - one.first + 1, 0
        while left and one.first <= left[0].pos <= one.last:
            row = left.pop(0)
            columns = (row.pos, row.kind, row.at, row.key, *row.seqs, row.body)
            root = root_by(leaf_of(row.salt, columns), row.pos - one.first, size, row.path)
            if root is None or root.hex() != one.root:
                _fail(f"row {row.pos} is not what was signed: it, its salt or its path was changed")
            covered += 1
        if not covered:
            _fail(f"the checkpoint over rows {one.first} to {one.last} covers none of its rows")
    if left:
        _fail(f"row {left[0].pos} is covered by no checkpoint, or is not in its order")


def _told(proof: Proof) -> Iterator[tuple[int, list[Said]]]:
    for row in proof.rows:
        if row.kind != "told":
            continue
        try:
            messages = said_in(row.body)
        except msgspec.MsgspecError as error:
            _fail(f"row {row.pos} cannot be read: {error}")
        yield row.pos, messages


def _check_cards(told: Sequence[Said], proof: Proof) -> None:
    """Every card that was drawn in the coup is there, from the first one on."""
    here = [one for one in told if one.shoe == proof.shoe and one.audience == SURVEILLANCE]
    carried = [one for one in here if one.type == "card.carried" and one.data.get("to_coup") == proof.coup]
    drawn = {one.data.get("n") for one in here if one.type == "card.drawn" and one.coup == proof.coup}
    if drawn != set(range(len(carried) + 1, len(carried) + 1 + len(drawn))):
        _fail(f"not every card of {_name(proof)} is in it")


def _name(proof: Proof) -> str:
    return f"coup {proof.coup} of shoe {proof.shoe}"


def _fail(why: str) -> NoReturn:
    raise ProofError(why)
