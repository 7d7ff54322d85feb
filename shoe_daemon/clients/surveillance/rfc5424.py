"""An event as a syslog message of RFC 5424: header, structured data, and the event in plain words.

    <134>1 2026-11-30T12:00:00.123456Z pit-7 shoe-daemon - card.exposed [timeQuality tzKnown="1" isSynced="0"]
    [meta sequenceId="412"][event@32473 journal="01J…" seq="412" table="BAC-07" shoe="3" coup="41"]
    [data@32473 slot="P1" card="4S" source="shoe"] BAC-07 S3 C41 P1 4S

(on one line). (journal, seq) names an event for ever: whoever finds it twice has one event, delivered twice.
"""

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from shoe_daemon.clients.surveillance.fields import Severity, flat, severity
from shoe_daemon.clients.surveillance.words import sentence
from shoe_daemon.clients.told import Told

FACILITIES: Final = {f"local{n}": 16 + n for n in range(8)} | {"daemon": 3, "audit": 13}
EXAMPLE_ENTERPRISE: Final = 32473
"""The private enterprise number that is reserved for examples (RFC 5612)."""
_SEVERITIES: Final[dict[Severity, int]] = {"alarm": 1, "warning": 4, "notice": 5, "info": 6}
_NAME_SIZE, _HOST_SIZE, _MSGID_SIZE = 32, 255, 32
_LAST_SEQUENCE_ID: Final = 2**31 - 1
_NO_NAME: Final = re.compile(r'[^\x21-\x7e]|[=\]"]')
_NO_HEADER: Final = re.compile(r"[^\x21-\x7e]")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Header(msgspec.Struct, frozen=True):
    """What every message of one output says of where it comes from."""

    facility: str = "local0"
    host: str = "-"
    enterprise: int = EXAMPLE_ENTERPRISE


def message(told: Told, header: Header) -> bytes:
    """The whole message, without a line end."""
    where = {
        "journal": told.journal,
        "seq": told.seq,
        "table": told.table,
        "shoe": told.shoe,
        "coup": told.coup,
    }
    elements = [
        _element(f"event@{header.enterprise}", flat(where)),
        # In lower case, as the tools that read structured data make it.
        _element(f"data@{header.enterprise}", ((key.lower(), value) for key, value in flat(told.data))),
    ]
    return framed(told, header, sentence(told), elements)


def framed(told: Told, header: Header, text: str, elements: Iterable[str] = ()) -> bytes:
    """`text` behind the header of an event, its time quality, its number and further `elements`."""
    pri = FACILITIES[header.facility] * 8 + _SEVERITIES[severity(told)]
    host = _NO_HEADER.sub("_", header.host)[:_HOST_SIZE] or "-"
    kind = _NO_HEADER.sub("_", told.type)[:_MSGID_SIZE]
    known = [
        # The times are UTC. Whether the table's clock is synchronised the feed does not say.
        _element("timeQuality", [("tzKnown", "1"), ("isSynced", "0")]),
        _element("meta", [("sequenceId", str((told.seq - 1) % _LAST_SEQUENCE_ID + 1))]),
    ]
    structured = "".join([*known, *elements])
    return f"<{pri}>1 {told.at} {host} shoe-daemon - {kind} {structured} {text}".encode()


def _element(name: str, values: Iterable[tuple[str, str]]) -> str:
    """One element; nothing where it would be empty."""
    said = "".join(f' {_name(key)}="{_value(value)}"' for key, value in values)
    return f"[{name}{said}]" if said else ""


def _name(key: str) -> str:
    """A name as it must be."""
    return _NO_NAME.sub("_", key)[:_NAME_SIZE]


def _value(text: str) -> str:
    """A value as it must be: what would end it escaped, control characters as blanks."""
    return re.sub(r'([\\"\]])', r"\\\1", _CONTROL.sub(" ", text))
