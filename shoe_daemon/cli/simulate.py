"""`shoe-daemon simulate`: the virtual shoe on a pseudo-terminal, a TCP port, or as a capture."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from drivers.mistakes import MISTAKES
from drivers.profile import ShoeProfile, parse_shoe
from drivers.script import Action, capture_lines, read_capture
from drivers.virtual import VirtualOptions, virtual_shoe
from shoe_daemon.cli.output import refuse, until_unread
from shoe_daemon.clients.shoe_line import PtyLine, ShoeLine, TcpLine
from shoe_daemon.clients.simulate import At, perform
from shoe_daemon.runtime.config import load_config
from shoe_daemon.runtime.resources import shoe_file
from shoe_daemon.schema import ConfigError

CONFIG = (
    "also give the dealer's commands to this table, and draw again what it did not see: a port that is being"
    " opened loses what is sent in that instant"
)


def simulate(  # noqa: PLR0913 - options of a command
    *,
    link: Annotated[Path | None, typer.Option(help="make a pseudo-terminal behind this name")] = None,
    tcp: Annotated[int | None, typer.Option(min=0, max=65535, help="serve on this port of 127.0.0.1")] = None,
    capture: Annotated[
        Path | None, typer.Option(help="write a capture instead, - for standard output")
    ] = None,
    play: Annotated[Path | None, typer.Option(help="play this capture instead of dealing")] = None,
    config: Annotated[Path | None, typer.Option(help=CONFIG)] = None,
    profile: Annotated[str, typer.Option(help="shoe profile")] = "beetek-rs232",
    procedure: Annotated[str, typer.Option(help="how the table deals")] = "face-up",
    rules: Annotated[str, typer.Option(help="rule profile named in the capture")] = "live",
    table: Annotated[str, typer.Option(help="table named in the capture")] = "TABLE",
    decks: Annotated[int, typer.Option(min=1)] = 8,
    coups: Annotated[
        int | None, typer.Option(min=1, help="end after so many; without, deal for ever")
    ] = None,
    seed: Annotated[int, typer.Option(help="which shoes")] = 7,
    speed: Annotated[float, typer.Option(min=0.01, help="how many times as fast as a table")] = 1.0,
    late: Annotated[float, typer.Option(min=0, max=1, help="odds of a forgotten press, each coup")] = 0.0,
    unread: Annotated[float, typer.Option(min=0, max=1, help="odds of an unread card")] = 0.0,
    mistakes: Annotated[
        bool, typer.Option("--mistakes", help="one mistake in each shoe, which a supervisor puts right")
    ] = False,
) -> None:
    """Deal real shoes, seeded, at a human pace, in the words of a shoe profile."""
    if (link is not None) + (tcp is not None) + (capture is not None) != 1:
        refuse("give one of --link, --tcp and --capture")
    if capture is not None and coups is None and play is None:
        refuse("a capture needs --coups, or it never ends")
    try:
        shoe = _shoe(profile, deals=play is None)
        options = VirtualOptions(
            procedure=procedure,
            seed=seed,
            decks=decks,
            coups=coups,
            speed=speed,
            late=late,
            unread=unread,
            mistakes=MISTAKES.get(procedure, ()) if mistakes else (),
            opening=config is not None,
        )
        script = _played(play, speed) if play is not None else virtual_shoe(shoe, options)
        if capture is not None:
            lines = capture_lines(
                script, profile_id=profile, rules=rules, decks=decks, table=table, procedure=procedure
            )
            _write(capture, lines)
            return
        at = _table_at(config) if config is not None else None
        line: ShoeLine = PtyLine(link) if link is not None else TcpLine(tcp or 0)
        _tell(f"the shoe is at {line.name}")
        perform(line, shoe, script, at, _tell)
    except (ConfigError, ValueError, OSError) as error:
        refuse(str(error))


def _shoe(profile: str, *, deals: bool) -> ShoeProfile:
    """The profile named; one with a driver of its own cannot be dealt for."""
    shoe = parse_shoe(*shoe_file(profile))
    if deals and shoe.meta.driver != "profile":
        refuse(
            f"{profile}: the virtual shoe knows profiles alone, not what the driver"
            f" {shoe.meta.driver} reads: give a capture with --play"
        )
    return shoe


def _table_at(config: Path) -> At:
    settings = load_config(config)
    if settings.keys is not None:
        raise ValueError(f"{settings.source}: the virtual dealer has no key: take a table without [keys]")
    doors = settings.doors["surveillance"]
    return At(settings.control.text, doors.pub.text, doors.router.text)


def _played(path: Path, speed: float) -> Iterable[Action]:
    return read_capture(path.read_text(encoding="utf-8").splitlines(), speed)


def _write(path: Path, lines: Iterable[str]) -> None:
    if str(path) == "-":
        with until_unread():
            sys.stdout.writelines(f"{line}\n" for line in lines)
        return
    with path.open("w", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in lines)


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
