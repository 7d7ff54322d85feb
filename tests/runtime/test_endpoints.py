"""Addresses of the feed."""

import pytest

from shoe_daemon.runtime.endpoints import parse, router_of


@pytest.mark.parametrize(
    ("text", "loopback", "router"),
    [
        ("tcp://127.0.0.1:5570", True, "tcp://127.0.0.1:5571"),
        ("tcp://127.3.2.1:1", True, "tcp://127.3.2.1:2"),
        ("tcp://[::1]:5570", True, "tcp://[::1]:5571"),
        ("tcp://0.0.0.0:5570", False, "tcp://0.0.0.0:5571"),
        ("tcp://192.168.1.4:65534", False, "tcp://192.168.1.4:65535"),
        ("tcp://[::]:5570", False, "tcp://[::]:5571"),
    ],
)
def test_tcp(text: str, loopback: bool, router: str) -> None:  # noqa: FBT001 - a parameter of the table above
    endpoint = parse(text)
    assert (endpoint.text, endpoint.loopback) == (text, loopback)
    assert router_of(endpoint).text == router
    assert parse(router) == router_of(endpoint)


def test_ipc() -> None:
    endpoint = parse("ipc:///run/shoe-daemon/public")
    assert (endpoint.path, endpoint.loopback) == ("/run/shoe-daemon/public", True)
    with pytest.raises(ValueError, match="needs its ROUTER named"):
        router_of(endpoint)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no endpoint"),
        ("127.0.0.1:5570", "no endpoint"),
        ("udp://127.0.0.1:5570", "no endpoint"),
        ("inproc://x", "no endpoint"),
        ("TCP://127.0.0.1:5570", "no endpoint"),
        ("tcp://127.0.0.1", "lacks a port"),
        ("tcp://127.0.0.1:", "lacks a port"),
        ("tcp://127.0.0.1:0", "lacks a port"),
        ("tcp://127.0.0.1:65536", "lacks a port"),
        ("tcp://127.0.0.1:-1", "lacks a port"),
        ("tcp://127.0.0.1:*", "lacks a port"),
        ("tcp://127.0.0.1:5570 ", "lacks a port"),
        ("tcp://127.0.0.1:\u0665\u0665", "lacks a port"),
        ("tcp://127.0.0.1:" + "9" * 5000, "lacks a port"),
        ("tcp://*:5570", "is no IP address"),
        ("tcp://localhost:5570", "is no IP address"),
        ("tcp://eth0:5570", "is no IP address"),
        ("tcp://127.0.0.01:5570", "is no IP address"),
        ("tcp://::1:5570", "brackets"),
        ("tcp://[127.0.0.1]:5570", "brackets"),
        ("ipc://", "absolute path"),
        ("ipc://x", "absolute path"),
        ("ipc://@abstract", "absolute path"),
        ("ipc://*", "absolute path"),
        ("ipc:///" + "x" * 107, "at most 107 bytes"),
        ("ipc:///a\0b", "at most 107 bytes"),
    ],
)
def test_anything_else_says_what_is_wrong(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse(text)


def test_the_last_port_has_no_next() -> None:
    with pytest.raises(ValueError, match="no next port"):
        router_of(parse("tcp://127.0.0.1:65535"))
