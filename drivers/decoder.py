"""Bytes of a shoe to inputs of the table, as a profile says; no I/O and no clock.

A frame starts with the first byte after a line end or after a frame was given up, and all its inputs bear
that byte's time. It ends with a line end; or it is given up, as `partial` after a silence, as `too_long` when
it outgrows its limit, and then what follows is dropped up to a line end or a silence. What comes out depends
on the bytes and their times alone: not on how they were cut into chunks, nor on when `tick` was called.
Of an unfinished frame no more than its limit is held, whatever arrives.
"""

import re
from collections import deque
from collections.abc import Callable
from typing import Literal

from drivers.profile import ShoeProfile
from drivers.shapes import Message
from shoe_daemon.game.cards import parse
from shoe_daemon.table.inputs import Button, CardRead, CardUnread, DeviceAlarm, DeviceInput, FrameRejected
from shoe_daemon.table.sealed import Sealed

_UNPAIRED = 64
"""Unread cards remembered while their second frame may still come; no shoe passes more within the time."""

_Reason = Literal["unmatched", "unknown_code", "partial", "too_long"]
_Reader = Callable[[re.Match[bytes], int, bytes], DeviceInput | None]


class ProfileDecoder:
    """Decoder of the shoe that `profile` describes. Times are integer microseconds and do not decrease."""

    def __init__(self, profile: ShoeProfile) -> None:
        ends = profile.framing.end_bytes()
        self._end = ends[:1]
        self._one_end = bytes.maketrans(ends, self._end * len(ends))
        self._strip = profile.framing.strip_bytes()
        self._max = profile.framing.max_bytes
        self._idle = profile.framing.idle_ms * 1000
        self._like = profile.cards.like.encode("latin-1")
        self._readers = [(one.pattern().fullmatch, self._reader(one)) for one in profile.messages]
        self._faces = {
            (rank_code.encode("latin-1"), suit_code.encode("latin-1")): parse(rank + suit)
            for rank, rank_codes in profile.cards.ranks.items()
            for suit, suit_codes in profile.cards.suits.items()
            for rank_code in rank_codes
            for suit_code in suit_codes
        }
        self._coalesce = _Coalesce(profile.semantics.coalesce_ms * 1000)
        self._unread_alarms = frozenset(profile.semantics.unread_alarms)
        self._held = bytearray()
        self._dropping = False
        self._start = 0
        self._last = 0

    @property
    def pending(self) -> bool:
        """Whether bytes of an unfinished frame are held."""
        return bool(self._held)

    def due(self) -> int | None:
        """When the frame held is given up if nothing more comes; None while none is held."""
        return self._last + self._idle if self._held else None

    def feed(self, data: bytes, now: int) -> list[DeviceInput]:
        """Read `data`, all of it received at `now`; a frame silent for too long is given up before."""
        found = self.tick(now)
        if not data:
            return found
        self._last = now
        head, *lines = data.translate(self._one_end).split(self._end)
        self._extend(head, now, found)
        if lines:
            self._finish(found)
            tail = lines.pop()
            for line in lines:
                if line:
                    self._frame(line, now, found)
            self._extend(tail, now, found)
        return found

    def tick(self, now: int) -> list[DeviceInput]:
        """Give up a frame whose silence ended at or before `now`."""
        if (self._held or self._dropping) and self._last + self._idle <= now:
            return self._give_up()
        return []

    def reset(self, now: int) -> list[DeviceInput]:  # noqa: ARG002 - decoders with timers of their own need it
        """Give the half frame up and forget which unread cards may still find a partner: the line is down."""
        self._coalesce.forget()
        return self._give_up()

    def _extend(self, part: bytes, now: int, found: list[DeviceInput]) -> None:
        """Add `part`, which has no line end, to the frame held."""
        if self._dropping or not part:
            return
        if not self._held:
            self._start = now
        room = self._max - len(self._held)
        self._held += part[:room]
        if len(part) > room:
            found.append(self._reject("too_long", bytes(self._held), self._start))
            self._held.clear()
            self._dropping = True

    def _finish(self, found: list[DeviceInput]) -> None:
        """Read the frame held, now that its line end is here."""
        self._dropping = False
        if self._held:
            raw = bytes(self._held)
            self._held.clear()
            self._frame(raw, self._start, found)

    def _give_up(self) -> list[DeviceInput]:
        raw = bytes(self._held)
        self._held.clear()
        self._dropping = False
        return [self._reject("partial", raw, self._start)] if raw.strip(self._strip) else []

    def _frame(self, raw: bytes, at: int, found: list[DeviceInput]) -> None:
        """Read one frame that is whole: all bytes before its line end."""
        if len(raw) > self._max:
            found.append(self._reject("too_long", raw[: self._max], at))
            return
        text = raw.strip(self._strip)
        if not text:
            return
        for fullmatch, read in self._readers:
            match = fullmatch(text)
            if match is not None:
                got = read(match, at, raw)
                if got is not None:
                    found.append(got)
                return
        found.append(self._reject("unknown_code" if self._like in raw else "unmatched", raw, at))

    def _reject(self, reason: _Reason, raw: bytes, at: int) -> FrameRejected:
        return FrameRejected(at=at, reason=reason, raw=raw, card_like=self._like in raw)

    def _reader(self, message: Message) -> _Reader:
        """Give the function that reads a frame which matches `message`."""
        if message.event == "card":
            return self._card
        if message.event == "unread":
            return self._unread
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
        face = self._faces.get((match["rank"], match["suit"]))
        if face is None:
            return self._reject("unknown_code", raw, at)
        return CardRead(at=at, face=Sealed(face), raw=raw)

    def _unread(self, match: re.Match[bytes], at: int, raw: bytes) -> DeviceInput | None:  # noqa: ARG002 - a _Reader
        return CardUnread(at=at, raw=raw) if self._coalesce.counts("unread", at) else None


def _text(match: re.Match[bytes], group: str) -> str | None:
    value = match[group]
    return None if value is None else value.decode("latin-1")


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
