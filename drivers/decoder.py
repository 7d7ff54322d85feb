"""Bytes of a shoe to inputs of the table, as a profile says; no I/O and no clock.

The framing cuts frames, the checksum is looked at, and each whole frame is one of the profile's messages or
is rejected; nothing is searched for inside a damaged one. What comes out depends on the bytes and their times
alone: not on how they were cut into chunks, nor on when `tick` was called.
"""

import re
from collections import deque
from collections.abc import Callable

from drivers.framing import Fault, Frame, framer_of
from drivers.profile import ShoeProfile
from drivers.shapes import Message, Sequence
from shoe_daemon.table.inputs import (
    Button,
    CardRead,
    CardUnread,
    DeviceAlarm,
    DeviceInput,
    FrameRejected,
    Rejection,
    SequenceGap,
)
from shoe_daemon.table.sealed import Sealed

_UNPAIRED = 64
"""Unread cards remembered while their second frame may still come; no shoe passes more within the time."""

_Reader = Callable[[re.Match[bytes], int, bytes], DeviceInput | None]


class ProfileDecoder:
    """Decoder of the shoe that `profile` describes. Times are integer microseconds and do not decrease."""

    def __init__(self, profile: ShoeProfile) -> None:
        self._framer = framer_of(profile.framing, profile.checksum)
        like = profile.cards.like
        self._like = None if like is None else re.compile(like.encode("latin-1"), re.DOTALL).search
        self._readers = [(one.pattern().fullmatch, self._reader(one)) for one in profile.messages]
        self._groups = profile.cards.groups
        self._faces = profile.cards.faces
        self._coalesce = _Coalesce(profile.semantics.coalesce_ms * 1000)
        self._unread_alarms = frozenset(profile.semantics.unread_alarms)
        self._numbers = None if (told := profile.semantics.sequence) is None else _Numbers(told)

    @property
    def pending(self) -> bool:
        """Whether bytes of an unfinished frame are held."""
        return self._framer.pending

    def due(self) -> int | None:
        """When the frame held is given up if nothing more comes; None while none is held."""
        return self._framer.due()

    def feed(self, data: bytes, now: int) -> list[DeviceInput]:
        """Read `data`, all of it received at `now`; a frame silent for too long is given up before."""
        return self._meant(self._framer.feed(data, now))

    def tick(self, now: int) -> list[DeviceInput]:
        """Give up a frame whose silence ended at or before `now`."""
        return self._meant(self._framer.tick(now))

    def reset(self, now: int) -> list[DeviceInput]:  # noqa: ARG002 - decoders with timers of their own need it
        """Give the half frame up and forget which unread cards may still find a partner: the line is down."""
        found = self._meant(self._framer.reset())
        self._coalesce.forget()
        if self._numbers is not None:
            self._numbers.forget()
        return found

    def _meant(self, frames: list[Frame]) -> list[DeviceInput]:
        found: list[DeviceInput] = []
        for frame in frames:
            self._read(frame, found)
        return found

    def _read(self, frame: Frame, found: list[DeviceInput]) -> None:
        if frame.fault:
            found.append(self._rejected(frame.fault, frame))
            return
        for fullmatch, read in self._readers:
            match = fullmatch(frame.text)
            if match is not None:
                if self._numbers is not None:
                    number = self._numbers.read(match["seq"])
                    if number is None:
                        break
                    missing = self._numbers.missing(number, frame.text)
                    if missing is None:
                        found.append(FrameRejected(at=frame.at, reason="repeated", raw=frame.raw))
                        return
                    if missing:
                        found.append(SequenceGap(at=frame.at, missing=missing, raw=frame.raw))
                got = read(match, frame.at, frame.raw)
                if got is not None:
                    found.append(got)
                return
        found.append(self._rejected("unmatched", frame))

    def _rejected(self, fault: Fault, frame: Frame) -> FrameRejected:
        like = self._like is not None and self._like(frame.raw) is not None
        reason: Rejection = fault or "unmatched"
        if like and reason == "unmatched":
            reason = "unknown_code"
        if like and self._numbers is not None:
            self._numbers.damaged()
        return FrameRejected(at=frame.at, reason=reason, raw=frame.raw, card_like=like)

    def _reader(self, message: Message) -> _Reader:
        """Give the function that reads a frame which matches `message`."""
        if message.event == "card":
            return self._card
        if message.event == "unread":
            return self._unread
        if message.event == "none":
            return lambda _match, _at, _raw: None
        if message.event == "button":
            name = message.button or ""
            return lambda _, at, raw: Button(at=at, name=name, raw=raw)
        code, text = message.code, message.text or ""
        has_code, has_text = (name in message.pattern().groupindex for name in ("code", "text"))
        may_be_unread = message.event == "alarm"

        def alarm(match: re.Match[bytes], at: int, raw: bytes) -> DeviceInput:
            said = _text(match, "code") if has_code else code
            unread = may_be_unread and said in self._unread_alarms and self._coalesce.counts("alarm", at)
            words = (_text(match, "text") or "") if has_text else text
            return DeviceAlarm(at=at, code=said, text=words, raw=raw, unread=unread)

        return alarm

    def _card(self, match: re.Match[bytes], at: int, raw: bytes) -> DeviceInput:
        face = self._faces.get(tuple(match[group] for group in self._groups))
        if face is None:
            return FrameRejected(at=at, reason="unknown_code", raw=raw, card_like=True)
        return CardRead(at=at, face=Sealed(face), raw=raw)

    def _unread(self, match: re.Match[bytes], at: int, raw: bytes) -> DeviceInput | None:  # noqa: ARG002 - a _Reader
        return CardUnread(at=at, raw=raw) if self._coalesce.counts("unread", at) else None


def _text(match: re.Match[bytes], group: str) -> str | None:
    value = match[group]
    return None if value is None else value.decode("latin-1")


class _Numbers:
    """The numbers of a device's frames. A frame that could not be read had one too, and took its place."""

    def __init__(self, told: Sequence) -> None:
        self._told = told
        self._last: int | None = None
        self._text = b""
        self._damaged = 0

    def damaged(self) -> None:
        """A frame came that could not be read, and was told as one that may have been a card."""
        self._damaged += 1

    def read(self, told: bytes | None) -> int | None:
        """The number in a frame; None where it has none."""
        try:
            return None if told is None else self._told.number(told)
        except ValueError:
            return None

    def missing(self, number: int, text: bytes) -> int | None:
        """How many frames are missing before this one; None where it is the last one again.

        Another frame under the last one's number: all numbers went by, or the device counts anew.
        """
        last, said, damaged = self._last, self._text, self._damaged
        self._last, self._text, self._damaged = number, text, 0
        if last is None:
            return 0
        if number == last and text == said:
            return None
        step = (number - last - 1) % (1 << self._told.bits)
        return max(step - damaged, 0)

    def forget(self) -> None:
        """The device may begin anew."""
        self._last, self._damaged = None, 0


class _Coalesce:
    """Two frames for one unread card: the first counts, its partner of the other kind soon after does not."""

    def __init__(self, within: int) -> None:
        self._within = within
        self._kind = ""
        self._waiting: deque[int] = deque(maxlen=_UNPAIRED)

    def counts(self, kind: str, at: int) -> bool:
        """Whether this frame is a card of its own. A frame finds at most one partner, the oldest in time."""
        if not self._within:
            return True
        while self._waiting and at - self._waiting[0] > self._within:
            self._waiting.popleft()
        if self._waiting and kind != self._kind:
            self._waiting.popleft()
            return False
        self._kind = kind
        self._waiting.append(at)
        return True

    def forget(self) -> None:
        """No partner is waited for any more."""
        self._waiting.clear()
