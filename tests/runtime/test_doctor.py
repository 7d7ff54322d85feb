"""What `doctor` finds: each check in each of its states on a machine of files, and once on this one."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from shoe_daemon.runtime.doctor import CHECKS, examine, well
from shoe_daemon.runtime.host import adapters, finding, holders, power, programs, storage
from shoe_daemon.runtime.host.finding import Finding, Host, Space, State, this_host
from shoe_daemon.runtime.lockfile import LockFile
from tests.runtime.machines import BY_ID, BY_PATH, GIB, KEYS_BY_ID, KEYS_BY_PATH, STRANGER, Tree

JOURNAL = Path("/var/lib/shoe-daemon/T.db")
THROTTLED = "/sys/devices/platform/soc/soc:firmware/get_throttled"


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Make a machine that has nothing yet."""
    return Tree(tmp_path.resolve())


def states(check: Callable[[Host], Iterator[Finding]], host: Host) -> list[State]:
    """The states that `check` finds; each thing that is wrong says what to do."""
    found = list(check(host))
    assert found
    assert all(one.words for one in found)
    assert all(one.advice for one in found if one.state == "wrong")
    return [one.state for one in found]


def one(check: Callable[[Host], Iterator[Finding]], host: Host) -> Finding:
    states(check, host)
    (found,) = check(host)
    return found


def with_files(tree: Tree) -> Tree:
    tree.folder("/usr")
    tree.folder("/proc")
    return tree


def test_meddlers_cannot_be_told_on_a_machine_of_nothing(tree: Tree) -> None:
    assert states(programs.meddlers, tree.host()) == ["cannot tell", "cannot tell"]


def test_meddlers_that_are_not_here(tree: Tree) -> None:
    assert states(programs.meddlers, with_files(tree).host()) == ["well", "well"]


def test_meddlers_that_are_installed(tree: Tree) -> None:
    with_files(tree).write("/usr/sbin/ModemManager")
    tree.write("/usr/lib/udev/rules.d/85-brltty.rules")
    assert states(programs.meddlers, tree.host()) == ["wrong", "wrong"]


def test_meddlers_that_run(tree: Tree) -> None:
    with_files(tree).process(7, "/usr/sbin/ModemManager")
    found = list(programs.meddlers(tree.host()))
    assert [(each.check, each.state) for each in found] == [("ModemManager", "wrong"), ("brltty", "well")]
    assert "process 7" in found[0].words
    assert "apt purge modemmanager" in found[0].advice


def test_meddlers_that_are_masked_are_well_until_they_run_all_the_same(tree: Tree) -> None:
    with_files(tree).write("/usr/sbin/ModemManager")
    tree.write("/usr/bin/brltty")
    tree.mask("ModemManager.service")
    tree.mask("brltty.service")
    assert states(programs.meddlers, tree.host()) == ["well", "wrong"]
    tree.mask("brltty-udev.service")
    assert states(programs.meddlers, tree.host()) == ["well", "well"]
    tree.process(8, "brltty")
    assert states(programs.meddlers, tree.host()) == ["well", "wrong"]


@pytest.mark.parametrize(("rule", "state"), [("", "cannot tell"), ("# ", "wrong")])
def test_a_rule_may_hide_the_adapter_from_modemmanager(tree: Tree, rule: str, state: State) -> None:
    with_files(tree).write("/usr/sbin/ModemManager")
    tree.write("/etc/udev/rules.d/9.rules", f'{rule}SUBSYSTEM=="tty", ENV{{ID_MM_DEVICE_IGNORE}}="1"\n')
    assert states(programs.meddlers, tree.host())[0] == state


@pytest.mark.parametrize(
    ("told", "state"),
    [
        (None, "cannot tell"),
        ("console=tty1 root=/dev/mmcblk0p2", "well"),
        ("noconsole=ttyS0 quiet", "well"),
        ("console=ttyAMA0,115200 console=tty1", "wrong"),
        ("quiet console=ttyS0", "wrong"),
    ],
)
def test_console_of_the_kernel(tree: Tree, told: str | None, state: State) -> None:
    if told is not None:
        tree.write("/proc/cmdline", told)
    assert states(programs.console, tree.host()) == [state]


def test_console_that_the_command_line_does_not_name(tree: Tree) -> None:
    tree.write("/proc/cmdline", "quiet")
    tree.write("/sys/class/tty/console/active", "tty1 ttyAMA10\n")
    assert "ttyAMA10" in one(programs.console, tree.host()).words


def test_login_prompts(tree: Tree) -> None:
    tree.write("/proc/cmdline", "quiet")
    unit = "serial-getty@ttyS0.service"
    tree.write(f"/etc/systemd/system/getty.target.wants/{unit}")
    assert one(programs.console, tree.host()).words.startswith("a login prompt is on ttyS0")
    tree.mask(unit)
    assert states(programs.console, tree.host()) == ["well"]
    tree.process(9, "/sbin/agetty", "--noclear", "tty1", "linux")
    assert states(programs.console, tree.host()) == ["well"]
    tree.process(10, "/sbin/agetty", "-o", "-p -- \\u", "ttyAMA0", "vt220")
    assert "ttyAMA0" in one(programs.console, tree.host()).words


def test_a_console_elsewhere_does_not_hurt_the_shoe(tree: Tree) -> None:
    tree.write("/proc/cmdline", "console=ttyAMA0")
    tree.write("/dev/ttyAMA0")
    tree.link("/dev/serial0", "/dev/ttyAMA0")
    tree.adapter("ttyUSB0", "1-1")
    assert states(programs.console, tree.host(port="tcp://10.0.0.1:9")) == ["well"]
    assert states(programs.console, tree.host(port=f"{BY_PATH}/1-1")) == ["well"]
    assert states(programs.console, tree.host(port="/dev/serial0")) == ["wrong"]


def users(tree: Tree, members: str = "", group: int = 20) -> Tree:
    tree.write("/etc/passwd", f"root:x:0:0::/:/bin/sh\nann:x:{STRANGER}:50::/:/bin/sh\nshoe:x:900:900::/:/\n")
    tree.write("/etc/group", f"root:x:1:\ndialout:x:{group}:{members}\ninput:x:104:\nshoe:x:900:\n")
    return tree


def test_groups_of_the_user_who_asks(tree: Tree) -> None:
    assert states(holders.groups, tree.host()) == ["cannot tell"]
    users(tree)
    assert one(holders.groups, tree.host()).advice.startswith("usermod -aG dialout ann")
    assert states(holders.groups, tree.host(groups=frozenset({20}))) == ["well"]
    assert states(holders.groups, tree.host(user=0)) == ["cannot tell"]
    assert "log out" in one(holders.groups, users(tree, "bob,ann").host()).advice


def test_groups_of_a_keyboard_and_of_what_is_there(tree: Tree) -> None:
    users(tree, group=os.getgid()).write("/dev/shoe")
    keyboard = tree.host(port="/dev/input/by-id/scanner", groups=frozenset({os.getgid()}))
    assert one(holders.groups, keyboard).advice.startswith("usermod -aG input ann")
    assert states(holders.groups, tree.host(port="/dev/shoe", groups=frozenset({os.getgid()}))) == ["well"]
    assert states(holders.groups, tree.host(port="/dev/shoe", groups=frozenset({104}))) == ["wrong"]
    tree.write("/etc/group", f"dialout:x:20:\ntty:x:{os.getgid()}:\n")
    held = one(holders.groups, tree.host(port="/dev/shoe", groups=frozenset({20})))
    assert (held.state, 'KERNEL=="shoe"' in held.advice) == ("wrong", True)


@pytest.mark.parametrize(
    ("unit", "members", "state"),
    [
        ("User=shoe\n", "", "wrong"),
        ("User=shoe\n", "shoe", "well"),
        ("User=shoe\nSupplementaryGroups=video\nSupplementaryGroups=dialout\n", "", "well"),
        ("User=shoe\nSupplementaryGroups=dialout\nSupplementaryGroups=\n", "", "wrong"),
        ("User=shoe\n#SupplementaryGroups=dialout\n", "", "wrong"),
        ("User=shoe\nGroup=dialout\n", "", "well"),
        ("User=nobody-there\n", "", "wrong"),
        ("ExecStart=/bin/true\n", "shoe", "wrong"),
    ],
)
def test_groups_of_the_unit(tree: Tree, unit: str, members: str, state: State) -> None:
    users(tree, members).write("/usr/lib/systemd/system/shoe-daemon.service", f"[Service]\n{unit}")
    assert states(holders.groups, tree.host(user=0)) == [state]


def test_a_drop_in_has_the_last_word(tree: Tree) -> None:
    users(tree, "shoe").write("/etc/systemd/system/shoe-daemon.service", "[Service]\nUser=root\n")
    assert states(holders.groups, tree.host()) == ["wrong"]
    tree.write("/etc/systemd/system/shoe-daemon.service.d/user.conf", "[Service]\nUser=shoe\n")
    assert states(holders.groups, tree.host()) == ["well"]


def test_name_of_the_port(tree: Tree) -> None:
    assert states(adapters.port_name, tree.host()) == ["cannot tell"]
    assert states(adapters.port_name, tree.host(port="tcp://10.0.0.1:9")) == ["well"]
    tree.adapter("ttyUSB0", "1-1")
    link = f"{BY_ID}/usb-0403_A9X1-if00"
    for bare in ("/dev/ttyUSB0", "ttyUSB0"):
        found = one(adapters.port_name, tree.host(port=bare))
        assert (found.state, link in found.advice) == ("wrong", True)
    assert one(adapters.port_name, tree.host(port=link)).words == f"{link} leads to /dev/ttyUSB0"
    assert states(adapters.port_name, tree.host(port=f"{BY_PATH}/1-1")) == ["well"]
    gone = one(adapters.port_name, tree.host(port=f"{BY_ID}/usb-else"))
    assert (gone.state, link in gone.advice) == ("cannot tell", True)


def test_names_of_adapters_with_numbers_of_their_own(tree: Tree) -> None:
    assert states(adapters.adapter_names, tree.host()) == ["cannot tell"]
    tree.adapter("ttyUSB0", "1-1")
    tree.adapter("ttyUSB1", "1-2", serial="A9X2")
    assert states(adapters.adapter_names, tree.host()) == ["well"]


@pytest.mark.parametrize("serial", [None, "A9X1", "0001"])
def test_names_of_two_adapters_alike(tree: Tree, serial: str | None) -> None:
    tree.adapter("ttyUSB0", "1-1", serial=serial)
    tree.adapter("ttyUSB1", "1-2", serial=serial)
    found = one(adapters.adapter_names, tree.host())
    assert "/dev/ttyUSB0 and /dev/ttyUSB1 have one name" in found.words
    assert f"{BY_PATH}/1-1 or {BY_PATH}/1-2" in found.advice
    (link,) = sorted((tree.root / BY_ID.lstrip("/")).iterdir())
    assert states(adapters.adapter_names, tree.host(port=f"{BY_ID}/{link.name}")) == ["wrong"]
    assert states(adapters.adapter_names, tree.host(port=f"{BY_PATH}/1-2")) == ["well"]


@pytest.mark.parametrize("serial", [None, "0001", "0", "1"])
def test_names_without_a_number(tree: Tree, serial: str | None) -> None:
    tree.adapter("ttyUSB0", "1-1", kind="1a86:7523", serial=serial)
    tree.adapter("ttyUSB1", "1-2")
    assert "1a86:7523" in one(adapters.adapter_names, tree.host()).words
    other = f"{BY_ID}/usb-0403_A9X1-if00"
    assert states(adapters.adapter_names, tree.host(port=other)) == ["well"]


def test_one_adapter_with_two_ports_is_no_twin(tree: Tree) -> None:
    tree.adapter("ttyUSB0", "1-1")
    tree.folder("/sys/devices/usb1/1-1/1-1:1.1/ttyUSB1")
    tree.link("/sys/class/tty/ttyUSB1/device", "/sys/devices/usb1/1-1/1-1:1.1/ttyUSB1")
    tree.write("/dev/ttyUSB1")
    tree.link(f"{BY_ID}/usb-0403_A9X1-if01", "/dev/ttyUSB1")
    assert states(adapters.adapter_names, tree.host()) == ["well"]


def test_an_adapter_that_udev_gave_no_name(tree: Tree) -> None:
    tree.adapter("ttyUSB0", "1-1")
    (tree.root / f"{BY_ID}/usb-0403_A9X1-if00".lstrip("/")).unlink()
    assert "has no name in" in one(adapters.adapter_names, tree.host()).words


def test_name_of_a_keyboard(tree: Tree) -> None:
    tree.keyboard("event3", "1-1", serial="S1")
    tree.link(f"{KEYS_BY_ID}/usb-mouse-event-mouse", "/dev/input/event4")
    link = f"{KEYS_BY_ID}/usb-0c2e_S1-event-kbd"
    for bare in ("/dev/input/event3", "event3"):
        found = one(adapters.port_name, tree.host(port=bare))
        assert found.state == "wrong"
        assert f"{link} or {KEYS_BY_PATH}/usb-1-1-event-kbd" in found.advice
    assert one(adapters.port_name, tree.host(port=link)).words == f"{link} leads to /dev/input/event3"
    gone = one(adapters.port_name, tree.host(port=f"{KEYS_BY_ID}/usb-else-event-kbd"))
    assert (gone.state, f"(there is {link})" in gone.advice) == ("cannot tell", True)


def test_names_of_keyboards(tree: Tree) -> None:
    by_id = f"{KEYS_BY_ID}/usb-0c2e_0b61-event-kbd"
    tree.adapter("ttyUSB0", "1-9", serial=None)  # what serial adapters are called is nothing to a keyboard
    tree.write("/sys/class/input/event0/uevent")  # a power button, which has no link of that name
    assert "no keyboard" in one(adapters.adapter_names, tree.host(port=by_id)).words
    tree.keyboard("event1", "1-8", kind="046d:c31c")
    assert states(adapters.adapter_names, tree.host(port=by_id)) == ["cannot tell"]
    tree.keyboard("event3", "1-1")
    alone = one(adapters.adapter_names, tree.host(port=by_id))
    assert (alone.state, "has no number of its own" in alone.words) == ("wrong", True)
    assert f"{KEYS_BY_PATH}/usb-1-1-event-kbd" in alone.advice
    tree.keyboard("event5", "1-2")
    tree.folder("/sys/devices/usb1/1-2/1-2:1.1/input/input6")  # it is a mouse as well
    tree.link("/sys/class/input/event6/device", "/sys/devices/usb1/1-2/1-2:1.1/input/input6")
    twins = one(adapters.adapter_names, tree.host(port=by_id))
    assert "/dev/input/event3 and /dev/input/event5 have one name" in twins.words
    assert states(adapters.adapter_names, tree.host(port=f"{KEYS_BY_PATH}/usb-1-1-event-kbd")) == ["well"]
    tree.keyboard("event7", "1-3", serial="S1")
    own = f"{KEYS_BY_ID}/usb-0c2e_S1-event-kbd"
    assert one(adapters.adapter_names, tree.host(port=own)).words.startswith("/dev/input/event7: a serial")


def test_holder_of_a_keyboard(tree: Tree) -> None:
    """Many may have one open: they do the daemon no harm once it has grabbed it."""
    tree.keyboard("event3", "1-1", serial="S1")
    tree.folder("/proc")
    port = f"{KEYS_BY_ID}/usb-0c2e_S1-event-kbd"
    assert one(holders.port_holder, tree.host(port=port)).words == "nobody holds /dev/input/event3"
    tree.process(7, "/usr/lib/systemd/systemd-logind", opened="/dev/input/event3")
    found = one(holders.port_holder, tree.host(port=port))
    assert (found.state, "process 7 (systemd-logind)" in found.words) == ("cannot tell", True)
    tree.process(4, "python3", "-m", "shoe_daemon", "run", opened="/dev/input/event3")
    found = one(holders.port_holder, tree.host(port=port))
    assert (found.state, "process 4 (python3)" in found.words) == ("well", True)


def test_a_keyboard_of_the_group_root(tree: Tree) -> None:
    tree.keyboard("event3", "1-1", serial="S1")
    tree.write("/etc/passwd", f"ann:x:{STRANGER}:50::/:/bin/sh\n")
    tree.write("/etc/group", f"root:x:{os.getgid()}:\ninput:x:104:\n")
    found = one(holders.groups, tree.host(port=f"{KEYS_BY_ID}/usb-0c2e_S1-event-kbd"))
    assert found.state == "wrong"
    assert 'SUBSYSTEM=="input", KERNEL=="event*", GROUP="input"' in found.advice


def test_latency_timer(tree: Tree) -> None:
    assert states(adapters.latency, tree.host()) == ["cannot tell"]
    tree.adapter("ttyUSB0", "1-1")
    tree.write("/sys/bus/usb-serial/devices/ttyUSB0/latency_timer", "16\n")
    found = one(adapters.latency, tree.host())
    assert (found.state, "16 ms" in found.words, "ftdi_sio" in found.advice) == ("wrong", True, True)
    assert states(adapters.latency, tree.host(port=f"{BY_PATH}/1-1")) == ["wrong"]
    assert states(adapters.latency, tree.host(port="/dev/ttyAMA0")) == ["cannot tell"]
    tree.write("/sys/bus/usb-serial/devices/ttyUSB1/latency_timer", "1\n")
    assert states(adapters.latency, tree.host()) == ["wrong"]
    tree.write("/sys/bus/usb-serial/devices/ttyUSB0/latency_timer", "1\n")
    assert states(adapters.latency, tree.host()) == ["well"]


def test_holder_of_the_port(tree: Tree) -> None:
    check = holders.port_holder
    port = f"{BY_PATH}/1-1"
    assert states(check, tree.host()) == ["cannot tell"]
    assert states(check, tree.host(port="tcp://10.0.0.1:9")) == ["well"]
    assert states(check, tree.host(port=port)) == ["cannot tell"]
    tree.adapter("ttyUSB0", "1-1")
    assert states(check, tree.host(port=port)) == ["cannot tell"]
    tree.folder("/proc")
    assert states(check, tree.host(port=port)) == ["well"]
    tree.process(4, "python3", "-m", "shoe_daemon", "run", opened="/dev/ttyUSB0")
    tree.process(5, "minicom", opened="/dev/ttyUSB1")
    assert one(check, tree.host(port=port)).state == "well"
    tree.process(6, "python3", "/usr/local/bin/shoe-daemon", "listen", opened="/dev/ttyUSB0")
    assert one(check, tree.host(port=port)).words.startswith("more than one")
    tree.process(7, "screen", "/dev/ttyUSB0", opened="/dev/ttyUSB0")
    assert one(check, tree.host(port=port)).words.startswith("process 7 (screen) reads /dev/ttyUSB0 beside")


def test_a_stranger_at_the_port(tree: Tree) -> None:
    tree.adapter("ttyUSB0", "1-1")
    tree.process(7, "cat", f"{JOURNAL}", opened="/dev/ttyUSB0")
    found = one(holders.port_holder, tree.host(port=f"{BY_PATH}/1-1", journal=JOURNAL))
    assert found.words == "process 7 (cat) holds /dev/ttyUSB0: the daemon cannot open it"


def test_holders_that_may_not_be_seen(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    tree.adapter("ttyUSB0", "1-1")
    tree.process(7, "cat")

    def refused(_: Path) -> Iterator[Path]:
        raise PermissionError

    monkeypatch.setattr(Path, "iterdir", refused)
    assert states(holders.port_holder, tree.host(port=f"{BY_PATH}/1-1")) == ["cannot tell"]


def test_lock_of_the_journal(tree: Tree) -> None:
    check, me = holders.lock, os.getpid()
    assert states(check, tree.host()) == ["cannot tell"]
    host = tree.host(journal=JOURNAL)
    assert states(check, host) == ["well"]
    tree.folder("/var/lib/shoe-daemon")
    with LockFile(host.at(f"{JOURNAL}.lock")):
        assert one(check, host).state == "cannot tell"
        tree.process(me, "python3", "-m", "shoe_daemon", "run")
        assert one(check, host).words == f"the daemon holds it: process {me} (python3)"
        tree.write(f"/proc/{me}/stat", f"{me} (python3 :)) T 1 1")
        assert (one(check, host).state, f"-CONT {me}" in one(check, host).advice) == ("wrong", True)
        tree.write(f"/proc/{me}/cmdline", f"flock\0{JOURNAL}.lock\0sh\0")
        assert "is no shoe-daemon" in one(check, host).words
    assert one(check, host) == Finding("journal's lock", "well", "nobody holds it")


def test_lock_that_may_not_be_read(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    tree.write(f"{JOURNAL}.lock")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert states(holders.lock, tree.host(journal=JOURNAL)) == ["cannot tell"]


def mounts(tree: Tree, kind: str, options: str = "rw", extra: str = "rw", at: str = "/var/lib") -> None:
    tree.write(
        "/proc/self/mountinfo",
        "22 1 179:2 / / rw,noatime shared:1 - ext4 /dev/root rw\n"
        f"31 22 0:9 / {at} {options} shared:3 - {kind} what {extra}\n",
    )


@pytest.mark.parametrize(
    ("kind", "options", "extra", "state"),
    [
        ("ext4", "rw", "rw", "well"),
        ("btrfs", "rw", "rw", "well"),
        ("ext4", "ro", "rw", "wrong"),
        ("ext4", "rw", "ro", "wrong"),
        ("tmpfs", "rw", "rw", "wrong"),
        ("ramfs", "rw", "rw", "wrong"),
        ("nfs4", "rw", "rw", "wrong"),
        ("cifs", "rw", "rw", "wrong"),
        ("fuse.sshfs", "rw", "rw", "wrong"),
        ("vfat", "rw", "rw", "wrong"),
        ("overlay", "rw", "rw,upperdir=/away/upper", "cannot tell"),
        ("overlay", "rw", "rw,upperdir=/var/lib/x", "cannot tell"),
    ],
)
def test_kind_of_disk(tree: Tree, kind: str, options: str, extra: str, state: State) -> None:
    tree.folder("/var/lib/shoe-daemon")
    mounts(tree, kind, options, extra)
    assert states(storage.disk, tree.host(journal=JOURNAL)) == [state]


def test_disk_that_is_not_known(tree: Tree) -> None:
    assert states(storage.disk, tree.host()) == ["cannot tell"]
    tree.folder("/var/lib/shoe-daemon")
    assert states(storage.disk, tree.host(journal=JOURNAL)) == ["cannot tell"]
    mounts(tree, "ext4", at="/var/lib")
    (tree.root / "var/lib/shoe-daemon").rmdir()
    assert states(storage.disk, tree.host(journal=JOURNAL)) == ["cannot tell"]


def test_an_overlay_over_memory(tree: Tree) -> None:
    tree.folder("/var/lib/shoe-daemon")
    tree.write(
        "/proc/self/mountinfo",
        "20 1 0:20 / /media/root-rw rw - tmpfs tmpfs rw\n"
        "22 1 0:21 / / rw - overlay overlay rw,upperdir=/media/root-rw/overlay\n",
    )
    assert "over memory" in one(storage.disk, tree.host(journal=JOURNAL)).words


def test_the_last_mount_at_a_place_and_the_deepest_counts(tree: Tree) -> None:
    tree.folder("/var/lib/shoe daemon")
    mounts(tree, "tmpfs", at="/var/lib/shoe\\040daemon")
    spaced = tree.host(journal=Path("/var/lib/shoe daemon/T.db"))
    assert states(storage.disk, spaced) == ["wrong"]
    file = tree.root / "proc/self/mountinfo"
    over = "40 31 8:1 / /var/lib/shoe\\040daemon rw - ext4 /dev/sda1 rw\n"
    file.write_text(file.read_text() + over + "41 22 0:9 / /var/lib rw - nfs x rw\n")
    assert states(storage.disk, spaced) == ["well"]


def test_a_journal_behind_a_link(tree: Tree) -> None:
    tree.folder("/mnt/usb")
    tree.folder("/var/lib/shoe-daemon")
    tree.link(str(JOURNAL), "/mnt/usb/T.db")
    mounts(tree, "vfat", at="/mnt/usb")
    assert one(storage.disk, tree.host(journal=JOURNAL)).words.startswith("/mnt/usb is on vfat")


@pytest.mark.parametrize(
    ("space", "state"),
    [
        (Space(GIB), "well"),
        (Space(GIB - 1), "wrong"),
        (Space(0), "wrong"),
        (Space(GIB, inodes=False), "wrong"),
    ],
)
def test_room(tree: Tree, space: Space, state: State) -> None:
    tree.folder("/var/lib/shoe-daemon")
    mounts(tree, "ext4")
    assert states(storage.disk, tree.host(journal=JOURNAL, space=lambda _: space)) == [state]


def test_room_that_is_not_told(tree: Tree) -> None:
    tree.folder("/var/lib/shoe-daemon")
    mounts(tree, "ext4")

    def refused(_: Path) -> Space:
        raise OSError(5, "Input/output error")

    assert states(storage.disk, tree.host(journal=JOURNAL, space=refused)) == ["cannot tell"]


@pytest.mark.parametrize(
    ("flags", "state", "words", "advice"),
    [
        ("0", "well", "neither", ""),
        ("1", "wrong", "now: the voltage", "power supply"),
        ("10000", "wrong", "earlier since the start: the voltage", "power supply"),
        ("50005", "wrong", "now: the voltage is too low, the processor is slowed", "power supply"),
        ("80008", "wrong", "now: it is hot", "cool"),
        ("60000", "wrong", "earlier since the start: the clock rate is capped, the processor", "cool"),
        ("1000000", "well", "neither", ""),
        ("what", "cannot tell", "", ""),
    ],
)
def test_throttling(tree: Tree, flags: str, state: State, words: str, advice: str) -> None:
    tree.write(THROTTLED, f"{flags}\n")
    from_file = one(power.throttling, tree.host())
    assert (from_file.state, words in from_file.words, advice in from_file.advice) == (state, True, True)
    (tree.root / THROTTLED.lstrip("/")).unlink()
    assert one(power.throttling, tree.host(answer=f"throttled=0x{flags}\n")) == from_file


@pytest.mark.parametrize("answer", [None, "", "VCHI initialization failed\n"])
def test_throttling_that_nothing_tells(tree: Tree, answer: str | None) -> None:
    assert states(power.throttling, tree.host(answer=answer)) == ["cannot tell"]


@pytest.mark.parametrize(
    ("kept", "once", "state"),
    [
        (True, False, "well"),
        (True, True, "well"),
        (None, True, "well"),
        (None, False, "cannot tell"),
        (False, False, "wrong"),
        (False, True, "wrong"),
    ],
)
def test_clock(tree: Tree, kept: bool | None, once: bool, state: State) -> None:  # noqa: FBT001 - of the table above
    if once:
        tree.write("/run/systemd/timesync/synchronized")
    assert states(power.clock, tree.host(kept=kept)) == [state]


def test_battery_clock(tree: Tree) -> None:
    assert states(power.battery_clock, tree.host()) == ["cannot tell"]
    tree.folder("/sys/class")
    assert states(power.battery_clock, tree.host()) == ["wrong"]
    tree.folder("/sys/class/rtc/rtc0")
    assert states(power.battery_clock, tree.host()) == ["cannot tell"]
    tree.write("/sys/class/rtc/rtc0/since_epoch", "86400\n")
    assert "lost its time" in one(power.battery_clock, tree.host()).words
    tree.write("/sys/class/rtc/rtc1/since_epoch", "1790000000\n")
    assert states(power.battery_clock, tree.host()) == ["well"]


def test_a_machine_of_nothing_has_nothing_wrong(tree: Tree) -> None:
    found = examine(tree.host(port="/dev/shoe", journal=JOURNAL))
    assert {each.state for each in found} == {"well", "cannot tell"}
    assert well(found)
    assert len({each.check for each in found}) == len(CHECKS) + 1
    assert not well([*found, Finding("x", "wrong", "y", "z")])


def test_a_program_that_is_missing_or_fails_is_no_answer() -> None:
    assert finding._ask("no-such-program-anywhere", "x") is None
    assert finding._ask("false", "x") is None
    assert finding._ask("echo", "throttled=0x0") == "throttled=0x0\n"


COMMAND = """
import sys, typer
from shoe_daemon.cli.doctor import doctor
app = typer.Typer()
app.command()(doctor)
app()
"""


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_this_machine(arguments: list[str]) -> None:
    found = examine(this_host())
    command = [sys.executable, "-c", COMMAND, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0 if well(found) else 1, "")
    if arguments:
        told = [json.loads(line) for line in done.stdout.splitlines()]
        assert [each["check"] for each in told] == [each.check for each in found]
    else:
        assert all(each.words in done.stdout for each in found if each.check != "journal's disk")


def test_a_configuration_that_is_wrong_is_usage(tmp_path: Path) -> None:
    command = [sys.executable, "-c", COMMAND, "--config", str(tmp_path / "absent.toml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
