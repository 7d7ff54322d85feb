"""Finished accounts to explain: random histories, traces, single messages, and pages of them.

`python -m tests.clients.accounts` writes the pages anew: read each as an inspector would before it is kept.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from hypothesis import strategies as st

from shoe_daemon.clients.explaining.facts import explain
from shoe_daemon.clients.explaining.text import page
from shoe_daemon.clients.told import Clock, Told, decode
from shoe_daemon.game.cards import Card
from shoe_daemon.runtime.messages import Projector
from shoe_daemon.runtime.replay import JOURNAL, replay
from shoe_daemon.table.codec import Step
from shoe_daemon.table.events import SURVEILLANCE, TYPE, Event
from shoe_daemon.table.irregularities import ROWS
from shoe_daemon.table.project import Policy, data_fields
from shoe_daemon.table.remedies import REMEDIES
from shoe_daemon.table.verbs import VERBS
from tests.table.histories import Walk

TRACES: Final = Path(__file__).resolve().parents[1] / "traces"
PAGES: Final = Path(__file__).resolve().parent / "explained"
GOLDEN: Final = ("drawn-before-reveal-1", "excess-undisclosed-2", "revisions-1", "unread-1", "void-1")
"""Traces with the number of a coup."""
AT: Final = "1970-01-01T00:00:01.000000Z"
"""When a single message was told."""
_NAMED: Final[dict[str, Sequence[str]]] = {"code": [*ROWS], "remedy": [*REMEDIES], "verb": [*VERBS]}
_VOLATILE: Final = re.compile(r"[0-9a-f]{64}|(?<=shoe-daemon )[0-9.]+")


def of_walk(walk: Walk, policy: Policy) -> list[Told]:
    projector = Projector(JOURNAL, "T", policy, walk.setup.decks)
    return [
        decode(message.body)
        for what, events in walk.events
        for message in projector.project(Step(what, events))
    ]


def of_trace(name: str) -> list[Told]:
    return of_file(TRACES / f"{name}.capture.jsonl")


def of_file(capture: Path) -> list[Told]:
    with capture.open("rb") as lines:
        return [decode(message.body) for step in replay(lines) for message in step]


def golden(name: str) -> str:
    """The page of a coup of a trace, without hashes and version."""
    trace, _, coup = name.rpartition("-")
    told = [message for message in of_trace(trace) if message.shoe == 1]
    facts = explain(told, 1, int(coup), delayed=True)
    lines = page(facts, Clock(counted=True), f"{trace}.capture.jsonl")
    return _VOLATILE.sub("…", "\n".join(lines)) + "\n"


def played(path: Path, *lines: str | dict[str, object], **first: object) -> list[Told]:
    """What is told of a capture: a face that the shoe reads, `?` for one it cannot, or a command."""
    head = {"t": 0, "profile": "beetek-rs232", "rules": "nsw", "procedure": "dealer-reveal", **first}
    capture = [json.dumps(head)]
    for place, line in enumerate(lines, start=1):
        if isinstance(line, str):
            frame = "<Game>" if line == "?" else f"<Card:{line}>"
            capture.append(json.dumps({"t": place, "rx": f" [Game]{frame} \r\n".encode().hex()}))
        else:
            capture.append(json.dumps(line | {"t": place}))
    file = path / "c.jsonl"
    file.write_text("\n".join(capture), encoding="utf-8")
    return of_file(file)


def say(verb: str, actor: str = "dealer:17", **args: object) -> dict[str, object]:
    return {"cmd": {"verb": verb, "actor": actor, "args": args}}


def value_of(name: str, hint: Any) -> st.SearchStrategy[Any]:  # noqa: ANN401 - a type
    """What field `name` of a message may bear, as JSON gives it."""
    inside = get_args(hint)
    match get_origin(hint):
        case origin if origin in {Union, UnionType}:
            return st.one_of(*(value_of(name, one) for one in inside))
        case origin if origin is Literal:
            return st.sampled_from(inside)
        case origin if origin is tuple:
            return st.lists(value_of(name, inside[0]), max_size=3)
        case origin if origin is dict:
            return st.just({})
        case _:
            return plain_value(name, hint)


def plain_value(name: str, hint: Any) -> st.SearchStrategy[Any]:  # noqa: ANN401 - a type
    """The same for a type that has no others inside it, a record, or the key of a wager."""
    if hint in {str, Card}:
        return st.sampled_from(_NAMED.get(name, ["5S" if hint is Card else "words"]))
    if issubclass(hint, msgspec.Struct | tuple):
        fields = {one: value_of(one, of) for one, of in get_type_hints(hint).items()}
        return st.tuples(*fields.values()) if issubclass(hint, tuple) else st.fixed_dictionaries(fields)
    plain = {int: st.integers(1, 9), float: st.floats(-9, 9), bool: st.booleans(), type(None): st.none()}
    return plain.get(hint, st.just("00"))


def data_of(kind: type[Event], audience: str) -> st.SearchStrategy[dict[str, Any]]:
    """Data that a message of `kind` may bear for `audience`."""
    hints = get_type_hints(kind)
    own = [name for name in kind.__struct_fields__ if name not in {"shoe", "coup", *kind.internal}]
    data = {
        told: st.just(AT) if name in kind.times else value_of(name, hints[name])
        for name, told in zip(own, data_fields(kind), strict=True)
        if audience in kind.only.get(name, kind.audiences)
    }
    if TYPE[kind] == "shoe.burned_cards":
        data = {"cards": st.lists(st.sampled_from(["5S", None]))}
    if TYPE[kind] == "device.alarm":
        data["code"] = st.sampled_from(["E3", None])
    if audience == SURVEILLANCE:
        data.setdefault("actor", st.sampled_from(["supervisor:3", None]))
    made = st.fixed_dictionaries(data)
    return made.filter(may_be) if TYPE[kind] == "notice.posted" else made


def may_be(notice: dict[str, Any]) -> bool:
    """Whether what a sign says is of the kind that it says it of (docs/events.md)."""
    wanted = {"minimum": int, "game": str}.get(notice["what"])
    return wanted is None or (isinstance(notice["to"], wanted) and isinstance(notice["from"], wanted))


if __name__ == "__main__":
    for chosen in GOLDEN:
        (PAGES / f"{chosen}.txt").write_text(golden(chosen), encoding="utf-8")
