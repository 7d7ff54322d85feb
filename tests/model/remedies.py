"""Remedies: naming and correcting cards, voiding, resolving what is open."""

from tests.model.cards import Slot, card_of
from tests.model.drawing import GAPS
from tests.model.orders import Orders
from tests.model.refusing import Refused, refuse
from tests.model.state import Args, Card, Coup, Item

DEALER_REMEDIES = {"reveal", "keep", "disclose", "undisclosed"}
OF_VERBS = {"identify", "correct", "draw"}
"""Remedies that are verbs, or the card itself."""


class Remedies(Orders):
    """The verbs that mend."""

    def meant(self, args: Args, default: Coup | None) -> Coup:
        """The coup that `coup` and `shoe` name, else `default`."""
        coup = default
        if coup and coup.status == "coming" and not coup.cards:
            coup = None
        if "coup" in args or "shoe" in args:
            coup = self.t.coups.get((args.get("shoe", self.t.shoe) or 0, args.get("coup", 0)))
        if coup is None or (coup.status == "coming" and not coup.cards and not coup.no_bet) or coup.gone:
            raise Refused("no_coup")
        return coup

    def do_identify(self, args: Args, _: str) -> None:
        """Name an open card that could not be read."""
        coup = self.meant(args, self.t.current)
        refuse("closed", coup.status in {"result", "void", "invalid"})
        card = coup.at(args["slot"])
        if card is None or not card.turned:
            raise Refused("not_open")
        refuse("known", card.face is not None)
        card.face = card_of(args["card"])
        named = {"n": card.here, "slot": card.slot, "card": card.face, "was": None}
        self.emit("card.identified", coup, named)
        if card.unread is not None and card.unread in self.t.items:
            self.resolve(card.unread, "identify")
        self.expose(coup, card, "operator")
        self.settle(coup)

    def do_correct(self, args: Args, _: str) -> None:
        """An open card was another one; after the result, a further revision."""
        t = self.t
        coup = self.meant(args, t.coup or t.last)
        refuse("closed", coup.status in {"void", "invalid"})
        card, new = coup.at(args["slot"]), card_of(args["card"])
        assert new is not None
        if card is None or card.face is None or not card.turned:
            raise Refused("not_open")
        refuse("same_card", card.face == new)
        self._places_stay(coup, card, new)
        t.shown[self.pack(coup, card.face)] -= 1
        named = {"n": card.here, "slot": card.slot, "card": new, "was": card.face}
        card.face = new
        self.emit("card.identified", coup, named)
        for item in list(t.items):
            if item.code == "duplicate_card" and item.coup in {coup, None}:
                self.resolve(item, "correct")
        if coup.status == "result":
            t.shown[self.pack(coup, new)] += 1
            self.result(coup, "correct")
            return
        coup.confirmed = False
        coup.announced -= {
            f"{args['slot'][0]}3",
            f"{args['slot'][0]}2" if args["slot"][1] != "3" else "",
        }
        for item in list(t.items):
            if item.coup is coup and (
                (item.code == "composition_exceeded" and item.card is card)
                or item.code == "result_mismatch"
                or (item.code == "third_card_missing" and coup.expected() != item.slot)
            ):
                self.resolve(item, "correct")
        self.expose(coup, card, "operator")
        self.settle(coup)

    def _places_stay(self, coup: Coup, card: Card, new: str) -> None:
        """Refuse a face with which some card would have another place (details 41)."""
        if len(coup.cards) < 4:
            return
        assert card.slot is not None
        faces: dict[Slot, str] = {**coup.exposed(), card.slot: new}
        thirds = [lying.slot for lying in coup.cards if lying.slot in {"P3", "B3"}]
        for placed, slot in enumerate(thirds):
            place = coup.next_place(faces, placed)
            refuse(
                "places_would_change",
                place != slot,
            )
        in_excess = (other.aside[0] for other in self.t.waiting if other.aside)
        decided = coup.decided or (coup is self.t.coup and any(of is coup for of in in_excess))
        refuse("places_would_change", decided and coup.next_place(faces) != "none")

    def do_void(self, args: Args, _: str) -> None:
        """The coup is void."""
        coup = self.meant(args, self.t.coup)
        refuse("closed", coup.status in {"result", "void", "invalid"})
        refuse("no_coup", coup.status == "coming")
        oldest = next((item for item in self.t.items if item.hold and item.coup is coup), None)
        if oldest is None:
            self.void(coup, "command", None)
        else:
            self.void(coup, oldest.code, self.rule_of_void(oldest))

    def rule_of_void(self, item: Item) -> str | None:
        """The rule by which a coup is void for `item`; a misdeal that cannot be put right: NSW-13.3."""
        house = self.t.house_of(item.coup)
        return house.irregularities.get("too_many_cards") if item.code == "misdeal" else item.rule

    # -- irregularities

    def to_resolve(self, args: Args, role: str) -> Item:
        """The open item that `args` mean, with a remedy that `role` may choose."""
        found = [item for item in self.t.items if args.get("id") == item.id or args.get("code") == item.code]
        refuse("no_such_item", not found)
        refuse("ambiguous", len(found) > 1)
        item, remedy = found[0], args["remedy"]
        refuse("not_a_remedy", remedy not in item.remedies)
        refuse("not_allowed", role == "dealer" and remedy not in DEALER_REMEDIES)
        refuse("use_verb", remedy in OF_VERBS)
        parked = item.coup is not None and item.coup.status == "parked"
        if remedy == "missed" and item.code in GAPS:
            refuse("cards_since", item.cards_since or parked)
            refuse("no_shoe", not self.t.loaded)
            refuse("answer_due", self.t.coup is None and self.t.unanswered)
        return item

    def do_resolve(self, args: Args, role: str) -> None:
        """Choose a remedy of an open irregularity."""
        item = self.to_resolve(args, role)
        remedy, coup = args["remedy"], item.coup
        if remedy in {"disclose", "undisclosed"}:
            self.answer(remedy)
        elif remedy == "reveal":
            assert coup is not None
            refuse("held", self.open_item(coup, "misdeal"))
            by_press = self.t.parts_of(coup).ends == "press"
            refuse("held", not by_press and any(map(self.t.doubted, coup.cards)))
            self.reveal_late(item)
        elif item.code == "suspect_double" and remedy != "void":
            self._told_twice(item, remedy)
        elif remedy == "void":
            if coup is None or coup.status not in {"open", "parked"}:
                raise Refused("no_coup")
            self.void(coup, item.code, self.rule_of_void(item))
        else:
            self.resolve(item, remedy)
            if remedy == "missed":
                self.draw(None, "unreadable_card", "operator")
            elif remedy == "keep" and coup:
                for card in coup.unplaced:
                    card.kept = card.kept or card.early is item
                self.settle(coup)
            elif remedy == "reconstruct" and coup:
                self._reconstructed(coup)

    def _told_twice(self, item: Item, remedy: str) -> None:
        """The card is one of its own, or the one before it, told twice."""
        t, card, coup = self.t, item.card, item.coup
        waits = card in t.waiting
        behind = coup.cards[coup.cards.index(card) :] if coup and card else []
        if card and remedy == "read_twice":
            of = None if coup or item.number is None else item.shoe
            self.emit("card.read_twice", coup or item.number, {"n": card.n}, shoe=of)
            for other in list(t.items):
                if other in {card.unread, card.question}:
                    self.resolve(other, "read_twice")
            (coup.cards if coup else t.waiting).remove(card)
            t.read -= card.read
            t.unread -= not card.read
            if card.face is not None:
                t.drawn[card.face] -= 1
        self.resolve(item, remedy)
        if waits and t.coup is None:
            self.go_on()
        elif coup and not coup.cards:
            self.void(coup, item.code, item.rule)
        elif coup:
            self.settle(coup)
            self.too_early(coup, behind)

    def _reconstructed(self, coup: Coup) -> None:
        """Wagers may come off until a card of the coup lies open (NSW-13.2)."""
        if not coup.no_bet and not any(card.face_up for card in coup.cards):
            coup.window = True
            self.emit("betting.withdraw_only", coup, {"reason": "misdeal", "implied": False})
