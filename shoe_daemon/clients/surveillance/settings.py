"""The configuration of `shoe-daemon surveillance`: where the feed is, and the outputs by name."""

import os
from pathlib import Path
from typing import Annotated

import msgspec

from shoe_daemon.clients.surveillance.courier import Feed
from shoe_daemon.clients.surveillance.syslog import SyslogSection
from shoe_daemon.runtime import endpoints
from shoe_daemon.runtime.shapes import Name
from shoe_daemon.schema import ConfigError, Problem, read_toml

OutputSection = SyslogSection
"""Every kind of output, chosen by `kind`."""

_OutputName = Annotated[
    str,
    msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,32}\Z", description="1 to 32 of A-Z, a-z, 0-9, _ and -"),
]


class FeedSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[feed]`: surveillance's PUB, its ROUTER where that is not at the next port.

    `table`: the events of no other are taken.
    """

    pub: str = "tcp://127.0.0.1:5572"
    router: str | None = None
    table: Name | None = None

    def __post_init__(self) -> None:
        self.doors()

    def doors(self) -> Feed:
        """The feed's addresses. Raises ValueError."""
        pub = endpoints.parse(self.pub)
        router = endpoints.router_of(pub) if self.router is None else endpoints.parse(self.router)
        return Feed(pub.text, router.text, self.table)


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole file."""

    feed: FeedSection = FeedSection()
    outputs: dict[_OutputName, OutputSection]

    def __post_init__(self) -> None:
        if not self.outputs:
            raise ValueError("no output: write [outputs.NAME] with its kind")


def load(path: Path) -> File:
    """Read the file at `path`. Raises ConfigError with every problem."""
    source = os.fsencode(path).decode("utf-8", "backslashreplace")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError([Problem(source, None, "", f"cannot be read: {error.strerror}")]) from None
    return read_toml(data, source, File)
