"""The keys of a configuration file, with their types and defaults."""

from typing import Annotated, Literal

import msgspec

from shoe_daemon.runtime.house import House
from shoe_daemon.table.procedure import When

Name = Annotated[
    str,
    msgspec.Meta(pattern=r"^[A-Za-z0-9._-]{1,32}\Z", description="1 to 32 of A-Z, a-z, 0-9, dot, _ and -"),
]
Text = Annotated[str, msgspec.Meta(min_length=1, description="text, not empty")]


class TableSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[table]`. A part of the procedure that is None is as the procedure has it."""

    id: Name
    name: str = ""
    rules: Text
    procedure: Literal["face-up", "result-button", "dealer-reveal", "squeeze", "method-b", "method-c"]
    decks: Annotated[int, msgspec.Meta(ge=1)] | None = None
    settle_s: Annotated[float, msgspec.Meta(ge=0, le=600)] | None = None
    betting_opens: Literal["auto", "command"] | None = None
    betting_closes: Literal["first-card", "no-more-bets"] | None = None
    first_four: When | None = None
    p3: When | None = None
    b3: When | None = None
    hands: Literal["together", "one-by-one"] | None = None
    coup_ends: Literal["auto", "press", "confirm"] | None = None
    allow_face_up: bool = False


class ShoeSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[shoe]`."""

    profile: Text
    port: Text
    allow_unstable: bool = False


class JournalSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[journal]`. A path that does not start with a slash starts at the configuration file.

    `signing_key`: PEM file of the Ed25519 key that signs checkpoints; None: there are none.
    """

    path: Text
    signing_key: Text | None = None


class FeedSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[feed]`. A ROUTER (`*_replay`) that is None is at the port after its PUB's.

    A consumer that has not acknowledged for `late_s` what was told is an alarm.
    """

    public: str = "tcp://127.0.0.1:5570"
    public_replay: str | None = None
    surveillance: str = "tcp://127.0.0.1:5572"
    surveillance_replay: str | None = None
    cage: str = "tcp://127.0.0.1:5574"
    cage_replay: str | None = None
    control: str = "tcp://127.0.0.1:5576"
    hidden_cards: Literal["delayed", "immediate"] = "delayed"
    control_claims: bool = False
    late_s: Annotated[int, msgspec.Meta(ge=1, le=86_400)] = 60


class KeysSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[keys]`: CURVE on every tcp endpoint. `folder` starts at the configuration file without a slash."""

    folder: Text


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole file. `buttons`: what a device's button, `shoe:NAME`, means: a verb."""

    table: TableSection
    shoe: ShoeSection
    journal: JournalSection
    feed: FeedSection = FeedSection()
    keys: KeysSection | None = None
    house: House = House()
    buttons: dict[str, str] = {}
