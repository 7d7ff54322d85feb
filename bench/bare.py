"""The bare loop that the daemon is measured against: read lines, commit a row a card, publish it.

It does the least that can be called durable and live, in one thread, with nothing of ours in it.
"""

import json
import os
import sqlite3
import sys
import time

import zmq

TOPIC = b"card"


def main(port: str, file: str, endpoint: str) -> None:
    """Read cards from the terminal `port` until it hangs up."""
    db = sqlite3.connect(file, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE card (n INTEGER PRIMARY KEY, body BLOB NOT NULL)")
    publisher = zmq.Context().socket(zmq.PUB)
    publisher.bind(endpoint)
    terminal = os.open(port, os.O_RDONLY | os.O_NOCTTY)
    held, n = b"", 0
    while True:
        try:
            data = os.read(terminal, 4096)
        except OSError:  # the other end went away
            return
        *lines, held = (held + data).split(b"\n")
        for line in lines:
            n += 1
            body = json.dumps({"n": n, "at": time.time_ns() // 1000, "card": line.decode("latin-1").strip()})
            db.execute("INSERT INTO card VALUES (?, ?)", (n, body.encode()))
            publisher.send_multipart((TOPIC, n.to_bytes(8, "big"), body.encode()))


if __name__ == "__main__":
    main(*sys.argv[1:])
