"""Frames as the shoe of a profile sends them, made from the examples of its messages."""

from collections.abc import Iterator, Mapping

from drivers.shapes import Framing, Message, ShoeFile
from shoe_daemon.game.cards import Card, rank


def bounds(framing: Framing, example: bytes) -> tuple[int, int]:
    """Start and stop of the frame in `example`. Raises ValueError unless it is one frame with a line end."""
    ends = framing.end_bytes()
    body = example.rstrip(ends)
    if body == example:
        raise ValueError("the example has no line end")
    if any(end in body for end in ends):
        raise ValueError("the example is more than one frame")
    if len(body) > framing.max_bytes:
        raise ValueError(f"the example is longer than {framing.max_bytes} bytes")
    frame = body.strip(framing.strip_bytes())
    start = body.index(frame)
    return start, start + len(frame)


def fill(framing: Framing, message: Message, values: Mapping[str, str]) -> bytes:
    """Write the example of `message`, whole, with its named groups replaced by `values`.

    Raises ValueError where the example does not match its own pattern or lacks a group.
    """
    example = message.example.encode("latin-1")
    start, stop = bounds(framing, example)
    found = message.pattern().fullmatch(example[start:stop])
    if found is None:
        raise ValueError("the example does not match its own pattern")
    for name in values:
        if name not in found.re.groupindex or found.start(name) < 0:
            raise ValueError(f"the example has no {name}")
    for name, value in sorted(values.items(), key=lambda item: found.start(item[0]), reverse=True):
        first, last = found.span(name)
        example = example[: start + first] + value.encode("latin-1") + example[start + last :]
    return example


def can_be_alarm(framing: Framing, message: Message, code: str) -> bool:
    """Whether a frame of `message` can be the alarm `code`."""
    if message.event != "alarm" or message.code is not None:
        return message.event == "alarm" and message.code == code
    try:
        example = fill(framing, message, {"code": code})
        start, stop = bounds(framing, example)
    except ValueError:
        return False
    match = message.pattern().fullmatch(example[start:stop])
    return match is not None and match["code"] == code.encode("latin-1")


class ProfileEncoder:
    """Writes what a shoe of `profile` would send."""

    def __init__(self, profile: ShoeFile) -> None:
        self._framing = profile.framing
        self._cards = profile.cards
        self._unread_alarms = profile.semantics.unread_alarms
        self._coalesces = profile.semantics.coalesce_ms > 0
        self._messages = profile.messages
        self._card = next(message for message in profile.messages if message.event == "card")

    def forms(self, card: Card) -> int:
        """How many spellings `card` has in this profile (10 and T are two)."""
        return len(self._cards.ranks[rank(card)]) * len(self._cards.suits[card[-1]])

    def encode_card(self, card: Card, form: int = 0) -> bytes:
        """Frame of `card` in its spelling number `form`, counted from 0."""
        by_rank, by_suit = divmod(form, len(self._cards.suits[card[-1]]))
        codes = {"rank": self._cards.ranks[rank(card)][by_rank], "suit": self._cards.suits[card[-1]][by_suit]}
        return fill(self._framing, self._card, codes)

    def unread_signs(self) -> tuple[tuple[bytes, ...], ...]:
        """Every way in which a shoe of this profile may tell of one unread card, as the frames it sends."""
        lines = [fill(self._framing, one, {}) for one in self._messages if one.event == "unread"][:1]
        alarms = [*self._alarms()][:1]
        both = [(lines[0], alarms[0])] if lines and alarms and self._coalesces else []
        return (*((one,) for one in lines + alarms), *both)

    def _alarms(self) -> Iterator[bytes]:
        """Frames of the alarms that mean an unread card."""
        for message in self._messages:
            for code in self._unread_alarms:
                if can_be_alarm(self._framing, message, code):
                    yield fill(self._framing, message, {} if message.code is not None else {"code": code})
