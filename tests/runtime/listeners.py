"""What a port tells, kept; and a waiting for it that sleeps no fixed time."""

import asyncio
from collections.abc import Callable
from itertools import count

PATIENCE_S = 20.0


class Listener:
    """Takes a port's callbacks. The clock counts one for each look at it."""

    def __init__(self) -> None:
        self.data: list[bytes] = []
        self.times: list[int] = []
        self.links: list[tuple[str, str | None]] = []
        self.alarms: list[tuple[str, str]] = []
        self.now = count(1).__next__
        self._news = asyncio.Event()

    def on_bytes(self, data: bytes, at: int) -> None:
        assert data
        self.data.append(data)
        self.times.append(at)
        self._news.set()

    def on_link(self, state: str, reason: str | None, at: int) -> None:
        self.links.append((state, reason))
        self.times.append(at)
        self._news.set()

    def on_alarm(self, code: str, text: str, at: int) -> None:
        self.alarms.append((code, text))
        self.times.append(at)
        self._news.set()

    @property
    def received(self) -> bytes:
        return b"".join(self.data)

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait for news until `done`."""
        async with asyncio.timeout(PATIENCE_S):
            while not done():
                self._news.clear()
                await self._news.wait()

    async def until_links(self, *states: str) -> None:
        await self.until(lambda: [state for state, _ in self.links] == list(states))

    async def until_count(self, links: int) -> None:
        await self.until(lambda: len(self.links) == links)

    async def until_alarm(self, code: str, text: str) -> None:
        await self.until(lambda: (code, text) in self.alarms)

    async def until_received(self, data: bytes) -> None:
        await self.until(lambda: self.received == data)
