"""The configuration that a command is given, or all that is wrong with it."""

from pathlib import Path
from typing import Annotated, Final

import typer

from shoe_daemon.cli.output import refuse
from shoe_daemon.clients.subscriber import ClientKeys
from shoe_daemon.runtime.config import Config, load_config
from shoe_daemon.runtime.keys import KeyFileError, Keys, read_pair
from shoe_daemon.schema import ConfigError

ConfigOption = Annotated[Path, typer.Option("--config", metavar="FILE", help="configuration (TOML)")]


KEY_FILE: Final = "SHOE_DAEMON_KEY"
"""The variable that names the file of our pair, where no option does."""
KeyOption = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", envvar=KEY_FILE, help="our pair, where the daemon asks for keys"),
]


def client_keys(settings: Config, file: Path | None) -> ClientKeys | None:
    """The keys for the daemon of `settings`, None where it asks none; exit 2 where they cannot be used."""
    if settings.keys is None:
        return None
    if file is None:
        refuse(f"{settings.source}: its daemon asks for keys: --key FILE or {KEY_FILE}, made by keys new")
    try:
        return ClientKeys(read_pair(file), Keys(settings.keys).server_public())
    except KeyFileError as error:
        refuse(str(error))


def configuration(path: Path) -> Config:
    """The configuration at `path`, or all its problems and exit 2."""
    try:
        return load_config(path)
    except ConfigError as error:
        refuse(str(error))
