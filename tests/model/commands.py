"""Commands as staff give them, with arguments that fit the table, and others that do not."""

from typing import TYPE_CHECKING, Final

from tests.model.cards import RANKS, SLOTS, SUITS, count, thirds, value
from tests.model.choosing import Chooser
from tests.model.house import HOUSES
from tests.model.reports import CODES
from tests.model.session import Order
from tests.model.staff import STAGES
from tests.model.state import Args, Coup
from tests.model.table import Model
from tests.model.verbs import EVERYBODY, VERBS

if TYPE_CHECKING:
    from collections.abc import Callable

_NAMES: Final = {role: f"{role}:{number}" for number, role in enumerate(sorted(EVERYBODY), 1)}
_RARE: Final = frozenset({"void", "close_shoe", "close_table", "enter_result", "shoe_empty", "cut_card"})
_ANY: Final = [verb for verb in VERBS for _ in range(1 if verb in _RARE else 4)]
_STRANGE: Final[tuple[Args, ...]] = (
    {"count": 0},
    {"hand": "P"},
    {"hand": "player", "slot": "P1"},
    {"slot": "P4"},
    {"outcome": "win"},
    {"card": "1S"},
    {"remedy": "void"},
    {"id": 1, "code": "other", "remedy": "void"},
    {"remaining": -1},
    {"coup": "x"},
    {"cards": True},
    {"what": "dance"},
    {"seat": 0, "minimum": 1},
    {"seat": 1, "unit": 5},
    {"ground": "disruption", "forfeit": [1]},
    {"code": "excess_card"},
    {"strange": 1},
    {"second": "dealer:4"},
)


class Commands:
    """Makes commands for the table of a model."""

    def __init__(self, choose: Chooser, model: Model) -> None:
        self._choose = choose
        self._model = model
        self._makers: dict[str, Callable[[], Args]] = {
            "burn": self._burn,
            "close_shoe": self._close_shoe,
            "reveal": self._reveal,
            "confirm": lambda: choose.pick(({}, {"outcome": choose.pick(("player", "banker", "tie"))})),
            "identify": self._named_card,
            "correct": self._named_card,
            "void": lambda: self._some_coup(0.6),
            "resolve": self._resolve,
            "enter": lambda: {"card": None if choose.chance(0.1) else self.card()},
            "enter_result": self._result,
            "report": lambda: self.report(choose.pick(sorted(CODES))),
            "close_table": lambda: choose.pick(
                ({}, {"players": True}, {"players": True}, {"emergency": True})
            ),
            "pause": lambda: {"reason": choose.pick(("command", "equipment", "dispute", "incident"))},
            "attest": self._attest,
            "load_shoe": lambda: choose.pick(({}, {"set_id": "red"})),
            "invalidate": self._invalidate,
            "set_method": self._method,
            "bank": self._bank,
            "declare_no_bet": lambda: choose.pick(({}, {"demonstration": True})),
            "wager": lambda: {"seat": 1, "bet": "player", "amount": 500},
            "withdraw": lambda: {"seat": 1},
            "seat": lambda: {"seat": 1, "act": "join"},
            "set_rules": self._rules,
            "set_limits": self._limits,
            "notice": self._notice,
            "dispute": self._dispute,
            "unmask": lambda: {"what": choose.pick(("listen", "journal", "export")), "reason": "a drill"},
            "acknowledge": lambda: {"what": choose.pick(("method", "method", "lamp"))},
        }

    def order(self, at: int, verb: str, args: Args | None = None, role: str | None = None) -> Order:
        """`verb`, by somebody who mostly may."""
        choose = self._choose
        roles = sorted(VERBS[verb].roles)
        role = role or ("dealer" if "dealer" in roles and choose.chance(0.6) else choose.pick(roles))
        said = dict(args or {})
        asked = {verb, said.get("remedy")} & self._model.t.config.two_persons
        if (asked or VERBS[verb].two) and choose.chance(0.93):
            others = [name for name in roles if name != role] if choose.chance(0.95) else sorted(EVERYBODY)
            said["second"] = _NAMES[choose.pick(others)]
        return Order(at, verb, _NAMES[role], said)

    def any(self, at: int) -> Order:
        """Whatever somebody may say at any time."""
        choose = self._choose
        verb = choose.pick(_ANY)
        if self._model.t.request is not None and choose.chance(0.25):
            verb = "acknowledge"  # so seldom is a request open that chance alone would not come to it
        if choose.chance(0.04):
            return self.order(at, verb, choose.pick(_STRANGE))
        role = choose.pick(sorted(EVERYBODY)) if choose.chance(0.1) else None
        return self.order(at, verb, self.args(verb), role)

    def args(self, verb: str) -> Args:
        """Arguments of `verb` that have a chance."""
        return self._makers[verb]() if verb in self._makers else {}

    def card(self) -> str:
        """Some card."""
        return self._choose.pick(RANKS) + self._choose.pick(SUITS)

    def coup(self, coup: Coup) -> Args:
        """Arguments that name `coup`."""
        named: Args = {"coup": coup.number}
        if coup.shoe != self._model.t.shoe or self._choose.chance(0.2):
            named["shoe"] = coup.shoe
        return named

    def report(self, code: str) -> Args:
        """A report of `code`, with a card now and then."""
        choose = self._choose
        args: Args = {"code": code}
        if choose.chance(0.4):
            args["n"] = choose.whole(1, 7)
        return {**args, "text": "seen by the pit"} if choose.chance(0.2) else args

    # -- the shoe and the felt

    def _burn(self) -> Args:
        choose = self._choose
        return choose.pick(({}, {"count": choose.whole(1, 4)}, {"end": True}, {"reclassify": True}))

    def _close_shoe(self) -> Args:
        choose, t = self._choose, self._model.t
        rest = 52 * t.config.decks - t.read - t.unread - t.burned
        return choose.pick(({}, {"remaining": max(rest, 0)}, {"remaining": choose.whole(0, 400)}))

    def _reveal(self) -> Args:
        choose = self._choose
        slot, hand = choose.pick(SLOTS), choose.pick(("player", "banker"))
        cards = choose.pick((1, 2, 4))
        return choose.pick(({}, {"all": True}, {"slot": slot}, {"hand": hand}, {"cards": cards}))

    def _named_card(self) -> Args:
        return {"slot": self._choose.pick(SLOTS), "card": self.card(), **self._some_coup(0.3)}

    def _some_coup(self, share: float) -> Args:
        choose, coups = self._choose, list(self._model.t.coups.values())
        if not coups or not choose.chance(share):
            return {}
        return self.coup(choose.pick(coups[-6:]))

    def _resolve(self) -> Args:
        choose = self._choose
        if not self._model.t.items:
            return {"code": "excess_card", "remedy": "disclose"}
        item = choose.pick(self._model.t.items)
        remedy = choose.pick(item.remedies) if choose.chance(0.9) else "accept"
        named: Args = {"id": item.id} if choose.chance(0.7) else {"code": item.code}
        return {**named, "remedy": remedy}

    def _result(self) -> Args:
        """A coup by hand: mostly one that the rules allow and that fits what lies on the table."""
        coup = self._model.t.current
        known = [card.face for card in coup.cards] if coup else []
        faces = [face or self.card() for face in [*known, *[None] * 6][:6]]
        return self._played(faces)

    def _played(self, faces: list[str]) -> Args:
        choose = self._choose
        player, banker = [faces[0], faces[2]], [faces[1], faces[3]]
        wanted = thirds(count(*player), count(*banker), value(faces[4]))
        for slot, face in zip(wanted, faces[4:], strict=False):
            (player if slot == "P3" else banker).append(face)
        if choose.chance(0.08):
            player = player[:2] if len(player) == 3 else [*player, faces[5]]
        p, b = count(*player), count(*banker)
        outcome = "player" if p > b else "banker" if b > p else "tie"
        if choose.chance(0.25):
            outcome = choose.pick(("player", "banker", "tie"))
        return {"outcome": outcome, "player": player, "banker": banker}

    # -- the house

    def _attest(self) -> Args:
        what = ("inspection", "inspection", "spread", "wash", "stack", "shuffle", "cut", "seal")
        return {"what": self._choose.pick(what)}

    def _invalidate(self) -> Args:
        named = self._some_coup(0.5)
        return self._choose.pick(
            ({"ground": "disruption", **named}, {"ground": "fraud", "forfeit": [3], **named})
        )

    def _method(self) -> Args:
        choose = self._choose
        t = self._model.t
        args: Args = {"method": choose.pick("ABCDEDE")}
        if t.method and choose.chance(0.2):
            args = {"method": t.method} if t.seat is None else {"method": t.method, "seat": t.seat}
        elif choose.chance(0.4):
            args["seat"] = choose.pick((1, 2, 15, 15))
        return {**args, "inspector": "inspector:9"} if choose.chance(0.6) else args

    def _bank(self) -> Args:
        seat = self._choose.pick((self._model.t.seat, None, 1, 2, 3, 15))
        if self._choose.chance(0.3):
            return {"seat": seat}
        return {"seat": seat, "reason": self._choose.pick(("accepted", "passed", "ordered"))}

    def _rules(self) -> Args:
        choose, config = self._choose, self._model.t.config
        name = choose.pick((config.rules, *config.others, *config.others, *HOUSES))
        return choose.pick(({"rules": name}, {"rules": name, "consent": True}))

    def _limits(self) -> Args:
        choose = self._choose
        names = ("minimum", "minimum", "maximum", "differential", "unit")
        args: Args = {choose.pick(names): choose.pick((0, 500, 1000, 2500, 5000)) for _ in range(2)}
        low = self._model.t.limits.get(("minimum", None))
        if low and choose.chance(0.3):
            args = {"minimum": 2 * low}
        signs = [notice for notice in self._model.t.notices if notice.what == "minimum"]
        if signs and choose.chance(0.6):
            args = {"minimum": choose.pick(signs).to}
        if choose.chance(0.1):
            args = {name: amount for (name, seat), amount in self._model.t.limits.items() if seat is None}
        by_seat = self._model.t.house.player_limits
        return {**args, "seat": choose.whole(1, 2)} if choose.chance(0.2 if by_seat else 0.5) else args

    def _notice(self) -> Args:
        choose = self._choose
        what = choose.pick(("minimum", "closing", "game", "other"))
        to: object = choose.pick((1000, 2500, 5000)) if what == "minimum" else None
        to = choose.pick(tuple(HOUSES)) if what == "game" else to
        if choose.chance(0.1):
            to = choose.pick((7, "soon", None))
        return {"what": what, "to": to} if to is not None or choose.chance(0.3) else {"what": what}

    def _dispute(self) -> Args:
        choose, coups = self._choose, list(self._model.t.coups.values())
        disputed = [coup for coup in coups if any(n < len(STAGES) for n in coup.disputes.values())]
        if disputed and choose.chance(0.6):
            coup = disputed[-1]
            seat, noted = choose.pick(list(coup.disputes.items()))
            named: Args = {"seat": seat} if seat and choose.chance(0.7) else {}
            return {"stage": STAGES[noted % len(STAGES)], **named, **self.coup(coup)}
        stage = "raised" if choose.chance(0.6) else choose.pick(STAGES)
        seated: Args = {"seat": choose.whole(1, 2)} if choose.chance(0.3) else {}
        return {"stage": stage, **seated, **self._some_coup(0.6)}
