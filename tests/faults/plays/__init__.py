"""The faults as they are played, by key. One more is one more function under `plays`."""

from tests.faults.plays import bytewise, cable, meaning, session
from tests.faults.plays.process import PROCESS
from tests.faults.plays.registry import PLAYS

__all__ = ["PLAYS", "PROCESS", "bytewise", "cable", "meaning", "session"]
