"""Frames in their order: by the device's own numbers, and with those that are asked for again.

Where the device cannot send again, a number that is missing is told at once. Where it can, what came behind
it waits until it is here, or until nobody answers.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from drivers.framing import Frame
from drivers.shapes import Sequence, Session
from shoe_daemon.table.inputs import DeviceInput, FrameRejected, SequenceGap

_MOST: Final = 64
"""Frames asked for again at one time; a device that lacks more has started anew, or never had them."""

Read = Callable[[], list[DeviceInput]]
"""What a frame means, read when its turn has come."""


class Numbers:
    """The numbers of a device's frames. A frame that could not be read had one too, and took its place.

    A frame that was asked for and given up may still come within `late`, in microseconds; then what was taken
    for it was noise.
    """

    def __init__(self, told: Sequence, late: int) -> None:
        self._told = told
        self._within = late
        self.last: int | None = None
        self._text: bytes | None = b""
        self._whole: tuple[int, bytes] | None = None
        self._damaged = 0
        self._asked: dict[int, bytes | None] = {}
        self._ahead: int | None = None
        self._late = 0

    def asked(self, number: int, text: bytes | None, now: int) -> None:
        """The frame of `number` was asked for, and came as `text`, or was given up at `now` (None)."""
        self._asked[number] = text
        if text is None:
            self._late = now + self._within
        elif self.last in {None, number}:
            self.last, self._text, self._whole = number, text, (number, text)

    def clock_set(self, now: int) -> None:
        """Count on by another clock, which says `now`."""
        self._late = now + self._within

    def due(self) -> int | None:
        """When `over` has something to do."""
        if self._text is not None or self.last is None or self._asked.get(self.last, b"") is not None:
            return None
        return self._late

    def over(self, now: int) -> None:
        """Count no longer what was taken for frames and never came, where nothing came behind it.

        Each was told as one that may have been a card, as `damaged` has it.
        """
        due = self.due()
        if due is None or now < due:
            return
        while self.last is not None and self._asked.get(self.last, b"") is None:
            del self._asked[self.last]
            self.last = (self.last - 1) % (1 << self._told.bits)
            self._damaged += 1

    def _sent_once_more(self, number: int, text: bytes) -> bool:
        """A frame that was asked for more than once may come more than once, late."""
        if self.last is None or number not in self._asked:
            return False
        if (self.last - number) % (1 << self._told.bits) > _MOST:  # counted round since
            del self._asked[number]
            return False
        if self._asked[number] not in {None, text}:
            return False
        self._asked[number] = text
        if number == self.last:
            self._text = text
        return True

    def damaged(self) -> None:
        """A frame came that could not be read, and was told as one that may have been a card."""
        self._damaged += 1

    def expect(self) -> int | None:
        """Count the number of a damaged frame as gone by, and give it; None while none is known."""
        if self.last is not None:
            self.last, self._text = self.after(self.last), None
            self._damaged = 0  # so what was told before had no number
        return self.last

    def ahead(self) -> int | None:
        """The number that comes next, whose frame is asked for though it may not be sent yet."""
        self._ahead = None if self.last is None else self.after(self.last)
        return self._ahead

    def before(self, number: int, count: int) -> list[int]:
        """The last `count` numbers before one: those before them are of damaged frames, and were told."""
        return [(number - back) % (1 << self._told.bits) for back in range(count, 0, -1)]

    def after(self, number: int) -> int:
        """The number that follows."""
        return (number + 1) % (1 << self._told.bits)

    def read(self, told: bytes | None) -> int | None:
        """The number in a frame; None where it has none."""
        try:
            return None if told is None else self._told.number(told)
        except ValueError:
            return None

    def missing(self, number: int, text: bytes) -> int | None:
        """How many frames are missing before this one; None where it is the last one again.

        So it is where what came behind it was damaged: a device without numbers to ask by sends its last one.
        And where the last one came damaged, and its place was told. Another frame under the last one's
        number: all numbers went by, or the device counts anew.
        """
        if (number, text) == self._whole or self._sent_once_more(number, text):
            return None
        if number == self._ahead:  # it was sent by itself, or because it was asked for, or both
            self._asked[number], self._ahead = text, None
        last, said, damaged = self.last, self._text, self._damaged
        self.last, self._text, self._whole, self._damaged = number, text, (number, text), 0
        if last is None:
            return 0
        if number == last and said in {None, text}:
            return None
        step = (number - last - 1) % (1 << self._told.bits)
        return max(step - damaged, 0)

    def forget(self) -> None:
        """The device may begin anew."""
        self.last, self._whole, self._damaged, self._ahead = None, None, 0, None
        self._asked.clear()


class _Place(msgspec.Struct):
    """One frame in its order: here (`read`), or asked for again, first at `asked`.

    `damaged`: what came in its place, before it was asked for where frames are numbered.
    """

    at: int
    number: int | None
    asked: int = 0
    raw: bytes = b""
    read: Read | None = None
    damaged: FrameRejected | None = None


class Again:
    """Frames that were asked for again, and what came behind them.

    `ask` sends for the frame of a number; `over` hears how that came, or that it never did, and when. No two
    cards come within `gap` microseconds.
    """

    def __init__(
        self,
        session: Session,
        ask: Callable[[int | None], None],
        over: Callable[[int, bytes | None, int], None],
        gap: int,
    ) -> None:
        self._within = session.again_ms * 1000
        self._tries = session.tries
        self._ask = ask
        self._over = over
        self._gap = gap
        self._places: list[_Place] = []
        self._left = 0
        self._due: int | None = None

    @property
    def waiting(self) -> bool:
        """Whether a frame is waited for."""
        return bool(self._places)

    def due(self) -> int | None:
        """When the frames asked for are asked for once more, or given up."""
        return self._due

    def lacks(self, numbers: list[int], now: int) -> None:
        """Ask for the frames of `numbers`, which did not come."""
        self._wait([_Place(now, number) for number in numbers], now)

    def answered(self, at: int) -> bool:
        """Whether a damaged frame that began at `at` can be one that was asked for by then, damaged again.

        It takes no place of its own. If it was another one, the numbers tell.
        """
        return any(
            place.read is None and place.number is not None and place.asked < at for place in self._places
        )

    def other(self, at: int) -> bool:
        """Whether a frame that began at `at` is not the first one waited for, which has no number.

        It left before that was asked for, or so late that it can be the next card.
        """
        place = self._places[0] if self._places else None
        return place is not None and not place.asked < at < place.at + self._gap

    def is_number(self, number: int) -> None:
        """Say which frame it is that was asked for while no number was known; the next one is here."""
        self._places[0].number = number
        self._left = 0  # it may have been noise: the device has a frame of that number, sent long ago

    def damaged(self, number: int | None, rejected: FrameRejected, now: int) -> list[DeviceInput]:
        """Ask for a frame that came damaged; one damaged once more, without a number, is still that one."""
        place = self._places[0] if self._places and number is None else None
        if place is None or place.damaged is None:
            self._wait([_Place(rejected.at, number, damaged=rejected)], now)
            return []
        before, place.damaged = place.damaged, rejected
        if self._left > 0:
            self._left -= 1
            self._ask(None)
            self._due = now + self._within
        return [msgspec.structs.replace(before, card_like=False)]

    def _wait(self, places: list[_Place], now: int) -> None:
        if self._due is None:
            self._left = self._tries - 1
        self._places += places
        self._due = now + self._within
        for place in places:
            place.asked = now
            self._ask(place.number)

    def fills(self, number: int | None, frame: Frame, read: Read, *, card: bool) -> bool:
        """Whether a frame is one that was asked for; then its place has it.

        Without a number it is the first frame of a card that came since, unless it is another card's.
        """
        for place in self._places:
            if place.read is not None:
                continue
            if place.number == number if place.number is not None else card and not self.other(frame.at):
                place.at, place.raw, place.read = frame.at, frame.raw, read
                if number is not None:
                    self._over(number, frame.text, frame.at)
                return True
        return False

    def behind(self, number: int | None, at: int, raw: bytes, read: Read) -> None:
        """Put a frame behind those that are waited for."""
        self._places.append(_Place(at, number, raw=raw, read=read))

    def ready(self) -> list[DeviceInput]:
        """What is in order up to the first frame that is still missing."""
        found: list[DeviceInput] = []
        while self._places and (read := self._places[0].read) is not None:
            place = self._places.pop(0)
            if place.damaged is not None:
                found.append(msgspec.structs.replace(place.damaged, card_like=False))
            found += read()
        if not self._places:
            self._due = None
        return found

    def tick(self, now: int) -> list[DeviceInput]:
        """Ask once more for what is missing at `now`, or give it up.

        Without numbers it is given up: what comes later may be another card.
        """
        if self._due is None or self._due > now:
            return []
        if self._left > 0 and self._places[0].number is not None:
            self._left -= 1
            self._due += self._within
            for place in self._places:
                if place.read is None:
                    self._ask(place.number)
            return []
        return self.give_up(now)

    def give_up(self, now: int) -> list[DeviceInput]:
        """All that waits, in order; what never came is told where it is missing."""
        places, self._places, self._due = self._places, [], None
        found: list[DeviceInput] = []
        lacking = 0
        for place in places:
            if place.read is None and place.number is not None:
                self._over(place.number, None, now)
            if place.read is None and place.damaged is None:
                lacking += 1
                continue
            if lacking:
                raw = place.raw if place.damaged is None else place.damaged.raw
                found.append(SequenceGap(at=place.at, missing=lacking, raw=raw))
                lacking = 0
            if place.damaged is not None:
                here = place.read is None
                found.append(
                    place.damaged if here else msgspec.structs.replace(place.damaged, card_like=False)
                )
            if place.read is not None:
                found += place.read()
        if lacking:
            found.append(SequenceGap(at=places[-1].at, missing=lacking, raw=b""))
        return found

    def too_many(self, missing: int) -> bool:
        """Whether so many cannot be asked for."""
        return len(self._places) + missing > _MOST
