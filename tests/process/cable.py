"""Two namespaces of the network with one cable between them, which may be pulled, or lose what is sent."""

import os
import shutil
import subprocess
from itertools import count
from typing import Final, Literal, Self

import pytest

NEAR, FAR = "192.0.2.1", "192.0.2.2"
"""Addresses that are kept for documents: nobody has them."""
Loss = Literal["pulled", "silent", "to the far end", "to the near end"]

_IP: Final = shutil.which("ip", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
_MAC: Final = {NEAR: "02:00:00:00:00:01", FAR: "02:00:00:00:00:02"}
_NOBODY: Final = "02:00:00:00:00:99"
_numbers = count()


class Cable:
    """Made when entered, removed when left; `near` and `far` are run in the namespace of that end."""

    def __init__(self) -> None:
        name = f"shoe-{os.getpid()}-{next(_numbers)}"
        self._spaces = {NEAR: f"{name}-near", FAR: f"{name}-far"}
        if _IP is None:
            pytest.skip("there is no program `ip`: no namespace of the network can be made")
        self._ip_program = _IP

    def __enter__(self) -> Self:
        try:
            self._make()
        except subprocess.CalledProcessError as failed:
            self.__exit__()
            pytest.skip(
                f"no namespaces of the network with a cable can be made here: {failed.stderr.strip()}"
            )
        return self

    def _make(self) -> None:
        for space in self._spaces.values():
            self._ip("netns", "add", space)
        near, far = self._spaces.values()
        self._ip("-n", near, "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", far)
        for address, space in self._spaces.items():
            self._ip("-n", space, "link", "set", "cable", "address", _MAC[address])
            self._ip("-n", space, "address", "add", f"{address}/24", "dev", "cable")
            self._ip("-n", space, "link", "set", "lo", "up")
        for space in self._spaces.values():
            self._ip("-n", space, "link", "set", "cable", "up")
        self.heal()

    def __exit__(self, *_: object) -> None:
        for space in self._spaces.values():
            subprocess.run([self._ip_program, "netns", "delete", space], capture_output=True, check=False)

    def inside(self, address: str) -> tuple[str, ...]:
        """What to put before a command that is to be run at one end."""
        return (self._ip_program, "netns", "exec", self._spaces[address])

    def lose(self, loss: Loss) -> None:
        """Lose from now on: nothing is told to either end, but where the cable is pulled."""
        if loss == "pulled":
            self._ip("-n", self._spaces[FAR], "link", "set", "cable", "down")
        if loss in {"silent", "to the far end"}:
            self._send_to(FAR, _NOBODY)
        if loss in {"silent", "to the near end"}:
            self._send_to(NEAR, _NOBODY)

    def heal(self) -> None:
        """Carry everything from now on."""
        self._ip("-n", self._spaces[FAR], "link", "set", "cable", "up")
        for address, mac in _MAC.items():
            self._send_to(address, mac)

    def _send_to(self, address: str, mac: str) -> None:
        """What is sent to `address` goes to whoever has that number, if anybody."""
        other = NEAR if address == FAR else FAR
        neighbour = ("neighbour", "replace", address, "lladdr", mac, "nud", "permanent", "dev", "cable")
        self._ip("-n", self._spaces[other], *neighbour)

    def _ip(self, *words: str) -> None:
        subprocess.run([self._ip_program, *words], capture_output=True, text=True, check=True)
