"""`shoe-daemon explain`: why a coup ended as it did, in plain words with rule numbers."""

from pathlib import Path
from typing import Annotated

import typer

from shoe_daemon.clients.explain import Coup, explain_cards, explain_result
from shoe_daemon.game.cards import Card, parse
from shoe_daemon.game.profile import RuleProfile, parse_rules
from shoe_daemon.runtime.inspection import coup_told
from shoe_daemon.runtime.resources import rules_file
from shoe_daemon.runtime.rows import JournalError, Reader
from shoe_daemon.schema import ConfigError


def explain(
    cards: Annotated[
        list[str] | None, typer.Argument(metavar="CARD", help="cards in the order drawn")
    ] = None,
    rules: Annotated[str, typer.Option(help="rule profile")] = "nsw",
    journal: Annotated[Path | None, typer.Option("--journal", help="explain a coup of this journal")] = None,
    coup: Annotated[int | None, typer.Option("--coup", min=1, help="its number")] = None,
    shoe: Annotated[int, typer.Option("--shoe", min=1, help="number of its shoe")] = 1,
) -> None:
    """Explain a coup: `explain 5S 3H KD KC 8D`, or `explain --journal FILE --shoe 1 --coup 12`."""
    try:
        profile = parse_rules(*rules_file(rules))
        lines = _journaled(journal, shoe, coup) if journal is not None else _dealt(cards or [], profile)
    except (ConfigError, JournalError, ValueError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    for line in lines:
        typer.echo(line)


def _dealt(texts: list[str], profile: RuleProfile) -> list[str]:
    cards: list[Card] = [parse(text) for text in texts]
    return explain_cards(cards, profile)


def _journaled(path: Path, shoe: int, coup: int | None) -> list[str]:
    if coup is None:
        raise ValueError("name the coup with --coup")
    with Reader(path) as journal:
        told, in_public = coup_told(journal, shoe, coup)
    if not told:
        raise ValueError(f"{path}: no coup {coup} in shoe {shoe}")
    return explain_result(Coup(shoe, coup, told, in_public))
