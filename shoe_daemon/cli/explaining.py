"""`shoe-daemon explain`: why a coup ended as it did, in plain words with rule numbers."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from shoe_daemon.cli.accounts import clock_of, house_of, is_journal, messages
from shoe_daemon.cli.output import refuse, until_unread
from shoe_daemon.clients.explaining import finding
from shoe_daemon.clients.explaining.dealt import explain_cards
from shoe_daemon.clients.explaining.facts import explain as facts_of
from shoe_daemon.clients.explaining.text import choices, page
from shoe_daemon.clients.told import Clock
from shoe_daemon.game.cards import parse
from shoe_daemon.game.profile import parse_rules
from shoe_daemon.runtime.capture import BadLine
from shoe_daemon.runtime.resources import rules_file
from shoe_daemon.runtime.rows import JournalError
from shoe_daemon.schema import ConfigError


def explain(  # noqa: PLR0913 - options of a command
    what: Annotated[list[str], typer.Argument(metavar="FILE|CARD…", help="journal, capture, or cards")],
    *,
    coup: Annotated[int | None, typer.Option("--coup", min=1, help="number of the coup")] = None,
    shoe: Annotated[int | None, typer.Option("--shoe", min=1, help="number of its shoe")] = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="21:40, 21:40:10 or 2026-11-30 21:40")
    ] = None,
    zone: Annotated[str | None, typer.Option("--zone", help="time zone; the table's own without it")] = None,
    rules: Annotated[str, typer.Option(help="rule profile, for cards")] = "nsw",
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object")] = False,
) -> None:
    """Explain a coup: `explain FILE --coup 12`, `explain FILE --at 21:40`, or `explain 5S 3H KD KC 8D`."""
    try:
        if coup is None and at is None and len(what) > 1:
            lines = explain_cards([parse(text) for text in what], parse_rules(*rules_file(rules)))
            said = {"cards": [parse(text) for text in what], "rules": rules, "lines": lines}
            typer.echo(msgspec.json.encode(said).decode() if as_json else "\n".join(lines))
        elif (coup is None) == (at is None) or len(what) != 1:
            refuse("name one file, and the coup by --coup or by --at; or the cards of a coup")
        else:
            file = Path(what[0])
            clock = clock_of(zone or house_of(file).zone, counted=not is_journal(file))
            found = _chosen(file, clock, coup, shoe, at)
            _played(file, found, clock, as_json=as_json)
    except (ConfigError, JournalError, BadLine, OSError, ValueError) as error:
        refuse(str(error))


def _chosen(
    file: Path, clock: Clock, coup: int | None, shoe: int | None, at: str | None
) -> list[finding.Span]:
    """The coups asked for, at least one."""
    known = finding.spans(messages(file))
    if coup is not None:
        found = finding.numbered(known, coup, shoe)
    else:
        of_shoe = [span for span in known if shoe in {None, span.shoe}]
        found = finding.at_time(of_shoe, at or "", clock)
    if not found:
        last = f"its last is coup {known[-1].coup} of shoe {known[-1].shoe}" if known else "it holds none"
        raise ValueError(f"{file}: no such coup; {last}")
    return found


def _played(file: Path, found: list[finding.Span], clock: Clock, *, as_json: bool) -> None:
    if len(found) > 1:
        lines = choices(found, clock, str(file))
        typer.echo(msgspec.json.encode({"coups": found}) if as_json else "\n".join(lines))
        return
    (span,) = found
    told = [message for message in messages(file) if message.shoe == span.shoe]
    # Made under the delayed policy, what surveillance was told bears no face that nobody has seen.
    faces = any(one.type == "card.drawn" and one.data["card"] is not None for one in told)
    facts = facts_of(told, span.shoe, span.coup, delayed=clock.counted or not faces)
    with until_unread():
        typer.echo(msgspec.json.encode(facts) if as_json else "\n".join(page(facts, clock, str(file))))
