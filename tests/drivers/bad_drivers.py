"""Drivers of tests/shoes/star-lines.toml that break one promise each, and the check meant for it."""

# ruff: noqa: ANN401 - what is wrong may have any type

from typing import Any, ClassVar

from msgspec.structs import replace

from drivers.decoder import ProfileDecoder
from drivers.framing import Framer, framer_of
from drivers.profile import ShoeProfile
from shoe_daemon.table.inputs import CardRead, DeviceInput, FrameRejected, Link

Inputs = list[DeviceInput]
SECOND = 1_000_000


class RaisesAtOnce(ProfileDecoder):
    def feed(self, data: bytes, now: int) -> Inputs:
        raise NotImplementedError(data, now)


class ReadsNothing(ProfileDecoder):
    def feed(self, data: bytes, now: int) -> Inputs:
        return super().feed(data, now)[:0]

    def tick(self, now: int) -> Inputs:
        return super().tick(now)[:0]

    def reset(self, now: int) -> Inputs:
        return super().reset(now)[:0]


class GivesNoList(ProfileDecoder):
    def feed(self, data: bytes, now: int) -> Any:
        return tuple(super().feed(data, now))


class BelievesInChunks(ProfileDecoder):
    def feed(self, data: bytes, now: int) -> Inputs:
        found = self.reset(now) if self.pending else []
        return found + super().feed(data, now)


class OneFrameAChunk(ProfileDecoder):
    def feed(self, data: bytes, now: int) -> Inputs:
        return super().feed(data, now)[:1]


class TickGivesUp(ProfileDecoder):
    def tick(self, now: int) -> Inputs:
        return self.reset(now) if self.pending else super().tick(now)


class SilenceOnlyByTick(ProfileDecoder):
    """A frame is given up where `tick` comes in time; where bytes come first it goes on."""

    held: bytes = b""

    def feed(self, data: bytes, now: int) -> Inputs:
        if self.pending and self.held:
            self._framer.reset()
            data = self.held + data
        self.held = data.replace(b"\r", b"\n").rsplit(b"\n", 1)[-1]
        return super().feed(data, now)

    def tick(self, now: int) -> Inputs:
        found = super().tick(now)
        if found:
            self.held = b""
        return found


class SendingChangesReading(ProfileDecoder):
    def to_send(self) -> bytes:
        self._framer.reset()
        return super().to_send()


class DueStays(ProfileDecoder):
    before: int | None = None

    def due(self) -> int | None:
        self.before = super().due() or self.before
        return self.before

    def tick(self, now: int) -> Inputs:
        return [] if super().due() is None else super().tick(now)


class DueWithoutEnd(ProfileDecoder):
    last = 0

    def due(self) -> int | None:
        return self.last + 1 if self.last else None

    def tick(self, now: int) -> Inputs:
        self.last = 0
        found = super().tick(now)
        self.last = now
        return found


class DueInSeconds(ProfileDecoder):
    def due(self) -> Any:
        due = super().due()
        return None if due is None else due / SECOND


class SendsForEver(ProfileDecoder):
    def to_send(self) -> bytes:
        return b"?"


class SendsText(ProfileDecoder):
    def to_send(self) -> Any:
        return "?"


class HoldsOn(ProfileDecoder):
    """Nothing is given up when the line goes."""

    def reset(self, now: int) -> Inputs:
        return self.tick(now)


class SendsDownTheLine(ProfileDecoder):
    down = False

    def reset(self, now: int) -> Inputs:
        self.down = True
        return super().reset(now)

    def to_send(self) -> bytes:
        down, self.down = self.down, False
        return b"bye" if down else b""


class ResetsTwice(ProfileDecoder):
    def reset(self, now: int) -> Inputs:
        return [*super().reset(now), FrameRejected(at=now, reason="partial", raw=b"")]


class OneForAll(ProfileDecoder):
    """Two of them share what they hold."""

    framer: ClassVar[Framer | None] = None

    def __init__(self, profile: ShoeProfile) -> None:
        super().__init__(profile)
        if OneForAll.framer is None:
            OneForAll.framer = framer_of(profile.framing, profile.checksum)
        self._framer = OneForAll.framer


class CountsOpenings(ProfileDecoder):
    openings = 0

    def opened(self, now: int) -> None:
        super().opened(now)
        self.openings += 1
        if self.openings > 2:
            raise RuntimeError("opened again")


class NoClock(ProfileDecoder):
    def clock_set(self, now: int) -> None:
        raise NotImplementedError(now)


class DeafByClock(ProfileDecoder):
    deaf = False

    def clock_set(self, now: int) -> None:
        super().clock_set(now)
        self.deaf = True

    def feed(self, data: bytes, now: int) -> Inputs:
        return [] if self.deaf else super().feed(data, now)


class OldClock(ProfileDecoder):
    """Counts on by the clock as it was."""

    beat: int | None = None

    def due(self) -> int | None:
        times = [time for time in (super().due(), self.beat) if time is not None]
        return min(times, default=None)

    def tick(self, now: int) -> Inputs:
        beat = self.beat
        self.beat = None
        found = super().tick(now)
        self.beat = beat if beat is None or beat > now else now + SECOND
        return found

    def feed(self, data: bytes, now: int) -> Inputs:
        found = super().feed(data, now)
        self.beat = self.beat or now + SECOND
        return found

    def reset(self, now: int) -> Inputs:
        self.beat = None
        return super().reset(now)


class TrustsTheStar(ProfileDecoder):
    def feed(self, data: bytes, now: int) -> Inputs:
        found = super().feed(data, now)
        for one in found:
            if isinstance(one, FrameRejected) and one.reason == "bad_checksum" and len(one.raw) > 3:
                one.raw.index(b"*")
        return found


class TrustsBytes(ProfileDecoder):
    def feed(self, data: bytes, now: int) -> Inputs:
        if b"\xfe\xed" in data:
            raise OverflowError("no shoe sends that")
        return super().feed(data, now)


class KeepsBytes(ProfileDecoder):
    def __init__(self, profile: ShoeProfile) -> None:
        super().__init__(profile)
        self.kept = bytearray()

    def feed(self, data: bytes, now: int) -> Inputs:
        self.kept += data
        return super().feed(data, now)


class KeepsInputs(ProfileDecoder):
    def __init__(self, profile: ShoeProfile) -> None:
        super().__init__(profile)
        self.kept: Inputs = []

    def feed(self, data: bytes, now: int) -> Inputs:
        found = super().feed(data, now)
        self.kept += found
        return found


class DeafByNoise(ProfileDecoder):
    fed = 0

    def feed(self, data: bytes, now: int) -> Inputs:
        self.fed += len(data)
        return super().feed(data, now) if self.fed < 2_000 else []


class Changing(ProfileDecoder):
    """Each card is given otherwise."""

    def change(self, card: CardRead, now: int) -> Any:
        raise NotImplementedError

    def feed(self, data: bytes, now: int) -> Inputs:
        return [
            self.change(one, now) if isinstance(one, CardRead) else one for one in super().feed(data, now)
        ]


class GivesLinks(Changing):
    def change(self, card: CardRead, now: int) -> Any:
        return Link(card.at, "up", str(now))


class GivesNames(Changing):
    def change(self, card: CardRead, now: int) -> Any:
        return {"card": card.raw, "now": now}


class OpensEnvelopes(Changing):
    def change(self, card: CardRead, now: int) -> Any:
        return CardRead(at=min(card.at, now), face=card.raw.decode(), raw=card.raw)  # type: ignore[arg-type]  # the fault


class FromTheFuture(Changing):
    def change(self, card: CardRead, now: int) -> Any:
        return replace(card, at=now + 1)


class CountsFromZero(Changing):
    def change(self, card: CardRead, now: int) -> Any:
        return replace(card, at=now - now)


class TellsSeconds(Changing):
    def change(self, card: CardRead, now: int) -> Any:
        return replace(card, at=now * 1.0)  # a float of the same value


class MendsRaw(Changing):
    def change(self, card: CardRead, now: int) -> Any:
        return replace(card, raw=card.raw.lower() + b"!", at=min(card.at, now))


class TellsText(Changing):
    def change(self, card: CardRead, now: int) -> Any:
        return replace(card, raw=card.raw.decode(), at=min(card.at, now))


CAUGHT_BY: dict[type[ProfileDecoder], str] = {
    RaisesAtOnce: "capture",
    ReadsNothing: "capture",
    GivesNoList: "capture",
    BelievesInChunks: "chunks",
    OneFrameAChunk: "chunks",
    TickGivesUp: "ticks",
    SilenceOnlyByTick: "ticks",
    SendingChangesReading: "ticks",
    DueStays: "due",
    DueWithoutEnd: "due",
    DueInSeconds: "due",
    SendsForEver: "sending",
    SendsText: "sending",
    HoldsOn: "reset",
    SendsDownTheLine: "reset",
    ResetsTwice: "reset",
    OneForAll: "apart",
    CountsOpenings: "opening",
    NoClock: "clock",
    DeafByClock: "clock",
    OldClock: "clock",
    TrustsTheStar: "damage",
    TrustsBytes: "noise",
    KeepsBytes: "memory",
    KeepsInputs: "memory",
    DeafByNoise: "recovery",
    GivesLinks: "kinds",
    GivesNames: "kinds",
    OpensEnvelopes: "kinds",
    FromTheFuture: "times",
    CountsFromZero: "times",
    TellsSeconds: "times",
    MendsRaw: "raw",
    TellsText: "raw",
}
"""Each with the check that is meant for it; others may catch it too."""
