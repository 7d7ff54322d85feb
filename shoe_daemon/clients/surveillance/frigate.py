"""The output `frigate`: an event of a camera, made over Frigate's HTTP API."""

import http.client
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Final
from urllib.parse import quote

import msgspec

from shoe_daemon.clients.surveillance.output import Output, Undelivered
from shoe_daemon.clients.surveillance.section import Section
from shoe_daemon.clients.surveillance.wires import PLACE, Place, place
from shoe_daemon.clients.surveillance.words import sentence
from shoe_daemon.clients.told import Told
from shoe_daemon.runtime.threads import in_thread

SUB_LABEL: Final = 100
ANSWER_S: Final = 5.0
_Text = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]


class FrigateSection(
    Section, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="frigate", tag_field="kind"
):
    """`kind = "frigate"`. `camera`: its name there; `duration_s`: after so long the event ends by itself."""

    to: Annotated[
        str,
        msgspec.Meta(pattern=rf"^http://{PLACE}\Z", description='"http://host:port", as a rule port 5000'),
    ]
    camera: _Text
    label: _Text = "baccarat"
    duration_s: Annotated[int, msgspec.Meta(ge=1, le=3600)] = 30
    recording: bool = True

    def output(self) -> Output:
        """The output that this describes."""
        return FrigateOutput(place(self.to), self)


class FrigateOutput:
    """Acknowledged event by event; one whose answer is lost is made again, so that it may be twice there."""

    most = 1

    def __init__(self, where: Place, section: FrigateSection) -> None:
        self._where = where
        self._path = f"/api/events/{quote(section.camera, '')}/{quote(section.label, '')}/create"
        self._section = section

    async def open(self) -> None:
        """Nothing: each event is a connection of its own."""

    async def deliver(self, events: Sequence[Told]) -> None:
        """Make an event of each."""
        for done, told in enumerate(events):
            try:
                status = await in_thread(partial(self._post, self._body(told)))
            except (OSError, http.client.HTTPException) as error:
                raise Undelivered(f"{self._where}: {_why(error)}", done) from None
            if status not in {200, 201}:
                raise Undelivered(f"{self._where}{self._path}: answered {status}", done)

    async def close(self) -> None:
        """Nothing is open between two events."""

    def _body(self, told: Told) -> bytes:
        return msgspec.json.encode(
            {
                "source_type": "api",
                "sub_label": sentence(told)[:SUB_LABEL],
                "duration": self._section.duration_s,
                "include_recording": self._section.recording,
            }
        )

    def _post(self, body: bytes) -> int:
        connection = http.client.HTTPConnection(self._where.host, self._where.port, timeout=ANSWER_S)
        try:
            connection.request("POST", self._path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            return answer.status
        finally:
            connection.close()


def _why(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "does not answer"
    return (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
