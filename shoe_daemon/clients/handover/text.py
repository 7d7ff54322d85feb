"""A hand-over as one page of plain text, for two persons to sign by hand."""

from collections.abc import Iterator
from typing import Any

from shoe_daemon.clients.handover.parts import Change, Dispute, Handover, Key, OpenItem, Revised, ShoeLine
from shoe_daemon.clients.handover.period import Period
from shoe_daemon.clients.pages import field, moved
from shoe_daemon.clients.told import Clock
from shoe_daemon.table.events import SURVEILLANCE


def page(made: Handover, period: Period, clock: Clock) -> list[str]:
    """The whole page."""
    return [
        f"HAND-OVER  table {made.table}  {made.name}",
        *field("from", [f"{_when(made.begin, clock)} to {_when(made.end, clock)}, {clock.meaning}"]),
        *field("journal", _journal(made)),
        "",
        *field("coups", _coups(made)),
        *field("revisions", (_revised(one, period, clock) for one in made.revisions)),
        *field("without end", _without_end(made)),
        *field("open items", map(_item, made.items)),
        *field("notices", _notices(made, clock)),
        *field("irregular", _irregular(made)),
        *field("shoes", (line for shoe in made.shoes for line in _shoe(shoe, clock))),
        *field("changes", (_change(one, clock) for one in made.changes)),
        *field("disputes", _disputes(made, clock)),
        *field("downtime", _down(made, clock)),
        *field("clock set", _clock(made, clock)),
        *field("refused", [f"commands {made.refused}"] if made.refused else []),
        "",
        "Handed over by                            Taken over by",
        "",
        *(f"{what:10}{'_' * 28}    {what:10}{'_' * 28}" for what in ("name", "signed", "time")),
    ]


def _when(at: str, clock: Clock) -> str:
    return f"{clock.date(at)} {clock.seconds(at)}"


def _named(key: Key) -> str:
    return f"shoe {key[0]} coup {key[1]}"


def _by(one: Revised | Change | Dispute) -> str:
    if one.by is None:
        return ""
    return f" by {one.by}" + ("" if one.second is None else f" with {one.second}")


def _journal(made: Handover) -> Iterator[str]:
    yield str(made.journal)
    for audience, ends in made.sequences.items():
        nothing = "nothing told"
        if audience == SURVEILLANCE and made.open_shoe is not None:
            nothing = "sequence not told while a shoe is open"
        yield f"{audience}: " + (nothing if ends is None else f"sequence {ends[0]} to {ends[1]}")
    if made.head is not None:
        whole = "whole" if made.whole else "NOT WHOLE: see `shoe-daemon journal verify`"
        yield f"chain of {made.rows} rows, {whole}, its head"
        yield made.head


def _coups(made: Handover) -> Iterator[str]:
    total = sum(made.results.values())
    outcomes = ", ".join(f"{name.capitalize()} {count}" for name, count in made.results.items())
    yield f"with a result {total}: {outcomes}; of them without wagers {made.no_bets}"
    yield f"void {made.voids}, invalidated {made.invalidated}"


def _revised(one: Revised, period: Period, clock: Clock) -> str:
    kind = f"adjustment of {period.gaming_day(one.first_at, clock)}, " if one.adjusts else ""
    return f"{_when(one.at, clock)} {kind}{_named((one.shoe, one.coup))}: {one.what}{_by(one)}"


def _without_end(made: Handover) -> Iterator[str]:
    for what, keys in (
        ("under way", [] if made.under_way is None else [made.under_way]),
        ("parked", made.pending),
        ("held", made.held),
    ):
        if keys:
            yield f"{what}: {', '.join(map(_named, keys))}"


def _item(item: OpenItem) -> str:
    where = "" if item.shoe is None else f", shoe {item.shoe}"
    where += "" if item.coup is None else f" coup {item.coup}"
    hold = ", holds" if item.hold else ""
    if item.code is None or item.remedies is None:
        return f"irregularity {item.id}{where}{hold}: told once its shoe is closed"
    return f"irregularity {item.id} {item.code}{where}{hold}: {', '.join(item.remedies)}"


def _notices(made: Handover, clock: Clock) -> Iterator[str]:
    for notice in made.notices:
        to = "" if notice.to is None else f" to {notice.to}"
        state = "may be done" if notice.ripe else f"not before {_when(notice.effective_at, clock)}"
        yield f"{notice.id} {notice.what}{to}, up since {_when(notice.posted_at, clock)}: {state}"


def _irregular(made: Handover) -> Iterator[str]:
    for tally in made.irregularities:
        rule = "" if tally.rule is None else f" ({tally.rule})"
        settled = ", ".join(f"{remedy} {count}" for remedy, count in sorted(tally.settled.items()))
        yield f"{tally.code}{rule} {tally.raised}" + (f"; settled: {settled}" if settled else "")
    if made.open_shoe_irregularities:
        yield f"of shoe {made.open_shoe}, which is open: {made.open_shoe_irregularities}"


def _shoe(shoe: ShoeLine, clock: Clock) -> Iterator[str]:
    if shoe.closed_at is None:
        yield f"{shoe.shoe}: {shoe.cards} cards, loaded {_when(shoe.loaded_at, clock)}, open"
        return
    yield f"{shoe.shoe}: {_when(shoe.loaded_at, clock)} to {_when(shoe.closed_at, clock)}, coups {shoe.coups}"
    counted = "not counted" if shoe.remaining is None else f"counted {shoe.remaining}"
    out = f"read {shoe.read}, unread {shoe.unread}, burned {shoe.burned}"
    how = f"{shoe.cards} less {out}"
    if shoe.reshuffled:
        how = f"{shoe.cards}, all shuffled after each coup ({out})"
    yield f"  {how}: computed {shoe.left}, {counted}"
    if shoe.discrepancies or shoe.reconciled is not None:
        how = "reconciled" if shoe.reconciled else "DISCREPANCY"
        yield f"  {how} {', '.join(shoe.discrepancies)}".rstrip()
    if shoe.not_attested:
        yield f"  not attested before it was loaded: {', '.join(shoe.not_attested)}"


def _change(one: Change, clock: Clock) -> str:
    seat = "" if one.seat is None else f", seat {one.seat}"
    return f"{_when(one.at, clock)} {one.what}{seat}: {_value(one.before)} to {_value(one.to)}{_by(one)}"


def _value(value: Any) -> str:  # noqa: ANN401 - a method, a game or an amount
    return "none" if value is None else str(value)


def _disputes(made: Handover, clock: Clock) -> Iterator[str]:
    for one in made.disputes:
        decided = "" if one.decision is None else f": {one.decision}"
        yield f"{_when(one.at, clock)} shoe {one.shoe} coup {one.coup} {one.stage}{decided}{_by(one)}"
    if made.open_shoe_disputes:
        yield f"of shoe {made.open_shoe}, which is open: {made.open_shoe_disputes}"


def _down(made: Handover, clock: Clock) -> Iterator[str]:
    for one in made.down:
        end = "still so" if one.end is None else f"to {_when(one.end, clock)}"
        yield f"{one.what} {_when(one.begin, clock)} {end}"


def _clock(made: Handover, clock: Clock) -> Iterator[str]:
    for one in made.clock:
        yield f"{_when(one.at, clock)} {moved(one.by_s)}, until then {_when(one.before, clock)}"
