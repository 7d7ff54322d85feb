"""The trend display's present message, and those who wait for the next."""

import asyncio
from typing import Final, Literal

import msgspec
import structlog

from shoe_daemon.clients.picture import Picture, draw
from shoe_daemon.clients.sequence import Answered, Item, Live, NewJournal, Stale
from shoe_daemon.clients.wire import Event
from shoe_daemon.table import view as fold

Feed = Literal["starting", "live", "stale", "fault"]

_log: Final = structlog.get_logger("display")


class Shown(msgspec.Struct, frozen=True):
    """One message to the page. `feed` other than `live`: the picture is old and must not look new."""

    build: str
    feed: Feed
    picture: Picture


class Board:
    """The latest message to the page, and those who wait for the next one."""

    def __init__(self, build: str, title: str | None) -> None:
        self.closed = False
        self.version = 0
        self._build: Final = build
        self._title: Final = title
        self._view = fold.empty("public")
        self._feed: Feed = "starting"
        self._wake = asyncio.Event()
        self.message = self._message()

    def take(self, items: list[Item]) -> None:
        """Fold what the feed gave, and show the outcome."""
        for item in items:
            match item:
                case Event():
                    self._fold(item)
                case NewJournal():
                    self._view = fold.empty("public")
                    self._feed = "stale"
                case Live() if self._feed != "fault":
                    self._feed = "live"
                case Stale() if self._feed != "fault":
                    self._feed = "stale"
                case _:
                    pass
            if not isinstance(item, Event | Answered):
                _log.info("display.feed", notice=type(item).__name__, **msgspec.structs.asdict(item))
        self.message = self._message()
        self._tell()

    def close(self) -> None:
        """Let all who wait go: there will be no further message."""
        self.closed = True
        self._tell()

    async def wait(self, seen: int, within: float) -> None:
        """Return at the first message after version `seen`, after `within` seconds, or when closed."""
        if self.version == seen and not self.closed:
            try:
                async with asyncio.timeout(within):
                    await self._wake.wait()
            except TimeoutError:
                pass

    def _fold(self, event: Event) -> None:
        """Fold one event; after one that breaks the contract the picture is in doubt until a new journal."""
        try:
            self._view = fold.apply(self._view, event.message())
        except ValueError as error:
            self._feed = "fault"
            _log.error("display.broken_event", seq=event.seq, type=event.type, error=str(error))

    def _message(self) -> bytes:
        return msgspec.json.encode(Shown(self._build, self._feed, draw(self._view, self._title)))

    def _tell(self) -> None:
        self.version += 1
        wake, self._wake = self._wake, asyncio.Event()
        wake.set()
