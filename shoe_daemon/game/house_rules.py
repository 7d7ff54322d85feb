"""What a document says of the house: dealing methods, notices, opening a table, invalid results."""

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from shoe_daemon.game.methods import Method

RuleId = Annotated[
    str, Meta(pattern=r"^[A-Z]+-[A-Za-z0-9.]+\Z", description='the id of a rule, such as "NSW-13.4"')
]
Ground = Literal["disruption", "fraud"]
What = Literal["minimum", "closing", "game", "other"]
Passing = Literal["accepted", "passed", "ordered", "banker_lost", "wager_lost", "no_wager", "every_coup"]
"""Why bank, marker or shoe goes to another seat."""
Step = Literal["inspection", "spread", "wash", "stack", "shuffle", "cut", "seal"]


class Methods(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dealing methods that the document knows.

    `approval`: those that a casino duty manager must approve. They are used off the main floor alone,
    and once surveillance and an inspector know. `passes`: the rule by which marker or shoe goes on.
    """

    allowed: tuple[Method, ...]
    rule: RuleId
    approval: tuple[Method, ...]
    approval_rule: RuleId
    informed_rule: RuleId
    passes: dict[Method, RuleId] = {}


class Notice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long a sign must be up before it may be done."""

    minutes: Annotated[int, Meta(ge=1, le=24 * 60)]
    rule: RuleId


class Notices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Notices that are due: a higher minimum, closing with players present, another game."""

    minimum: Notice | None = None
    closing: Notice | None = None
    game: Notice | None = None


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is done with the cards before they go into the shoe; `sealed` instead, where cards come so.

    `inspections`: by so many persons, each on his own.
    """

    steps: tuple[Step, ...]
    inspections: Annotated[int, Meta(ge=0, le=2)]
    sealed: tuple[Step, ...]
    rule: RuleId
    sealed_rule: RuleId


class Bank(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player holds the bank: it passes when the Banker's Hand loses, or without a wager of his."""

    banker_loses: RuleId
    no_wager: RuleId


class Demonstrations(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Coups without wagers that may be dealt to show the game, for each new shoe."""

    per_shoe: Annotated[int, Meta(ge=1)]
    rule: RuleId


class HouseRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parts that a document may have. `invalidation`: the rule by the ground on which a result falls."""

    methods: Methods | None = None
    notices: Notices = Notices()
    opening: Opening | None = None
    invalidation: dict[Ground, RuleId] = {}
    bank: Bank | None = None
    demonstrations: Demonstrations | None = None

    def notice(self, what: What) -> Notice | None:
        """Give the notice that is due before `what`, or None."""
        match what:
            case "minimum":
                return self.notices.minimum
            case "closing":
                return self.notices.closing
            case "game":
                return self.notices.game
            case "other":
                return None

    def rule_ids(self) -> Iterator[tuple[str, str]]:
        """Give every rule id with its dotted key."""
        for part in HouseRules.__struct_fields__:
            yield from _ids(f"house.{part}", getattr(self, part))


def _ids(key: str, value: object) -> Iterator[tuple[str, str]]:
    """Every text in `value` that is no name of a step or a method is the id of a rule."""
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _ids(f"{key}.{name}", getattr(value, name))
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from _ids(f"{key}.{name}", one)
    elif isinstance(value, str):
        yield key, value
