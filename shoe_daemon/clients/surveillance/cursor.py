"""How far an output has come: the daemon keeps it, under the output's name."""

import msgspec

from shoe_daemon.clients.operator import Asker, Unanswered
from shoe_daemon.clients.subscriber import ClientKeys

PATIENCE_S = 1.5


class Cursor:
    """The cursor of one consumer. Asked from one thread at a time; each call may take `PATIENCE_S`.

    Its name at the daemon bears the last letters of the journal's id: an acknowledgement that comes late, to
    a daemon whose journal is another one by now, moves nothing there.
    """

    def __init__(self, router: str, name: str, keys: ClientKeys | None = None) -> None:
        self._router = router
        self._keys = keys
        self._name = name
        self._asker: Asker | None = None

    def journal(self) -> str:
        """The id of the journal that the daemon has. Raises Unanswered."""
        return msgspec.convert(self._ask({"snapshot": True})["journal"], str)

    def read(self, journal: str) -> int:
        """The number of the last event that is done with, 0 where none is. Raises Unanswered."""
        return self.keep(journal, 0)

    def keep(self, journal: str, seq: int) -> int:
        """Have the daemon keep `seq`, on disk; what it keeps now, which is never less. Raises Unanswered."""
        answer = self._ask({"ack": seq, "consumer": f"{self._name}.{journal[-6:]}"})
        return msgspec.convert(answer["ack"], int)

    def close(self) -> None:
        """Let the socket go."""
        if self._asker is not None:
            self._asker.close()
            self._asker = None

    def _ask(self, request: dict[str, object]) -> dict[str, object]:
        """The answer. One that did not come in time is never taken for the next one's: its id is another."""
        if self._asker is None:
            self._asker = Asker(self._router, PATIENCE_S, self._keys)
        answer = self._asker.ask(request)
        if "error" in answer:
            raise Unanswered(f"{self._router}: {answer['error']}")
        return answer
