"""The serial port on pseudo-terminals: read, hung up, back under another name, held, refused."""

import asyncio
import errno
import os
import resource
import subprocess
import sys
import termios
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from shoe_daemon.runtime import ports, serialport
from shoe_daemon.runtime.ports import UnreachableError
from shoe_daemon.runtime.serialport import Line, SerialPort
from tests.runtime.cables import Cable, again, listening, open_files
from tests.runtime.listeners import Listener
from tests.runtime.machines import BY_ID, BY_PATH, Tree

FRAME = b" [Game]<Card:4S> \r\n"


@pytest.fixture
def stable(tmp_path: Path) -> Path:
    return tmp_path / "usb-shoe"


def test_every_byte_arrives_in_order_with_growing_times(stable: Path) -> None:
    async def main() -> None:
        listener = Listener()
        with Cable(stable) as cable:
            async with listening(stable, listener) as port:
                await listener.until_links("up")
                assert (port.state, port.reason) == ("up", None)
                everything = bytes(range(256)) * 3
                for at in range(0, len(everything), 97):
                    cable.send(everything[at : at + 97])
                    await listener.until_received(everything[: at + 97])
                assert listener.times == sorted(listener.times)
            assert listener.links == [("up", None)]

    asyncio.run(main())


def test_one_wake_up_takes_all_that_waits(stable: Path) -> None:
    async def main() -> None:
        listener = Listener()
        with Cable(stable) as cable:
            async with listening(stable, listener):
                await listener.until_links("up")
                cable.send(FRAME * 100)
                await listener.until_received(FRAME * 100)
                assert len(listener.data) == 1

    asyncio.run(main())


def test_the_line_is_raw_and_a_break_flushes_nothing(stable: Path) -> None:
    async def main() -> None:
        listener = Listener()
        with Cable(stable) as cable:
            odd = termios.tcgetattr(cable.master)
            odd[0] |= termios.BRKINT | termios.IGNPAR | termios.ICRNL | termios.IXON | termios.ISTRIP
            odd[2] |= termios.HUPCL
            odd[3] |= termios.ICANON | termios.ECHO | termios.ISIG
            termios.tcsetattr(cable.master, termios.TCSANOW, odd)
            async with listening(stable, listener):
                await listener.until_links("up")
                iflag, oflag, cflag, lflag, ispeed, _, chars = termios.tcgetattr(cable.master)
                assert (iflag, oflag, lflag) == (0, 0, 0)
                assert not cflag & (termios.HUPCL | termios.CRTSCTS)
                assert cflag & termios.CREAD
                assert (chars[termios.VMIN], chars[termios.VTIME], ispeed) == (1, 0, termios.B9600)
                cable.send(b"\x11\x13\x03\x1a\r\n\x00\xff\x80")
                await listener.until_received(b"\x11\x13\x03\x1a\r\n\x00\xff\x80")
                with pytest.raises(BlockingIOError):
                    os.read(cable.master, 1)  # nothing is echoed

    asyncio.run(main())


def test_with_parity_a_damaged_byte_is_marked(stable: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A pseudo-terminal has no parity; all that can be seen on it is what is asked for.
    asked: list[list[Any]] = []
    monkeypatch.setattr(termios, "tcsetattr", lambda _, __, flags: asked.append(flags))
    with Cable(stable) as cable, pytest.raises(OSError, match="does not take our settings"):
        serialport._set_flags(cable.master, Line(str(stable), 9600, bits=7, parity="odd", stop=2))
    ((iflag, _, cflag, *_),) = asked
    assert iflag == termios.INPCK
    form = termios.CS7 | termios.PARENB | termios.PARODD | termios.CSTOPB
    assert cflag & (termios.CSIZE | form) == form


def test_a_hang_up_is_told_once_and_the_port_comes_back_under_another_node(stable: Path) -> None:
    async def main() -> None:
        listener = Listener()
        with Cable(stable) as cable:
            async with listening(stable, listener) as port:
                await listener.until_links("up")
                node = cable.node
                cable.send(FRAME)
                await listener.until_received(FRAME)
                held = os.open(node, os.O_RDWR | os.O_NOCTTY)  # so that the next one has another number
                cable.unplug()
                await listener.until_links("up", "down")
                assert listener.links[1][1] == f"hangup: {stable} went away"
                cable.plug()
                assert cable.node != node
                await listener.until_links("up", "down", "up")
                assert listener.links[2][1] == f"moved: {stable} was {node}, now it is {cable.node}"
                assert port.state == "up"
                os.close(held)
                cable.send(FRAME)
                await listener.until_received(FRAME * 2)

    asyncio.run(main())


def test_bytes_of_half_a_frame_survive_the_unplugging(stable: Path) -> None:
    async def main() -> None:
        listener = Listener()
        with Cable(stable) as cable:
            async with listening(stable, listener):
                await listener.until_links("up")
                cable.send(FRAME[:9])
                await listener.until_received(FRAME[:9])
                cable.unplug()
                await listener.until_links("up", "down")
                assert listener.received == FRAME[:9]

    asyncio.run(main())


def test_bytes_that_wait_at_the_hang_up_come_before_its_news(
    stable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A real device's driver may still hold bytes when it goes; a pseudo-terminal drops them.
    async def main() -> None:
        listener = Listener()
        waiting: list[bytes | OSError] = [FRAME, FRAME[:5], OSError(errno.EIO, "Input/output error")]
        answers = iter(waiting)
        real = os.read

        def read(fd: int, size: int) -> bytes:
            if fd != port._fd:
                return real(fd, size)
            answer = next(answers)
            if isinstance(answer, OSError):
                raise answer
            return answer

        with Cable(stable) as cable:
            async with listening(stable, listener) as port:
                await listener.until_links("up")
                monkeypatch.setattr(os, "read", read)
                cable.send(b"x")
                await listener.until(lambda: len(listener.links) > 1)
                monkeypatch.undo()
                assert listener.data == [FRAME + FRAME[:5]]
                assert listener.links[1][0] == "down"

    asyncio.run(main())


def test_an_absent_device_is_told_and_waited_for(stable: Path) -> None:
    async def main() -> None:
        listener = Listener()
        async with listening(stable, listener) as port:
            await listener.until_links("down")
            assert str(port.reason).startswith("absent: ")
            assert "plug the shoe in" in str(port.reason)
            with Cable(stable) as cable:
                await listener.until_links("down", "up")
                cable.send(FRAME)
                await listener.until_received(FRAME)

    asyncio.run(main())


def test_each_attempt_finds_the_last_one_closed_and_only_changes_are_told(
    stable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts: list[bool] = []
    real = serialport._open

    async def main() -> None:
        listener = Listener()

        def counting(line: Line) -> serialport.Opened:
            attempts.append(port._serial is None)
            return real(line)

        monkeypatch.setattr(serialport, "_open", counting)
        with Cable(stable) as cable:
            async with listening(stable, listener) as port:
                await listener.until_links("up")
                cable.unplug()
                await listener.until(lambda: len(attempts) > 3 or again(listener))
                assert [state for state, _ in listener.links] == ["up", "down"]
                cable.plug()
                await listener.until_links("up", "down", "up")
        assert all(attempts)

    asyncio.run(main())


def test_a_second_opener_is_refused_until_the_first_lets_go(stable: Path) -> None:
    async def main() -> None:
        first, second = Listener(), Listener()
        with Cable(stable) as cable:
            async with listening(stable, first):
                await first.until_links("up")
                async with listening(stable, second) as port:
                    await second.until_links("down")
                    assert str(port.reason).startswith(f"busy: {stable} is held by another program")
                    cable.send(FRAME)
                    await first.until_received(FRAME)
            async with listening(stable, second):
                await second.until_links("down", "up")
                assert second.received == b""

    asyncio.run(main())


def test_another_process_holding_the_port_is_busy(stable: Path) -> None:
    code = "import serial, sys; p = serial.Serial(sys.argv[1], exclusive=True); print(); sys.stdin.read()"
    with (
        Cable(stable),
        subprocess.Popen(
            [sys.executable, "-c", code, stable], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as child,
    ):
        assert child.stdout is not None
        assert child.stdout.readline() == b"\n"
        with pytest.raises(UnreachableError, match=r"^busy: "):
            serialport._open(Line(str(stable), 9600))
        child.kill()


def test_a_program_that_asks_for_no_lock_is_kept_out_too(stable: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("giving up root's rights needs them")
    code = """
import os, sys
os.setuid(65534)
try:
    os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
except OSError as error:
    print(error.errno)
"""
    with Cable(stable) as cable:
        Path(cable.node).chmod(0o666)
        port = serialport._open(Line(str(stable), 9600)).port
        said = subprocess.run([sys.executable, "-c", code, cable.node], capture_output=True, check=True)
        serialport._close(port)
    assert int(said.stdout) == errno.EBUSY


def test_what_is_no_terminal_says_so(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    before = open_files()
    for path, code in (
        (file, "no_terminal"),
        (Path("/dev/null"), "no_terminal"),
        (tmp_path / "none", "absent"),
    ):
        with pytest.raises(UnreachableError, match=f"^{code}: {path} "):
            serialport._open(Line(str(path), 9600))
    assert open_files() == before


def test_settings_that_the_device_refuses_are_named(stable: Path) -> None:
    before = open_files()
    with Cable(stable):
        with pytest.raises(UnreachableError, match=r"^settings: .* takes no 9600 baud, 7 bits, parity even"):
            serialport._open(Line(str(stable), 9600, bits=7, parity="even"))
        assert open_files() == before + 1


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.EACCES, "permission"),
        (errno.EPERM, "permission"),
        (errno.EBUSY, "busy"),
        (errno.ENXIO, "absent"),
    ],
)
def test_each_refusal_has_its_word(number: int, code: str) -> None:
    why = serialport._why(OSError(number, os.strerror(number)), Line("/dev/x", 9600))
    assert why.startswith(f"{code}: ")


def test_permission_in_earnest(stable: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("giving up root's rights needs them")
    code = """
import os, sys
from shoe_daemon.runtime import serialport
os.setuid(65534)
try:
    serialport._open(serialport.Line(sys.argv[1], 9600))
except serialport.UnreachableError as error:
    print(error)
"""
    with Cable(stable) as cable:
        Path(cable.node).chmod(0o600)
        said = subprocess.run(
            [sys.executable, "-c", code, cable.node], capture_output=True, text=True, check=True
        )
    assert said.stdout.splitlines()[-1].startswith("permission: ")


def test_flapping_leaks_no_descriptor(stable: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "FLAPPING_PAUSE_S", 0.05)

    async def main() -> None:
        listener = Listener()
        with Cable(stable) as cable:
            async with listening(stable, listener):
                await listener.until_links("up")
                before = open_files()
                for turn in range(1, 26):
                    cable.unplug()
                    await listener.until_count(2 * turn)
                    cable.plug()
                    await listener.until_count(2 * turn + 1)
                assert open_files() == before

    before = open_files()
    asyncio.run(main())
    assert open_files() == before


def test_a_hang_up_wakes_the_loop_once(stable: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = 0
    real = SerialPort._readable

    def counting(self: SerialPort) -> None:
        nonlocal reads
        reads += 1
        real(self)

    monkeypatch.setattr(SerialPort, "_readable", counting)

    async def main() -> None:
        listener = Listener()
        with Cable(stable) as cable:
            async with listening(stable, listener) as port:
                await listener.until_links("up")
                cable.unplug()
                await listener.until_links("up", "down")
                await listener.until(lambda: str(port.reason).startswith("absent") or again(listener))
        assert reads == 1

    asyncio.run(main())


def test_a_stop_while_the_device_opens_leaves_nothing_open(stable: Path) -> None:
    async def main() -> None:
        with Cable(stable):
            listener = Listener()
            port = SerialPort(Line(str(stable), 9600), listener.on_bytes, listener.on_link, listener.now)
            port.start()
            await asyncio.sleep(0)
            await port.stop()
            assert listener.links == []
            assert not port._reading

    before = open_files()
    asyncio.run(main())
    assert open_files() == before


def test_a_stop_while_the_opening_fails_tells_nothing(stable: Path) -> None:
    async def main() -> None:
        listener = Listener()
        port = SerialPort(Line(str(stable), 9600), listener.on_bytes, listener.on_link, listener.now)
        task = port.start()
        await asyncio.sleep(0)
        await port.stop()
        assert task.done()
        assert listener.links == []

    asyncio.run(main())


def test_nothing_is_told_after_the_stop(stable: Path) -> None:
    async def main() -> None:
        listener = Listener()
        with Cable(stable) as cable:
            async with listening(stable, listener):
                await listener.until_links("up")
                cable.send(FRAME)
            cable.unplug()
            await asyncio.sleep(0)
            assert listener.links == [("up", None)]

    asyncio.run(main())


def test_what_was_sent_before_the_opening_is_no_byte_of_ours(stable: Path) -> None:
    async def main() -> None:
        listener = Listener()
        with Cable(stable) as cable:
            held = os.open(cable.node, os.O_RDWR | os.O_NOCTTY)  # so that the line keeps what is sent
            cable.send(b"old" + FRAME)
            async with listening(stable, listener):
                await listener.until_links("up")
                cable.send(FRAME)
                await listener.until(lambda: listener.received.endswith(FRAME))
                assert listener.received == FRAME
            os.close(held)

    asyncio.run(main())


def test_descriptors_above_1024_are_read_too(stable: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 1200:
        pytest.skip("this user may not have 1200 descriptors")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1200), hard))

    async def main() -> None:
        listener = Listener()
        with ExitStack() as files, Cable(stable) as cable:
            null = os.open(os.devnull, os.O_RDONLY)
            files.callback(os.close, null)
            for _ in range(1024):
                files.callback(os.close, os.dup(null))
            async with listening(stable, listener) as port:
                await listener.until_links("up")
                assert port._fd >= 1024
                cable.send(FRAME)
                await listener.until_received(FRAME)
                cable.unplug()
                await listener.until_links("up", "down")

    try:
        asyncio.run(main())
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_an_opening_that_hangs_is_told_and_waited_for(stable: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers, real = threading.Event(), serialport._open

    def slow(line: Line) -> serialport.Opened:
        answers.wait()
        return real(line)

    monkeypatch.setattr(serialport, "OPENING_S", 0.01)
    monkeypatch.setattr(serialport, "_open", slow)

    async def main() -> None:
        listener = Listener()
        with Cable(stable) as cable:
            async with listening(stable, listener):
                await listener.until_links("down")
                assert str(listener.links[0][1]).startswith(f"hangs: {stable} neither opens nor fails")
                answers.set()
                await listener.until_links("down", "up")
                cable.send(FRAME)
                await listener.until_received(FRAME)

    asyncio.run(main())


def test_a_name_that_two_adapters_have_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = Tree(tmp_path.resolve())
    tree.adapter("ttyUSB0", "1-1.1", "10c4:ea60", "0001")
    monkeypatch.setattr(serialport, "this_host", tree.host)

    async def main() -> None:
        listener = Listener()
        async with listening(Path(f"{BY_ID}/usb-10c4_0001-if00"), listener) as way:

            async def until_reason(code: str) -> None:
                await listener.until(lambda: str(way.reason).startswith(code) or again(listener))

            # The tree's devices are none of this machine: one that may be opened is absent here.
            await until_reason("absent")
            tree.adapter("ttyUSB1", "1-1.2", "10c4:ea60", "0001")
            await until_reason("ambiguous")
            assert "/dev/ttyUSB0 and /dev/ttyUSB1" in str(way.reason)
            assert f"{BY_PATH}/1-1.1 or {BY_PATH}/1-1.2" in str(way.reason)
            tree.unplug("ttyUSB1")
            await until_reason("absent")

    asyncio.run(main())
