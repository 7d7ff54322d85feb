"""Contradictions in what a profile sends to its device, and in what it makes of times and places."""

import re
from collections.abc import Iterator

from drivers.replies import SEQ
from drivers.shapes import ShoeFile
from shoe_daemon.game.cards import INITIAL

_SLOTS = {*INITIAL, "P3", "B3"}


def session(file: ShoeFile) -> Iterator[tuple[str, str]]:
    """Dotted key and what is wrong with it, of what is sent."""
    said = file.session
    if file.transport.kind == "hid":
        for key in ("hello", "ack", "nak", "replay", "poll"):
            if getattr(said, key) is not None:
                yield f"session.{key}", "nothing can be sent to a scanner that types"
    if said.nak is not None and file.cards.like is None:
        yield "session.nak", "needs cards.like: only what may have been a card is asked for again"
    if said.nak is not None and file.semantics.sequence is None and said.again_ms > file.semantics.min_gap_ms:
        words = "the next card could be taken for the damaged one sent again"
        yield "session.again_ms", f"{words}: number the frames, or let it end within semantics.min_gap_ms"
    if (said.poll is None) != (said.poll_ms == 0):
        yield "session.poll", "goes with poll_ms, and poll_ms with it"
    if said.silence_ms and said.silence_ms <= said.poll_ms:
        yield "session.silence_ms", f"is over before the device is asked: poll_ms is {said.poll_ms}"
    if said.boot is not None:
        try:
            re.compile(said.boot)
        except re.error as error:
            yield "session.boot", f"is no regular expression: {error}"
    yield from _numbers(file)


def _numbers(file: ShoeFile) -> Iterator[tuple[str, str]]:
    said, numbered = file.session, file.semantics.sequence is not None
    for key in ("hello", "poll", "nak"):
        if SEQ in (getattr(said, key) or ""):
            yield f"session.{key}", f"{SEQ} has no number to stand for here"
    if said.ack is not None and SEQ in said.ack and not numbered:
        yield "session.ack", f"{SEQ} needs numbered frames: see semantics.sequence"
    if said.ack is not None and not numbered and not file.semantics.min_gap_ms:
        words = "a frame sent again because this got lost looks like a second card"
        yield "session.ack", f"{words}: number the frames, or set semantics.min_gap_ms"
    if said.replay is not None and not (numbered and SEQ in said.replay):
        yield "session.replay", f"asks for a frame by its number: it needs {SEQ} and semantics.sequence"


def timing(file: ShoeFile) -> Iterator[tuple[str, str]]:
    """Dotted key and what is wrong with it, of times between cards, tags and places."""
    semantics = file.semantics
    if semantics.same_tag_ms and not file.cards.uids:
        yield "semantics.same_tag_ms", "tells one card from another by its tag: it needs cards.uids"
    if semantics.slots and semantics.min_gap_ms:
        yield "semantics.min_gap_ms", "a card that tells its place needs none: the same place twice is seen"
    for slot in sorted(_SLOTS - {slot for slots in semantics.slots.values() for slot in slots}):
        if semantics.slots:
            yield "semantics.slots", f"no code stands for {slot}: a card could never lie there"
    for place, message in enumerate(file.messages):
        if message.event != "card":
            continue
        try:
            told = "slot" in message.pattern().groupindex
        except re.error:
            continue
        if told != bool(semantics.slots):
            words = "needs a group named slot" if not told else "has a group named slot, and no places"
            yield f"messages[{place}].match", f"{words}: see semantics.slots"
    yield from _outcomes(file)


def _outcomes(file: ShoeFile) -> Iterator[tuple[str, str]]:
    """Each winner can be told, and what tells one says which."""
    told = {place: one for place, one in enumerate(file.messages) if one.event == "result"}
    outcomes = file.semantics.outcomes
    if bool(told) != bool(outcomes):
        yield "semantics.outcomes", "goes with a message `result`, and that with it"
    for outcome in ("player", "banker", "tie"):
        if outcomes and outcome not in outcomes.values():
            yield "semantics.outcomes", f"no code stands for {outcome}"
    for place, message in told.items():
        try:
            if "outcome" not in message.pattern().groupindex:
                yield f"messages[{place}].match", "needs a group named outcome: see semantics.outcomes"
        except re.error:
            continue
