"""Wagers through the control channel of a real daemon: what a client may send, what the cage hears of it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import zmq

from shoe_daemon.runtime.house import House, settle
from shoe_daemon.table.events import CAGE
from tests.process.conftest import Tables
from tests.process.running import Running, Socket, card, until
from tests.table.evening import BANKER_WINS, NATURAL, TIE
from tests.table.histories import RULES
from tests.table.ledger import Ledger, Terms

SIDE_BETS = ("player-pair", "dragon-7")
FEED = """control_claims = true
[house]
side_bets = ["player-pair", "dragon-7"]
[house.wagers]
chip = 5
differential = 300
[house.wagers.limits.player]
minimum = 10
maximum = 1000
"""
Json = dict[str, Any]
_numbers = count()


def ledger() -> Ledger:
    """An empty ledger of such a table."""
    bets = settle(House(side_bets=SIDE_BETS), RULES["nsw"])[0].side_bets
    return Ledger(Terms(5, {name: tuple(bet.pays.values()) for name, bet in bets.items()}))


class Client:
    """A bare client of the control channel, which sends whatever bytes it likes."""

    def __init__(self, socket: Socket) -> None:
        self._socket = socket.socket

    def send(self, verb: str, args: object, actor: str = "dealer:1") -> str:
        """Ask, and do not wait; the id of the request."""
        number = f"w{next(_numbers)}"  # the same one again would be answered as the first time
        asked = {"id": number, "verb": verb, "actor": actor, "args": args}
        self._socket.send(json.dumps(asked).encode())
        return number

    def answer(self) -> Json:
        """Wait for the next answer."""
        (body,) = self._socket.recv_multipart()
        said: Json = json.loads(body)
        return said

    def say(self, verb: str, actor: str = "dealer:1", /, **args: object) -> Json:
        """Ask, and wait."""
        self.send(verb, args, actor)
        return self.answer()

    def raw(self, body: bytes) -> Json:
        """Send bytes, and wait."""
        self._socket.send(body)
        return self.answer()


@contextmanager
def client(table: Running) -> Iterator[Client]:
    """A client of the table's control channel."""
    with Socket(zmq.DEALER, table.at("control")) as socket:
        yield Client(socket)


def opened(tables: Tables) -> Running:
    table: Running = tables(rules="nsw", procedure="dealer-reveal", feed=FEED).start()
    table.must("open_table")
    table.must("load_shoe")
    return table


def deal(table: Running, *cards: str) -> None:
    """The cards of a coup, turned and called."""
    table.say("no_more_bets", "dealer:1")
    for number, face in enumerate(cards, 1):
        drawn = len(table.of("card.drawn"))
        table.shoe.write(card(face))
        table.wait("card.drawn", drawn + 1)
        if number >= 4:
            table.must("reveal", "dealer:1")
    table.must("confirm", "dealer:1")


class Ear:
    """A subscriber of the cage's feed."""

    def __init__(self, table: Running, socket: Socket) -> None:
        self.heard: list[Json] = []
        self._table = table
        self._socket = socket
        assert next(socket.waiting(5.0))  # the first heartbeat: it hears

    def listen(self) -> None:
        """Hear all that has been told."""
        until(self._up_to_date, lambda: self.heard[-1:])

    def _up_to_date(self) -> bool:
        for topic, _, body in self._socket.waiting():
            if not topic.endswith(b"heartbeat/"):
                self.heard.append(json.loads(body))
        return bool(self.heard) and self.heard[-1]["seq"] == self._table.told(CAGE)[-1]["seq"]


def _bets(bettor: Client) -> None:
    """Wagers of six seats, one taken off again; those on the Player are reduced."""
    for seat, bet in enumerate(("player", "banker", "tie", *SIDE_BETS), 1):
        assert bettor.say("wager", seat=seat, bet=bet, amount=90 + 5 * seat)["events"] == []
    bettor.say("wager", seat=6, bet="player", amount=900)
    bettor.say("withdraw", seat=5)
    bettor.say("no_more_bets")
    assert bettor.say("acknowledge", what="differential")["ok"]


def test_the_cage_hears_of_every_unit(tables: Tables) -> None:
    """Three coups, a daemon killed with wagers down, a correction: a subscriber's own books balance."""
    table = opened(tables)
    with Socket(zmq.SUB, table.at("cage")) as cage, client(table) as bettor:
        first = Ear(table, cage)
        _bets(bettor)
        deal(table, *NATURAL)
        _bets(bettor)
        first.listen()
    table.kill()
    table.start()
    with Socket(zmq.SUB, table.at("cage")) as cage, client(table) as bettor:
        second = Ear(table, cage)
        table.say("resolve", "supervisor:1", id="link_gap", remedy="none_missed")
        deal(table, *TIE)
        _bets(bettor)
        deal(table, *BANKER_WINS)
        table.must("correct", "supervisor:1", coup=2, slot="P1", card="8S")
        second.listen()
    told = table.told(CAGE)
    for ear in (first, second):
        assert ear.heard == [
            event for event in told if ear.heard[0]["seq"] <= event["seq"] <= ear.heard[-1]["seq"]
        ]
    books = ledger()
    for event in told:
        books.hear(event)
        books.balanced()
    assert books.open() == {}
    assert (len(books.ends), books.ways["reduced"], books.ways["withdrawn"]) == (3, 3, 3)
    assert table.stop() == 0
    table.verified()


HOSTILE = [
    b'{"seat":1,"bet":"tie","amount":%b}' % amount
    for amount in (
        b"1000000000000000000000000000000",
        b"9" + b"0" * 4299,
        b"9" * 6000,
        b"-5",
        b"0",
        b"1.5",
        b"10.0",
        b"1e400",
        b'"10"',
        b"null",
        b"true",
        b"NaN",
        b"[10]",
    )
] + [
    b'{"seat":0,"bet":"player","amount":10}',
    b'{"seat":99,"bet":"player","amount":10}',
    b'{"seat":1e3,"bet":"player","amount":10}',
    b'{"seat":1000000000000000000000000,"bet":"player","amount":10}',
    b'{"seat":1,"bet":"no-such-bet","amount":10}',
    b'{"seat":1,"bet":"%b","amount":10}' % (b"x" * 5000),
    b'{"seat":1,"bet":"player","amount":10,"backer":"\\ud800"}',
    b'{"seat":1,"bet":"player","amount":10,"backer":"%b"}' % (b"x" * 5000),
    b'{"seat":1,"bet":"player","amount":10,"chips":3}',
    b'{"seat":1,"bet":"player"}',
    b'[1,"player",10]',
    b'"wager"',
    b"%b%b" % (b"[" * 3000, b"]" * 3000),
]
OTHERS = [
    ("set_limits", b'{"maximum":1000000000000000000000000000000}'),
    ("set_limits", b'{"seat":3,"minimum":2000}'),
    ("set_limits", b'{"minimum":2000}'),
    ("notice", b'{"what":"minimum","to":1000000000000000000000000000000}'),
    ("notice", b'{"what":"minimum","to":9%b}' % (b"0" * 4299)),
    ("set_method", b'{"method":"A","seat":1000000000000000000000000000000}'),
    ("seat", b'{"seat":1,"act":"say","text":"a"}'),
    ("close_shoe", b'{"remaining":9%b}' % (b"0" * 4299)),
]


def test_no_wager_and_no_limit_brings_the_daemon_down(tables: Tables) -> None:
    table = opened(tables)
    with client(table) as bettor:
        for number, (verb, args) in enumerate([*(("wager", one) for one in HOSTILE), *OTHERS]):
            asked = b'{"id":"h%d","verb":"%b","actor":"supervisor:1","args":%b}'
            said = bettor.raw(asked % (number, verb.encode(), args))
            assert said.get("ok", False) is False, (verb, args[:80], said)
        assert table.of("wager.placed", CAGE) == []
        assert bettor.say("wager", seat=1, bet="tie", amount=10**12)["ok"]
        deal(table, *TIE)
    (paid,) = table.of("settlement", CAGE)
    assert paid["data"]["totals"]["paid"] == 8 * 10**12
    assert table.stop() == 0
    table.verified()
    table.start()
    assert table.must("wager", "dealer:1", seat=1, bet="tie", amount=5) == []


def test_a_burst_of_wagers(tables: Tables) -> None:
    """A client that waits for no answer: it is told which were taken, and those are the cage's."""
    table = opened(tables)
    books = ledger()
    amounts: dict[str, int] = {}
    with client(table) as bettor:
        for number in range(300):
            amount = 10 + 5 * (number % 20)
            args = {"seat": 1 + number % 14, "bet": "player", "amount": amount, "backer": str(number)}
            amounts[bettor.send("wager", args)] = amount
        answers = [bettor.answer() for _ in amounts]
        taken = sum(amounts[one["id"]] for one in answers if one.get("ok"))
        assert taken > 0
    deal(table, *NATURAL)
    for event in table.told(CAGE):
        books.hear(event)
    (money,) = table.of("settlement", CAGE)
    assert money["data"]["totals"]["stake"] == money["data"]["totals"]["paid"] == taken
    assert (books.put, books.open()) == (taken, {})
    assert table.stop() == 0
    table.verified()
