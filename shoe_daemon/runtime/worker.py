"""A thread of its own for work that may block, so that it waits behind nobody else's.

The threads of `asyncio.to_thread` are shared: there a commit would queue behind readers of history. This one
is also woken, and wakes the loop, with half the delay.
"""

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, Final, TypeVar

T = TypeVar("T")

_Task = tuple[Callable[[], Any], "asyncio.Future[Any]", asyncio.AbstractEventLoop]


class Worker:
    """One thread, working through jobs in the order in which they were given."""

    def __init__(self, name: str) -> None:
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._thread: Final = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    async def do(self, job: Callable[[], T]) -> T:
        """Do `job` in the thread; gives what it gives, raises what it raises."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._tasks.put((job, done, loop))
        return await done

    def close(self) -> None:
        """End the thread once it has done what it was given; waits for that."""
        self._tasks.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            job, done, loop = task
            try:
                result = job()
            except BaseException as error:  # noqa: BLE001 - raised again where the job was given
                loop.call_soon_threadsafe(_fail, done, error)
            else:
                loop.call_soon_threadsafe(_give, done, result)


def _give(done: "asyncio.Future[Any]", result: object) -> None:
    if not done.done():  # nobody waits any more
        done.set_result(result)


def _fail(done: "asyncio.Future[Any]", error: BaseException) -> None:
    if not done.done():
        done.set_exception(error)
