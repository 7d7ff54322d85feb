"""What a person reports because no machine sees it."""

from collections.abc import Sequence
from typing import Final

from tests.model.refusing import Refused, refuse
from tests.model.remedies import Remedies
from tests.model.state import Args, Card, Coup

CODES: Final = frozenset(
    {
        *(
            "duplicate_card",
            "order_suspicious",
            "device_reset",
            "sequence_gap",
            "card_returned",
        ),
        *(
            "set_changed",
            "equipment_fault",
            "misdeal",
            "too_many_cards",
            "insufficient_cards",
        ),
        *("unauthorised_third_card", "face_up_card", "other"),
    }
)


class Reports(Remedies):
    """The verb `report`."""

    def do_report(self, args: Args, role: str) -> None:
        """Take a report."""
        code: str = args["code"]
        if code == "insufficient_cards":
            self.do_shoe_empty({}, role)
        elif code == "face_up_card" and "n" in args:
            self._face_up(args)
        elif code == "face_up_card":
            self._face_up_at_the_mouth(args)
        elif code in {"misdeal", "too_many_cards"}:
            self._misdealt(args)
        else:
            self._other(args)

    def _card(self, coup: Coup, args: Args, aside: Sequence[Card] = ()) -> Card | None:
        """The card of `coup`, or of those in excess of it, that `n` names."""
        if "n" not in args:
            return None
        for card in aside:
            if card.aside == (coup, args["n"]):
                return card
        for card in coup.cards:
            if card.here == args["n"]:
                return card
        raise Refused("no_such_card")

    def _misdealt(self, args: Args) -> None:
        coup = self.t.coup
        if coup is None:
            raise Refused("no_coup")
        opened = any(card.face_up for card in coup.cards)
        refuse("past_initial_deal", len(coup.cards) > 4 and opened)
        refuse("reported", self.open_item(coup, args["code"]))
        card = self._card(coup, args)
        self.raise_(args["code"], coup, card=card, text=args.get("text"))

    def _other(self, args: Args) -> None:
        coup = self.t.coup
        if coup is None:
            refuse("no_coup", args["code"] == "unauthorised_third_card" or "n" in args)
            self.raise_(args["code"], None, text=args.get("text"))
            return
        aside = self.t.waiting if args["code"] == "unauthorised_third_card" else ()
        self.raise_(
            args["code"],
            coup,
            card=self._card(coup, args, aside),
            text=args.get("text"),
        )

    def _face_up(self, args: Args) -> None:
        """A card of the open coup was face up in the shoe (NSW-13.7)."""
        t = self.t
        coup = t.coup
        refuse("burning", t.burning)
        if coup is None:
            raise Refused("no_coup")
        card = self._card(coup, args, t.waiting)
        assert card is not None
        self.raise_("face_up_card", coup, card=card, text=args.get("text"))
        card.seen = True
        if card in t.unanswered:
            self.answer("disclose")

    def _face_up_at_the_mouth(self, args: Args) -> None:
        """The card that comes next was face up in the shoe (NSW-13.5, 13.7)."""
        t = self.t
        refuse("burning", t.burning)
        if t.coup is None and not t.waiting and not t.next.cards and not t.next.no_bet:
            refuse("last_coup", t.last_coups == 0)
            self.disclosed_first()
            return
        refuse("reported", t.mouth)
        self.raise_("face_up_card", t.current, belongs=False, text=args.get("text"))
        t.mouth = True
