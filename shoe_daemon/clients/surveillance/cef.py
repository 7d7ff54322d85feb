"""An event in the Common Event Format, as the text of a syslog message."""

import re
from typing import Final

from shoe_daemon import __version__
from shoe_daemon.clients.surveillance.fields import Severity, flat, milliseconds, severity
from shoe_daemon.clients.surveillance.rfc5424 import Header, framed
from shoe_daemon.clients.surveillance.words import sentence
from shoe_daemon.clients.told import Told

_SEVERITIES: Final[dict[Severity, int]] = {"alarm": 9, "warning": 6, "notice": 4, "info": 2}
_NO_KEY: Final = re.compile(r"[^A-Za-z0-9]")
_LINE_ENDS: Final = {"\n": r"\n", "\r": r"\r"}


def message(told: Told, header: Header) -> bytes:
    """The whole message, without a line end: `CEF:0|…` behind the header of RFC 5424."""
    return framed(told, header, _cef(told))


def _cef(told: Told) -> str:
    """`externalId` names the event for ever; the event's own data have names that begin with `shoe`."""
    name = told.type.replace(".", " ").replace("_", " ")
    head = [
        "CEF:0",
        "shoe-daemon",
        "shoe-daemon",
        __version__,
        told.type,
        name,
        str(_SEVERITIES[severity(told)]),
    ]
    known: list[tuple[str, object]] = [
        ("rt", milliseconds(told.at)),
        ("externalId", f"{told.journal}:{told.seq}"),
        ("deviceExternalId", told.table),
        ("cn1Label", "shoe"),
        ("cn1", told.shoe),
        ("cn2Label", "coup"),
        ("cn2", told.coup),
        ("cn3Label", "seq"),
        ("cn3", told.seq),
        ("suser", told.actor),
        ("msg", sentence(told)),
    ]
    said = [(key, str(value)) for key, value in known if value is not None]
    said += [(_key(key), value) for key, value in flat(told.data) if key != "actor"]
    extension = " ".join(f"{key}={_escaped(value, '=')}" for key, value in said)
    return "|".join([*(_escaped(one, "|") for one in head), extension])


def _key(name: str) -> str:
    """`player_points` as `shoePlayerPoints`."""
    return "shoe" + "".join(part[:1].upper() + part[1:] for part in _NO_KEY.split(name))


def _escaped(text: str, mark: str) -> str:
    r"""`text` with backslashes and `mark` escaped; a line end as `\n`, other control characters as blanks."""
    safe = re.sub(rf"([\\{mark}])", r"\\\1", text)
    return re.sub(r"[\x00-\x1f\x7f-\x9f]", lambda found: _LINE_ENDS.get(found[0], " "), safe)
