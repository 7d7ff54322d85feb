"""Events in a real archive: rsyslog, killed and started again, and the client and the daemon too."""

import signal

import pytest

from tests.process.running import Running, until
from tests.surveillance.client import Client, deal, said
from tests.surveillance.conftest import Archives, Clients
from tests.surveillance.rsyslog import Rsyslog, needs_relp, needs_rsyslog

COUPS = 26
"""More than 300 events."""


def output(archive: Rsyslog, more: str = "") -> str:
    return f'[outputs.archive]\nkind = "syslog"\nto = "{archive.at}"\nhost = "pit-7"\n{more}\n'


def reaches(archive: Rsyslog, number: int, client: Client) -> None:
    until(lambda: len(archive.lines()) >= number, lambda: (len(archive.lines()), client.log.read_text()))


@needs_rsyslog
@pytest.mark.parametrize("transport", ["udp", "tcp", pytest.param("relp", marks=needs_relp)])
def test_rsyslog_reads_each_event_as_it_was_told(
    table: Running, clients: Clients, archives: Archives, transport: str
) -> None:
    archive = archives(transport)
    client = clients(output(archive)).start()
    last = deal(table, 2)
    reaches(archive, last, client)
    assert archive.numbers() == list(range(1, last + 1))
    for event, message in zip(table.told("surveillance"), archive.messages(), strict=True):
        assert (message["app"], message["host"], message["msgid"]) == ("shoe-daemon", "pit-7", event["type"])
        assert message["at"].replace("+00:00", "Z") == event["at"]
        told = message["sd"]
        assert told["timequality"] == {"tzknown": "1", "issynced": "0"}
        assert told["meta"] == {"sequenceid": str(event["seq"])}
        assert told["event@32473"].pop("journal") == event["journal"]
        where = {"seq": event["seq"], "table": event["table"], "shoe": event["shoe"], "coup": event["coup"]}
        assert told["event@32473"] == {key: str(value) for key, value in where.items() if value is not None}
        if event["type"] == "card.exposed":
            assert told["data@32473"] == event["data"]
            assert message["msg"].endswith(f"{event['data']['slot']} {event['data']['card']}")
    client.until_at("archive", last)
    assert client.kill(signal.SIGTERM) == 0


@needs_relp
def test_rsyslog_killed_in_mid_stream_loses_nothing_and_has_nothing_twice(
    table: Running, clients: Clients, archives: Archives
) -> None:
    archive = archives("relp")
    last = deal(table, COUPS)
    assert last > 300
    client = clients(output(archive, "window = 4")).start()
    for part in (1, 2, 3):
        reaches(archive, part * last // 4, client)
        archive.kill()
        assert len(archive.lines()) < last
        archive.start()
    client.until_at("archive", last)
    assert archive.numbers() == list(range(1, last + 1))


@needs_relp
def test_a_client_killed_in_mid_stream_loses_nothing(
    table: Running, clients: Clients, archives: Archives
) -> None:
    """What the archive had acknowledged and the cursor had not yet may be twice: a window at most."""
    archive = archives("relp")
    last = deal(table, COUPS)
    window = 4
    client = clients(output(archive, f"window = {window}"))
    for part in (1, 2, 3):
        client.start()
        reaches(archive, part * last // 4, client)
        client.kill()
    client.start().until_at("archive", last)
    numbers = archive.numbers()
    assert sorted(set(numbers)) == list(range(1, last + 1))
    assert len(numbers) - last <= 3 * window
    # Each is a repetition of whole messages: the number tells it, and nothing else about it differs.
    assert len(set(archive.lines())) == last


@needs_relp
def test_client_and_archive_killed_together_lose_nothing(
    table: Running, clients: Clients, archives: Archives
) -> None:
    archive = archives("relp")
    last = deal(table, COUPS)
    window = 4
    client = clients(output(archive, f"window = {window}"))
    for part in (1, 2, 3):
        client.start()
        reaches(archive, part * last // 4, client)
        archive.kill()
        until(lambda: said(client, "not delivered"))
        client.kill()
        client.log.unlink()
        archive.start()
    client.start().until_at("archive", last)
    numbers = archive.numbers()
    assert sorted(set(numbers)) == list(range(1, last + 1))
    assert len(numbers) - last <= 3 * window


@needs_relp
def test_a_daemon_killed_in_mid_stream_loses_nothing(
    table: Running, clients: Clients, archives: Archives
) -> None:
    archive = archives("relp")
    client = clients(output(archive)).start()
    for restart in (1, 2):
        reaches(archive, deal(table, 3), client)
        table.kill()
        table.start()
        gap = table.wait("irregularity.raised", restart)[-1]
        table.must("resolve", id=gap["data"]["id"], remedy="none_missed")
    last = deal(table, 3)
    client.until_at("archive", last)
    assert archive.numbers() == list(range(1, last + 1))


@needs_relp
def test_what_happened_while_the_archive_was_away_comes_when_it_is_back(
    table: Running, clients: Clients, archives: Archives
) -> None:
    archive = archives("relp")
    client = clients(output(archive)).start()
    client.until_at("archive", deal(table, 1))
    archive.kill()
    last = deal(table, 2)
    until(lambda: said(client, "not delivered"))
    assert client.cursor("archive") < last
    archive.start()
    client.until_at("archive", last)
    assert archive.numbers() == list(range(1, last + 1))


@needs_relp
def test_one_that_is_down_holds_up_no_other(table: Running, clients: Clients, archives: Archives) -> None:
    archive, away = archives("relp"), archives("relp")
    away.kill()
    second = output(away).replace("outputs.archive", "outputs.second")
    client = clients(output(archive) + second).start()
    last = deal(table, 2)
    client.until_at("archive", last)
    assert client.cursor("second") == 0
    away.start()
    client.until_at("second", last)
    assert away.numbers() == archive.numbers() == list(range(1, last + 1))


@needs_relp
def test_only_what_is_wanted_is_handed_over_and_the_cursor_passes_the_rest(
    table: Running, clients: Clients, archives: Archives
) -> None:
    archive = archives("relp")
    client = clients(output(archive, 'format = "cef"\nevents = ["coup.*"]')).start()
    last = deal(table, 2)
    client.until_at("archive", last)
    texts = [one["msg"] for one in archive.messages()]
    assert [one.split("|")[4] for one in texts] == ["coup.result"] * 2
    assert all(one.startswith("CEF:0|shoe-daemon|shoe-daemon|") for one in texts)
    assert "shoeOutcome=player shoePlayerCards=9H 10H shoePlayerPoints=9" in texts[0]


@needs_relp
def test_no_log_line_holds_a_word_of_an_event(table: Running, clients: Clients, archives: Archives) -> None:
    archive = archives("relp")
    client = clients(output(archive)).start()
    client.until_at("archive", deal(table, 1))
    archive.kill()
    deal(table, 1)
    until(lambda: said(client, "not delivered"))
    log = client.log.read_text()
    for word in ("9H", "10H", "KH", "9C", "KC", "player", "card.", "coup"):
        assert word not in log
