"""The product from outside: bytes and commands into its machine, messages out."""

from functools import cache
from typing import Any, Final, get_args

import msgspec

from drivers import decoder_for
from drivers.profile import ShoeProfile, parse_shoe
from shoe_daemon.game.profile import RuleProfile, parse_rules
from shoe_daemon.game.side_bets_file import SideBets, parse_bets
from shoe_daemon.runtime.machine import Machine
from shoe_daemon.runtime.messages import Projector
from shoe_daemon.runtime.resources import bets_file, rules_file, shoe_file
from shoe_daemon.table.codec import Step
from shoe_daemon.table.inputs import Command, Service
from shoe_daemon.table.procedure import PROCEDURES
from shoe_daemon.table.project import Policy
from shoe_daemon.table.setup import Setup
from shoe_daemon.table.state import Table
from tests.model.config import Config
from tests.model.state import Data

_HASHES: Final = {"rules_sha256", "profile_sha256", "software"}


REASONS: Final = {"started": "restart", "stopped": "stop"}


@cache
def _rules(name: str) -> RuleProfile:
    return parse_rules(*rules_file(name))


@cache
def _shoe(min_gap_ms: int) -> ShoeProfile:
    """The Bee-Tek; its file ends in the table `[semantics]`."""
    text, source, beside = shoe_file("beetek-rs232")
    return parse_shoe(text + f"min_gap_ms = {min_gap_ms}\n".encode(), source, beside)


@cache
def _bets() -> SideBets:
    return parse_bets(*bets_file("standard"))


class Product:
    """The machine under one policy."""

    def __init__(self, config: Config, policy: str) -> None:
        assert policy in get_args(Policy)
        hidden: Any = policy
        procedure = msgspec.structs.replace(
            PROCEDURES[config.procedure],
            settle_s=config.settle_s,
            betting_opens=config.betting_opens,
        )
        profile = _shoe(config.min_gap_ms)
        setup = Setup(
            table=config.table,
            rules=_rules(config.rules),
            procedure=procedure,
            decks=config.decks,
            software="1",
            profile_sha256=profile.sha256,
            hidden=hidden,
            others=tuple(map(_rules, config.others)),
            side_bets=_bets().offered(config.side_bets),
            two_persons=config.two_persons,
            attest=config.attest,
            main_floor=config.main_floor,
        )
        table = msgspec.structs.replace(Table(), link="up")
        self._machine = Machine(setup, decoder_for(profile), table)
        self._projector = Projector("0" * 26, config.table, hidden, config.decks)
        self._decode = msgspec.json.Decoder().decode

    def _told(self, steps: list[Step]) -> list[Data]:
        return [
            _comparable(self._decode(message.body))
            for step in steps
            for message in self._projector.project(step)
        ]

    def start(self) -> list[Data]:
        """The opening of a capture."""
        return self._told(self._machine.start(0))

    def rx(self, at: int, data: bytes) -> list[Data]:
        """Bytes of the shoe."""
        return self._told(self._machine.rx(data, at))

    def command(self, at: int, verb: str, actor: str, args: Data) -> list[Data]:
        """An operator's command."""
        return self._told(self._machine.command(Command(at, verb, actor, args)))

    def link(self, at: int, state: Any) -> list[Data]:  # noqa: ANN401 - a literal of the machine's
        """The cable went or came."""
        return self._told(self._machine.link(state, None, at))

    def service(self, at: int, state: Any) -> list[Data]:  # noqa: ANN401 - a literal of the machine's
        """The process starts or stops."""
        return self._told(self._machine.service(Service(at, state, REASONS[state])))

    def advance(self, at: int) -> list[Data]:
        """Time passes."""
        return self._told(self._machine.advance(at))


def _comparable(message: Data) -> Data:
    """`message` without what names files and versions, which the model does not know."""
    del message["journal"]
    data = message["data"]
    for name in _HASHES & data.keys():
        del data[name]
    if message["type"] == "settlement" and data["totals"] is None:
        del data["totals"]
    if message["type"] == "coup.result":
        data["rules"].pop("sha256")
    return message
