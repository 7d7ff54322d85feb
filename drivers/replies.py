"""What is said to a device: greetings, questions, acknowledgements, requests to send again."""

from drivers.encoder import framing_of
from drivers.shapes import ShoeFile

SEQ = "{seq}"
"""Where the number of a frame stands in an `ack` or a `replay`."""


class Replies:
    """Collects what must be sent to the device of `profile`."""

    def __init__(self, profile: ShoeFile) -> None:
        self._session = profile.session
        self._framed = framing_of(profile) if profile.session.framed else None
        self._numbered = profile.semantics.sequence
        self._out = bytearray()

    @property
    def can_replay(self) -> bool:
        """Whether the device sends a frame again by its number."""
        return self._session.replay is not None

    def take(self) -> bytes:
        """All that was said since last time."""
        if not self._out:
            return b""
        out = bytes(self._out)
        self._out.clear()
        return out

    def hello(self) -> None:
        """The line is open."""
        self._say(self._session.hello)

    def poll(self) -> None:
        """It is time to ask the device what there is."""
        self._say(self._session.poll)

    def whole(self, number: int | None) -> None:
        """A whole frame is here."""
        self._say(self._session.ack, number)

    def ask(self, number: int | None) -> None:
        """Ask for the frame of `number`, or for the last one, which came damaged."""
        replay = self._session.replay
        if number is not None and replay is not None:
            self._say(replay, number)
        else:
            self._say(self._session.nak)

    def _say(self, text: str | None, number: int | None = None) -> None:
        if text is None:
            return
        if number is not None and self._numbered is not None:
            text = text.replace(SEQ, self._numbered.write(number))
        said = text.encode("latin-1")
        self._out += said if self._framed is None else self._framed(said)
