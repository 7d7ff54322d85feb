"""The control socket of the real daemon: answers kept, coups expected, claims not taken."""

import json
import subprocess

import zmq

from tests.process.conftest import Tables
from tests.process.running import Json, Running, Socket, card


def _ask(table: Running, request: Json) -> bytes:
    with Socket(zmq.DEALER, table.at("control")) as mouth:
        mouth.socket.send(json.dumps(request).encode())
        return mouth.socket.recv_multipart()[-1]


def test_the_same_id_gives_the_first_answer_again_also_after_a_kill(tables: Tables) -> None:
    table = tables().start()
    opening = {"id": "a", "verb": "open_table", "actor": "supervisor:1"}
    first = _ask(table, opening)
    assert json.loads(first)["ok"] is True
    assert _ask(table, opening) == first
    again = {"id": "b", "verb": "open_table", "actor": "supervisor:1"}
    second = _ask(table, again)
    assert json.loads(second) == {"id": "b", "ok": False, "refused": "already_open"}
    table.kill()
    table.start()
    assert _ask(table, opening) == first
    assert _ask(table, again) == second
    other = {**opening, "actor": "supervisor:2"}  # somebody else's id of the same name
    assert json.loads(_ask(table, other))["refused"] == "already_open"
    assert len(table.of("table.opened")) == 1
    assert len(table.of("command.refused")) == 2


def test_a_command_for_another_coup_is_refused(tables: Tables) -> None:
    table = tables(rules="nsw", procedure="dealer-reveal").start()
    table.must("open_table")
    table.must("load_shoe")
    stop = {"verb": "no_more_bets", "actor": "dealer:1"}
    assert json.loads(_ask(table, {"id": 1, **stop, "expect_coup": 2}))["refused"] == "coup_moved_on"
    assert json.loads(_ask(table, {"id": 2, **stop, "expect_coup": 1}))["ok"]
    table.shoe.write(card("8S"))
    table.wait("card.drawn", 1)
    cut = {"verb": "cut_card", "actor": "dealer:1"}
    assert json.loads(_ask(table, {"id": 3, **cut, "expect_coup": 2}))["refused"] == "coup_moved_on"
    assert json.loads(_ask(table, {"id": 4, **cut, "expect_coup": 1}))["ok"]


def test_claims_are_refused_and_journaled_where_they_are_not_taken(tables: Tables) -> None:
    table = tables(feed="control_claims = false").start()
    answer = table.say("open_table")
    assert answer["refused"] == "claims_not_taken"
    (refused,) = table.of("command.refused")
    wanted = {"verb": "open_table", "actor": "supervisor:1", "reason": "claims_not_taken"}
    assert wanted.items() <= refused["data"].items()
    assert not table.of("table.opened")


def test_answers_bear_the_public_events_of_the_command_and_nothing_else(tables: Tables) -> None:
    table = tables(rules="nsw", procedure="dealer-reveal").start()
    answers = [table.must("open_table"), table.must("load_shoe"), table.must("no_more_bets", "dealer:1")]
    table.shoe.write(b"".join(map(card, ("8S", "3H", "AC", "QD"))))
    table.wait("card.drawn", 4)
    answers += [table.must("reveal", "dealer:1"), table.must("confirm", "dealer:1")]
    events = [event for answer in answers for event in answer]
    told = {one["seq"]: one for one in table.told("public")}
    assert all(told[event["seq"]] == event for event in events)
    assert {"coup.result", "card.exposed", "shoe.loaded", "betting.closed"} <= {
        event["type"] for event in events
    }


def test_the_daemon_of_another_table_is_not_spoken_to(tables: Tables) -> None:
    """Two configurations with the same endpoints: only one of them is this daemon's."""
    table = tables().start()
    other = table.folder / "other.toml"
    other.write_text(table.config.read_text(encoding="utf-8").replace("T-1", "T-2"), encoding="utf-8")

    def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [*table.command, *arguments, "--config", str(other)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    said = ran("control", "open_table", "--actor", "supervisor:1")
    assert (said.returncode, said.stdout) == (2, "")
    assert "the daemon of table T-1, not of T-2" in said.stderr
    well = ran("health", "--json")
    assert well.returncode == 1
    assert "the daemon of table T-1, not of T-2" in well.stdout
    assert table.must("open_table")


def test_where_nobody_is_believed_the_command_says_what_to_set(tables: Tables) -> None:
    table = tables(feed="").start()
    command = [
        *table.command,
        "control",
        "open_table",
        "--actor",
        "supervisor:1",
        "--config",
        str(table.config),
    ]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 1
    assert "claims_not_taken" in said.stdout
    assert "control_claims = true" in said.stderr
