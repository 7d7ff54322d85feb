"""Logs: one JSON object a line on standard error, in UTF-8 whatever the locale; no locals in tracebacks."""

import logging
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import BinaryIO, Final, cast

import msgspec
import structlog
from structlog.typing import EventDict, WrappedLogger

_WINDOW_S: Final = 60.0
_REMEMBERED: Final = 64
_ERRORS: Final = frozenset({"warning", "error", "critical"})


def configure(
    stream: BinaryIO | None = None, level: int = logging.INFO, monotonic: Callable[[], float] = time.monotonic
) -> None:
    """Send every log line of this process, ours and those of `logging`, to `stream` (standard error)."""
    tracebacks = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.ExceptionRenderer(tracebacks),
            Collapse(monotonic),
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            _render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.BytesLoggerFactory(cast("BinaryIO", _Sturdy(stream or sys.stderr.buffer))),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(handlers=[_Bridge()], level=max(level, logging.WARNING), force=True)


class _Sturdy:
    """A stream whose failure stops nobody: lines that cannot be written are counted, and told later."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lost = 0

    def write(self, line: bytes) -> None:
        """Write a line, or count it."""
        told = msgspec.json.encode({"event": "log lines lost", "level": "error", "count": self._lost}) + b"\n"
        try:
            self._stream.write(told + line if self._lost else line)
            self._stream.flush()
        except (OSError, ValueError):  # ValueError: the stream is closed
            self._lost += 1
        else:
            self._lost = 0

    def flush(self) -> None:
        """Do nothing: every line is flushed."""


class Collapse:
    """Writes a warning or error that repeats at its 1st, 2nd, 4th, 8th … time, and once a minute.

    Such a line bears `count` (how often so far) and `first` (seconds since the first); a minute without it
    starts it anew.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._seen: OrderedDict[str, list[float]] = OrderedDict()

    def __call__(self, _: WrappedLogger, name: str, event: EventDict) -> EventDict:
        """Pass `event` on, or drop it."""
        if name not in _ERRORS:
            return event
        key = repr(sorted(event.items(), key=lambda item: item[0]))
        now = self._monotonic()
        first, last, written, count = self._seen.pop(key, [now, now, now, 0])
        if now - last > _WINDOW_S:
            first, written, count = now, now, 0
        count += 1
        due = int(count) & (int(count) - 1) == 0 or now - written > _WINDOW_S
        self._seen[key] = [first, now, now if due else written, count]
        if len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        if not due:
            raise structlog.DropEvent
        return event if count == 1 else {**event, "count": int(count), "first_s_ago": round(now - first, 3)}


def _render(_: WrappedLogger, __: str, event: EventDict) -> bytes:
    return msgspec.json.encode(event, enc_hook=repr)


class _Bridge(logging.Handler):
    """Passes what libraries log on to our lines."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log `record` as ours."""
        logger = structlog.get_logger()
        logger.log(record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info)
