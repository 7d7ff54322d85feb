"""`shoe-daemon journal`: look into a journal file, whether or not a daemon is writing it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import typer

from shoe_daemon.cli.output import refuse, say, until_unread
from shoe_daemon.runtime import export as exporting
from shoe_daemon.runtime import inspection
from shoe_daemon.runtime.rows import JournalError, Reader
from shoe_daemon.runtime.verify import verify as verify_file

app = typer.Typer(help="Look into a journal file.", no_args_is_help=True)
File = Annotated[Path, typer.Argument(metavar="FILE", help="journal")]
Json = Annotated[bool, typer.Option("--json", help="JSON lines")]


@contextmanager
def _opened(path: Path) -> Iterator[Reader]:
    try:
        with Reader(path) as journal, until_unread():
            yield journal
    except JournalError as error:
        refuse(str(error))


@app.command()
def verify(file: File, *, as_json: Json = False) -> None:
    """Check the chain over every column of every row; exit 0 or 1, with the first bad row named."""
    try:
        report = verify_file(file)
        told = inspection.countable(file)
    except JournalError as error:
        refuse(str(error))
    tops = {audience: top for audience, top in report.tops.items() if audience in told}
    report = msgspec.structs.replace(report, tops=tops)
    if as_json:
        typer.echo(msgspec.json.encode(report))
    else:
        say(
            (
                ("well", report.ok),
                ("first bad row", report.bad),
                ("why", report.why),
                ("table", report.table),
                ("journal", report.journal),
                ("rows", report.rows),
                ("of them", report.kinds),
                ("told", report.tops),
                ("head", report.head),
                ("not checked", report.signatures),
            )
        )
    raise typer.Exit(0 if report.ok else 1)


@app.command()
def show(
    file: File,
    kind: Annotated[str | None, typer.Option(help="only rows of this kind")] = None,
    after: Annotated[int, typer.Option(min=0, help="begin after this row")] = 0,
    *,
    as_json: Json = True,  # noqa: ARG001 - always so here; taken for those who say it everywhere
) -> None:
    """Print the rows, one JSON line each. What may bear a face not yet exposed is masked."""
    with _opened(file) as journal:
        for fields in inspection.shown(journal, after, kind):
            sys.stdout.buffer.write(msgspec.json.encode(fields) + b"\n")


@app.command()
def export(
    file: File,
    *,
    capture: Annotated[
        bool, typer.Option("--capture", help="a capture that replays to the same events")
    ] = False,
    audience: Annotated[Literal["public", "surveillance", "cage", "all"], typer.Option()] = "all",
    after: Annotated[int, typer.Option(min=0, help="messages after this sequence number")] = 0,
    as_json: Json = True,  # noqa: ARG001 - always so here; taken for those who say it everywhere
) -> None:
    """Write the journal as a capture, or the messages of an audience as they were told."""
    with _opened(file) as journal:
        if (capture or audience in {"surveillance", "all"}) and inspection.open_shoe(journal):
            if_so = "" if capture else "under hidden_cards immediate, "
            sys.stderr.write(f"a shoe is open: {if_so}this shows faces that nobody has seen yet\n")
        if capture:
            for line in exporting.capture_lines(journal):
                sys.stdout.write(line + "\n")
            return
        whose = None if audience == "all" else audience
        for message in exporting.messages(journal, whose, after):
            sys.stdout.buffer.write(message.body + b"\n")


@app.command()
def stat(file: File, *, as_json: Json = False) -> None:
    """Tell what a journal holds: rows by kind, sequence numbers, span of time, size."""
    with _opened(file) as journal:
        found = inspection.stat(journal)
    if as_json:
        typer.echo(msgspec.json.encode(found))
        return
    say(
        (
            ("table", found.table),
            ("journal", found.journal),
            ("from", found.begin),
            ("to", found.end),
            ("bytes", found.size),
            ("rows", found.rows),
            ("told", found.tops),
            ("acknowledged", found.cursors),
        )
    )
