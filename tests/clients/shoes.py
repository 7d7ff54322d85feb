"""Tells a publisher of a game of baccarat: coups as their public events, cards and all."""

import random
from typing import Any

from tests.clients.feed_double import Publisher

DEAL = ("P1", "B1", "P2", "B2")
FACES: dict[int, tuple[str, ...]] = {0: ("K", "10", "Q", "J"), 1: ("A",)} | {
    number: (str(number),) for number in range(2, 10)
}


class Game:
    """One table dealing coups of a wanted outcome, with cards whose points make it."""

    def __init__(self, publisher: Publisher, seed: int = 7) -> None:
        self.publisher = publisher
        self.coup = 0
        self._chance = random.Random(seed)

    def open(self) -> None:
        self.publisher.tell("table.opened", reason="start")
        self.load()

    def load(self) -> None:
        self.coup = 0
        self.publisher.tell("shoe.loaded", decks=8, cards=416)
        self.publisher.tell("betting.opened", 1, reason="auto", implied=True)

    def card(self, points: int) -> str:
        return self._chance.choice(FACES[points]) + self._chance.choice("SHCD")

    def start(self) -> None:
        self.coup += 1
        self.publisher.tell("betting.closed", self.coup, reason="first_card", implied=True)

    def deal(self, n: int) -> None:
        self.publisher.tell("card.dealt", self.coup, n=n)

    def expose(self, slot: str, card: str) -> None:
        self.publisher.tell("card.exposed", self.coup, slot=slot, card=card, source="shoe")

    def announce(self, hand: str, points: int) -> None:
        self.publisher.tell("hand.announced", self.coup, hand=hand, points=points, natural=False)

    def result(self, outcome: str, *, revision: int = 1, coup: int | None = None, **changed: object) -> None:
        low, high = (self._chance.choice(range(6)), self._chance.choice(range(6, 10)))
        points = {"player": (high, low), "banker": (low, high), "tie": (high, high)}[outcome]
        hands = [{"cards": [self.card(0), self.card(value)], "points": value} for value in points]
        data: dict[str, Any] = {
            "revision": revision,
            "outcome": outcome,
            "player": hands[0],
            "banker": hands[1],
            "natural": high > 7,
            "pairs": {"player": self._chance.random() < 0.08, "banker": self._chance.random() < 0.08},
            "no_bet": False,
            "method": None,
            "last_coup": False,
            "bets": {},
            "rules": {"name": "nsw", "sha256": "0" * 64},
            "rule_ids": [],
            "corrects": revision - 1 or None,
            "cause": None,
        }
        self.publisher.tell("coup.result", coup or self.coup, **(data | changed))

    def play(self, letters: str) -> None:
        """Deal a whole coup for each of `letters`, B, P or T."""
        for letter in letters:
            self.start()
            for n in range(1, 5):
                self.deal(n)
            self.result({"B": "banker", "P": "player", "T": "tie"}[letter])
            self.publisher.tell("betting.opened", self.coup + 1, reason="auto", implied=True)
