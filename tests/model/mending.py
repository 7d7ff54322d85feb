"""Staff who put right what holds a coup; what a dealer can see."""

from tests.model.cards import count, thirds, value
from tests.model.choosing import Chooser
from tests.model.commands import Commands
from tests.model.deck import Deck
from tests.model.session import Action, Order, Session, Shoe
from tests.model.state import Args, Coup, Item


class Mending:
    """The small things that happen at a table, and the remedies. `at`: the time of the next one."""

    def __init__(self, choose: Chooser, session: Session, dirty: float) -> None:
        self._choose = choose
        self._session = session
        self._deck = Deck(choose, session.config.decks, dirty)
        self._say = Commands(choose, session.model)
        self._at = 0

    def _card(self) -> Shoe:
        return Shoe(self._at, self._deck.frame())

    def _order(self, verb: str, args: Args | None = None, role: str | None = None) -> Order:
        return self._say.order(self._at, verb, args, role)

    def _usual(self, verb: str, role: str | None = None) -> Order:
        if verb == "face_up":
            return self._order("report", {"code": "face_up_card"})
        return self._order(verb, self._say.args(verb), role)

    def _answer(self) -> Order:
        """Was the excess card seen."""
        choose = self._choose
        what = choose.pick(("disclose", "undisclosed", "undisclosed"))
        asked = [item for item in self._session.model.t.items if item.code == "excess_card"]
        if asked and choose.chance(0.3):
            return self._resolve(choose.pick(asked), what)
        return self._order(what)

    def _resolve(self, item: Item, remedy: str) -> Order:
        role = None if remedy in {"reveal", "keep", "disclose", "undisclosed"} else "supervisor"
        named: Args = {"id": item.id} if self._choose.chance(0.7) else {"code": item.code}
        return self._order("resolve", {**named, "remedy": remedy}, role)

    def _held(self, coup: Coup) -> Action:
        """A held coup is mended, parked or dealt on."""
        choose, model = self._choose, self._session.model
        whole = len(coup.cards) >= 4 and all(card.turned for card in coup.cards)
        if whole and not model.holds(coup, "game") and choose.chance(0.15):
            return self._order("open_betting")
        if choose.chance(0.1):
            return self._card()
        return self._mend(coup)

    def _mend(self, coup: Coup) -> Action:
        """Choose a remedy of something that holds `coup`, or void it."""
        choose = self._choose
        where = self._say.coup(coup) if coup.status == "parked" else {}
        items = [item for item in self._session.model.t.items if item.hold and item.coup is coup]
        if not items or choose.chance(0.04):
            return self._order("void", where)
        item = choose.pick(items)
        reported = item.code in {
            "duplicate_card",
            "device_reset",
            "sequence_gap",
            "card_returned",
            "set_changed",
        }
        if choose.chance(0.2 if reported else 0.07):
            return self._resolve(item, "void")
        return self._remedy(coup, item, where)

    def _remedy(self, coup: Coup, item: Item, where: Args) -> Action:
        choose = self._choose
        remedy = choose.pick([word for word in item.remedies if word != "void"] or ["void"])
        match remedy:
            case "identify":
                return self._name(coup, item, where)
            case "draw":
                return self._card()
            case "correct":
                return self._order("correct", {**self._other_face(coup, item), **where})
            case "reveal" if choose.chance(0.5):
                return self._order("reveal")
            case _:
                return self._resolve(item, remedy)

    def _name(self, coup: Coup, item: Item, where: Args) -> Action:
        """Name the unread card, once it lies open."""
        card = item.card
        if card and card.slot and card.turned:
            return self._order("identify", {"slot": card.slot, "card": self._deck.face(), **where})
        if len(coup.cards) < 4:
            return self._card()
        return self._order("reveal", {"all": True} if self._choose.chance(0.8) else {})

    def _other_face(self, coup: Coup, item: Item) -> Args:
        """Another face for a card of `coup`, mostly one of the same value."""
        choose = self._choose
        placed = [card for card in coup.cards if card.slot]
        card = choose.pick(placed) if placed else None
        if item.card and item.card.slot and choose.chance(0.7):
            card = item.card
        face = self._say.card()
        if card and card.face and choose.chance(0.6):
            face = card.face[:-1] + choose.pick("SHCD")
        return {"slot": card.slot if card else "P1", "card": face}


def wants_more(coup: Coup) -> bool:
    """Whether the true faces want one more card, as the dealer can see."""
    faces = [card.face for card in coup.cards]
    p1, b1, p2, b2 = faces[:4]
    if p1 is None or b1 is None or p2 is None or b2 is None:
        return False
    third = value(faces[4]) if len(faces) > 4 and faces[4] else 0
    return len(faces) - 4 < len(thirds(count(p1, p2), count(b1, b2), third))
