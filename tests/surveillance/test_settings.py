"""The configuration: every problem at once, each with its line and key."""

import subprocess
import sys
from pathlib import Path

import pytest

from shoe_daemon.clients.surveillance.settings import load
from shoe_daemon.schema import ConfigError

BROKEN = """\
[feed]
pub = "tcp://localhost:5572"
[outputs.archive]
kind = "sylog"
to = "relp://127.0.0.1:2514"
[outputs.siem]
kind = "syslog"
to = "tcp://10.0.0.9:65536"
format = "cev"
windows = 3
[outputs.nvr]
kind = "text"
to = "tcp-listen://0.0.0.0:10010"
preset = "hikvison"
[outputs.open]
kind = "text"
to = "tcp-listen://0.0.0.0:10010"
preset = "hikvision"
[outputs.marks]
kind = "text"
to = "udp://10.0.0.7:9000"
end = "END"
[outputs.none]
kind = "text"
to = "serial:///dev/ttyUSB0"
events = ["coup.*"]
[outputs."a b"]
kind = "zoneminder"
to = "tcp://[::1]:6802"
monitor = 0
[outputs.late]
kind = "frigate"
to = "http://frigate:5000"
camera = "bac-07"
events = ["coop.*"]
"""
SAID = (
    'FILE:2: feed.pub: "localhost" in "tcp://localhost:5572" is no IP address: write 127.0.0.1 or [::1]',
    (
        'FILE:4: outputs.archive.kind: wants one of "syslog", "text", "zoneminder", "frigate", "mqtt",'
        ' got "sylog"; did you mean "syslog"?'
    ),
    (
        'FILE:8: outputs.siem.to: wants "relp://host:port", "tcp://host:port" or "udp://host:port",'
        ' got "tcp://10.0.0.9:65536"'
    ),
    'FILE:9: outputs.siem.format: wants one of "cef", "rfc5424", got "cev"; did you mean "cef"?',
    "FILE:10: outputs.siem.windows: unknown key; did you mean outputs.siem.window?",
    'FILE:14: outputs.nvr.preset: there is no "hikvison": did you mean "hikvision"? there are PRESETS',
    "FILE:15: outputs.open.allow: name the addresses of the recorders that may connect",
    "FILE:22: outputs.marks.end: a mark needs a character that no line has: none of A-Z, 0-9, space, - : / .",
    "FILE:23: outputs.none.end: missing key: the mark after each event, or a preset",
    'FILE:27: outputs."a b": wants 1 to 32 of A-Z, a-z, 0-9, _ and -, got "a b"',
    'FILE:30: outputs."a b".monitor: wants a whole number from 1, got 0',
    'FILE:35: outputs.late.events: "coop.*" is no type of event on surveillance (docs/events.md)',
)
PRESETS = "ave-vsi, avigilon, genetec, hex-marks, hikvision, milesight, milestone, strings"


def run(file: Path, *more: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "shoe_daemon", "surveillance", "--config", str(file), *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_problem_is_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(BROKEN, encoding="utf-8")
    with pytest.raises(ConfigError) as found:
        load(file)
    said = "".join(f"{line}\n" for line in SAID).replace("FILE", str(file)).replace("PRESETS", PRESETS)
    assert f"{found.value}\n" == said
    for more in ((), ("--check",)):
        done = run(file, *more)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_no_output_and_no_file_are_problems(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    assert "cannot be read: No such file" in run(file).stderr
    file.write_text("[outputs]\n")
    done = run(file)
    assert (done.returncode, done.stderr) == (2, f"{file}: no output: write [outputs.NAME] with its kind\n")


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    two = '[outputs.NAME]\nkind = "text"\npreset = "milestone"\nto = "tcp-listen://127.0.0.1:10999"\n'
    file.write_text(two.replace("NAME", "one") + two.replace("NAME", "two"))
    assert run(file, "--check").stdout == f"{file}: well\n"
    done = run(file)
    assert (done.returncode, done.stderr) == (
        2,
        f"{file}: outputs.two.to: tcp-listen://127.0.0.1:10999: Address already in use\n",
    )


def test_an_extra_that_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoe_daemon.clients.surveillance.mqtt.find_spec", lambda _: None)
    file = tmp_path / "s.toml"
    file.write_text('[outputs.bus]\nkind = "mqtt"\nto = "mqtt://127.0.0.1:1883"\n')
    with pytest.raises(ConfigError, match=r"s\.toml:2: outputs\.bus\.kind: mqtt needs the extra mqtt"):
        load(file)


def test_the_example_is_well() -> None:
    example = Path(__file__).parents[2] / "config" / "surveillance.example.toml"
    done = run(example, "--check")
    assert (done.returncode, done.stderr) == (0, "")
