"""What each audience is told of an event. Faces that nobody has seen leave by two doors only, both here."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, Literal

from msgspec.structs import asdict

from shoe_daemon.game.cards import INITIAL, Card
from shoe_daemon.table import events as ev
from shoe_daemon.table.ending import aftermath
from shoe_daemon.table.sealed import Sealed

Policy = Literal["delayed", "immediate"]
Told = tuple[str, str, int | None, int | None, dict[str, Any]]
"""Audience, event type, shoe, coup, data."""


class Projection:
    """The policy for hidden cards, and how often each face was drawn from the present shoe."""

    def __init__(self, policy: Policy, decks: int, when: Callable[[int], str] = str) -> None:
        """`when` makes the text of a time, microseconds since 1970."""
        self._policy = policy
        self._when = when
        self._decks = decks
        self._drawn: Counter[Card] = Counter()
        self._special: dict[type[ev.Event], Callable[[Any], dict[str, Any] | None]] = {
            ev.CardDrawn: self._card_drawn,
            ev.BurnedCards: self._burned_cards,
            ev.Reclassified: self._reclassified,
            ev.CardReadTwice: self._read_twice,
            ev.DeviceAlarm: self._raw,
            ev.FrameRejected: self._raw,
        }

    def tell(self, event: ev.Event, actor: str | None, second: str | None = None) -> list[Told]:
        """What leaves the table for `event`, audience by audience. `actor`: of the command behind it.

        `second`: who stood by it.

        Audiences that are told the same get the same dict.
        """
        kind = type(event)
        special = self._special.get(kind)
        data = _fields(event) if special is None else special(event)
        if data is None:
            return []
        for name in kind.times:
            data[name] = self._when(data[name])
        what = ev.TYPE[kind]
        told: list[Told] = []
        for audience in kind.audiences:
            mine = data
            if kind.only:
                mine = {key: v for key, v in data.items() if audience in kind.only.get(key, kind.audiences)}
            if actor is not None and audience == ev.SURVEILLANCE and "actor" not in mine:
                mine = {**mine, "actor": actor}
            if second is not None and audience == ev.SURVEILLANCE:
                mine = {**mine, "second": second}
            told.append((audience, what, event.shoe, event.coup, mine))
        if kind is ev.CardDrawn and self._policy == "immediate":
            told += self._too_many(event, actor, second)
        if kind is ev.ShoeLoaded:
            self._drawn.clear()
        return told

    def _card_drawn(self, event: Any) -> dict[str, Any]:  # noqa: ANN401 - CardDrawn, by its type above
        immediate = self._policy == "immediate"
        return {
            "n": event.n,
            "slot": event.slot if immediate or event.n <= len(INITIAL) else None,
            "readable": event.readable,
            "card": at_once(event.face) if immediate else None,
            "source": event.source,
        }

    def _burned_cards(self, event: Any) -> dict[str, Any] | None:  # noqa: ANN401 - BurnedCards
        if event.at_close == (self._policy == "immediate"):
            return None
        return {"cards": [aftermath(face) for face in event.faces]}

    def _reclassified(self, event: Any) -> None:  # noqa: ANN401 - Reclassified; nobody is told
        self._not_drawn(event.faces)

    def _read_twice(self, event: Any) -> dict[str, Any]:  # noqa: ANN401 - CardReadTwice
        self._not_drawn((event.face,))
        return _fields(event)

    def _not_drawn(self, faces: Iterable[Sealed | None]) -> None:
        self._drawn.subtract(face for sealed in faces if (face := at_once(sealed)) is not None)

    def _raw(self, event: Any) -> dict[str, Any]:  # noqa: ANN401 - DeviceAlarm or FrameRejected
        hidden = self._policy == "delayed" and event.shoe_open
        return {**_fields(event), "raw": None if hidden else event.raw.hex()}

    def _too_many(
        self,
        event: Any,  # noqa: ANN401 - CardDrawn
        actor: str | None,
        second: str | None,
    ) -> Iterator[Told]:
        face = at_once(event.face)
        if face is None:
            return
        self._drawn[face] += 1
        if self._drawn[face] > self._decks:
            data: dict[str, Any] = {"code": "composition_exceeded", "n": event.n}
            if actor is not None:
                data["actor"] = actor
            if second is not None:
                data["second"] = second
            yield ev.SURVEILLANCE, "alarm.raised", event.shoe, event.coup, data


def at_once(face: Sealed | None) -> Card | None:
    """The face of a card just drawn: for surveillance under the immediate policy alone."""
    return None if face is None else face.open()


def _fields(event: ev.Event) -> dict[str, Any]:
    kind = type(event)
    data = asdict(event)
    for name in _withheld(kind):
        del data[name]
    for name, told in _renamed(kind):
        data[told] = data.pop(name)
    return data


@cache
def _renamed(kind: type[ev.Event]) -> tuple[tuple[str, str], ...]:
    pairs = zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
    return tuple((name, told) for name, told in pairs if name != told)


@cache
def _withheld(kind: type[ev.Event]) -> tuple[str, ...]:
    return ("shoe", "coup", *kind.internal)


def data_fields(kind: type[ev.Event]) -> tuple[str, ...]:
    """Names of the fields of `kind` that its data bears."""
    told = dict(_renamed(kind))
    return tuple(told.get(name, name) for name in kind.__struct_fields__ if name not in _withheld(kind))
