"""docs/asyncapi.json: the feed as AsyncAPI 3 describes it, drawn from the registry of events.

`python -m tools.asyncapi` writes it.
"""

import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import msgspec

from shoe_daemon.game.cards import Card, Slot
from shoe_daemon.table import events as ev
from shoe_daemon.table.inputs import Door

FILE: Final = Path(__file__).parents[1] / "docs" / "asyncapi.json"
VERSION: Final = "1"
"""`v` of every event."""
Optional = msgspec.UnsetType


class _CardDrawn(msgspec.Struct, forbid_unknown_fields=True):
    n: int
    slot: Slot | None
    readable: bool
    card: Card | None
    source: Literal["shoe", "camera", "operator"]
    actor: str | Optional = msgspec.UNSET
    second: str | Optional = msgspec.UNSET


class _BurnedCards(msgspec.Struct, forbid_unknown_fields=True):
    cards: list[Card | None]
    actor: str | Optional = msgspec.UNSET
    second: str | Optional = msgspec.UNSET


class _AlarmRaised(msgspec.Struct, forbid_unknown_fields=True):
    code: str
    n: int | Optional | None = msgspec.UNSET
    what: Door | Literal["listen", "journal", "export"] | Optional | None = msgspec.UNSET
    reason: str | Optional | None = msgspec.UNSET
    actor: str | Optional = msgspec.UNSET
    second: str | Optional = msgspec.UNSET


_MADE: Final[dict[str, type[msgspec.Struct]]] = {
    "card.drawn": _CardDrawn,
    "shoe.burned_cards": _BurnedCards,
    "alarm.raised": _AlarmRaised,
}
"""Data that the projection makes, where it is not the event's own fields (table/project.py)."""


class Told(NamedTuple):
    """One kind of event as the outside sees it.

    `name`: its type; `data`: its shape, in which `actor` and `second` may be.
    """

    name: str
    audiences: tuple[str, ...]
    data: type[msgspec.Struct]
    words: str


def told() -> Iterator[Told]:
    """Every kind of event that is told to somebody; of one type there may be two."""
    for kind in ev.REGISTRY.values():
        if kind.audiences:
            name = ev.TYPE[kind]
            shape = _MADE.get(name) or _shape(kind)
            yield Told(name, kind.audiences, shape, " ".join((inspect.getdoc(kind) or "").split()))


def _shape(kind: type[ev.Event]) -> type[msgspec.Struct]:
    """The data of an event that is told as it is."""
    fields: list[tuple[str, Any, Any]] = []
    renamed: dict[str, str] = {}
    there = set()
    for field in msgspec.structs.fields(kind):
        if field.name in {"shoe", "coup", *kind.internal}:
            continue
        of = _outside(field.type, time=field.name in kind.times)
        there.add(field.name)
        renamed[field.name] = field.encode_name
        if field.name in kind.only or field.name == "actor":
            fields.append((field.name, of | Optional, msgspec.UNSET))
        else:
            fields.append((field.name, of, msgspec.NODEFAULT))
    by = [name for name in ("actor", "second") if name not in there]
    fields += [(name, str | Optional, msgspec.UNSET) for name in by]
    return msgspec.defstruct(
        kind.__name__,
        [(name, of) if default is msgspec.NODEFAULT else (name, of, default) for name, of, default in fields],
        kw_only=True,
        forbid_unknown_fields=True,
        rename=lambda name: renamed.get(name, name),
    )


def _outside(of: Any, *, time: bool) -> Any:  # noqa: ANN401 - a type as an annotation says it
    """The type of a field as it is told: a time and bytes are text, bytes may be withheld."""
    if of is bytes:
        return str | None
    if time:
        return str | None if type(None) in getattr(of, "__args__", ()) else str
    return of


def document() -> dict[str, Any]:
    """The whole description."""
    kinds = list(told())
    by_type: dict[str, list[Told]] = {}
    for one in kinds:
        by_type.setdefault(one.name, []).append(one)
    schemas, shapes = msgspec.json.schema_components(
        [one.data for one in kinds], ref_template="#/components/schemas/{name}"
    )
    of = dict(zip(kinds, schemas, strict=True))
    messages = {
        name: {
            "title": name,
            "summary": " ".join(one.words for one in ones),
            "contentType": "application/json",
            "payload": _envelope(name, [of[one] for one in ones]),
        }
        for name, ones in sorted(by_type.items())
    }
    channels = {
        audience: {
            "address": f"{audience}/{{table}}/{{type}}/",
            "description": f"What {audience} is told: one PUB endpoint, and a ROUTER for what was missed.",
            "parameters": {
                "table": {"description": "The table's id."},
                "type": {"description": "The event's type."},
            },
            "messages": {
                name: {"$ref": f"#/components/messages/{name}"}
                for name, ones in sorted(by_type.items())
                if any(audience in one.audiences for one in ones)
            },
        }
        for audience in ev.AUDIENCES
    }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "shoe-daemon",
            "version": VERSION,
            "description": "The feed of one baccarat table over ZeroMQ: docs/integrating.md.",
        },
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": {
            f"hear_{audience}": {"action": "receive", "channel": {"$ref": f"#/channels/{audience}"}}
            for audience in ev.AUDIENCES
        },
        "components": {"messages": messages, "schemas": shapes},
    }


def _envelope(name: str, data: list[dict[str, Any]]) -> dict[str, Any]:
    number = {"type": ["integer", "null"], "minimum": 1}
    fields: dict[str, Any] = {
        "v": {"const": int(VERSION)},
        "journal": {"type": "string", "pattern": "^[0-9A-HJKMNP-TV-Z]{26}$"},
        "table": {"type": "string"},
        "audience": {"enum": list(ev.AUDIENCES)},
        "seq": {"type": "integer", "minimum": 1},
        "type": {"const": name},
        "at": {"type": "string", "format": "date-time"},
        "shoe": number,
        "coup": number,
        "data": data[0] if len(data) == 1 else {"oneOf": data},
    }
    return {"type": "object", "properties": fields, "required": list(fields)}


def text() -> str:
    """The file."""
    return json.dumps(document(), indent=1, sort_keys=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
    sys.stdout.write(f"{FILE}: written\n")
