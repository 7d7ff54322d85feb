"""A longer deal: time passes between things, the daemon stops and starts, several audiences listen."""

from collections.abc import Sequence
from typing import Any, Self

from tests.table.dealt import Deal

NATURAL = ("9S", "2H", "KD", "5C")
"""Player 9 with two cards, Banker 7."""
BANKER_SIX = ("KS", "2H", "3D", "4C", "KH")
"""Banker 6 with two cards against 3 with three."""
BANKER_WINS = ("KS", "2H", "3D", "5C", "KH")
"""Banker 7 with two cards against 3 with three."""
TIE = ("9S", "2H", "KD", "7C")
"""9 against 9."""


class Evening(Deal):
    """A capture in the making, dealt by the dealer's word and turned by the dealer unless said otherwise."""

    def __init__(self, **first: Any) -> None:  # noqa: ANN401 - keys of a capture's first line
        super().__init__(**{"procedure": "dealer-reveal", **first})

    def cards(self, *texts: str) -> Self:
        """As ever."""
        super().cards(*texts)
        return self

    def say(self, verb: str, actor: str = "supervisor:9", **args: Any) -> Self:  # noqa: ANN401 - of any verb
        """As ever."""
        super().say(verb, actor, **args)
        return self

    def wait(self, seconds: int) -> Self:
        """Time passes, and what is due in it happens."""
        self._t += seconds - 1
        self._next(rx="")
        return self

    def service(self, state: str, after: int = 1) -> Self:
        """The daemon stops, or starts, `after` seconds in which nothing is heard."""
        self._t += after - 1
        self._next(service=state)
        return self

    def coup(self, *cards: str) -> Self:
        """A whole coup, from closing the bets to the dealer's call."""
        self.say("no_more_bets").cards(*cards[:4]).say("reveal")
        for card in cards[4:]:
            self.cards(card).say("reveal")
        self.say("confirm")
        return self

    @property
    def refused(self) -> list[str]:
        """Reasons of the refusals so far."""
        return [one["reason"] for one in self.data("command.refused")]

    def heard(self, kind: str) -> list[str]:
        """Audiences that are told events of `kind`."""
        return [who for who in ("public", "surveillance", "cage") if self.data(kind, who)]


def only(found: Sequence[Any]) -> Any:  # noqa: ANN401 - whatever there is one of
    """The one thing that there is."""
    (one,) = found
    return one
