"""How commands speak to people, and how they end where nobody reads on."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

_WIDTH = 14


def refuse(text: str, code: int = 2) -> NoReturn:
    """Say what is wrong on standard error and end."""
    sys.stderr.write(f"{text}\n")
    raise typer.Exit(code)


@contextmanager
def until_unread() -> Iterator[None]:
    """Write all of standard output; a reader that went away is an ordinary end, exit 0."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit from None


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on standard error, where that is a terminal; gone at the end. Tell it done and all."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def say(lines: Iterable[tuple[str, object]]) -> None:
    """Print names and values side by side; a value of None has no line."""
    for name, value in lines:
        if value is not None:
            typer.echo(f"{typer.style(f'{name:{_WIDTH}}', dim=True)} {_plain(name, value)}")


def _plain(name: str, value: object) -> str:
    if isinstance(value, bool):
        colour = None if name != "well" else typer.colors.GREEN if value else typer.colors.RED
        return typer.style("yes" if value else "no", fg=colour, bold=name == "well")
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {one}" for key, one in value.items()) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return f"{value:,}" if isinstance(value, int) else str(value)
