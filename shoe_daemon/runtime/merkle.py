"""Hash trees as in RFC 6962, 2.1: one hash over many leaves, and a short path that shows one to be in it.

leaf = SHA-256(0x00 ‖ data), node = SHA-256(0x01 ‖ left ‖ right). The left half of a tree is the largest full
one that leaves something to the right; so it is where nodes are paired level by level and an odd one goes up.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Self


def leaf(data: bytes) -> bytes:
    """Hash of a leaf."""
    return sha256(b"\x00" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    """Hash of a node."""
    return sha256(b"\x01" + left + right).digest()


class Tree:
    """A tree that grows; it keeps the roots of its full parts, a few for any number of leaves."""

    def __init__(self, leaves: Iterable[bytes] = ()) -> None:
        self.size = 0
        self._full: tuple[bytes, ...] = ()
        for one in leaves:
            self.add(one)

    def add(self, one: bytes) -> None:
        """Take the hash of the next leaf."""
        full, size = list(self._full), self.size
        while size & 1:
            one = node(full.pop(), one)
            size >>= 1
        self._full = (*full, one)
        self.size += 1

    def copy(self) -> Self:
        """The same tree, to grow by itself."""
        other = type(self)()
        other.size, other._full = self.size, self._full  # noqa: SLF001 - of its own kind
        return other

    def root(self) -> bytes:
        """Hash over all leaves, at least one."""
        *full, root = self._full
        for left in reversed(full):
            root = node(left, root)
        return root


class Paths:
    """All nodes of a finished tree of at least one leaf, for the paths of many leaves."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self._levels = [list(leaves)]
        while len(self._levels[-1]) > 1:
            below = self._levels[-1]
            pairs = [node(*below[at : at + 2]) for at in range(0, len(below) - 1, 2)]
            self._levels.append(pairs + below[len(pairs) * 2 :])

    def path(self, index: int) -> list[bytes]:
        """The nodes that lead from leaf `index`, from 0, to the root, the lowest first."""
        path: list[bytes] = []
        for level in self._levels[:-1]:
            if (beside := index ^ 1) < len(level):
                path.append(level[beside])
            index >>= 1
        return path


def root_by(one: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """The root that `path` leads to from leaf `index` of `size`; None where no path is as long as that."""
    last = size - 1
    if not 0 <= index <= last:
        return None
    for beside in path:
        if last == 0:
            return None
        if index & 1 or index == last:
            one = node(beside, one)
            while not index & 1 and index:  # the last of an odd level went up without a pair
                index, last = index >> 1, last >> 1
        else:
            one = node(one, beside)
        index, last = index >> 1, last >> 1
    return one if last == 0 else None
