"""Errors of the line as the driver counts them.

A pseudo-terminal counts none: what is read of it is that it does not. How `struct serial_icounter_struct` is
read, and what is told of numbers that grow, is shown on numbers made here; no UART is behind any of it.
"""

import asyncio
import os
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from shoe_daemon.runtime import linecounters
from shoe_daemon.runtime.linecounters import Counters, LineErrors, counters, decode, grown
from tests.runtime.cables import Cable, listening
from tests.runtime.listeners import Listener

FRAME = b" [Game]<Card:4S> \r\n"


def test_each_counter_has_its_place() -> None:
    numbers = (101, 102, 103, 104, 105, 106, 1, 2, 3, 4, 5, *range(900, 909))
    found = decode(struct.pack("=20i", *numbers))
    assert found == Counters(frame=1, overrun=2, parity=3, brk=4, buf_overrun=5)


def test_a_pseudo_terminal_counts_nothing_and_that_is_no_error(tmp_path: Path) -> None:
    with Cable(tmp_path / "shoe") as cable:
        fd = os.open(cable.node, os.O_RDWR | os.O_NOCTTY)
        assert counters(fd) is None
        os.close(fd)


def test_what_is_no_device_any_more_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="Bad file descriptor"):
        counters(os.open(tmp_path, os.O_PATH))


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (Counters(), []),
        (Counters(parity=2), [("line_parity", "2 bytes with wrong parity")]),
        (Counters(brk=1, frame=1), [("line_frame", "1 "), ("line_break", "1 ")]),
        (
            Counters(overrun=3, buf_overrun=4),
            [
                ("line_overrun", "3 times bytes were lost: the adapter's"),
                ("line_overrun", "4 times bytes were lost: the kernel's"),
            ],
        ),
    ],
)
def test_what_has_grown_is_told_with_its_number(now: Counters, told: list[tuple[str, str]]) -> None:
    found = list(grown(Counters(), now))
    assert [code for code, _ in found] == [code for code, _ in told]
    assert all(words.startswith(begin) for (_, words), (_, begin) in zip(found, told, strict=True))


def test_a_driver_that_counts_anew_has_told_nothing() -> None:
    assert not list(grown(Counters(parity=7, brk=1), Counters(parity=2)))


class Driver:
    """Counters that a test sets. A look at them is one more of `looks`."""

    def __init__(self, now: Counters | None) -> None:
        self.now = now
        self.gone = False
        self.looks = 0

    def read(self, _: int) -> Counters | None:
        self.looks += 1
        if self.gone:
            raise OSError(5, "Input/output error")
        return self.now


def test_errors_come_to_the_port_with_bytes_and_are_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linecounters, "FIRST_LOOK_S", 0.01)
    monkeypatch.setattr(linecounters, "LONGEST_LOOK_S", 0.01)
    driver, listener, path = Driver(Counters(parity=40)), Listener(), tmp_path / "shoe"

    async def main() -> None:
        with Cable(path) as cable:
            async with listening(path, listener, driver.read):
                await listener.until_links("up")
                for parity, told in ((43, "3 bytes with wrong parity"), (44, "1 bytes with wrong parity")):
                    driver.now = Counters(parity=parity)
                    cable.send(FRAME)
                    await listener.until_alarm("line_parity", told)
                assert len(listener.alarms) == 2

    asyncio.run(main())


def waited_for(monkeypatch: pytest.MonkeyPatch, loop: asyncio.AbstractEventLoop) -> list[float]:
    """The pauses that are asked of the loop, each over at once."""
    pauses: list[float] = []
    real = loop.call_later

    def soon(delay: float, call: Callable[[], object]) -> asyncio.TimerHandle:
        pauses.append(delay)
        return real(0, call)

    monkeypatch.setattr(loop, "call_later", soon)
    return pauses


def test_looks_are_rarer_while_errors_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    driver, told = Driver(Counters()), list[str]()

    async def main() -> None:
        pauses = waited_for(monkeypatch, asyncio.get_running_loop())
        errors = LineErrors(lambda code, _: told.append(code), driver.read)
        errors.open(3)
        for turn in range(1, 12):
            driver.now = Counters(brk=turn)
            errors.came()
            errors.came()  # one look is enough for both
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert pauses == [0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60]
        assert len(told) == 11
        for _ in range(2):  # a look that finds nothing ends it
            errors.came()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert pauses[-2:] == [60, 0.5]
        assert len(told) == 11

    asyncio.run(main())


def test_a_line_that_counts_nothing_is_never_looked_at_again() -> None:
    driver = Driver(None)

    async def main() -> None:
        errors = LineErrors(lambda *_: None, driver.read)
        errors.open(3)
        errors.came()
        assert not errors.counted
        assert errors._look_due is None

    asyncio.run(main())
    assert driver.looks == 1


def test_a_device_that_goes_before_the_look_is_left_to_its_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    driver, told = Driver(Counters()), list[str]()

    async def main() -> None:
        waited_for(monkeypatch, asyncio.get_running_loop())
        errors = LineErrors(lambda code, _: told.append(code), driver.read)
        errors.open(3)
        driver.gone = True
        errors.came()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert driver.looks == 2

    asyncio.run(main())
    assert not told


def test_a_device_that_goes_while_it_is_opened_is_absent(tmp_path: Path) -> None:
    driver, listener, path = Driver(Counters()), Listener(), tmp_path / "shoe"
    driver.gone = True

    async def main() -> None:
        with Cable(path):
            async with listening(path, listener, driver.read):
                await listener.until_links("down")
                assert str(listener.links[0][1]).startswith("absent: ")
                driver.gone = False
                await listener.until_links("down", "up")

    asyncio.run(main())
