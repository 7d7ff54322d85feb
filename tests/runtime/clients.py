"""ZeroMQ clients to test the daemon's sockets with; they block, so they run in threads of their own."""

import asyncio
import json
import socket
from collections.abc import Callable
from typing import Any, Self, TypeVar

import zmq

T = TypeVar("T")
PATIENCE_MS = 20_000


class Client:
    """One socket that talks to the daemon."""

    def __init__(
        self, kind: int, endpoint: str, *, topic: bytes = b"", identity: bytes | None = None
    ) -> None:
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.socket = self._context.socket(kind)
        self.socket.setsockopt(zmq.RCVTIMEO, PATIENCE_MS)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.setsockopt(zmq.IPV6, int("[" in endpoint))
        if kind == zmq.SUB:
            self.socket.setsockopt(zmq.SUBSCRIBE, topic)
        if identity:
            self.socket.setsockopt(zmq.IDENTITY, identity)
        self.socket.connect(endpoint)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._context.destroy(0)

    async def run(self, call: Callable[[], T]) -> T:
        return await asyncio.to_thread(call)

    async def receive(self) -> list[bytes]:
        return await self.run(self.socket.recv_multipart)

    async def ask(self, request: object) -> dict[str, Any]:
        """Send `request` (bytes as they are, else as JSON), give the single-frame answer."""
        self.send(request)
        return await self.answer()

    def send(self, request: object) -> None:
        self.socket.send(request if isinstance(request, bytes) else json.dumps(request).encode())

    async def answer(self) -> dict[str, Any]:
        (body,) = await self.receive()
        answer = json.loads(body)
        assert isinstance(answer, dict)
        return answer

    async def rows(self, request: object) -> tuple[list[list[bytes]], dict[str, Any]]:
        """Send a replay request; give the messages' frames, and the closing answer."""
        self.send(request)

        def gather() -> tuple[list[list[bytes]], dict[str, Any]]:
            rows = []
            while len(frames := self.socket.recv_multipart()) == 3:
                rows.append(frames)
            return rows, json.loads(frames[0])

        return await self.run(gather)


def free_port() -> int:
    """Find a port that nothing listens on, with the next one free too."""
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        port = int(one.getsockname()[1])
        try:
            other.bind(("127.0.0.1", port + 1))
        except (OSError, OverflowError):
            return free_port()
    return port
