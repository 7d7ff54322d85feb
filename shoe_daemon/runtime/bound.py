"""Sockets bound where the configuration says, with what must be given back with them."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import zmq

from shoe_daemon.runtime.endpoints import DEAD_MS, PING_MS, Endpoint
from shoe_daemon.runtime.gate import Gate
from shoe_daemon.runtime.keys import DOORS
from shoe_daemon.runtime.lockfile import HeldError, LockFile
from shoe_daemon.schema import ConfigError, Problem
from shoe_daemon.table.inputs import Door

HIGH_WATER: Final = 1000
LINGER_MS: Final = 200
LARGEST_REQUEST: Final = 64 << 10
CONFIGURATION: Final = "configuration"
_AGAIN_S: Final = 0.01
_CLOSING_S: Final = 5.0


class BindError(Exception):
    """An endpoint cannot be bound; the text says why."""


class Bound:
    """A socket and what must be given back with it."""

    def __init__(
        self,
        context: "zmq.Context[zmq.Socket[bytes]]",
        kind: int,
        endpoint: Endpoint,
        door: tuple[Gate, Door] | None = None,
    ) -> None:
        """Bind or raise BindError. ipc sockets get mode 0600 and a lock: ZeroMQ lets a second bind win.

        `door`: the gate that asks for keys here, and as which door; on tcp alone.
        """
        self._endpoint = endpoint
        self._lock = _lock(endpoint)
        self.socket = context.socket(kind)
        self._gate = door[0] if door is not None and endpoint.scheme == "tcp" else None
        _set_up(self.socket, kind, endpoint)
        if self._gate is not None and door is not None:
            self._gate.guard(self.socket, door[1])
        mask = os.umask(0o177)
        try:
            self.socket.bind(endpoint.text)
        except zmq.ZMQError as failed:
            self.close()
            raise BindError(f"{endpoint.text}: {str(failed).partition(' (addr=')[0].lower()}") from failed
        finally:
            os.umask(mask)

    @property
    def asks(self) -> bool:
        """Whether clients have keys here."""
        return self._gate is not None

    def close(self) -> None:
        """Close; what is on its way out has `LINGER_MS`."""
        if self._gate is not None:
            self._gate.leave(self.socket)
        self.socket.close(LINGER_MS)
        if self._lock:
            Path(self._endpoint.path).unlink(missing_ok=True)
            self._lock.release()
            self._lock = None


def _lock(endpoint: Endpoint) -> LockFile | None:
    if endpoint.scheme != "ipc":
        return None
    try:
        return LockFile(Path(endpoint.path + ".lock"))
    except HeldError as held:
        raise BindError(f"{endpoint.text}: is {held}") from None
    except OSError as failed:
        raise BindError(f"{endpoint.text}: {failed.strerror}") from failed


def _set_up(socket: "zmq.Socket[bytes]", kind: int, endpoint: Endpoint) -> None:
    """Set options, all before the bind: later ones do not reach the connections."""
    options = {
        zmq.SNDHWM: HIGH_WATER,
        zmq.RCVHWM: HIGH_WATER,
        zmq.LINGER: LINGER_MS,
        zmq.MAXMSGSIZE: LARGEST_REQUEST,
        zmq.HEARTBEAT_IVL: PING_MS,
        zmq.HEARTBEAT_TIMEOUT: DEAD_MS,
        zmq.HEARTBEAT_TTL: DEAD_MS,
        zmq.TCP_KEEPALIVE: 1,
        zmq.TCP_KEEPALIVE_IDLE: 10,
        zmq.TCP_KEEPALIVE_INTVL: 5,
        zmq.TCP_KEEPALIVE_CNT: 3,
        zmq.IPV6: int(":" in endpoint.host),
    }
    if kind == zmq.ROUTER:
        options |= {zmq.ROUTER_MANDATORY: 1, zmq.ROUTER_HANDOVER: 1}
    for option, value in options.items():
        socket.setsockopt(option, value)


def bind_all(
    context: "zmq.Context[zmq.Socket[bytes]]",
    wanted: Mapping[str, tuple[int, Endpoint]],
    source: str = CONFIGURATION,
    gate: Gate | None = None,
) -> dict[str, Bound]:
    """Bind each (socket type, endpoint) by its key in the file `source`, or end `context`: ConfigError."""
    try:
        return _bind(context, wanted, source, gate)
    except ConfigError:
        if gate is not None:
            gate.close()
        context.destroy(0)
        raise


async def bind_again(
    context: "zmq.Context[zmq.Socket[bytes]]",
    wanted: Mapping[str, tuple[int, Endpoint]],
    source: str,
    gate: Gate | None,
) -> dict[str, Bound]:
    """As `bind_all`, for sockets closed just now: ZeroMQ closes them in its own time. Raises ConfigError."""
    end = asyncio.get_running_loop().time() + _CLOSING_S
    while True:
        try:
            return _bind(context, wanted, source, gate)
        except ConfigError:
            if asyncio.get_running_loop().time() > end:
                raise
        await asyncio.sleep(_AGAIN_S)


def _bind(
    context: "zmq.Context[zmq.Socket[bytes]]",
    wanted: Mapping[str, tuple[int, Endpoint]],
    source: str,
    gate: Gate | None,
) -> dict[str, Bound]:
    bound: dict[str, Bound] = {}
    problems: list[Problem] = []
    for key, (kind, endpoint) in wanted.items():
        try:
            bound[key] = Bound(context, kind, endpoint, None if gate is None else (gate, _door(key)))
        except BindError as failed:
            problems.append(Problem(source, None, key, f"cannot bind {failed}"))
    if problems:
        for socket in bound.values():
            socket.close()
        raise ConfigError(problems)
    return bound


def _door(key: str) -> Door:
    """The door of an endpoint, by its key in the configuration."""
    name = key.removeprefix("feed.").removesuffix("_replay")
    return next(door for door in DOORS if door == name)
