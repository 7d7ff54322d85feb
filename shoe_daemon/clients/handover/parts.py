"""What a hand-over is made of."""

from typing import Any

import msgspec

from shoe_daemon.clients.told import Told

Key = tuple[int, int]
"""Shoe and coup."""


def second_of(told: Told, person: str | None) -> str | None:
    """Who stood by `person` as he said what `told` came from; None: nobody, or another one said it."""
    said: str | None = told.data.get("second")
    return said if person is not None and told.actor in {None, person} else None


class Revised(msgspec.Struct, frozen=True):
    """A correction or an invalidation. `first_at`: when the coup had its result.

    `adjusts`: that was before the period, so this is an adjustment in it. `second`: who stood by it.
    """

    at: str
    shoe: int
    coup: int
    what: str
    first_at: str
    adjusts: bool
    by: str | None = None
    second: str | None = None


class OpenItem(msgspec.Struct, frozen=True):
    """An irregularity that nobody settled. `code`, `remedies`: None for a shoe that is open."""

    id: int
    shoe: int | None
    coup: int | None
    hold: bool
    code: str | None
    remedies: list[str] | None


class Tally(msgspec.Struct):
    """Irregularities of one code: how many were raised in the period, and how those settled in it were."""

    code: str
    rule: str | None
    raised: int = 0
    settled: dict[str, int] = {}


class ShoeLine(msgspec.Struct):
    """A shoe. Cards are counts; `left` is what the count makes it, `remaining` what was counted by hand.

    `reshuffled`: by the rules in force last all its cards go back and are shuffled after each coup.
    """

    shoe: int
    loaded_at: str
    cards: int
    closed_at: str | None = None
    coups: int | None = None
    read: int | None = None
    unread: int | None = None
    burned: int | None = None
    left: int | None = None
    remaining: int | None = None
    reconciled: bool | None = None
    discrepancies: list[str] = []
    not_attested: list[str] = []
    reshuffled: bool = False


class Change(msgspec.Struct, frozen=True):
    """A dealing method, game or limit that changed, or a notice."""

    at: str
    what: str
    before: Any
    to: Any
    seat: int | None
    by: str | None
    second: str | None = None


class Notice(msgspec.Struct):
    """A sign on the table."""

    id: int
    what: str
    to: Any
    posted_at: str
    effective_at: str
    ripe: bool = False


class Dispute(msgspec.Struct, frozen=True):
    """One stage of a dispute."""

    at: str
    shoe: int | None
    coup: int | None
    stage: str
    decision: str | None
    by: str | None
    second: str | None = None


class Down(msgspec.Struct, frozen=True):
    """A time in which the program or the cable was not there. `end` None: still so at the period's end."""

    what: str
    begin: str
    end: str | None


class ClockSet(msgspec.Struct, frozen=True):
    """The machine's clock was set by `by_s` seconds: it said `before`, and `at` from then on."""

    at: str
    before: str
    by_s: float


class Handover(msgspec.Struct, rename={"begin": "from", "end": "to"}):
    """A table's period. `open_shoe`: the shoe that lies on the table where the account ends, counts only.

    `invalidated`: coups of the period whose result no longer counts at its end; they are not in `results`.
    `sequences`: first and last number told in the period, None where nothing was; for surveillance also while
    a shoe is open, because they could tell of faces that nobody has seen.
    """

    name: str
    begin: str
    end: str
    journal: str | None = None
    table: str | None = None
    results: dict[str, int] = {}
    no_bets: int = 0
    voids: int = 0
    invalidated: int = 0
    revisions: list[Revised] = []
    pending: list[Key] = []
    under_way: Key | None = None
    held: list[Key] = []
    items: list[OpenItem] = []
    notices: list[Notice] = []
    irregularities: list[Tally] = []
    open_shoe: int | None = None
    open_shoe_irregularities: int = 0
    open_shoe_disputes: int = 0
    shoes: list[ShoeLine] = []
    changes: list[Change] = []
    disputes: list[Dispute] = []
    refused: int = 0
    down: list[Down] = []
    clock: list[ClockSet] = []
    sequences: dict[str, tuple[int, int] | None] = {}
    rows: int | None = None
    head: str | None = None
    whole: bool | None = None
