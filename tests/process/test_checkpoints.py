"""The pump signs what is kept: once a coup has ended, and never while one is open or a card waits for one."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from shoe_daemon.runtime.checkpoint import decode
from shoe_daemon.runtime.inspection import open_shoe
from shoe_daemon.runtime.resume import resume
from shoe_daemon.runtime.rows import Reader
from shoe_daemon.runtime.verify import verify
from tests.process.conftest import Tables
from tests.process.hand import SECOND, Disk, Hand, dealing, disk
from tests.process.running import Running, card, until
from tests.process.whole_run import captured, same_events
from tests.runtime.journals import PUBLIC, SIGNER, write_keys


def play(folder: Path, what: Callable[[Hand], Awaitable[None]]) -> Disk:
    """The journal of a table with a shoe loaded, on which `what` was done."""
    journal = disk(folder, SIGNER)

    async def main() -> None:
        hand = Hand(journal)
        async with dealing(hand):
            await what(hand)

    asyncio.run(main())
    return journal


def kinds(journal: Reader) -> list[str]:
    """What the public was told, what was signed, and "told" where surveillance was told so, in order."""
    found: list[str] = []
    for row in journal.rows(kinds=("told", "checkpoint")):
        if row.kind == "checkpoint":
            found.append("signed")
        else:
            told = journal.messages_in(row.pos, row.body)
            found += [one.type for one in told if one.audience == "public"]
            found += ["told" for one in told if one.type == "journal.checkpoint"]
    return [one for one in found if one not in {"card.exposed", "hand.announced"}]


def test_each_coup_is_signed_once_it_has_ended(tmp_path: Path) -> None:
    async def two(hand: Hand) -> None:
        await hand.coup()
        await hand.coup()
        await hand.say("close_shoe")

    journal = play(tmp_path, two)
    coup = ["betting.closed", *["card.dealt"] * 4, "coup.result", "betting.opened", "signed", "told"]
    closed = ["betting.closed", "shoe.closed", "signed", "told", "signed"]
    told = kinds(journal)
    assert told[told.index("shoe.loaded") + 2 :] == [*coup, *coup, *closed]
    for message in journal.told():
        if message.type == "journal.checkpoint":
            said = msgspec.json.decode(message.body)
            assert (message.audience, said["coup"], said["at"]) == (
                "surveillance",
                None,
                said["data"]["signed"],
            )
    covered = [decode(row.body) for row in journal.rows(kinds=("checkpoint",))]
    assert covered[-1].last + 1 == journal.end()
    journal.close()
    report = verify(tmp_path / "t.db", [PUBLIC])
    assert (report.ok, report.covered) == (True, report.rows - 1)


def test_that_it_was_signed_is_told_before_a_card_that_waits_already(tmp_path: Path) -> None:
    async def next_card(hand: Hand) -> None:
        journal = hand.pump._journal
        assert isinstance(journal, Disk)
        for face in ("8S", "3H", "AC", "QD"):
            hand.draw(face)
            await hand.pump.turn()
        hand.at += 5 * SECOND
        journal.waits.clear()
        journal.go.clear()
        turn = asyncio.create_task(hand.pump.turn())
        await journal.stall()
        hand.draw("9S")
        journal.go.set()
        await turn

    journal = play(tmp_path, next_card)
    told = kinds(journal)
    after = ["betting.opened", "signed", "told", "betting.closed", "card.dealt"]
    assert told[told.index("coup.result") + 1 :] == after
    journal.close()


def test_a_card_carried_into_the_next_coup_puts_it_off(tmp_path: Path) -> None:
    async def excess(hand: Hand) -> None:
        for face in ("8S", "3H", "AC", "QD", "5C"):
            hand.draw(face)
            await hand.pump.turn()
        hand.at += 5 * SECOND
        await hand.pump.turn()
        coup = hand.machine.table.coup
        assert coup is not None
        assert (len(coup.cards), coup.opened) == (1, False)

    journal = play(tmp_path, excess)
    told = kinds(journal)
    assert "signed" not in told[told.index("coup.result") :]
    journal.close()


def test_a_stop_in_the_middle_of_a_coup_signs_nothing_and_the_next_end_covers_it(tmp_path: Path) -> None:
    async def half(hand: Hand) -> None:
        await hand.coup()
        hand.draw("8S")
        await hand.pump.turn()

    journal = play(tmp_path, half)
    assert kinds(journal)[-2:] == ["betting.closed", "card.dealt"]
    assert open_shoe(journal) == 1
    journal.close()
    assert verify(tmp_path / "t.db", [PUBLIC]).ok
    again = disk(tmp_path, SIGNER)

    async def main() -> None:
        hand = Hand(again)
        table, hand.views = resume(again)
        hand.machine.table = table
        hand.pump._projector.tops = again.tops()
        task = asyncio.create_task(hand.pump.run())
        hand.start()
        await hand.say("void")
        hand.stop()
        await task

    asyncio.run(main())
    assert kinds(again)[-5:] == ["coup.void", "betting.opened", "signed", "told", "signed"]
    again.close()
    report = verify(tmp_path / "t.db", [PUBLIC])
    assert (report.ok, report.covered) == (True, report.rows - 1)


def test_without_a_key_there_is_none(tmp_path: Path) -> None:
    async def main() -> None:
        hand = Hand(journal)
        async with dealing(hand):
            await hand.coup()

    journal = disk(tmp_path)
    asyncio.run(main())
    assert "signed" not in kinds(journal)
    journal.close()
    assert verify(tmp_path / "t.db").ok


def test_a_disk_that_fails_and_comes_back_keeps_the_account_signed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shoe_daemon.runtime.pump.RETRY_S", 0.01)

    async def full(hand: Hand) -> None:
        journal = hand.pump._journal
        assert isinstance(journal, Disk)
        for face in ("8S", "3H", "AC", "QD"):
            hand.draw(face)
            await hand.pump.turn()
        hand.at += 5 * SECOND
        journal.broken = True
        for _ in range(5):  # the first waits until a batch could not be written
            await hand.pump.turn()
        assert hand.written[-1] is False
        journal.broken = False
        await hand.say("close_shoe")

    journal = play(tmp_path, full)
    assert kinds(journal).count("signed") == 4
    journal.close()
    assert verify(tmp_path / "t.db", [PUBLIC]).ok


def _signed_to(table: Running) -> int:
    """The last row under a checkpoint that surveillance was told of."""
    return max((int(one["data"]["last"]) for one in table.of("journal.checkpoint")), default=0)


def _last_result(table: Running) -> int:
    with closing(Reader(table.journal)) as journal:
        return max(row.pos for row in journal.rows(0, ("told",)) if b'"coup.result"' in row.body)


def test_a_daemon_with_a_key_signs_and_one_that_is_killed_goes_on(tables: Tables, tmp_path: Path) -> None:
    private, public = write_keys(tmp_path)
    table = tables()
    name = f'path = "{table.journal}"\n'
    text = table.config.read_text()
    assert name in text
    table.config.write_text(text.replace(name, f'{name}signing_key = "{private}"\n'))
    table.start()
    table.must("open_table")
    table.must("load_shoe")
    for coup in (1, 2):
        for face in ("8S", "3H", "AC", "QD"):
            table.shoe.write(card(face))
        table.wait("coup.result", coup)
        until(lambda: _signed_to(table) >= _last_result(table))
        table.kill()
        table.start()
    table.must("close_shoe")
    table.stop()
    proof = tmp_path / "proof.json"
    for coup in (1, 2):
        proof.write_text(table.cli("journal", "prove", str(table.journal), "--coup", str(coup)))
        shown = table.cli("journal", "check-proof", str(proof), "--public-key", str(public))
        assert "player, revision 1" in shown
    witness = tmp_path / "witness.jsonl"
    witness.write_bytes(b"\n".join(table.raw("surveillance")))
    said = table.cli(
        *("journal", "verify", str(table.journal), "--public-key", str(public), "--witness", str(witness))
    )
    assert "good, over rows 1 to" in said
    assert table.of("journal.checkpoint", "public") == table.of("journal.checkpoint", "cage") == []
    assert same_events(table, table.cli("replay", str(captured(table))))
    other = tmp_path / "other.pem"
    other.write_bytes(b"nonsense")
    table.cli("journal", "verify", str(table.journal), "--public-key", str(other), code=2)
    private.chmod(0o644)
    table.cli("run", "--config", str(table.config), code=2)
