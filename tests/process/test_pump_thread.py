"""The pump's thread beside the loop: order, errors, its end, a disk that stalls, and readers meanwhile."""

import asyncio
import json
import threading
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zmq

from shoe_daemon.runtime import pump as pumping
from shoe_daemon.runtime.endpoints import Doors, parse
from shoe_daemon.runtime.feed import Feed
from shoe_daemon.runtime.messages import rfc3339
from shoe_daemon.runtime.requests import Requests
from shoe_daemon.runtime.rows import JournalError
from shoe_daemon.table import view
from shoe_daemon.table.codec import decode_step
from shoe_daemon.table.events import AUDIENCES
from shoe_daemon.table.inputs import CardRead, Command
from tests.process.hand import SECOND, START, Disk, Hand, dealing, disk
from tests.process.load import shuffled
from tests.process.running import card
from tests.runtime.clients import Client


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Disk]:
    journal = disk(tmp_path)
    yield journal
    journal.go.set()
    journal.close()
    assert not _pumps()


@pytest.fixture
def hand(journal: Disk) -> Hand:
    return Hand(journal)


def _pumps() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "pump"]


def _in_a_loop(body: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run `body`; nothing may go wrong behind its back."""
    wrong: list[object] = []

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: wrong.append(context))
        await body()

    asyncio.run(main())
    assert not wrong


def _steps(journal: Disk) -> list[Any]:
    return [decode_step(row.body).input for row in journal.rows(kinds=("step",))]


# -- order -----------------------------------------------------------------------------------------------


def test_all_is_done_in_the_order_in_which_it_came_in_one_thread_of_its_own(
    journal: Disk, hand: Hand
) -> None:
    answered: list[int] = []

    async def ask(number: int) -> None:
        await hand.ask("open_table", key=f"k{number}")
        assert journal.answer(f"k{number}")  # on disk before it was given
        answered.append(number)

    async def body() -> None:
        async with dealing(hand):
            await asyncio.gather(*(ask(number) for number in range(100)))
            for number, face in enumerate(shuffled(1)[:60]):
                hand.at = START + number
                hand.draw(face)
            await hand.pump.turn()

    _in_a_loop(body)
    assert answered == list(range(100))
    assert [row.key for row in journal.rows(kinds=("answer",))] == [f"k{number}" for number in range(100)]
    assert [one.face.open() for one in _steps(journal) if isinstance(one, CardRead)] == shuffled(1)[:60]
    assert list(journal.told()) == hand.told
    assert len(hand.threads) == 1
    assert threading.get_ident() not in hand.threads


def test_no_byte_is_told_before_it_is_on_disk(journal: Disk, hand: Hand) -> None:
    checked: list[int] = []
    tell = hand.publish

    def publish(messages: Any) -> None:  # noqa: ANN401 - as the pump gives them
        for one in messages:
            assert journal.messages(one.audience, one.seq - 1, 1) == [one]
            assert journal.tops()[one.audience] >= one.seq
            checked.append(one.seq)
        tell(messages)

    hand.pump._publish = publish

    async def body() -> None:
        async with dealing(hand):
            await hand.coup()

    _in_a_loop(body)
    assert len(checked) == len(hand.told) > 20


# -- what fails, and how it ends -----------------------------------------------------------------------------


@pytest.mark.parametrize("error", [ZeroDivisionError, zmq.ZMQError, SystemExit, KeyboardInterrupt])
@pytest.mark.parametrize("where", ["publish", "machine", "append"])
def test_what_fails_in_the_pump_ends_it_with_that_error(
    journal: Disk, hand: Hand, where: str, error: type[BaseException]
) -> None:
    def fail(*_: object) -> None:
        raise error

    async def body() -> None:
        task = asyncio.create_task(hand.pump.run())
        hand.start()
        await hand.say("open_table")
        told = list(hand.told)
        if where == "publish":
            hand.pump._publish = fail
        elif where == "machine":
            hand.machine.rx = fail  # type: ignore[method-assign,assignment]  # what must not happen
        else:
            journal.append = fail  # type: ignore[method-assign,assignment]  # the same
        hand.draw("9C")
        await asyncio.wait({task})
        assert isinstance(task.exception(), error)
        assert not _pumps()
        hand.draw("8C")
        assert hand.told == told

    if issubclass(error, Exception):
        _in_a_loop(body)
    else:  # the loop ends with a task that ends so
        with pytest.raises(error):
            _in_a_loop(body)
    assert not _pumps()


def test_an_asker_that_went_away_does_no_harm(journal: Disk, hand: Hand) -> None:
    async def body() -> None:
        async with dealing(hand):
            journal.go.clear()
            hand.draw("9C")
            await journal.stall()
            gone = [
                asyncio.create_task(hand.ask("open_table", key="gone")),
                asyncio.create_task(hand.pump.turn()),
                asyncio.create_task(hand.pump.ack("cage", "c", 1)),
            ]
            await asyncio.sleep(0)
            for task in gone:
                task.cancel()
            await asyncio.gather(*gone, return_exceptions=True)
            journal.go.set()
            await hand.say("cut_card")
        assert journal.answer("gone")
        assert journal.cursors() == {("cage", "c"): 1}

    _in_a_loop(body)


def test_a_pump_that_is_cancelled_ends_its_thread_and_writes_no_more(journal: Disk, hand: Hand) -> None:
    async def body() -> None:
        task = asyncio.create_task(hand.pump.run())
        hand.start()
        await hand.say("open_table")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not _pumps()
        before = len(list(journal.rows()))
        hand.draw("9C")
        assert len(list(journal.rows())) == before

    _in_a_loop(body)


def test_a_pump_that_is_cancelled_while_nothing_can_be_written_ends_too(journal: Disk, hand: Hand) -> None:
    async def body() -> None:
        task = asyncio.create_task(hand.pump.run())
        hand.start()
        await hand.say("open_table")
        journal.broken = True
        hand.draw("9C")
        while True not in hand.written or hand.written[-1]:
            await hand.pump.turn()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not _pumps()

    _in_a_loop(body)


# -- a journal that cannot be written ------------------------------------------------------------------------


def test_nothing_is_told_until_it_is_written_and_then_it_goes_on(
    journal: Disk, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pumping, "RETRY_S", 0.01)

    async def body() -> None:
        async with dealing(hand):
            await hand.pump.turn()
            told, tops = list(hand.told), journal.tops()
            journal.broken = True
            hand.at += 1
            hand.draw("9C")
            while hand.written[-1]:
                await hand.pump.turn()
            hand.at += 1
            hand.draw("5H")
            asked = asyncio.create_task(hand.ask("cut_card", key="k"))
            kept = asyncio.create_task(hand.pump.ack("cage", "c", 1))
            tries = journal.tries
            while journal.tries < tries + 5:
                await hand.pump.turn()
            assert hand.told == told
            assert journal.tops() == tops
            assert not asked.done()
            assert not kept.done()
            assert not hand.set_clock(-3600 * SECOND)
            assert hand.views.snapshot("public")[0] == tops["public"]
            hand.at += 1
            journal.broken = False
            assert (await asked)["ok"]
            await kept
            assert hand.written[-1:] == [True]
            await hand.pump.turn()
        assert list(journal.told()) == hand.told
        assert [row.at - START for row in journal.rows(kinds=("rx",))] == [1, 2]
        assert hand.kinds().count("card.dealt") == 2

    _in_a_loop(body)


def test_what_comes_in_meanwhile_does_not_try_the_disk_again(
    journal: Disk, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pumping, "RETRY_S", 3600.0)

    async def body() -> None:
        task = asyncio.create_task(hand.pump.run())
        hand.start()
        await hand.say("open_table")
        journal.broken = True
        tries = journal.tries
        for face in shuffled(2)[:50]:
            hand.draw(face)
            await hand.pump.turn()
        assert journal.tries == tries + 1
        hand.stop()
        with pytest.raises(JournalError, match="the disk is full"):
            await task
        assert journal.tries == tries + 2  # once more, for the stop
        assert not list(journal.rows(kinds=("rx",)))

    _in_a_loop(body)


def test_a_stop_that_comes_before_the_disk_fails_does_not_wait_for_it(
    journal: Disk, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pumping, "RETRY_S", 3600.0)

    async def body() -> None:
        task = asyncio.create_task(hand.pump.run())
        hand.start()
        await hand.say("open_table")
        journal.broken = True
        hand.stop()
        with pytest.raises(JournalError, match="the disk is full"):
            await task
        assert "service.stopped" not in hand.kinds()

    _in_a_loop(body)


# -- the clock -----------------------------------------------------------------------------------------------


def test_the_clock_is_followed_only_while_the_pump_rests_and_no_timer_runs(journal: Disk, hand: Hand) -> None:
    async def body() -> None:
        async with dealing(hand):
            await hand.pump.turn()
            assert hand.set_clock(-3600 * SECOND)
            await hand.pump.turn()
            journal.go.clear()
            hand.draw("8S")
            assert not hand.set_clock(-3600 * SECOND)
            await journal.stall()
            assert not hand.set_clock(-3600 * SECOND)
            journal.go.set()
            await hand.pump.turn()
            assert hand.set_clock(-3600 * SECOND)
            assert not hand.set_clock(-3600 * SECOND)  # the pump has not told of the last time yet
            await hand.pump.turn()
            drawn = hand.at
            hand.at += 19 * SECOND // 10
            for face in ("3H", "AC", "QD"):
                hand.pump.bytes_read(card(face), drawn)
            await hand.pump.turn()
            assert not hand.set_clock(-3600 * SECOND)  # the coup settles for another tenth of a second
            journal.go.clear()
            journal.waits.clear()
            hand.at += 5 * SECOND
            await journal.stall()  # the timer fired of itself, and its result is not yet on disk
            assert not hand.set_clock(-3600 * SECOND)
            assert "coup.result" not in hand.kinds()
            journal.go.set()
            await hand.pump.turn()
            assert hand.set_clock(-3600 * SECOND)

    _in_a_loop(body)
    told = hand.kinds("surveillance")
    assert told.count("clock.stepped") == 3
    assert told.index("coup.result") > told.index("clock.stepped", told.index("clock.stepped") + 1)
    assert told[-2:] == ["clock.stepped", "service.stopped"]


# -- a disk that stalls --------------------------------------------------------------------------------------


def _feed(folder: Path, journal: Disk, hand: Hand) -> tuple[Feed, dict[str, Doors]]:
    doors = {
        audience: Doors(parse(f"ipc://{folder}/{audience}"), parse(f"ipc://{folder}/{audience}-r"))
        for audience in AUDIENCES
    }
    requests = Requests(journal.id, journal, hand.views.snapshot, hand.pump.ack)
    return Feed("T-1", doors, requests, beat_s=0.02), doors


def test_a_disk_that_stalls_holds_up_neither_the_beats_nor_the_times_nor_the_answers(
    journal: Disk, hand: Hand, tmp_path: Path
) -> None:
    begun: list[int] = []

    async def body() -> None:
        feed, doors = _feed(tmp_path, journal, hand)
        feed.open()
        hand.pump._publish = feed.publish
        with (
            Client(zmq.SUB, doors["public"].pub.text) as ear,
            Client(zmq.DEALER, doors["public"].router.text) as mouth,
        ):
            async with dealing(hand):
                await hand.coup()
                for face in ("8S", "3H", "AC"):
                    hand.draw(face)
                await hand.pump.turn()
                top = journal.tops()["public"]
                journal.go.clear()
                hand.draw("QD")
                begun.append(hand.at)
                await journal.stall()
                waiting = [asyncio.create_task(hand.ask("cut_card"))]
                for late in (1, 5, 9):  # seconds; the coup has settled after two
                    hand.at = begun[0] + late * SECOND
                    hand.pump.bytes_read(b"\r\n" if late == 1 else card("9C"), hand.at)
                beats = 0
                while beats < 5:
                    frames = await ear.receive()
                    if frames[2] == b"{}" and frames[1][16:] == top.to_bytes(8, "big"):
                        beats += 1
                    else:
                        assert int.from_bytes(frames[1][16:], "big") <= top
                rows, end = await mouth.rows({"id": "a", "after": 0})
                assert (len(rows), end["top"]) == (top, top)
                assert (await mouth.ask({"id": "b", "snapshot": True}))["seq"] == top
                waiting.append(asyncio.create_task(hand.ask("open_table")))
                mouth.send({"id": "c", "ack": top, "consumer": "tv"})
                await asyncio.sleep(0)
                assert not any(task.done() for task in waiting)
                journal.go.set()
                answers = await asyncio.gather(*waiting)
                assert [answer["id"] for answer in answers] == ["cut_card", "open_table"]
                assert await mouth.answer() == {"id": "c", "ack": top, "consumer": "tv"}
                await hand.pump.turn()
        await feed.close()
        kept = [row.at - begun[0] for row in journal.rows(kinds=("rx",))]
        assert kept[-4:] == [0, SECOND, 5 * SECOND, 9 * SECOND]

    _in_a_loop(body)
    told = [json.loads(one.body) for one in journal.messages("public", 0, 999)]
    times = [one["at"] for one in told if one["type"] in {"coup.result", "card.dealt"}]
    assert [one["type"] for one in told].count("coup.result") == 2
    assert times == sorted(times)
    assert rfc3339(begun[0] + 2 * SECOND) in times


# -- readers while it writes ---------------------------------------------------------------------------------


def test_who_reads_while_it_writes_sees_no_half_of_anything(journal: Disk, hand: Hand) -> None:
    seen: dict[str, list[tuple[int, Any]]] = {audience: [] for audience in AUDIENCES}
    tops: list[dict[str, int]] = []

    async def look(done: asyncio.Event) -> None:
        while not done.is_set():
            tops.append(journal.tops())
            for audience in AUDIENCES:
                seen[audience].append(hand.views.snapshot(audience))
                after = max(0, tops[-1][audience] - 3)
                page = await asyncio.to_thread(journal.messages, audience, after, 3)
                assert [one.seq for one in page] == list(range(after + 1, after + 1 + len(page)))
            await asyncio.sleep(0)

    async def body() -> None:
        done = asyncio.Event()
        async with dealing(hand):
            looking = asyncio.create_task(look(done))
            for number, face in enumerate(shuffled(3)[:200]):
                hand.at = START + number * SECOND // 10
                hand.draw(face)
                if number % 7 == 0:
                    await hand.ask("open_table")
            await hand.pump.turn()
            done.set()
            await looking

    _in_a_loop(body)
    assert len(tops) > 10
    for audience in AUDIENCES:
        rising = [one[audience] for one in tops]
        assert rising == sorted(rising)
        states = {0: view.empty(audience)}
        for one in journal.messages(audience, 0, 10_000):
            states[one.seq] = view.apply(states[one.seq - 1], msgspec.json.decode(one.body))
        assert all(state == states[seq] for seq, state in seen[audience])


def test_commands_and_cards_from_all_sides_keep_their_own_order(journal: Disk, hand: Hand) -> None:
    async def ask(who: int) -> None:
        for number in range(20):
            await hand.ask("open_table", key=f"{who}.{number}")

    async def draw() -> None:
        for face in shuffled(4)[:100]:
            hand.draw(face)
            await asyncio.sleep(0)

    async def body() -> None:
        async with dealing(hand):
            await asyncio.gather(draw(), *map(ask, range(5)))

    _in_a_loop(body)
    keys = [str(row.key) for row in journal.rows(kinds=("answer",))]
    for who in range(5):
        assert [key for key in keys if key.startswith(f"{who}.")] == [f"{who}.{n}" for n in range(20)]
    steps = _steps(journal)
    assert [one.face.open() for one in steps if isinstance(one, CardRead)] == shuffled(4)[:100]
    assert sum(isinstance(one, Command) and one.verb == "open_table" for one in steps) == 101
