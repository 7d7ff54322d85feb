"""The proof of one coup out of a journal, and why there is none yet."""

from collections.abc import Iterator

from shoe_daemon.runtime.checkpoint import Checkpoint, decode
from shoe_daemon.runtime.merkle import Paths, Tree
from shoe_daemon.runtime.proof import FORM, Proof, ProofError, ProvenRow, Said, rows_of, said_in
from shoe_daemon.runtime.resume import resume
from shoe_daemon.runtime.rows import Reader, leaf_of


def prove(journal: Reader, coup: int, shoe: int | None = None) -> Proof:
    """The proof of `coup` in `shoe`, or in the last one. Raises ProofError where there is none, or not yet.

    Nothing of a shoe that is open is given away: its rows hold faces that nobody has seen.
    """
    end = journal.end()
    table, _ = resume(journal)
    number = table.number if shoe is None else shoe
    if number is None:
        raise ProofError(f"{journal.path}: no shoe was ever loaded")
    still_open = None if table.shoe is None else table.number
    if number == still_open:
        raise ProofError(f"shoe {number} is open: its rows hold cards that nobody has seen; close it first")
    scan = _Scan(journal, end, still_open)
    chosen = rows_of(scan.told(), number, coup)
    if chosen is None:
        raise ProofError(f"{journal.path}: shoe {number} has no coup {coup} that has ended")
    if scan.opened is not None and max(chosen) >= scan.opened:
        raise ProofError(
            f"coup {coup} of shoe {number} was spoken of again with shoe {still_open} open, whose rows hold"
            " cards that nobody has seen; close that shoe first"
        )
    checkpoints = scan.checkpoints
    last = max(chosen)
    if not checkpoints:
        raise ProofError(
            f"{journal.path}: holds no checkpoint, so nothing in it is signed: name a key as signing_key in"
            " [journal]; the first checkpoint covers all rows before it"
        )
    if last > checkpoints[-1].last:
        raise ProofError(
            f"{journal.path}: no checkpoint covers row {last} yet: one is written when a coup has ended, a"
            " shoe is closed or the daemon stops, with no coup open and signing_key in [journal]"
        )
    used = [one for one in checkpoints if any(one.first <= pos <= one.last for pos in chosen)]
    rows = tuple(row for one in used for row in _rows(journal, one, chosen))
    return Proof(FORM, journal.meta.journal, journal.meta.table, number, coup, tuple(used), rows)


class _Scan:
    """The journal up to row `end`. `opened`: the row of what loaded the shoe that is `still_open`."""

    def __init__(self, journal: Reader, end: int, still_open: int | None) -> None:
        self._journal = journal
        self._end = end
        self._still_open = still_open
        self.opened: int | None = None
        self.checkpoints: list[Checkpoint] = []

    def told(self) -> Iterator[tuple[int, list[Said]]]:
        """What was told, row by row; the checkpoints between are kept."""
        for row in self._journal.rows(kinds=("told", "checkpoint")):
            if row.pos > self._end:
                return
            if row.kind == "checkpoint":
                self.checkpoints.append(decode(row.body))
                continue
            messages = said_in(row.body)
            if any(one.type == "shoe.loaded" and one.shoe == self._still_open for one in messages):
                self.opened = self.opened or row.pos - 1
            yield row.pos, messages


def _rows(journal: Reader, checkpoint: Checkpoint, chosen: set[int]) -> Iterator[ProvenRow]:
    """Those of the `chosen` rows that `checkpoint` covers."""
    salted = list(journal.salted(checkpoint.first, checkpoint.last))
    leaves = [leaf_of(salt, columns) for salt, columns in salted]
    if Tree(leaves).root().hex() != checkpoint.root:
        raise ProofError(
            f"{journal.path}: rows {checkpoint.first} to {checkpoint.last} are not what was signed:"
            " journal verify names the first bad row"
        )
    paths = Paths(leaves)
    for index, (salt, (pos, kind, at, key, *seqs, body)) in enumerate(salted):
        if pos in chosen:
            yield ProvenRow(pos, kind, at, key, tuple(seqs), body, salt, tuple(paths.path(index)))
