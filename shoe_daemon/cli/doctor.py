"""`shoe-daemon doctor`: what of this machine will hurt a shoe daemon."""

from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer

from shoe_daemon.cli.output import until_unread
from shoe_daemon.cli.settings import configuration
from shoe_daemon.runtime.doctor import examine, well
from shoe_daemon.runtime.host.finding import Finding, State, this_host

_COLOURS: Final[dict[State, str]] = {
    "well": typer.colors.GREEN,
    "wrong": typer.colors.RED,
    "cannot tell": typer.colors.YELLOW,
}
_NAME: Final = 15
_STATE: Final = 12


def doctor(
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="look at its port and its journal too")
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines")] = False,
) -> None:
    """Say what of this machine will hurt a shoe daemon, and what to do; exit 0 nothing, 1 something.

    Nothing is changed and no port is opened. Root sees what other users' programs hold.
    """
    settings = None if config is None else configuration(config)
    host = this_host() if settings is None else this_host(settings.port, settings.journal)
    findings = examine(host)
    with until_unread():
        for finding in findings:
            typer.echo(msgspec.json.encode(finding) if as_json else _line(finding))
    raise typer.Exit(0 if well(findings) else 1)


def _line(finding: Finding) -> str:
    """Name, state and words side by side, and below the words what to do."""
    name = typer.style(f"{finding.check:{_NAME}}", dim=True)
    state = typer.style(
        f"{finding.state:{_STATE}}", fg=_COLOURS[finding.state], bold=finding.state == "wrong"
    )
    advice = f"\n{'':{_NAME + _STATE + 1}} → {finding.advice}" if finding.advice else ""
    return f"{name} {state} {finding.words}{advice}"
