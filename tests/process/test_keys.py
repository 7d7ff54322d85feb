"""CURVE on every tcp endpoint of a real daemon: who comes in where, who does not, what surveillance hears."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from shoe_daemon.clients.operator import Operator, Unanswered, table_at
from shoe_daemon.clients.subscriber import ClientKeys, Subscriber
from shoe_daemon.clients.wire import Event
from shoe_daemon.runtime.gate import new_pair
from shoe_daemon.runtime.keys import SERVER_KEY, Entry, KeyPair, Keys, write_pair
from shoe_daemon.runtime.rows import Reader
from shoe_daemon.table.codec import decode_step
from shoe_daemon.table.inputs import Command, Door
from tests.process.running import Running, until

PIT = ("dealer", "casino_supervisor")


class House:
    """A daemon that asks for keys, and the keys of those who have one."""

    def __init__(self, folder: Path) -> None:
        self.keys = Keys(folder / "keys")
        server = new_pair()
        self.keys.make(server)
        self.server = server.public
        self.table = Running(folder, feed='control_claims = true\n[keys]\nfolder = "keys"')
        self.pit = self.let_in("pit-1", "control", PIT)
        self.recorder = self.let_in("recorder-1", "surveillance")
        self.board = self.let_in("board-1", "public")

    def let_in(self, name: str, door: Door, roles: tuple[str, ...] = ()) -> KeyPair:
        pair = new_pair()
        self.keys.allow(Entry(door, name, pair.public, roles))
        return pair

    def mine(self, pair: KeyPair) -> ClientKeys:
        return ClientKeys(pair, self.server)

    def follow(self, audience: str, pair: KeyPair | None) -> Subscriber:
        pub, router = self.table.at(audience), self.table.at(f"{audience}_replay")
        return Subscriber(pub, router, audience, keys=None if pair is None else self.mine(pair))

    def operator(self, pair: KeyPair | None, patience: float = 5.0) -> Operator:
        keys = None if pair is None else self.mine(pair)
        return Operator(self.table.at("control"), patience, keys)

    def say(self, verb: str, actor: str = "casino_supervisor:9", **args: object) -> dict[str, object]:
        with self.operator(self.pit) as operator:
            return operator.say(verb, actor, args)

    def cli(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "shoe_daemon", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    home = House(tmp_path)
    try:
        home.table.start()
        yield home
        assert home.table.stop() == 0
        home.table.verified()
    finally:
        home.table.close()


class Told:
    """What one subscriber was told, in order."""

    def __init__(self, feed: Subscriber) -> None:
        self.feed = feed
        self.events: list[Event] = []

    def look(self) -> list[Event]:
        self.events += [item for item in self.feed.poll(0.01) if isinstance(item, Event)]
        return self.events

    def alarms(self) -> list[tuple[str, str]]:
        found = [one.message()["data"] for one in self.look() if one.type == "alarm.raised"]
        return [(one["what"], one["reason"]) for one in found if one["code"] == "key_refused"]

    def until_type(self, kind: str) -> None:
        until(lambda: any(one.type == kind for one in self.look()), lambda: self.events[-3:])

    def until_seq(self, seq: int) -> None:
        until(lambda: any(one.seq >= seq for one in self.look()), lambda: self.events[-3:])


def test_whoever_is_allowed_comes_in_at_that_door(house: House) -> None:
    assert house.say("open_table")["ok"]
    for audience, pair in (("surveillance", house.recorder), ("public", house.board)):
        with house.follow(audience, pair) as feed:
            told = Told(feed)
            told.until_type("table.opened")


@pytest.mark.parametrize("who", ["plain", "stranger", "display"])
def test_whoever_is_not_hears_nothing_and_is_one_alarm(house: House, who: str) -> None:
    """It knocks all the time: a client that is refused tries again and again."""
    pair = {"plain": None, "stranger": new_pair(), "display": house.board}[who]
    house.say("open_table")
    with house.follow("surveillance", house.recorder) as feed, house.follow("surveillance", pair) as knocking:
        told, barred = Told(feed), Told(knocking)
        until(lambda: barred.look() == [] and bool(told.alarms()), house.table.log.read_text)
        for _ in range(100):
            assert barred.look() == []
        house.say("load_shoe")
        told.until_type("shoe.loaded")
        ((what, reason),) = told.alarms()
    assert what == "surveillance"
    assert reason == ("no key" if pair is None else f"key {pair.public}")


def test_a_client_with_an_old_key_of_the_daemon_is_one_alarm_and_says_so(
    house: House,
) -> None:
    house.say("open_table")
    old = ClientKeys(house.board, new_pair().public)
    with house.follow("surveillance", house.recorder) as feed:
        told = Told(feed)
        with pytest.raises(Unanswered, match="does the daemon run, and is the key allowed"):
            table_at(house.table.at("public_replay"), 2.0, old)
        until(lambda: bool(told.alarms()), house.table.log.read_text)
        assert told.alarms() == [("public", "no key")]


def test_what_speaks_no_zeromq_costs_nobody_anything(house: House) -> None:
    house.say("open_table")
    with house.follow("surveillance", house.recorder) as feed, ExitStack() as lines:
        told = Told(feed)
        for sent in (b"", b"GET / HTTP/1.1\r\n\r\n" * 8, bytes(range(256)) * 300):
            for end in ("surveillance", "surveillance_replay", "control"):
                line = socket.create_connection(("127.0.0.1", house.table.port(end)))
                lines.enter_context(line).sendall(sent)
        house.say("load_shoe")
        told.until_type("shoe.loaded")
        assert told.alarms() == []


def test_a_key_that_is_revoked_is_put_out_and_the_others_miss_nothing(house: House) -> None:
    other = house.let_in("recorder-2", "surveillance")
    house.say("open_table")
    with house.follow("surveillance", house.recorder) as gone, house.follow("surveillance", other) as stays:
        out, told = Told(gone), Told(stays)
        top = max(one.seq for one in Reader(house.table.journal).messages("surveillance", 0, 1000))
        for one in (out, told):
            one.until_seq(top)
        at = ("--config", str(house.table.config), "--door", "surveillance")
        ran = house.cli("keys", "revoke", "recorder-1", *at)
        assert (ran.returncode, ran.stderr) == (0, "")
        until(lambda: "its door is opened anew" in house.table.log.read_text())
        before = len(out.look())
        house.say("load_shoe")
        told.until_type("shoe.loaded")
        until(lambda: ("surveillance", f"key {house.recorder.public}") in told.alarms())
        assert len(out.look()) == before
        assert [one.seq for one in told.events] == list(range(1, len(told.events) + 1))


def test_a_key_vouches_for_persons_of_its_roles_and_for_no_others(house: House) -> None:
    assert house.say("open_table", "casino_supervisor:17")["ok"]
    refused = house.say("close_table", "duty_manager:1")
    assert refused["refused"] == "not_vouched"
    with house.operator(None, 0.5) as nobody, pytest.raises(Unanswered):
        nobody.say("load_shoe", "casino_supervisor:17", {})
    with house.operator(house.board, 0.5) as board, pytest.raises(Unanswered):
        board.say("load_shoe", "casino_supervisor:17", {})
    alone = house.let_in("shoe-room", "control", ("technician",))
    with house.operator(alone) as operator:
        answer = operator.ask({"id": "a", "verb": "sign_in"})
        again = operator.ask({"id": "a", "verb": "sign_in"})
    assert answer["ok"]
    assert again == answer
    steps = [decode_step(row.body).input for row in Reader(house.table.journal).rows(0, ("step",))]
    said = [(one.verb, one.actor, one.via, one.refused) for one in steps if isinstance(one, Command)]
    assert said == [
        ("open_table", "casino_supervisor:17", "pit-1", None),
        ("close_table", "duty_manager:1", "pit-1", "not_vouched"),
        ("sign_in", "technician:shoe-room", "shoe-room", None),
    ]


def test_commands_take_a_key_and_say_what_is_missing(house: House, tmp_path: Path) -> None:
    at = ("--config", str(house.table.config))
    missing = house.cli("events", *at, "--once")
    assert (missing.returncode, "asks for keys: --key FILE" in missing.stderr) == (2, True)
    mine = tmp_path / "pit.key"
    public = house.cli("keys", "new", str(mine)).stdout.strip()
    for door in ("public", "surveillance", "cage"):
        allowed = house.cli("keys", "allow", "pit-2", *at, "--door", door, "--public", public)
        assert (allowed.returncode, allowed.stderr) == (0, "")
    role = ("--role", "casino_supervisor")
    assert (
        house.cli("keys", "allow", "pit-2", *at, "--door", "control", "--public", public, *role).returncode
        == 0
    )
    key = ("--key", str(mine))
    done = house.cli("control", "open_table", *at, *key)
    assert (done.returncode, json.loads(done.stdout)["ok"]) == (0, True)
    told = house.cli("events", *at, "--once", "--audience", "cage", *key)
    assert [json.loads(line)["type"] for line in told.stdout.splitlines()] == ["table.opened"]
    assert house.cli("health", *at, *key).returncode == 0
    mine.chmod(0o644)
    assert "mode 0644" in house.cli("health", *at, *key).stderr


def test_the_surveillance_client_has_a_key_too(house: House, tmp_path: Path) -> None:
    write_pair(tmp_path / "recorder.key", house.recorder)
    (tmp_path / "server.pub").write_text(house.server)
    config = tmp_path / "recorder.toml"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as archive:
        archive.bind(("127.0.0.1", 0))
        archive.settimeout(30)
        feed = f'pub = "{house.table.at("surveillance")}"\nkey = "recorder.key"\nserver = "server.pub"\n'
        to = f'kind = "syslog"\nto = "udp://127.0.0.1:{archive.getsockname()[1]}"\n'
        config.write_text(f"[feed]\n{feed}[outputs.archive]\n{to}")
        command = [sys.executable, "-m", "shoe_daemon", "surveillance", "--config", str(config)]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as client:
            house.say("open_table")
            heard = b""
            while b"table.opened" not in heard:
                heard = archive.recv(65_536)
            client.terminate()
            assert client.wait(30) == 0
    config.write_text(f'[feed]\nkey = "recorder.key"\n[outputs.archive]\n{to}')
    missing = house.cli("surveillance", "--config", str(config), "--check")
    assert (missing.returncode, "key and server go together" in missing.stderr) == (2, True)


def test_nothing_secret_is_said(house: House) -> None:
    house.say("open_table")
    shown = house.cli("keys", "show", "--config", str(house.table.config), "--json")
    rows = [json.loads(line) for line in shown.stdout.splitlines()]
    assert [(row["door"], row["name"]) for row in rows] == [
        (None, "server"),
        ("public", "board-1"),
        ("surveillance", "recorder-1"),
        ("control", "pit-1"),
    ]
    assert house.table.process is not None
    line = Path("/proc", str(house.table.process.pid), "cmdline").read_bytes().decode()
    secrets = [house.keys.server().secret, house.pit.secret]
    for text in (shown.stdout, shown.stderr, line, house.table.log.read_text()):
        assert not any(secret in text for secret in secrets)
    assert (house.keys.folder / SERVER_KEY).stat().st_mode & 0o777 == 0o600


def test_many_strangers_are_a_few_alarms_and_cost_nobody_anything(house: House) -> None:
    house.say("open_table")
    with house.follow("surveillance", house.recorder) as feed, ExitStack() as strangers:
        told = Told(feed)
        for _ in range(60):
            stranger = strangers.enter_context(house.follow("surveillance", new_pair()))
            stranger.poll(0)
        until(lambda: len(told.alarms()) == 5, house.table.log.read_text)
        house.say("load_shoe")
        told.until_type("shoe.loaded")
        assert len(told.alarms()) == 5
