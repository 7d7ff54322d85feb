"""Events in a real archive: rsyslog, killed and started again, and the client and the daemon too."""

import signal

from tests.process.running import Running, until
from tests.surveillance.client import deal
from tests.surveillance.conftest import Archives, Clients
from tests.surveillance.rsyslog import needs_relp, needs_rsyslog


@needs_relp
def test_over_relp_each_event_is_in_the_archive_as_it_was_told(
    table: Running, clients: Clients, archives: Archives
) -> None:
    archive = archives("relp")
    client = clients(f'[outputs.archive]\nkind = "syslog"\nto = "{archive.at}"\nhost = "pit-7"\n').start()
    last = deal(table, 2)
    client.until_at("archive", last)
    assert archive.numbers() == list(range(1, last + 1))
    for event, said in zip(table.told("surveillance"), archive.messages(), strict=True):
        assert (said["app"], said["host"], said["msgid"]) == ("shoe-daemon", "pit-7", event["type"])
        assert said["at"].replace("+00:00", "Z") == event["at"]
        print(said)
    assert client.kill(signal.SIGTERM) == 0
