"""`shoe-daemon journal`: look into a journal file, whether or not a daemon is writing it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import typer

from shoe_daemon.cli import evidence
from shoe_daemon.cli.output import progress_bar, refuse, say, until_unread
from shoe_daemon.cli.settings import configuration
from shoe_daemon.cli.unmasking import (
    ActorOption,
    Asking,
    ReasonOption,
    SecondOption,
    UnmaskOption,
    asking,
    bared,
)
from shoe_daemon.runtime import export as exporting
from shoe_daemon.runtime import inspection
from shoe_daemon.runtime.lockfile import holder, lock_of
from shoe_daemon.runtime.rows import JournalError, Reader
from shoe_daemon.runtime.signing import SigningError, load_public
from shoe_daemon.runtime.verify import verify as verify_file
from shoe_daemon.runtime.witness import WitnessError, read_witness

app = typer.Typer(help="Look into a journal file.", no_args_is_help=True)
app.command("prove")(evidence.prove)
app.command("check-proof")(evidence.check_proof)
File = Annotated[Path, typer.Argument(metavar="FILE", help="journal")]
TableOption = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="with --unmask: the table's configuration")
]
PublicKeys = Annotated[
    list[Path] | None,
    typer.Option("--public-key", metavar="PEM", help="public key that signs; again for each one there was"),
]
Json = Annotated[bool, typer.Option("--json", help="JSON lines")]


@contextmanager
def _opened(path: Path) -> Iterator[Reader]:
    try:
        with Reader(path) as journal, until_unread():
            yield journal
    except JournalError as error:
        refuse(str(error))


@app.command()
def verify(
    file: File,
    keys: PublicKeys = None,
    witness: Annotated[
        Path | None,
        typer.Option("--witness", metavar="FILE", help="events of surveillance as another machine kept them"),
    ] = None,
    *,
    as_json: Json = False,
) -> None:
    """Check every column of every row against the chain and the checkpoints, with a key their signatures too.

    Exit 0 or 1, with the first bad row named. Rows cut off at the end show against a witness alone.
    """
    try:
        public = [load_public(key) for key in keys or []]
        told_elsewhere = None if witness is None else read_witness(witness)
        with progress_bar("rows") as progress:
            report = verify_file(file, public, told_elsewhere, progress)
        told = inspection.countable(file)
    except (JournalError, SigningError, WitnessError) as error:
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
                ("signatures", report.signatures),
            )
        )
    raise typer.Exit(0 if report.ok else 1)


@app.command()
def show(  # noqa: PLR0913 - options of a command
    file: File,
    kind: Annotated[str | None, typer.Option(help="only rows of this kind")] = None,
    after: Annotated[int, typer.Option(min=0, help="begin after this row")] = 0,
    *,
    unmask: UnmaskOption = False,
    actor: ActorOption = None,
    second: SecondOption = None,
    reason: ReasonOption = None,
    config: TableOption = None,
    as_json: Json = True,  # noqa: ARG001 - always so here; taken for those who say it everywhere
) -> None:
    """Print the rows, one JSON line each. What may bear a face not yet exposed is masked."""
    asked = asking(actor, second, reason, unmask=unmask)
    with _opened(file) as journal:
        shoe = _bared(journal, "journal", asked, config)
        for fields in inspection.shown(journal, after, kind, shoe):
            sys.stdout.buffer.write(msgspec.json.encode(fields) + b"\n")


@app.command()
def export(  # noqa: PLR0913 - options of a command
    file: File,
    *,
    capture: Annotated[
        bool, typer.Option("--capture", help="a capture that replays to the same events")
    ] = False,
    audience: Annotated[Literal["public", "surveillance", "cage", "all"], typer.Option()] = "all",
    after: Annotated[int, typer.Option(min=0, help="messages after this sequence number")] = 0,
    unmask: UnmaskOption = False,
    actor: ActorOption = None,
    second: SecondOption = None,
    reason: ReasonOption = None,
    config: TableOption = None,
    as_json: Json = True,  # noqa: ARG001 - always so here; taken for those who say it everywhere
) -> None:
    """Write the journal as a capture, or the messages of an audience as they were told.

    While a daemon has a shoe open there is no capture of it, and where surveillance is told faces at the draw
    nothing that it was told of that shoe. A daemon that stopped can be asked nothing: then all is written.
    """
    asked = asking(actor, second, reason, unmask=unmask)
    with _opened(file) as journal:
        mask = inspection.Mask(journal, _bared(journal, "export", asked, config))
        live = mask.on and holder(lock_of(file)) is not None
        if capture and live:
            refuse("a shoe is open: a capture shows what nobody has seen; close the shoe, or --unmask")
        if mask.on and not live and (capture or mask.tells_faces):
            sys.stderr.write("a shoe is open in this journal: this shows cards that nobody has seen\n")
        if capture:
            for line in exporting.capture_lines(journal, mask.end):
                sys.stdout.write(line + "\n")
            return
        masked = live and mask.tells_faces and audience in {"surveillance", "all"}
        if masked:
            sys.stderr.write(
                "a shoe is open: what surveillance was told of it is left out without --unmask\n"
            )
        whose = None if audience == "all" else audience
        for message in exporting.messages(journal, mask if masked else None, whose, after):
            sys.stdout.buffer.write(message.body + b"\n")


def _bared(
    journal: Reader, what: Literal["journal", "export"], asked: Asking | None, config: Path | None
) -> int | None:
    """The shoe that two persons asked for, once that is journaled; None where nobody asks."""
    if asked is None:
        if config is not None:
            refuse("--config goes with --unmask")
        return None
    if config is None:
        refuse("--unmask needs --config: the daemon of the table journals it")
    return bared(journal, configuration(config), what, asked)


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
