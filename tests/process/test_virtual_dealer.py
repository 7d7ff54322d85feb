"""The virtual dealer at a daemon that dies or stands still: no card is lost, no word is said twice."""

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from drivers import decoder_for
from drivers.script import Action, Operator, Send
from shoe_daemon.clients import operator as talking
from shoe_daemon.clients.subscriber import Subscriber
from shoe_daemon.clients.virtual_table import Player, Table
from shoe_daemon.clients.wire import Event
from shoe_daemon.runtime.rows import Reader
from shoe_daemon.table.codec import decode_step
from shoe_daemon.table.inputs import Command
from tests.process.conftest import Tables
from tests.process.running import PATIENCE_S, Running, card
from tests.process.virtual import PROFILE


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def _dealer(stack: ExitStack, table: Running, said: list[str], patience: float = 30.0) -> Player:
    """A dealer who is held up by an open gap."""
    gaps: set[int] = set()

    def staff(event: Event) -> None:
        data = event.message()["data"]
        if event.type == "irregularity.raised" and data["code"] == "link_gap":
            gaps.add(data["id"])
        elif event.type == "irregularity.resolved":
            gaps.discard(data["id"])

    feed = Subscriber(table.at("surveillance"), table.at("surveillance_replay"), "surveillance")
    seen = Table(feed, staff)
    stack.callback(seen.close)
    operator = stack.enter_context(talking.Operator(table.at("control"), patience))
    return Player(table.shoe, decoder_for(PROFILE), operator, seen, said.append, lambda: bool(gaps))


def _over_a_kill(stack: ExitStack, table: Running, said: list[str], *, told: bool) -> None:
    """A natural is dealt; the daemon is killed after the third card, which it was told of or not."""
    table.start()
    table.must("open_table")
    table.must("load_shoe")
    out = threading.Event()

    def script() -> Iterator[Action]:
        yield Send(0.0, card("8S"))
        yield Send(0.0, card("3H"))
        table.wait("card.drawn", 2)
        if not told:
            table.signal(signal.SIGSTOP)
        yield Send(0.0, card("AC"))
        if told:
            table.wait("card.drawn", 3)
        out.set()
        yield Send(2.0, card("QD"))

    player = _dealer(stack, table, said)
    dealer = threading.Thread(target=player.play, args=(script(),))
    dealer.start()
    stack.callback(dealer.join)
    stack.callback(player.stop)
    assert out.wait(PATIENCE_S)
    table.kill()
    table.start()
    table.must("resolve", id="link_gap", remedy="none_missed")
    result = table.wait("coup.result", 1)[0]["data"]
    assert [result[hand]["cards"] for hand in ("player", "banker")] == [["8S", "AC"], ["3H", "QD"]]
    assert len(table.of("card.drawn")) == 4


def test_a_card_that_reached_nobody_is_drawn_again(tables: Tables, stack: ExitStack) -> None:
    said: list[str] = []
    _over_a_kill(stack, tables(), said, told=False)
    assert any("drawn again" in line for line in said)


def test_a_card_that_was_told_before_the_kill_is_not_drawn_again(tables: Tables, stack: ExitStack) -> None:
    said: list[str] = []
    _over_a_kill(stack, tables(), said, told=True)
    assert not any("drawn again" in line for line in said)


def test_a_command_asked_again_is_carried_out_once(tables: Tables, stack: ExitStack) -> None:
    table = tables().start()
    said: list[str] = []

    class Patient(list[str]):
        """Wakes the daemon up once the dealer has waited in vain."""

        def append(self, line: str) -> None:
            said.append(line)
            table.signal(signal.SIGCONT)

    def script() -> Iterator[Action]:
        table.signal(signal.SIGSTOP)
        yield Operator(0.0, "open_table", "supervisor:1", {})
        yield Operator(0.0, "load_shoe", "supervisor:1", {})

    _dealer(stack, table, Patient(), patience=0.5).play(script())
    table.wait("shoe.loaded", 1)
    with Reader(table.journal) as journal:
        inputs = [decode_step(row.body).input for row in journal.rows(0, ("step",))]
    assert [what.verb for what in inputs if isinstance(what, Command)] == ["open_table", "load_shoe"]
    assert any("no answer" in line for line in said)
    assert not any("refused" in line for line in said)
