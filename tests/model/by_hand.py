"""Dealing by hand beside a dead shoe, and the next step of the procedure."""

from tests.model.cards import card_of
from tests.model.refusing import Refused, refuse
from tests.model.reports import Reports
from tests.model.state import Args, Coup


class ByHand(Reports):
    """The verbs `enter`, `enter_result` and `advance`."""

    def do_enter(self, args: Args, _: str) -> None:
        """The next card, by hand."""
        refuse("answer_due", self.t.coup is None and self.t.unanswered)
        self.draw(card_of(args["card"]), source="operator")

    def do_enter_result(self, args: Args, _: str) -> None:
        """A whole coup, or the rest of one, by hand. On a refusal the caller puts all back."""
        t = self.t
        refuse("burning", t.burning)
        refuse("answer_due", t.coup is None and t.waiting)
        refuse("last_coup", t.coup is None and t.last_coups == 0)
        coup = t.current
        assert coup is not None
        refuse("held", t.coup and self.holds(coup))
        refuse("cards_down", any(not card.turned for card in coup.cards))
        refuse("betting_not_open", t.coup is None and not self.may_begin(coup))
        given = {
            f"{hand[0].upper()}{place}": card_of(text)
            for hand in ("player", "banker")
            for place, text in enumerate(args[hand], 1)
        }
        self.close_betting("no_more_bets", implied=False)
        self._deal(coup, given)
        refuse("cards_differ", coup.expected() != "none")
        refuse("held", self.holds(coup))
        refuse("cards_differ", {card.slot: card.face for card in coup.cards} != given)
        refuse("outcome_differs", args["outcome"] != self.outcome(coup))
        self.result(coup)

    def _deal(self, coup: Coup, given: dict[str, str | None]) -> None:
        """Draw what is missing, in the order of the rules."""
        while (place := coup.expected()) not in {None, "none"}:
            face = given.get(str(place))
            if face is None:
                raise Refused("cards_differ")
            self.draw(face, source="operator")
            self._open_all(coup)

    def _open_all(self, coup: Coup) -> None:
        """Turn what is down."""
        for card in coup.unplaced:
            card.open = True
        self.turn(coup, [card for card in coup.cards if card.slot and not card.turned])
        self.settle(coup)

    def do_advance(self, _: Args, role: str) -> None:
        """Take the next step of the procedure."""
        t = self.t
        coup = t.coup
        if coup is None:
            if t.betting and t.parts_of(t.next).closes == "no-more-bets":
                self.do_no_more_bets({}, role)
            elif not t.betting and not t.next.bets_opened and not t.next.no_bet:
                self.do_open_betting({}, role)
            else:
                raise Refused("nothing_next")
            return
        parts = t.parts_of(coup)
        refuse("held", self.holds(coup))
        refuse("too_few_cards", len(coup.cards) < 4)
        if parts.ends == "press":
            self.do_reveal({"all": True}, role)
        elif any(not card.turned for card in coup.cards):
            self.do_reveal({"all": True} if parts.one_by_one else {}, role)
        elif coup.expected() == "none" and parts.ends == "confirm":
            self.do_confirm({}, role)
        else:
            raise Refused("nothing_next")
