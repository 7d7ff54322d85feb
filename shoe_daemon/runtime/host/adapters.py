"""Serial adapters and keyboards on USB: their names, whether two share one, how long they hold bytes back."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from shoe_daemon.runtime.hidport import UNSTABLE, is_keyboard
from shoe_daemon.runtime.host.finding import Finding, Host

_NO_SERIAL: Final = re.compile(r"0*1?")
"""Serial numbers that makers leave as they come, the same in each piece; the empty one too."""
_LATENCY_MS: Final = 1
_RULE: Final = 'ACTION=="add", SUBSYSTEM=="usb-serial", DRIVER=="ftdi_sio", ATTR{latency_timer}="1"'


class _Kind(msgspec.Struct, frozen=True):
    """A kind of device: where udev names it, what a node is called, where the kernel lists it.

    `name`: how its links end, where other devices have links there too.
    """

    noun: str
    by_id: str
    by_path: str
    unstable: re.Pattern[str]
    nodes: str
    known: tuple[str, ...]
    name: str = ""


_SERIAL: Final = _Kind(
    noun="serial adapter",
    by_id="/dev/serial/by-id",
    by_path="/dev/serial/by-path",
    unstable=re.compile(r"(?:/dev/)?tty(?:USB|ACM)\d+"),
    nodes="/dev/",
    known=("/sys/class/tty/ttyUSB*", "/sys/class/tty/ttyACM*"),
)
_KEYBOARD: Final = _Kind(
    noun="keyboard",
    by_id="/dev/input/by-id",
    by_path="/dev/input/by-path",
    unstable=UNSTABLE,
    nodes="/dev/input/",
    known=("/sys/class/input/event*",),
    name="-event-kbd",
)


class _Adapter(msgspec.Struct, frozen=True):
    """A port on USB. `place`: the USB device's folder; `kind`: vendor and product; both "" where unknown."""

    node: str
    place: str
    kind: str
    serial: str


def port_name(host: Host) -> Iterator[Finding]:
    """Look at the name of the configured port: one that stays with its adapter."""
    port, kind = host.port, _kind(host)
    if port is None:
        yield Finding("port", "cannot tell", "no configuration was given", "give one with --config")
    elif "://" in port:
        yield Finding("port", "well", f"{port} is on the network: no adapter of this machine")
    elif kind.unstable.fullmatch(port):
        better = _links(host, host.leads_to(f"{kind.nodes}{port.removeprefix(kind.nodes)}"))
        name = " or ".join(better) or f"its name in {kind.by_id} or {kind.by_path}"
        words = f"{port} may be another device after the next start or a loose plug"
        yield Finding("port", "wrong", words, f"in [shoe] set port to {name}")
    elif not host.at(port).exists():
        there = host.found(f"{kind.by_id}/*{kind.name}")
        names = f" (there is {', '.join(there)})" if there else ""
        advice = f"plug the shoe in, or correct port in [shoe]{names}"
        yield Finding("port", "cannot tell", f"{port} is not there", advice)
    else:
        node = host.leads_to(port)
        yield Finding("port", "well", port if node == port else f"{port} leads to {node}")


def adapter_names(host: Host) -> Iterator[Finding]:
    """Look for adapters that share a name, or have no serial number to be told apart by."""
    name, kind = "adapter names", _kind(host)
    every = _adapters(host)
    if not every:
        yield Finding(name, "cannot tell", f"no {kind.noun} on USB is plugged in")
        return
    if host.port is not None and not host.port.startswith(f"{kind.by_id}/"):
        yield Finding(name, "well", "the port is not named by a serial number")
        return
    wanted = [one for one in every if host.port is None or one.node == host.leads_to(host.port)]
    if not wanted and kind is _KEYBOARD:
        yield Finding(name, "cannot tell", f"{host.port} is not there, and other keyboards are no shoes")
        return
    wrong = list(_ambiguous(host, wanted or every, every))
    yield from wrong
    if not wrong:
        nodes = ", ".join(one.node for one in wanted or every)
        yield Finding(name, "well", f"{nodes}: a serial number that no other adapter here has")


def shared_name(host: Host, port: str) -> str | None:
    """Say why `port`, a name of /dev/serial/by-id, may be that of another adapter now; None where it cannot.

    udev gives a name that two adapters have to the one that came last.
    """
    if not port.startswith(f"{_SERIAL.by_id}/") or not host.at(port).exists():
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
    if not port.startswith(f"{_SERIAL.by_id}/"):
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
    names = _kind(host)
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
        elif not any(link.startswith(names.by_id) for link in _links(host, one.node)):
            words = f"{nodes} has no name in {names.by_id}"
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
    by_path = _kind(host).by_path
    links = [link for one in adapters for link in _links(host, one.node) if link.startswith(by_path)]
    return " or ".join(sorted(links)) or f"its name in {by_path}"


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


def _kind(host: Host) -> _Kind:
    """What the port of the configuration is; without one, serial adapters are looked at."""
    return _KEYBOARD if host.port is not None and is_keyboard(host.port) else _SERIAL


def _adapters(host: Host) -> list[_Adapter]:
    kind = _kind(host)
    every = [_adapter(host, Path(one), kind) for one in host.found(*kind.known)]
    return [one for one in every if not kind.name or _links(host, one.node)]


def _adapter(host: Host, place: Path, kind: _Kind) -> _Adapter:
    """What the kernel knows of the USB device behind the node at `place` in /sys."""
    node, device = f"{kind.nodes}{place.name}", Path(host.leads_to(place / "device"))
    usb = next((one for one in (device, *device.parents) if host.at(one / "idVendor").exists()), None)
    if usb is None:
        return _Adapter(node, "", "", "")
    vendor, product, serial = (host.text(usb / file) or "" for file in ("idVendor", "idProduct", "serial"))
    return _Adapter(node, str(usb), f"{vendor}:{product}", serial)


def _links(host: Host, node: str) -> list[str]:
    """Stable names that lead to `node` now."""
    kind = _kind(host)
    links = host.found(f"{kind.by_id}/*{kind.name}", f"{kind.by_path}/*{kind.name}")
    return [link for link in links if host.leads_to(link) == node]
