"""The trend display: a page on 127.0.0.1 that follows the public feed, and the server that feeds the page.

The page holds no state: each message is the whole picture, so a lost, late or doubled one does no harm. A message
comes with each change and every two seconds without one, by which the page knows that it is live.
"""

import asyncio
import hashlib
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Final, Literal

import msgspec
import structlog
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shoe_daemon import __version__
from shoe_daemon.clients.picture import Picture, draw
from shoe_daemon.clients.sequence import Item, Live, NewJournal, Stale
from shoe_daemon.clients.subscriber import Subscriber
from shoe_daemon.clients.wire import Event
from shoe_daemon.table import view as fold

BEAT_S: Final = 2.0
ADDRESS: Final = "127.0.0.1"

_TURN_S: Final = 0.2
_KINDS: Final = {
    "display.js": "text/javascript; charset=utf-8",
    "display.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
_HEADERS: Final = [
    (b"content-security-policy", b"default-src 'self'; base-uri 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]
_log: Final = structlog.get_logger()


class Shown(msgspec.Struct, frozen=True):
    """One message to the page. `feed` other than `live`: the picture is old and must not look new."""

    build: str
    feed: Literal["starting", "live", "stale", "fault"]
    picture: Picture


class Board:
    """The latest message to the page, and those who wait for the next one."""

    def __init__(self, build: str, title: str | None) -> None:
        self.closed = False
        self.version = 0
        self._build: Final = build
        self._title: Final = title
        self._view = fold.empty("public")
        self._feed: Literal["starting", "live", "stale", "fault"] = "starting"
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
            if not isinstance(item, Event):
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
        """A message that breaks the contract makes the picture doubtful, until the feed begins anew."""
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
