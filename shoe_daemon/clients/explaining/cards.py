"""The cards of a coup, from what was told of each: where it left the shoe and went, how it became known."""

from collections.abc import Iterator
from typing import Any, Final, Literal

import msgspec

from shoe_daemon.clients.explaining.between import ENDS
from shoe_daemon.clients.explaining.decisions import first_points
from shoe_daemon.clients.explaining.words import second_of
from shoe_daemon.clients.told import Told
from shoe_daemon.game.cards import HANDS, INITIAL, Card, Slot, parse
from shoe_daemon.game.drawing import next_third

Went = Literal[
    "hand",
    "next_coup",
    "not_dealt",
    "aside",
    "burned",
    "waits",
    "goes",
    "unused",
    "nowhere",
    "not_told",
    "told_twice",
]
"""Where a card went, or that it was none: the one before was told twice. In excess: into a coup, or into one
that was never dealt; aside; it is burned; it waits for the question whether it was seen, or answered for
the next coup; it went into none, the shoe being closed."""

_LIVE: Final = frozenset({"waits", "goes"})
"""Of these a card may still go into a coup."""
_NOT_HERE: Final = frozenset({"next_coup", "told_twice"})


class Naming(msgspec.Struct, frozen=True):
    """A person named a face: `before` is None where nobody had known it, else what it was corrected from."""

    at: str
    by: str | None
    card: str
    before: str | None
    second: str | None = None


class CardFact(msgspec.Struct):
    """One card. `n`: its number in this coup, in the order dealt; times as messages say them.

    `left_in`: the coup in which it left the shoe in excess, where that is not this one (`left_n` there).
    `seen`: of an excess card, whether anybody saw it. `withheld`: its face is known and not shown.
    `second`, `turned_second`: who stood by the person named before.
    """

    n: int
    slot: Slot | None = None
    card: str | None = None
    left_at: str | None = None
    left_in: int | None = None
    left_n: int | None = None
    carried: bool = False
    source: str | None = None
    readable: bool | None = None
    by: str | None = None
    second: str | None = None
    turned_at: str | None = None
    turned_by: str | None = None
    turned_second: str | None = None
    named: list[Naming] = []
    went: Went = "nowhere"
    to_coup: int | None = None
    seen: bool | None = None
    withheld: bool = False


class Cards:
    """The cards of coup `number`, message by message. `closed`: its shoe is, and every face may be shown."""

    def __init__(self, number: int, *, closed: bool, staff: bool) -> None:
        self._number = number
        self._closed = closed
        self._staff = staff
        self._drawn: dict[tuple[int | None, int], Told] = {}
        self._cards: dict[int, CardFact] = {}
        self._out: dict[int, Went] = {}
        self._ended: set[int | None] = set()

    def take(self, told: Told) -> None:
        """Any message about the shoe, in order."""
        if told.type == "card.drawn":
            self._drawn[told.coup, told.data["n"]] = told
        if told.type in ENDS:
            self._ended.add(told.coup)
        if told.type == "irregularity.resolved" and self._out.get(told.data["id"]) == "waits":
            self._out[told.data["id"]] = "unused" if told.data["remedy"] == "void" else "goes"
        if told.type == "card.carried":
            self._carried(told)
        elif told.coup == self._number:
            self._mine(told, told.data)

    def _mine(self, told: Told, data: dict[str, Any]) -> None:
        match told.type:
            case "card.drawn" | "card.dealt":
                self._cards[data["n"]] = self._left(data["n"], told)
            case "card.assigned":
                self._card(data["n"]).slot = data["slot"]
            case "card.read_twice":
                self._is_none(data["n"])
            case "card.exposed":
                self._exposed(told, data)
            case "card.identified":
                self._identified(told, data)
            case "coup.cards":
                self._void(data["cards"])
            case "irregularity.raised" if data["code"] == "beyond_last_coup":
                self._out[data["id"]] = "aside"
            case "irregularity.raised" if data["code"] == "excess_card":
                self._out[data["id"]] = "waits" if data["remedies"] else "burned"

    def _card(self, n: int) -> CardFact:
        return self._cards.setdefault(n, CardFact(n))

    def _here(self) -> list[CardFact]:
        """The cards that are this coup's so far, in the order dealt."""
        return [card for _, card in sorted(self._cards.items()) if card.went not in _NOT_HERE]

    def _is_none(self, n: int) -> None:
        self._card(n).went, self._card(n).slot = "told_twice", None
        if self._staff:
            return
        for place, card in enumerate(self._here()):  # nobody is told the places of those after it
            if card.turned_at is None:
                card.slot = INITIAL[place] if place < len(INITIAL) else None

    def _left(self, n: int, told: Told) -> CardFact:
        data = told.data
        place = len(self._here())
        slot = data.get("slot") or (INITIAL[place] if place < len(INITIAL) and not self._staff else None)
        return CardFact(
            n,
            slot,
            data.get("card") if self._closed else None,
            left_at=told.at,
            source=data.get("source"),
            readable=data.get("readable"),
            by=told.actor,
            second=second_of(data),
        )

    def origin(self, card: CardFact) -> tuple[int | None, int]:
        """The coup in which `card` left the shoe, and its number there."""
        return (self._number, card.n) if card.left_n is None else (card.left_in, card.left_n)

    def _carried(self, told: Told) -> None:
        if told.data["to_coup"] == self._number:
            self._carried_in(told)
            return
        for card in self._cards.values():
            if self.origin(card) == (told.coup, told.data["n"]):
                card.went, card.to_coup, card.seen = "next_coup", told.data["to_coup"], told.data["disclosed"]

    def _carried_in(self, told: Told) -> None:
        drawn = self._drawn.get((told.coup, told.data["n"]))
        n = len(self._cards) + 1
        card = CardFact(n) if drawn is None else self._left(n, drawn)
        card.slot = told.data["slot"]
        card.left_in, card.left_n, card.carried = told.coup, told.data["n"], True
        card.seen = told.data["disclosed"]
        self._cards[n] = card

    def _exposed(self, told: Told, data: dict[str, Any]) -> None:
        card = self._at(data["slot"])
        if card.turned_at is None:
            card.turned_at, card.turned_by, card.turned_second = told.at, told.actor, second_of(data)
        elif card.card != data["card"]:
            naming = Naming(told.at, told.actor, data["card"], card.card, second_of(data))
            card.named = [*card.named, naming]
        card.card = data["card"]

    def _identified(self, told: Told, data: dict[str, Any]) -> None:
        card = self._card(data["n"])
        card.slot = data["slot"]
        naming = Naming(told.at, data["actor"], data["card"], card.card, second_of(data))
        card.named = [*card.named, naming]
        card.card = data["card"]

    def _void(self, cards: list[dict[str, Any]]) -> None:
        for one in cards:
            card = self._card(one["n"])
            card.slot = one["slot"] or card.slot
            if self._closed:
                card.card = one["card"] or card.card
            else:
                card.withheld = card.card is None and one["card"] is not None

    def _at(self, slot: Slot) -> CardFact:
        """The card in `slot`; a third card whose place was not told until it was turned finds it here."""
        for card in self._cards.values():
            if card.slot == slot:
                return card
        here, place = self._here(), INITIAL.index(slot) if slot in INITIAL else -1
        if place >= 0:
            due = [*here[place : place + 1], *here]  # cards that tell their place come in any order
            card = next((one for one in due if one.slot is None), None) or self._card(len(self._cards) + 1)
        else:
            free = self._unplaced()
            lies = any(card.slot == "P3" for card in self._cards.values())
            second = slot == "B3" and self._player_draws() and not lies
            card = free[min(second, len(free) - 1)] if free else self._card(len(self._cards) + 1)
        card.slot = slot
        return card

    def _unplaced(self) -> list[CardFact]:
        """Third cards without a place so far, in the order dealt; those in excess come last."""
        return [card for card in self._cards.values() if card.slot is None and card.went not in _NOT_HERE]

    def _player_draws(self) -> bool:
        faces = self.faces()
        if not all(slot in faces for slot in INITIAL):
            return False
        return next_third(*first_points(faces), None) == "P3"

    def faces(self) -> dict[Slot, Card]:
        """The faces that were turned or named, by their place."""
        return {
            card.slot: parse(card.card)
            for card in self._cards.values()
            if card.slot and card.card and (card.turned_at or card.named)
        }

    def lacking(self) -> Slot | None:
        """The place of the next card, which an empty shoe did not have; None where that is not known."""
        count = len(self._here())
        if count < len(INITIAL):
            return INITIAL[count]
        if not all(slot in self.faces() for slot in INITIAL):
            return None
        return "P3" if count == len(INITIAL) and self._player_draws() else "B3"

    def end(self, result: dict[str, Any] | None, *, ended: bool) -> Iterator[CardFact]:
        """Every card in order. `result`: the last `coup.result`, whose hands say the faces that counted."""
        if result is not None:
            self._counted(result)
        ordered = sorted(self._cards.values(), key=lambda one: one.n)
        if self._unplaced() and self._player_draws() and not any(card.slot == "P3" for card in ordered):
            self._unplaced()[0].slot = "P3"
        left = [card for card in ordered if card.went not in _NOT_HERE]
        for card in left:
            away: Went = "nowhere" if self._staff or not ended else "not_told"
            card.went = away if card.slot is None else "hand"
        unplaced = [card for card in reversed(left) if card.slot is None]
        for card, went in zip(
            unplaced, reversed(self._stayed(sum(card.went == "next_coup" for card in ordered))), strict=False
        ):
            card.went = "unused" if self._closed and went in _LIVE else went
        for card in ordered:
            if card.went == "next_coup" and self._closed and card.to_coup not in self._ended:
                card.went = "not_dealt"
        yield from ordered

    def _stayed(self, carried: int) -> list[Went]:
        """Where cards in excess went that were not carried; the first `carried` of the others were."""
        waited = [item for item, went in self._out.items() if went in _LIVE]
        return [went for item, went in self._out.items() if item not in waited[:carried]]

    def _counted(self, result: dict[str, Any]) -> None:
        for hand, slots in HANDS.items():
            for slot, face in zip(slots, result[hand]["cards"], strict=False):
                self._at(slot).card = face
