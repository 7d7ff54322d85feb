"""What the account of a coup is made of."""

from typing import Any, Literal

import msgspec

from shoe_daemon.clients.explaining.cards import CardFact
from shoe_daemon.clients.explaining.decisions import Decision

Status = Literal["result", "void", "invalidated", "pending", "under_way", "not_dealt"]
"""How it stands with a coup; `not_dealt`: its shoe was closed before it was."""


class Happening(msgspec.Struct, frozen=True):
    """One thing that happened, in words. `moment`: a time that the words name, as messages say times."""

    at: str
    type: str
    words: str
    moment: str | None = None


class Irregularity(msgspec.Struct):
    """An irregularity of this coup, and how it was settled.

    `coup`: the one that it was raised in; None: between coups, before this one ended.
    `holds`: the coups that it holds, in turn: one about an unread card goes where that card goes.
    """

    id: int
    code: str
    rule: str | None
    kind: str
    hold: bool
    holds: list[int]
    remedies: list[str]
    text: str | None
    coup: int | None
    raised_at: str
    raised_by: str | None
    raised_second: str | None = None
    settled_at: str | None = None
    remedy: str | None = None
    settled_by: str | None = None
    settled_second: str | None = None
    late: bool = False


class Revision(msgspec.Struct):
    """A result. `pays`: odds of the winning bets, None where the cage's messages are not shown.

    `second`: who stood by what `by` said.
    """

    revision: int
    at: str
    by: str | None
    cause: str | None
    outcome: str
    words: str
    player: dict[str, Any]
    banker: dict[str, Any]
    natural: bool
    no_bet: bool
    last_coup: bool
    method: str | None
    bets: dict[str, str]
    rules: dict[str, str]
    rule_ids: list[str]
    second: str | None = None
    settlement: str | None = None
    pays: dict[str, str] | None = None


class Dispute(msgspec.Struct, frozen=True):
    """A dispute about this coup, one stage of it."""

    at: str
    stage: str
    decision: str | None
    seat: int | None
    by: str | None
    second: str | None = None


class Explained(msgspec.Struct, frozen=True, rename={"begin": "from", "end": "to"}):
    """A coup as `view` was told of it. `withheld`: what is not shown, and why; None where all is."""

    journal: str
    table: str
    shoe: int
    coup: int
    begin: str
    end: str
    view: Literal["public", "surveillance"]
    withheld: str | None
    status: Status
    loaded: dict[str, Any] | None
    cards: list[CardFact]
    first_points: tuple[int, int] | None
    decisions: tuple[Decision, ...]
    irregularities: list[Irregularity]
    revisions: list[Revision]
    disputes: list[Dispute]
    happenings: list[Happening]
