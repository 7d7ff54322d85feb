"""The machine that is looked at, and what a look gives."""

import ctypes
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec

State = Literal["well", "wrong", "cannot tell"]

_PATIENCE_S: Final = 5
_TIMEX_BYTES: Final = 512
"""More than any kernel's `struct timex`."""
_TIME_ERROR: Final = 5
"""What adjtimex answers while nothing keeps the clock."""
_OURS: Final = re.compile(r"shoe[-_]daemon")
_PROGRAM: Final = 4
"""Words of a command line that may name the program: Python, its switches, a script or a module."""


class Finding(msgspec.Struct, frozen=True):
    """What one check found. `advice`: what to do, never empty where the state is `wrong`."""

    check: str
    state: State
    words: str
    advice: str = ""


class Space(msgspec.Struct, frozen=True):
    """Room of a file system for ordinary users: bytes, and whether another file can be made."""

    free: int
    inodes: bool = True


class Host(msgspec.Struct, frozen=True, kw_only=True):
    """A machine: its files under `root`, and the four questions that no file answers.

    `port`, `journal`: those of the configuration, None without one; paths are as in it, without `root`.
    `user`, `groups`: effective ids of this process. `ask`: standard output of a program, None where it is
    missing or fails. `space`: room at a real path. `kept`: whether the kernel's clock is synchronised.
    """

    root: Path
    port: str | None = None
    journal: Path | None = None
    user: int
    groups: frozenset[int]
    ask: Callable[[str, str], str | None]
    space: Callable[[Path], Space]
    kept: Callable[[], bool | None]

    def at(self, path: str | Path) -> Path:
        """Where `path` of that machine really lies."""
        return self.root / str(path).lstrip("/")

    def named(self, real: Path) -> str:
        """The name on that machine of what really lies at `real`."""
        return f"/{real.relative_to(self.root)}" if real.is_relative_to(self.root) else str(real)

    def leads_to(self, path: str | Path) -> str:
        """The name on that machine of what `path` leads to, whatever links there are."""
        return self.named(Path(os.path.realpath(self.at(path))))

    def text(self, path: str | Path) -> str | None:
        """What a file says, stripped; None where it cannot be read."""
        try:
            return self.at(path).read_bytes().decode("utf-8", "replace").strip("\0\n\t ")
        except OSError:
            return None

    def found(self, *patterns: str) -> list[str]:
        """Names on that machine that match any of `patterns`, in order; dangling links too."""
        return [self.named(one) for glob in patterns for one in sorted(self.root.glob(glob.lstrip("/")))]

    def processes(self) -> Iterator[tuple[int, str]]:
        """Id and short name of each process that can be seen."""
        for folder in self.found("/proc/[0-9]*"):
            pid = folder.rpartition("/")[2]
            if pid.isdecimal() and (name := self.text(f"{folder}/comm")) is not None:
                yield int(pid), name

    def process(self, pid: int) -> str:
        """Words for the process `pid`."""
        name = self.text(f"/proc/{pid}/comm")
        return f"process {pid}" if name is None else f"process {pid} ({name})"

    def is_ours(self, pid: int) -> bool | None:
        """Whether `pid` runs this program; None where it cannot be seen."""
        words = self.text(f"/proc/{pid}/cmdline")
        if words is None:
            return None
        names = [word.rpartition("/")[2] for word in words.split("\0")[:_PROGRAM]]
        return any(map(_OURS.fullmatch, names))

    def masked(self, unit: str) -> bool:
        """Whether systemd was told never to start `unit`."""
        try:
            return self.at(f"/etc/systemd/system/{unit}").readlink() == Path(os.devnull)
        except OSError:
            return False


def this_host(port: str | None = None, journal: Path | None = None) -> Host:
    """The machine that this process runs on."""
    return Host(
        root=Path("/"),
        port=port,
        journal=journal,
        user=os.geteuid(),
        groups=frozenset({os.getegid(), *os.getgroups()}),
        ask=_ask,
        space=_space,
        kept=_kept,
    )


def _ask(program: str, word: str) -> str | None:
    path = shutil.which(program)
    if path is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - a program of the system, found on the PATH, with a fixed word
            [path, word], capture_output=True, text=True, errors="replace", timeout=_PATIENCE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _space(path: Path) -> Space:
    there = os.statvfs(path)
    # A file system that counts no inodes says that it has none.
    return Space(there.f_bavail * there.f_frsize, there.f_favail > 0 or there.f_files == 0)


def _kept() -> bool | None:
    library = ctypes.CDLL(None)
    if not hasattr(library, "adjtimex"):
        return None
    # All zero asks and sets nothing.
    answer = library.adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES))
    return None if answer < 0 else answer != _TIME_ERROR
