"""The configuration of `shoe-daemon surveillance`: where the feed is, and the outputs by name."""

import os
from pathlib import Path
from typing import Annotated, Final, get_args

import msgspec

from shoe_daemon.clients.subscriber import ClientKeys
from shoe_daemon.clients.surveillance.courier import Feed
from shoe_daemon.clients.surveillance.frigate import FrigateSection
from shoe_daemon.clients.surveillance.mqtt import MqttSection
from shoe_daemon.clients.surveillance.syslog import SyslogSection
from shoe_daemon.clients.surveillance.text import TextSection
from shoe_daemon.clients.surveillance.zoneminder import ZoneMinderSection
from shoe_daemon.runtime import endpoints
from shoe_daemon.runtime.keys import KeyFileError, public_key, read_pair
from shoe_daemon.runtime.shapes import Name, Text
from shoe_daemon.schema import ConfigError, Problem, problem, read_toml

OutputSection = SyslogSection | TextSection | ZoneMinderSection | FrigateSection | MqttSection
"""Every kind of output, chosen by `kind`."""

_OutputName = Annotated[
    str,
    msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,32}\Z", description="1 to 32 of A-Z, a-z, 0-9, _ and -"),
]


class FeedSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[feed]`: surveillance's PUB, its ROUTER where that is not at the next port.

    `table`: the events of no other are taken. `key`, `server`: files of our pair and of the daemon's public
    key, where it asks for keys.
    """

    pub: str = "tcp://127.0.0.1:5572"
    router: str | None = None
    table: Name | None = None
    key: Text | None = None
    server: Text | None = None

    def __post_init__(self) -> None:
        self.doors()
        if (self.key is None) != (self.server is None):
            raise ValueError(f"{'server' if self.key is None else 'key'}: key and server go together")

    def keys(self, base: Path) -> ClientKeys | None:
        """Our keys, their files beside `base`. Raises KeyFileError."""
        if self.key is None or self.server is None:
            return None
        return ClientKeys(read_pair(base / self.key), public_key(base / self.server))

    def doors(self) -> Feed:
        """The feed's addresses. Raises ValueError, whose text begins with the key."""
        try:
            pub = endpoints.parse(self.pub)
        except ValueError as error:
            raise ValueError(f"pub: {error}") from None
        try:
            router = endpoints.router_of(pub) if self.router is None else endpoints.parse(self.router)
        except ValueError as error:
            raise ValueError(f"router: {error}") from None
        return Feed(pub.text, router.text, self.table)


_KEYS: Final = {"kind"} | frozenset(
    key for shape in (FeedSection, *get_args(OutputSection)) for key in shape.__struct_fields__
)


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
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    try:
        file = read_toml(data, source, File)
    except ConfigError as error:
        raise ConfigError(_at_its_key(one, text) for one in error.problems) from None
    try:
        file.feed.keys(path.absolute().parent)
    except KeyFileError as error:
        raise ConfigError([problem(text, source, "feed.key", str(error))]) from None
    return file


def _at_its_key(found: Problem, text: str) -> Problem:
    """A problem whose words begin with a key of its table, at that key."""
    name, colon, words = found.message.partition(": ")
    if not colon or name not in _KEYS:
        return found
    return problem(text, found.source, f"{found.key}.{name}", words)
