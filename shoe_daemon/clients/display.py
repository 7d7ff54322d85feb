"""The trend display: a page on 127.0.0.1 that follows the public feed, and the server that feeds the page.

The page holds no state: each message is the whole picture, so a lost, late or doubled one does no harm. One
comes with each change and every two seconds without, by which the page knows that it is live.
"""

import asyncio
import hashlib
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from importlib import resources
from typing import Final

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shoe_daemon import __version__
from shoe_daemon.clients.board import Board
from shoe_daemon.clients.subscriber import Subscriber

ADDRESS: Final = "127.0.0.1"
BEAT_S: Final = 2.0

_TURN_S: Final = 0.2
_PAGES: Final = 64
_KINDS: Final = {
    "index.html": "text/html; charset=utf-8",
    "display.css": "text/css; charset=utf-8",
    "display.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
_HEADERS: Final = [
    (b"content-security-policy", b"default-src 'self'; base-uri 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]


class Assets(msgspec.Struct, frozen=True):
    """The page's files, and the build that a page compares with its own to know that it is outdated."""

    build: str
    files: dict[str, bytes]


def load_assets() -> Assets:
    """Read the page's files from the package, and write the build into the page."""
    folder = resources.files("shoe_daemon.clients") / "static"
    files = {name: (folder / name).read_bytes() for name in _KINDS}
    digest = hashlib.sha256(b"".join(files.values()) + __version__.encode())
    build = digest.hexdigest()[:16]
    return Assets(build, {name: data.replace(b"{{build}}", build.encode()) for name, data in files.items()})


def application(board: Board, assets: Assets) -> Starlette:
    """Make the web application: the page, its files, and `live`, the stream of messages."""

    async def file(request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        if name not in assets.files:
            return Response("not found", 404)
        return Response(assets.files[name], media_type=_KINDS[name])

    async def live(_: Request) -> Response:
        return StreamingResponse(_stream(board), media_type="text/event-stream")

    return Starlette(
        routes=[Route("/", file), Route("/live", live), Route("/{name}", file)],
        middleware=[Middleware(_Headers)],
    )


async def _stream(board: Board) -> AsyncIterator[bytes]:
    """Yield the present message, and then each further one or after two seconds the same again."""
    while not board.closed:
        seen = board.version
        yield b"data: " + board.message + b"\n\n"
        await board.wait(seen, BEAT_S)


class _Headers:
    """Puts the same headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app: Final = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        await self._app(scope, receive, with_headers)


class _Server(uvicorn.Server):
    """A server that leaves the signals to `serve`, which ends the streams first."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def bind(port: int) -> socket.socket:
    """Listen on `port` of 127.0.0.1, any free one for 0. Raises OSError where it is taken."""
    return socket.create_server((ADDRESS, port), backlog=_PAGES)


async def serve(feed: Subscriber, listener: socket.socket, title: str | None = None) -> None:
    """Show `feed`, the public one, on `listener` until SIGTERM or SIGINT; then close `feed`, in under 2 s."""
    assets = load_assets()
    board = Board(assets.build, title)
    loop = asyncio.get_running_loop()
    server = _Server(
        uvicorn.Config(
            application(board, assets),
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            limit_concurrency=_PAGES,
            timeout_graceful_shutdown=1,
        )
    )

    def stop() -> None:
        feed.stop()
        board.close()
        server.should_exit = True

    def follow() -> None:
        while not feed.stopped:
            items = feed.poll(_TURN_S)
            if items:
                loop.call_soon_threadsafe(board.take, items)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, stop)
    follower = asyncio.create_task(asyncio.to_thread(follow))
    follower.add_done_callback(lambda _: stop())
    try:
        await server.serve(sockets=[listener])
    finally:
        stop()
        try:
            await follower
        finally:
            feed.close()
