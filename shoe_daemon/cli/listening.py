"""`shoe-daemon listen` and `record`: what a shoe sends, to look at and to keep."""

import asyncio
import json
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Final, TextIO

import typer

from drivers.profile import parse_shoe
from shoe_daemon.cli.output import refuse
from shoe_daemon.cli.settings import ConfigOption, configuration
from shoe_daemon.cli.unmasking import (
    ActorOption,
    Asking,
    ReasonOption,
    SecondOption,
    UnmaskOption,
    asking,
    bared,
)
from shoe_daemon.runtime import logs
from shoe_daemon.runtime.clock import Clock
from shoe_daemon.runtime.config import Config
from shoe_daemon.runtime.daemon import configured
from shoe_daemon.runtime.inspection import open_shoe
from shoe_daemon.runtime.listening import Ear, Heard, hear_journal, hear_port
from shoe_daemon.runtime.lockfile import holder, lock_of
from shoe_daemon.runtime.messages import rfc3339
from shoe_daemon.runtime.resources import shoe_file
from shoe_daemon.runtime.rows import JournalError, Reader
from shoe_daemon.schema import ConfigError

_WIDTH: Final = 60
"""Columns of the bytes."""
_MICROSECONDS: Final = 1_000_000


def listen(  # noqa: PLR0913 - options of a command
    config: ConfigOption,
    profile: Annotated[str | None, typer.Option(help="read the bytes by another shoe profile")] = None,
    *,
    unmask: UnmaskOption = False,
    actor: ActorOption = None,
    second: SecondOption = None,
    reason: ReasonOption = None,
) -> None:
    """Show each byte of the shoe and what it means, until Ctrl-C; nothing is sent to the shoe.

    While a daemon runs, its journal is followed, and nothing of an open shoe is shown, but of the present one
    with --unmask.
    """
    logs.configure()
    asked = asking(actor, second, reason, unmask=unmask)
    settings = configuration(config)
    try:
        shoe = settings.profile if profile is None else parse_shoe(*shoe_file(profile))
        running = holder(lock_of(settings.journal)) is not None
        shown = None if asked is None else _bared(settings, asked)
        hidden = _open_shoe(settings) not in {None, shown}
        ear = Ear(shoe, _line, hidden=hidden, foreign=profile is not None, bared=shown)
    except (ConfigError, JournalError) as error:
        refuse(str(error))
    clock = Clock()

    async def hear(stop: asyncio.Event) -> None:
        if running:
            begun = f"following {settings.journal}"
            await hear_journal(settings.journal, ear, stop, clock.now, lambda: typer.echo(begun, err=True))
        else:
            typer.echo(f"listening at {settings.port}", err=True)
            await _at_port(settings, ear, stop, clock)

    _until_signal(hear)


def record(
    config: ConfigOption,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="capture to write")],
) -> None:
    """Write what the shoe sends as a capture, until Ctrl-C; nothing that is there is written over.

    Not while a daemon has the shoe: `journal export --capture` makes one of its journal.
    """
    logs.configure()
    settings = configuration(config)
    if holder(lock_of(settings.journal)) is not None:
        refuse(f"a daemon has the shoe: stop it, or shoe-daemon journal export {settings.journal} --capture")
    try:
        if _open_shoe(settings) is not None:
            refuse(f"{settings.journal}: a shoe is open: what it sends shows cards that nobody has seen")
        descriptor = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        refuse(f"{out} is there already: choose another name")
    except (OSError, JournalError) as error:
        refuse(f"{out}: {error}")
    clock = Clock()
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        writer = _Writer(file, clock.now())
        writer.line({"t": 0.0, **configured(settings)})
        ear = Ear(settings.profile, writer.heard, hidden=False)
        _until_signal(lambda stop: _at_port(settings, ear, stop, clock))
    typer.echo(f"{out}: {writer.bytes} bytes of the shoe")


async def _at_port(settings: Config, ear: Ear, stop: asyncio.Event, clock: Clock) -> None:
    if await hear_port(settings, ear, stop, clock.now):
        typer.echo("a daemon has the shoe now, and nothing more is told from the port", err=True)


def _bared(settings: Config, asked: Asking) -> int:
    with Reader(settings.journal) as journal:
        return bared(journal, settings, "listen", asked)


def _open_shoe(settings: Config) -> int | None:
    if not settings.journal.exists():
        return None
    with Reader(settings.journal) as journal:
        return open_shoe(journal)


def _line(heard: Heard) -> None:
    """One line of the screen: time, bytes, meaning."""
    at = rfc3339(heard.at)[11:26]
    if heard.link is not None:
        typer.echo(f"{at}  link {heard.link}")
        return
    words = "; ".join(heard.means)
    rows = [heard.hex[place : place + _WIDTH] for place in range(0, len(heard.hex), _WIDTH)] or [""]
    for number, row in enumerate(rows):
        last = number == len(rows) - 1
        typer.echo(f"{at if number == 0 else '':15}  {row:{_WIDTH}} {words if last else ''}".rstrip())


class _Writer:
    """A capture in the making, each line on disk as it comes."""

    def __init__(self, file: TextIO, begin: int) -> None:
        self._file = file
        self._begin = begin
        self.bytes = 0

    def heard(self, heard: Heard) -> None:
        """Bytes, or a change of the link; its first opening is where every capture begins."""
        t = max(heard.at - self._begin, 0) / _MICROSECONDS
        if heard.link is not None:
            state = heard.link.partition(":")[0]
            if self.bytes:
                self.line({"t": t, "link": state})
        elif heard.data:
            self.bytes += len(heard.data)
            self.line({"t": t, "rx": heard.data.hex()})

    def line(self, said: dict[str, object]) -> None:
        """Write one line."""
        self._file.write(json.dumps(said) + "\n")
        self._file.flush()


def _until_signal(hear: Callable[[asyncio.Event], Awaitable[None]]) -> None:
    async def run() -> None:
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        await hear(stop)

    try:
        asyncio.run(run())
    except JournalError as error:
        refuse(str(error))
