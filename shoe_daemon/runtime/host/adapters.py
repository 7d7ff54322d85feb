"""Serial adapters on USB: their names, whether two share one, how long they hold bytes back."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from shoe_daemon.runtime.host.finding import Finding, Host

_BY_ID: Final = "/dev/serial/by-id"
_BY_PATH: Final = "/dev/serial/by-path"
_UNSTABLE: Final = re.compile(r"(?:/dev/)?tty(?:USB|ACM)\d+")
_NO_SERIAL: Final = re.compile(r"0*1?")
"""Serial numbers that makers leave as they come, the same in each piece; the empty one too."""
_LATENCY_MS: Final = 1
_RULE: Final = 'ACTION=="add", SUBSYSTEM=="usb-serial", DRIVER=="ftdi_sio", ATTR{latency_timer}="1"'


class _Adapter(msgspec.Struct, frozen=True):
    """A port on USB. `place`: the USB device's folder; `kind`: vendor and product; both "" where unknown."""

    node: str
    place: str
    kind: str
    serial: str


def port_name(host: Host) -> Iterator[Finding]:
    """Look at the name of the configured port: one that stays with its adapter."""
    port = host.port
    if port is None:
        yield Finding("port", "cannot tell", "no configuration was given", "give one with --config")
    elif "://" in port:
        yield Finding("port", "well", f"{port} is on the network: no adapter of this machine")
    elif _UNSTABLE.fullmatch(port):
        better = _links(host, host.leads_to(f"/dev/{port.removeprefix('/dev/')}"))
        name = " or ".join(better) or f"its name in {_BY_ID} or {_BY_PATH}"
        words = f"{port} may be another device after the next start or a loose plug"
        yield Finding("port", "wrong", words, f"in [shoe] set port to {name}")
    elif not host.at(port).exists():
        there = host.found(f"{_BY_ID}/*")
        names = f" (there is {', '.join(there)})" if there else ""
        advice = f"plug the shoe in, or correct port in [shoe]{names}"
        yield Finding("port", "cannot tell", f"{port} is not there", advice)
    else:
        node = host.leads_to(port)
        yield Finding("port", "well", port if node == port else f"{port} leads to {node}")


def adapter_names(host: Host) -> Iterator[Finding]:
    """Look for adapters that share a name, or have no serial number to be told apart by."""
    name = "adapter names"
    every = _adapters(host)
    if not every:
        yield Finding(name, "cannot tell", "no serial adapter on USB is plugged in")
        return
    if host.port is not None and not host.port.startswith(f"{_BY_ID}/"):
        yield Finding(name, "well", "the port is not named by a serial number")
        return
    wanted = [one for one in every if host.port is None or one.node == host.leads_to(host.port)]
    wrong = list(_ambiguous(host, wanted or every, every))
    yield from wrong
    if not wrong:
        nodes = ", ".join(one.node for one in wanted or every)
        yield Finding(name, "well", f"{nodes}: a serial number that no other adapter here has")


def shared_name(host: Host, port: str) -> str | None:
    """Say why `port`, a name of /dev/serial/by-id, may be that of another adapter now; None where it cannot.

    udev gives a name that two adapters have to the one that came last.
    """
    if not port.startswith(f"{_BY_ID}/") or not host.at(port).exists():
        return None
    every = _adapters(host)
    mine = next((one for one in every if one.node == host.leads_to(port)), None)
    twins = [] if mine is None else _twins(mine, every)
    if mine is None or not twins:
        return None
    nodes = " and ".join(sorted(one.node for one in (mine, *twins)))
    sockets = _sockets(host, [mine, *twins])
    return (
        f"{port} is the name of {nodes} ({_identity(mine)}), and leads to whichever came last:"
        f" in [shoe] set port to the shoe's socket: {sockets}"
    )


def borrowed_name(host: Host, port: str) -> str | None:
    """Say why a second adapter would take the name `port` of /dev/serial/by-id; None where it would not."""
    if not port.startswith(f"{_BY_ID}/"):
        return None
    mine = next((one for one in _adapters(host) if one.node == host.leads_to(port)), None)
    if mine is None or not mine.kind or not _NO_SERIAL.fullmatch(mine.serial):
        return None
    return (
        f"{port} ({_identity(mine)}) has no number of its own: a second of its kind takes its name;"
        f" better the name of its socket: {_sockets(host, [mine])}"
    )


def _ambiguous(host: Host, wanted: list[_Adapter], every: list[_Adapter]) -> Iterator[Finding]:
    """What is wrong with the names of `wanted`, each group of namesakes told once."""
    told: set[str] = set()
    for one in wanted:
        if one.node in told:
            continue
        twins = [one, *_twins(one, every)]
        nodes = " and ".join(sorted(other.node for other in twins))
        told |= {other.node for other in every if one.kind and _named_alike(one, other)}
        if len(twins) > 1:
            words = f"{nodes} have one name ({_identity(one)}): it leads to whichever came last"
        elif one.kind and _NO_SERIAL.fullmatch(one.serial):
            words = (
                f"{nodes} ({_identity(one)}) has no number of its own: a second of its kind takes its name"
            )
        elif not any(link.startswith(_BY_ID) for link in _links(host, one.node)):
            words = f"{nodes} has no name in {_BY_ID}"
        else:
            continue
        advice = f"name the port by its socket and leave it there: {_sockets(host, twins)}"
        yield Finding("adapter names", "wrong", words, advice)


def _named_alike(one: _Adapter, other: _Adapter) -> bool:
    return (other.kind, other.serial) == (one.kind, one.serial)


def _twins(one: _Adapter, every: list[_Adapter]) -> list[_Adapter]:
    """Other adapters that have the name of `one`; not the further ports of the same adapter."""
    return [other for other in every if one.kind and _named_alike(one, other) and other.place != one.place]


def _sockets(host: Host, adapters: list[_Adapter]) -> str:
    """Names by the socket, where there are any."""
    links = [link for one in adapters for link in _links(host, one.node) if link.startswith(_BY_PATH)]
    return " or ".join(sorted(links)) or f"its name in {_BY_PATH}"


def _identity(one: _Adapter) -> str:
    return f"{one.kind}, serial number {one.serial or 'none'}"


def latency(host: Host) -> Iterator[Finding]:
    """Look at the time that FTDI adapters hold bytes back for, ms: the shoe's alone, where it is known."""
    timers = {
        Path(file).parent.name: file for file in host.found("/sys/bus/usb-serial/devices/*/latency_timer")
    }
    if host.port is not None:
        node = host.leads_to(host.port).removeprefix("/dev/")
        timers = {name: file for name, file in timers.items() if name == node}
    held = {name: told for name, file in timers.items() if (told := host.text(file) or "").isdecimal()}
    slow = {name: told for name, told in held.items() if int(told) > _LATENCY_MS}
    for name, told in slow.items():
        yield Finding(
            "latency timer",
            "wrong",
            f"{name} holds bytes back for up to {told} ms: times of cards are late by as much",
            f"write into /etc/udev/rules.d/99-shoe-latency.rules: {_RULE}, and plug the adapter in again",
        )
    if not held:
        yield Finding("latency timer", "cannot tell", "no adapter here has one: it is FTDI's alone")
    elif not slow:
        yield Finding("latency timer", "well", f"{', '.join(sorted(held))}: {_LATENCY_MS} ms")


def _adapters(host: Host) -> list[_Adapter]:
    return [
        _adapter(host, Path(one).name)
        for one in host.found("/sys/class/tty/ttyUSB*", "/sys/class/tty/ttyACM*")
    ]


def _adapter(host: Host, name: str) -> _Adapter:
    """What the kernel knows of the USB device behind the port `name`."""
    place = Path(host.leads_to(f"/sys/class/tty/{name}/device"))
    usb = next((one for one in (place, *place.parents) if host.at(one / "idVendor").exists()), None)
    if usb is None:
        return _Adapter(f"/dev/{name}", "", "", "")
    vendor, product, serial = (host.text(usb / file) or "" for file in ("idVendor", "idProduct", "serial"))
    return _Adapter(f"/dev/{name}", str(usb), f"{vendor}:{product}", serial)


def _links(host: Host, node: str) -> list[str]:
    """Stable names that lead to `node` now."""
    links = host.found(f"{_BY_ID}/*", f"{_BY_PATH}/*")
    return [link for link in links if host.leads_to(link) == node]
