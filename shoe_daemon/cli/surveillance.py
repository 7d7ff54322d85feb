"""`shoe-daemon surveillance`: the surveillance feed handed to recorders, archives and alarms."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from shoe_daemon.cli.output import refuse
from shoe_daemon.clients.surveillance.serve import serve
from shoe_daemon.clients.surveillance.settings import load
from shoe_daemon.runtime import logs
from shoe_daemon.schema import ConfigError


def surveillance(
    config: Annotated[Path, typer.Option("--config", metavar="FILE", help="feed and outputs (TOML)")],
    *,
    check: Annotated[bool, typer.Option("--check", help="find every problem of the file and end")] = False,
) -> None:
    """Hand each event of the surveillance feed to the outputs that FILE names, until SIGTERM."""
    try:
        settings = load(config)
    except ConfigError as error:
        refuse(str(error))
    if check:
        typer.echo(f"{config}: well")
        return
    logs.configure()
    try:
        asyncio.run(serve(settings, str(config)))
    except ConfigError as error:
        refuse(str(error))
