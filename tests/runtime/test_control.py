"""The control endpoint over a real socket."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
import zmq

from shoe_daemon.runtime.control import Control, Request, accepted, refused
from shoe_daemon.runtime.endpoints import parse
from shoe_daemon.runtime.journal import Journal
from shoe_daemon.runtime.rows import JournalError, Row
from shoe_daemon.schema import ConfigError
from tests.runtime.clients import Client
from tests.runtime.journals import open_journal

GOOD = {"id": "a", "verb": "reveal", "args": {"hand": "player"}, "expect_coup": 4, "actor": "dealer:17"}


class Desk:
    """A control endpoint with the little of a pump that it needs: counts commands, keeps answers."""

    def __init__(self, folder: Path, journal: Journal, *, claims: bool) -> None:
        self.endpoint = parse(f"ipc://{folder}/control")
        self.journal = journal
        self.seen: list[Request] = []
        self.go = asyncio.Event()
        self.go.set()
        self.failing = False
        self.control = Control(self.endpoint, claims=claims, answered=journal.answer, submit=self._submit)

    async def _submit(self, request: Request) -> bytes:
        self.seen.append(request)
        await self.go.wait()
        if self.failing:
            raise JournalError("disk full")
        if request.refused:
            answer = refused(request, request.refused)
        else:
            answer = accepted(request, [b'{"n":%d}' % len(self.seen)])
        if request.key:
            await asyncio.to_thread(self.journal.append, [Row("answer", 1, answer, key=request.key)])
        return answer

    def client(self) -> Client:
        return Client(zmq.DEALER, self.endpoint.text)


def with_desk(
    folder: Path, body: Callable[[Desk], Coroutine[Any, Any, None]], *, claims: bool = True
) -> None:
    async def main() -> None:
        journal = open_journal(folder / "j.db")
        desk = Desk(folder, journal, claims=claims)
        desk.control.open()
        try:
            await body(desk)
        finally:
            await desk.control.close()
            journal.close()

    asyncio.run(main())


def test_a_command_is_handed_on_and_answered(tmp_path: Path) -> None:
    async def body(desk: Desk) -> None:
        with desk.client() as client:
            assert await client.ask(GOOD) == {"id": "a", "ok": True, "events": [{"n": 1}]}
            bare = {"id": 5, "verb": "confirm", "actor": "supervisor:2"}
            assert await client.ask(bare) == {"id": 5, "ok": True, "events": [{"n": 2}]}
        first, second = desk.seen
        assert (first.verb, first.actor, first.args, first.expect_coup) == (
            "reveal",
            "dealer:17",
            {"hand": "player"},
            4,
        )
        assert (second.args, second.expect_coup, second.refused) == ({}, None, None)

    with_desk(tmp_path, body)


def test_the_same_id_of_the_same_actor_gets_the_first_answer(tmp_path: Path) -> None:
    async def first(desk: Desk) -> None:
        with desk.client() as client, desk.client() as other:
            assert (await client.ask(GOOD))["events"] == [{"n": 1}]
            assert (await client.ask(GOOD))["events"] == [{"n": 1}]
            assert (await other.ask(GOOD | {"verb": "confirm", "args": {}}))["events"] == [{"n": 1}]
            assert (await other.ask(GOOD | {"actor": "dealer:18"}))["events"] == [{"n": 2}]
            assert (await other.ask(GOOD | {"id": "b"}))["events"] == [{"n": 3}]
        assert len(desk.seen) == 3

    async def after_restart(desk: Desk) -> None:
        with desk.client() as client:
            assert (await client.ask(GOOD))["events"] == [{"n": 1}]
        assert not desk.seen

    with_desk(tmp_path, first)
    with_desk(tmp_path, after_restart)


def test_a_number_and_its_text_are_two_ids(tmp_path: Path) -> None:
    async def body(desk: Desk) -> None:
        with desk.client() as client:
            assert (await client.ask(GOOD | {"id": 1}))["events"] == [{"n": 1}]
            assert (await client.ask(GOOD | {"id": "1"}))["events"] == [{"n": 2}]

    with_desk(tmp_path, body)


def test_a_retry_while_the_first_is_under_way_joins_it(tmp_path: Path) -> None:
    async def body(desk: Desk) -> None:
        desk.go.clear()
        with desk.client() as client, desk.client() as other, desk.client() as third:
            client.send(GOOD)
            while not desk.seen:  # noqa: ASYNC110 - the socket has no event to wait for
                await asyncio.sleep(0)
            other.send(GOOD)
            third.send({"id": "x", "verb": "nonsense"})
            assert "error" in await third.answer()
            client.send(GOOD)
            desk.go.set()
            answers = [await client.answer(), await client.answer(), await other.answer()]
        assert [answer["events"] for answer in answers] == [[{"n": 1}]] * 3
        assert len(desk.seen) == 1

    with_desk(tmp_path, body)


def test_a_client_that_leaves_does_not_take_its_command_along(tmp_path: Path) -> None:
    async def body(desk: Desk) -> None:
        desk.go.clear()
        with desk.client() as client:
            client.send(GOOD)
            while not desk.seen:  # noqa: ASYNC110 - the socket has no event to wait for
                await asyncio.sleep(0)
        desk.go.set()
        with desk.client() as client:
            assert (await client.ask(GOOD))["events"] == [{"n": 1}]
        assert len(desk.seen) == 1

    with_desk(tmp_path, body)


def test_a_command_under_way_at_the_end_is_carried_out_and_answered_later(tmp_path: Path) -> None:
    async def first(desk: Desk) -> None:
        desk.go.clear()
        with desk.client() as client:
            client.send(GOOD)
            while not desk.seen:  # noqa: ASYNC110 - the socket has no event to wait for
                await asyncio.sleep(0)
            await desk.control.close()
            desk.go.set()
            await asyncio.gather(*desk.control._running.values())

    async def after_restart(desk: Desk) -> None:
        with desk.client() as client:
            assert (await client.ask(GOOD))["events"] == [{"n": 1}]
        assert not desk.seen

    with_desk(tmp_path, first)
    with_desk(tmp_path, after_restart)


def test_claims_are_refused_where_they_are_not_taken_and_poison_no_id(tmp_path: Path) -> None:
    async def strict(desk: Desk) -> None:
        with desk.client() as client:
            for _ in range(2):
                assert await client.ask(GOOD) == {"id": "a", "ok": False, "refused": "claims_not_taken"}
        assert [(seen.verb, seen.actor, seen.key) for seen in desk.seen] == [
            ("reveal", "dealer:17", None)
        ] * 2

    async def lenient(desk: Desk) -> None:
        with desk.client() as client:
            assert (await client.ask(GOOD))["ok"]

    with_desk(tmp_path, strict, claims=False)
    with_desk(tmp_path, lenient)


def test_what_cannot_be_journaled_is_an_error_and_may_be_tried_again(tmp_path: Path) -> None:
    async def body(desk: Desk) -> None:
        desk.failing = True
        with desk.client() as client:
            assert await client.ask(GOOD) == {"id": "a", "error": "disk full"}
            desk.failing = False
            assert (await client.ask(GOOD))["ok"]

    with_desk(tmp_path, body)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"verb": "reveel"}, 'unknown verb "reveel"; did you mean "reveal"?'),
        ({"verb": "\u2603"}, "unknown verb"),
        ({"verb": 5}, "verb"),
        ({"expect_coup": -1}, "expect_coup"),
        ({"expect_coup": True}, "expect_coup"),
        ({"expectcoup": 1}, "expectcoup"),
        ({"actor": None}, "actor is missing"),
        ({"actor": "17"}, "is not role:id"),
        ({"actor": "dealer:"}, "is not role:id"),
        ({"actor": "king:1"}, "is not role:id"),
        ({"actor": "dealer:" + "1" * 200}, "actor"),
        ({"id": None}, "id"),
    ],
)
def test_bad_requests_get_an_error_and_go_no_further(
    tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    async def body(desk: Desk) -> None:
        with desk.client() as client:
            answer = await client.ask(GOOD | change)
            assert answer.keys() == {"id", "error"}
            assert answer["id"] == change.get("id", "a")
            assert words in answer["error"]
        assert not desk.seen

    with_desk(tmp_path, body)


def test_deep_arguments_and_torn_json_harm_nobody(tmp_path: Path) -> None:
    async def body(desk: Desk) -> None:
        with desk.client() as client:
            good = json.dumps(GOOD).encode()
            deep = (
                b'{"id":"a","verb":"reveal","actor":"dealer:1","args":{"a":'
                + b"[" * 30_000
                + b"]" * 30_000
                + b"}}"
            )
            for request in (deep, *(good[:size] for size in range(0, len(good), 7)), b"\0", b"null"):
                assert "error" in await client.ask(request)
            assert (await client.ask(GOOD))["ok"]

    with_desk(tmp_path, body)


def test_a_second_daemon_is_told_who_holds_the_endpoint(tmp_path: Path) -> None:
    async def body(desk: Desk) -> None:
        other = Desk(tmp_path, desk.journal, claims=True)
        with pytest.raises(ConfigError, match=r"feed.control: cannot bind ipc://.*held by process"):
            other.control.open()

    with_desk(tmp_path, body)


@pytest.mark.parametrize("args", [[], None, "hand", 4])
def test_arguments_of_any_shape_reach_the_table_which_refuses_them(tmp_path: Path, args: Any) -> None:  # noqa: ANN401 - any JSON
    """A command is journaled, whatever was said with it."""

    async def body(desk: Desk) -> None:
        with desk.client() as client:
            await client.ask(GOOD | {"args": args})
        assert [request.args for request in desk.seen] == [{"": args}]

    with_desk(tmp_path, body)
