"""ZeroMQ: for each audience a PUB socket, and a ROUTER for what a PUB lost.

All sockets are plain ones. A ROUTER belongs to the loop's thread. A PUB only sends and never blocks: to a
subscriber that does not read, messages are lost, and it asks for them again; the thread that wrote a batch
to disk sends it too, which saves a way back to the loop. The descriptor of a ROUTER
tells edges, not levels, so it is drained until ZeroMQ says EAGAIN, and once more after every send, which
may have taken an edge. Thus no receive is ever awaited, and none can be cancelled.
"""

import asyncio
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Final, Protocol

import structlog
import zmq

from shoe_daemon.runtime.bound import CONFIGURATION, LINGER_MS, Bound, bind_again, bind_all
from shoe_daemon.runtime.endpoints import Doors, Endpoint
from shoe_daemon.runtime.gate import Gate
from shoe_daemon.runtime.requests import Frames, Requests, error, header

BEAT_S: Final = 1.0
_DRAIN: Final = 100
_WAITING: Final = 8
_PEERS: Final = 256
_PATIENCE_S: Final = 30.0
_RETRY_S: Final = (0.01, 0.2)

Serve = Callable[[bytes, str], AsyncGenerator[Frames, None]]
"""Answers a request; the second argument is the client's key, empty where the socket asks for none."""
_log = structlog.get_logger("feed")


class Told(Protocol):
    """A message as it goes out."""

    @property
    def audience(self) -> str:
        """Whom it is for."""

    @property
    def seq(self) -> int:
        """Its number, for its audience."""

    @property
    def topic(self) -> bytes:
        """First frame."""

    @property
    def body(self) -> bytes:
        """Third frame, JSON."""


class Router:
    """A ROUTER that answers by `serve`: each client's requests in turn, the clients side by side."""

    def __init__(self, bound: Bound, serve: Serve) -> None:
        """Serve from now on, in the running loop."""
        self._bound = bound
        self._socket = bound.socket
        self._serve = serve
        self._loop = asyncio.get_running_loop()
        self._queues: dict[bytes, deque[tuple[bytes, str]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._open = True
        self._fd = int(self._socket.getsockopt(zmq.FD))
        self._draining = False
        self._loop.add_reader(self._fd, self._drain)
        self._drain_soon()

    async def close(self) -> None:
        """Stop at once: what is being answered is asked again."""
        self._open = False
        self._loop.remove_reader(self._fd)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._bound.close()

    def _drain(self) -> None:
        """Take what waits; more than a share of it comes after what else the loop has to do."""
        self._draining = False
        if not self._open:
            return
        for _ in range(_DRAIN):
            try:
                peer, *frames = self._socket.recv_multipart(zmq.NOBLOCK, copy=False)
            except zmq.Again:
                return
            key = str(peer.get("User-Id")) if self._bound.asks else ""
            self._take(peer.bytes, [frame.bytes for frame in frames], key)
        self._drain_soon()

    def _drain_soon(self) -> None:
        if not self._draining:
            self._draining = True
            self._loop.call_soon(self._drain)

    def _take(self, peer: bytes, frames: Frames, key: str) -> None:
        request = frames[-1] if frames else b""
        queue = self._queues.get(peer)
        if len(frames) != 1:
            self._try(peer, error(request, "a request is one frame, with no empty one before it"))
        elif queue is not None:
            if len(queue) < _WAITING:
                queue.append((request, key))
            else:
                self._try(peer, error(request, "too many requests at a time"))
        elif len(self._queues) >= _PEERS:
            self._try(peer, error(request, "too many clients at a time"))
        else:
            self._queues[peer] = deque([(request, key)])
            task = self._loop.create_task(self._work(peer))
            self._tasks.add(task)
            task.add_done_callback(self._done)

    async def _work(self, peer: bytes) -> None:
        """Answer one client until it asks no more."""
        queue = self._queues[peer]
        try:
            while queue:
                async with aclosing(self._serve(*queue.popleft())) as answers:
                    async for frames in answers:
                        if not await self._send(peer, frames):
                            return
        finally:
            del self._queues[peer]

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (failed := task.exception()):
            self._loop.call_exception_handler(
                {"message": "a request failed", "exception": failed, "task": task}
            )

    async def _send(self, peer: bytes, frames: Frames) -> bool:
        """Send, however slowly the client reads; False where it is gone or does not read at all."""
        pause, longest = _RETRY_S
        end = self._loop.time() + _PATIENCE_S
        while self._loop.time() < end:
            sent = self._try(peer, frames)
            if sent is not None:
                return sent
            # ZeroMQ tells that some client has room, not which; so this one is tried again.
            await asyncio.sleep(pause)
            pause = min(2 * pause, longest)
        _log.warning("client does not read its answer: given up")
        return False

    def _try(self, peer: bytes, frames: Frames) -> bool | None:
        """Send without waiting; None: the client has no room now, False: it is gone."""
        try:
            self._socket.send_multipart([peer, *frames], zmq.NOBLOCK)
        except zmq.Again:
            return None
        except zmq.ZMQError as failed:
            if failed.errno != zmq.EHOSTUNREACH:
                raise
            return False
        finally:
            self._drain_soon()
        return True


class Feed:
    """What all audiences are told, at `doors` by audience; `requests` answers those that ask.

    `source`: the file that names the doors.
    """

    def __init__(  # noqa: PLR0913 - what it serves, and to whom
        self,
        table: str,
        doors: Mapping[str, Doors],
        requests: Requests,
        *,
        beat_s: float = BEAT_S,
        source: str = CONFIGURATION,
        gate: Gate | None = None,
    ) -> None:
        self._source = source
        self._gate = gate
        self._doors = doors
        self._requests = requests
        self._tops = requests.tops()
        self._beats = {audience: f"{audience}/{table}/heartbeat/".encode() for audience in doors}
        self._beat_s = beat_s
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._pubs: dict[str, Bound] = {}
        # A PUB is used by two threads in turn, never at once: the lock is the fence that ZeroMQ asks for.
        self._sending = threading.Lock()
        self._routers: dict[str, Router] = {}
        self._timer: asyncio.TimerHandle | None = None

    def open(self) -> None:
        """Bind everything and begin to beat, in the running loop. Raises ConfigError, naming all failures."""
        wanted: dict[str, tuple[int, Endpoint]] = {}
        for audience, doors in self._doors.items():
            wanted |= _both(audience, doors)
        if self._gate is not None:
            self._gate.open(self._context)
        bound = bind_all(self._context, wanted, self._source, self._gate)
        for audience in self._doors:
            self._serve(audience, bound)
        self._beat()

    def _serve(self, audience: str, bound: Mapping[str, Bound]) -> None:
        answer = self._requests.answer
        self._routers[audience] = Router(
            bound[f"feed.{audience}_replay"], lambda request, _: answer(audience, request)
        )
        with self._sending:
            self._pubs[audience] = bound[f"feed.{audience}"]

    async def reopen(self, audience: str) -> None:
        """Close what an audience has open, and serve it anew: all come back but those who may not."""
        with self._sending:
            pub = self._pubs.pop(audience)
        await self._routers.pop(audience).close()
        pub.close()
        wanted = _both(audience, self._doors[audience])
        self._serve(audience, await bind_again(self._context, wanted, self._source, self._gate))

    def publish(self, messages: Sequence[Told]) -> None:
        """Send what is in the journal, in order; from any one thread, beside the beats of the loop's.

        One audience after the other: what one of them hears waits for no more than it must.
        """
        with self._sending:
            for audience, bound in self._pubs.items():
                for message in messages:
                    if message.audience == audience:
                        self._tops[audience] = message.seq
                        frames = (message.topic, header(self._requests.journal, message.seq), message.body)
                        bound.socket.send_multipart(frames)

    async def close(self) -> None:
        """Close all in a bounded time; what a subscriber did not get it asks for later."""
        if self._timer:
            self._timer.cancel()
        for router in self._routers.values():
            await router.close()
        for bound in self._pubs.values():
            bound.close()
        self._requests.close()
        await asyncio.to_thread(self._context.destroy, LINGER_MS)

    def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._beat_s, self._beat)
        with self._sending:
            for audience, bound in self._pubs.items():
                frames = (self._beats[audience], header(self._requests.journal, self._tops[audience]), b"{}")
                bound.socket.send_multipart(frames)


def _both(audience: str, doors: Doors) -> dict[str, tuple[int, Endpoint]]:
    """The endpoints of an audience, by their keys in the configuration, each with the type of its socket."""
    return {f"feed.{audience}": (zmq.PUB, doors.pub), f"feed.{audience}_replay": (zmq.ROUTER, doors.router)}
