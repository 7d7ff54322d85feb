"""Play cells of the matrix again: `python -m tests.faults SEED [FAULT [PROFILE [TRANSPORT]]]`."""

import sys
import tempfile
from pathlib import Path

from tests.faults.matrix import COLUMNS, play, played


def main(seed: str, *wanted: str) -> int:
    """Play what was asked for; the exit code."""
    failed = 0
    for number, column in enumerate(COLUMNS):
        chosen = [
            one
            for one in played(column)
            if all(a == b for a, b in zip(wanted, (one.fault.key, *column), strict=False))
        ]
        with tempfile.TemporaryDirectory() as folder:
            for one in play(chosen, Path(folder) / str(number), int(seed)):
                said = ", ".join(sorted(one.said))
                sys.stdout.write(f"{one.place.fault.key} {' '.join(column)}: {one.miss or 'ok'} {said}\n")
                failed += bool(one.miss)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
