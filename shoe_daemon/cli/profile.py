"""`shoe-daemon profile`: test the profile of a shoe, or write a first one."""

import re
from pathlib import Path
from typing import Annotated

import typer

from drivers.profile import parse_shoe
from shoe_daemon.cli.first_profile import Answers, profile_text
from shoe_daemon.cli.output import refuse
from shoe_daemon.cli.samples import compared, sample
from shoe_daemon.schema import ConfigError

app = typer.Typer(help="Test the profile of a shoe, or write a first one.", no_args_is_help=True)


@app.command()
def test(
    file: Annotated[str, typer.Argument(metavar="FILE", help="profile: a name of ours, or a path")],
) -> None:
    """Read the profile's capture and compare; exit 0 where it reads what is written down, 1 where not."""
    one = sample(file)
    got, words, parted = compared(one)
    for line in words:
        typer.echo(line)
    if parted:
        typer.echo(f"{one.source}: {parted} of {len(got)} inputs differ")
        raise typer.Exit(1)
    cards = sum(row["input"] == "CardRead" for row in got)
    typer.echo(f"{one.source}: well: {len(got)} inputs as written down, {cards} of them cards")


@app.command()
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="profile to write, such as shoes/mine.toml")],
) -> None:
    """Ask how the shoe speaks and write a first profile; nothing that is there is written over."""
    if file.exists() or file.is_symlink():
        refuse(f"{file} is there already: choose another name")
    if not file.parent.is_dir():
        refuse(f"{file.parent} is no folder")
    if re.fullmatch("[a-z0-9][a-z0-9-]*", file.stem) is None:
        refuse(f"{file.name}: a profile is called by a-z, 0-9 and -, such as mine-2.toml")
    answers = Answers(
        id=file.stem,
        baud=typer.prompt("Baud; 0 for a scanner that types as a keyboard", default=9600),
        example=typer.prompt("One whole line as the shoe sends it for the ace of spades, without its end"),
        rank=typer.prompt("Which part of it is the rank"),
        suit=typer.prompt("Which part of it is the suit"),
        ranks=typer.prompt(
            "Codes of the ranks, ace to king, with blanks", default="A 2 3 4 5 6 7 8 9 10 J Q K"
        ),
        suits=typer.prompt("Codes of spades, hearts, clubs, diamonds, with blanks", default="S H C D"),
        unread=typer.prompt("The line for a card that could not be read; empty for none", default=""),
    )
    try:
        text = profile_text(answers)
        parse_shoe(text.encode(), str(file))
    except ValueError as error:
        refuse(str(error))
    except ConfigError as error:
        refuse("\n".join(map(str, error.problems)))
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        refuse(f"{file}: {error.strerror}; nothing is written, and this was it:\n{text}")
    typer.echo(f"{file}: written. Record what the shoe sends, put it beside as {file.stem}.capture.jsonl")
