"""Commands and health asked at real sockets, IPv6 ones too."""

from pathlib import Path
from typing import Any

import pytest

from shoe_daemon.clients import health
from shoe_daemon.clients.health import ask_health
from shoe_daemon.clients.operator import Operator
from shoe_daemon.runtime.endpoints import Doors, parse
from tests.clients.answering import answering

AUDIENCES = ("public", "surveillance", "cage")
WELL: dict[str, Any] = {"device": "up", "held": [], "irregularities": [], "table": "BAC-07"}


def asked(
    tmp_path: Path, state: dict[str, Any], *, immediate: bool = False, **changed: dict[str, Any]
) -> health.Health:
    """Health of a table whose snapshots are as given, or `changed` for an audience."""
    answers = {
        f"ipc://{tmp_path}/{audience}": {"journal": "J", "seq": place, "state": state}
        | changed.get(audience, {})
        for place, audience in enumerate(AUDIENCES, 1)
    }
    with answering(answers) as bound:
        doors = {one: Doors(parse(end), parse(end)) for one, end in zip(AUDIENCES, bound, strict=True)}
        return ask_health("BAC-07", doors, immediate=immediate)


def test_a_table_that_is_well(tmp_path: Path) -> None:
    found = asked(tmp_path, WELL)
    assert found.well
    assert found.as_json() == {
        "table": "BAC-07",
        "well": True,
        "problems": [],
        "journal": "J",
        "link": "up",
        "held": [],
        "public": 1,
        "surveillance": 2,
        "cage": 3,
    }


def test_every_trouble_is_told_with_what_to_do(tmp_path: Path) -> None:
    items = [{"id": 3, "code": "link_gap", "remedies": ["none_missed", "missed"]}]
    found = asked(tmp_path, {**WELL, "device": "down", "held": [4], "irregularities": items})
    assert not found.well
    assert found.held == [4]
    assert found.problems == [
        "device.link down: look at the cable, the power and [shoe] port",
        "open irregularity 3 link_gap: none_missed, missed",
    ]


def test_another_tables_daemon_is_not_well(tmp_path: Path) -> None:
    found = asked(tmp_path, {**WELL, "table": "DEMO"})
    assert found.problems == [
        f"ipc://{tmp_path}/{audience}: the daemon of table DEMO, not of BAC-07" for audience in AUDIENCES
    ]


def test_under_immediate_nobody_is_told_how_much_surveillance_was(tmp_path: Path) -> None:
    found = asked(tmp_path, WELL, immediate=True)
    assert found.well
    assert found.tops.keys() == {"public", "cage"}


def test_an_answer_that_is_an_error_is_a_trouble(tmp_path: Path) -> None:
    found = asked(tmp_path, WELL, surveillance={"error": "cannot be read"})
    assert found.problems == [f"ipc://{tmp_path}/surveillance: cannot be read"]
    assert found.tops.keys() == {"public", "surveillance", "cage"} - {"surveillance"}


def test_nobody_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PATIENCE_S", 0.05)
    end = parse(f"ipc://{tmp_path}/nobody")
    found = ask_health("BAC-07", {"public": Doors(end, end)})
    (problem,) = found.problems
    assert "does the daemon run?" in problem
    assert (found.link, found.held, found.tops) == (None, None, {})


def test_an_ipv6_endpoint_is_reached() -> None:
    if not Path("/proc/net/if_inet6").exists():
        pytest.skip("no IPv6 here")
    with answering({"tcp://[::1]:*": {"ok": True, "events": []}}) as (end,), Operator(end) as operator:
        assert operator.say("confirm", "dealer:1", {})["ok"]
