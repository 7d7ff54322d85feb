"""A configuration whose shoe is a scanner that types: its name, its profile, the package that reads it."""

import os
import stat
from pathlib import Path

import pytest

from shoe_daemon.runtime import checks, hidport
from shoe_daemon.runtime.config import Checked, check, load_config
from shoe_daemon.runtime.daemon import port_of
from shoe_daemon.runtime.hidport import HidPort
from shoe_daemon.runtime.serialport import SerialPort
from shoe_daemon.runtime.tcpport import TcpPort

NAME = "/dev/input/by-id/usb-scanner-event-kbd"
TABLE = """\
[table]
id = "x"
rules = "live"
procedure = "squeeze"
[shoe]
profile = "barcode4-hid"
port = "%s"
[journal]
path = "table.db"
"""


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the package evdev, whether it is here or not."""
    monkeypatch.setattr(hidport, "missing", lambda: None)


def checked(folder: Path, port: str, *, profile: str = "barcode4-hid", more: str = "") -> Checked:
    path = folder / "table.toml"
    text = (TABLE % port).replace("barcode4-hid", profile).replace("[journal]", f"{more}\n[journal]")
    path.write_text(text, encoding="utf-8")
    return check(path)


def told(found: Checked) -> list[str]:
    assert all((one.key, one.line) == ("shoe.port", 7) for one in found.problems)
    return [one.message for one in found.problems]


@pytest.mark.parametrize(
    "port", [NAME, "/dev/input/by-path/platform-usb-0:1:1.0-event-kbd", "tcp://10.0.0.3:4001"]
)
def test_stable_names_and_the_network_are_well(tmp_path: Path, port: str) -> None:
    assert told(checked(tmp_path, port)) == []


@pytest.mark.parametrize("port", ["/dev/input/event3", "event3"])
def test_a_bare_node_is_refused(tmp_path: Path, port: str) -> None:
    (words,) = told(checked(tmp_path, port))
    assert words == (
        f"{port} may be another device after the next start: use its name in /dev/input/by-id,"
        " or set allow_unstable = true"
    )


def test_the_stable_name_of_a_bare_node_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = tmp_path / "by-id" / "usb-scanner-event-kbd"
    link.parent.mkdir()
    link.symlink_to(tmp_path / "event3")
    monkeypatch.setattr(checks, "_INPUT", tmp_path)
    (words,) = told(checked(tmp_path, "event3"))
    assert f"({link})" in words


def test_a_bare_node_may_be_allowed_by_its_whole_path(tmp_path: Path) -> None:
    assert told(checked(tmp_path, "/dev/input/event3", more="allow_unstable = true")) == []
    (words,) = told(checked(tmp_path, "event3", more="allow_unstable = true"))
    assert words == '"event3" is no port: write /dev/input/event3'


def test_without_the_package_it_is_refused_and_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hidport, "missing", lambda: "No module named 'evdev'")
    (words,) = told(checked(tmp_path, NAME))
    assert words == (
        f"{NAME} is read with the package evdev, which is not here (No module named 'evdev'):"
        " pip install 'shoe-daemon[hid]'"
    )
    assert len(told(checked(tmp_path, "/dev/input/event3"))) == 2
    assert told(checked(tmp_path, "tcp://10.0.0.3:4001")) == []
    assert told(checked(tmp_path, "/dev/serial/by-id/usb-shoe", profile="barcode4-serial")) == []


def test_a_keyboard_wants_a_profile_of_one_and_the_other_way_round(tmp_path: Path) -> None:
    (words,) = told(checked(tmp_path, NAME, profile="barcode4-serial"))
    assert words == (
        f"{NAME} is a keyboard, the profile barcode4-serial is of a serial line:"
        ' use one with kind = "hid" in its [transport]'
    )
    for port in ("/dev/serial/by-id/usb-shoe", "/dev/ttyUSB0", "COM3", "/dev/hidraw0"):
        (words,) = told(checked(tmp_path, port))
        assert words == (
            f"the profile barcode4-hid is of a scanner that types as a keyboard, {port} is none:"
            " use its name in /dev/input/by-id, or tcp://host:port"
        )


def test_what_is_there_and_no_input_device_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidport, "FOLDER", f"{tmp_path}/")
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "device").symlink_to(os.devnull)
    for name, what in (("file", "a file"), ("folder", "a folder"), ("device", "a device")):
        assert told(checked(tmp_path, f"{tmp_path}/{name}")) == [f"{tmp_path}/{name} is {what}, no keyboard"]


def test_an_input_device_is_one_by_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    node = tmp_path / "event0"
    try:
        os.mknod(node, stat.S_IFCHR | 0o600, os.makedev(13, 64))
    except PermissionError:
        pytest.skip("making a device needs root's rights")
    monkeypatch.setattr(hidport, "FOLDER", f"{tmp_path}/")
    (tmp_path / "usb-scanner-event-kbd").symlink_to(node)
    assert told(checked(tmp_path, f"{tmp_path}/usb-scanner-event-kbd")) == []


@pytest.mark.parametrize(
    ("port", "profile", "kind"),
    [
        (NAME, "barcode4-hid", HidPort),
        ("tcp://10.0.0.3:4001", "barcode4-hid", TcpPort),
        ("/dev/serial/by-id/usb-shoe", "barcode4-serial", SerialPort),
    ],
)
def test_the_way_to_the_shoe_is_what_the_configuration_says(
    tmp_path: Path, port: str, profile: str, kind: type
) -> None:
    checked(tmp_path, port, profile=profile)
    config = load_config(tmp_path / "table.toml")
    made = port_of(config, lambda _data, _at: None, lambda *_: None, lambda: 0, lambda *_: None)
    assert type(made) is kind
