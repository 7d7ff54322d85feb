"""The pump with a clock in hand: what a capture makes of a clock set back, and what a stop leaves out."""

import asyncio
import json
from pathlib import Path
from typing import Literal

from shoe_daemon.runtime.export import capture_lines
from shoe_daemon.runtime.replay import replay
from shoe_daemon.runtime.resources import shoe_file
from shoe_daemon.table.codec import Step
from shoe_daemon.table.events import AUDIENCES
from shoe_daemon.table.inputs import Service
from tests.process.hand import SECOND, Disk, Hand, dealing, disk
from tests.process.running import card, plain


async def _play(hand: Hand) -> None:
    async with dealing(hand):
        await hand.coup()
        assert hand.set_clock(-3600 * SECOND)
        await hand.coup()
        assert hand.set_clock(3600 * SECOND)
        await hand.coup()


def _same_in_the_replay(journal: Disk) -> list[str]:
    """The types the public was told; a replay of the capture tells every audience the same."""
    replayed = [message for messages in replay(capture_lines(journal)) for message in messages]
    for audience in AUDIENCES:
        live = [plain(one.body) for one in journal.messages(audience, 0, 1000)]
        assert live == [plain(one.body) for one in replayed if one.audience == audience]
    return [one.type for one in journal.messages("public", 0, 1000)]


def test_each_coup_settles_in_the_replay_too(tmp_path: Path) -> None:
    journal = disk(tmp_path)
    asyncio.run(_play(Hand(journal)))
    told = [json.loads(one.body) for one in journal.told() if one.type == "clock.stepped"]
    assert [(one["audience"], one["data"]["by_s"]) for one in told] == [
        ("surveillance", -3600.0),
        ("surveillance", 3600.0),
    ]
    assert all(one["at"] == one["data"]["after"] for one in told)
    assert _same_in_the_replay(journal).count("coup.result") == 3
    for audience in AUDIENCES:
        assert [one.type for one in journal.messages(audience, 0, 1000)].count("coup.result") == 3
    journal.close()


def test_the_time_of_a_capture_runs_on_where_the_clock_was_set(tmp_path: Path) -> None:
    journal = disk(tmp_path)
    hand = Hand(journal)

    async def main() -> None:
        async with dealing(hand):
            for by in (3600, -7200):
                hand.at += SECOND
                assert hand.set_clock(by * SECOND)
                hand.at += SECOND
                hand.draw("9C")
                await hand.pump.turn()

    asyncio.run(main())
    lines = [json.loads(line) for line in capture_lines(journal)]
    kept = [(line["t"], line.get("clock", 0) - line.get("before", 0)) for line in lines if line["t"]]
    assert kept == [(1, 3600), (2, 0), (3, -7200), (4, 0), (4, 0)]
    _same_in_the_replay(journal)
    journal.close()


def test_a_silence_counts_anew_from_a_clock_that_was_set_and_so_it_does_in_the_replay(tmp_path: Path) -> None:
    profile = tmp_path / "beating.toml"
    profile.write_text(shoe_file("house-serial")[0].decode() + "silence_ms = 5000\n", encoding="utf-8")
    journal = disk(tmp_path)
    hand = Hand(journal, str(profile))

    async def main() -> None:
        async with dealing(hand):
            hand.at += 4 * SECOND
            for by in (3600, -7200):
                assert hand.set_clock(by * SECOND)
                hand.at += 4 * SECOND
                await hand.ask("cut_card")
            hand.at += 2 * SECOND
            await hand.ask("cut_card")

    asyncio.run(main())
    kinds = ("clock.stepped", "device.link")
    assert [kind for kind in hand.kinds("surveillance") if kind in kinds] == [
        "device.link",
        "clock.stepped",
        "clock.stepped",
        "device.link",
    ]
    _same_in_the_replay(journal)
    journal.close()


async def _stop(hand: Hand) -> None:
    task = asyncio.create_task(hand.pump.run())
    hand.pump.service(Service(hand.at, "started", "new_journal"))
    await hand.say("open_table")
    hand.stop()
    hand.pump.link("up", None, hand.at)  # at the pump before it has come round
    await task


def test_nothing_is_told_after_the_stop(tmp_path: Path) -> None:
    journal = disk(tmp_path)
    hand = Hand(journal)
    asyncio.run(_stop(hand))
    assert hand.told[-1].type == "service.stopped"
    assert not [message for message in hand.told if message.type == "device.link"]
    assert list(journal.told()) == hand.told
    journal.close()


def test_half_a_frame_waits_for_the_rest_whoever_looks_at_the_pump(tmp_path: Path) -> None:
    journal = disk(tmp_path)
    hand = Hand(journal)

    async def main() -> None:
        async with dealing(hand):
            whole = card("9C")
            hand.pump.bytes_read(whole[:9], hand.at)
            for _ in range(3):
                await hand.pump.turn()
            assert not list(journal.rows(kinds=("rx",)))
            hand.at += SECOND // 100
            hand.pump.bytes_read(whole[9:], hand.at)
            await hand.pump.turn()
            assert [row.body for row in journal.rows(kinds=("rx",))] == [whole[:9], whole[9:]]

    asyncio.run(main())
    assert _same_in_the_replay(journal).count("card.dealt") == 1
    journal.close()


def test_what_comes_in_while_a_batch_is_decided_is_not_overtaken_by_a_timer(tmp_path: Path) -> None:
    journal = disk(tmp_path)

    class Late(Hand):
        """Bytes come between the pump's look at what waits and its look at the clock."""

        rest = b""

        def now(self) -> int:
            rest, self.rest = self.rest, b""
            if rest:
                self.pump.bytes_read(rest, self.at)
                self.at += 60 * SECOND
            return self.at

    hand = Late(journal)
    whole = card("9C")
    link = hand.machine.link

    def then_the_rest(state: Literal["up", "down"], reason: str | None, at: int) -> list[Step]:
        hand.rest = whole[9:]
        return link(state, reason, at)

    async def main() -> None:
        async with dealing(hand):
            hand.pump.bytes_read(whole[:9], hand.at)
            await hand.pump.turn()
            came = hand.at
            hand.machine.link = then_the_rest  # type: ignore[method-assign]  # the next look is at the clock
            hand.pump.link("up", None, hand.at)
            while len(list(journal.rows(kinds=("rx",)))) < 2:
                await hand.pump.turn()
            assert list(journal.rows(kinds=("rx",)))[-1].at == came

    asyncio.run(main())
    assert not [kind for kind in hand.kinds("surveillance") if kind == "device.rejected"]
    assert _same_in_the_replay(journal).count("card.dealt") == 1
    journal.close()


def test_bytes_that_reach_the_pump_behind_a_timer_follow_it_in_time_too(tmp_path: Path) -> None:
    journal = disk(tmp_path)
    hand = Hand(journal)

    async def main() -> None:
        async with dealing(hand):
            whole = card("9C")
            hand.pump.bytes_read(whole[:9], hand.at)
            await hand.pump.turn()
            read = hand.at + 1  # in time for the frame, but not yet with the pump
            hand.at += 60 * SECOND
            await hand.pump.turn()
            assert len(list(journal.rows(kinds=("rx",)))) == 1  # it was given up
            hand.pump.bytes_read(whole[9:], read)
            await hand.pump.turn()

    asyncio.run(main())
    kept = [row.at for row in journal.rows(kinds=("rx",))]
    assert kept == sorted(kept)
    _same_in_the_replay(journal)
    journal.close()
