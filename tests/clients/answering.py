"""ROUTERs that answer every question in the same way, for as long as a test wants."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import zmq


@contextmanager
def answering(answers: Mapping[str, Mapping[str, Any]]) -> Iterator[list[str]]:
    """Answer at endpoints (port `*`: a free one) as `answers` says of each; gives the endpoints bound."""
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    stopped = threading.Event()
    routers = [(_bound(context, endpoint), answer) for endpoint, answer in answers.items()]
    bound = [_name(router) for router, _ in routers]

    def serve() -> None:
        while not stopped.is_set():
            for router, answer in routers:
                if router.poll(2):
                    client, request = router.recv_multipart()
                    full = {"id": json.loads(request)["id"], **answer}
                    router.send_multipart([client, json.dumps(full).encode()])
        context.destroy(linger=0)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield bound
    finally:
        stopped.set()
        thread.join()


def _bound(context: zmq.Context[zmq.Socket[bytes]], endpoint: str) -> zmq.Socket[bytes]:
    router = context.socket(zmq.ROUTER)
    router.ipv6 = "[" in endpoint
    router.linger = 0
    router.bind(endpoint)
    return router


def _name(router: zmq.Socket[bytes]) -> str:
    name = router.getsockopt(zmq.LAST_ENDPOINT)
    assert isinstance(name, bytes)
    return name.decode().rstrip("\0")
