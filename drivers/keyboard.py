"""A scanner that types as a keyboard: what the kernel tells of its keys, to the bytes of its line.

A key is known by its place on a US keyboard, never by a layout: the kernel's code says where it is. Numbers
are those of linux/input-event-codes.h, which never change. Letters are as the scanner shifts them itself:
Caps Lock, Num Lock and whatever a layout would make of the key have no say.
"""

from collections.abc import Iterable
from typing import Final

SUBSTITUTE: Final = 0x1A
"""ASCII's SUB, in place of what cannot be told: no key gives it, so a line that has one is no code's.

It stands for each key that is not in the table, for each key typed while Ctrl, Alt or Meta is held, and for
keys that the kernel dropped.
"""

_EV_SYN: Final = 0
_EV_KEY: Final = 1
_SYN_DROPPED: Final = 3
_DOWN: Final = 1
"""The value of a press; 0 is its release, 2 the kernel's own repeating of a key that is held."""

_ROWS: Final = (
    (2, "1234567890-=", "!@#$%^&*()_+"),
    (15, "\t", "\t"),
    (16, "qwertyuiop[]", "QWERTYUIOP{}"),
    (28, "\r", "\r"),
    (30, "asdfghjkl;'`", 'ASDFGHJKL:"~'),
    (43, "\\zxcvbnm,./", "|ZXCVBNM<>?"),
    (55, "*", "*"),
    (57, " ", " "),
    (71, "789-456+1230.", "789-456+1230."),
    (96, "\r", "\r"),
    (98, "/", "/"),
)
"""Code of the first key of a row, and what the row types without and with Shift; from 71 on the keypad."""
_PLAIN: Final = {first + at: ord(char) for first, plain, _ in _ROWS for at, char in enumerate(plain)}
_SHIFTED: Final = {first + at: ord(char) for first, _, shifted in _ROWS for at, char in enumerate(shifted)}
_SHIFTS: Final = frozenset({42, 54})
_COMMANDS: Final = frozenset({29, 97, 56, 100, 125, 126})
"""Ctrl, Alt and Meta, left and right: what is typed with them is no text."""
_LOCKS: Final = frozenset({58, 69, 70})
"""Caps, Num and Scroll Lock: some scanners press them around a code."""

TYPED: Final = frozenset(_PLAIN.values()) | frozenset(_SHIFTED.values())
"""Every byte that a key gives."""


class Keys:
    """The keys of one keyboard since it was opened.

    `overrun`: the kernel dropped keys, more than one code's worth of them; nothing is read after that.
    """

    def __init__(self) -> None:
        self.overrun = False
        self._held: set[int] = set()

    def read(self, events: Iterable[tuple[int, int, int]]) -> bytes:
        """Give a byte for each key that goes down; events are (type, code, value), in the kernel's order."""
        typed = bytearray()
        for kind, code, value in events:
            if self.overrun:
                break
            if (kind, code) == (_EV_SYN, _SYN_DROPPED):
                self.overrun = True
                typed.append(SUBSTITUTE)
            elif kind == _EV_KEY and code in _SHIFTS | _COMMANDS:
                self._hold(code, value)
            elif kind == _EV_KEY and code not in _LOCKS and value == _DOWN:
                typed.append(self._byte(code))
        return bytes(typed)

    def _hold(self, code: int, value: int) -> None:
        if value:
            self._held.add(code)
        else:
            self._held.discard(code)

    def _byte(self, code: int) -> int:
        if self._held & _COMMANDS:
            return SUBSTITUTE
        table = _SHIFTED if self._held & _SHIFTS else _PLAIN
        return table.get(code, SUBSTITUTE)
