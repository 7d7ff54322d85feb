"""Every command but `run`, for people and for programs: tables and colour, or JSON lines."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import typer

from shoe_daemon import __version__
from shoe_daemon.cli import doctor, driver, journal, keys, listening, profile, simulate
from shoe_daemon.cli.asking import answer_of, person
from shoe_daemon.cli.explaining import explain as explain_command
from shoe_daemon.cli.handover import report as report_command
from shoe_daemon.cli.output import refuse, say, until_unread
from shoe_daemon.cli.settings import ConfigOption, KeyOption, client_keys, configuration
from shoe_daemon.cli.surveillance import surveillance as surveillance_command
from shoe_daemon.clients.cage import keep
from shoe_daemon.clients.cage import load as load_cage
from shoe_daemon.clients.demo import Options
from shoe_daemon.clients.demo import demo as run_demo
from shoe_daemon.clients.events import print_events
from shoe_daemon.clients.health import ask_health
from shoe_daemon.clients.ledger import LedgerError
from shoe_daemon.clients.subscriber import Subscriber
from shoe_daemon.game.profile import parse_rules
from shoe_daemon.runtime import logs
from shoe_daemon.runtime.capture import BadLine
from shoe_daemon.runtime.config import check as check_config
from shoe_daemon.runtime.config import show
from shoe_daemon.runtime.host.finding import this_host
from shoe_daemon.runtime.matrix import matrix
from shoe_daemon.runtime.replay import replay as run_replay
from shoe_daemon.runtime.resources import names, rules_file
from shoe_daemon.schema import ConfigError
from shoe_daemon.table.verbs import VERBS

app = typer.Typer(
    help="The daemon beside an electronic baccarat shoe.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)
app.add_typer(journal.app, name="journal")
app.add_typer(profile.app, name="profile")
app.add_typer(driver.app, name="driver")
app.add_typer(keys.app, name="keys")
app.command("simulate")(simulate.simulate)
app.command("explain")(explain_command)
app.command("report")(report_command)
app.command("listen")(listening.listen)
app.command("record")(listening.record)
app.command("surveillance")(surveillance_command)
app.command("doctor")(doctor.doctor)

Audience = Literal["public", "surveillance", "cage"]
AlwaysJson = Annotated[bool, typer.Option("--json", help="always so here")]


def _version(value: bool) -> None:  # noqa: FBT001 - typer's own call
    if value:
        typer.echo(f"shoe-daemon {__version__}")
        for name in names("rules"):
            typer.echo(f"rules {name} sha256 {parse_rules(*rules_file(name)).sha256}")
        raise typer.Exit


@app.callback()
def main(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="version and hashes of the rules"),
    ] = False,
) -> None:
    """The daemon beside an electronic baccarat shoe."""


@app.command()
def run(config: ConfigOption) -> None:
    """Run the daemon of one table until SIGTERM."""
    from shoe_daemon.cli.run import run as start  # noqa: PLC0415 - `main` takes the short way in

    raise typer.Exit(start(["--config", str(config)]))


@app.command()
def demo(  # noqa: PLR0913 - options of a command
    *,
    coups: Annotated[int | None, typer.Option(min=1, help="end after so many coups")] = None,
    speed: Annotated[float, typer.Option(min=0.01, help="how many times as fast as a table")] = 1.0,
    seed: Annotated[int, typer.Option(help="which shoe")] = 7,
    rules: Annotated[str, typer.Option(help="rule profile")] = "live",
    procedure: Annotated[str, typer.Option(help="procedure of the table")] = "face-up",
    journal_file: Annotated[Path | None, typer.Option("--journal", help="keep the journal here")] = None,
) -> None:
    """Deal a virtual shoe through the real daemon to a live display."""
    options = Options(
        coups=coups, speed=speed, seed=seed, rules=rules, procedure=procedure, journal=journal_file
    )
    try:
        code = run_demo(options, lambda text: print(text, flush=True))
    except (RuntimeError, ValueError) as error:
        refuse(str(error))
    raise typer.Exit(code)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="configuration (TOML)")],
    *,
    show_all: Annotated[
        bool, typer.Option("--show", help="print every key with its value, and who may what")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines")] = False,
) -> None:
    """Find every problem of a configuration at once; exit 0 or 2."""
    checked = check_config(file, this_host())
    for kind, found in (("error", checked.problems), ("warning", checked.warnings)):
        for problem in found:
            if as_json:
                typer.echo(msgspec.json.encode({"kind": kind, **msgspec.to_builtins(problem)}))
            else:
                sys.stderr.write(f"{kind}: {problem}\n")
    if checked.config is None:
        raise typer.Exit(2)
    if show_all:
        with until_unread():
            typer.echo(show(checked.config))
            typer.echo("\n".join(f"# {line}".rstrip() for line in matrix(checked.config)))
    elif not as_json:
        typer.echo(f"{checked.config.source}: well")


@app.command()
def replay(
    capture: Annotated[Path, typer.Argument(metavar="CAPTURE", help="capture (JSON lines)")],
    audience: Annotated[Literal["public", "surveillance", "cage", "all"], typer.Option()] = "all",
    hidden: Annotated[
        Literal["delayed", "immediate"], typer.Option(help="faces before exposure")
    ] = "delayed",
    profile: Annotated[str | None, typer.Option(help="try another shoe profile")] = None,
    *,
    as_json: AlwaysJson = True,  # noqa: ARG001 - taken for those who say it everywhere
) -> None:
    """Run a capture through decoder, table and projections in simulated time; print the events."""
    out = sys.stdout.buffer
    with until_unread():
        try:
            with capture.open("rb") as lines:
                for messages in run_replay(lines, hidden, profile, _warn):
                    out.writelines(m.body + b"\n" for m in messages if audience in {"all", m.audience})
        except BrokenPipeError:
            raise
        except OSError as error:
            refuse(f"{capture}: {error.strerror}")
        except BadLine as error:
            out.flush()
            refuse(f"{capture}: {error}")


def _warn(text: str) -> None:
    sys.stderr.write(f"warning: {text}\n")


@app.command()
def events(  # noqa: PLR0913 - options of a command
    config: ConfigOption,
    audience: Annotated[Audience, typer.Option(help="whose feed")] = "public",
    after: Annotated[int, typer.Option(min=0, help="begin after this sequence number")] = 0,
    *,
    once: Annotated[bool, typer.Option("--once", help="end at the present top")] = False,
    key: KeyOption = None,
    as_json: AlwaysJson = True,  # noqa: ARG001 - taken for those who say it everywhere
) -> None:
    """Print what one audience is told, one JSON line an event."""
    settings = configuration(config)
    doors = settings.doors[audience]
    mine = client_keys(settings, key)
    with Subscriber(
        doors.pub.text, doors.router.text, audience, after=after, table=settings.table, keys=mine
    ) as feed:
        raise typer.Exit(print_events(feed, sys.stdout.buffer, sys.stderr, once=once))


@app.command()
def control(  # noqa: PLR0913 - options of a command
    verb: Annotated[str, typer.Argument(help=", ".join(VERBS))],
    args: Annotated[
        list[str] | None, typer.Argument(metavar="KEY=VALUE", help="arguments of the verb")
    ] = None,
    *,
    config: ConfigOption,
    actor: Annotated[
        str | None, typer.Option(help="role:id, such as dealer:17; a key of one role need not say it")
    ] = None,
    expect_coup: Annotated[int | None, typer.Option(help="refuse where another coup is on the table")] = None,
    key: KeyOption = None,
    as_json: AlwaysJson = True,  # noqa: ARG001 - taken for those who say it everywhere
) -> None:
    """Give a command to the table; prints the answer as JSON; exit 1 where it is refused."""
    if verb not in VERBS:
        refuse(f"unknown command {verb!r}: one of {', '.join(VERBS)}")
    who = None if actor is None else person("--actor", actor)
    settings = configuration(config)
    if who is None and settings.keys is None:
        refuse("--actor is missing: who says it, as role:id")
    said = dict(map(_argument, args or []))
    answer = answer_of(settings, verb, who, said, expect_coup, client_keys(settings, key))
    typer.echo(msgspec.json.encode(answer))
    raise typer.Exit(0 if answer.get("ok") else 1)


def _argument(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not equals:
        refuse(f"{text!r} is no KEY=VALUE")
    try:
        return key, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return key, value


@app.command()
def display(
    config: ConfigOption,
    port: Annotated[int, typer.Option(min=0, max=65535, help="on 127.0.0.1; 0 takes a free one")] = 8080,
    key: KeyOption = None,
) -> None:
    """Serve the trend display on 127.0.0.1, from the public feed alone."""
    from shoe_daemon.clients.display import bind, serve  # noqa: PLC0415 - the web server is for this alone

    logs.configure()
    settings = configuration(config)
    doors = settings.doors["public"]
    try:
        listener = bind(port)
    except OSError as error:
        refuse(f"port {port}: {error.strerror}: choose another with --port")
    typer.echo(f"http://127.0.0.1:{listener.getsockname()[1]}")
    mine = client_keys(settings, key)
    feed = Subscriber(doors.pub.text, doors.router.text, "public", table=settings.table, keys=mine)
    asyncio.run(serve(feed, listener, settings.name or settings.table))


@app.command()
def cage(
    config: Annotated[Path, typer.Option("--config", metavar="FILE", help="the cage's own configuration")],
    *,
    once: Annotated[bool, typer.Option("--once", help="end at the present top")] = False,
) -> None:
    """Keep each event of the cage's feed once, in a database of its own (docs/cage.md)."""
    try:
        raise typer.Exit(keep(load_cage(config), _warn_plain, once=once))
    except ConfigError as error:
        refuse(str(error))
    except LedgerError as error:
        refuse(str(error), 1)


def _warn_plain(text: str) -> None:
    sys.stderr.write(f"{text}\n")


@app.command()
def health(
    config: ConfigOption,
    *,
    key: KeyOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object")] = False,
) -> None:
    """Ask a running daemon how it is: exit 0 well, 1 not well."""
    settings = configuration(config)
    immediate = settings.hidden_cards == "immediate"
    mine = client_keys(settings, key)
    found = ask_health(settings.table, settings.doors, immediate=immediate, keys=mine)
    if as_json:
        typer.echo(msgspec.json.encode(found.as_json()))
    else:
        say(
            (
                ("well", found.well),
                ("table", found.table),
                ("journal", found.journal),
                ("link", found.link),
                ("held", found.held),
                ("told", found.tops or None),
                ("behind", found.behind or None),
                *(("problem", problem) for problem in found.problems),
            )
        )
    raise typer.Exit(0 if found.well else 1)
