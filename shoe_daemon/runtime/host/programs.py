"""Programs that reach for a serial port: ModemManager, brltty, a console, a login prompt."""

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from shoe_daemon.runtime.host.finding import Finding, Host


class _Meddler(msgspec.Struct, frozen=True):
    """A program that opens ports unasked. `does`: what that does; `units`: all that start it."""

    name: str
    process: str
    files: tuple[str, ...]
    units: tuple[str, ...]
    does: str


_MEDDLERS: Final = (
    _Meddler(
        name="ModemManager",
        process="ModemManager",
        files=("/usr/sbin/ModemManager", "/usr/lib/systemd/system/ModemManager.service"),
        units=("ModemManager.service",),
        does="sends AT commands to a new serial adapter and reads what answers",
    ),
    _Meddler(
        name="brltty",
        process="brltty",
        files=("/usr/bin/brltty", "/usr/sbin/brltty", "/usr/lib/udev/rules.d/*brltty*.rules"),
        units=("brltty.service", "brltty-udev.service"),
        does="takes CH340 and CP210x adapters for a Braille display, and their port goes",
    ),
)
_IGNORE: Final = "ID_MM_DEVICE_IGNORE"
_SERIAL: Final = re.compile(r"tty[A-Za-z]+\d+|serial\d+")
"""Names of serial lines; tty1 is a screen."""


def meddlers(host: Host) -> Iterator[Finding]:
    """Look for programs that open every new serial port."""
    if not host.at("/usr").is_dir() or not host.at("/proc").is_dir():
        yield from (Finding(one.name, "cannot tell", "there is no /usr or no /proc") for one in _MEDDLERS)
        return
    yield from (_meddler(host, one) for one in _MEDDLERS)


def _meddler(host: Host, one: _Meddler) -> Finding:
    purge = f"apt purge {one.name.lower()}, or systemctl mask --now {' '.join(one.units)}"
    running = [pid for pid, name in host.processes() if name == one.process]
    hidden = one.name == "ModemManager" and _told_to_ignore(host)
    if (running or host.found(*one.files)) and hidden:
        words = f"it is here, and a udev rule hides some adapters from it ({_IGNORE})"
        return Finding(
            one.name, "cannot tell", words, f"see that the rule names the shoe's adapter, or {purge}"
        )
    if running:
        return Finding(one.name, "wrong", f"it runs as process {running[0]}: it {one.does}", purge)
    if not host.found(*one.files):
        return Finding(one.name, "well", "not installed")
    if all(host.masked(unit) for unit in one.units):
        return Finding(one.name, "well", "installed, but masked")
    return Finding(one.name, "wrong", f"it is installed: once it runs, it {one.does}", purge)


def _told_to_ignore(host: Host) -> bool:
    rules = host.found("/etc/udev/rules.d/*.rules", "/run/udev/rules.d/*.rules")
    lines = [line for rule in rules for line in (host.text(rule) or "").splitlines()]
    return any(_IGNORE in line for line in lines if not line.lstrip().startswith("#"))


def console(host: Host) -> Iterator[Finding]:
    """Look for a console of the kernel or a login prompt on a serial line: the shoe's, where it is known."""
    told = host.text("/proc/cmdline")
    if told is None:
        yield Finding("console", "cannot tell", "there is no /proc/cmdline")
        return
    kernel = set(re.findall(r"(?<!\S)console=([^\s,]+)", told))
    kernel |= set((host.text("/sys/class/tty/console/active") or "").split())
    prompts = _prompts(host)
    taken = sorted(filter(_SERIAL.fullmatch, kernel | prompts))
    hurt = [line for line in taken if host.port is None or _same(host, line, host.port)]
    for line in hurt:
        what = "the kernel's console" if line in kernel else "a login prompt"
        yield Finding(
            "console",
            "wrong",
            f"{what} is on {line}: it writes to a shoe there, and takes some of its bytes",
            f"take console={line} or console=serial0 out of /boot/firmware/cmdline.txt (raspi-config does),"
            f" systemctl mask --now serial-getty@{line}.service, and start the machine again",
        )
    if not hurt:
        elsewhere = f"none on the shoe's port; there is one on {', '.join(taken)}"
        yield Finding("console", "well", elsewhere if taken else "none on a serial line")


def _prompts(host: Host) -> set[str]:
    """Lines where a login prompt is set up, and not masked, or runs."""
    units = host.found(
        "/etc/systemd/system/*.wants/serial-getty@*.service",
        "/run/systemd/generator/*.wants/serial-getty@*.service",
    )
    lines = {unit.rpartition("@")[2].removesuffix(".service") for unit in units}
    wanted = {line for line in lines if not host.masked(f"serial-getty@{line}.service")}
    for pid, name in host.processes():
        if name in {"agetty", "getty"}:
            words = re.split(r"[\0\s]+", host.text(f"/proc/{pid}/cmdline") or "")
            wanted |= {word.removeprefix("/dev/") for word in words}
    return {line for line in wanted if _SERIAL.fullmatch(line)}


def _same(host: Host, line: str, port: str) -> bool:
    return host.leads_to(f"/dev/{line}") == host.leads_to(port)
