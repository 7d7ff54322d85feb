"""The time that a hand-over covers: a gaming day, which begins when the house says, a shift in it, a shoe."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Self

import msgspec

from shoe_daemon.clients.told import Clock, Told


class Period(msgspec.Struct, frozen=True):
    """From `begin` up to but without `end`, both as messages say times. `name`: what it is called.

    `shoe`: what is told of coups, irregularities and disputes is about this shoe alone; None: about any.
    """

    name: str
    begin: str
    end: str
    day_begins: time = time(6)
    shoe: int | None = None

    @classmethod
    def always(cls) -> Self:
        """All the time that a journal covers."""
        return cls("the whole journal", "", "~")  # below and above every time as messages say it

    @classmethod
    def of_day(cls, day: date, begins: time, clock: Clock) -> Self:
        """The gaming day `day`: from `begins` on that date to `begins` on the next."""
        first, after = (datetime.combine(one, begins, clock.zone) for one in (day, day + timedelta(days=1)))
        return cls(f"gaming day {day.isoformat()}", _utc(first), _utc(after), begins)

    @classmethod
    def of_shift(cls, begin: str, end: str, day: date | None, begins: time, clock: Clock) -> Self:
        """A shift between two dates with times, or between two times of the gaming day `day`.

        Raises ValueError where a time cannot be read, has no day, or the end is not after the begin.
        """
        first, last = _moment(begin, day, begins, clock), _moment(end, day, begins, clock, last=True)
        if last <= first:
            raise ValueError(f"the shift ends at {end}, which is not after {begin}")
        return cls(f"shift {begin} to {end}", _utc(first), _utc(last), begins)

    @classmethod
    def of_shoe(cls, number: int, told: Iterable[Told], begins: time) -> Self:
        """From the loading of a shoe to its closing, else to the end of `told`. ValueError: no such shoe."""
        loaded = closed = last = ""
        for one in told:
            last = max(last, one.at)
            if one.shoe == number and one.type == "shoe.loaded":
                loaded = one.at
            elif one.shoe == number and one.type == "shoe.closed":
                closed = one.at
        if not loaded:
            raise ValueError(f"no shoe {number} was loaded")
        end = datetime.fromisoformat(closed or last) + timedelta(microseconds=1)
        return cls(f"receipt of shoe {number}", loaded, _utc(end), begins, number)

    def holds(self, at: str) -> bool:
        """Whether `at` lies in it."""
        return self.begin <= at < self.end

    def is_about(self, shoe: int | None) -> bool:
        """Whether what concerns `shoe` belongs to it."""
        return self.shoe is None or shoe == self.shoe

    def gaming_day(self, at: str, clock: Clock) -> str:
        """The gaming day that `at` is in, as a date."""
        local = clock.local(at)
        before = local.time() < self.day_begins
        return (local.date() - timedelta(days=1) if before else local.date()).isoformat()


def _moment(text: str, day: date | None, begins: time, clock: Clock, *, last: bool = False) -> datetime:
    """A time of the gaming day `day`, or a date with a time. `last`: the day's begin means its end."""
    if len(text) > len("HH:MM:SS"):
        return datetime.fromisoformat(text).replace(tzinfo=clock.zone)
    at = time.fromisoformat(text)
    if day is None:
        raise ValueError(f"{text}: on which day? Name it with --day, or write 2026-11-30T{text}")
    on_day = at > begins if last else at >= begins
    return datetime.combine(day if on_day else day + timedelta(days=1), at, clock.zone)


def _utc(local: datetime) -> str:
    return f"{local.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"
