"""`shoe-daemon surveillance` as a process of its own."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, Self

from tests.process.running import PATIENCE_S, Running, card, until

RANKS: Final = ("9", "K", "10", "2")
"""A natural for the Player: each coup is these four cards, face up. Eight decks have them for 32 coups."""


class Client:
    """One client; its configuration stays, and its cursors are the daemon's."""

    def __init__(self, folder: Path, table: Running, outputs: str) -> None:
        folder.mkdir()
        self.config = folder / "surveillance.toml"
        self.log = folder / "client.log"
        self._table = table
        self._process: subprocess.Popen[bytes] | None = None
        self.config.write_text(
            f'[feed]\npub = "{table.at("surveillance")}"\n{outputs}',
            encoding="utf-8",
        )

    def start(self) -> Self:
        """Start it and wait for nothing."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "shoe_daemon", "surveillance", "--config", str(self.config)],
                stderr=log,
            )
        return self

    def kill(self, number: int = signal.SIGKILL) -> int:
        """End it by a signal; its exit code."""
        assert self._process is not None
        self._process.send_signal(number)
        code = self._process.wait(PATIENCE_S)
        self._process = None
        return code

    def close(self) -> None:
        """Leave nothing behind."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def logged(self) -> list[dict[str, Any]]:
        """What it logged."""
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    def cursor(self, output: str) -> int:
        """How far an output has come, as the daemon keeps it."""
        journal = self._table.ask("surveillance_replay", {"snapshot": True})[1]["journal"]
        asked = {"ack": 0, "consumer": f"{output}.{journal[-6:]}"}
        return int(self._table.ask("surveillance_replay", asked)[1]["ack"])

    def until_at(self, output: str, seq: int) -> None:
        """Wait until an output has come to event `seq`."""
        until(lambda: self.cursor(output) >= seq, lambda: (self.cursor(output), self.log.read_text()))


def said(client: Client, words: str) -> bool:
    """Whether the log has a line that begins so."""
    return any(line["event"].startswith(words) for line in client.logged())


def deal(table: Running, coups: int) -> int:
    """Deal coups; the number of the last event of surveillance."""
    if not table.of("shoe.loaded"):
        table.must("open_table")
        table.must("load_shoe")
        table.must("burn", count=1)
        table.shoe.write(card("3C"))
    done = len(table.of("coup.result"))
    for coup in range(1, coups + 1):
        for rank in RANKS:
            table.shoe.write(card(f"{rank}{'SHCD'[(done + coup) % 4]}"))
        table.wait("coup.result", done + coup)
    return int(table.told("surveillance")[-1]["seq"])
