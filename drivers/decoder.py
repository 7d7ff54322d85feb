"""Bytes of a shoe to inputs of the table, as a profile says; no I/O and no clock.

The framing cuts frames, the checksum is looked at, and each whole frame is one of the profile's messages or
is rejected; nothing is searched for inside a damaged one. What comes out depends on the bytes and their times
alone: not on how they were cut into chunks, nor on when `tick` was called.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from msgspec.structs import replace

from drivers.framing import Fault, Frame, framer_of
from drivers.numbers import Again, Numbers, Read
from drivers.profile import ShoeProfile
from drivers.replies import Replies
from drivers.shapes import Message
from drivers.spacing import Coalesce, Spacing
from drivers.watch import Watch
from shoe_daemon.table.inputs import (
    Button,
    CardRead,
    CardReturned,
    CardUnread,
    DeviceAlarm,
    DeviceInput,
    DeviceReset,
    DeviceResult,
    FrameRejected,
    Rejection,
    SequenceGap,
    draws,
)
from shoe_daemon.table.sealed import Sealed

_AGES: Final = 10**9
"""Milliseconds, longer than anything takes."""

_Reader = Callable[[re.Match[bytes], int, bytes], DeviceInput | None]


class ProfileDecoder:
    """Decoder of the shoe that `profile` describes. Times are integer microseconds and do not decrease."""

    def __init__(self, profile: ShoeProfile) -> None:
        self._framer = framer_of(profile.framing, profile.checksum)
        like = profile.cards.like
        self._like = None if like is None else re.compile(like.encode("latin-1"), re.DOTALL).search
        semantics, session = profile.semantics, profile.session
        boot = session.boot
        self._boot = None if boot is None else re.compile(boot.encode("latin-1"), re.DOTALL).search
        self._coalesce = Coalesce(semantics.coalesce_ms * 1000)
        self._unread_alarms = frozenset(semantics.unread_alarms)
        self._groups = profile.cards.groups
        self._faces = profile.cards.faces
        self._tags = bool(profile.cards.uids)
        self._outcomes = {code.encode("latin-1"): one for code, one in semantics.outcomes.items()}
        self._slots = {letter.encode("latin-1"): slots for letter, slots in semantics.slots.items()}
        self._readers = [
            (one.pattern().fullmatch, self._reader(one), one.event == "hello", self._draws(one))
            for one in profile.messages
        ]
        late = session.tries * session.again_ms * 1000  # as long as it was waited for
        self._numbers = None if semantics.sequence is None else Numbers(semantics.sequence, late)
        self._spacing = Spacing(semantics.min_gap_ms * 1000, semantics.same_tag_ms * 1000)
        self._watch = Watch(session)
        self._replies = Replies(profile)
        # Without any numbers, a card wrongly taken for the answer is told by the answer again, too soon.
        gap = _AGES if semantics.sequence is None else semantics.min_gap_ms
        self._again = Again(session, self._replies.ask, self._over, gap * 1000)
        self._may_ask = session.nak is not None or session.replay is not None
        self._may_nak = session.nak is not None and session.again_ms <= gap
        self._lives = False
        self._astray = False

    @property
    def pending(self) -> bool:
        """Whether bytes of an unfinished frame are held, or frames that wait for one before them."""
        return self._framer.pending or self._again.waiting

    def due(self) -> int | None:
        """When something is given up, asked for or missed if nothing more comes; None for never."""
        return self._next_due()

    def _next_due(self) -> int | None:
        due = self._framer.due()
        others = (
            self._again.due(),
            self._watch.due(),
            None if self._numbers is None else self._numbers.due(),
        )
        for time in others:
            if time is not None and (due is None or time < due):
                due = time
        return due

    def opened(self, now: int) -> None:
        """The line opened at `now`."""
        self._lives = False
        self._watch.opened(now)
        self._replies.hello()

    def feed(self, data: bytes, now: int) -> list[DeviceInput]:
        """Read `data`, all of it received at `now`; what fell due by then comes before."""
        found = self._fall_due(now)
        if data:
            found += self._watch.bytes(len(data), now)
            self._read_all(self._framer.feed(data, now), now, found)
        return found

    def tick(self, now: int) -> list[DeviceInput]:
        """Give up, ask for and miss what is due at or before `now`, in the order of its time."""
        return self._fall_due(now)

    def _fall_due(self, now: int) -> list[DeviceInput]:
        found: list[DeviceInput] = []
        while (due := self._next_due()) is not None and due <= now:
            self._read_all(self._framer.tick(due), due, found)
            found += self._again.tick(due)
            self._ask_on()
            if self._numbers is not None:
                self._numbers.over(due)
            poll, silent = self._watch.tick(due)
            found += silent
            if poll:
                self._replies.poll()
        return found

    def reset(self, now: int) -> list[DeviceInput]:
        """Give up what is not whole, and forget what may still have come: the line is down."""
        found: list[DeviceInput] = []
        self._read_all(self._framer.reset(), now, found)
        found += self._again.give_up(now)
        self._coalesce.forget()
        self._spacing.forget()
        self._watch.closed()
        self._replies.take()
        if self._numbers is not None:
            self._numbers.forget()
        self._astray = False
        return found

    def clock_set(self, now: int) -> None:
        """Count by the new clock; times before it say nothing any more."""
        if not self._framer.pending:  # what was dropped up to a silence counts by the old clock
            self._framer.reset()
        self._coalesce.forget()
        self._spacing.clock_set(now)
        if self._numbers is not None:
            self._numbers.clock_set(now)
        self._watch.clock_set(now)

    def to_send(self) -> bytes:
        """What must be sent to the device, once what was read so far is kept."""
        return self._replies.take()

    def _read_all(self, frames: list[Frame], now: int, found: list[DeviceInput]) -> None:
        for frame in frames:
            if frame.fault:
                self._damaged(frame.fault, frame, now, found)
            else:
                self._whole(frame, now, found)
            if self._again.waiting:
                found += self._again.ready()
                self._ask_on()

    def _whole(self, frame: Frame, now: int, found: list[DeviceInput]) -> None:
        for fullmatch, read, hello, card in self._readers:
            match = fullmatch(frame.text)
            if match is None:
                continue
            if hello and self._numbers is not None:
                found += self._again.give_up(now)
                self._numbers.forget()
                self._astray = False
            number = None
            if self._numbers is not None and (number := self._numbers.read(match["seq"])) is None:
                break
            found += self._watch.frame(now)
            self._replies.whole(number)
            taken = partial(self._take, read, match, frame.at, frame.raw)
            if self._again.waiting and self._again.fills(number, frame, taken, card=card):
                self._spacing.forget()
            else:
                if card and self._numbers is None and self._again.waiting:  # of two cards the first is lost
                    found += self._again.give_up(now)
                self._in_order(frame, number, taken, now, found)
            self._lives = True
            return
        self._damaged("unmatched", frame, now, found)

    def _in_order(
        self, frame: Frame, number: int | None, read: Read, now: int, found: list[DeviceInput]
    ) -> None:
        """Take a whole frame that was not asked for where it belongs."""
        missing: int | None = 0
        if self._numbers is not None and number is not None:
            if self._numbers.last is None and self._again.waiting:
                self._again.is_number(*self._numbers.before(number, 1))
            missing = self._numbers.missing(number, frame.text)
            if missing is None:
                found.append(FrameRejected(at=frame.at, reason="repeated", raw=frame.raw))
                return
            if missing and self._can_replay(missing):
                self._again.lacks(self._numbers.before(number, missing), now)
                missing = 0
        if missing:
            found += self._again.give_up(now)
            found.append(SequenceGap(at=frame.at, missing=missing, raw=frame.raw))
        if self._again.waiting:
            self._again.behind(number, frame.at, frame.raw, read)
        else:
            found += read()

    def _can_replay(self, missing: int) -> bool:
        return self._replies.can_replay and not self._again.too_many(missing)

    def _over(self, number: int, text: bytes | None, now: int) -> None:
        if self._numbers is not None:
            self._numbers.asked(number, text, now)

    def _ask_on(self) -> None:
        """Ask for the next number once nothing is waited for, if the next frame may have come damaged."""
        if not self._astray or self._again.waiting:
            return
        self._astray = False
        if self._numbers is not None and (number := self._numbers.ahead()) is not None:
            self._replies.ask(number)

    def _damaged(self, fault: Fault, frame: Frame, now: int, found: list[DeviceInput]) -> None:
        """A frame that cannot be read: asked for again where the device can, else told as it is."""
        rejected = self._rejected(fault, frame)
        if self._lives and self._boot is not None and self._boot(frame.raw) is not None:
            self._anew(rejected, now, found)
            return
        if rejected.card_like and self._may_ask:
            if self._again.answered(frame.at):
                self._astray = self._replies.can_replay
                found.append(replace(rejected, card_like=False))
                return
            number = None if self._numbers is None else self._numbers.expect()
            if number is not None or self._may_nak:
                if number is None and self._numbers is not None and self._again.other(frame.at):
                    found += self._again.give_up(now)
                found += self._again.damaged(number, rejected, now)
                return
        if rejected.card_like and self._numbers is not None:
            self._numbers.damaged()
        if self._again.waiting:
            self._again.behind(None, frame.at, frame.raw, lambda: self._spaced(rejected))
        else:
            found += self._spaced(rejected)

    def _anew(self, said: FrameRejected, now: int, found: list[DeviceInput]) -> None:
        """Words of a device that has started anew; more of them, until it sends a frame, are no news."""
        found += self._again.give_up(now)
        if self._numbers is not None:
            self._numbers.forget()
            self._astray = False
        found += self._spaced(said)
        found.append(DeviceReset(at=said.at, raw=said.raw))
        self._lives = False

    def _rejected(self, fault: Fault, frame: Frame) -> FrameRejected:
        like = self._like is not None and self._like(frame.raw) is not None
        reason: Rejection = fault or "unmatched"
        if like and reason == "unmatched":
            reason = "unknown_code"
        return FrameRejected(at=frame.at, reason=reason, raw=frame.raw, card_like=like)

    def _take(self, read: "_Reader", match: re.Match[bytes], at: int, raw: bytes) -> list[DeviceInput]:
        got = read(match, at, raw)
        return [] if got is None else self._spaced(got)

    def _spaced(self, got: DeviceInput) -> list[DeviceInput]:
        """A card that came too soon after the one before is told so, whatever is known of it."""
        if self._spacing.gap and draws(got) and self._spacing.soon(got.at):
            return [replace(got, soon=True)]
        return [got]

    def _draws(self, message: Message) -> bool:
        """Whether a frame of this kind may say that a card left the shoe."""
        return message.event in {"card", "unread"} or (message.event == "alarm" and bool(self._unread_alarms))

    def _reader(self, message: Message) -> _Reader:
        """Give the function that reads a frame which matches `message`."""
        name = message.button or ""
        readers: dict[str, _Reader] = {
            "card": self._card,
            "unread": self._unread,
            "none": lambda _match, _at, _raw: None,
            "hello": self._hello,
            "returned": lambda _, at, raw: CardReturned(at=at, raw=raw),
            "result": self._result,
            "button": lambda _, at, raw: Button(at=at, name=name, raw=raw),
        }
        return readers.get(message.event) or self._alarms(message)

    def _alarms(self, message: Message) -> _Reader:
        """Give the function that reads alarms, or warnings, of the form of `message`."""
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
        codes = tuple(match[group] for group in self._groups)
        face = self._faces.get(codes)
        slots = self._slots.get(match["slot"]) if self._slots else ()
        if self._spacing.same_tag and self._spacing.lies_there(codes, at):
            return FrameRejected(at=at, reason="repeated", raw=raw)
        if face is None or slots is None:
            return FrameRejected(at=at, reason="unknown_code", raw=raw, card_like=True)
        tag = codes[0].hex() if self._tags else None
        return CardRead(at=at, face=Sealed(face), raw=raw, slots=slots, tag=tag)

    def _hello(self, match: re.Match[bytes], at: int, raw: bytes) -> DeviceInput | None:  # noqa: ARG002 - a _Reader
        """The first one after the line opened is no news."""
        return DeviceReset(at=at, raw=raw) if self._lives else None

    def _result(self, match: re.Match[bytes], at: int, raw: bytes) -> DeviceInput:
        outcome = self._outcomes.get(match["outcome"])
        if outcome is None:
            return FrameRejected(at=at, reason="unmatched", raw=raw)
        return DeviceResult(at=at, outcome=outcome, raw=raw)

    def _unread(self, match: re.Match[bytes], at: int, raw: bytes) -> DeviceInput | None:  # noqa: ARG002 - a _Reader
        return CardUnread(at=at, raw=raw) if self._coalesce.counts("unread", at) else None


def _text(match: re.Match[bytes], group: str) -> str | None:
    value = match[group]
    return None if value is None else value.decode("latin-1")
