"""A card leaves the shoe: what it is for, and what follows from what lies on the table."""

from collections.abc import Sequence
from typing import Literal

from tests.model.cards import Place, value
from tests.model.ending import Ending
from tests.model.state import Burn, Card, Coup

GAPS = ("link_gap", "device_reset", "sequence_gap")
"""Codes with the remedy `missed`."""


Fate = Literal["coup", "excess", "aside", "burned"]


class Drawing(Ending):
    """Drawing, placing, concluding."""

    def draw(
        self, face: str | None, code: str = "unreadable_card", source: str = "shoe", *, soon: bool = False
    ) -> None:
        """A card leaves the shoe; `code`: what is raised where it has no face.

        `soon`: so soon after the one before that it may be that one, told twice.
        """
        t = self.t
        t.empty = False
        for item in t.items:
            if item.code in GAPS:
                item.cards_since = True
        if t.burning:
            if soon:
                self._suspect(t.coup, None, "burned")
            self._burn(t.burning, face)
            return
        coming = t.next
        if t.coup is None and (t.last_coups == 0 or not self.may_begin(coming)):
            last = t.last or t.before
            assert last is not None
            self._between(last, face, code, source, soon=soon)
            return
        coup = t.coup or coming
        if t.coup is None:
            self.begin(coup)
        self._into(coup, face, code, source, soon=soon)

    def _into(self, coup: Coup, face: str | None, code: str, source: str, *, soon: bool) -> None:
        """A card while `coup` is under way."""
        t = self.t
        place = coup.expected()
        if soon and place != "none":
            place = None
        card = self._leaves(coup, face, source)
        coup.cards.append(card)
        if place not in {None, "none"}:
            card.slot = place  # type: ignore[assignment] # none of the other two
        self._told(card, card.slot)
        if t.betting:
            self.close_betting("first_card", implied=True)
            if t.parts_of(coup).closes != "first-card":
                self.raise_("drawn_before_betting_closed", coup, card=card)
        self.close_window(implied=True)
        if face is None:
            card.unread = self.raise_(code, coup, card=card)
        if soon:
            self._suspect(coup, card, self._aside(t.last_coups == 1) if place == "none" else "coup")
        self._judge(coup, card, place)

    def may_begin(self, coming: Coup) -> bool:
        """Whether a card drawn now is one of the coming coup, and not in excess."""
        first = self.t.last is None and not self.t.paused
        return coming.bets_opened or coming.no_bet or first

    def _leaves(self, coup: Coup, face: str | None, source: str) -> Card:
        """Give the card its number in `coup`, count it."""
        t = self.t
        coup.given += 1
        card = Card(face, coup.given, coup, source, here=coup.given, read=face is not None)
        card.seen, t.mouth = t.mouth, False
        card.read = face is not None and source == "shoe"
        t.read += card.read
        t.unread += not card.read
        return card

    def _told(self, card: Card, slot: str | None) -> None:
        t = self.t
        self.emit(
            "card.drawn",
            card.left,
            {
                "n": card.n,
                "slot": slot,
                "readable": card.face is not None,
                "card": None,
                "source": card.source,
            },
            only={
                "delayed": {"slot": slot if card.n <= 4 else None},
                "immediate": {"card": card.face},
            },
        )
        if card.face is not None:
            t.drawn[card.face] += 1
            if t.drawn[card.face] > t.config.decks:
                self.emit(
                    "alarm.raised",
                    card.left,
                    {"code": "composition_exceeded", "n": card.n},
                    policy="immediate",
                )
        self.emit("card.dealt", card.left, {"n": card.n})

    def _judge(self, coup: Coup, card: Card, place: Place | None) -> None:
        t = self.t
        parts = t.parts_of(coup)
        if place == "none":
            self.excess(coup, card)
        elif place is None:
            coup.pressed = False
            self.too_early(coup, [card])
        else:
            coup.pressed = False
            self._no_more_missing(coup, place)
            if parts.on_draw(place) or (place == "P1" and coup.disclosed):
                self.turn(coup, [card])
                self.settle(coup)

    def too_early(self, coup: Coup, cards: Sequence[Card]) -> None:
        """`cards` were drawn before the reveal; of those behind one that may be none nobody can tell yet."""
        by_press = self.t.parts_of(coup).ends == "press"
        for place, card in enumerate(coup.cards, 1):
            if self.t.doubted(card):
                return
            if card in cards and card.slot is None and not (by_press and place <= 6):
                card.early = self.open_item(coup, "drawn_before_reveal") or self.raise_(
                    "drawn_before_reveal", coup
                )

    def _aside(self, beyond: bool) -> Fate:  # noqa: FBT001 - what it says, beside what the house says
        """Where a card in excess goes, `beyond` the last coup or not."""
        return "aside" if beyond or self.t.house.excess_burned else "excess"

    def _suspect(self, coup: Coup | None, card: Card | None, fate: Fate) -> None:
        """`card` may be the one before; in excess it is in the way of the next coup, aside of nothing."""
        item = self.raise_(
            "suspect_double",
            coup,
            card=card,
            belongs=fate == "coup",
            hold=fate == "coup",
            remedies={"coup": None, "excess": ("accept", "read_twice")}.get(fate, ("accept",)),
            text="burned" if fate == "burned" else None,
        )
        if card:
            card.suspect = item

    def _between(self, last: Coup, face: str | None, code: str, source: str, *, soon: bool) -> None:
        """A card after the last coup, or before the bets of the next one."""
        card = self._leaves(last, face, source)
        self._told(card, None)
        if face is None:
            card.unread = self.raise_(code, last, card=card, belongs=False)
        if soon:
            self._suspect(last, card, self._aside(self.t.last_coups == 0))
        self.excess(last, card, between=True)

    def _no_more_missing(self, coup: Coup, place: Place) -> None:
        missing = self.open_item(coup, "third_card_missing")
        if missing and missing.slot == place:
            self.resolve(missing, "draw")

    def _burn(self, burn: Burn, face: str | None) -> None:
        t = self.t
        burn.faces.append(face)
        t.burned += 1
        if burn.left is None:
            burn.left = 0 if face is None else value(face) or 10
        else:
            burn.left -= 1
        if burn.left == 0:
            self.burnt()

    def burnt(self) -> None:
        """The burn under way is over."""
        t = self.t
        assert t.burning is not None
        faces, t.burning = t.burning.faces, None
        self.told_burn(faces)

    def told_burn(self, faces: list[str | None]) -> None:
        """Tell a burn, its faces now or once the shoe is closed."""
        t = self.t
        self.t.run.last = None
        self.emit("shoe.burned", t.here, {"count": len(faces)})
        self.emit("shoe.burned_cards", t.here, {"cards": faces}, policy="immediate")
        t.burns.append(faces)

    # -- places

    def excess(self, coup: Coup, card: Card, *, between: bool = False) -> None:
        """`card` is none of the decided `coup`'s (NSW-13.4)."""
        t = self.t
        if card in coup.cards:
            coup.cards.remove(card)
        if card.unread:
            card.unread.coup = None
        beyond = t.last_coups == (0 if between else 1)
        if beyond or t.house.excess_burned:
            code = "beyond_last_coup" if beyond else "excess_card"
            self.raise_(code, coup, belongs=False, remedies=())
            if card.unread is not None and card.unread in t.items:
                self.resolve(card.unread, "void")
            return
        card.answer = None
        card.aside = (coup, card.here)
        card.question = self.raise_("excess_card", coup)
        t.waiting.append(card)
        parts = t.parts if between else t.parts_of(coup)
        where = "P1" if between else "B3" if coup.at("P3") or coup.at("B3") else "P3"
        opened = card.open or (parts.on_draw(where) and not card.kept)
        if card.seen or (opened and parts.ends != "press"):
            self.answer("disclose")

    def settle(self, coup: Coup) -> None:
        """Give waiting cards their places, as far as the exposed faces settle them."""
        while coup.unplaced and (card := coup.unplaced[0]).early not in self.t.items:
            if self.t.doubted(card):
                return
            place = coup.next_place()
            if place is None:
                return
            if place == "none":
                self.excess(coup, card)
                continue
            card.slot = place
            if card.unread:
                card.unread.slot = place
            self._no_more_missing(coup, place)
            self.emit("card.assigned", coup, {"n": card.here, "slot": place})
            if card.open or self.t.parts_of(coup).on_draw(place):
                self.turn(coup, [card])

    # -- the end of an input

    def conclude(self) -> None:
        """What follows from all that happened in this input."""
        t = self.t
        for coup in list(t.parked):
            self._conclude_parked(coup)
        if t.coup:
            self._conclude_open(t.coup)
        self._insufficient()
        for coup in t.watched:
            self._told_held(coup)
        t.watched = [coup for coup in t.watched if coup.status in {"coming", "open", "parked"}]

    def _insufficient(self) -> None:
        """Void the open coup where it wants a card that the shoe has not (NSW-13.8).

        One that was just begun by cards carried into it: in an input of its own right after.
        """
        t = self.t
        coup = t.coup
        if not t.empty or coup is None or coup.expected() in {None, "none"}:
            return
        if coup is t.began_with:
            item = self.raise_("insufficient_cards", coup)
            self.void(coup, item.code, item.rule)
            self._insufficient()
        else:
            t.void_due = t.now

    def _conclude_parked(self, coup: Coup) -> None:
        if self.holds(coup):
            return
        place = coup.expected()
        if coup.complete:
            self.result(coup)
        elif place in {"P3", "B3"}:
            self.raise_("third_card_missing", coup, slot=place, remedies=("correct", "void"))

    def _conclude_open(self, coup: Coup) -> None:
        t = self.t
        ends = t.parts_of(coup).ends
        place = coup.expected()
        missing = coup.pressed and place in {"P3", "B3"} and not self.open_item(coup, "third_card_missing")
        if ends == "press" and missing and not t.empty:
            self.raise_("third_card_missing", coup, slot=place)
        done = coup.complete and not self.holds(coup)
        if ends == "auto" and not done:
            t.settle = None
        elif ends == "auto" and t.config.settle_s:
            if t.settle is None:
                t.settle = t.now + round(t.config.settle_s * 1_000_000)
        elif done and (ends == "auto" or (coup.pressed if ends == "press" else coup.confirmed)):
            self.result(coup)

    def _told_held(self, coup: Coup) -> None:
        held = coup.status != "void" and self.holds(coup)
        if held != coup.held and coup.status != "void":
            self.emit("coup.held" if held else "coup.released", coup)
        coup.held = held
