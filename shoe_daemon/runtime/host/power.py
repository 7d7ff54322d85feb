"""Power and heat of a Raspberry Pi, its clock and what keeps the time while it is off."""

from collections.abc import Iterator
from typing import Final

from shoe_daemon.runtime.host.finding import Finding, Host

_FILES: Final = (
    "/sys/devices/platform/soc/soc:firmware/get_throttled",
    "/sys/devices/platform/soc@*/soc@*:firmware/get_throttled",
)
_SINCE: Final = 16
"""A flag's place above that of what is so now: it was so at some time since the start."""
_VOLTAGE: Final = 0b0001
_HOT: Final = 0b1000
_FLAGS: Final = {
    _VOLTAGE: "the voltage is too low",
    0b0010: "the clock rate is capped",
    0b0100: "the processor is slowed",
    _HOT: "it is hot",
}
_POWER: Final = (
    "use the maker's power supply and a short cable, and a hub with its own supply for the adapters"
)
_HEAT: Final = "cool the machine: a heat sink or a fan, and air around the case"
_SYNCHRONISED: Final = "/run/systemd/timesync/synchronized"
_YEAR_2024: Final = 1_704_067_200
"""Seconds since 1970; a clock before this has lost its time."""


def throttling(host: Host) -> Iterator[Finding]:
    """Ask the firmware for low voltage and heat: low voltage makes USB adapters drop out."""
    flags = _flags(host)
    if flags is None:
        yield Finding(
            "power", "cannot tell", "neither a file of the firmware nor vcgencmd tells: no Raspberry Pi?"
        )
        return
    now = [words for flag, words in _FLAGS.items() if flags & flag]
    before = [words for flag, words in _FLAGS.items() if flags >> _SINCE & flag and not flags & flag]
    if not now and not before:
        yield Finding("power", "well", "neither low voltage nor heat since the start")
        return
    parts = (("now", now), ("earlier since the start", before))
    words = "; ".join(f"{when}: {', '.join(what)}" for when, what in parts if what)
    low = bool((flags | flags >> _SINCE) & _VOLTAGE)
    hot = bool((flags | flags >> _SINCE) & _HOT) or not low
    yield Finding("power", "wrong", words, "; ".join([_POWER] * low + [_HEAT] * hot))


def _flags(host: Host) -> int | None:
    """The flags as one number, bit 0 low voltage; None where nothing tells them."""
    told = next(filter(None, map(host.text, host.found(*_FILES))), None)
    if told is None:
        name, _, told = (host.ask("vcgencmd", "get_throttled") or "").strip().partition("=")
        if name != "throttled":
            return None
    try:
        return int(told, 16)
    except ValueError:
        return None


def clock(host: Host) -> Iterator[Finding]:
    """Look whether the clock is kept by a time server."""
    kept, once = host.kept(), host.at(_SYNCHRONISED).exists()
    advice = (
        "systemctl enable --now systemd-timesyncd (or chrony), and see that a time server answers"
        " (NTP= in /etc/systemd/timesyncd.conf, UDP port 123)"
    )
    if kept is None and not once:
        yield Finding("clock", "cannot tell", "the kernel does not say whether the clock is kept", advice)
    elif kept is False:
        was = "it was set since the start, but is kept no longer" if once else "it is not synchronised"
        yield Finding("clock", "wrong", f"{was}: the times of the account drift, or jump later", advice)
    else:
        yield Finding("clock", "well", "synchronised")


def battery_clock(host: Host) -> Iterator[Finding]:
    """Look for a clock that runs while the machine is off."""
    if not host.at("/sys/class").is_dir():
        yield Finding("battery clock", "cannot tell", "there is no /sys/class")
        return
    clocks = host.found("/sys/class/rtc/rtc*")
    told = [since for one in clocks if (since := host.text(f"{one}/since_epoch")) is not None]
    if not clocks:
        yield Finding(
            "battery clock",
            "wrong",
            "none: after a power cut the time is that of the last stop until a time server answers",
            "fit a clock module with a battery (as dtoverlay=i2c-rtc,ds3231 in /boot/firmware/config.txt)",
        )
    elif not any(since.isdecimal() for since in told):
        yield Finding("battery clock", "cannot tell", f"{clocks[0]} does not tell its time")
    elif all(int(since) < _YEAR_2024 for since in told if since.isdecimal()):
        yield Finding(
            "battery clock",
            "wrong",
            f"{clocks[0]} has lost its time",
            "fit its battery or a new one, then set it: hwclock --systohc",
        )
    else:
        yield Finding("battery clock", "well", f"{clocks[0]} has the time")
