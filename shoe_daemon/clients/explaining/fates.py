"""Where the cards went that irregularities are about, and which coups then had wagers."""

from collections import Counter, deque
from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from shoe_daemon.clients.explaining.between import ENDS
from shoe_daemon.clients.told import Told
from shoe_daemon.table.irregularities import UNREAD

_CALLED_OFF: Final = frozenset({"table_paused", "table_closed", "shoe_closed"})
"""Why betting closes that had opened, so that the coup has no wagers unless it opens again."""
_OUT: Final = frozenset({"excess_card", "beyond_last_coup"})


class Fate(msgspec.Struct):
    """The card of one irregularity. `coups`: those that it was carried into while the irregularity was open.

    `holds`: the coups that it holds, in turn. `drawn`: when the card was, by the coup it was raised in.
    `out`: the card never was one of that coup's; `unused`: nor will it be one of another's.
    """

    drawn: Literal["in", "after", "before"] = "in"
    coups: list[int] = []
    holds: list[int] = []
    out: bool = False
    unused: bool = False


class Fates:
    """The fates of a whole shoe, from all that surveillance was told of it."""

    def __init__(self, seen: Iterable[Told]) -> None:
        self._fates: dict[int, Fate] = {}
        self._unread: dict[int, tuple[int | None, int]] = {}
        self._waiting: deque[int] = deque()
        self._ended: set[int | None] = set()
        self._drawn: tuple[int | None, int] | None = None
        self._before: Told | None = None
        self._carried: Counter[int] = Counter()
        self._opened: set[int | None] = set()
        self._called_off: set[int | None] = set()
        self._no_bet: dict[int | None, str] = {}
        self._seen: set[int] = set()
        self._closed = False
        self._voided: set[int | None] = set()
        for told in seen:
            self._take(told)
            self._before = told

    def of(self, item: int) -> Fate:
        """What became of the card that irregularity `item` is about."""
        return self._fates.get(item, Fate())

    def voided(self, coup: int | None) -> bool:
        """Whether `coup` is void."""
        return coup in self._voided

    def went_to(self, item: int, coup: int) -> bool:
        """Whether the card that irregularity `item` is about was carried into `coup`."""
        fate = self._fates.get(item)
        return fate is not None and coup in fate.coups

    def dropped(self, coup: int | None) -> bool:
        """Whether `coup` was never dealt: the shoe was closed while cards waited for it."""
        return self._closed and coup not in self._ended

    def betting(self, coup: int, answer: str) -> str:
        """What an excess card with that `answer` brought about in `coup`, into which it was carried."""
        if self.dropped(coup):
            return f"coup {coup} was never dealt: the shoe was closed before"
        if coup in self._no_bet:
            return f"{self._why_no_bet(coup, answer)}coup {coup} is a no-bet coup"
        if coup in self._opened:
            return f"coup {coup} has wagers"
        if self._carried[coup] > 1:
            return f"coup {coup} is under way at once: betting does not open for it"
        off = coup in self._called_off
        betting = "betting for it was called off" if off else "betting did not open for it"
        return f"the card is the first of coup {coup}; {betting}"

    def _why_no_bet(self, coup: int, answer: str) -> str:
        """Why `coup` is one although nobody had seen the card, with that `answer`."""
        if answer != "undisclosed":
            return ""
        if self._no_bet[coup] != "disclosed":
            return "it was declared that "
        return "another card was seen: " if coup in self._seen else "its first card was seen after all: "

    def _take(self, told: Told) -> None:
        data = told.data
        if told.type in ENDS:
            self._ended.add(told.coup)
        match told.type:
            case "card.drawn":
                self._drawn = (told.coup, data["n"])
            case "irregularity.raised":
                self._raised(told)
            case "irregularity.resolved":
                self._unread.pop(data["id"], None)
            case "card.carried":
                self._carry((told.coup, data["n"]), data["to_coup"])
                self._seen |= {data["to_coup"]} if data["disclosed"] else set()
            case "coup.void":
                self._voided.add(told.coup)
            case "shoe.closed":
                self._closed = True
            case _:
                self._betting(told)

    def _betting(self, told: Told) -> None:
        match told.type:
            case "betting.opened":
                self._opened.add(told.coup)
            case "betting.closed" if told.data["reason"] in _CALLED_OFF and told.coup in self._opened:
                self._opened.remove(told.coup)
                self._called_off.add(told.coup)
            case "coup.no_bet":
                self._no_bet[told.coup] = told.data["reason"]

    def _raised(self, told: Told) -> None:
        data = told.data
        ended: Literal["in", "after"] = "after" if told.coup in self._ended else "in"
        fate = Fate("before" if told.coup is None else ended)
        if data["hold"] and told.coup is not None:
            fate.holds = [told.coup]
        self._fates[data["id"]] = fate
        if data["code"] in UNREAD and self._drawn is not None:
            self._unread[data["id"]] = self._drawn
        if data["code"] == "excess_card" and data["remedies"]:
            self._waiting.append(data["id"])
        if data["code"] in _OUT:
            fate.unused = not data["remedies"]
            self._of_the_same(told, unused=fate.unused)

    def _of_the_same(self, excess: Told, *, unused: bool) -> None:
        """A card not read is in excess as it is drawn: the one is said right after the other."""
        before = self._before
        if before is None or before.type != "irregularity.raised" or before.at != excess.at:
            return
        if before.data["code"] in UNREAD:
            fate = self._fates[before.data["id"]]
            fate.out, fate.unused, fate.holds = True, unused, []

    def _carry(self, card: tuple[int | None, int], to: int) -> None:
        self._carried[to] += 1
        if self._waiting:
            self._fates[self._waiting.popleft()].coups.append(to)
        for item, drawn in self._unread.items():
            if drawn == card:
                self._fates[item].coups.append(to)
                self._fates[item].holds.append(to)
