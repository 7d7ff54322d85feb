"""The configuration that a command is given, or all that is wrong with it."""

from pathlib import Path
from typing import Annotated

import typer

from shoe_daemon.cli.output import refuse
from shoe_daemon.runtime.config import Config, load_config
from shoe_daemon.schema import ConfigError

ConfigOption = Annotated[Path, typer.Option("--config", metavar="FILE", help="configuration (TOML)")]


def configuration(path: Path) -> Config:
    """The configuration at `path`, or all its problems and exit 2."""
    try:
        return load_config(path)
    except ConfigError as error:
        refuse(str(error))
