"""Journals to test with."""

import json
from collections.abc import Sequence
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from msgspec.structs import replace

from shoe_daemon.runtime.capture import read_capture
from shoe_daemon.runtime.checkpoint import Signer
from shoe_daemon.runtime.journal import Journal
from shoe_daemon.runtime.messages import Message, Projector, topic
from shoe_daemon.runtime.replay import machine_of, run
from shoe_daemon.runtime.rows import Row, told
from shoe_daemon.table.codec import Step, encode
from shoe_daemon.table.events import AUDIENCES
from shoe_daemon.table.project import Policy

TABLE = "BAC-07"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = KEY.public_key().public_bytes_raw().hex()
SIGNER = Signer(PUBLIC, KEY.sign)
CHECKPOINT = Row("checkpoint", 9, b"")


def open_journal(path: Path, table: str = TABLE, signer: Signer | None = None) -> Journal:
    journal = Journal.open(path, table=table, software="0.0", at=1_800_000_000_000_000)
    if signer is not None:
        journal.sign_with(signer)
    return journal


def write_keys(folder: Path) -> tuple[Path, Path]:
    """Write the files of `KEY`, as openssl would: the private one and the public one."""
    private, public = folder / "key.pem", folder / "public.pem"
    private.touch(0o600)
    private.write_bytes(KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return private, public


def message(journal: Journal, audience: str, seq: int, kind: str = "card.dealt") -> Message:
    body = {"v": 1, "journal": journal.id, "table": TABLE, "audience": audience, "seq": seq, "type": kind}
    return Message(audience, seq, kind, topic(audience, TABLE, kind), json.dumps(body).encode())


def card(journal: Journal, seq: int, audiences: Sequence[str] = AUDIENCES) -> list[Row]:
    """Give the rows one card leaves behind: bytes, a step, its messages, one for each audience."""
    return [
        Row("rx", seq, b" [Game]<Card:4S> \r\n"),
        Row("step", seq, b"step %d" % seq),
        told(seq, [message(journal, audience, seq) for audience in audiences]),
    ]


class Played:
    """Appends what a daemon would keep of captures whose first line is `first`, one after the other."""

    def __init__(self, journal: Journal, first: str, policy: Policy = "delayed") -> None:
        self._journal = journal
        self._first = first
        self._header, _ = read_capture(iter([first]))
        self._machine = machine_of(self._header, policy)
        self._projector = Projector(journal.id, TABLE, policy, self._header.decks, journal.tops())

    def play(self, lines: Sequence[str]) -> None:
        _, read = read_capture(iter([self._first, *lines]))
        rest = list(read)
        self._journal.append([Row("rx", line.at, line.rx) for line in rest if line.rx is not None])
        for steps in run(self._machine, self._header, rest):
            for step in steps:
                self._journal.append([Row("step", step.input.at, encode(step)), *self._told(step)])
        self._header = replace(self._header, open=False)

    def _told(self, step: Step) -> list[Row]:
        messages = self._projector.project(step)
        return [told(step.input.at, messages)] if messages else []
