"""Calls that may hang for ever in the system, such as opening a sick device, kept out of the loop's way."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


async def in_thread(call: Callable[[], T]) -> T:
    """Give what `call` gives, from a thread of its own that the end of the process does not wait for.

    asyncio.to_thread would be waited for: a program told to stop would run on as long as the device hangs.
    """
    result: Future[T] = Future()

    def run() -> None:
        result.set_running_or_notify_cancel()  # from here on nobody's giving up disturbs this thread
        try:
            result.set_result(call())
        except BaseException as error:  # noqa: BLE001 - raised where the result is waited for
            result.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(result)
