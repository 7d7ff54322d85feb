"""Captures: JSON lines with what a device and its operators did, as replay reads and export writes them.

Beyond the fixed format, a capture exported from a journal may say in its first line `"link": "never"` (the
port was not open yet), what `buttons` mean and the settings of the `house`, give a `reason` beside `link`,
`expect_coup`, `refused` and `via` in a `cmd`, and bear lines `{"t", "service", "reason"}`, `{"t", "alarm",
"text"}` (what the port saw of the line), `{"t", "notice", "what", "reason", "over"}` (what the daemon noticed
of those around it) and `{"t", "clock", "before"}` (the machine's clock was set: seconds since 1970 that it
said then and before; `t` runs on); an empty `rx` lets what is due fire before it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final, Literal, TypeVar, get_args

import msgspec

from shoe_daemon.runtime.house import House
from shoe_daemon.table.arguments import as_args
from shoe_daemon.table.inputs import (
    Checkpointed,
    ClockStepped,
    Command,
    LineAlarm,
    LineFault,
    Noticed,
    Service,
)
from shoe_daemon.table.procedure import PARTS, PROCEDURES, Procedure
from shoe_daemon.table.verbs import VERBS, role_of

T = TypeVar("T")

LAST_SECOND = 253_402_300_799
"""The end of the year 9999, which RFC 3339 can still say."""

_TABLE = re.compile(r"[A-Za-z0-9._-]{1,32}")
_KINDS: Final = ("rx", "cmd", "seen", "link", "service", "alarm", "clock", "notice", "checkpoint")
_BESIDE: Final[dict[str, set[str]]] = {
    "link": {"reason"},
    "service": {"reason"},
    "alarm": {"text"},
    "clock": {"before"},
    "notice": {"what", "reason", "over"},
}
"""What a line may bear beside what it is."""
_PLAIN = re.compile(
    r'\{"t": ?(0|[1-9][0-9]{0,8})(?:\.([0-9]{1,6}))?, ?"rx": ?"((?:[0-9a-f]{2})+)"\}[ \t\r\n]*'
)
"""Bytes at a time in whole microseconds, as captures are written: read without the detour over JSON."""


class BadLine(Exception):  # noqa: N818 - what it is called wherever captures are read
    """A line that is none of the format. `number` counts from 1."""

    def __init__(self, number: int, message: str) -> None:
        super().__init__(f"line {number}: {message}")
        self.number = number


class Header(msgspec.Struct, frozen=True):
    """The first line: which table this is."""

    profile: str
    rules: str
    decks: int
    table: str
    procedure: Procedure
    open: bool
    link: Literal["up", "never"]
    buttons: dict[str, str]
    house: House = House()


class Line(msgspec.Struct, frozen=True):
    """One line after the first. `at`: microseconds from the start; exactly one of the others is set."""

    number: int
    at: int
    rx: bytes | None = None
    cmd: Command | None = None
    link: Literal["up", "down"] | None = None
    service: Service | None = None
    alarm: LineAlarm | None = None
    clock: ClockStepped | None = None
    notice: Noticed | None = None
    checkpoint: Checkpointed | None = None
    reason: str | None = None


def read_capture(lines: Iterator[str | bytes]) -> tuple[Header, Iterator[Line]]:
    """The first line, and the others one by one. Raises BadLine, also while the others are read."""
    fields, _ = _object(1, _text(1, next(lines, "")), 0)
    return _header(fields), _lines(lines)


def _text(number: int, line: str | bytes) -> str:
    try:
        return line if isinstance(line, str) else line.decode()
    except UnicodeDecodeError as error:
        raise BadLine(number, f"is no UTF-8 (byte {error.start + 1})") from error


def _lines(lines: Iterator[str | bytes]) -> Iterator[Line]:
    last = 0
    for number, raw in enumerate(lines, 2):
        text = _text(number, raw)
        line = _plain(number, text)
        if line is None or line.at < last:
            fields, at = _object(number, text, last)
            line = _line(number, at, fields)
        last = line.at
        yield line


def _plain(number: int, text: str) -> Line | None:
    """The line, where it is one of those that nearly all of a capture is made of."""
    found = _PLAIN.fullmatch(text)
    if found is None:
        return None
    seconds, micros, rx = found.groups("")
    return Line(number, int(seconds) * 1_000_000 + int(micros.ljust(6, "0")), bytes.fromhex(rx))


def _object(number: int, text: str, last: int) -> tuple[dict[str, Any], int]:
    try:
        fields = json.loads(text, parse_float=Decimal, parse_constant=Decimal, object_pairs_hook=_once)
        json.dumps(fields, ensure_ascii=False, default=str).encode()  # a lone surrogate is JSON, but no text
    except (ValueError, RecursionError) as error:
        raise BadLine(number, f"no JSON object ({error})") from error
    if not isinstance(fields, dict):
        raise BadLine(number, "no JSON object")
    return fields, _time(number, fields.pop("t", None), last)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of `pairs`; ValueError where a key is there twice."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a key is there twice")
    return fields


def _time(number: int, value: object, last: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise BadLine(number, "t: seconds from the start are missing")
    at = _micros(Decimal(value))
    if at is None:
        raise BadLine(number, f"t: {value} is no time after the start")
    if at < last:
        raise BadLine(number, f"t: {value} is before the line above")
    return at


def _micros(seconds: Decimal) -> int | None:
    """The nearest whole microseconds; None where that is no time which can be said."""
    if not seconds.is_finite() or not 0 <= seconds <= LAST_SECOND:
        return None
    return int((seconds * 1_000_000).to_integral_value("ROUND_HALF_EVEN"))


def _header(fields: dict[str, Any]) -> Header:
    known = {"profile", "rules", "decks", "table", "procedure", "open", "link", "buttons", "house", *PARTS}
    for key in fields:
        if key not in known:
            raise BadLine(1, f"unknown key {key!r}; known: {', '.join(sorted(known))}")
    decks = _typed(1, fields, "decks", int, 8)
    if decks < 1:
        raise BadLine(1, f"decks: {decks} is no number of decks")
    link = _typed(1, fields, "link", str, "up")
    if link not in {"up", "never"}:
        raise BadLine(1, "link: up or never")
    return Header(
        profile=_typed(1, fields, "profile", str, None),
        rules=_typed(1, fields, "rules", str, "nsw"),
        decks=decks,
        table=_table(fields),
        procedure=_procedure(fields),
        open=_typed(1, fields, "open", bool, default=True),
        link="up" if link == "up" else "never",
        buttons=_buttons(fields),
        house=_house(fields),
    )


def _house(fields: Mapping[str, Any]) -> House:
    try:
        return msgspec.convert(fields.get("house", {}), House)
    except msgspec.ValidationError as error:
        raise BadLine(1, f"house: {error}") from error


def _buttons(fields: Mapping[str, Any]) -> dict[str, str]:
    said = _typed(1, fields, "buttons", dict, {})
    for name, verb in said.items():
        if verb not in VERBS:
            raise BadLine(1, f"buttons: {name}: unknown verb {verb!r}")
    return said


def _table(fields: Mapping[str, Any]) -> str:
    name = _typed(1, fields, "table", str, "TABLE")
    if not _TABLE.fullmatch(name):
        raise BadLine(1, f"table: {name!r} is not 1 to 32 of A-Z, a-z, 0-9, dot, _ and -")
    return name


def _procedure(fields: Mapping[str, Any]) -> Procedure:
    name = fields.get("procedure", "face-up")
    if not isinstance(name, str) or name not in PROCEDURES:
        raise BadLine(1, f"procedure: {name!r} is none of {', '.join(PROCEDURES)}")
    parts = {key: float(v) if isinstance(v, Decimal) else v for key, v in fields.items() if key in PARTS}
    whole = {**msgspec.to_builtins(PROCEDURES[name]), **parts}
    try:
        procedure = msgspec.convert(whole, Procedure)
    except msgspec.ValidationError as error:
        raise BadLine(1, str(error)) from error
    if procedure.settle_s < 0:
        raise BadLine(1, "settle_s: seconds, 0 or more")
    return procedure


def _typed(number: int, fields: Mapping[str, Any], key: str, kind: type[T], default: T | None) -> T:
    value = fields.get(key, default)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise BadLine(number, f"{key}: {value!r} is no {kind.__name__}")
    return value


def _line(number: int, at: int, fields: dict[str, Any]) -> Line:
    kinds = [key for key in _KINDS if key in fields]
    if len(kinds) != 1:
        raise BadLine(number, "exactly one of rx, cmd, seen, link")
    kind = kinds[0]
    if kind == "seen":
        raise BadLine(number, "seen: this version reads no camera")
    allowed = {kind, *_BESIDE.get(kind, ())}
    for key in fields:
        if key not in allowed:
            raise BadLine(number, f"unknown key {key!r}")
    match kind:
        case "rx":
            return Line(number, at, rx=_hex(number, fields["rx"]))
        case "cmd":
            return Line(number, at, cmd=_command(number, at, fields["cmd"]))
        case "link" | "service":
            return _told(number, at, kind, fields)
        case _:
            return _noted(number, at, kind, fields)


def _noted(number: int, at: int, kind: str, fields: dict[str, Any]) -> Line:
    """A line of what the daemon itself saw or did."""
    match kind:
        case "alarm":
            return Line(number, at, alarm=_alarm(number, at, fields))
        case "clock":
            before, after = (_clock(number, fields, key) for key in ("before", "clock"))
            return Line(number, at, clock=ClockStepped(at, before, after))
        case "notice":
            return Line(number, at, notice=_notice(number, at, fields))
        case _:
            return Line(number, at, checkpoint=_checkpoint(number, at, fields[kind]))


def _told(number: int, at: int, kind: str, fields: dict[str, Any]) -> Line:
    """A line of the link or of the process."""
    reason = fields.get("reason")
    if reason is not None and not isinstance(reason, str):
        raise BadLine(number, "reason: a text")
    value = fields[kind]
    if kind == "link":
        if value not in {"up", "down"}:
            raise BadLine(number, "link: up or down")
        return Line(number, at, link=value, reason=reason)
    if value not in {"started", "stopped"}:
        raise BadLine(number, "service: started or stopped")
    return Line(number, at, service=Service(at, value, reason or "restart"))


def _alarm(number: int, at: int, fields: dict[str, Any]) -> LineAlarm:
    code, text = fields["alarm"], fields.get("text")
    if code not in get_args(LineFault):
        raise BadLine(number, f"alarm: one of {', '.join(get_args(LineFault))}")
    if not isinstance(text, str):
        raise BadLine(number, "text: a text")
    return LineAlarm(at, code, text)


def _checkpoint(number: int, at: int, said: object) -> Checkpointed:
    known = set(Checkpointed.__struct_fields__) - {"at"}
    if not isinstance(said, dict) or set(said) - known:
        raise BadLine(number, f"checkpoint: an object of {', '.join(sorted(known))}")
    try:
        made = msgspec.convert({**said, "at": at, "input": "checkpointed"}, Checkpointed)
    except msgspec.ValidationError as error:
        raise BadLine(number, f"checkpoint: {error}") from error
    if not 0 <= made.signed <= LAST_SECOND * 1_000_000:
        raise BadLine(number, "checkpoint: signed: microseconds since 1970")
    return made


def _clock(number: int, fields: Mapping[str, Any], key: str) -> int:
    """What the machine's clock said, in microseconds since 1970."""
    value = fields.get(key)
    said = (
        None if isinstance(value, bool) or not isinstance(value, int | Decimal) else _micros(Decimal(value))
    )
    if said is None:
        raise BadLine(number, f"{key}: seconds since 1970")
    return said


def _notice(number: int, at: int, fields: dict[str, Any]) -> Noticed:
    said = {"code": fields["notice"], **{key: v for key, v in fields.items() if key != "notice"}}
    try:
        return msgspec.convert({"input": "noticed", "at": at, **said}, Noticed)
    except msgspec.ValidationError as error:
        raise BadLine(number, f"notice: {error}") from error


def _hex(number: int, text: object) -> bytes:
    if not isinstance(text, str) or not text.isascii() or not text.isalnum():
        if text == "":
            return b""
        raise BadLine(number, "rx: bytes in hex, two digits each")
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise BadLine(number, "rx: bytes in hex, two digits each") from error


def _command(number: int, at: int, cmd: object) -> Command:
    if not isinstance(cmd, dict):
        raise BadLine(number, "cmd: an object with verb, actor and args")
    for key in cmd:
        if key not in {"verb", "actor", "args", "expect_coup", "refused", "via"}:
            raise BadLine(number, f"cmd: unknown key {key!r}")
    verb, actor, args = cmd.get("verb"), cmd.get("actor"), cmd.get("args", {})
    if not isinstance(verb, str) or verb not in VERBS:
        raise BadLine(number, f"unknown verb {verb!r}; known: {', '.join(VERBS)}")
    if not isinstance(actor, str) or role_of(actor) is None:
        raise BadLine(number, f"actor {actor!r} is no role:id, such as dealer:17")
    expected = cmd.get("expect_coup")
    if expected is not None and (not isinstance(expected, int) or isinstance(expected, bool)):
        raise BadLine(number, "cmd: expect_coup: the number of a coup")
    refused = cmd.get("refused")
    if refused is not None and not isinstance(refused, str):
        raise BadLine(number, "cmd: refused: a reason")
    via = cmd.get("via")
    if via is not None and not isinstance(via, str):
        raise BadLine(number, "cmd: via: the name of a key")
    return Command(at, verb, actor, as_args(args), expected, refused, via=via)
