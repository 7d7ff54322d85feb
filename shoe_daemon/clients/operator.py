"""Commands to a table, and questions to its feed: one request at a time over a DEALER socket."""

import secrets
import time
from types import TracebackType
from typing import Any, Final, Self

import msgspec
import zmq

from shoe_daemon.clients.subscriber import ClientKeys, connected

PATIENCE_S: Final = 5.0


class Unanswered(Exception):  # noqa: N818 - what happened, not what we did wrong
    """Nobody answered in time; the text says where and what to look at."""


class Asker:
    """One DEALER at a ROUTER. `patience`: seconds to wait for an answer; `keys` where it asks for some."""

    def __init__(self, endpoint: str, patience: float = PATIENCE_S, keys: ClientKeys | None = None) -> None:
        self._endpoint = endpoint
        self._patience = patience
        self._keys = keys
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._socket = connected(self._context, zmq.DEALER, endpoint, keys=keys)

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to `request`, whose id is made here unless it has one. Raises Unanswered."""
        request = {"id": secrets.token_hex(8), **request}
        self._socket.send(msgspec.json.encode(request))
        end = time.monotonic() + self._patience
        while (left := end - time.monotonic()) > 0:
            if self._socket.poll(round(left * 1000)):
                answer = msgspec.json.decode(self._socket.recv_multipart()[-1])
                if isinstance(answer, dict) and answer.get("id") == request["id"]:
                    return answer
        why = "does the daemon run?" if self._keys is None else "does the daemon run, and is the key allowed?"
        raise Unanswered(f"{self._endpoint}: no answer in {self._patience:g} s: {why}")

    def close(self) -> None:
        """Let the socket go."""
        self._context.destroy(linger=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def table_at(router: str, patience: float = PATIENCE_S, keys: ClientKeys | None = None) -> str | None:
    """Table of the daemon whose feed answers at `router`; None before it has told anything."""
    with Asker(router, patience, keys) as asker:
        table: str | None = asker.ask({"snapshot": True}).get("state", {}).get("table")
    return table


class Operator(Asker):
    """Somebody at the table, who says what he or she is: `role:id`, or whose key does."""

    def say(
        self,
        verb: str,
        actor: str | None,
        args: dict[str, Any],
        expect_coup: int | None = None,
        *,
        key: str | None = None,
    ) -> dict[str, Any]:
        """Give a command: `{"id", "ok": true, "events"}`, or `ok` false and `refused`, or `error`.

        `key`: its id; the same command asked again under the same id is carried out once.
        """
        request: dict[str, Any] = {"verb": verb, "args": args}
        if actor is not None:
            request["actor"] = actor
        if key is not None:
            request["id"] = key
        if expect_coup is not None:
            request["expect_coup"] = expect_coup
        return self.ask(request)
