"""Frames: how a profile tells where they begin and end, their checksums, and cutting bytes into them."""

from drivers.framing.checksums import Checksum
from drivers.framing.frame import Fault, Frame, Framer
from drivers.framing.lines import Lines
from drivers.framing.shapes import Counted, Delimited, Escaped, Fixed, Framing
from drivers.framing.window import window

__all__ = [
    "Checksum",
    "Counted",
    "Delimited",
    "Escaped",
    "Fault",
    "Fixed",
    "Frame",
    "Framer",
    "Framing",
    "framer_of",
]


def framer_of(framing: Framing, checksum: Checksum | None) -> Framer:
    """Make what cuts bytes into such frames."""
    if isinstance(framing, Delimited):
        return Lines(framing, checksum)
    return window(framing, checksum)
