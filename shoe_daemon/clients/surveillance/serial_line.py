"""A serial line to a recorder."""

from typing import Final, Literal

import msgspec
import serial

from shoe_daemon.clients.surveillance.output import Undelivered
from shoe_daemon.runtime.threads import in_thread

STUCK_S: Final = 5.0
_PARITY: Final = {"none": serial.PARITY_NONE, "even": serial.PARITY_EVEN, "odd": serial.PARITY_ODD}


class Line(msgspec.Struct, frozen=True):
    """A serial line. `path`: best a stable name, as /dev/serial/by-id gives; `baud` in bits a second."""

    path: str
    baud: int = 9600
    bits: Literal[7, 8] = 8
    parity: Literal["none", "even", "odd"] = "none"
    stop: Literal[1, 2] = 1


class SerialWire:
    """A `Wire` on a serial line, opened again whenever it is gone. Nothing there says what was received."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._port: serial.Serial | None = None

    async def open(self) -> None:
        """Nothing: the adapter may be plugged in later."""

    async def send(self, data: bytes) -> None:
        """Return once the system has taken `data`. Raises Undelivered."""
        try:
            await in_thread(lambda: self._write(data))
        except OSError as error:
            await self.close()
            raise Undelivered(f"{self._line.path}: {error.strerror or error}") from None

    async def close(self) -> None:
        """Let the line go; what it holds is sent first, as long as the line takes it."""
        port, self._port = self._port, None
        if port is not None:
            await in_thread(port.close)

    def _write(self, data: bytes) -> None:
        if self._port is None:
            self._port = serial.Serial(
                self._line.path,
                self._line.baud,
                bytesize=self._line.bits,
                parity=_PARITY[self._line.parity],
                stopbits=self._line.stop,
                write_timeout=STUCK_S,
                exclusive=True,
            )
        self._port.write(data)
