"""A file that one process holds at a time, and that names its holder."""

import fcntl
import os
from pathlib import Path
from typing import Self


class HeldError(Exception):
    """Another process holds the file; the text names it where the system tells."""


class LockFile:
    """An advisory lock on a file of its own; the kernel drops it when the holder dies."""

    def __init__(self, path: Path) -> None:
        """Take the lock or raise HeldError. The file is made with mode 0600 and stays. OSError as `open`."""
        self.path = path
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            while not _taken(self._fd):
                # Nobody holds it: `holder` looked at this instant, and does so for no longer than that.
                fcntl.flock(self._fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, f"{os.getpid()}\n".encode(), 0)
        except BlockingIOError:
            holder = _holder(os.pread(self._fd, 32, 0))
            os.close(self._fd)
            raise HeldError(f"held by {holder}") from None
        except OSError:
            os.close(self._fd)
            raise

    def release(self) -> None:
        """Let go; a second call does nothing."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def lock_of(path: Path) -> Path:
    """Where the lock of the file at `path` lies, whatever link leads there."""
    real = Path(os.path.realpath(path))
    return real.with_name(real.name + ".lock")


def holder(path: Path) -> int | None:
    """Id of the process that holds the lock file at `path`; None where none does, or cannot be told."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        note = os.pread(fd, 32, 0).strip()
        return int(note) if note.isdigit() else None
    finally:
        os.close(fd)
    return None


def _taken(fd: int) -> bool:
    """Take the lock for this process alone, if no other has it in any way."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder(note: bytes) -> str:
    """Text for the process whose id `note` is."""
    pid = note.strip().decode("ascii", "replace")
    if not pid.isdecimal():
        return "another process"
    try:
        name = Path("/proc", pid, "comm").read_text("utf-8", "replace").strip()
    except OSError:
        return f"process {pid}"
    return f"process {pid} ({name})"
