"""A virtual shoe played at a line, and, where a table is named, its dealer's commands beside it."""

import signal
import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack

import msgspec

from drivers import decoder_for
from drivers.profile import ShoeProfile
from drivers.resending import Resending
from drivers.script import Action
from shoe_daemon.clients.operator import Operator
from shoe_daemon.clients.shoe_line import ShoeLine
from shoe_daemon.clients.subscriber import Subscriber
from shoe_daemon.clients.virtual_table import Player, Table


class At(msgspec.Struct, frozen=True):
    """Endpoints of the table that the dealer stands at: control, and PUB and ROUTER of surveillance."""

    control: str
    pub: str
    router: str


def perform(
    line: ShoeLine, shoe: ShoeProfile, script: Iterable[Action], at: At | None, told: Callable[[str], None]
) -> None:
    """Play `script` to its end, or until SIGINT or SIGTERM, and close `line`. `told`: lines for people."""
    with ExitStack() as stack:
        stack.callback(line.close)
        operator, table = None, None
        if at is not None:
            operator = stack.enter_context(Operator(at.control))
            table = Table(Subscriber(at.pub, at.router, "surveillance"))
            stack.callback(table.close)
        player = Player(line, decoder_for(shoe), operator, table, told, again=Resending(shoe))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: player.stop())
        dealer = threading.Thread(target=player.play, args=(script,))
        dealer.start()
        dealer.join()
