"""As many cards as a table takes, and subscribers that cannot follow."""

import json
import random
import signal
import subprocess
import time
from pathlib import Path

from shoe_daemon.game.cards import DECK, Card
from tests.process.running import PATIENCE_S, Running, card, until

DECKS = 8


def shuffled(seed: int) -> list[Card]:
    """A whole shoe."""
    shoe = list(DECK) * DECKS
    random.Random(seed).shuffle(shoe)
    return shoe


def deal_shoe(table: Running, seed: int) -> None:
    """A whole shoe as fast as the line takes it; the coup that lacks its last cards is void."""
    table.must("load_shoe")
    before = _drawn(table)
    for face in shuffled(seed):
        table.shoe.write(card(face))
    until(lambda: _drawn(table) == before + len(DECK) * DECKS, lambda: (before, _drawn(table)))
    if not table.say("close_shoe")["ok"]:
        table.must("void")
        table.must("close_shoe")


def _drawn(table: Running) -> int:
    return sum(b'"type":"card.dealt"' in body for body in table.raw("public"))


class Follower:
    """`shoe-daemon events` of one audience, its lines in a file."""

    def __init__(self, table: Running, name: str) -> None:
        self._out = table.folder / f"{name}.out"
        self._err = table.folder / f"{name}.err"
        with self._out.open("wb") as out, self._err.open("wb") as err:
            self.process = subprocess.Popen(
                [*table.command, "events", "--config", str(table.config), "--audience", "surveillance"],
                stdout=out,
                stderr=err,
            )

    @property
    def lines(self) -> list[bytes]:
        return self._out.read_bytes().splitlines()

    @property
    def err(self) -> str:
        return self._err.read_text()

    def end(self) -> None:
        """Ctrl-C: an ordinary end."""
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(PATIENCE_S) == 0, self.err


def overtaken(table: Running, shoes: int, seconds: float) -> None:
    """Deal shoe after shoe past a subscriber that stands still for at least `seconds`."""
    table.start()
    table.must("open_table")
    stopped = Follower(table, "stopped")
    followers = [stopped]
    try:
        deal_shoe(table, 0)
        until(lambda: bool(stopped.lines), lambda: stopped.err)
        stopped.process.send_signal(signal.SIGSTOP)
        until(lambda: _stands(stopped.process.pid))
        held = len(stopped.lines)
        begun = time.monotonic()
        deal_shoe(table, 1)
        followers.append(Follower(table, "late"))
        until(lambda: _given_up(table), lambda: "the daemon does not give up a subscriber that stands still")
        for seed in range(2, shoes):  # none of this reaches it but by asking
            deal_shoe(table, seed)
        time.sleep(max(0.0, begun + seconds - time.monotonic()))  # how long it stands still is what is tested
        assert len(stopped.lines) == held
        stopped.process.send_signal(signal.SIGCONT)
        told = table.raw("surveillance")
        for follower in followers:
            until(lambda one=follower: len(one.lines) >= len(told), lambda one=follower: one.err)  # type: ignore[misc]  # bound now
            assert follower.lines == told
            follower.end()
    finally:
        for follower in followers:
            follower.process.kill()
            follower.process.wait()
    seqs = [json.loads(line)["seq"] for line in told]
    assert seqs == list(range(1, len(told) + 1))
    assert table.stop() == 0
    table.verified()


def _given_up(table: Running) -> bool:
    """Whether the daemon has closed its end of a connection, and the other end has not (FIN_WAIT)."""
    port = f":{table.port('surveillance'):04X}"
    lines = Path("/proc/net/tcp").read_text().splitlines()
    return any(
        local.endswith(port) and state in {"04", "05"} for _, local, _, state, *_ in map(str.split, lines)
    )


def _stands(pid: int) -> bool:
    return Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[0] == "T"
