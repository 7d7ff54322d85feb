"""How a coup ends, and what the next one begins with."""

from tests.model.cards import FIRST, count
from tests.model.faces import Faces
from tests.model.house import pays, rule_ids, side_bet, side_pays
from tests.model.state import Answer, Coup, Run
from tests.model.telling import NEXT


class Ending(Faces):
    """Results, void coups, betting, excess cards that are carried."""

    # -- betting

    def close_betting(self, reason: str, *, implied: bool) -> None:
        """Close betting, if it is open."""
        if self.t.betting:
            self.t.betting = False
            self.emit("betting.closed", self.t.coming, {"reason": reason, "implied": implied})

    def close_window(self, *, implied: bool, reason: str = "no_more_bets") -> None:
        """Wagers may no longer be taken off."""
        coup = self.t.coup
        if coup and coup.window:
            coup.window = False
            self.emit("betting.closed", coup, {"reason": reason, "implied": implied})

    def open_bets(self, reason: str, *, implied: bool) -> None:
        """Open betting for the coming coup."""
        self.t.betting = True
        self.t.next.bets_opened = True
        self.emit("betting.opened", self.t.coming, {"reason": reason, "implied": implied})

    def maybe_open(self) -> None:
        """Betting opens by itself where nothing is in its way (details 35)."""
        t = self.t
        if (
            t.config.betting_opens == "auto"
            and t.opened
            and t.loaded
            and not t.paused
            and not t.empty
            and t.coup is None
            and not t.betting
            and not t.waiting
            and not t.next.no_bet
            and t.last_coups != 0
        ):
            self.open_bets("auto", implied=True)

    # -- the end

    def new_coming(self, number: int) -> None:
        """The next coup is number `number`."""
        t = self.t
        assert t.shoe is not None
        t.coming = t.coups[t.shoe, number] = Coup(number, t.shoe)
        t.watched.append(t.coming)

    def begin(self, coup: Coup) -> None:
        """`coup` is under way."""
        t = self.t
        self.starts(coup)
        coup.status = "open"
        t.coup = coup

    def starts(self, coup: Coup) -> None:
        """`coup` has a card: it is played by what is in force now."""
        t = self.t
        if coup.begun_as is None:
            coup.begun_as = (t.rules, t.parts, t.method)
            coup.banker = t.seat

    def result(self, coup: Coup, cause: str | None = None) -> None:
        """`coup` has its result, or a further revision of it."""
        t = self.t
        house = t.house_of(coup)
        faces = {card.slot: card.face for card in coup.cards if card.slot and card.face}
        player = [faces[slot] for slot in ("P1", "P2", "P3") if slot in faces]
        banker = [faces[slot] for slot in ("B1", "B2", "B3") if slot in faces]
        p, b = count(*player), count(*banker)
        outcome = "player" if p > b else "banker" if b > p else "tie"
        natural = count(*player[:2]) >= 8 or count(*banker[:2]) >= 8
        before, coup.revision = coup.revision, coup.revision + 1
        if coup.status == "open":
            coup.last = t.last_coups == 1
        if coup.status == "open":
            self.order(coup)
        self.emit(
            "coup.result",
            coup,
            {
                "revision": coup.revision,
                "outcome": outcome,
                "player": {"cards": player, "points": p},
                "banker": {"cards": banker, "points": b},
                "natural": natural,
                "pairs": {
                    "player": player[0][:-1] == player[1][:-1],
                    "banker": banker[0][:-1] == banker[1][:-1],
                },
                "no_bet": coup.no_bet,
                "method": t.method_of(coup),
                "last_coup": coup.last,
                "bets": {name: side_bet(name, faces) for name in t.config.side_bets},
                "rules": {"name": t.rules_of(coup)},
                "rule_ids": rule_ids(house, natural=natural, player_drew="P3" in faces),
                "corrects": before or None,
                "cause": cause,
            },
        )
        kind = "none" if coup.no_bet else "adjust" if before else "pay"
        odds = {} if coup.no_bet else pays(house, outcome, b)
        for name in () if coup.no_bet else t.config.side_bets:
            odds |= side_pays(name, faces)
        self.settlement(coup, kind, odds)
        if not before and t.seat is not None and t.seat == coup.banker:
            self._bank(coup, outcome)
        self._ended(coup, "result")

    def _bank(self, coup: Coup, outcome: str) -> None:
        """The holder of bank, marker or shoe loses it by the rules."""
        house, method = self.t.house_of(coup), coup.begun_as and coup.begun_as[2]
        if house.bank and outcome == "player":
            self.pass_bank(None, "banker_lost", house.bank, coup)
        elif house.methods and method == "B" and outcome == "player":
            self.pass_bank(None, "banker_lost", "NSW-8.15", coup)
        elif house.methods and method == "E":
            self.pass_bank(None, "every_coup", "NSW-8.27", coup)

    def pass_bank(self, seat: int | None, reason: str, rule: str | None, ended: Coup | None = None) -> None:
        """Bank, marker or shoe goes to `seat`, as `ended` has its result."""
        before, self.t.seat = self.t.seat, seat
        told = {"from": before, "to": seat, "reason": reason, "rule": rule}
        self.emit("bank.passed", None if self.t.coup is ended else self.t.here, told)

    def settlement(self, coup: Coup, kind: str, odds: dict[str, str], forfeit: tuple[int, ...] = ()) -> None:
        """Tell the cage."""
        self.emit(
            "settlement",
            coup,
            {
                "revision": coup.revision,
                "kind": kind,
                "pays": odds,
                "stakes": None,
                "forfeit": list(forfeit),
            },
        )

    def void(self, coup: Coup, reason: str, rule: str | None) -> None:
        """`coup` is void: all that is open of it is resolved so, the question of excess cards excepted."""
        if coup is self.t.coup:
            self.close_window(implied=True)
        for item in list(self.t.items):
            if item.coup is coup and item.code != "excess_card":
                self.resolve(item, "void")
        self.emit("coup.void", coup, {"reason": reason, "rule": rule})
        cards = [{"n": card.here, "slot": card.slot, "card": card.face} for card in coup.cards]
        self.emit("coup.cards", coup, {"cards": cards})
        self.t.run = Run()
        begun = coup.begun_as
        holds = self.t.seat is not None and self.t.seat == coup.banker
        shoe_goes = begun and begun[2] == "E" and self.t.house_of(coup).methods
        if holds and coup.status == "open" and shoe_goes:
            self.pass_bank(None, "every_coup", "NSW-8.27", coup)
        self._ended(coup, "void")

    def park(self, coup: Coup) -> None:
        """The held coup waits for its evidence; dealing goes on."""
        self.emit("coup.pending", coup)
        self.t.parked.append(coup)
        self.t.run = Run()
        self._ended(coup, "parked", opens=False)

    def _ended(self, coup: Coup, status: str, *, opens: bool = True) -> None:
        t = self.t
        was, coup.status = coup.status, status  # type: ignore[assignment] # a status
        coup.window = False
        if was == "parked":
            t.parked.remove(coup)
        if was != "open":
            return
        t.settle = None
        t.last, t.coup = coup, None
        if t.last_coups is not None:
            t.last_coups -= 1
        self.new_coming(coup.number + 1)
        self.go_on(opens=opens)

    # -- excess cards

    def go_on(self, *, opens: bool = True) -> None:
        """Between coups: what waits is carried, what lies face up at the mouth is seen, or betting opens."""
        t = self.t
        if t.waiting:
            self.carry(opens=opens)
        elif t.mouth and t.last_coups != 0:
            self.disclosed_first()
        elif opens:
            self.maybe_open()

    def answer(self, what: Answer) -> None:
        """All excess cards of which nobody spoke were seen, or were not."""
        for card in self.t.unanswered:
            card.answer = what
            assert card.question is not None
            self.resolve(card.question, what)
        if self.t.coup is None:
            self.carry()

    def carry(self, *, opens: bool = True) -> None:
        """The excess cards become cards of the coming coup, once all is said of them (details 37, 38)."""
        t = self.t
        if t.unanswered or any(map(t.doubted, t.waiting)):
            return
        coup, cards, t.waiting = t.next, t.waiting, []
        for card in cards:
            coup.given += 1
            card.here = coup.given
            card.kept = card.open = False
            card.slot = FIRST[len(coup.cards)] if len(coup.cards) < 4 else None
            coup.cards.append(card)
            if card.unread is not None and card.unread in t.items:
                card.unread.coup = coup
            self.emit(
                "card.carried",
                card.left,
                {
                    "n": card.n,
                    "slot": card.slot,
                    "to_coup": coup.number,
                    "disclosed": card.answer == "disclose",
                },
            )
        self.starts(coup)
        first = coup.cards[0]
        if first in cards and first.answer == "disclose":
            self.no_bet("disclosed", t.house.no_bet)
        if len(coup.cards) >= 2:
            self.begin(coup)
        if opens:
            self.maybe_open()

    def disclosed_first(self) -> None:
        """The coming coup's first card was seen (NSW-13.5)."""
        self.raise_("disclosed_first_card", self.t.coming, slot="P1", belongs=False)
        self.no_bet("disclosed", self.t.house_of(self.t.coming).no_bet)

    def no_bet(self, reason: str, rule: str | None) -> None:
        """The coming coup is dealt without wagers, by method C (NSW-13.6)."""
        coup = self.t.next
        coup.no_bet = True
        coup.disclosed = reason == "disclosed"
        self.close_betting("no_bet", implied=True)
        self.emit("coup.no_bet", coup, {"reason": reason, "rule": rule}, rank=NEXT)
        if coup.disclosed:
            self.shown_first(coup)
