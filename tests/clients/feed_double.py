"""A publisher that keeps to docs/integrating.md, and can be told to misbehave: PUB and ROUTER in a thread."""

import json
import struct
import threading
from types import TracebackType
from typing import Any, Self

import zmq

from shoe_daemon.runtime import ulid

Frames = list[bytes]


def topic(audience: str, table: str, kind: str) -> bytes:
    return f"{audience}/{table}/{kind}/".encode()


def header(journal: str, seq: int) -> bytes:
    return struct.pack(">16sQ", ulid.to_bytes(journal), seq)


class Ledger:
    """One audience's rows of one journal."""

    def __init__(self, journal: str, audience: str = "public", table: str = "BAC-07") -> None:
        self.journal = journal
        self.audience = audience
        self.table = table
        self.rows: list[Frames] = []
        self.shoe: int | None = None

    def add(self, kind: str, coup: int | None = None, /, **data: Any) -> Frames:  # noqa: ANN401 - any JSON
        if kind == "shoe.loaded":
            self.shoe = (self.shoe or 0) + 1
        seq = len(self.rows) + 1
        body = {
            "v": 1,
            "journal": self.journal,
            "table": self.table,
            "audience": self.audience,
            "seq": seq,
            "type": kind,
            "at": f"2026-11-30T12:00:00.{seq % 1_000_000:06d}Z",
            "shoe": self.shoe,
            "coup": coup,
            "data": data,
        }
        frames = [
            topic(self.audience, self.table, kind),
            header(self.journal, seq),
            json.dumps(body).encode(),
        ]
        self.rows.append(frames)
        return frames

    def beat(self) -> Frames:
        return [
            topic(self.audience, self.table, "heartbeat"),
            header(self.journal, len(self.rows)),
            b"{}",
        ]

    def answer(self, request: bytes) -> list[Frames]:
        """Give the messages that answer `request`."""
        wanted = json.loads(request)
        first = wanted["after"]
        rows = self.rows[first : first + wanted.get("limit", 1_000)]
        return [*rows, [json.dumps({"id": wanted["id"], "top": len(self.rows)}).encode()]]


def _bound(socket: zmq.Socket[bytes]) -> str:
    endpoint = socket.getsockopt(zmq.LAST_ENDPOINT)
    assert isinstance(endpoint, bytes)
    return endpoint.decode().rstrip("\0")


class Publisher:
    """Serves `ledger` on two loopback ports, which stay the same when it is stopped and started again."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.pub = self.router = ""
        self.answering = True
        self.beating = True
        self._ports = (0, 0)
        self._work: list[Frames] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        sockets = [context.socket(zmq.PUB), context.socket(zmq.ROUTER)]
        for socket, port in zip(sockets, self._ports, strict=True):
            socket.linger = 0
            socket.bind(f"tcp://127.0.0.1:{port or '*'}")
        self.pub, self.router = (_bound(socket) for socket in sockets)
        ports = [int(endpoint.rpartition(":")[2]) for endpoint in (self.pub, self.router)]
        self._ports = (ports[0], ports[1])
        self._stop.clear()
        self._thread = threading.Thread(target=self._serve, args=(context, *sockets), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        if self._thread is not None:
            self._stop.set()
            self._thread.join()
            self._thread = None

    def restart(self, ledger: Ledger | None = None) -> None:
        self.stop()
        self.ledger = ledger or self.ledger
        self.start()

    def send(self, *messages: Frames) -> None:
        """Publish frames as they are."""
        with self._lock:
            self._work += messages

    def tell(self, kind: str, coup: int | None = None, /, *, lose: bool = False, **data: Any) -> None:  # noqa: ANN401 - any JSON
        """Commit an event and, unless it is lost, publish it."""
        with self._lock:
            frames = self.ledger.add(kind, coup, **data)
            if not lose:
                self._work.append(frames)

    def _serve(
        self,
        context: zmq.Context[zmq.Socket[bytes]],
        pub: zmq.Socket[bytes],
        router: zmq.Socket[bytes],
    ) -> None:
        turns = 0
        while not self._stop.is_set():
            with self._lock:
                work, self._work = self._work, []
                for frames in work:
                    pub.send_multipart(frames)
                if self.beating and turns % 50 == 0:
                    pub.send_multipart(self.ledger.beat())
            turns += 1
            if router.poll(2):
                client, request = router.recv_multipart()
                if self.answering:
                    for answer in self.ledger.answer(request):
                        router.send_multipart([client, *answer])
        context.destroy(linger=0)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
