"""Commands of the house: dealing methods, game in play, limits, notices, attestations, disputes, staff."""

from typing import Final

from shoe_daemon.game.house_rules import What
from shoe_daemon.game.limits import LIMITS, Limit
from shoe_daemon.game.methods import PLAYER_DRAWS, Method
from shoe_daemon.table import arguments as arg
from shoe_daemon.table import events as ev
from shoe_daemon.table.stakes import limits_agree, lowest_minima, stated
from shoe_daemon.table.state import Notice, Table
from shoe_daemon.table.turn import Refused, Turn

MINUTE_S: Final = 60
_MICROSECONDS: Final = 1_000_000
_STAGES: Final = ("raised", "game_supervisor", "casino_supervisor", "inspector")
_DECIDES: Final = {
    "game_supervisor": {"game_supervisor", "casino_supervisor", "supervisor", "duty_manager"},
    "casino_supervisor": {"casino_supervisor", "supervisor", "duty_manager"},
    "inspector": {"inspector"},
}


def _role(turn: Turn) -> str:
    return (turn.actor or "").partition(":")[0]


def _between(turn: Turn) -> None:
    if turn.table.open_coup is not None:
        raise Refused("coup_open")


# -- dealing methods (NSW-8.1, 8.2) ---------------------------------------------------------------------


def set_method(turn: Turn, args: arg.SetMethod) -> None:
    """The method from the next coup on. One in which a player draws waits until surveillance has seen it."""
    methods = turn.rules().house.methods
    if methods is None or args.method not in methods.allowed:
        raise Refused("not_in_rules")
    _between(turn)
    same = args.method == turn.method and args.seat == turn.table.seat
    if same and turn.table.requested is None:  # said again, it takes back what was requested
        raise Refused("already_set")
    if args.seat is not None and args.seat > turn.rules().seats.places:
        raise Refused("no_seat")
    approver = turn.actor or ""
    if args.method in methods.approval:
        if turn.setup.main_floor:
            raise Refused("main_floor")
        if _role(turn) != "duty_manager":
            raise Refused("approval_needed")
    if args.method in PLAYER_DRAWS and args.method != turn.method:
        if args.inspector is None:
            raise Refused("inspector_needed")
        turn.emit(
            ev.MethodRequested(
                shoe=turn.shoe, to=args.method, seat=args.seat, approver=approver, inspector=args.inspector
            )
        )
        return
    _method(turn, args.method, args.seat, approver)


def _method(turn: Turn, to: Method, seat: int | None, approver: str) -> None:
    turn.emit(
        ev.MethodChanged(
            shoe=turn.shoe,
            what="method",
            before=turn.method,
            to=to,
            seat=seat,
            effective_at=turn.at,
            approver=approver,
        )
    )


def acknowledge(turn: Turn, args: arg.Acknowledge) -> None:
    """A request or an alarm was seen; that of surveillance puts a requested method in force."""
    requested = turn.table.requested
    if args.what == "method":
        if requested is None:
            raise Refused("nothing_asked")
        if _role(turn) != "surveillance":
            raise Refused("not_allowed")
        _between(turn)
    turn.emit(ev.Acknowledged(shoe=turn.shoe, coup=turn.table.open_number, what=args.what))
    if args.what == "method" and requested is not None:
        to, approver, seat = requested
        _method(turn, to, seat, approver)


# -- notices (NSW-6.4, 14.8, 14.9) ----------------------------------------------------------------------


def notice(turn: Turn, args: arg.Notice) -> None:
    """A sign was put up; it counts from now on, only while the daemon runs."""
    due = turn.rules().house.notice(args.what)
    left_s = 0 if due is None else due.minutes * MINUTE_S
    before = {"minimum": stated(turn, "minimum"), "game": turn.rules().name}.get(args.what)
    number = turn.table.last_notice + 1
    turn.emit(
        ev.NoticePosted(
            shoe=turn.shoe,
            coup=turn.table.open_number,
            id=number,
            what=args.what,
            before=before,
            to=args.to,
            rule=None if due is None else due.rule,
            effective_at=turn.at + left_s * _MICROSECONDS,
            approver=turn.actor or "",
            left_s=left_s,
            due=turn.at + MINUTE_S * _MICROSECONDS if left_s else None,
        )
    )


def count_notices(turn: Turn) -> None:
    """A minute has passed for each notice that is due; no more than the daemon was up for is ever counted."""
    for up in turn.table.notices:
        if up.due is None or up.due > turn.at:
            continue
        left_s = max(up.left_s - MINUTE_S, 0)
        _count(turn, up, left_s)
        if not left_s:
            turn.emit(ev.NoticeRipe(shoe=turn.shoe, coup=turn.table.open_number, id=up.id, what=up.what))


def restart_notices(turn: Turn) -> None:
    """The daemon starts: the minute that was under way is counted again from its beginning."""
    for up in turn.table.notices:
        if up.left_s:
            _count(turn, up, up.left_s)


def _count(turn: Turn, up: Notice, left_s: int) -> None:
    due = turn.at + MINUTE_S * _MICROSECONDS if left_s else None
    turn.emit(ev.NoticeCounted(shoe=turn.shoe, coup=turn.table.open_number, id=up.id, left_s=left_s, due=due))


def notices_due(table: Table) -> int | None:
    """When the next notice is counted."""
    return min((up.due for up in table.notices if up.due is not None), default=None)


def ripe(turn: Turn, what: What, to: int | str | None = None) -> None:
    """Refused unless a notice of `what` (of `to`, where given) was up for as long as the rules ask."""
    if turn.rules().house.notice(what) is None:
        return
    if not any(up.what == what and to in {None, up.to} and not up.left_s for up in turn.table.notices):
        raise Refused("notice_due")


# -- the game in play and its limits --------------------------------------------------------------------


def set_rules(turn: Turn, args: arg.SetRules) -> None:
    """Another game from the next coup on: after its notice, or with the consent of all players (NSW-14.8)."""
    before = turn.rules().name
    if args.rules == before:
        raise Refused("already_set")
    if args.rules not in {turn.setup.rules.name, *(rules.name for rules in turn.setup.others)}:
        raise Refused("not_configured")
    _between(turn)
    if turn.table.book.wagers:
        raise Refused("wagers_down")
    if not args.consent:
        ripe(turn, "game", args.rules)
    turn.emit(
        ev.RulesChanged(
            shoe=turn.shoe,
            what="rules",
            before=before,
            to=args.rules,
            effective_at=turn.at,
            approver=turn.actor or "",
            reshuffled=turn.setup.rules_named(args.rules).reshuffled,
        )
    )


def set_limits(turn: Turn, args: arg.SetLimits) -> None:
    """Limits at once; a higher minimum after its notice (NSW-6.4). A seat's own stand by a sign (NSW-6.5)."""
    if args.seat is not None and not turn.rules().wagers.player_limits.allowed:
        raise Refused("not_in_rules")
    limits = turn.table.limits
    lowest, highest = stated(turn, "minimum"), stated(turn, "maximum")
    own = limits.seats.get(args.seat or 0, (None, None))
    told: list[tuple[Limit, int | None, int]] = []
    for place, name in enumerate(LIMITS):
        to = getattr(args, name)
        before = stated(turn, name) if args.seat is None else own[place] if place < len(own) else None
        if to is not None and to != before:
            told.append((name, before, to))
    if not told:
        raise Refused("already_set")
    low = args.minimum or (lowest if args.seat is None else own[0]) or 0
    high = args.maximum or (highest if args.seat is None else own[1])
    if high is not None and low > high:
        raise Refused("bad_args")
    minima = lowest_minima(turn)
    raised = args.seat is None and args.minimum is not None and any(args.minimum > low for low in minima)
    if raised:
        ripe(turn, "minimum", args.minimum)
    for what, before, to in told:
        turn.emit(
            ev.LimitsChanged(
                shoe=turn.shoe,
                coup=turn.table.open_number,
                what=what,
                before=before,
                to=to,
                seat=args.seat,
                effective_at=turn.at,
                approver=turn.actor or "",
            )
        )
    if not limits_agree(turn):
        raise Refused("bad_args")


# -- before the shoe is loaded (NZG-6) ------------------------------------------------------------------


def attest(turn: Turn, args: arg.Attest) -> None:
    """Staff did something with the cards of the coming shoe; two inspections are by two persons."""
    if turn.table.shoe is not None:
        raise Refused("shoe_loaded")
    by = turn.actor or ""
    person = by.partition(":")[2]
    inspectors = [who.partition(":")[2] for what, who in turn.table.attested if what == "inspection"]
    if args.what == "inspection" and person in inspectors:
        raise Refused("same_person")
    turn.emit(ev.Attested(shoe=turn.shoe, what=args.what, by=by))


def missing(turn: Turn) -> tuple[str, ...]:
    """What the rules ask for before a shoe is loaded and nobody attested; nothing where it came sealed."""
    opening = turn.rules().house.opening
    if opening is None:
        return ()
    done = [what for what, _ in turn.table.attested]
    if all(what in done for what in opening.sealed):
        return ()
    inspectors = [by for what, by in turn.table.attested if what == "inspection"]
    inspected = len(inspectors) >= opening.inspections and _both(inspectors)
    return tuple(
        what for what in opening.steps if what not in done or (what == "inspection" and not inspected)
    )


def _both(inspectors: list[str]) -> bool:
    """A dealer is among them, and one who is none (NZG-6.1)."""
    dealers = [by.startswith("dealer:") for by in inspectors]
    return any(dealers) and not all(dealers)


# -- disputes (NSW-14.12, 14.13), staff -----------------------------------------------------------------


def dispute(turn: Turn, args: arg.Dispute) -> None:
    """A dispute of a seat about a coup goes on by one stage; each is decided by who may."""
    shoe = turn.table.number if args.shoe is None else args.shoe
    coup = turn.table.open_number if args.coup is None else args.coup
    if shoe is None or coup is None or not _was_dealt(turn.table, shoe, coup):
        raise Refused("no_coup")
    seat = _whose(turn.table, shoe, coup, args)
    known = next((stage for *key, stage in turn.table.disputes if key == [shoe, coup, seat]), None)
    follows = 0 if known in {None, _STAGES[-1]} else _STAGES.index(known or "") + 1
    if _STAGES[follows] != args.stage:
        raise Refused("wrong_stage")
    if _role(turn) not in _DECIDES.get(args.stage, {_role(turn)}):
        raise Refused("not_allowed")
    turn.emit(
        ev.DisputeNoted(
            shoe=shoe,
            coup=coup,
            what="dispute",
            stage=args.stage,
            decision=args.decision,
            seat=seat or None,
        )
    )


def _whose(table: Table, shoe: int, coup: int, args: arg.Dispute) -> int:
    """The seat whose dispute it is, 0 where none was named; a later stage may mean the only one there is."""
    raised = [seat for *key, seat, _ in table.disputes if key == [shoe, coup]]
    if args.seat is None and args.stage != _STAGES[0] and len(raised) == 1:
        return raised[0]
    return args.seat or 0


def _was_dealt(table: Table, shoe: int, coup: int) -> bool:
    """Whether there was such a coup; of shoes long gone nobody here knows how many there were."""
    if shoe == table.number:
        dealt = table.find(coup, shoe)
        return dealt is not None and (dealt.opened or dealt.ended != "")
    return shoe < (table.number or 0)


def sign_in(turn: Turn, _: arg.Args) -> None:
    """The actor takes his place at the table."""
    turn.emit(ev.SignedIn(shoe=turn.shoe, coup=turn.table.open_number, person=turn.actor or ""))


def sign_out(turn: Turn, _: arg.Args) -> None:
    """The actor leaves it."""
    turn.emit(ev.SignedOut(shoe=turn.shoe, coup=turn.table.open_number, person=turn.actor or ""))


def unmask(turn: Turn, args: arg.Unmask) -> None:
    """Two persons ask to see the faces of the open shoe; nothing changes but that surveillance knows it."""
    turn.emit(
        ev.AlarmRaised(
            shoe=turn.shoe,
            coup=turn.table.open_number,
            code="unmasked",
            what=args.what,
            reason=args.reason,
        )
    )
