"""The addresses of the feed and of control, as text in the configuration."""

import ipaddress
from typing import Final, Literal

import msgspec

PING_MS: Final = 1_000
"""So often each end of a connection asks whether the other is there."""
DEAD_MS: Final = 3_000
"""After so long without anything from the other end a connection is closed; a dead peer is known in 4 s."""
_PORTS: Final = 65535
_PATH_BYTES: Final = 107
"""Longest path of a Unix socket on Linux."""


class Endpoint(msgspec.Struct, frozen=True):
    """One address. `host` and `port` of tcp, `path` of ipc; `text` is what ZeroMQ takes."""

    text: str
    scheme: Literal["tcp", "ipc"]
    host: str = ""
    port: int = 0
    path: str = ""

    @property
    def loopback(self) -> bool:
        """Whether only programs on this machine reach it."""
        return self.scheme == "ipc" or ipaddress.ip_address(self.host).is_loopback


class Doors(msgspec.Struct, frozen=True):
    """Where one audience is served."""

    pub: Endpoint
    router: Endpoint


def parse(text: str) -> Endpoint:
    """Read `tcp://address:port` or `ipc:///path`. Raises ValueError that says what is wrong."""
    scheme, _, rest = text.partition("://")
    if scheme == "tcp":
        return _tcp(text, rest)
    if scheme == "ipc":
        return _ipc(text, rest)
    raise ValueError(
        f'"{text}" is no endpoint: write "tcp://127.0.0.1:5570" or "ipc:///run/shoe-daemon/public"'
    )


def router_of(pub: Endpoint) -> Endpoint:
    """Give the ROUTER's address where the configuration names none: the next port. Raises ValueError."""
    if pub.scheme == "ipc":
        raise ValueError("a PUB on ipc:// needs its ROUTER named beside it")
    if pub.port == _PORTS:
        raise ValueError(f"port {_PORTS} has no next port for the ROUTER: name one beside it")
    host = f"[{pub.host}]" if ":" in pub.host else pub.host
    return Endpoint(f"tcp://{host}:{pub.port + 1}", "tcp", pub.host, pub.port + 1)


def _tcp(text: str, rest: str) -> Endpoint:
    host, colon, port = rest.rpartition(":")
    if not colon or not (port.isascii() and port.isdecimal()) or not 1 <= int(port[:6]) <= _PORTS:
        raise ValueError(f'"{text}" lacks a port from 1 to {_PORTS} after its last colon')
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    try:
        address = ipaddress.ip_address(bare)
    except ValueError:
        raise ValueError(f'"{host}" in "{text}" is no IP address: write 127.0.0.1 or [::1]') from None
    if (address.version == 6) != (bare != host):  # noqa: PLR2004 - IPv6, which stands in brackets
        raise ValueError(f'"{text}": an IPv6 address stands in brackets, no other does')
    return Endpoint(f"tcp://{host}:{int(port)}", "tcp", str(address), int(port))


def _ipc(text: str, path: str) -> Endpoint:
    if not path.startswith("/"):
        raise ValueError(f'"{text}" needs an absolute path: ipc:///run/shoe-daemon/public')
    if len(path.encode()) > _PATH_BYTES or "\0" in path:
        raise ValueError(f'"{text}": the path of a socket has at most {_PATH_BYTES} bytes')
    return Endpoint(text, "ipc", path=path)
