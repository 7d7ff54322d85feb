"""A link that comes and goes: each time is told, and the log has a line when it begins and one at the end."""

import asyncio
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from shoe_daemon.runtime import ports
from shoe_daemon.runtime.flapping import Flapping
from tests.runtime.cables import Cable, again, listening
from tests.runtime.listeners import Listener


@pytest.mark.parametrize(
    ("losses", "flaps"),
    [
        ([0, 1], []),
        ([0, 1, 2], [2]),
        ([0, 0.1, 0.2, 0.3, 0.4], [0.2]),
        ([0, 9, 18, 27], []),
        ([0, 5, 10], [10]),
        ([0, 8, 16, 17], [17]),
    ],
)
def test_the_third_loss_within_ten_seconds(losses: list[float], flaps: list[float]) -> None:
    flapping = Flapping()
    assert [at for at in losses if flapping.lost(at)] == flaps
    assert flapping.now == bool(flaps)


def test_the_whole_is_counted_and_then_begins_anew() -> None:
    flapping = Flapping()
    for turn in range(300):
        flapping.lost(100 + turn / 5)
    assert flapping.words() == "300 times in 59.8 s"
    flapping.settle()
    assert not flapping.now
    assert [flapping.lost(at) for at in (161.0, 161.2, 161.4)] == [False, False, True]
    assert flapping.words() == "3 times in 0.4 s"


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No waiting between attempts, and no settling by itself."""
    monkeypatch.setattr(ports, "FLAPPING_PAUSE_S", 0.01)
    monkeypatch.setattr(ports, "LONGEST_PAUSE_S", 0.01)
    monkeypatch.setattr(ports, "SETTLED_S", 3600)


@pytest.mark.usefixtures("at_once")
def test_each_time_is_told_and_the_log_has_two_lines_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listener, path, times = Listener(), tmp_path / "shoe", 12

    async def main() -> None:
        with Cable(path) as cable:
            async with listening(path, listener):
                await listener.until_links("up")
                for turn in range(1, times + 1):
                    if turn == times:
                        monkeypatch.setattr(ports, "SETTLED_S", 0)
                    cable.unplug()
                    await listener.until_count(2 * turn)
                    cable.plug()
                    await listener.until_count(2 * turn + 1)
                await listener.until(lambda: len(listener.alarms) > 1)

    with capture_logs() as lines:
        asyncio.run(main())
    assert [state for state, _ in listener.links] == ["up", *["down", "up"] * times]
    (begin, hint), (end, words) = listener.alarms
    assert (begin, end) == ("link_flapping", "link_settled")
    assert hint.startswith("3 times in ")
    assert "ModemManager" in hint
    assert "shoe-daemon doctor" in hint
    assert words.startswith(f"{times} times in ")
    events = [line["event"] for line in lines]
    assert len([event for event in events if event.startswith("link flapping: 12 times in ")]) == 1
    assert len([event for event in events if event.startswith("link comes and goes")]) == 1
    # Before it counts as flapping: three ups, two losses, and what the attempts after these found.
    assert events.count("link up") <= 4
    assert events.count("link down") <= 5


@pytest.mark.usefixtures("at_once")
def test_a_flapping_link_that_stays_away_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listener, path = Listener(), tmp_path / "shoe"

    async def main() -> None:
        with Cable(path) as cable:
            async with listening(path, listener) as port:
                await listener.until_links("up")
                for turn in range(1, 4):
                    if turn == 3:
                        monkeypatch.setattr(ports, "SETTLED_S", 0.2)
                    cable.unplug()
                    await listener.until_count(2 * turn)
                    if turn < 3:
                        cable.plug()
                        await listener.until_count(2 * turn + 1)
                await listener.until(lambda: len(listener.alarms) > 1)
                assert port.state == "down"
                cable.plug()
                await listener.until_count(7)

    with capture_logs() as lines:
        asyncio.run(main())
    (end,) = [line for line in lines if line["event"].startswith("link flapping: ")]
    assert end["state"] == "down"
    assert str(path) in end["reason"]
    assert listener.alarms[1][1].endswith(", now down")
    assert lines[-1]["event"] == "link up"  # it is told as ever again


@pytest.mark.usefixtures("at_once")
def test_a_device_that_is_gone_is_few_lines_however_often_it_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listener, path = Listener(), tmp_path / "shoe"
    attempts = 0
    real = ports.Port._down

    def counting(self: ports.Port, reason: str) -> None:
        nonlocal attempts
        attempts += 1
        real(self, reason)

    monkeypatch.setattr(ports.Port, "_down", counting)

    async def main() -> None:
        with Cable(path) as cable:
            async with listening(path, listener):
                await listener.until_links("up")
                cable.unplug()
                await listener.until(lambda: attempts > 60 or again(listener))
                cable.plug()
                await listener.until_links("up", "down", "up")

    with capture_logs() as lines:
        asyncio.run(main())
    assert [line["event"] for line in lines] == ["link up", "link down", "link down", "link up"]
    assert [line["reason"].partition(":")[0] for line in lines[1:3]] == ["hangup", "absent"]
