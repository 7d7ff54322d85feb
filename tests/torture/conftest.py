"""The same daemons as in tests/process."""

from tests.process.conftest import tables

__all__ = ["tables"]
