"""Frames as the shoe of a profile sends them, made from the examples of its messages."""

from collections.abc import Mapping

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


class ProfileEncoder:
    """Writes what a shoe of `profile` would send."""

    def __init__(self, profile: ShoeFile) -> None:
        self._framing = profile.framing
        self._cards = profile.cards
        self._unread_alarms = profile.semantics.unread_alarms
        self._messages = {message.event: message for message in reversed(profile.messages)}

    def forms(self, card: Card) -> int:
        """How many spellings `card` has in this profile (10 and T are two)."""
        return len(self._cards.ranks[rank(card)]) * len(self._cards.suits[card[-1]])

    def encode_card(self, card: Card, form: int = 0) -> bytes:
        """Frame of `card` in its spelling number `form`, counted from 0."""
        by_rank, by_suit = divmod(form, len(self._cards.suits[card[-1]]))
        codes = {"rank": self._cards.ranks[rank(card)][by_rank], "suit": self._cards.suits[card[-1]][by_suit]}
        return fill(self._framing, self._messages["card"], codes)

    def encode_unread(self) -> bytes:
        """Frame of a card that went by unread. Raises KeyError where the profile has no such message."""
        return fill(self._framing, self._messages["unread"], {})

    def encode_unread_alarm(self) -> bytes:
        """Frame of the first alarm that also means an unread card. Raises LookupError where there is none."""
        return fill(self._framing, self._messages["alarm"], {"code": self._unread_alarms[0]})
