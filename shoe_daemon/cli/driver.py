"""`shoe-daemon driver`: try a driver as a table would use it, and as no device should."""

from typing import Annotated, Final

import msgspec
import typer

from drivers import decoder_for, driver_for
from drivers.kit import Outcome, examine
from shoe_daemon.cli.output import refuse, until_unread
from shoe_daemon.cli.samples import compared, sample
from shoe_daemon.schema import ConfigError

app = typer.Typer(help="Try the driver of a shoe.", no_args_is_help=True)

_NAME: Final = 10
_SHOWN: Final = 3
"""Problems printed of each check; JSON has all."""


@app.callback()
def main() -> None:
    """Try the driver of a shoe."""


@app.command()
def test(
    file: Annotated[str, typer.Argument(metavar="PROFILE", help="profile: a name of ours, or a path")],
    seed: Annotated[int, typer.Option(help="of all that is tried at random")] = 7,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines")] = False,
) -> None:
    """Try the driver of a profile on its capture, on damage and on noise.

    Exit 0 where it keeps every promise and reads what is written down, 1 where not.
    """
    one = sample(file)
    profile = one.profile
    try:
        decoder_for(profile)
        driver = driver_for(profile)
    except ConfigError as error:
        refuse(str(error))
    outcomes: list[Outcome] = []
    with until_unread():
        if as_json:
            head = {"profile": profile.id, "driver": profile.meta.driver, "seed": seed}
            typer.echo(msgspec.json.encode(head))
        else:
            typer.echo(f"{one.source}: driver {profile.meta.driver}, seed {seed}")
        try:
            for outcome in examine(lambda: driver(profile), one.capture, seed):
                _tell(outcome, as_json=as_json)
                outcomes.append(outcome)
        except ValueError as error:
            refuse(f"the capture of {one.source}: {error}")
        if not outcomes[0].problems:  # else it cannot read the capture at all
            _, words, _ = compared(one)
            outcomes.append(Outcome("expected", f"the inputs are those of {one.expected_name}", tuple(words)))
            _tell(outcomes[-1], as_json=as_json)
        well = not any(outcome.problems for outcome in outcomes)
        if not as_json:
            typer.echo(f"{one.source}: {'well' if well else 'not well'}")
    raise typer.Exit(0 if well else 1)


def _tell(outcome: Outcome, *, as_json: bool) -> None:
    """Print a check that is done."""
    well = not outcome.problems
    if as_json:
        typer.echo(msgspec.json.encode({"well": well, **msgspec.to_builtins(outcome)}))
        return
    state = typer.style("ok", fg=typer.colors.GREEN) if well else typer.style("wrong", fg=typer.colors.RED)
    typer.echo(f"{outcome.check:{_NAME}} {state:5}  {outcome.about}")
    for words in outcome.problems[:_SHOWN]:
        typer.echo(f"{'':{_NAME}} → {words}")
    if len(outcome.problems) > _SHOWN:
        typer.echo(f"{'':{_NAME}} → and {len(outcome.problems) - _SHOWN} more")
