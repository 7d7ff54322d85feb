"""The coups of a period: their results, revisions, and those without an end."""

from typing import Final

from shoe_daemon.clients.handover.parts import Key, Revised, second_of
from shoe_daemon.clients.handover.period import Period
from shoe_daemon.clients.told import Told

OUTCOMES: Final = ("player", "banker", "tie")


class Coups:
    """All coups up to the end of the period, message by message."""

    def __init__(self, period: Period) -> None:
        self._period = period
        self._first: dict[Key, str] = {}
        self._outcomes: dict[Key, tuple[str, bool]] = {}
        self.pending: dict[Key, None] = {}
        self.held: dict[Key, None] = {}
        self.under_way: Key | None = None
        self.revisions: list[Revised] = []
        self._invalid: set[Key] = set()
        self.voids = 0

    def take(self, told: Told) -> None:
        """The next message of surveillance."""
        if told.type == "shoe.loaded":
            self.under_way = None
        if told.shoe is None or told.coup is None:
            return
        key = (told.shoe, told.coup)
        match told.type:
            case "card.drawn":
                self._drawn(key)
            case "coup.result":
                self._result(told, key)
            case "coup.void":
                self._void(told, key)
            case "coup.invalidated":
                self._invalid.add(key)
                self._revised(told, key, f"invalidated: {told.data['ground']}")
            case "coup.pending":
                self.pending[key] = None
                self.under_way = None if self.under_way == key else self.under_way
            case "coup.held":
                self.held[key] = None
            case "coup.released":
                self.held.pop(key, None)

    def results(self) -> dict[str, int]:
        """How the coups ended that had their first result in the period, as it stood at its end.

        Those whose result no longer counts then are in none of the three.
        """
        counts = dict.fromkeys(OUTCOMES, 0)
        for outcome, _ in self._inside():
            counts[outcome] += 1
        return counts

    def no_bets(self) -> int:
        """How many of them had no wagers."""
        return sum(no_bet for _, no_bet in self._inside())

    def invalidated(self) -> int:
        """How many had their first result in the period and one that no longer counted at its end."""
        return sum(self._period.holds(self._first[key]) for key in self._invalid if key in self._outcomes)

    def _inside(self) -> list[tuple[str, bool]]:
        return [
            how
            for key, how in self._outcomes.items()
            if key not in self._invalid and self._period.holds(self._first[key])
        ]

    def _drawn(self, key: Key) -> None:
        """A card: a coup is under way, unless the card is in excess of one that has ended."""
        if key not in self._first and key not in self.pending:
            self.under_way = key

    def _result(self, told: Told, key: Key) -> None:
        data = told.data
        self._ended(key, told)
        if data["revision"] > 1:
            before = self._outcomes[key][0] if key in self._outcomes else "not told"
            same = before == data["outcome"]
            what = f"{before}, as before" if same else f"{before} to {data['outcome']}"
            self._revised(told, key, f"{what}, revision {data['revision']}")
        self._outcomes[key] = (data["outcome"], data["no_bet"])

    def _void(self, told: Told, key: Key) -> None:
        """A coup without a result: from the beginning, or once it had been parked."""
        if self._ended(key, told) and self._period.holds(told.at):
            self.voids += 1

    def _ended(self, key: Key, told: Told) -> bool:
        """Note the first end of a coup; whether this was it."""
        self.pending.pop(key, None)
        self.held.pop(key, None)
        if self.under_way == key:
            self.under_way = None
        if key in self._first:
            return False
        self._first[key] = told.at
        return True

    def _revised(self, told: Told, key: Key, what: str) -> None:
        if self._period.holds(told.at):
            first = self._first.get(key, told.at)
            adjusts = not self._period.holds(first)
            second = second_of(told, told.actor)
            self.revisions.append(Revised(told.at, *key, what, first, adjusts, told.actor, second))
