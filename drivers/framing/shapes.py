"""The ways in which a shoe tells where a frame begins and ends, as a profile writes them down.

Texts are bytes, one for each Latin-1 character. `idle_ms`: a frame silent for so long is given up.
"""

from typing import Annotated, Literal

import msgspec

Byte = Annotated[str, msgspec.Meta(min_length=1, max_length=1)]
Bytes = Annotated[str, msgspec.Meta(max_length=8)]
_Idle = Annotated[int, msgspec.Meta(ge=10, le=10_000)]
_Size = Annotated[int, msgspec.Meta(ge=2, le=4096)]
_Most = Annotated[int, msgspec.Meta(ge=4, le=4096)]


class Delimited(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="delimited", tag_field="kind"
):
    """Frames end with any one byte of `ends` and lose the bytes of `strip` on both sides.

    With a `start`, what stands before its last one is noise. Over `max_bytes` bytes a frame is given up.
    """

    start: Bytes = ""
    ends: tuple[Byte, ...]
    strip: str = ""
    max_bytes: _Most
    idle_ms: _Idle

    def end_bytes(self) -> bytes:
        """All bytes that end a frame; in this order they are the line end that the virtual shoe writes."""
        return "".join(self.ends).encode("latin-1")

    def strip_bytes(self) -> bytes:
        """Bytes dropped around a frame."""
        return self.strip.encode("latin-1")


class Counted(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="length", tag_field="kind"
):
    """A frame says how long it is: the number of `length_bytes` bytes at `length_at`, and `adds` to it.

    Counted is the whole frame, `start` and `end` included. Its text begins behind the length.
    """

    start: Bytes = ""
    length_at: Annotated[int, msgspec.Meta(ge=0, le=8)]
    length_bytes: Literal[1, 2] = 1
    order: Literal["big", "little"] = "big"
    adds: Annotated[int, msgspec.Meta(ge=0, le=16)] = 0
    end: Bytes = ""
    min_bytes: _Size
    max_bytes: _Most
    idle_ms: _Idle


class Fixed(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="fixed", tag_field="kind"
):
    """Every frame has `size` bytes, `start` and `end` included."""

    start: Bytes = ""
    size: _Size
    end: Bytes = ""
    idle_ms: _Idle


class Escaped(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="stx_etx", tag_field="kind"
):
    """A frame stands between `start` and `end`; inside, either of them and `escape` follow an `escape`.

    `xor`: what the byte behind an `escape` was changed with.
    """

    start: Byte
    end: Byte
    escape: Byte
    xor: Annotated[int, msgspec.Meta(ge=0, le=255)] = 0
    max_bytes: _Most
    idle_ms: _Idle


Framing = Delimited | Counted | Fixed | Escaped
