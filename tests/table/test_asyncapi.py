"""docs/asyncapi.json is current, and every event that is told is as it says."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoe_daemon.runtime.messages import Projector
from shoe_daemon.table import events as ev
from shoe_daemon.table.codec import Step
from shoe_daemon.table.project import Policy
from tests.table.histories import walk
from tools.asyncapi import FILE, document, text, told

SHAPES = {(one.name, audience): [] for one in told() for audience in one.audiences}  # type: dict[tuple[str, str], list[Any]]
for one in told():
    for audience in one.audiences:
        SHAPES[one.name, audience].append(one.data)


def fits(message: dict[str, Any]) -> bool:
    """Whether an event's data has the shape of its type."""
    wrong = []
    for shape in SHAPES[message["type"], message["audience"]]:
        try:
            msgspec.convert(message["data"], shape)
        except msgspec.ValidationError as error:
            wrong.append(str(error))
        else:
            return True
    raise AssertionError(f"{message['type']}: {wrong}: {message['data']}")


def test_the_file_is_current() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "python -m tools.asyncapi"


def test_every_type_of_every_audience_is_in_it() -> None:
    channels = document()["channels"]
    for kind in ev.REGISTRY.values():
        for audience in ev.AUDIENCES:
            listed = ev.TYPE[kind] in channels[audience]["messages"]
            assert listed or audience not in kind.audiences


def test_every_reference_leads_somewhere() -> None:
    whole = document()

    def look(part: object) -> None:
        if isinstance(part, dict):
            if isinstance(where := part.get("$ref"), str):
                there: Any = whole
                for step in where.removeprefix("#/").split("/"):
                    there = there[step]
            for value in part.values():
                look(value)
        elif isinstance(part, list):
            for value in part:
                look(value)

    look(whole)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), policy=st.sampled_from(["delayed", "immediate"]))
def test_what_is_told_is_as_it_says(seed: int, policy: Policy) -> None:
    made = walk(seed, 100)
    projector = Projector("0" * 26, "T", policy, 8)
    for what, events in made.events:
        for message in projector.project(Step(what, events)):
            assert fits(json.loads(message.body))


ENVELOPE = ("v", "journal", "table", "audience", "seq", "type", "at", "shoe", "coup", "data")


@pytest.mark.parametrize("name", ENVELOPE)
def test_the_envelope_is_required_whole(name: str) -> None:
    for message in document()["components"]["messages"].values():
        assert name in message["payload"]["required"]
