"""`replay`: a capture through the same machine and projections as `run`, in simulated time."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

from msgspec.structs import replace

from drivers import decoder_for
from drivers.profile import parse_shoe
from shoe_daemon import __version__
from shoe_daemon.game.profile import parse_rules
from shoe_daemon.runtime.capture import BadLine, Header, Line, read_capture
from shoe_daemon.runtime.house import settle
from shoe_daemon.runtime.machine import Machine
from shoe_daemon.runtime.messages import Message, Projector
from shoe_daemon.runtime.resources import rules_file, shoe_file
from shoe_daemon.schema import ConfigError
from shoe_daemon.table.codec import Step
from shoe_daemon.table.project import Policy
from shoe_daemon.table.setup import Setup
from shoe_daemon.table.state import Table

T = TypeVar("T")

JOURNAL: Final = "0" * 26
"""The journal id of a replay."""


def replay(
    lines: Iterable[str | bytes],
    policy: Policy = "delayed",
    profile: str | None = None,
    warn: Callable[[str], None] = lambda _: None,
) -> Iterator[list[Message]]:
    """Messages of a capture, input by input. `profile` tries another shoe profile on its bytes.

    Raises BadLine, after the messages of the lines before it.
    """
    header, rest = read_capture(iter(lines))
    machine = machine_of(header, policy, profile)
    if machine.setup.rules.face_down and header.procedure.first_four == "on-draw":
        warn(
            f"rules {header.rules} deal face down, procedure {header.procedure.name} face up:"
            " `run` refuses that"
        )
    projector = Projector(JOURNAL, header.table, policy, header.decks)
    for steps in run(machine, header, rest):
        for step in steps:
            yield projector.project(step)


def run(machine: Machine, header: Header, lines: Iterable[Line]) -> Iterator[list[Step]]:
    """Steps of a capture, line by line."""
    if header.link != "never":
        machine.opened(0)
    if header.open:
        yield machine.start(0)
    for line in lines:
        yield _one(machine, line)


def _one(machine: Machine, line: Line) -> list[Step]:  # noqa: PLR0911 - one for each kind
    if line.rx is not None:
        return machine.rx(line.rx, line.at)
    if line.cmd is not None:
        return machine.command(line.cmd)
    if line.service is not None:
        return machine.service(line.service)
    if line.alarm is not None:
        return machine.line_alarm(line.alarm.code, line.alarm.text, line.at)
    if line.checkpoint is not None:
        return machine.checkpointed(line.checkpoint)
    if line.clock is not None:
        return machine.clock_stepped(line.clock, line.at)
    if line.notice is not None:
        return machine.noticed(line.notice, line.at)
    return machine.link(line.link or "up", line.reason, line.at)


def machine_of(header: Header, policy: Policy, profile: str | None = None) -> Machine:
    """The machine that a capture's first line asks for. Raises BadLine where it names what is not there."""
    rules = _named(rules_file, header.rules)
    shoe = _named(shoe_file, profile or header.profile)
    try:
        shoe_profile = parse_shoe(*shoe)
        profile_rules = parse_rules(*rules)
        settled, wrong = settle(header.house, profile_rules)
        if wrong:
            raise BadLine(1, "; ".join(f"{key}: {words}" for key, words in wrong.items()))
        setup = Setup(
            table=header.table,
            rules=profile_rules,
            procedure=header.procedure,
            decks=header.decks,
            software=__version__,
            profile_sha256=shoe_profile.sha256,
            hidden=policy,
            **settled.setup(header.house),
        )
        decoder = decoder_for(shoe_profile)
    except ConfigError as error:
        raise BadLine(1, str(error)) from error
    table = Table() if header.link == "never" else replace(Table(), link="up")
    return Machine(setup, decoder, table, header.buttons)


def _named(find: Callable[[str], T], name: str) -> T:
    try:
        return find(name)
    except ConfigError as error:
        raise BadLine(1, str(error)) from error
