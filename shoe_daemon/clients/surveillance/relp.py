"""RELP: syslog messages that the peer acknowledges one by one.

A frame is `TXNR SP COMMAND SP DATALEN [SP DATA] LF`. A session is opened with offers; then each `syslog`
frame is answered, in order, by `TXNR rsp LEN 200 OK`. What a session that broke has not answered is sent
again in the next, since nobody can know whether the peer had taken it: so one event may be twice there, and
is told by its number.
"""

import asyncio
import re
import socket
from collections.abc import Sequence
from typing import Final

import msgspec
import structlog

from shoe_daemon.clients.surveillance.output import Undelivered
from shoe_daemon.clients.surveillance.wires import Place, connected

OFFERS: Final = b"relp_version=0\nrelp_software=shoe-daemon\ncommands=syslog"
LAST_TXNR: Final = 999_999_999
OPEN_S: Final = 10.0
CLOSE_S: Final = 0.5
LATE_S: Final = 30.0
_READ: Final = 65_536
_LARGEST: Final = 131_072
_HEAD: Final = re.compile(rb"(\d{1,9}) ([a-zA-Z]{1,32}) (\d{1,9})(?= |\n)")
_log = structlog.get_logger("surveillance")


class Frame(msgspec.Struct, frozen=True):
    """One frame, taken apart."""

    txnr: int
    command: str
    data: bytes


def packed(frame: Frame) -> bytes:
    """The bytes of a frame."""
    head = b"%d %s %d" % (frame.txnr, frame.command.encode(), len(frame.data))
    return head + b" " + frame.data + b"\n" if frame.data else head + b"\n"


def taken(buffer: bytearray) -> Frame | None:
    """Take one frame from the front of `buffer`; None where it is not all there. Raises ValueError."""
    head = _HEAD.match(buffer)
    if head is None:
        if len(buffer) > 64 or b"\n" in buffer:  # noqa: PLR2004 - longer than any head
            raise ValueError("what came is no RELP")
        return None
    txnr, command, size = int(head[1]), head[2].decode(), int(head[3])
    if size > _LARGEST:
        raise ValueError("a frame that is too large")
    begin = head.end() + (size > 0)
    if len(buffer) <= begin + size:
        return None
    data, end = bytes(buffer[begin : begin + size]), buffer[begin + size]
    if end != ord("\n"):
        raise ValueError("a frame that does not end")
    del buffer[: begin + size + 1]
    return Frame(txnr, command, data)


class _Broken(Exception):  # noqa: N818 - what happened
    """The session is over; the text says why."""


class Relp:
    """Sessions with one server, one after the other."""

    def __init__(self, where: Place) -> None:
        self._where = where
        self._session: _Session | None = None

    async def send(self, messages: Sequence[bytes]) -> None:
        """Return once the server has acknowledged all. Raises Undelivered, with how many it has."""
        done = 0
        try:
            session = await self._opened()
            failed, first = await session.say("syslog", messages)
            for number in range(len(messages)):
                await session.acknowledged(_after(first, number), failed)
                done += 1
        except _Broken as broken:
            self._drop()
            raise Undelivered(f"{self._where}: {broken}", done) from None
        except BaseException:
            self._drop()
            raise

    async def close(self) -> None:
        """End the session in good order, within half a second."""
        if self._session is None:
            return
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._session.say("close", [b""])
                while (await self._session.frame()).command not in {"rsp", "serverclose"}:
                    pass
        except (_Broken, TimeoutError):
            pass  # the server is gone already, or does not care to answer
        finally:
            self._drop()

    async def _opened(self) -> "_Session":
        """The session that is open, or a new one. Raises Undelivered, _Broken."""
        if self._session is not None and self._session.over():
            self._drop()
        if self._session is None:
            self._session = _Session(await connected(self._where), self._where)
            try:
                async with asyncio.timeout(OPEN_S):
                    await self._session.begin()
            except TimeoutError:
                raise _Broken("answers no open: does it speak RELP?") from None
        return self._session

    def _drop(self) -> None:
        if self._session is not None:
            self._session.drop()
            self._session = None


class _Session:
    """One connection."""

    def __init__(self, wire: socket.socket, where: Place) -> None:
        self._wire = wire
        self._where = where
        self._buffer = bytearray()
        self._txnr = 0

    async def begin(self) -> None:
        """Exchange offers. Raises _Broken."""
        await self.say("open", [OFFERS])
        answer = await self.frame()
        if answer.command != "rsp" or not answer.data.startswith(b"200"):
            raise _Broken("refused the session")
        if not any(line.startswith(b"commands=") and b"syslog" in line for line in answer.data.splitlines()):
            raise _Broken("takes no syslog")

    async def say(self, command: str, said: Sequence[bytes]) -> tuple[OSError | None, int]:
        """Send a frame for each of `said`. Gives what failed, and the transaction number before the first.

        What the server acknowledged before it went still waits to be read, so that a failure is not raised.
        """
        first = self._txnr
        frames = b"".join(packed(Frame(self._next(), command, data)) for data in said)
        try:
            await asyncio.get_running_loop().sock_sendall(self._wire, frames)
        except OSError as error:
            return error, first
        return None, first

    async def acknowledged(self, txnr: int, failed: OSError | None) -> None:
        """Take the answer to `txnr`, however late it is: what is sent again may be twice there."""
        try:
            answer = await self.frame()
        except _Broken as broken:
            raise _Broken(failed.strerror if failed else str(broken)) from None
        if answer.command != "rsp" or answer.txnr != txnr:
            raise _Broken("ended the session" if answer.command == "serverclose" else "answered out of order")
        if not answer.data.startswith(b"200"):
            raise _Broken(f"refused a message with {answer.data[:3].decode('ascii', 'replace')}")

    def over(self) -> bool:
        """Whether the server said anything meanwhile: it can only have ended the session."""
        try:
            return bool(self._buffer) or self._wire.recv(_READ) is not None
        except BlockingIOError:
            return False
        except OSError:
            return True

    async def frame(self) -> Frame:
        """The next frame of the server. Raises _Broken."""
        while True:
            try:
                frame = taken(self._buffer)
            except ValueError as error:
                raise _Broken(str(error)) from None
            if frame is not None:
                return frame
            data = await self._read()
            if not data:
                raise _Broken("ended the session")
            self._buffer += data

    def drop(self) -> None:
        """Let the connection go."""
        self._wire.close()

    async def _read(self) -> bytes:
        """What comes next, however late; that it is late is said."""
        reading = asyncio.ensure_future(asyncio.get_running_loop().sock_recv(self._wire, _READ))
        try:
            while not (await asyncio.wait({reading}, timeout=LATE_S))[0]:
                _log.warning("the archive does not acknowledge: waiting for it", peer=str(self._where))
            return reading.result()
        except OSError as error:
            raise _Broken(error.strerror or "broke") from None
        finally:
            reading.cancel()

    def _next(self) -> int:
        self._txnr = _after(self._txnr, 0)
        return self._txnr


def _after(txnr: int, more: int) -> int:
    """The transaction number that comes `more` after the next of `txnr`."""
    return (txnr + more) % LAST_TXNR + 1
