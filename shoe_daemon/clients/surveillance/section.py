"""The keys that every output's table in the configuration has."""

from fnmatch import fnmatchcase
from typing import Annotated, Final

import msgspec

from shoe_daemon.clients.surveillance.output import Output
from shoe_daemon.table.events import REGISTRY, SURVEILLANCE

KNOWN: Final = tuple(
    sorted({tag.partition("/")[0] for tag, known in REGISTRY.items() if SURVEILLANCE in known.audiences})
)
"""Every type that surveillance is told."""


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`events`: the types that are handed over, as `coup.result` or `card.*`; all where it is not said.

    `skip_older_s`: an event that the peer could not be given within so many seconds is passed over, and the
    log says how many were; for pictures, where a late line would stand under another scene.
    """

    events: tuple[str, ...] = ("*",)
    skip_older_s: Annotated[float, msgspec.Meta(gt=0)] | None = None

    def __post_init__(self) -> None:
        for pattern in self.events:
            if not any(fnmatchcase(kind, pattern) for kind in KNOWN):
                raise ValueError(f'events: "{pattern}" is no type of event on surveillance (docs/events.md)')

    def wants(self, kind: str) -> bool:
        """Whether events of type `kind` are handed over."""
        return any(fnmatchcase(kind, pattern) for pattern in self.events)

    def output(self) -> Output:
        """The output that this describes."""
        raise NotImplementedError
