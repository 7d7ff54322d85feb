"""A subscriber to one audience of one table's feed: `Sequencer` on two ZeroMQ sockets.

    with Subscriber("tcp://127.0.0.1:5570", "tcp://127.0.0.1:5571", "public") as feed:
        for item in feed:
            if isinstance(item, Event):
                ...                     # each event once, in order, whatever the network did
            elif isinstance(item, NewJournal):
                ...                     # forget what was told; events begin at 1 again

A Subscriber is used by one thread at a time; `stop` alone may be called from another meanwhile.
"""

import math
import threading
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Final, Self

import msgspec
import zmq

from shoe_daemon.clients.sequence import Item, Sequencer
from shoe_daemon.runtime import endpoints, ulid
from shoe_daemon.runtime.keys import KeyPair

LARGEST_MESSAGE: Final = 4 * 1024 * 1024
_TURN_S: Final = 0.2
_MESSAGES_A_TURN: Final = 1_000


class ClientKeys(msgspec.Struct, frozen=True):
    """What a client needs where the daemon asks for keys: a pair of its own, and the daemon's public key."""

    pair: KeyPair
    server: str


class Subscriber:
    """Events after `after` of `journal` (26 characters; None: whichever the feed has), then whatever comes.

    `pub` and `router` are `tcp://address:port` or `ipc:///path`; nobody need be there yet. `table` refuses
    the events of any other table; `keys` where the daemon asks for some. Raises ValueError for an endpoint or
    a journal id that is none.
    """

    def __init__(  # noqa: PLR0913 - the feed's address and where to go on from
        self,
        pub: str,
        router: str,
        audience: str,
        *,
        table: str | None = None,
        after: int = 0,
        journal: str | None = None,
        keys: ClientKeys | None = None,
    ) -> None:
        self._keys: Final = keys
        cursor = None if journal is None else ulid.to_bytes(journal)
        self._core: Final = Sequencer(audience, table, after, cursor, time.monotonic())
        self._endpoints: Final = {
            zmq.SUB: endpoints.parse(pub).text,
            zmq.DEALER: endpoints.parse(router).text,
        }
        self._topic: Final = f"{audience}/{table}/" if table else f"{audience}/"
        self._stopped: Final = threading.Event()
        self._context: Final = zmq.Context()
        try:
            self._pub = self._open(zmq.SUB)
            self._router = self._open(zmq.DEALER)
        except ValueError:
            self.close()
            raise

    def poll(self, timeout: float) -> list[Item]:
        """Give what came, waiting `timeout` seconds at most for the first of it."""
        core = self._core
        self._ask()
        wait = max(0.0, min(timeout, core.due() - time.monotonic()))
        poller = zmq.Poller()
        poller.register(self._pub, zmq.POLLIN)
        poller.register(self._router, zmq.POLLIN)
        poller.poll(math.ceil(wait * 1000))
        items: list[Item] = []
        for frames in _waiting(self._router):
            items += core.answered(frames, time.monotonic())
        for frames in _waiting(self._pub):
            items += core.heard(frames, time.monotonic())
        items += core.tick(time.monotonic())
        self._reopen()
        self._ask()
        return items

    def __iter__(self) -> Iterator[Item]:
        """Yield items as they come, until `stop`."""
        while not self.stopped:
            yield from self.poll(_TURN_S)

    def stop(self) -> None:
        """End the iteration, within a fifth of a second; from any thread."""
        self._stopped.set()

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped.is_set()

    @property
    def last(self) -> int:
        """The `seq` of the last event given, or where to go on after."""
        return self._core.last

    def close(self) -> None:
        """Let the sockets go."""
        self._context.destroy(linger=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self) -> None:
        """Send the question that is due. A full queue loses it, and it is overdue in time."""
        question = self._core.question(time.monotonic())
        if question is not None and self._router.poll(0, zmq.POLLOUT):
            self._router.send(question)

    def _reopen(self) -> None:
        if self._core.reopen_router:
            self._core.reopen_router = False
            self._router.close()
            self._router = self._open(zmq.DEALER)
        if self._core.reopen_pub:
            self._core.reopen_pub = False
            self._pub.close()
            self._pub = self._open(zmq.SUB)

    def _open(self, kind: int) -> zmq.Socket[bytes]:
        endpoint = self._endpoints[zmq.SocketType(kind)]
        return connected(self._context, kind, endpoint, self._topic if kind == zmq.SUB else None, self._keys)


def connected(
    context: zmq.Context[zmq.Socket[bytes]],
    kind: int,
    endpoint: str,
    topic: str | None = None,
    keys: ClientKeys | None = None,
) -> zmq.Socket[bytes]:
    """Make a socket that notices a dead peer and never keeps a process from ending. Raises ValueError.

    `keys` are for tcp alone: who may reach an ipc endpoint is its owner.
    """
    socket = context.socket(kind)
    if keys is not None and endpoint.startswith("tcp://"):
        socket.curve_publickey = keys.pair.public.encode()
        socket.curve_secretkey = keys.pair.secret.encode()
        socket.curve_serverkey = keys.server.encode()
    socket.linger = 0
    socket.ipv6 = True
    socket.maxmsgsize = LARGEST_MESSAGE
    socket.heartbeat_ivl = endpoints.PING_MS
    socket.heartbeat_timeout = socket.heartbeat_ttl = endpoints.DEAD_MS
    socket.reconnect_ivl, socket.reconnect_ivl_max = 100, 1_000
    socket.tcp_keepalive = 1
    if topic is not None:
        socket.subscribe(topic)
    try:
        socket.connect(endpoint)
    except zmq.ZMQError as error:
        raise ValueError(f"{endpoint}: {error.strerror}") from None
    return socket


def _waiting(socket: zmq.Socket[bytes]) -> Iterator[list[bytes]]:
    """Yield the messages that wait in `socket`, a bounded number."""
    for _ in range(_MESSAGES_A_TURN):
        try:
            yield socket.recv_multipart(zmq.NOBLOCK)
        except zmq.Again:
            return
