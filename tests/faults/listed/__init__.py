"""The faults as data, by number."""

from typing import Final

from tests.faults.fault import Fault
from tests.faults.listed import bytewise, cards, line, process

FAULTS: Final[tuple[Fault, ...]] = (*bytewise.FAULTS, *cards.FAULTS, *line.FAULTS, *process.FAULTS)

__all__ = ["FAULTS"]
