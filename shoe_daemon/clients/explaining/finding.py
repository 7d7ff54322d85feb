"""Which coup a person means: by its number, or by the time at which it was played."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

import msgspec

from shoe_daemon.clients.told import Clock, Told
from shoe_daemon.table.events import PUBLIC

_BEGINS: Final = frozenset({"card.dealt", "card.exposed"})
_ENDS: Final = frozenset({"coup.result", "coup.void", "coup.pending"})
_AT: Final = re.compile(r"(?:(\d{4}-\d\d-\d\d)[ T])?(\d\d:\d\d)(:\d\d)?")


class Span(msgspec.Struct, frozen=True):
    """When a coup was played: from its first card to its result, void or parking (None: not ended)."""

    shoe: int
    coup: int
    begin: str
    end: str | None = None


def spans(told: Iterable[Told]) -> tuple[Span, ...]:
    """Every coup that the public was told of, in the order in which they began."""
    begun: dict[tuple[int, int], Span] = {}
    for message in told:
        if message.audience != PUBLIC or message.shoe is None or message.coup is None:
            continue
        key = (message.shoe, message.coup)
        if message.type in _BEGINS:
            begun.setdefault(key, Span(*key, message.at))
        elif message.type in _ENDS:
            known = begun.get(key, Span(*key, message.at))
            if known.end is None:
                begun[key] = Span(*key, known.begin, message.at)
    return tuple(begun.values())


def numbered(known: Sequence[Span], coup: int, shoe: int | None) -> list[Span]:
    """Coups with this number: of `shoe`, or of every shoe."""
    return [span for span in known if span.coup == coup and shoe in {None, span.shoe}]


def at_time(known: Sequence[Span], said: str, clock: Clock) -> list[Span]:
    """Coups under way at `said`, HH:MM or HH:MM:SS with or without a date; else the last one before.

    Without a date each day is looked at on which a coup began. Raises ValueError where `said` is no time.
    """
    read = _AT.fullmatch(said)
    if read is None:
        raise ValueError(f"{said!r} is no time: 21:40, 21:40:10 or 2026-11-30 21:40")
    day, minute, second = read.groups()
    begins = time.fromisoformat(minute + (second or ""))
    wide = timedelta(minutes=1) if second is None else timedelta(seconds=1)
    found: dict[Span, None] = {}
    for local in [date.fromisoformat(day)] if day else _days(known, clock):
        start = datetime.combine(local, begins, clock.zone)
        found |= dict.fromkeys(_within(known, _utc(start), _utc(start + wide)))
    return list(found)


def _days(known: Sequence[Span], clock: Clock) -> Iterator[date]:
    yield from dict.fromkeys(clock.local(span.begin).date() for span in known)


def _utc(local: datetime) -> str:
    """A time as messages say it."""
    return f"{local.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def _within(known: Sequence[Span], begin: str, end: str) -> list[Span]:
    before = [span for span in known if span.begin < end]
    under_way = [span for span in before if span.end is None or span.end >= begin]
    return under_way or before[-1:]
