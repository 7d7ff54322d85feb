"""Contradictions in a shoe profile, all found before a byte is read.

Each pattern is tried on its example, and every card is written out and read back.
"""

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec

from drivers.encoder import bounds, can_be_alarm, fill
from drivers.shapes import Message, ShoeFile
from shoe_daemon.game.cards import RANKS, SUITS
from shoe_daemon.schema import Problem, problem

_GROUPS = {
    "card": frozenset({"rank", "suit"}),
    "unread": frozenset[str](),
    "button": frozenset[str](),
    "alarm": frozenset({"code", "text"}),
    "warning": frozenset({"code", "text"}),
}
_BITS_OF_A_BYTE = 10
"""On the wire: a start bit, eight or seven and parity, a stop bit."""

Found = Iterator[tuple[str, str]]
"""Dotted key and what is wrong with it."""


def contradictions(file: ShoeFile, text: str, source: str) -> list[Problem]:
    """Everything in `file` that cannot be meant; `text` is its TOML, for line numbers."""
    found = list(_beyond_latin1(file))
    if not found:
        found = [*_framing(file), *_codes(file), *_patterns(file)]
    if not found:
        found = [*_examples(file), *_alarms(file)]
    if not found:
        found = list(_cards(file))
    return [problem(text, source, key, words) for key, words in found]


def _beyond_latin1(file: ShoeFile) -> Found:
    """Text that is no sequence of bytes."""
    plain = msgspec.to_builtins(file)
    for place, message in enumerate(plain.pop("messages")):
        plain[f"messages[{place}]"] = message
    del plain["meta"]
    for table, values in plain.items():
        for key, value in values.items():
            if not str(value).isascii() and any(ord(char) > 0xFF for char in str(value)):  # noqa: PLR2004 - Latin-1
                yield f"{table}.{key}", "has a character that is no single byte (Latin-1)"


def _framing(file: ShoeFile) -> Found:
    framing = file.framing
    if not framing.ends:
        yield "framing.ends", "names no line end: no frame would ever be whole"
    if len(set(framing.ends)) < len(framing.ends):
        yield "framing.ends", "names a line end twice"
    for end in sorted(set(framing.ends) & set(framing.strip)):
        yield "framing.strip", f"{end!r} both ends a frame and is dropped around it"
    byte_ms = 1000 * _BITS_OF_A_BYTE / file.transport.baud
    if framing.idle_ms < 2 * byte_ms:
        yield "framing.idle_ms", f"two bytes at {file.transport.baud} baud take {2 * byte_ms:.0f} ms"


def _codes(file: ShoeFile) -> Found:
    for key, names, table in (
        ("cards.ranks", RANKS, file.cards.ranks),
        ("cards.suits", SUITS, file.cards.suits),
    ):
        for name in names:
            if not table.get(name):
                yield key, f"{name} has no code: it could never be read"
        uses = Counter(code for codes in table.values() for code in codes)
        for code in [code for code, count in uses.items() if count > 1]:
            owners = [name for name, codes in table.items() if code in codes]
            yield key, f"code {code!r} is given more than once: {', '.join(owners)}"


def _patterns(file: ShoeFile) -> Found:
    if not any(message.event == "card" for message in file.messages):
        yield "messages", "no message is a card"
    for place, message in enumerate(file.messages):
        key = f"messages[{place}]"
        try:
            groups = set(message.pattern().groupindex)
        except re.error as error:
            yield f"{key}.match", f"is no regular expression: {error}"
            continue
        for group in sorted(groups - _GROUPS[message.event]):
            yield f"{key}.match", f"{message.event} has no use for a group named {group}"
        if message.event == "card":
            for group in sorted(_GROUPS["card"] - groups):
                yield f"{key}.match", f"a card needs a group named {group}"
        yield from _constants(key, message, groups)


def _constants(key: str, message: Message, groups: set[str]) -> Found:
    """`code` and `text` come from the frame or from the profile, not from both."""
    for name, constant in (("code", message.code), ("text", message.text)):
        if constant is not None and name not in _GROUPS[message.event]:
            yield f"{key}.{name}", f"{message.event} has no use for it"
        elif constant is not None and name in groups:
            yield f"{key}.{name}", f"the pattern already has a group named {name}"
    if (message.event == "button") != (message.button is not None):
        yield f"{key}.button", "goes with the event button, and the event button with it"
    if message.event in ("alarm", "warning") and not groups and message.code is None and message.text is None:
        yield f"{key}.match", f"{message.event} says nothing: it needs a code or a text"


def _examples(file: ShoeFile) -> Found:
    for place in range(len(file.messages)):
        words = _misread(file, place, {})
        if words is not None:
            yield f"messages[{place}].example", words


def _misread(file: ShoeFile, place: int, values: Mapping[str, str]) -> str | None:
    """Why message `place` does not read its example with `values` filled in, or None."""
    message = file.messages[place]
    try:
        example = fill(file.framing, message, values)
        start, stop = bounds(file.framing, example)
    except ValueError as error:
        return str(error)
    for other, earlier in enumerate(file.messages[: place + 1]):
        match = earlier.pattern().fullmatch(example[start:stop])
        if match is not None and other < place:
            return f"messages[{other}] reads {example!r} first"
        if match is not None and all(
            match[name] == value.encode("latin-1") for name, value in values.items()
        ):
            return None
    return f"the pattern does not read {example!r}"


def _alarms(file: ShoeFile) -> Found:
    for code in file.semantics.unread_alarms:
        if not any(can_be_alarm(file.framing, message, code) for message in file.messages):
            yield "semantics.unread_alarms", f"no alarm can have the code {code!r}"
    pair = file.semantics.unread_alarms and any(message.event == "unread" for message in file.messages)
    if file.semantics.coalesce_ms and not pair:
        yield "semantics.coalesce_ms", "needs an unread message and an alarm that means one"


def _cards(file: ShoeFile) -> Found:
    """Each card in each spelling must be read back as that card, and be seen as card-like when damaged."""
    like = file.cards.like.encode("latin-1")
    ranks = [code for codes in file.cards.ranks.values() for code in codes]
    suits = [code for codes in file.cards.suits.values() for code in codes]
    for place, message in enumerate(file.messages):
        if message.event != "card":
            continue
        if like not in message.example.encode("latin-1"):
            yield "cards.like", f"{file.cards.like!r} is not in the example of messages[{place}]"
        for rank_code, suit_code in itertools.product(ranks, suits):
            words = _misread(file, place, {"rank": rank_code, "suit": suit_code})
            if words is not None:
                yield f"messages[{place}].match", f"rank {rank_code!r} suit {suit_code!r}: {words}"
