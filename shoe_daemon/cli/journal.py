"""`shoe-daemon journal`: look into a journal file, whether or not a daemon is writing it."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from shoe_daemon.runtime import export as exporting
from shoe_daemon.runtime.messages import rfc3339
from shoe_daemon.runtime.resume import resume
from shoe_daemon.runtime.rows import JournalError, Reader, Row
from shoe_daemon.runtime.verify import verify as verify_file

app = typer.Typer(help="Look into a journal file.", no_args_is_help=True)
File = Annotated[Path, typer.Argument(metavar="FILE", help="journal")]
Json = Annotated[bool, typer.Option("--json", help="JSON lines")]


@contextmanager
def _opened(path: Path) -> Iterator[Reader]:
    try:
        with Reader(path) as journal:
            yield journal
    except JournalError as error:
        sys.stderr.write(f"{error}\n")
        raise typer.Exit(2) from error


@app.command()
def verify(file: File, *, as_json: Json = False) -> None:
    """Check the chain over every column of every row; exit 0 or 1, with the first bad row named."""
    try:
        report = verify_file(file)
    except JournalError as error:
        sys.stderr.write(f"{error}\n")
        raise typer.Exit(2) from error
    if as_json:
        typer.echo(msgspec.json.encode(report))
    else:
        typer.echo(str(report))
    raise typer.Exit(0 if report.ok else 1)


@app.command()
def show(
    file: File,
    kind: Annotated[str | None, typer.Option(help="only rows of this kind")] = None,
    after: Annotated[int, typer.Option(min=0, help="begin after this row")] = 0,
) -> None:
    """Print the rows, one JSON line each. Faces not yet exposed stay masked while a shoe is open."""
    with _opened(file) as journal:
        table, _ = resume(journal)
        masked = table.shoe is not None
        for row in journal.rows(after):
            if kind is None or row.kind == kind:
                sys.stdout.write(_line(row, masked=masked))


MASKED = frozenset({"rx", "step", "state"})
"""Kinds of rows that can bear a face which nobody has seen."""


def _line(row: Row, *, masked: bool) -> str:
    fields: dict[str, object] = {"pos": row.pos, "kind": row.kind, "at": rfc3339(row.at)}
    optional = {name: getattr(row, name) for name in ("audience", "seq", "key")}
    fields |= {name: value for name, value in optional.items() if value is not None}
    if row.kind in MASKED and masked:
        size = f" while a shoe is open ({len(row.body)} bytes)" if row.kind == "state" else ""
        body: object = f"masked{size}"
    elif row.kind == "rx":
        body = row.body.hex()
    else:
        body = msgspec.Raw(row.body) if row.body else None
    return msgspec.json.encode({**fields, "body": body}).decode() + "\n"


@app.command()
def export(
    file: File,
    *,
    capture: Annotated[
        bool, typer.Option("--capture", help="a capture that replays to the same events")
    ] = False,
    audience: Annotated[Literal["public", "surveillance", "cage", "all"], typer.Option()] = "all",
    after: Annotated[int, typer.Option(min=0, help="messages after this sequence number")] = 0,
) -> None:
    """Write the journal as a capture, or the messages of an audience as they were told."""
    with _opened(file) as journal:
        if capture:
            table, _ = resume(journal)
            if table.shoe is not None:
                sys.stderr.write("a shoe is open: this capture shows faces that nobody has seen yet\n")
            for line in exporting.capture_lines(journal):
                sys.stdout.write(line + "\n")
            return
        whose = None if audience == "all" else audience
        for row in exporting.messages(journal, whose, after):
            sys.stdout.buffer.write(row.body + b"\n")


@app.command()
def stat(file: File, *, as_json: Json = False) -> None:
    """Tell what a journal holds: rows by kind, sequence numbers, span of time, size."""
    with _opened(file) as journal:
        kinds: Counter[str] = Counter()
        last = journal.meta.created
        for row in journal.rows():
            kinds[row.kind] += 1
            last = max(last, row.at)
        found = {
            "journal": journal.meta.journal,
            "table": journal.meta.table,
            "from": rfc3339(journal.meta.created),
            "to": rfc3339(last),
            "bytes": file.stat().st_size,
            "rows": dict(kinds),
            "tops": {name: journal.top(name) for name in ("public", "surveillance", "cage")},
            "cursors": {f"{who} {name}": seq for (who, name), seq in journal.cursors().items()},
        }
    if as_json:
        typer.echo(msgspec.json.encode(found))
        return
    table = Table(show_header=False)
    for key, value in found.items():
        table.add_row(key, str(value))
    Console().print(table)
