"""What of a machine will hurt a shoe daemon, each with what to do. Nothing is changed, no port is opened."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from shoe_daemon.runtime.host.adapters import adapter_names, latency, port_name
from shoe_daemon.runtime.host.finding import Finding, Host
from shoe_daemon.runtime.host.holders import groups, lock, port_holder
from shoe_daemon.runtime.host.power import battery_clock, clock, throttling
from shoe_daemon.runtime.host.programs import console, meddlers
from shoe_daemon.runtime.host.storage import disk

CHECKS: Final[tuple[Callable[[Host], Iterator[Finding]], ...]] = (
    meddlers,
    console,
    groups,
    port_name,
    adapter_names,
    latency,
    port_holder,
    lock,
    disk,
    throttling,
    clock,
    battery_clock,
)
"""In the order of the telling; each finds at least one thing."""


def examine(host: Host) -> tuple[Finding, ...]:
    """All that every check finds."""
    return tuple(finding for check in CHECKS for finding in check(host))


def well(findings: Iterable[Finding]) -> bool:
    """Whether nothing is wrong; what cannot be told is not."""
    return all(finding.state != "wrong" for finding in findings)
