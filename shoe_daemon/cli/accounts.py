"""A finished account to read messages from: a journal, or a capture that is played again."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from shoe_daemon.cli.output import refuse
from shoe_daemon.clients.told import Clock, Told, decode
from shoe_daemon.runtime.house import House
from shoe_daemon.runtime.inspection import last_house
from shoe_daemon.runtime.replay import replay
from shoe_daemon.runtime.rows import Reader

_JOURNAL: Final = b"SQLite format 3\x00"


def is_journal(path: Path) -> bool:
    """Whether the file is a journal by its first bytes; else it can only be a capture. Raises OSError."""
    with path.open("rb") as file:
        return file.read(len(_JOURNAL)) == _JOURNAL


def messages(path: Path) -> Iterator[Told]:
    """All messages of the account at `path`, in order; of a capture under the delayed policy.

    Raises JournalError, BadLine, OSError, msgspec.DecodeError.
    """
    if is_journal(path):
        with closing(Reader(path)) as journal:
            yield from (decode(message.body) for message in journal.told())
        return
    with path.open("rb") as lines:
        for step in replay(lines):
            yield from (decode(message.body) for message in step)


def house_of(path: Path) -> House:
    """The settings of the house that a journal was last written under; a capture's times are its own."""
    if not is_journal(path):
        return House()
    with closing(Reader(path)) as journal:
        return last_house(journal)


def clock_of(zone: str, *, counted: bool = False) -> Clock:
    """The clock of a zone by its name; refused where this machine does not know it."""
    try:
        return Clock(ZoneInfo(zone), zone, counted)
    except (ValueError, OSError, KeyError):  # no name of a zone at all, a folder, or a zone that is not here
        refuse(f"--zone {zone!r} is no time zone that this machine knows, such as Europe/London")
