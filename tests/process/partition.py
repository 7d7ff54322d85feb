"""A daemon and its consumers at the two ends of a cable that fails: what each says, and how long it took."""

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

from shoe_daemon.runtime.gate import new_pair
from shoe_daemon.runtime.keys import Entry, Keys, write_pair
from shoe_daemon.table.inputs import Door
from tests.process.cable import FAR, NEAR, Cable, Loss
from tests.process.conftest import Tables
from tests.process.load import shuffled
from tests.process.running import LOOK_S, Running, card, until

PROGRAM: Final = (sys.executable, "-m", "shoe_daemon")
DEAL_S: Final = 1.0
ESTABLISHED: Final = "01"
NOT_LIVE: Final = ("nothing heard", "not live")


class Consumer:
    """A client at the far end. `said`: what it tells a person, line by line."""

    def __init__(self, folder: Path, name: str, command: list[str]) -> None:
        self.name = name
        self._out, self._err = folder / f"{name}.out", folder / f"{name}.err"
        with self._out.open("wb") as out, self._err.open("wb") as err:
            self.process = subprocess.Popen(command, stdout=out, stderr=err)

    @property
    def said(self) -> list[str]:
        return self._err.read_text().splitlines()

    @property
    def printed(self) -> list[bytes]:
        return self._out.read_bytes().splitlines()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


class Split:
    """A table at the near end, which deals all the time; surveillance and the cage follow at the far end."""

    def __init__(self, cable: Cable, tables: Tables) -> None:
        self.cable = cable
        near = (*cable.inside(NEAR), *PROGRAM)
        self.table: Running = tables(command=near, host=NEAR, feed='[keys]\nfolder = "keys"')
        self._folder = self.table.folder
        self._keys = Keys(self._folder / "keys")
        self._keys.make(new_pair())
        self._cards = iter(shuffled(5))
        self._next = 0.0

    def start(self) -> None:
        table = self.table
        config, pit = str(table.config), self._let_in("control", "casino_supervisor")
        table.spawn()
        until(lambda: '"event":"link up"' in table.log.read_text(), table.log.read_text)
        for verb in ("open_table", "load_shoe"):
            table.cli("control", verb, "--config", config, "--actor", "casino_supervisor:9", "--key", pit)

    @contextmanager
    def followed(self) -> Iterator[tuple[Consumer, Consumer]]:
        """Start both consumers; each of them is live."""
        cage = self._folder / "cage.toml"
        pub, router = self.table.at("cage"), self.table.at("cage_replay")
        cage.write_text(
            f'[feed]\ntable = "T-1"\npub = "{pub}"\nrouter = "{router}"\n'
            f'key = "{self._let_in("cage")}"\nserver = "keys/server.pub"\n[store]\npath = "cage.db"\n'
        )
        config, recorder = str(self.table.config), self._let_in("surveillance")
        with ExitStack() as ends:

            def follow(name: str, *words: str) -> Consumer:
                one = Consumer(self._folder, name, [*self.cable.inside(FAR), *PROGRAM, *words])
                ends.callback(one.close)
                return one

            both = (
                follow(
                    "recorder", "events", "--config", config, "--audience", "surveillance", "--key", recorder
                ),
                follow("cage", "cage", "--config", str(cage)),
            )
            for one in both:
                self.until(lambda one=one: one.said[-1:] == ["live"], lambda one=one: one.said)  # type: ignore[misc]  # bound now
            yield both

    def deal(self) -> None:
        """Draw a card where it is time for one."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + DEAL_S
            self.table.shoe.write(card(next(self._cards)))

    def until(self, done: Callable[[], bool], what: Callable[[], object]) -> None:
        """Deal until `done`."""

        def looked() -> bool:
            self.deal()
            return done()

        until(looked, what)

    def peers(self) -> int:
        """Connections from the far end that the daemon takes for alive."""
        assert self.table.process is not None
        far = "".join(f"{int(one):02X}" for one in reversed(FAR.split(".")))
        lines = Path("/proc", str(self.table.process.pid), "net/tcp").read_text().splitlines()
        ends = [line.split()[2:4] for line in lines]
        return sum(there.startswith(f"{far}:") and state == ESTABLISHED for there, state in ends)

    def kept(self) -> list[bytes]:
        """What the cage has in its database, in order."""
        with closing(sqlite3.connect(f"file:{self._folder}/cage.db?mode=ro", uri=True)) as db:
            return [body.encode() for (body,) in db.execute("SELECT body FROM event ORDER BY seq")]

    def _let_in(self, door: Door, *roles: str) -> str:
        """Make a key for a door; its file."""
        pair, file = new_pair(), self._folder / f"{door}.key"
        write_pair(file, pair)
        self._keys.allow(Entry(door, f"{door}-1", pair.public, roles))
        return str(file)


def parted(cable: Cable, tables: Tables, loss: Loss, seconds: float) -> None:
    """Lose what the cable carries until both ends have noticed, and for `seconds` at least; then heal it."""
    split = Split(cable, tables)
    table = split.table
    split.start()
    with split.followed() as (recorder, cage):
        assert split.peers() > 0
        times: dict[str, float] = {}
        begun = time.monotonic()
        before = {one.name: len(one.said) for one in (recorder, cage)}
        cable.lose(loss)

        def noticed() -> bool:
            for one in (recorder, cage):
                if any(line.startswith(NOT_LIVE) for line in one.said[before[one.name] :]):
                    times.setdefault(f"{one.name} not live", time.monotonic() - begun)
            if split.peers() == 0:
                times.setdefault("daemon has given both up", time.monotonic() - begun)
            return len(times) == 3

        split.until(noticed, lambda: (times, split.peers(), recorder.said, cage.said))
        while time.monotonic() - begun < seconds:  # how long nothing arrives is what is tested
            split.deal()
            time.sleep(LOOK_S)
        assert [one.said[-1] == "live" for one in (recorder, cage)] == [False, False]
        begun = time.monotonic()
        top = len(table.raw("surveillance")), len(table.raw("cage"))
        cable.heal()

        def whole() -> bool:
            for name, there in (
                ("recorder complete", len(recorder.printed) >= top[0]),
                ("cage complete", len(split.kept()) >= top[1]),
                ("recorder live", recorder.said[-1] == "live"),
                ("cage live", cage.said[-1] == "live"),
            ):
                if there:
                    times.setdefault(f"healed: {name}", time.monotonic() - begun)
            return len(times) == 7

        split.until(whole, lambda: (times, recorder.said, cage.said))
        for name, took in times.items():
            print(f"{loss}, {seconds:g} s: {name} after {took:.2f} s")  # noqa: T201 - how long it took is no verdict
        told = table.raw("surveillance")
        until(lambda: len(recorder.printed) >= len(told))
        assert recorder.printed == told
        until(lambda: len(split.kept()) >= len(table.raw("cage")))
        assert split.kept() == table.raw("cage")
        assert [json.loads(line)["seq"] for line in told] == list(range(1, len(told) + 1))
    assert table.stop() == 0
    table.verified()
