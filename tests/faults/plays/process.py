"""Faults of the process itself, at one profile."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.faults.lines import far_end
from tests.process.running import Running, card, until

FILES: Final = 1100
LAUNCHER: Final = f"""
import os, resource, sys
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, most), most))
for _ in range({FILES}):
    os.set_inheritable(os.open(os.devnull, os.O_RDONLY), True)
os.execv(sys.executable, [sys.executable, "-m", "shoe_daemon", *sys.argv[1:]])
"""


def many_files(folder: Path) -> None:
    """The line is a descriptor beyond what `select` can wait for, and is read all the same."""
    folder.mkdir(parents=True)
    for transport in ("pty", "tcp"):
        far = far_end(transport, folder)
        table = Running(folder / transport, command=[sys.executable, "-c", LAUNCHER], line=far)
        try:
            table.start()
            table.must("open_table")
            table.must("load_shoe")
            assert table.process is not None
            files = Path("/proc", str(table.process.pid), "fd")
            assert sum(1 for _ in files.iterdir()) > FILES
            until(far.listened_to)
            far.write(b"".join(map(card, ("8S", "3H", "AC", "QD"))))
            (result,) = table.wait("coup.result", 1)
            assert result["data"]["outcome"] == "player"
            assert table.stop() == 0
            table.verified()
        finally:
            table.close()


PROCESS: Final[dict[str, Callable[[Path], None]]] = {"53": many_files}
