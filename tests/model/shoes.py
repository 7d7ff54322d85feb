"""The verbs of the shoe. Each verb raises Refused before it changes anything."""

from tests.model.drawing import Drawing
from tests.model.refusing import Refused, refuse
from tests.model.state import Args, Burn, Coup, Run


class Shoes(Drawing):
    """Loading, burning, the cut card, the end."""

    def do_load_shoe(self, args: Args, _: str) -> None:
        """A new shoe lies on the table."""
        t = self.t
        refuse("shoe_loaded", t.loaded)
        missing = self.not_attested()
        refuse("attest_due", t.config.attest == "required" and missing)
        self.load(args.get("set_id"), missing)
        self.maybe_open()

    def not_attested(self) -> list[str]:
        """What the rules ask for before a shoe is loaded, and nobody said was done."""
        t = self.t
        done = {what for what, _ in t.attested}
        if "seal" in done:
            return []
        by = {actor.partition(":")[0] for what, actor in t.attested if what == "inspection"}
        if "dealer" not in by or by == {"dealer"}:
            done.discard("inspection")
        return [what for what in t.house.opening if what not in done]

    def load(self, set_id: str | None, missing: list[str]) -> None:
        """A shoe of that set is on the table."""
        t = self.t
        t.shoe = (t.shoe or 0) + 1
        t.loaded, t.empty, t.mouth = True, False, False
        t.last, t.last_coups = None, None
        t.burns, t.attested, t.run = [], [], Run()
        t.demonstrations, t.void_due = 0, None
        t.read = t.unread = t.burned = 0
        t.drawn.clear()
        for coup in t.coups.values():
            coup.gone = coup.status != "parked" and coup.shoe < t.shoe - 3
        t.before = Coup(0, t.shoe, "void")
        self.new_coming(1)
        staff = {"set_id": set_id, "not_attested": missing}
        decks = t.config.decks
        only = {"surveillance": staff, "cage": staff}
        self.emit("shoe.loaded", None, {"decks": decks, "cards": 52 * decks}, only=only)

    def do_close_shoe(self, args: Args, _: str) -> None:
        """The shoe is finished; what is carried or waits is dropped."""
        t = self.t
        refuse("coup_open", t.coup)
        refuse("burning", t.burning)
        self.close_betting("shoe_closed", implied=True)
        remaining = args.get("remaining")
        wrong = []
        gone = 0 if t.house.reshuffled else t.read + t.unread + t.burned
        if remaining is not None and gone + remaining != 52 * t.config.decks:
            wrong.append("count")
        if any(coup.shoe == t.shoe for coup in t.parked):
            wrong.append("pending")
        staff = {
            "cards_read": t.read,
            "cards_unread": t.unread,
            "burned": t.burned,
            "computed": 52 * t.config.decks - gone,
            "remaining": remaining,
            "reconciled": None if remaining is None else not wrong,
            "discrepancies": wrong,
        }
        coming = t.next
        self.emit(
            "shoe.closed",
            None,
            {"coups": coming.number - 1},
            only={"surveillance": staff, "cage": staff},
        )
        for faces in t.burns:
            self.emit("shoe.burned_cards", None, {"cards": faces}, policy="delayed")
        dropped = {id(card) for card in [*t.waiting, *coming.cards]}
        for item in list(t.items):
            asked = any(card.question is item for card in t.waiting)
            if asked or item.coup is coming or (item.card and id(item.card) in dropped):
                self.resolve(item, "void")
        for item in t.items:
            item.cards_since = True
        t.waiting, t.mouth, t.loaded, t.coming = [], False, False, None
        coming.status = "void"
        del t.coups[coming.shoe, coming.number]

    def do_burn(self, args: Args, _: str) -> None:
        """The next cards are burned, or those of the coup were."""
        t = self.t
        if args.get("reclassify"):
            self._reclassify()
            return
        refuse("coup_open", t.coup)
        if args.get("end"):
            refuse("not_burning", not t.burning)
            self.burnt()
            return
        refuse("burning", t.burning)
        refuse("card_waiting", t.waiting or t.next.cards)
        gone = 0 if t.house.reshuffled else t.read + t.unread + t.burned
        refuse("bad_args", args.get("count", 1) > max(52 * t.config.decks - gone, 0))
        t.burning = Burn(args.get("count"))

    def _reclassify(self) -> None:
        t = self.t
        coup = t.coup
        if coup is None:
            raise Refused("no_coup")
        refuse("cards_exposed", any(card.face_up for card in coup.cards))
        cards = list(coup.cards)
        t.read -= sum(card.read for card in cards)
        t.unread -= sum(not card.read for card in cards)
        t.burned += len(cards)
        t.drawn.subtract(card.face for card in cards if card.face)
        self.void(coup, "burned", None)
        self.told_burn([card.face for card in cards])

    def do_cut_card(self, _: Args, __: str) -> None:
        """The cut card came out."""
        t = self.t
        refuse("already_cut", t.last_coups is not None)
        t.last_coups = t.house.after_cut + bool(t.coup)
        if t.last_coups == 0 and t.betting:
            self.close_betting("shoe_closed", implied=True)
            t.next.bets_opened = False
        self.emit("shoe.cut_card", t.here, {"last_coups": t.last_coups})

    def do_shoe_empty(self, _: Args, __: str) -> None:
        """No card is left."""
        refuse("already_empty", self.t.empty)
        self.t.empty = True
        self.emit("shoe.empty", self.t.here)
