"""Who may come in: CURVE on every socket that has a door, its key looked up for that door at each handshake.

A key is allowed in from its next try on. One that is revoked is refused from then on; `revoked` tells at
which doors one is inside still. Refusals are told in few words: who knocks a thousand times is one alarm.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import structlog
import zmq
from zmq.auth.asyncio import AsyncioAuthenticator
from zmq.utils.monitor import parse_monitor_message

from shoe_daemon.runtime.keys import DOORS, Entry, KeyPair, Keys
from shoe_daemon.table.inputs import Door

NO_KEY: Final = "no key"
"""Who spoke no CURVE, or not with this daemon's key."""
AGAIN_S: Final = 600.0
"""After so long the same one is told again."""
MOST: Final = 5
"""Alarms of one door within `AGAIN_S`; further strangers are counted in the log alone."""
_FAILED: Final = zmq.Event.HANDSHAKE_FAILED_PROTOCOL
"""Whose handshake only broke off may have lost its line; who spoke otherwise meant it."""
_HANDSHAKE_MS: Final = 5000
_log = structlog.get_logger("gate")

OnRefused = Callable[[Door, str], None]
"""A door, and the public key that was refused there or `NO_KEY`."""
Context = zmq.Context[zmq.Socket[bytes]]


def new_pair() -> KeyPair:
    """A pair of keys that nobody has had before."""
    public, secret = zmq.curve_keypair()
    return KeyPair(public.decode(), secret.decode())


class Refusals:
    """Which refusals are worth an alarm. Times in seconds, of a clock that is never set."""

    def __init__(self) -> None:
        self._told: dict[tuple[str, str], float] = {}

    def worth(self, door: str, who: str, now: float) -> bool:
        """Count a refusal; whether it is told."""
        self._told = {seen: at for seen, at in self._told.items() if now - at < AGAIN_S}
        here = sum(one == door for one, _ in self._told)
        if (door, who) in self._told or here >= MOST:
            return False
        self._told[door, who] = now
        return True


class _Watched(NamedTuple):
    socket: zmq.Socket[bytes]
    fd: int


class Gate:
    """The keys of one daemon at work, in the loop's thread. `on_refused` is told what is worth an alarm."""

    def __init__(self, keys: Keys, pair: KeyPair, on_refused: OnRefused) -> None:
        self._keys = keys
        self._pair = pair
        self._on_refused = on_refused
        self._refusals = Refusals()
        self._inside: dict[Door, set[str]] = {door: set() for door in DOORS}
        self._authenticators: list[AsyncioAuthenticator] = []
        self._monitors: dict[zmq.Socket[bytes], _Watched] = {}

    def open(self, context: Context) -> None:
        """Ask for the key of each connection to the sockets of `context`, in the running loop."""
        authenticator = AsyncioAuthenticator(context)
        for door in DOORS:
            authenticator.configure_curve_callback(domain=door, credentials_provider=self)
        authenticator.start()
        self._authenticators.append(authenticator)

    def close(self) -> None:
        """Ask no more; before the contexts end."""
        for authenticator in self._authenticators:
            authenticator.stop()
        self._authenticators.clear()
        for socket in list(self._monitors):
            self.leave(socket)

    def guard(self, socket: zmq.Socket[bytes], door: Door) -> None:
        """Put `door` in front of a socket that is not bound yet."""
        socket.curve_server = 1
        socket.curve_secretkey = self._pair.secret.encode()
        socket.zap_domain = door.encode()
        socket.handshake_ivl = _HANDSHAKE_MS
        monitor = socket.get_monitor_socket(_FAILED)
        fd = int(monitor.getsockopt(zmq.FD))
        self._monitors[socket] = _Watched(monitor, fd)
        loop = asyncio.get_running_loop()
        loop.add_reader(fd, self._failed, monitor, door)
        loop.call_soon(self._failed, monitor, door)  # the descriptor tells edges, and may have told one

    def leave(self, socket: zmq.Socket[bytes]) -> None:
        """Watch a socket no more; before it is closed."""
        watched = self._monitors.pop(socket, None)
        if watched is not None:
            asyncio.get_running_loop().remove_reader(watched.fd)
            socket.disable_monitor()
            watched.socket.close(0)

    def callback(self, domain: str, key: bytes) -> bool:
        """Whether `key` may come in at a door; the authenticator asks."""
        door = next(one for one in DOORS if one == domain)
        text = key.decode("ascii")
        if self.entry(door, text) is None:
            self._refused(door, f"key {text}")
            return False
        self._inside[door].add(text)
        return True

    def entry(self, door: Door, key: str) -> Entry | None:
        """What is said of `key` at `door` now."""
        return next((one for one in self._keys.entries(door, _wrong) if one.key == key), None)

    def revoked(self) -> list[Door]:
        """Doors at which a key came in that may not any more; each is told once."""
        doors: list[Door] = []
        for door, inside in self._inside.items():
            if not inside:
                continue
            allowed = {one.key for one in self._keys.entries(door, _wrong)}
            if not inside <= allowed:
                doors.append(door)
                inside.intersection_update(allowed)
        return doors

    def _failed(self, monitor: zmq.Socket[bytes], door: Door) -> None:
        while not monitor.closed:
            try:
                event: Any = parse_monitor_message(monitor.recv_multipart(zmq.NOBLOCK))
            except zmq.Again:
                return
            if event["event"] & _FAILED:
                self._refused(door, NO_KEY)

    def _refused(self, door: Door, who: str) -> None:
        if self._refusals.worth(door, who, asyncio.get_running_loop().time()):
            _log.warning("refused", door=door, who=who)
            self._on_refused(door, who)


def _wrong(words: str) -> None:
    _log.error("a key that cannot be read comes in nowhere", error=words)
