"""`shoe-daemon keys`: pairs of CURVE keys, and who may come in at which door of a daemon."""

import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from shoe_daemon.cli.output import refuse
from shoe_daemon.cli.settings import ConfigOption, configuration
from shoe_daemon.runtime.gate import new_pair
from shoe_daemon.runtime.keys import DOORS, SERVER_KEY, Entry, KeyFileError, Keys, write_pair
from shoe_daemon.table.inputs import Door
from shoe_daemon.table.verbs import ROLES

app = typer.Typer(help="Keys: who may come in at which door.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="NAME", help="what the key is called, such as recorder-1")]
At = Annotated[Door, typer.Option("--door", help="where")]


@app.command()
def new(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help=f"file to write; {SERVER_KEY} is a daemon's own pair")
    ],
) -> None:
    """Make a pair in FILE (mode 0600) and print the public key; nothing that is there is written over."""
    pair = new_pair()
    try:
        if file.name == SERVER_KEY:
            Keys(file.parent).make(pair)
        else:
            write_pair(file, pair)
    except KeyFileError as error:
        refuse(str(error))
    typer.echo(pair.public)


@app.command()
def allow(
    name: Name,
    *,
    config: ConfigOption,
    door: At,
    public: Annotated[str, typer.Option("--public", metavar="KEY", help="its public key")],
    role: Annotated[
        list[str] | None,
        typer.Option(help=f"at control: for whom it vouches, of {', '.join(ROLES)}; may be said again"),
    ] = None,
) -> None:
    """Let a key in at a door, from its next try on; a daemon that runs need not be told."""
    try:
        _keys(config).allow(Entry(door, name, public, tuple(role or ())))
    except KeyFileError as error:
        refuse(str(error))


@app.command()
def revoke(name: Name, *, config: ConfigOption, door: At) -> None:
    """Let a key in no more; a daemon that runs closes within a second what that key has open."""
    try:
        _keys(config).revoke(door, name)
    except KeyFileError as error:
        refuse(str(error), 1)


@app.command()
def show(
    *,
    config: ConfigOption,
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines")] = False,
) -> None:
    """Print the daemon's public key and every key that may come in; exit 1 where a file cannot be read."""
    keys = _keys(config)
    wrong: list[str] = []
    try:
        server = keys.server_public()
    except KeyFileError as error:
        refuse(str(error))
    entries = [entry for door in DOORS for entry in keys.entries(door, wrong.append)]
    if as_json:
        typer.echo(msgspec.json.encode({"door": None, "name": "server", "key": server}))
        for entry in entries:
            typer.echo(msgspec.json.encode(entry))
    else:
        table = Table("door", "name", "public key", "vouches for", box=None)
        table.add_row("", "the daemon", server, "")
        for entry in entries:
            table.add_row(entry.door, entry.name, entry.key, ", ".join(entry.roles))
        Console(width=max(100, Console().width), markup=False, highlight=False).print(table)
    for words in wrong:
        sys.stderr.write(f"{words}\n")
    raise typer.Exit(1 if wrong else 0)


def _keys(config: Path) -> Keys:
    settings = configuration(config)
    if settings.keys is None:
        refuse(f"{settings.source}: names no keys: set folder in [keys]")
    return Keys(settings.keys)
