"""Contradictions in a shoe profile, all found before a byte is read.

Each pattern is tried on its example, and every card is written out and read back.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec

from drivers.checks_session import session, timing
from drivers.encoder import can_be_alarm, fill, framed
from drivers.framing import Checksum, Counted, Delimited, Escaped, Framing
from drivers.keyboard import TYPED
from drivers.shapes import Message, ShoeFile, Transport
from drivers.tags import NO_TAG, says_none
from shoe_daemon.game.cards import DECK, RANKS, SUITS
from shoe_daemon.schema import Problem, problem

_GROUPS = {
    "card": frozenset({"rank", "suit", "code", "index", "uid", "slot"}),
    "hello": frozenset[str](),
    "none": frozenset[str](),
    "result": frozenset({"outcome"}),
    "returned": frozenset[str](),
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
    found = [*_beyond_latin1(file), *_options(file)]
    if not found:
        found = [*_transport(file.transport), *_framing(file), *_checksum(file.checksum)]
        found += [*_codes(file), *_patterns(file), *_numbered(file), *session(file), *timing(file)]
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
    del plain["meta"], plain["options"]
    tables = ((table, values) for table, values in plain.items() if values is not None)
    for table, values in tables:
        for key, value in values.items():
            if not str(value).isascii() and any(ord(char) > 0xFF for char in str(value)):  # noqa: PLR2004 - Latin-1
                yield f"{table}.{key}", "has a character that is no single byte (Latin-1)"


def _options(file: ShoeFile) -> Found:
    """Settings that nobody would look at."""
    if file.meta.driver == "profile":
        for key in file.options:
            yield f"options.{key}", "this driver has none"


def _transport(transport: Transport) -> Found:
    """A serial line has a speed; a keyboard has none of a line's settings."""
    if transport.kind == "serial":
        if transport.baud is None:
            yield "transport.baud", "missing key: a serial line has a speed"
        return
    for key in ("baud", "bits", "parity", "stop"):
        if getattr(transport, key) != getattr(Transport(), key):
            yield f"transport.{key}", "a keyboard has no such setting"


def _framing(file: ShoeFile) -> Found:
    framing = file.framing
    if isinstance(framing, Delimited):
        yield from _lines(framing)
    elif isinstance(framing, Counted):
        yield from _counted(framing, file.checksum)
    elif isinstance(framing, Escaped) and len({framing.start, framing.end, framing.escape}) < 3:  # noqa: PLR2004 - the three
        yield "framing.escape", "start, end and escape must be three different bytes"
    if file.transport.baud is not None:
        byte_ms = 1000 * _BITS_OF_A_BYTE / file.transport.baud
        if framing.idle_ms < 2 * byte_ms:
            yield "framing.idle_ms", f"two bytes at {file.transport.baud} baud take {2 * byte_ms:.0f} ms"
    if file.transport.bits == 7 and (_beyond_ascii(framing) or _raw(file.checksum)):  # noqa: PLR2004 - bits
        yield "transport.bits", "7 bits cannot carry these frames: they have bytes over 7F"


def _beyond_ascii(framing: Framing) -> bool:
    return not isinstance(framing, Delimited) or not framing.start.isascii()


def _raw(checksum: Checksum | None) -> bool:
    return checksum is not None and checksum.encoding == "raw"


def _lines(framing: Delimited) -> Found:
    if not framing.ends:
        yield "framing.ends", "names no line end: no frame would ever be whole"
    if len(set(framing.ends)) < len(framing.ends):
        yield "framing.ends", "names a line end twice"
    for end in sorted(set(framing.ends) & set(framing.strip)):
        yield "framing.strip", f"{end!r} both ends a frame and is dropped around it"
    for end in sorted(set(framing.ends) & set(framing.start)):
        yield "framing.start", f"{end!r} both ends a frame and starts one"


def _counted(framing: Counted, checksum: Checksum | None) -> Found:
    if framing.length_at < len(framing.start):
        yield "framing.length_at", "lies within the start of the frame"
    if framing.min_bytes > framing.max_bytes:
        yield "framing.min_bytes", f"is above max_bytes, {framing.max_bytes}"
    tail = len(framing.end) + (checksum.size if checksum else 0)
    least = framing.length_at + framing.length_bytes + tail + 1
    if framing.min_bytes < least:
        yield "framing.min_bytes", f"a frame with any text has at least {least} bytes"
    most = (1 << 8 * framing.length_bytes) - 1 + framing.adds
    if framing.max_bytes > most:
        yield "framing.max_bytes", f"the length can say {most} at most"


def _checksum(checksum: Checksum | None) -> Found:
    if checksum is None:
        return
    given = {key: getattr(checksum, key) is not None for key in ("poly", "init", "reflected", "xorout")}
    for key, there in given.items():
        if there and checksum.kind != "crc16":
            yield f"checksum.{key}", f"{checksum.kind} has no use for it"
        elif not there and checksum.kind == "crc16":
            yield f"checksum.{key}", "crc16 needs it: the catalogues of CRCs list them"
    if checksum.separator and checksum.encoding == "raw":
        yield "checksum.separator", "stands before hexadecimal digits alone"


def _codes(file: ShoeFile) -> Found:
    cards = file.cards
    if len(cards.tables) != 1:
        given = ", ".join(cards.tables) or "none"
        yield "cards", f"wants one table: ranks and suits, codes, numbers or uids; given: {given}"
        return
    uids = "uids" if cards.uid_file is None else "uid_file"
    for key, table in (("codes", cards.codes), (uids, cards.uids)):
        if table:
            for card in sorted(set(DECK) - set(table.values()), key=DECK.index):
                yield f"cards.{key}", f"{card} has no code: it could never be read"
    for uid in cards.uids:
        if says_none(uid):
            yield f"cards.uids.{uid}", NO_TAG
    if cards.numbers is not None and len(set(cards.numbers.suits)) < len(SUITS):
        yield "cards.numbers.suits", "names a suit twice"
    if "ranks" in cards.tables:
        yield from _parts(file)


def _parts(file: ShoeFile) -> Found:
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
        for group in sorted(groups - _GROUPS[message.event] - {"seq"}):
            yield f"{key}.match", f"{message.event} has no use for a group named {group}"
        if message.event == "card":
            for group in sorted(set(file.cards.groups) - groups):
                yield f"{key}.match", f"a card needs a group named {group}"
            for group in sorted(groups & _GROUPS["card"] - {"slot"} - set(file.cards.groups)):
                yield f"{key}.match", f"no card is looked up by a group named {group}"
        yield from _constants(key, message, groups)


def _numbered(file: ShoeFile) -> Found:
    for place, message in enumerate(file.messages):
        try:
            there = "seq" in message.pattern().groupindex
        except re.error:
            continue
        if there != (file.semantics.sequence is not None):
            words = (
                "needs a group named seq"
                if not there
                else "has a group named seq, and frames are not numbered"
            )
            yield f"messages[{place}].match", f"{words}: see semantics.sequence"


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
        example = fill(file, message, values)
        text = framed(file, example).text
    except ValueError as error:
        return str(error)
    if file.transport.kind == "hid" and (odd := bytes(sorted(set(example) - TYPED))):
        return f"no key types {odd.decode('latin-1')!r}"
    for other, earlier in enumerate(file.messages[: place + 1]):
        match = earlier.pattern().fullmatch(text)
        if match is not None and other < place:
            return f"messages[{other}] reads {example!r} first"
        if match is not None and all(
            match[name] == value.encode("latin-1") for name, value in values.items()
        ):
            return None
    return f"the pattern does not read {example!r}"


def _alarms(file: ShoeFile) -> Found:
    for code in file.semantics.unread_alarms:
        if not any(can_be_alarm(file, message, code) for message in file.messages):
            yield "semantics.unread_alarms", f"no alarm can have the code {code!r}"
    pair = file.semantics.unread_alarms and any(message.event == "unread" for message in file.messages)
    if file.semantics.coalesce_ms and not pair:
        yield "semantics.coalesce_ms", "needs an unread message and an alarm that means one"


def _cards(file: ShoeFile) -> Found:
    """Each card in each spelling must be read back as that card, and be seen as card-like when damaged."""
    cards = file.cards
    like = None if cards.like is None else re.compile(cards.like.encode("latin-1"), re.DOTALL)
    for place, message in enumerate(file.messages):
        if message.event != "card":
            continue
        if like is not None and like.search(message.example.encode("latin-1")) is None:
            yield "cards.like", f"{cards.like!r} is not in the example of messages[{place}]"
        for codes in cards.faces:
            values = {name: code.decode("latin-1") for name, code in zip(cards.groups, codes, strict=True)}
            words = _misread(file, place, values)
            if words is not None:
                named = " ".join(f"{name} {value!r}" for name, value in values.items())
                yield f"messages[{place}].match", f"{named}: {words}"
