"""How each device speaks: sans-IO decoders, shoe profiles, the virtual shoe."""

from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Protocol

from shoe_daemon.schema import ConfigError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from drivers.profile import ShoeProfile
    from shoe_daemon.table.inputs import DeviceInput

GROUP = "shoe_daemon.drivers"
"""Entry points of this group are callables that make a Decoder of a ShoeProfile."""


class Decoder(Protocol):
    """Turns the bytes of one device into inputs. Times are integer microseconds since 1970, never decreasing.

    The inputs depend on the bytes and their times alone, not on chunks, nor on when `tick` is called.
    """

    @property
    def pending(self) -> bool:
        """Whether bytes of an unfinished frame are held."""

    def due(self) -> int | None:
        """When `tick` must be called if nothing is fed before; None for never."""

    def opened(self, now: int) -> None:
        """Begin: the line came up at `now`."""

    def feed(self, data: bytes, now: int) -> "list[DeviceInput]":
        """Give the inputs of `data`, received at `now`, after those that fell due at or before it."""

    def tick(self, now: int) -> "list[DeviceInput]":
        """Give the inputs that fell due at or before `now`."""

    def reset(self, now: int) -> "list[DeviceInput]":
        """Give up what is unfinished: the line went down at `now`."""

    def clock_set(self, now: int) -> None:
        """The clock was set to `now`, while nothing was unfinished; times before say nothing any more."""

    def to_send(self) -> bytes:
        """Give what must be sent to the device now, once; what was read so far is on disk by then."""


def decoder_for(profile: "ShoeProfile") -> Decoder:
    """Make a decoder of the driver that `profile` names.

    Raises ConfigError where there is no such driver, or where it raises ValueError: it cannot do with this
    profile, `options` above all.
    """
    try:
        return driver_for(profile)(profile)
    except ValueError as error:
        raise _unusable(profile, "options", f"the driver {profile.meta.driver!r} says: {error}") from error


def driver_for(profile: "ShoeProfile") -> "Callable[[ShoeProfile], Decoder]":
    """Find the driver that `profile` names. Raises ConfigError, naming the installed ones."""
    name = profile.meta.driver
    found = entry_points(group=GROUP)
    if name not in found.names:
        installed = ", ".join(sorted(found.names)) or "none"
        raise _unusable(profile, "meta.driver", f"no driver {name!r}; installed: {installed}")
    try:
        driver: Callable[[ShoeProfile], Decoder] = found[name].load()
    except (ImportError, AttributeError) as error:
        raise _unusable(profile, "meta.driver", f"the driver {name!r} cannot be loaded: {error}") from error
    return driver


def _unusable(profile: "ShoeProfile", key: str, words: str) -> ConfigError:
    return ConfigError([Problem(f"profile {profile.id}", None, key, words)])
