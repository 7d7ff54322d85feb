"""Pages of plain text: named fields, each with its lines beside the name."""

import textwrap
from collections.abc import Iterable, Iterator
from typing import Final

WIDTH: Final = 80
"""Columns of a page."""
_MARGIN: Final = 15


def field(name: str, lines: Iterable[str], nothing: str = "none") -> Iterator[str]:
    """Lines of a page for one field; `nothing` stands where there are none."""
    first = f"{name:{_MARGIN}}"
    for line in list(lines) or [nothing]:
        yield from textwrap.wrap(
            line, WIDTH, initial_indent=first, subsequent_indent=" " * (_MARGIN + 2), break_on_hyphens=False
        )
        first = " " * _MARGIN


def moved(by_s: float) -> str:
    """Which way and how far a clock was set."""
    return f"{'back' if by_s < 0 else 'forward'} by {abs(by_s):.1f} s"
