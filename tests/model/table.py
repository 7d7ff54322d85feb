"""The model: what comes in, step by step, and what every audience is told of it."""

import copy
from typing import Final, NamedTuple

from tests.model.config import Config
from tests.model.refusing import Refused, refuse
from tests.model.remedies import DEALER_REMEDIES
from tests.model.staff import MINUTE, Staff
from tests.model.state import Args, Data, Table
from tests.model.telling import Ledger
from tests.model.verbs import VERBS, good


class Frame(NamedTuple):
    """A frame of the shoe, decoded. `raw`: its bytes; `card`: whether a card left the shoe with it."""

    raw: bytes
    card: bool = False
    face: str | None = None
    code: str = "unreadable_card"
    rejected: str | None = None
    alarm: tuple[str | None, str] | None = None


class Model(Staff):
    """A table that is told what happens, in the order of time."""

    def __init__(self, config: Config) -> None:
        super().__init__(Table(config), Ledger(config.table))
        self._card_at: int | None = None
        """When the shoe told its last card, as long as the line was up since."""

    def take(self) -> dict[str, list[Data]]:
        """What was told since the last time, by policy."""
        told, self.ledger.told = (
            self.ledger.told,
            {policy: [] for policy in self.ledger.told},
        )
        return told

    def start(self) -> None:
        """The opening of a capture."""
        for part in range(3):
            self._begin(0)
            if part == 0:
                self.open_table("start")
            elif part == 1:
                self.load(None, self.not_attested())
            else:
                self.open_bets("auto", implied=True)
            self._end()

    def advance_to(self, at: int, *, up: bool = True) -> None:
        """Fire what is due at or before `at`; `up`: the daemon was there, to count minutes."""
        while (due := self._next_due(up=up and not self.t.stopped)) is not None and due <= at:
            self._begin(due)
            if self.t.void_due == due:
                self.t.void_due = None
            elif self.t.settle == due and self.t.coup:
                self.result(self.t.coup)
            else:
                for notice in self.t.notices:
                    if notice.due == due:
                        self.minute(notice)
            self._end()

    def _next_due(self, *, up: bool) -> int | None:
        times = [notice.due for notice in self.t.notices if up and notice.due is not None]
        times += [time for time in (self.t.settle, self.t.void_due) if time is not None]
        return min(times, default=None)

    def frame(self, at: int, frame: Frame) -> None:
        """The shoe said something."""
        self.advance_to(at)
        t = self.t
        ready = t.opened and t.loaded
        if frame.card and ready:
            self._implied(at)
        self._begin(at)
        soon = frame.card and self._soon(at)
        raw = {"delayed": {"raw": None}} if t.loaded else {}
        if frame.alarm:
            code, text = frame.alarm
            self.emit(
                "device.alarm",
                t.here,
                {"code": code, "text": text, "raw": frame.raw.hex()},
                only=raw,
            )
        reason = frame.rejected or ("no_shoe" if frame.card and not ready else None)
        if reason:
            self.emit(
                "frame.rejected",
                t.here,
                {"reason": reason, "raw": frame.raw.hex()},
                only=raw,
            )
        if frame.card and ready:
            self.draw(frame.face, frame.code, soon=soon)
        self._end()

    def _soon(self, at: int) -> bool:
        """Whether a card at `at` comes sooner after the one before than the shoe can give two."""
        before, self._card_at = self._card_at, at
        return before is not None and at - before < self.t.config.min_gap_ms * 1000

    def _implied(self, at: int) -> None:
        """A card drawn between coups says that the excess cards before it were seen (details 37)."""
        if self.t.coup is None and self.t.burning is None and self.t.unanswered:
            self._begin(at)
            self.answer("disclose")
            self._end()

    def service(self, at: int, state: str) -> None:
        """The process starts or stops. No minute of a sign goes on over it."""
        t = self.t
        self.advance_to(at, up=state == "stopped")
        self._card_at = None
        self._begin(at)
        if state == "stopped":
            self.emit("service.stopped", t.here, {"reason": "stop"})
            t.stopped = True
            self._end()
            return
        self.emit("service.started", t.here, {"reason": "restart"})
        t.stopped = False
        for notice in t.notices:
            if notice.due is not None:
                notice.due = at + MINUTE
        if t.link == "up":
            self.emit("device.link", t.here, {"state": "down", "reason": "restart"})
            t.link = "gap"
            if t.loaded:
                self.raise_("link_gap", t.coup)
        self._end()

    def linked(self, at: int, state: str) -> None:
        """The cable went or came."""
        self.advance_to(at)
        t = self.t
        if state == t.link or (state == "down" and t.link != "up"):
            return
        if state == "down":
            self._card_at = None
        self._begin(at)
        told, t.link = t.link == "gap", state
        self.emit("device.link", t.here, {"state": state, "reason": None})
        if state == "up":
            self.emit("device.link", t.here, {"state": "gap", "reason": None})
            if not told:
                self.raise_("link_gap", t.coup)
        self._end()

    def command(self, at: int, verb: str, actor: str, args: Args) -> None:
        """An operator's command."""
        self.advance_to(at)
        before = copy.deepcopy(self.t) if verb == "enter_result" else None
        try:
            role = self._allowed(verb, actor, args)
            own = {name: value for name, value in args.items() if name != "second"}
            self._begin(at, actor, args.get("second"))
            getattr(self, f"do_{verb}")(own, role)
        except Refused as reason:
            self.t = before or self.t
            self.ledger.events.clear()
            self._begin(at, actor, args.get("second"))
            self.emit(
                "command.refused",
                self.t.here,
                {"verb": verb, "actor": actor, "reason": str(reason)},
            )
        self._end()

    def _allowed(self, verb: str, actor: str, args: Args) -> str:
        """Give the actor's role; Refused where the command cannot be taken whatever the coup."""
        row = VERBS[verb]
        role = actor.partition(":")[0]
        refuse("not_allowed", role not in row.roles)
        own = dict(args)
        second = own.pop("second", None)
        voids = verb == "burn" and own.get("reclassify") is True
        named = {verb, own.get("remedy") if verb == "resolve" else "void" if voids else None}
        emergency = verb == "close_table" and own.get("emergency") is True
        if row.two or (named & self.t.config.two_persons and not emergency):
            self._second("void" if voids else verb, actor, second, own.get("remedy"))
        refuse("bad_args", not good(verb, own))
        refuse("table_closed", not self.t.opened and not row.closed)
        refuse("no_shoe", row.shoe and not self.t.loaded and "shoe" not in own)
        return role

    def _second(self, verb: str, actor: str, second: object, remedy: object) -> None:
        """Refuse a command without its second person."""
        refuse("second_needed", second is None)
        role, _, person = str(second).partition(":")
        refuse("bad_args", not isinstance(second, str) or role not in ROLES or not person)
        refuse("same_person", person == actor.partition(":")[2])
        roles = VERBS[verb].roles
        if verb == "resolve" and remedy not in DEALER_REMEDIES:
            roles = VERBS["void"].roles
        refuse("not_allowed", role not in roles)

    def _begin(self, at: int, actor: str | None = None, second: str | None = None) -> None:
        self.t.now, self.t.actor, self.t.second = at, actor, second
        self.t.began_with = self.t.coup

    def _end(self) -> None:
        self.conclude()
        self.close()


ROLES: Final = VERBS["sign_in"].roles
