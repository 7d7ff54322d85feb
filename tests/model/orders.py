"""The verbs of betting and of the cards on the table."""

from tests.model.cards import count
from tests.model.refusing import Refused, refuse
from tests.model.shoes import Shoes
from tests.model.state import Args, Card, Coup, Item


class Orders(Shoes):
    """Betting, turning, calling the coup; what excess cards were."""

    # -- betting

    def do_open_betting(self, _: Args, __: str) -> None:
        """Bets are taken; a coup held for evidence is parked."""
        t = self.t
        coup = t.coup
        refuse("already_open", t.betting)
        refuse("paused", t.paused)
        refuse("answer_due", t.unanswered or any(map(t.doubted, t.waiting)))
        refuse("last_coup", t.last_coups == (1 if coup else 0))
        if coup is None:
            refuse("no_bet", t.next.no_bet)
        else:
            refuse("no_bet", t.waiting and t.waiting[0].answer == "disclose")
            refuse("coup_open", not self.holds(coup))
            refuse("held", self.holds(coup, "game"))
            refuse("too_few_cards", len(coup.cards) < 4)
            refuse(
                "cards_down",
                any(card.slot is None or not card.turned for card in coup.cards),
            )
            refuse("coup_open", len(t.waiting) > 1)
            self.park(coup)
        if t.coup is None and not t.betting and not t.next.no_bet:
            self.open_bets("command", implied=False)

    def do_no_more_bets(self, _: Args, __: str) -> None:
        """No more bets."""
        if self.t.coup and self.t.coup.window:
            self.close_window(implied=False)
            return
        refuse("betting_not_open", not self.t.betting)
        self.close_betting("no_more_bets", implied=False)

    # -- cards on the table

    def do_reveal(self, args: Args, _: str) -> None:
        """Cards are turned; the press of the result button; the late press."""
        t = self.t
        coup = t.coup
        if coup is None:
            raise Refused("no_coup")
        parts = t.parts_of(coup)
        press = parts.ends == "press" and "slot" not in args
        refuse("held", self.open_item(coup, "misdeal"))
        refuse("held", parts.ends != "press" and any(map(t.doubted, coup.cards)))
        late = self.open_item(coup, "drawn_before_reveal")
        if late:
            refuse("held", "hand" in args or "slot" in args)
            self.reveal_late(late, args.get("cards"))
            return
        refuse("hands_together", "hand" in args and not parts.one_by_one)
        named = "hand" in args or "slot" in args or args.get("all")
        refuse("hand_needed", parts.one_by_one and not named)
        refuse("too_few_cards", len(coup.cards) < 4)
        down = self._down(coup, args, press=press)
        stands = coup.pressed or self.open_item(coup, "third_card_missing")
        refuse("nothing_down", not down and (not press or stands))
        refuse("cards_mismatch", args.get("cards", len(down)) != len(down))
        if press:
            coup.pressed = True
            for card in coup.unplaced:
                card.open = True
        self.close_window(implied=True)
        self.turn(coup, [card for card in down if card.slot])
        self.settle(coup)

    def _down(self, coup: Coup, args: Args, *, press: bool) -> list[Card]:
        """The cards that a reveal with `args` turns."""
        if press:
            return [card for card in coup.cards if not card.turned and not card.open]
        down = [card for card in coup.cards if card.slot and not card.turned]
        if "slot" in args:
            return [card for card in down if card.slot == args["slot"]]
        if "hand" in args:
            mine = [card for card in down if card.slot and card.slot[0] == args["hand"][0].upper()]
            return [card for card in mine if card.slot not in {"P3", "B3"}] or mine
        return down

    def reveal_late(self, item: Item, cards: int | None = None) -> None:
        """Every card before the last one was open; the last is judged by them (details 29)."""
        coup = item.coup
        assert coup is not None
        last = coup.cards[-1]
        before = coup.cards[:-1]
        down = [card for card in before if not card.turned and not card.open]
        refuse("cards_mismatch", cards is not None and cards != len(down))
        self.close_window(implied=True)
        self.resolve(item, "reveal", late=True)
        for card in coup.unplaced:
            card.open = card.open or card is not last
            card.kept = card.kept and card is last
        coup.pressed = self.t.parts_of(coup).ends == "press"
        self.turn(coup, [card for card in down if card.slot])
        self.settle(coup)

    def do_confirm(self, args: Args, _: str) -> None:
        """The coup is over, as the dealer calls it."""
        coup = self.t.coup
        if coup is None:
            raise Refused("no_coup")
        refuse("not_in_procedure", self.t.parts_of(coup).ends != "confirm")
        refuse("too_few_cards", len(coup.cards) < 4)
        refuse("held", self.holds(coup))
        place = coup.expected()
        refuse("third_card_missing", place in {"P3", "B3"})
        refuse("not_complete", place is None)
        coup.confirmed = True
        self.turn(coup, [card for card in coup.cards if not card.turned])
        if "outcome" in args and coup.complete and args["outcome"] != self.outcome(coup):
            self.raise_("result_mismatch", coup, text=args["outcome"])

    def outcome(self, coup: Coup) -> str:
        """Who wins by the exposed faces."""
        faces = coup.exposed()
        player = count(*(face for slot, face in faces.items() if slot[0] == "P"))
        banker = count(*(face for slot, face in faces.items() if slot[0] == "B"))
        return "player" if player > banker else "banker" if banker > player else "tie"

    def do_disclose(self, _: Args, __: str) -> None:
        """The excess card, or the coming first card, was seen."""
        t = self.t
        if t.unanswered:
            self.answer("disclose")
            return
        refuse("nothing_waiting", t.coup or t.waiting or t.next.no_bet or t.last_coups == 0)
        self.disclosed_first()

    def do_undisclosed(self, _: Args, __: str) -> None:
        """Nobody saw the excess card."""
        refuse("nothing_waiting", not self.t.unanswered)
        self.answer("undisclosed")
