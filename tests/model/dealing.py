"""A table at work: a dealer who mostly does the next thing, staff who mend, and mischief."""

from collections.abc import Sequence
from typing import Final

from tests.model.choosing import Chooser
from tests.model.config import PROCEDURES, Config
from tests.model.house import HOUSES, SIDE_BETS
from tests.model.mending import Mending, wants_more
from tests.model.reports import CODES
from tests.model.session import Action, Cable, Power, Session, Wait
from tests.model.state import Args, Coup
from tests.model.verbs import VERBS

SECOND: Final = 1_000_000
GAP_MS: Final = 150
"""Longer than the shortest step but none, so that some cards come too soon."""
_BETWEEN: Final = (
    *("cut_card", "cut_card", "disclose", "burn", "burn", "burn", "correct", "declare_no_bet", "report"),
    *("enter_result", "enter_result", "enter_result", "close_table", "invalidate", "dispute", "dispute"),
    *(
        "notice",
        "notice",
        "set_limits",
        "set_limits",
        "set_limits",
        "set_rules",
        "set_rules",
        "pause",
        "void",
    ),
    *("close_shoe", "set_method", "set_method", "set_method", "bank", "bank", "resume"),
)
_WHILE_BURNING: Final = ("burn", "close_shoe", "enter_result", "declare_no_bet", "face_up")
_AFTER_THE_LAST: Final = (
    "open_betting",
    "disclose",
    "declare_no_bet",
    "enter_result",
    "enter_result",
    "face_up",
)
_WITH_A_QUESTION: Final = ("open_betting", "burn", "enter_result", "enter", "enter", "advance")


def some_config(choose: Chooser) -> Config:
    """Some table."""
    procedure = choose.pick(tuple(PROCEDURES))
    rules = choose.pick(("nsw", "nsw", "nsw", "nzg-1994", "macau", *HOUSES))
    pairs = choose.pick(((), ("nsw-even-money",), ("nsw", "live"), ("nzg-1994", "nsw", "macau")))
    two = choose.pick(((), (), (), ("void", "correct"), ("identify", "resolve", "burn"), tuple(VERBS)))
    return Config(
        rules=rules,
        others=tuple(name for name in pairs if name != rules),
        procedure=procedure,
        decks=choose.pick((1, 1, 1, 2, 8)),
        settle_s=choose.pick((0, 0, 1, 2.5)) if procedure == "face-up" else 0,
        betting_opens="command" if choose.chance(0.3) else "auto",
        side_bets=tuple(name for name in SIDE_BETS if choose.chance(0.3)),
        two_persons=frozenset(two),
        attest="required" if choose.chance(0.3) else "recorded",
        main_floor=choose.chance(0.5),
        opened=not choose.chance(0.25),
        min_gap_ms=choose.pick((0, 0, 0, GAP_MS)),
    )


class Dealing(Mending):
    """Gives the next action of a session, from what the model's table looks like."""

    def __init__(self, choose: Chooser, session: Session) -> None:
        super().__init__(choose, session, dirty=choose.pick((0.0, 0.03, 0.08, 0.15)))
        self._wild = choose.pick((0.05, 0.15, 0.3, 0.5))
        self._greedy = choose.pick((0.0, 0.05, 0.15))
        self._late = choose.pick((0.0, 0.05, 0.15))

    def next(self) -> Action:
        """What happens next."""
        choose = self._choose
        self._at += choose.pick((0, SECOND // 10, SECOND // 4, SECOND // 2, SECOND, 2 * SECOND))
        return self.mischief() if choose.chance(self._wild) else self._sensible()

    def usual(self) -> Action:
        """What a dealer does next."""
        self._at += self._choose.pick((SECOND // 10, SECOND // 2, SECOND))
        return self._sensible()

    def mischief(self) -> Action:  # noqa: PLR0911 - an answer for each kind
        """The cable, the process, the clock, a card too many, a report, or whatever somebody says."""
        choose, t = self._choose, self._session.model.t
        if t.stopped:
            return self._started()
        kind = choose.whole(0, 99)
        if kind < 8:
            return Cable(self._at, "down" if t.link == "up" else "up")
        if kind < 20:
            return self._card()
        if kind < 32:
            often = ("misdeal", "too_many_cards", "face_up_card", "face_up_card", "equipment_fault")
            return self._order("report", self._say.report(choose.pick((*often, *sorted(CODES)))))
        if kind < 35:
            return Power(self._at, "stopped" if choose.chance(0.7) else "started")
        if kind < 38:
            self._at += choose.pick((5, 61, 600, 1260)) * SECOND
            return Wait(self._at)
        return self._say.any(self._at)

    def _sensible(self) -> Action:  # noqa: PLR0911 - an answer for each state of the table
        choose, t = self._choose, self._session.model.t
        if t.stopped:
            return self._started()
        if t.link != "up" and choose.chance(0.5):
            return Cable(self._at, "up")
        if not t.opened:
            return self._card() if choose.chance(0.05) else self._order("open_table")
        if t.parked and choose.chance(0.2):
            return self._mend(choose.pick(t.parked))
        if not t.loaded:
            return self._to_load()
        if t.burning:
            return self._usual(choose.pick(_WHILE_BURNING)) if choose.chance(0.3) else self._card()
        if t.request and choose.chance(0.5):
            role = "surveillance" if choose.chance(0.7) else None
            return self._order("acknowledge", {"what": "method"}, role)
        return self._in_coup(t.coup) if t.coup else self._between()

    def _started(self) -> Action:
        self._at += self._choose.pick((0, 3, 700)) * SECOND
        return Power(self._at, "started")

    def _to_load(self) -> Action:
        choose, model = self._choose, self._session.model
        if choose.chance(0.05):
            return self._card()
        if choose.chance(0.03):
            return self._order("close_table", {"players": True})
        missing = model.not_attested()
        if missing and choose.chance(0.7):
            role = choose.pick(sorted(VERBS["attest"].roles))
            what = "inspection" if "inspection" in missing and choose.chance(0.4) else choose.pick(missing)
            return self._order("attest", {"what": what}, role)
        self._deck.fill()
        return self._usual("load_shoe")

    # -- between coups

    def _between(self) -> Action:  # noqa: PLR0911 - an answer for each state of the table
        choose, t = self._choose, self._session.model.t
        if t.waiting:
            if choose.chance(0.15):
                return self._usual(choose.pick(_WITH_A_QUESTION))
            return self._answer() if choose.chance(0.75) else self._card()
        loose = [item for item in t.items if item.coup is None and item.number is None]
        if loose and choose.chance(0.4):
            item = choose.pick(loose)
            return self._resolve(item, choose.pick(item.remedies))
        if t.last_coups == 0:
            if choose.chance(0.25):
                return self._usual(choose.pick(_AFTER_THE_LAST))
            return self._card() if choose.chance(0.3) else self._usual("close_shoe")
        if t.paused and choose.chance(0.5):
            return self._order("resume")
        if t.house.demonstrations and choose.chance(0.15):
            return self._order("declare_no_bet", {"demonstration": True})
        if t.house.methods and choose.chance(0.03):
            return self._usual("set_method", "duty_manager")
        if choose.chance(0.15):
            verb = choose.pick(_BETWEEN)
            manager = verb == "set_method" and choose.chance(0.6)
            return self._usual(verb, "duty_manager" if manager else None)
        return self._to_deal()

    def _to_deal(self) -> Action:
        """What leads to the first card of the coming coup."""
        choose, t = self._choose, self._session.model.t
        lying = t.next.at("P1")
        if lying and lying.turned and lying.face is None and choose.chance(0.5):
            return self._order("identify", {"slot": "P1", "card": self._say.card()})
        if not t.betting and not t.next.bets_opened and not t.next.no_bet and choose.chance(0.85):
            return self._order("advance" if choose.chance(0.1) else "open_betting")
        if t.betting and t.parts.closes == "no-more-bets" and not choose.chance(self._late):
            return self._order("advance" if choose.chance(0.1) else "no_more_bets")
        return self._card()

    # -- in a coup

    def _in_coup(self, coup: Coup) -> Action:  # noqa: PLR0911 - an answer for each state of the coup
        choose, model = self._choose, self._session.model
        if model.t.unanswered and choose.chance(0.5):
            return self._answer()
        if choose.chance(self._greedy):
            return self._card()
        if choose.chance(0.015):
            rare = ("cut_card", "enter_result", "burn", "shoe_empty", "shoe_empty", "enter")
            return self._usual(choose.pick(rare))
        if model.t.empty and choose.chance(0.1):
            return self._order("shoe_empty")
        if model.holds(coup) and choose.chance(0.85):
            return self._held(coup)
        if len(coup.cards) < 4:
            return self._card()
        if choose.chance(0.03):
            return self._order("advance")
        by_press = model.t.parts_of(coup).ends == "press"
        return self._press(coup) if by_press else self._by_word(coup)

    def _press(self, coup: Coup) -> Action:
        choose = self._choose
        down = [card for card in coup.cards if not card.turned]
        if coup.expected() in {"P3", "B3"}:
            return self._card()
        if choose.chance(self._late) or not wants_more(coup):
            usual: tuple[Args, ...] = ({}, {"all": True}, {"cards": len(down) or 1})
            return self._order("reveal", choose.pick(usual))
        if down and down[0].slot and choose.chance(0.06):
            return self._order("reveal", {"slot": down[0].slot})
        return self._card()

    def _by_word(self, coup: Coup) -> Action:
        choose, model = self._choose, self._session.model
        ends = model.t.parts_of(coup).ends
        down = [card.slot for card in coup.cards if card.slot and not card.turned]
        due = coup.expected() in {"P3", "B3"}
        if down and not (due and choose.chance(0.3)) and not choose.chance(self._late):
            return self._turn(coup, down)
        if due:
            return self._order("confirm") if choose.chance(self._late) else self._card()
        if ends == "confirm" and not choose.chance(self._late):
            args: Args = {"outcome": model.outcome(coup)} if choose.chance(0.4) else {}
            return self._order("confirm", self._say.args("confirm") if choose.chance(0.1) else args)
        if model.t.settle and choose.chance(0.8):
            self._at += choose.pick((1, 3)) * SECOND
            return Wait(self._at)
        return self._card()

    def _turn(self, coup: Coup, down: Sequence[str]) -> Action:
        choose = self._choose
        slot = choose.pick(down)
        usual: tuple[Args, ...] = ({}, {}, {}, {"slot": slot}, {"cards": len(down)}, {"all": True})
        if self._session.model.t.parts_of(coup).one_by_one:
            hand: Args = {"hand": "player" if slot[0] == "P" else "banker"}
            usual = (hand, hand, {"slot": slot}, {"all": True}, {**hand, "cards": 2})
        return self._order("reveal", choose.pick(usual))
