"""`shoe-daemon cage`: each event of its feed once into a database of the cage's own, and acknowledged there.

What is acknowledged is on disk here. An acknowledgement that is lost costs nothing: the next one says more.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import msgspec

from shoe_daemon.clients.events import describe
from shoe_daemon.clients.ledger import Ledger
from shoe_daemon.clients.operator import Asker, Unanswered
from shoe_daemon.clients.sequence import Answered, NewJournal
from shoe_daemon.clients.subscriber import ClientKeys, Subscriber
from shoe_daemon.clients.wire import Event
from shoe_daemon.runtime.endpoints import parse
from shoe_daemon.runtime.keys import KeyFileError, public_key, read_pair
from shoe_daemon.runtime.shapes import Name, Text
from shoe_daemon.schema import ConfigError, Problem, problem, read_toml

AUDIENCE: Final = "cage"
_TURN_S: Final = 0.5
_ACK_S: Final = 1.0
"""So often at most the daemon is told how far we are."""
_PATIENCE_S: Final = 1.0
Consumer = Annotated[
    str,
    msgspec.Meta(pattern=r"^[A-Za-z0-9._-]{1,64}\Z", description="1 to 64 of A-Z, a-z, 0-9, dot, _ and -"),
]


class FeedSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[feed]`: where the table tells the cage. `key`, `server`: files of our pair and of its public key."""

    table: Name
    pub: Text
    router: Text
    key: Text | None = None
    server: Text | None = None


class StoreSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[store]`: the database, and the name under which the daemon knows how far it is."""

    path: Text
    consumer: Consumer = "cage"


class CageFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole configuration; its paths start at the file."""

    feed: FeedSection
    store: StoreSection


class Cage(msgspec.Struct, frozen=True):
    """A configuration in force."""

    table: str
    pub: str
    router: str
    keys: ClientKeys | None
    store: Path
    consumer: str


def load(path: Path) -> Cage:
    """Read the configuration at `path`. Raises ConfigError with every problem."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError([Problem(str(path), None, "", f"cannot be read: {error.strerror}")]) from error
    file = read_toml(data, str(path), CageFile)
    base, feed = path.absolute().parent, file.feed
    wrong: dict[str, str] = {}
    for key, text in (("feed.pub", feed.pub), ("feed.router", feed.router)):
        try:
            parse(text)
        except ValueError as error:
            wrong[key] = str(error)
    keys: ClientKeys | None = None
    if (feed.key is None) != (feed.server is None):
        wrong["feed.key" if feed.server is None else "feed.server"] = "key and server go together"
    elif feed.key is not None and feed.server is not None:
        try:
            keys = ClientKeys(read_pair(base / feed.key), public_key(base / feed.server))
        except KeyFileError as error:
            wrong["feed.key"] = str(error)
    if wrong:
        text = data.decode("utf-8", "replace")
        raise ConfigError([problem(text, str(path), key, words) for key, words in wrong.items()])
    return Cage(feed.table, feed.pub, feed.router, keys, base / file.store.path, file.store.consumer)


def keep(cage: Cage, say: Callable[[str], None], *, once: bool = False) -> int:
    """Take events until interrupted or, with `once`, up to the feed's present top. The exit code.

    Raises LedgerError where the database cannot be used: nothing is lost by it, it goes on from there.
    """
    ledger = Ledger(cage.store)
    try:
        at = ledger.position()
        feed = Subscriber(
            cage.pub,
            cage.router,
            AUDIENCE,
            table=cage.table,
            after=0 if at is None else at.seq,
            journal=None if at is None else at.journal,
            keys=cage.keys,
        )
        with feed, Asker(cage.router, _PATIENCE_S, cage.keys) as asker:
            return _Keeper(cage, ledger, feed, asker, say).run(once=once)
    except KeyboardInterrupt:
        return 0
    finally:
        ledger.close()


class _Keeper:
    def __init__(
        self, cage: Cage, ledger: Ledger, feed: Subscriber, asker: Asker, say: Callable[[str], None]
    ) -> None:
        self._cage = cage
        self._ledger = ledger
        self._feed = feed
        self._asker = asker
        self._say = say
        self._told = 0
        self._next = 0.0

    def run(self, *, once: bool) -> int:
        top: int | None = None
        while True:
            for item in self._turn():
                match item:
                    case NewJournal():
                        top, self._told = None, 0
                    case Answered() if top is None:
                        top = item.top
                    case _:
                        pass
            if once and top is not None and self._feed.last >= top:
                self._acknowledge()
                return 0
            if time.monotonic() >= self._next:
                self._acknowledge()

    def _turn(self) -> list[object]:
        """Take what came, the events of each journal in one transaction; what else there was is given."""
        events: list[Event] = []
        others: list[object] = []
        for item in self._feed.poll(_TURN_S):
            if isinstance(item, Event):
                events.append(item)
                continue
            if isinstance(item, NewJournal):  # what came before it is of the old one
                self._ledger.take(events)
                events = []
            if (words := describe(item)) is not None:
                self._say(words)
            others.append(item)
        self._ledger.take(events)
        return others

    def _acknowledge(self) -> None:
        self._next = time.monotonic() + _ACK_S
        last = self._feed.last
        if last == self._told:
            return
        try:
            answer = self._asker.ask({"ack": last, "consumer": self._cage.consumer})
        except Unanswered:
            return  # it is asked for again, and says so where the feed is silent
        if "error" in answer:
            self._say(f"the daemon does not keep how far we are: {answer['error']}")
            return
        self._told = last
