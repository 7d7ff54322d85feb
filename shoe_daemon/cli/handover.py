"""`shoe-daemon report`: a hand-over of a day or a shift, a shoe's receipt, the reader's health."""

from datetime import date, time
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from shoe_daemon.cli.accounts import clock_of, house_of, messages
from shoe_daemon.cli.output import refuse, until_unread
from shoe_daemon.clients.handover.facts import handover
from shoe_daemon.clients.handover.parts import Handover
from shoe_daemon.clients.handover.period import Period
from shoe_daemon.clients.handover.text import page
from shoe_daemon.clients.reader_health.facts import Reading, reading
from shoe_daemon.clients.reader_health.text import page as reader_page
from shoe_daemon.clients.signing import SigningError, check, load_key, signed
from shoe_daemon.clients.told import Clock
from shoe_daemon.runtime.rows import JournalError
from shoe_daemon.runtime.verify import VerifyReport, verify


def report(  # noqa: PLR0913 - options of a command
    file: Annotated[Path, typer.Argument(metavar="FILE", help="journal; with --check a signed page")],
    *,
    day: Annotated[str | None, typer.Option("--day", metavar="DATE", help="gaming day, 2026-11-30")] = None,
    shift: Annotated[
        tuple[str, str] | None,
        typer.Option("--shift", metavar="FROM TO", help="14:00 22:00 of --day, or two dates with times"),
    ] = None,
    shoe: Annotated[int | None, typer.Option("--shoe", help="the receipt of one shoe")] = None,
    reader: Annotated[
        bool, typer.Option("--reader", help="how well shoe and cards read; of the whole file without a time")
    ] = False,
    zone: Annotated[str | None, typer.Option("--zone", help="time zone; the table's own without it")] = None,
    day_begins: Annotated[
        str | None,
        typer.Option("--day-begins", help="begin of the gaming day; the house's without it"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object")] = False,
    key: Annotated[
        Path | None, typer.Option("--key", metavar="PEM", help="sign the page with this Ed25519 key")
    ] = None,
    checked: Annotated[bool, typer.Option("--check", help="check the signature of a page")] = False,
    public: Annotated[
        str | None, typer.Option("--public", metavar="HEX", help="the key that must have signed it")
    ] = None,
) -> None:
    """Print the hand-over of a day or a shift, or a shoe's receipt; exit 1 where the journal is not whole."""
    if checked:
        _check(file, public)
        return
    try:
        house = house_of(file)
        clock = clock_of(zone or house.zone)
        signer = None if key is None else load_key(key)
        asked, begins = (day, shift, shoe), day_begins or house.day_begins
        period = Period.always() if reader and not any(asked) else _period(file, asked, begins, clock)
        chain = verify(file)
        made, lines = _reader(file, period, clock, chain) if reader else _handover(file, period, clock, chain)
    except (JournalError, OSError, ValueError, SigningError) as error:
        refuse(str(error))
    with until_unread():
        text = msgspec.json.encode(made).decode() if as_json else "\n".join(lines)
        typer.echo(text + "\n" if signer is None else signed(text, signer), nl=False)
    raise typer.Exit(0 if chain.ok else 1)


def _handover(file: Path, period: Period, clock: Clock, chain: VerifyReport) -> tuple[Handover, list[str]]:
    made = handover(messages(file), period)
    made.journal, made.table = chain.journal, chain.table
    made.rows, made.head, made.whole = chain.rows, chain.head, chain.ok
    return made, page(made, period, clock)


def _reader(file: Path, period: Period, clock: Clock, chain: VerifyReport) -> tuple[Reading, list[str]]:
    made = reading(messages(file), period, clock)
    made.journal, made.table, made.name = chain.journal, chain.table, period.name
    made.head, made.whole = chain.head, chain.ok
    return made, reader_page(made, clock)


def _check(file: Path, public: str | None) -> None:
    """Say which key signed the page; exit 1 where it is not what was signed."""
    try:
        name = check(file.read_text(encoding="utf-8"), public)
    except (OSError, UnicodeDecodeError) as error:
        refuse(f"{file}: cannot be read: {error}")
    except SigningError as error:
        typer.echo(f"{file}: {error}")
        raise typer.Exit(1) from error
    typer.echo(f"{file}: whole, signed by the key {name}")


def _period(
    file: Path, asked: tuple[str | None, tuple[str, str] | None, int | None], day_begins: str, clock: Clock
) -> Period:
    """The period asked for. Raises ValueError where it is none."""
    day, shift, shoe = asked
    if shoe is not None:
        if day is not None or shift is not None:
            raise ValueError("name one: --shoe, --shift or --day")
        return Period.of_shoe(shoe, messages(file), time.fromisoformat(day_begins))
    begins, on = time.fromisoformat(day_begins), None if day is None else date.fromisoformat(day)
    if shift is not None:
        return Period.of_shift(*shift, on, begins, clock)
    if on is None:
        raise ValueError("name the time: --day 2026-11-30, --shift FROM TO, or --shoe N")
    return Period.of_day(on, begins, clock)
