"""All outputs of one file, side by side, until SIGTERM or SIGINT."""

import asyncio
import signal
from pathlib import Path
from typing import Final

import msgspec

from shoe_daemon.clients.surveillance.courier import Courier
from shoe_daemon.clients.surveillance.output import Output
from shoe_daemon.clients.surveillance.settings import File
from shoe_daemon.schema import ConfigError, Problem

GRACE_S: Final = 1.0
"""What is being delivered at the end may take so long."""


async def serve(settings: File, source: str) -> None:
    """Carry the feed to every output until a signal, then end in a bounded time.

    Raises ConfigError where outputs cannot begin, as where a port is taken. `source`: the file of `settings`.
    """
    outputs = {name: section.output() for name, section in settings.outputs.items()}
    await _open(outputs, source)
    keys = settings.feed.keys(Path(source).parent)
    feed = msgspec.structs.replace(settings.feed.doors(), keys=keys)
    couriers = [Courier(name, feed, settings.outputs[name], output) for name, output in outputs.items()]
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    tasks = [asyncio.create_task(courier.run()) for courier in couriers]
    await asyncio.wait([asyncio.create_task(stop.wait()), *tasks], return_when=asyncio.FIRST_COMPLETED)
    for courier in couriers:
        courier.stop()
    _, late = await asyncio.wait(tasks, timeout=GRACE_S)
    for task in late:
        task.cancel()
    await asyncio.wait(tasks)
    for task in tasks:
        if not task.cancelled():
            task.result()  # a courier ends before it is told to by a bug alone


async def _open(outputs: dict[str, Output], source: str) -> None:
    problems: list[Problem] = []
    for name, output in outputs.items():
        try:
            await output.open()
        except OSError as error:
            problems.append(Problem(source, None, f"outputs.{name}.to", error.strerror or str(error)))
    if problems:
        for output in outputs.values():
            await output.close()
        raise ConfigError(problems)
