"""The display as a process of its own: over HTTP, and in a headless browser."""

import http.client
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

import pytest

from shoe_daemon.clients.board import Board
from shoe_daemon.clients.display import bind
from shoe_daemon.clients.sequence import Live, NewJournal
from shoe_daemon.clients.wire import Event
from tests.clients.browser import CHROMEDRIVER, CHROMIUM, Browser
from tests.clients.feed_double import Ledger, Publisher
from tests.clients.shoes import Game

PATIENCE_S = 60.0
PROGRAM = """
import asyncio, sys
from shoe_daemon.clients import display
from shoe_daemon.clients.subscriber import Subscriber
listener = display.bind(int(sys.argv[3]))
print(listener.getsockname()[1], flush=True)
asyncio.run(display.serve(Subscriber(sys.argv[1], sys.argv[2], "public"), listener))
"""


class Display:
    """A display of `publisher` on a port of its own, which it keeps when it is started again."""

    def __init__(self, publisher: Publisher) -> None:
        self._feed = (publisher.pub, publisher.router)
        self._connections: list[http.client.HTTPConnection] = []
        self._answers: list[http.client.HTTPResponse] = []
        self.port = 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-c", PROGRAM, *self._feed, str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        code = self.process.wait(timeout=PATIENCE_S)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def get(self, path: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        self._connections.append(connection)
        connection.request("GET", path)
        self._answers.append(connection.getresponse())
        return self._answers[-1]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for answer in self._answers:
            answer.close()
        for connection in self._connections:
            connection.close()
        if self.process.poll() is None:
            self.stop(signal.SIGKILL)


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    with Publisher(Ledger("01J" + "A" * 23)) as running:
        yield running


@pytest.fixture
def game(publisher: Publisher) -> Game:
    game = Game(publisher)
    game.open()
    return game


@pytest.fixture
def display(publisher: Publisher) -> Iterator[Display]:
    with Display(publisher) as running:
        yield running


def messages(stream: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
    for line in stream:
        if line.startswith(b"data: "):
            yield json.loads(line[6:])


def until_live(stream: http.client.HTTPResponse, coups: int) -> dict[str, Any]:
    """Read to the message that is live, shows `coups` results and takes bets for the next coup."""
    return next(
        message
        for message in messages(stream)
        if message["feed"] == "live"
        and message["picture"]["counts"]["coups"] == coups
        and message["picture"]["status"]["code"] == "open"
    )


def test_every_answer_forbids_foreign_content_and_caching(display: Display) -> None:
    for path in ("/", "/display.js", "/display.css", "/icon.svg", "/live", "/nothing"):
        answer = display.get(path)
        assert answer.status == (404 if path == "/nothing" else 200)
        assert str(answer.headers["Content-Security-Policy"]).startswith("default-src 'self'")
        assert answer.headers["Cache-Control"] == "no-store"


def test_the_page_takes_nothing_from_elsewhere(display: Display) -> None:
    for path in ("/", "/display.js", "/display.css"):
        text = display.get(path).read().decode()
        assert text.replace("http://www.w3.org/2000/svg", "").count("//") == text.count("\n//")
        assert "{{build}}" not in text


def test_each_message_is_the_whole_picture(display: Display, game: Game) -> None:
    game.play("BPT")
    first, second = display.get("/live"), display.get("/live")
    before = until_live(first, 3)
    assert [bead["outcome"] for bead in before["picture"]["beads"]] == ["banker", "player", "tie"]
    assert before["build"] in display.get("/").read().decode()
    game.play("B")
    after = until_live(first, 4)
    assert until_live(second, 4) == after
    assert after["picture"]["status"]["text"] == "Place your bets"


def test_it_beats_while_nothing_happens(display: Display, game: Game) -> None:
    game.play("B")
    stream = display.get("/live")
    first = until_live(stream, 1)
    rest = messages(stream)
    assert [next(rest), next(rest)] == [first, first]


def test_corrections_voids_and_a_new_shoe_are_shown(display: Display, game: Game) -> None:
    game.play("BBP")
    stream = display.get("/live")
    until_live(stream, 3)
    game.result("player", coup=1, revision=2, cause="correct")
    game.publisher.tell("coup.invalidated", 2, ground="command", rule=None, revision=1)
    beads = until_live(stream, 2)["picture"]["beads"]
    assert [(bead["coup"], bead["outcome"]) for bead in beads] == [(1, "player"), (3, "player")]
    game.load()
    assert until_live(stream, 0)["picture"]["shoe"] == 2


def test_no_message_before_the_result_tells_the_outcome(display: Display, game: Game) -> None:
    game.play("B")
    stream = display.get("/live")
    until_live(stream, 1)
    game.start()
    for n in range(1, 5):
        game.deal(n)
    for slot, card in (("P1", "9S"), ("P2", "KH"), ("B1", "2S"), ("B2", "5D")):
        game.expose(slot, card)
    game.announce("player", 9)
    for message in messages(stream):
        felt = message["picture"]["felt"]
        assert felt["result"] is None or felt["caption"] != "Coup 2"
        assert message["picture"]["counts"]["coups"] == 1
        if felt["caption"] == "Coup 2" and felt["player"]["points"] == 9:
            break
    game.result("player")
    after = next(message for message in messages(stream) if message["picture"]["counts"]["coups"] == 2)
    assert after["picture"]["felt"]["result"]["outcome"] == "player"


def test_a_broken_event_is_never_shown_as_live(display: Display, game: Game) -> None:
    stream = display.get("/live")
    until_live(stream, 0)
    game.publisher.tell("coup.result", 1, outcome="nobody")
    assert next(m for m in messages(stream) if m["feed"] != "live")["feed"] == "fault"


def test_doubt_ends_with_a_new_journal_only() -> None:
    board = Board("build", None)
    broken = Event("0" * 26, 1, "coup.result", b'{"journal":"0"}')
    board.take([broken, Live()])
    assert json.loads(board.message)["feed"] == "fault"
    board.take([NewJournal(None, "other_journal")])
    assert json.loads(board.message)["feed"] == "stale"
    board.take([Live()])
    assert json.loads(board.message)["feed"] == "live"


def test_a_taken_port_is_an_error() -> None:
    with bind(0) as listener, pytest.raises(OSError, match="in use"):
        bind(listener.getsockname()[1])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_by_itself_with_open_streams(display: Display, game: Game, number: int) -> None:
    game.play("B")
    streams = [display.get("/live") for _ in range(4)]
    for stream in streams:
        until_live(stream, 1)
    assert display.stop(number) == 0
    for stream in streams:
        stream.read()  # raises IncompleteRead where the stream was cut off


def test_it_ends_by_itself_with_a_reader_that_has_stalled(display: Display, game: Game) -> None:
    with socket.create_connection(("127.0.0.1", display.port)) as stalled:
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        stalled.sendall(b"GET /live HTTP/1.1\r\nHost: display\r\n\r\n")
        stream = display.get("/live")
        game.play("BP" * 200)
        until_live(stream, 400)
        assert display.stop() == 0


needs_browser = pytest.mark.skipif(
    CHROMIUM is None or CHROMEDRIVER is None, reason="needs chromium and chromium-driver"
)


@needs_browser
def test_in_a_browser_all_is_live_without_a_reload(display: Display, game: Game) -> None:
    game.play("TBBBBBBBBP")
    with Browser() as browser:
        browser.open(display.url)
        browser.run("window.sameLoad = true")
        browser.until("document.body.dataset.live", "live")
        browser.until("document.querySelectorAll('.bead').length", 10)
        assert browser.run("return document.querySelector('.big .slash') !== null")
        tail = "document.querySelectorAll('.big.banker[data-row=\"5\"]').length"
        assert browser.run(f"return {tail}") == 3
        assert browser.run("return document.querySelectorAll('.big.player').length") == 1
        browser.until("document.getElementById('status').textContent", "Place your bets")

        game.start()
        game.deal(1)
        browser.until("document.querySelectorAll('#player-cards .card[data-card=\"\"]:not(.slot)').length", 1)
        game.expose("P1", "10H")
        browser.until("document.querySelector('#player-cards .card').dataset.card", "10H")
        game.result("tie")
        game.play("TT")
        browser.until("document.querySelectorAll('.bead').length", 13)
        assert browser.run("return document.querySelector('.big.player').dataset.ties") == "3"
        assert browser.run("return document.querySelector('.big.player .ties').textContent") == "3"
        assert browser.run("return document.getElementById('n-tie').textContent") == "4"
        assert browser.run("return window.sameLoad") is True
        assert browser.run("return document.documentElement.scrollHeight <= innerHeight")
        assert browser.complaints() == []


@needs_browser
def test_in_a_browser_an_old_picture_never_looks_live(
    display: Display, game: Game, publisher: Publisher
) -> None:
    game.play("BP")
    with Browser(1280, 720) as browser:
        browser.open(display.url)
        browser.run("window.sameLoad = true")
        browser.until("document.body.dataset.live", "live")
        assert browser.run("return document.getElementById('banner').hidden")

        publisher.stop()
        browser.until("document.body.dataset.live", "stale")
        assert "connection to the table" in browser.run("return document.getElementById('banner').innerText")
        publisher.start()
        game.play("T")
        browser.until("document.body.dataset.live", "live")
        browser.until("document.querySelectorAll('.bead').length", 3)

        assert display.stop() == 0
        browser.until("document.body.dataset.live", "lost")
        assert "display service" in browser.run("return document.getElementById('banner').innerText")
        game.play("B")
        display.start()
        browser.until("document.body.dataset.live", "live")
        browser.until("document.querySelectorAll('.bead').length", 4)
        assert browser.run("return window.sameLoad") is True
        assert browser.run("return document.documentElement.scrollHeight <= innerHeight")
