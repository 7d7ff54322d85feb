"""What the hands at the virtual table do: draw from the shoe, speak, and let time go by."""

from collections.abc import Iterator
from random import Random
from typing import Any

from drivers.encoder import ProfileEncoder
from drivers.script import Operator, Send
from shoe_daemon.game.cards import DECK, Card, Slot


class Hands:
    """A shoe and a clock; `speed` divides every pause."""

    def __init__(self, encoder: ProfileEncoder, rng: Random, speed: float) -> None:
        self._encoder = encoder
        self._rng = rng
        self._speed = speed
        self._clock = 0.0
        # One device tells of an unread card always in the same way.
        self._unread_sign = rng.choice(range(encoder.unread_signs or 1))
        self._order: tuple[Card, ...] = ()
        self._used = 0
        self._carried: list[Card] = []
        self._tags: dict[Card, list[int]] = {}

    def _shuffles(self, decks: int) -> tuple[Card, ...]:
        """Make a shoe. Raises ValueError where the profile has not as many tags of a face as `decks`."""
        order = list(DECK) * decks
        self._rng.shuffle(order)
        self._order, self._used = tuple(order), 0
        if self._encoder.tagged:
            self._tags = {card: self._tags_of(card, decks) for card in DECK}
        return self._order

    def _tags_of(self, card: Card, decks: int) -> list[int]:
        """Spellings of the copies of `card` in this shoe, of each physical card another."""
        tags = self._encoder.forms(card)
        if tags < decks:
            words = f"{decks} decks have {decks} times {card}, and the profile has tags for {tags}"
            raise ValueError(f"{words}: give more tags, or fewer decks")
        return self._rng.sample(range(tags), decks)

    def _next(self) -> Card:
        self._used += 1
        return self._order[self._used - 1]

    def _pause(self, least: float, most: float) -> None:
        self._clock += self._rng.uniform(least, most) / self._speed

    def _at(self) -> float:
        return round(self._clock, 6)

    def _says(self, verb: str, actor: str, **args: Any) -> Operator:  # noqa: ANN401 - arguments of any verb
        return Operator(self._at(), verb, actor, args)

    def _sends(self, card: Card, slot: Slot | None = None) -> Send:
        tagged = self._encoder.tagged
        form = self._tags[card].pop() if tagged else self._rng.randrange(self._encoder.forms(card))
        return Send(self._at(), self._encoder.encode_card(card, form, slot))

    def _sends_on(self) -> Send:
        """Draw a card that belongs to the next coup."""
        self._carried.append(self._next())
        return self._sends(self._carried[-1])

    def _sends_unread(self) -> Iterator[Send]:
        for frame in self._encoder.encode_unread(self._unread_sign):
            yield Send(self._at(), frame)
            self._clock += 0.02 / self._speed
