"""What the kernel tells of keys: events as they are read, in numbers and packed."""

import struct

Event = tuple[int, int, int]

CODES = {
    "ESC": 1, "1": 2, "2": 3, "3": 4, "4": 5, "5": 6, "6": 7, "7": 8, "8": 9, "9": 10, "0": 11,
    "-": 12, "=": 13, "BACKSPACE": 14, "TAB": 15, "q": 16, "w": 17, "e": 18, "r": 19, "t": 20,
    "y": 21, "u": 22, "i": 23, "o": 24, "p": 25, "[": 26, "]": 27, "ENTER": 28, "LEFTCTRL": 29,
    "a": 30, "s": 31, "d": 32, "f": 33, "g": 34, "h": 35, "j": 36, "k": 37, "l": 38, ";": 39,
    "'": 40, "`": 41, "LEFTSHIFT": 42, "\\": 43, "z": 44, "x": 45, "c": 46, "v": 47, "b": 48,
    "n": 49, "m": 50, ",": 51, ".": 52, "/": 53, "RIGHTSHIFT": 54, "KP*": 55, "LEFTALT": 56,
    " ": 57, "CAPSLOCK": 58, "F1": 59, "NUMLOCK": 69, "SCROLLLOCK": 70, "KP7": 71, "KP8": 72,
    "KP9": 73, "KP-": 74, "KP4": 75, "KP5": 76, "KP6": 77, "KP+": 78, "KP1": 79, "KP2": 80,
    "KP3": 81, "KP0": 82, "KP.": 83, "102ND": 86, "KPENTER": 96, "RIGHTCTRL": 97, "KP/": 98,
    "RIGHTALT": 100, "LINEFEED": 101, "LEFTMETA": 125, "RIGHTMETA": 126,
}  # fmt: skip
"""Keys of a US keyboard with their codes in the kernel's linux/input-event-codes.h, typed off it."""
DROPPED: Event = (0, 3, 0)


def down(key: str) -> list[Event]:
    """A key goes down as the kernel tells it: the scan code, the key, the end of the report."""
    return [(4, 4, 0x70000 + CODES[key]), (1, CODES[key], 1), (0, 0, 0)]


def up(key: str) -> list[Event]:
    return [(4, 4, 0x70000 + CODES[key]), (1, CODES[key], 0), (0, 0, 0)]


def repeat(key: str) -> list[Event]:
    return [(1, CODES[key], 2), (0, 0, 1)]


def press(*keys: str) -> list[Event]:
    """Each key goes down and up."""
    return [event for key in keys for event in (*down(key), *up(key))]


def packed(events: list[Event]) -> bytes:
    """Events as a process reads them: `struct input_event`, here with the time zero."""
    return b"".join(struct.pack("@llHHi", 0, 0, *event) for event in events)
