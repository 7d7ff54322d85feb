"""What a virtual device does with what it is sent: it sends again the frames that it is asked for."""

from collections import deque
from typing import Final

from drivers.encoder import frame_of, framed
from drivers.replies import SEQ
from drivers.shapes import ShoeFile

_KEPT: Final = 64
"""Frames that can be sent again; by its own numbers a device of 8 bits tells no more than 255 apart."""


class Resending:
    """Remembers the frames sent by a device of `profile`, and finds those that are asked for by number."""

    def __init__(self, profile: ShoeFile) -> None:
        self._profile = profile
        self._asks = profile.session.replay
        self._sent: deque[tuple[bytes, bytes]] = deque(maxlen=_KEPT)
        self._heard = b""

    def sent(self, frame: bytes) -> None:
        """`frame` left the device, whole."""
        if self._asks is None:
            return
        text = framed(self._profile, frame).text
        match = next(found for one in self._profile.messages if (found := one.pattern().fullmatch(text)))
        ask = self._asks.encode("latin-1").replace(SEQ.encode(), match["seq"])
        self._sent.append((frame_of(self._profile, ask) if self._profile.session.framed else ask, frame))

    def asked(self, heard: bytes) -> list[bytes]:
        """The frames asked for in `heard` and what came before it, in their order.

        What is asked for and was never sent is not sent later: only half a request is kept.
        """
        if not heard or not self._sent:
            return []
        longest = max(len(ask) for ask, _ in self._sent)
        self._heard += heard
        found = [frame for ask, frame in self._sent if ask in self._heard]
        self._heard = b"" if found else self._heard[max(len(self._heard) - longest + 1, 0) :]
        return found
