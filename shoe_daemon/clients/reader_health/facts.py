"""Cards that the shoe could not read, or read as another, by card, set, place, position in the shoe and hour.

Of a shoe that is open nothing is used but what everybody at the table has seen: counts, and exposed faces.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final, Literal

import msgspec

from shoe_daemon.clients.handover.period import Period
from shoe_daemon.clients.told import Clock, Told
from shoe_daemon.table.events import SURVEILLANCE

QUARTERS: Final = 4
FEWEST: Final = 3
"""Unread cards that a group must have to stand out."""
TIMES: Final = 3
"""How many times worse than all other cards it must read."""
CHANCE: Final = 0.001
"""How likely it may be, over all groups of a kind together, that a group stands out by chance alone."""

MOST: Final = 6
"""Cards of a coup at most."""
LATER: Final = "later"
"""Place of a card beyond those that a coup has."""

By = Literal["card", "set", "place", "quarter", "hour"]


class Rate(msgspec.Struct, frozen=True):
    """Of `cards` that left the shoe, `unread` could not be read."""

    by: By
    of: str
    cards: int
    unread: int


class Misread(msgspec.Struct, frozen=True):
    """A card that the shoe read as `read`, and a person corrected to `card`."""

    shoe: int
    coup: int
    slot: str
    card: str
    read: str


class Finding(msgspec.Struct, frozen=True):
    """A group that reads much worse than the rest. `sets`: of a card, the sets where it went by unread."""

    rate: Rate
    rest_cards: int
    rest_unread: int
    sets: tuple[str, ...] = ()


class Reading(msgspec.Struct, kw_only=True):
    """What the page says. `rates` of cards are those of exposed faces; every other counts all cards drawn.

    `name`: of the period; `head`, `whole`: of the journal's chain. `unseen`: cards that a person said had
    left the shoe, of which the shoe sent nothing; they are in no rate. `burned`: cards of completed burns,
    `burned_unread` of those whose faces are told.
    """

    journal: str | None = None
    table: str | None = None
    name: str = ""
    head: str | None = None
    whole: bool = True
    shoes: int = 0
    cards: int = 0
    unread: int = 0
    unseen: int = 0
    burned: int = 0
    burned_unread: int = 0
    rates: list[Rate] = []
    misreads: list[Misread] = []
    findings: list[Finding] = []
    alarms: dict[str, int] = {}
    rejected: dict[str, int] = {}
    cable_down: int = 0


class _Draw(msgspec.Struct, frozen=True):
    readable: bool
    by_shoe: bool


class _Table:
    """Counts, message after message."""

    def __init__(self, clock: Clock) -> None:
        self.made = Reading()
        self.groups: dict[By, Counter[tuple[str, bool]]] = {
            by: Counter() for by in ("set", "place", "quarter", "hour")
        }
        self.faces: dict[tuple[int, int, str], str] = {}
        self.unread: dict[tuple[int, int, str], str] = {}
        self.misread: dict[tuple[int, int, str], tuple[str, str]] = {}
        self.sets: dict[int, str] = {}
        self.counts = True
        self._clock = clock
        self._drawn: dict[tuple[int, int, int], _Draw] = {}
        self._held: Counter[tuple[int, int]] = Counter()
        self._gone: Counter[int] = Counter()
        self._size: dict[int, int] = {}

    def take(self, one: Told, *, counts: bool) -> None:
        """Follow the shoe by `one`, and count what it says of the reader where it `counts`."""
        self.counts = counts
        known = _FOLLOWED.get(one.type) or (_COUNTED.get(one.type) if counts else None)
        if known is not None:
            known(self, one, one.data)

    def loaded(self, one: Told, data: dict[str, Any]) -> None:
        if one.shoe is not None:
            self.made.shoes += self.counts
            self.sets[one.shoe], self._size[one.shoe] = data["set_id"] or "", data["cards"]

    def burned(self, one: Told, data: dict[str, Any]) -> None:
        self.made.burned += data["count"] * self.counts
        self._gone[one.shoe or 0] += data["count"]

    def burned_faces(self, _one: Told, data: dict[str, Any]) -> None:
        self.made.burned_unread += sum(card is None for card in data["cards"])

    def drawn(self, one: Told, data: dict[str, Any]) -> None:
        shoe, coup = one.shoe or 0, one.coup or 0
        draw = _Draw(data["readable"], data["source"] == "shoe")
        self._drawn[shoe, coup, data["n"]] = draw
        self._held[shoe, coup] = data["n"]
        gone = self._gone[shoe]
        self._gone[shoe] += 1
        if not draw.by_shoe or not self.counts:
            self.made.unseen += self.counts
            return
        self.made.cards += 1
        self.made.unread += not draw.readable
        groups: dict[By, str] = {
            "set": self.sets.get(shoe, ""),
            "place": str(data["n"]) if data["n"] <= MOST else LATER,
            "hour": f"{self._clock.local(one.at).hour:02}:00",
        }
        if gone < self._size.get(shoe, 0):  # rules that reshuffle deal more than the shoe holds
            groups["quarter"] = str(gone * QUARTERS // self._size[shoe] + 1)
        for by, of in groups.items():
            self.groups[by][of, draw.readable] += 1

    def read_twice(self, one: Told, data: dict[str, Any]) -> None:
        """No card after all; by its hour and its place it stays counted: the reader told it."""
        self._drawn.pop((one.shoe or 0, one.coup or 0, data["n"]), None)
        self._gone[one.shoe or 0] -= 1

    def carried(self, one: Told, data: dict[str, Any]) -> None:
        draw = self._drawn.get((one.shoe or 0, one.coup or 0, data["n"]))
        if draw is not None:
            there = one.shoe or 0, data["to_coup"]
            self._held[there] += 1
            self._drawn[*there, self._held[there]] = draw

    def exposed(self, one: Told, data: dict[str, Any]) -> None:
        self.faces[one.shoe or 0, one.coup or 0, data["slot"]] = data["card"]

    def identified(self, one: Told, data: dict[str, Any]) -> None:
        shoe, coup = one.shoe or 0, one.coup or 0
        place = (shoe, coup, data["slot"])
        if place in self.faces:
            self.faces[place] = data["card"]
        draw = self._drawn.get((shoe, coup, data["n"]))
        if draw is None or not draw.by_shoe:
            return
        if not draw.readable:
            self.unread[place] = data["card"]
        elif data["was"] is not None:
            first = self.misread.get(place, (data["was"], ""))[0]
            self.misread[place] = (first, data["card"])

    def alarm(self, _one: Told, data: dict[str, Any]) -> None:
        named = data["code"] or data["text"]
        self.made.alarms[named] = self.made.alarms.get(named, 0) + 1

    def rejected(self, _one: Told, data: dict[str, Any]) -> None:
        self.made.rejected[data["reason"]] = self.made.rejected.get(data["reason"], 0) + 1

    def link(self, _one: Told, data: dict[str, Any]) -> None:
        self.made.cable_down += data["state"] == "down"


_Known = Callable[[_Table, Told, dict[str, Any]], None]

_FOLLOWED: Final[dict[str, _Known]] = {
    "shoe.loaded": _Table.loaded,
    "shoe.burned": _Table.burned,
    "card.drawn": _Table.drawn,
    "card.carried": _Table.carried,
    "card.read_twice": _Table.read_twice,
}
_COUNTED: Final[dict[str, _Known]] = {
    "shoe.burned_cards": _Table.burned_faces,
    "card.exposed": _Table.exposed,
    "card.identified": _Table.identified,
    "device.alarm": _Table.alarm,
    "frame.rejected": _Table.rejected,
    "device.link": _Table.link,
}


def reading(told: Iterable[Told], period: Period, clock: Clock) -> Reading:
    """How the reader read in a period, or of the shoe that it is about.

    `told`: a whole account. Hours are those of `clock`.
    """
    table = _Table(clock)
    for one in told:
        if one.audience == SURVEILLANCE:
            table.take(one, counts=_covers(period, one))
    made = table.made
    for by, counted in table.groups.items():
        names = sorted({of for of, _ in counted})
        rates = [Rate(by, of, counted[of, True] + counted[of, False], counted[of, False]) for of in names]
        made.rates += rates
        made.findings += _standing_out(rates, {})
    _by_face(table)
    for place, (read, card) in sorted(table.misread.items()):
        if place in table.faces and read != card:
            made.misreads.append(Misread(*place, card, read))
    return made


def _covers(period: Period, one: Told) -> bool:
    return period.holds(one.at) if period.shoe is None else one.shoe == period.shoe


def _by_face(table: _Table) -> None:
    """Rates of cards in each set, and over all sets; a face that stands out in several is said once."""
    seen: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    sets: dict[str, set[str]] = {}
    for place, card in table.faces.items():
        seen[card] += 1
        if place in table.unread:
            missed[card] += 1
            sets.setdefault(card, set()).add(table.sets.get(place[0], ""))
    rates = [Rate("card", card, seen[card], missed[card]) for card in sorted(seen)]
    table.made.rates += rates
    table.made.findings += _standing_out(rates, {card: tuple(sorted(where)) for card, where in sets.items()})


def _standing_out(rates: list[Rate], sets: dict[str, tuple[str, ...]]) -> list[Finding]:
    cards, unread = sum(rate.cards for rate in rates), sum(rate.unread for rate in rates)
    found = []
    for rate in rates:
        rest_cards, rest_unread = cards - rate.cards, unread - rate.unread
        if rate.unread < FEWEST or not rest_cards:
            continue
        if rate.unread * rest_cards < TIMES * rest_unread * rate.cards:
            continue
        # One more unread card among the rest: what has not been seen yet is not impossible.
        usual = (rest_unread + 1) / (rest_cards + 1)
        if at_least(rate.unread, rate.cards, usual) * len(rates) < CHANCE:
            found.append(Finding(rate, rest_cards, rest_unread, sets.get(rate.of, ())))
    return sorted(found, key=lambda one: -one.rate.unread)


def at_least(unread: int, cards: int, usual: float) -> float:
    """The probability that of `cards`, each unread with probability `usual`, at least `unread` are."""
    yes, no = math.log(usual), math.log1p(-usual)
    return 1 - math.fsum(
        math.exp(
            math.lgamma(cards + 1)
            - math.lgamma(k + 1)
            - math.lgamma(cards - k + 1)
            + k * yes
            + (cards - k) * no
        )
        for k in range(unread)
    )
