"""Frames as the shoe of a profile sends them, made from the examples of its messages."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from drivers.framing import Checksum, Counted, Delimited, Escaped, Fixed, Frame, framer_of
from drivers.framing.checksums import writer
from drivers.shapes import Message, ShoeFile
from shoe_daemon.game.cards import Card, Slot


def framed(file: ShoeFile, example: bytes) -> Frame:
    """The one frame that `example` is. Raises ValueError unless it is one whole frame."""
    framer = framer_of(file.framing, file.checksum)
    found = framer.feed(example, 0)
    if not found and isinstance(file.framing, Delimited):
        raise ValueError("the example has no line end")
    found += framer.reset()
    if len(found) > 1:
        raise ValueError("the example is more than one frame")
    if not found:
        raise ValueError("the example is no whole frame")
    match found[0].fault:
        case "":
            return found[0]
        case "too_long":
            raise ValueError(f"the example is longer than {file.framing.max_bytes} bytes")  # type: ignore[union-attr]  # only these are too long
        case "bad_checksum":
            raise ValueError("the checksum of the example does not fit")
        case _:
            raise ValueError("the example is no whole frame")


def fill(file: ShoeFile, message: Message, values: Mapping[str, str]) -> bytes:
    """Write the example of `message`, whole, with its named groups replaced by `values`.

    Raises ValueError where the example does not match its own pattern or lacks a group.
    """
    example = message.example.encode("latin-1")
    text = framed(file, example).text
    found = message.pattern().fullmatch(text)
    if found is None:
        raise ValueError("the example does not match its own pattern")
    for name in values:
        if name not in found.re.groupindex or found.start(name) < 0:
            raise ValueError(f"the example has no {name}")
    filled = text
    for name, value in sorted(values.items(), key=lambda item: found.start(item[0]), reverse=True):
        first, last = found.span(name)
        filled = filled[:first] + value.encode("latin-1") + filled[last:]
    return _written(file, example, text, filled)


def _written(file: ShoeFile, example: bytes, was: bytes, text: bytes) -> bytes:
    """Put `text` where `was` stands in `example`; length, checksum and escapes follow it."""
    return _writing(file, example, was)(text)


def _writing(file: ShoeFile, example: bytes, was: bytes) -> Callable[[bytes], bytes]:
    """What puts a text where `was` stands in `example`."""
    framing, checked = file.framing, _checked(file.checksum)
    size = file.checksum.size if file.checksum else 0
    match framing:
        case Delimited():
            before = example[: example.rindex(was)]
            after = example[len(before) + len(was) + size :]
            return lambda text: before + checked(text) + after
        case Counted():
            head, tail = example[: framing.length_at], framing.end.encode("latin-1")
            wide, order = framing.length_bytes, framing.order
            more = len(head) + wide + size + len(tail) - framing.adds
            return lambda text: checked(head + (len(text) + more).to_bytes(wide, order) + text) + tail
        case Fixed():
            start, end = framing.start.encode("latin-1"), framing.end.encode("latin-1")
            return lambda text: checked(start + text) + end
        case Escaped():
            start, end = framing.start.encode("latin-1"), framing.end.encode("latin-1")
            escape = _escape(framing)
            return lambda text: start + b"".join(map(escape, checked(start + text)[1:])) + end


def _checked(checksum: Checksum | None) -> Callable[[bytes], bytes]:
    """What puts the checksum behind bytes."""
    if checksum is None:
        return lambda covered: covered
    told, skip = writer(checksum), checksum.skip
    return lambda covered: covered + told(covered[skip:])


def framing_of(file: ShoeFile) -> Callable[[bytes], bytes]:
    """What puts a text into a frame of the profile's own kind. Raises ValueError where no example is one."""
    example = file.messages[0].example.encode("latin-1")
    was = framed(file, example).text
    return _writing(file, example, was)


def frame_of(file: ShoeFile, text: bytes) -> bytes:
    """A frame of the profile's own kind around `text`. Raises ValueError as `framing_of`."""
    return framing_of(file)(text)


def _escape(framing: Escaped) -> Callable[[int], bytes]:
    special = {ord(one) for one in (framing.start, framing.end, framing.escape)}
    escape = framing.escape.encode("latin-1")
    return lambda byte: escape + bytes([byte ^ framing.xor]) if byte in special else bytes([byte])


def can_be_alarm(file: ShoeFile, message: Message, code: str) -> bool:
    """Whether a frame of `message` can be the alarm `code`."""
    if message.event != "alarm" or message.code is not None:
        return message.event == "alarm" and message.code == code
    try:
        text = framed(file, fill(file, message, {"code": code})).text
    except ValueError:
        return False
    match = message.pattern().fullmatch(text)
    return match is not None and match["code"] == code.encode("latin-1")


_Filling = tuple[Message, dict[str, str]]
"""A message with the values of its groups."""


def _filling(message: Message, **values: str) -> _Filling:
    return message, values


class ProfileEncoder:
    """Writes what a shoe of `profile` would send."""

    def __init__(self, profile: ShoeFile) -> None:
        self._profile = profile
        self._unread_alarms = profile.semantics.unread_alarms
        self._coalesces = profile.semantics.coalesce_ms > 0
        self._messages = profile.messages
        self._numbered = profile.semantics.sequence
        self._number = 0
        self._card = next(message for message in profile.messages if message.event == "card")

    @property
    def tagged(self) -> bool:
        """Whether each card has a tag of its own, and its spellings are those of several cards."""
        return bool(self._profile.cards.uids)

    def forms(self, card: Card) -> int:
        """How many spellings `card` has in this profile (10 and T are two, two tags of one face as well)."""
        return len(self._profile.cards.spellings[card])

    def encode_card(self, card: Card, form: int = 0, slot: Slot | None = None) -> bytes:
        """Frame of `card` in its spelling number `form`, counted from 0, read at `slot` if it tells."""
        cards = self._profile.cards
        codes = dict(zip(cards.groups, cards.spellings[card][form], strict=True))
        if slot is not None and (places := self._profile.semantics.slots):
            codes["slot"] = next(code for code, slots in places.items() if slot in slots)
        return self._filled(self._card, codes)

    def _filled(self, message: Message, values: Mapping[str, str]) -> bytes:
        """The frame of `message`, with the next number where frames are numbered."""
        if self._numbered is not None:
            self._number = (self._number + 1) % (1 << self._numbered.bits)
            values = {**values, "seq": self._numbered.write(self._number)}
        return fill(self._profile, message, values)

    @cached_property
    def _unread(self) -> tuple[tuple[_Filling, ...], ...]:
        """Every way in which a shoe of this profile may tell of one unread card."""
        lines = [_filling(one) for one in self._messages if one.event == "unread"][:1]
        alarms = [*self._alarms()][:1]
        alone: list[tuple[_Filling, ...]] = [(one,) for one in lines + alarms]
        return (*alone, *([(lines[0], alarms[0])] if lines and alarms and self._coalesces else []))

    @property
    def unread_signs(self) -> int:
        """In how many ways a shoe of this profile may tell of one unread card; 0: in none."""
        return len(self._unread)

    def encode_unread(self, sign: int = 0) -> tuple[bytes, ...]:
        """The frames, one or two, that tell of an unread card in way number `sign`, counted from 0."""
        return tuple(self._filled(message, values) for message, values in self._unread[sign])

    def _alarms(self) -> Iterator[_Filling]:
        """Alarms that mean an unread card."""
        for message in self._messages:
            for code in self._unread_alarms:
                if can_be_alarm(self._profile, message, code):
                    yield _filling(message) if message.code is not None else _filling(message, code=code)
