"""Events at a real MQTT 5 broker."""

import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.process.running import Running, until
from tests.surveillance.client import deal, said
from tests.surveillance.conftest import Clients
from tests.surveillance.mosquitto import Listener, Mosquitto, needs_mosquitto

pytest.importorskip("paho.mqtt", reason="needs the extra mqtt")
pytestmark = needs_mosquitto


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    running = Mosquitto(tmp_path / "mosquitto")
    try:
        yield running.start()
    finally:
        running.close()


@pytest.fixture
def listener(broker: Mosquitto) -> Iterator[Listener]:
    running = Listener(broker.port)
    yield running
    running.close()


def test_each_event_is_published_once_where_it_belongs(
    table: Running, clients: Clients, broker: Mosquitto, listener: Listener
) -> None:
    client = clients(f'[outputs.bus]\nkind = "mqtt"\nto = "{broker.at}"\ntopic = "a/b"\n').start()
    last = deal(table, 2)
    client.until_at("bus", last)
    until(lambda: len(listener.heard) >= last)
    for event, (topic, beside, heard) in zip(table.told("surveillance"), listener.heard, strict=True):
        assert topic == f"a/b/T-1/{event['type']}"
        assert beside == {"journal": event["journal"], "seq": str(event["seq"])}
        assert heard == {key: value for key, value in event.items() if key != "v"}
    assert client.kill(signal.SIGTERM) == 0


def test_what_happened_while_the_broker_was_away_comes_when_it_is_back(
    table: Running, clients: Clients, broker: Mosquitto, listener: Listener
) -> None:
    client = clients(f'[outputs.bus]\nkind = "mqtt"\nto = "{broker.at}"\n').start()
    first = deal(table, 1)
    client.until_at("bus", first)
    until(lambda: len(listener.heard) >= first)
    broker.kill()
    last = deal(table, 2)
    until(lambda: said(client, "not delivered"))
    assert client.cursor("bus") == first
    assert client.kill(signal.SIGTERM) == 0
    broker.start()
    listener.until_subscribed(2)
    client.start().until_at("bus", last)
    until(lambda: len(listener.heard) >= last)
    assert [heard["seq"] for _, _, heard in listener.heard] == list(range(1, last + 1))


def test_a_password_that_is_not_there_is_said_and_nothing_ends(clients: Clients, broker: Mosquitto) -> None:
    login = 'user = "u"\npassword_file = "/absent/password"\n'
    client = clients(f'[outputs.bus]\nkind = "mqtt"\nto = "{broker.at}"\n{login}').start()
    why = f"{broker.at}: /absent/password: No such file or directory"
    until(lambda: any(line.get("reason") == why for line in client.logged()))
    assert client.kill(signal.SIGTERM) == 0


def test_a_broker_that_refuses_has_no_event_and_the_cursor_stands(clients: Clients, tmp_path: Path) -> None:
    with closing(Mosquitto(tmp_path / "strict", "topic read #\ntopic write other/#\n")) as broker:
        broker.start()
        client = clients(f'[outputs.bus]\nkind = "mqtt"\nto = "{broker.at}"\n').start()
        until(lambda: any("refused: Not authorized" in line.get("reason", "") for line in client.logged()))
        assert client.cursor("bus") == 0
        assert client.kill(signal.SIGTERM) == 0
