"""What every output is: it delivers events to one peer, and says how far it came where it could not."""

from collections.abc import Sequence
from typing import Protocol

from shoe_daemon.clients.told import Told


class Undelivered(Exception):  # noqa: N818 - what happened, not what we did wrong
    """The peer did not get all; the first `done` of the events it has. The text names the peer and says why.

    It goes to the log: no word of an event, and none that the peer sent, is in it.
    """

    def __init__(self, why: str, done: int = 0) -> None:
        super().__init__(why)
        self.done = done


class Output(Protocol):
    """One peer. `most`: how many events it is given at once."""

    @property
    def most(self) -> int:
        """How many events `deliver` takes at once: so many may be twice at the peer after a kill."""

    async def open(self) -> None:
        """Take what must be there from the start, such as a port to listen at. Raises OSError."""

    async def deliver(self, events: Sequence[Told]) -> None:
        """Return once the peer has `events`, as far as its protocol can say. Raises Undelivered.

        It is called again with those that are left, until the peer has them.
        """

    async def close(self) -> None:
        """Take leave of the peer in a bounded time; harmless where there is none."""
