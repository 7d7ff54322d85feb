"""The port of a keyboard: a pipe carries what the kernel would tell, and opening is the one thing replaced.

No input device of a kernel and no scanner has been seen here. What opening does with the package evdev is
tried on a stand-in of that package, and, where it is installed, on itself with files that are no keyboard.
"""

import asyncio
import errno
import os
import struct
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import pytest

from drivers.keyboard import SUBSTITUTE
from shoe_daemon.runtime import hidport
from shoe_daemon.runtime.hidport import HidPort
from shoe_daemon.runtime.ports import UnreachableError
from tests.drivers.keys import CODES, DROPPED, Event, down, packed, press, up
from tests.runtime.listeners import Listener

PATH = "/dev/input/by-id/usb-scanner-event-kbd"
CODE = press(*"1010", "ENTER")
SUB = bytes([SUBSTITUTE])


class End:
    """What the port reads from, in place of a device."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.closed = False

    def close(self) -> None:
        assert not self.closed
        self.closed = True
        os.close(self.fd)


class Scanner:
    """A pipe that is opened as a keyboard would be; unplugged, it is not there."""

    def __init__(self) -> None:
        self.node = "/dev/input/event3"
        self.opened: list[End] = []
        self._out: int | None = None
        self._in: int | None = None
        self.plug()

    def plug(self) -> None:
        self._in, self._out = os.pipe2(os.O_NONBLOCK)

    def unplug(self) -> None:
        """Let go of both ends; the port still has what it opened."""
        for fd in (self._in, self._out):
            if fd is not None:
                os.close(fd)
        self._in = self._out = None

    def open(self, path: str) -> tuple[End, str]:
        if self._in is None:
            raise UnreachableError(hidport._why(FileNotFoundError(errno.ENOENT, "x"), path))
        assert all(end.closed for end in self.opened)
        self.opened.append(End(os.dup(self._in)))
        return self.opened[-1], self.node

    def tell(self, events: list[Event]) -> None:
        assert self._out is not None
        data = packed(events)
        assert os.write(self._out, data) == len(data)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.unplug()


@pytest.fixture
def scanner(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scanner]:
    with Scanner() as one:
        monkeypatch.setattr(hidport, "_open", one.open)
        yield one


@asynccontextmanager
async def listening(listener: Listener, path: str = PATH) -> AsyncIterator[HidPort]:
    port = HidPort(path, listener.on_bytes, listener.on_link, listener.now)
    port.start()
    try:
        yield port
    finally:
        await port.stop()


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - half of what iterdir would open itself


def test_every_key_arrives_as_its_byte_in_order(scanner: Scanner) -> None:
    async def main() -> None:
        listener = Listener()
        async with listening(listener) as port:
            await listener.until_links("up")
            assert (port.state, port.reason) == ("up", None)
            expected = b""
            for key in "4130":
                scanner.tell(press(key))
                expected += key.encode()
                await listener.until_received(expected)
            scanner.tell(press("ENTER"))
            await listener.until_received(b"4130\r")
            assert listener.times == sorted(listener.times)
        assert listener.links == [("up", None)]

    asyncio.run(main())


def test_one_wake_up_takes_all_that_waits(scanner: Scanner) -> None:
    async def main() -> None:
        listener = Listener()
        async with listening(listener):
            await listener.until_links("up")
            scanner.tell(CODE * 20)
            await listener.until_received(b"1010\r" * 20)
            assert len(listener.data) == 1

    asyncio.run(main())


def test_what_types_nothing_is_no_news(scanner: Scanner) -> None:
    async def main() -> None:
        listener = Listener()
        async with listening(listener):
            await listener.until_links("up")
            scanner.tell([*up("1"), *press("CAPSLOCK"), *down("LEFTSHIFT")])
            scanner.tell([*press("a"), *up("LEFTSHIFT")])
            await listener.until_received(b"A")

    asyncio.run(main())


def test_a_hang_up_is_told_and_the_keyboard_comes_back(scanner: Scanner) -> None:
    async def main() -> None:
        listener = Listener()
        async with listening(listener) as port:
            await listener.until_links("up")
            scanner.tell([*down("LEFTSHIFT"), *press("a")])
            await listener.until_received(b"A")
            scanner.unplug()
            await listener.until_links("up", "down")
            assert listener.links[1][1] == f"hangup: {PATH} went away"
            scanner.node = "/dev/input/event7"
            scanner.plug()
            await listener.until_links("up", "down", "up")
            moved = f"moved: {PATH} was /dev/input/event3, now it is /dev/input/event7"
            assert (listener.links[2][1], port.state) == (moved, "up")
            scanner.tell(press("a"))
            await listener.until_received(b"Aa")  # what was held at the hang-up is held no more

    asyncio.run(main())


@pytest.mark.parametrize(
    ("number", "words"), [(errno.ENODEV, f"hangup: {PATH} went away"), (errno.ENOMEM, "error: ")]
)
def test_keys_that_wait_at_the_hang_up_come_before_its_news(
    scanner: Scanner, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    """The kernel answers a reader of a device that went with ENODEV; no pipe does."""

    async def main() -> None:
        listener = Listener()
        answers: Iterator[bytes | OSError] = iter(
            [packed(press("1", "0")), packed(press("3")), OSError(number, os.strerror(number))]
        )
        real = os.read

        def read(fd: int, size: int) -> bytes:
            if fd != port._fd:
                return real(fd, size)
            answer = next(answers)
            if isinstance(answer, OSError):
                raise answer
            return answer

        async with listening(listener) as port:
            await listener.until_links("up")
            monkeypatch.setattr(os, "read", read)
            scanner.tell(press("0"))
            await listener.until(lambda: len(listener.links) > 1)
            monkeypatch.setattr(os, "read", real)
            assert listener.data == [b"103"]
            assert listener.links[1][0] == "down"
            assert str(listener.links[1][1]).startswith(words)

    asyncio.run(main())


def test_dropped_keys_damage_the_code_and_take_the_link_down_and_up(scanner: Scanner) -> None:
    async def main() -> None:
        listener = Listener()
        async with listening(listener) as port:
            await listener.until_links("up")
            scanner.tell([*CODE, *press("4"), DROPPED, *press("1", "0", "ENTER")])
            await listener.until_links("up", "down", "up")
            assert listener.data == [b"1010\r4" + SUB]
            words = f"overrun: keys of {PATH} came faster than they were read, and are lost"
            assert listener.links[1] == ("down", words)
            assert listener.links[2] == ("up", None)
            scanner.tell(CODE)
            await listener.until_received(b"1010\r4" + SUB + b"1010\r")
            assert port.state == "up"

    asyncio.run(main())


def test_an_absent_keyboard_is_told_and_waited_for(scanner: Scanner) -> None:
    async def main() -> None:
        listener = Listener()
        scanner.unplug()
        async with listening(listener) as port:
            await listener.until_links("down")
            assert str(port.reason) == (
                f"absent: {PATH} is not there: plug the scanner in, or correct port in [shoe]"
            )
            scanner.plug()
            await listener.until_links("down", "up")
            scanner.tell(CODE)
            await listener.until_received(b"1010\r")

    asyncio.run(main())


def test_two_scanners_are_two_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        first, second = Listener(), Listener()
        with Scanner() as one, Scanner() as other:
            scanners = {"/dev/input/by-id/one": one, "/dev/input/by-id/other": other}
            monkeypatch.setattr(hidport, "_open", lambda path: scanners[path].open(path))
            async with listening(first, "/dev/input/by-id/one"), listening(second, "/dev/input/by-id/other"):
                await first.until_links("up")
                await second.until_links("up")
                other.tell(down("LEFTSHIFT"))
                for mine, yours in zip(CODE, press(*"4130", "TAB"), strict=True):
                    one.tell([mine])
                    other.tell([yours])
                await first.until_received(b"1010\r")
                await second.until_received(b"$!#)\t")

    asyncio.run(main())


def test_flapping_leaks_no_descriptor(scanner: Scanner) -> None:
    async def main() -> None:
        listener = Listener()
        async with listening(listener):
            await listener.until_links("up")
            before = open_files()
            for turn in range(1, 26):
                scanner.unplug()
                await listener.until_count(2 * turn)
                scanner.plug()
                await listener.until_count(2 * turn + 1)
            assert open_files() == before

    before = open_files()
    asyncio.run(main())
    assert open_files() == before
    assert all(end.closed for end in scanner.opened)


def test_a_stop_while_the_keyboard_opens_leaves_nothing_open(scanner: Scanner) -> None:
    async def main() -> None:
        listener = Listener()
        port = HidPort(PATH, listener.on_bytes, listener.on_link, listener.now)
        port.start()
        await asyncio.sleep(0)
        await port.stop()
        assert listener.links == []
        assert not port._reading

    asyncio.run(main())
    assert all(end.closed for end in scanner.opened)


def test_nothing_is_told_after_the_stop(scanner: Scanner) -> None:
    async def main() -> None:
        listener = Listener()
        async with listening(listener):
            await listener.until_links("up")
            scanner.tell(CODE)
        scanner.unplug()
        await asyncio.sleep(0)
        assert (listener.links, listener.data) == ([("up", None)], [])

    asyncio.run(main())


# -- opening -----------------------------------------------------------------------------------------------


class Device:
    """What the package evdev opens, with nothing behind it."""

    keys: tuple[int, ...] = tuple(CODES.values())
    name = "Scanner"

    def __init__(self, path: str, *, readonly: bool) -> None:
        self.path, self.readonly = path, readonly
        self.fd = 99
        self.did: list[str] = []
        made.append(self)

    def capabilities(self) -> dict[int, list[int]]:
        return {0: [0, 1], 1: list(self.keys)}

    def grab(self) -> None:
        self.did.append("grab")

    def close(self) -> None:
        self.did.append("close")


made: list[Device] = []


def stand_in(monkeypatch: pytest.MonkeyPatch, device: Callable[..., Device]) -> None:
    made.clear()
    module: Any = SimpleNamespace(InputDevice=device, ecodes=SimpleNamespace(EV_KEY=1))
    monkeypatch.setitem(sys.modules, "evdev", module)


def test_a_keyboard_is_grabbed_and_its_lamps_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch, Device)
    link = tmp_path / "usb-scanner-event-kbd"
    link.symlink_to("/dev/input/event3")
    keyboard, node = hidport._open(str(link))
    assert keyboard is made[0]
    assert (made[0].did, made[0].readonly, node) == (["grab"], True, "/dev/input/event3")


def test_what_has_no_digits_is_closed_and_never_grabbed(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, type("Mouse", (Device,), {"keys": (0x110, 0x111)}))
    with pytest.raises(UnreachableError, match=f"^no_keyboard: {PATH} has no keys for digits"):
        hidport._open(PATH)
    assert made[0].did == ["close"]


def test_a_keyboard_that_another_program_has_grabbed_is_busy_and_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Grabbed(Device):
        def grab(self) -> None:
            raise OSError(errno.EBUSY, "Device or resource busy")

    stand_in(monkeypatch, Grabbed)
    with pytest.raises(UnreachableError, match=f"^busy: {PATH} is grabbed by another program"):
        hidport._open(PATH)
    assert made[0].did == ["close"]


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOENT, "absent"),
        (errno.ENODEV, "absent"),
        (errno.ENXIO, "absent"),
        (errno.EACCES, "permission"),
        (errno.EPERM, "permission"),
        (errno.EBUSY, "busy"),
        (errno.ENOTTY, "no_keyboard"),
        (errno.EISDIR, "no_keyboard"),
        (errno.ENOMEM, "error"),
    ],
)
def test_each_refusal_has_its_word(monkeypatch: pytest.MonkeyPatch, number: int, code: str) -> None:
    def refused(*_: object, **__: object) -> Device:
        raise OSError(number, os.strerror(number))

    stand_in(monkeypatch, refused)
    with pytest.raises(UnreachableError, match=f"^{code}: {PATH}"):
        hidport._open(PATH)


def test_a_package_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "evdev", None)
    assert "evdev" in str(hidport.missing())
    stand_in(monkeypatch, Device)
    assert hidport.missing() is None


def test_the_package_itself(tmp_path: Path) -> None:
    evdev = pytest.importorskip("evdev", reason="the extra hid is not installed")
    assert hidport.missing() is None
    file = tmp_path / "file"
    file.touch()
    before = open_files()
    for path, code in (
        (file, "no_keyboard"),
        (tmp_path, "no_keyboard"),
        (Path(os.devnull), "no_keyboard"),
        (tmp_path / "none", "absent"),
    ):
        with pytest.raises(UnreachableError, match=f"^{code}: {path} "):
            hidport._open(str(path))
    assert open_files() == before
    names = {"0": "KEY_0", "ENTER": "KEY_ENTER", "LEFTSHIFT": "KEY_LEFTSHIFT", "KPENTER": "KEY_KPENTER"}
    assert {CODES[key] for key in names} == {evdev.ecodes.ecodes[name] for name in names.values()}
    assert (evdev.ecodes.EV_SYN, evdev.ecodes.EV_KEY, evdev.ecodes.SYN_DROPPED) == (0, 1, 3)
    assert struct.calcsize("@llHHi") == hidport._EVENT.size


def test_names_of_keyboards() -> None:
    assert all(map(hidport.is_keyboard, (PATH, "/dev/input/event3", "event12")))
    assert not any(map(hidport.is_keyboard, ("/dev/ttyUSB0", "tcp://event3:1", "/dev/hidraw0", "events")))
