"""Lines of the beetek-rs232 shoe for tests, and a second, byte-by-byte reading of its framing."""

from pathlib import Path
from typing import Literal

from hypothesis import strategies as st

from drivers.decoder import ProfileDecoder
from drivers.encoder import ProfileEncoder
from drivers.profile import parse_shoe
from shoe_daemon.game.cards import DECK, parse
from shoe_daemon.table.inputs import CardRead, CardUnread, DeviceAlarm, DeviceInput, FrameRejected
from shoe_daemon.table.sealed import Sealed

FILE = Path(__file__).parents[2] / "config" / "shoes" / "beetek-rs232.toml"
PROFILE = parse_shoe(FILE.read_bytes(), FILE.name)
ENCODER = ProfileEncoder(PROFILE)
IDLE = 200_000
PAIR = 500_000
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "T", "J", "Q", "K")
MODES = (b"[Game]", b"[Manual Burn Cards]")

Timed = list[tuple[bytes, int]]


def decode(chunks: Timed, *, end: int | None = None) -> list[DeviceInput]:
    """All inputs of `chunks`; with `end`, the line stays silent until then."""
    decoder = ProfileDecoder(PROFILE)
    found = [one for data, at in chunks for one in decoder.feed(data, at)]
    return found + (decoder.tick(end) if end is not None else [])


def cards(found: list[DeviceInput]) -> list[str]:
    return [str(one.face.open()) for one in found if isinstance(one, CardRead)]


# --- a second reading of the framing, one byte at a time ---------------------------------------------


def plain_meaning(text: bytes) -> tuple[str, ...]:
    """Tell what one frame says, without a regular expression."""
    line = text.decode("latin-1").strip(" \t")
    mode = ""
    for name in ("[Game]", "[GameAlarm]", "[Manual Burn Cards]"):
        if line.startswith(name):
            mode, line = name, line[len(name) :]
    if not (line.startswith("<") and line.endswith(">")) or "<" in line[1:] or ">" in line[:-1]:
        return ("unmatched",)
    inner = line[1:-1]
    shoe = mode in ("[Game]", "[Manual Burn Cards]")
    if shoe and inner == "Game":
        return ("unread",)
    if shoe and inner.startswith("Card:"):
        rank, suit = inner[5:-1], inner[-1]
        if rank in RANKS and suit in "CDHS":
            return ("card", ("10" if rank == "T" else rank) + suit)
    if inner.startswith("Alarm:"):
        words = inner[6:]
        digits = 0
        while (
            words[:1] == "E"
            and words[1 + digits : 2 + digits].isascii()
            and words[1 + digits : 2 + digits].isdigit()
        ):
            digits += 1
        code = words[: 1 + digits] if digits else None
        words = words[len(code) :] if code else words
        return ("alarm", code or "", words.removeprefix(" "))
    if (
        len(inner) == 5
        and inner.startswith("W0x")
        and all(char in "0123456789abcdefABCDEF" for char in inner[3:])
    ):
        return ("alarm", inner, "")
    return ("unmatched",)


class Slow:
    """The framing rules taken byte by byte; `found` are the inputs so far."""

    def __init__(self) -> None:
        self.found: list[DeviceInput] = []
        self.frame: list[int] = []
        self.start = self.last = 0
        self.lost = False
        self.alone: list[tuple[str, int]] = []

    def byte(self, byte: int, at: int) -> None:
        self.silence(at)
        self.last = at
        if byte in b"\r\n":
            if not self.lost and bytes(self.frame).strip(b" \t"):
                self.whole(bytes(self.frame))
            self.frame.clear()
            self.lost = False
        elif not self.lost:
            self.start = self.start if self.frame else at
            self.frame.append(byte)
            if len(self.frame) > 80:
                self.reject("too_long", bytes(self.frame[:80]))
                self.frame.clear()
                self.lost = True

    def silence(self, until: int) -> None:
        if (self.frame or self.lost) and until - self.last >= IDLE:
            if bytes(self.frame).strip(b" \t"):
                self.reject("partial", bytes(self.frame))
            self.frame.clear()
            self.lost = False

    def whole(self, raw: bytes) -> None:
        match plain_meaning(raw):
            case ("card", face):
                self.found.append(CardRead(at=self.start, face=Sealed(parse(face)), raw=raw))
            case ("unread",):
                if self.counts("unread"):
                    self.found.append(CardUnread(at=self.start, raw=raw))
            case ("alarm", code, text):
                unread = code == "E3" and self.counts("E3")
                alarm = DeviceAlarm(at=self.start, code=code or None, text=text, raw=raw, unread=unread)
                self.found.append(alarm)
            case _:
                self.reject("unknown_code" if b"<Card:" in raw else "unmatched", raw)

    def reject(self, reason: Literal["unmatched", "unknown_code", "partial", "too_long"], raw: bytes) -> None:
        self.found.append(FrameRejected(at=self.start, reason=reason, raw=raw, card_like=b"<Card:" in raw))

    def counts(self, kind: str) -> bool:
        """Whether an unread card's frame is a card of its own, not the second frame of an earlier one."""
        for one in self.alone:
            if one[0] != kind and self.start - one[1] <= PAIR:
                self.alone.remove(one)
                return False
        self.alone.append((kind, self.start))
        return True


def slowly(stream: list[tuple[int, int]], end: int) -> list[DeviceInput]:
    """Read `stream`, bytes with their times; then silence until `end`."""
    slow = Slow()
    for byte, at in stream:
        slow.byte(byte, at)
    slow.silence(end)
    return slow.found


def sentences() -> st.SearchStrategy[bytes]:
    """Good lines, near misses and noise."""
    card = st.builds(ENCODER.encode_card, st.sampled_from(DECK))
    words = st.sampled_from(
        [
            b"[Game]<Game>\r",
            b"[Manual Burn Cards]<Game>\n",
            b"[GameAlarm]<Alarm:E3 Card Not Read>\r\n",
            b"<Alarm:E3>\r",
            b"<Alarm: open>\r",
            b"<Alarm:E12lid>\n",
            b"[Game]<W0x1f>\n",
            b"<W0x1g>\n",
            b"[Game]<Card:1S>\r\n",
            b"[Game]<Card:4s>\r\n",
            b"[Game]<Alarm:E3 Card[Game]<Card:4S>\r\n",
            b"[Game]<Card:",
            b"\t ",
            b" ",
            b"\r\n\r\n",
            b"x" * 79,
            b"[Game]<Card:" + b"y" * 90,
            b" " * 81,
        ]
    )
    return st.one_of(card, words, st.binary(max_size=6), st.binary(min_size=75, max_size=90))
