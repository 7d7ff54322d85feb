"""Cards are turned: what is told, and the checks that read a face."""

from collections.abc import Iterable
from typing import Final

from tests.model.cards import RANKS, TURNS, count
from tests.model.state import Card, Coup
from tests.model.telling import NEXT, Pen

RUN: Final = 12
"""Cards in a row, as in a new deck, that are suspicious."""


class Faces(Pen):
    """Turning cards."""

    def turn(self, coup: Coup, cards: Iterable[Card], rank: int | None = None) -> None:
        """Turn placed cards of `coup`, in the order in which it is told."""
        for card in sorted(cards, key=lambda card: TURNS.index(card.slot or "P1")):
            card.turned = True
            if card.face is not None:
                self.expose(coup, card, card.source, rank)

    def expose(self, coup: Coup, card: Card, source: str, rank: int | None = None) -> None:
        """A face is there for everybody: tell it, announce, count."""
        assert card.face is not None
        self.emit(
            "card.exposed",
            coup,
            {"slot": card.slot, "card": card.face, "source": source},
            rank=rank,
        )
        self.announce(coup, "player" if card.slot in {"P1", "P2", "P3"} else "banker", rank)
        pack = self.pack(coup, card.face)
        self.t.shown[pack] += 1
        if self.t.shown[pack] > self.t.config.decks:
            self.raise_("composition_exceeded", coup, card=card)

    def pack(self, coup: Coup, face: str) -> tuple[int, int, str]:
        """What a face is counted in: its shoe, or its coup where all cards are shuffled after each."""
        return coup.shoe, coup.number if self.t.house_of(coup).reshuffled else 0, face

    def announce(self, coup: Coup, hand: str, rank: int | None = None) -> None:
        """Announce what has become known of a hand (details 12)."""
        letter = hand[0].upper()
        faces = [coup.exposed().get(f"{letter}{place}") for place in "123"]  # type: ignore[call-overload] # a slot
        if faces[0] is None or faces[1] is None:
            return
        for cards in (2, 3):
            known = [face for face in faces[:cards] if face]
            if len(known) == cards and f"{letter}{cards}" not in coup.announced:
                coup.announced.add(f"{letter}{cards}")
                points = count(*known)
                natural = cards == 2 and points >= 8
                self.emit(
                    "hand.announced",
                    coup,
                    {"hand": hand, "points": points, "natural": natural},
                    rank=rank,
                )

    def shown_first(self, coup: Coup) -> None:
        """Turn the first card of the coming no-bet coup, where it lies there already."""
        first = coup.at("P1")
        if first and not first.turned:
            self.turn(coup, [first], NEXT)

    def order(self, coup: Coup) -> None:
        """Look for cards in the order of a new deck, as `coup` has its first result."""
        run = self.t.run
        if self.t.house_of(coup).reshuffled:
            run.last, run.length, run.way = None, 0, 0
        for card in coup.cards:
            assert card.face is not None
            way = _step(run.last, card.face) if run.last else 0
            if way and way == run.way:
                run.length += 1
            else:
                run.length = 2 if way else 1
            run.way, run.last = way, card.face
            if run.length == RUN:
                self.raise_("order_suspicious", coup)
                run.way, run.length, run.last = 0, 0, None


def _step(before: str, card: str) -> int:
    """1 where `card` follows `before` as in a new deck, -1 where it goes before it, else 0."""
    a, b = RANKS.index(before[:-1]), RANKS.index(card[:-1])
    if before[-1] == card[-1] and abs(a - b) == 1:
        return b - a
    if (a, b) == (12, 0):
        return 1
    return -1 if (a, b) == (0, 12) else 0
