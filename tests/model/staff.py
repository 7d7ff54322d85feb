"""What staff decide about the table: opening, pauses, methods, limits, games, signs, disputes."""

from typing import Any, Final

from tests.model.by_hand import ByHand
from tests.model.config import METHODS
from tests.model.house import HOUSES, NOTICE_MINUTES
from tests.model.refusing import Refused, refuse
from tests.model.state import Args, Coup, Notice, Request
from tests.model.telling import stamp

MINUTE: Final = 60_000_000
STAGES: Final = ("raised", "game_supervisor", "casino_supervisor", "inspector")
_MAY_DECIDE: Final = {
    "game_supervisor": {
        "game_supervisor",
        "casino_supervisor",
        "supervisor",
        "duty_manager",
    },
    "casino_supervisor": {"casino_supervisor", "supervisor", "duty_manager"},
    "inspector": {"inspector"},
}


class Staff(ByHand):
    """Verbs of the house."""

    def do_open_table(self, _: Args, __: str) -> None:
        """Open the table."""
        refuse("already_open", self.t.opened)
        self.open_table("command")

    def open_table(self, reason: str) -> None:
        """The table is open."""
        self.t.opened = True
        self.emit("table.opened", self.t.here, {"reason": reason})

    def do_close_table(self, args: Args, _: str) -> None:
        """Close the table; an emergency voids what is under way."""
        t = self.t
        emergency = bool(args.get("emergency"))
        if not emergency:
            refuse("coup_open", t.coup)
            asked = args.get("players") and "closing" in t.house.notices
            refuse("notice_due", asked and not self.ripe("closing"))
        t.opened = t.paused = False
        self.emit("table.closed", None, {"reason": "emergency" if emergency else "command"})
        if t.coup:
            self.close_window(implied=True, reason="table_closed")
            self.void(t.coup, "emergency", None)
        self.close_betting("table_closed", implied=True)
        if t.coming:
            t.coming.bets_opened = False
        t.notices = [notice for notice in t.notices if notice.what != "closing"]

    def do_pause(self, args: Args, _: str) -> None:
        """No betting opens until the table is resumed."""
        t = self.t
        refuse("already_paused", t.paused)
        t.paused = True
        if t.betting and t.coming:
            self.close_betting("table_paused", implied=True)
            t.coming.bets_opened = False
        self.emit("table.paused", self.t.here, {"reason": args.get("reason", "command")})

    def do_resume(self, _: Args, __: str) -> None:
        """The pause is over."""
        refuse("not_paused", not self.t.paused)
        self.t.paused = False
        self.emit("table.resumed", self.t.here, {"reason": "command"})
        self.maybe_open()

    def do_declare_no_bet(self, args: Args, _: str) -> None:
        """The coming coup is dealt without wagers."""
        t = self.t
        refuse("coup_open", t.coup)
        refuse("burning", t.burning)
        refuse("answer_due", t.waiting)
        refuse("last_coup", t.last_coups == 0)
        refuse("no_bet", t.next.no_bet)
        if not args.get("demonstration"):
            self.no_bet("declared", None)
            return
        house = t.house_of(t.next)
        refuse("not_in_rules", not house.demonstrations)
        refuse("no_more_demonstrations", t.demonstrations == house.demonstrations)
        t.demonstrations += 1
        self.no_bet("demonstration", house.demonstration_rule)

    # -- results and disputes

    def do_invalidate(self, args: Args, _: str) -> None:
        """A result no longer counts (NSW-14.4)."""
        t = self.t
        ended = [
            coup
            for (shoe, _), coup in sorted(t.coups.items())
            if shoe == t.shoe and coup.status in {"result", "void", "invalid"}
        ]
        coup = self.meant(args, ended[-1] if ended else None)
        refuse("closed", coup.status in {"void", "invalid"})
        refuse("no_result", coup.status != "result")
        coup.status = "invalid"
        coup.revision += 1
        rule = t.house_of(coup).invalidation.get(args["ground"])
        self.emit(
            "coup.invalidated",
            coup,
            {"ground": args["ground"], "rule": rule, "revision": coup.revision},
        )
        kind = "none" if coup.no_bet else "return"
        self.settlement(coup, kind, {}, tuple(args.get("forfeit", ())))

    def do_dispute(self, args: Args, role: str) -> None:
        """A dispute, by its stage (NSW-14.12, 14.13)."""
        coup = self.t.coup
        if "coup" in args:
            shoe = args.get("shoe", self.t.shoe)
            coup = self.t.coups.get((shoe or 0, args["coup"]))
        if coup is None or coup.status == "coming":
            raise Refused("no_coup")
        stage, seat = args["stage"], self._disputed(coup, args)
        noted = coup.disputes.get(seat, 0) % len(STAGES)
        refuse("wrong_stage", STAGES.index(stage) != noted)
        refuse("not_allowed", role not in _MAY_DECIDE.get(stage, {role}))
        coup.disputes[seat] = noted + 1
        told = {"what": "dispute", "stage": stage, "decision": args.get("decision"), "seat": seat or None}
        self.emit("dispute.noted", coup, told)

    def _disputed(self, coup: Coup, args: Args) -> int:
        """The seat whose dispute it is; a later stage that names none means the coup's only dispute."""
        if "seat" in args:
            return int(args["seat"])
        if args["stage"] != STAGES[0] and len(coup.disputes) == 1:
            return next(iter(coup.disputes))
        return 0

    # -- methods, games, limits

    def changed(self, kind: str, what: str, before: object, after: object, **more: Any) -> None:  # noqa: ANN401 - JSON
        """Something of the house is another from now on."""
        told = {"approver": self.t.actor, **more}
        at = stamp(self.t.now)
        self.emit(
            kind,
            self.t.here,
            {"what": what, "effective_at": at, "from": before, "to": after, **told},
        )

    def do_set_method(self, args: Args, role: str) -> None:
        """Another dealing method from the next coup on (NSW-8)."""
        t = self.t
        method, seat = args["method"], args.get("seat")
        refuse("not_in_rules", not t.house.methods)
        refuse("coup_open", t.coup)
        refuse("no_seat", seat is not None and seat > t.house.places)
        refuse("already_set", (method, seat) == (t.method, t.seat) and t.request is None)
        if method in {"D", "E"}:
            refuse("main_floor", t.config.main_floor)
            refuse("approval_needed", role != "duty_manager")
            if method != t.method:
                refuse("inspector_needed", "inspector" not in args)
                t.request = Request(method, seat, t.actor or "")
                told = {"approver": t.actor, "inspector": args["inspector"]}
                self.emit(
                    "method.requested",
                    self.t.here,
                    {"to": method, "seat": seat, **told},
                )
                return
        self._method(method, seat)

    def _method(self, method: str, seat: int | None, **more: str) -> None:
        t = self.t
        assert method in METHODS
        before, t.method, t.seat = t.method, method, seat
        t.method_set, t.request = True, None
        self.changed("method.changed", "method", before, method, seat=seat, **more)

    def do_bank(self, args: Args, _: str) -> None:
        """Bank, marker or shoe goes to another seat."""
        t = self.t
        seat = args.get("seat")
        refuse("not_in_rules", not t.house.bank and not (t.method and t.house.methods))
        refuse("coup_open", t.coup)
        refuse("already_set", seat == t.seat)
        refuse("no_seat", seat is not None and seat > t.house.places)
        self.pass_bank(seat, args.get("reason") or ("passed" if seat is None else "accepted"), None)

    def do_wager(self, _: Args, __: str) -> None:
        """No wagers are taken at the tables of this model."""
        raise Refused("not_taken")

    do_withdraw = do_seat = do_wager

    def do_acknowledge(self, args: Args, role: str) -> None:
        """A request or an alarm was seen."""
        request = self.t.request
        if args["what"] == "method":
            if request is None:
                raise Refused("nothing_asked")
            refuse("not_allowed", role != "surveillance")
            refuse("coup_open", self.t.coup)
            self.emit("alarm.cleared", self.t.here, {"what": "method"})
            self._method(request.method, request.seat, approver=request.approver)
            return
        self.emit("alarm.cleared", self.t.here, {"what": args["what"]})

    def do_set_rules(self, args: Args, _: str) -> None:
        """Another game from the next coup on (NSW-14.8)."""
        t = self.t
        name = args["rules"]
        refuse("already_set", name == t.rules)
        refuse("not_configured", name not in {t.config.rules, *t.config.others})
        refuse("coup_open", t.coup)
        asked = "game" in t.house.notices and not args.get("consent")
        refuse("notice_due", asked and not self.ripe("game", name))
        before, t.rules = t.rules, name
        assert name in HOUSES
        t.notices = [notice for notice in t.notices if notice.what != "game"]
        self.changed("rules.changed", "rules", before, name)

    def do_set_limits(self, args: Args, _: str) -> None:
        """Limits of the table or of a seat (NSW-6.4, 6.5)."""
        t = self.t
        seat = args.get("seat")
        refuse("not_in_rules", seat is not None and not t.house.player_limits)
        names = [name for name in ("minimum", "maximum", "differential", "unit") if name in args]
        news = [name for name in names if t.limits.get((name, seat)) != args[name]]
        refuse("already_set", not news)
        after = {name: args.get(name, t.limits.get((name, seat))) for name in ("minimum", "maximum")}
        low, high = after["minimum"], after["maximum"]
        refuse("bad_args", low is not None and high is not None and low > high)
        before = t.limits.get(("minimum", None))
        raised = seat is None and "minimum" in news and before is not None and args["minimum"] > before
        asked = raised and "minimum" in t.house.notices
        refuse("notice_due", asked and not self.ripe("minimum", args.get("minimum")))
        for name in news:
            old = t.limits.get((name, seat))
            t.limits[name, seat] = args[name]
            self.changed("limits.changed", name, old, args[name], seat=seat)
        if seat is None and "minimum" in news:
            t.notices = [
                notice for notice in t.notices if (notice.what, notice.to) != ("minimum", args["minimum"])
            ]

    # -- signs

    def ripe(self, what: str, to: object = None) -> bool:
        """Whether a sign of that kind (and to that) has been up long enough."""
        return any(
            notice.what == what and notice.due is None and to in {None, notice.to}
            for notice in self.t.notices
        )

    def do_notice(self, args: Args, _: str) -> None:
        """A sign was put on the table."""
        t = self.t
        what, to = args["what"], args.get("to")
        rule = t.house.notices.get(what)
        t.notice_ids += 1
        due = t.now + MINUTE if rule else None
        t.notices.append(Notice(t.notice_ids, what, to, due))
        before = {"minimum": t.limits.get(("minimum", None)), "game": t.rules}.get(what)
        told = {"rule": rule, "approver": t.actor}
        told["effective_at"] = stamp(t.now + (NOTICE_MINUTES * MINUTE if rule else 0))
        self.emit(
            "notice.posted",
            self.t.here,
            {"id": t.notice_ids, "what": what, "from": before, "to": to, **told},
        )

    def minute(self, notice: Notice) -> None:
        """A minute of a sign is full."""
        notice.minutes += 1
        notice.due = self.t.now + MINUTE
        if notice.minutes == NOTICE_MINUTES:
            notice.due = None
            self.emit("notice.ripe", self.t.here, {"id": notice.id, "what": notice.what})

    # -- people

    def do_attest(self, args: Args, _: str) -> None:
        """Something was done with the cards before they are loaded (NZG-6)."""
        t = self.t
        refuse("shoe_loaded", t.loaded)
        person = (t.actor or "").partition(":")[2]
        persons = {actor.partition(":")[2] for what, actor in t.attested if what == "inspection"}
        refuse("same_person", args["what"] == "inspection" and person in persons)
        t.attested.append((args["what"], t.actor or ""))
        self.emit("shoe.attested", self.t.here, {"what": args["what"], "by": t.actor})

    def do_unmask(self, args: Args, _: str) -> None:
        """Two persons ask to see what lies hidden."""
        told = {"code": "unmasked", "n": None, "what": args["what"], "reason": args["reason"]}
        self.emit("alarm.raised", self.t.here, told)

    def do_sign_in(self, _: Args, __: str) -> None:
        """The actor takes his place."""
        self.emit("staff.signed_in", self.t.here, {"person": self.t.actor})

    def do_sign_out(self, _: Args, __: str) -> None:
        """The actor leaves it."""
        self.emit("staff.signed_out", self.t.here, {"person": self.t.actor})
