"""A machine of files, for what looks at machines."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from shoe_daemon.runtime.host.finding import Host, Space

BY_ID = "/dev/serial/by-id"
BY_PATH = "/dev/serial/by-path"
KEYS_BY_ID = "/dev/input/by-id"
KEYS_BY_PATH = "/dev/input/by-path"
STRANGER = os.getuid() + 1000
"""A user who owns nothing in the tree."""
GIB = 1 << 30


class Tree:
    """The files of a machine, made as a test needs them."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, path: str, text: str = "") -> str:
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return path

    def folder(self, path: str) -> None:
        (self.root / path.lstrip("/")).mkdir(parents=True, exist_ok=True)

    def link(self, path: str, to: str) -> str:
        """Make a link: within the machine relative, as udev makes them."""
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.symlink_to(os.path.relpath(self.root / to.lstrip("/"), file.parent))
        return path

    def mask(self, unit: str) -> None:
        self.folder("/etc/systemd/system")
        (self.root / "etc/systemd/system" / unit).symlink_to(os.devnull)

    def process(self, pid: int, *words: str, opened: str | None = None, state: str = "S") -> None:
        name = words[0].rpartition("/")[2]
        self.write(f"/proc/{pid}/comm", f"{name}\n")
        self.write(f"/proc/{pid}/cmdline", "\0".join(words) + "\0")
        self.write(f"/proc/{pid}/stat", f"{pid} ({name}) {state} 1 1")
        self.folder(f"/proc/{pid}/fd")
        if opened is not None:
            (self.root / f"proc/{pid}/fd/5").symlink_to(opened)

    def _plug(self, socket: str, kind: str, serial: str | None) -> tuple[str, str, str]:
        """A USB device in `socket`; its folder, vendor and product."""
        usb = f"/sys/devices/usb1/{socket}"
        vendor, product = kind.split(":")
        self.write(f"{usb}/idVendor", f"{vendor}\n")
        self.write(f"{usb}/idProduct", f"{product}\n")
        if serial is not None:
            self.write(f"{usb}/serial", f"{serial}\n")
        return usb, vendor, product

    def adapter(self, node: str, socket: str, kind: str = "0403:6001", serial: str | None = "A9X1") -> None:
        """Plug an adapter in; its name in by-id as udev would make it, the last of one name having it."""
        usb, vendor, product = self._plug(socket, kind, serial)
        self.folder(f"{usb}/{socket}:1.0/{node}")
        self.link(f"/sys/class/tty/{node}/device", f"{usb}/{socket}:1.0/{node}")
        self.write(f"/dev/{node}")
        name = f"{BY_ID}/usb-{vendor}_{serial or product}-if00"
        (self.root / name.lstrip("/")).unlink(missing_ok=True)
        self.link(name, f"/dev/{node}")
        self.link(f"{BY_PATH}/{socket}", f"/dev/{node}")

    def keyboard(self, node: str, socket: str, kind: str = "0c2e:0b61", serial: str | None = None) -> None:
        """Plug a scanner in that types; named as udev would, without a number by its maker's names alone."""
        usb, vendor, product = self._plug(socket, kind, serial)
        self.folder(f"{usb}/{socket}:1.0/0003/input/input{node[5:]}")
        self.link(f"/sys/class/input/{node}/device", f"{usb}/{socket}:1.0/0003/input/input{node[5:]}")
        self.write(f"/dev/input/{node}")
        name = f"{KEYS_BY_ID}/usb-{vendor}_{serial or product}-event-kbd"
        (self.root / name.lstrip("/")).unlink(missing_ok=True)
        self.link(name, f"/dev/input/{node}")
        self.link(f"{KEYS_BY_PATH}/usb-{socket}-event-kbd", f"/dev/input/{node}")

    def host(  # noqa: PLR0913 - all that a machine is asked
        self,
        *,
        port: str | None = None,
        journal: Path | None = None,
        user: int = STRANGER,
        groups: frozenset[int] = frozenset(),
        answer: str | None = None,
        space: Callable[[Path], Space] = lambda _: Space(8 * GIB),
        kept: bool | None = None,
    ) -> Host:
        return Host(
            root=self.root,
            port=port,
            journal=journal,
            user=user,
            groups=groups,
            ask=lambda _program, _word: answer,
            space=space,
            kept=lambda: kept,
        )

    def unplug(self, node: str) -> None:
        """Pull an adapter; the name in by-id goes to another that has it."""
        place = (self.root / f"sys/class/tty/{node}/device").resolve()
        shutil.rmtree(place.parents[1])
        (self.root / f"sys/class/tty/{node}/device").unlink()
        (self.root / f"sys/class/tty/{node}").rmdir()
        (self.root / f"dev/{node}").unlink()
        left = sorted((self.root / "sys/class/tty").iterdir())
        for link in [*(self.root / "dev/serial").glob("by-*/*")]:
            if not link.exists():
                link.unlink()
                if link.parent.name == "by-id" and left:
                    link.symlink_to(os.path.relpath(self.root / "dev" / left[-1].name, link.parent))
