"""The bank, the marker, the shoe in a player's hands: who holds it, and when it goes on.

Method B passes the Banker's marker, D and E the shoe (NSW-8.10 to 8.32); a player's bank is NZG-8.22 to 8.25.
One seat holds whichever there is.
"""

from shoe_daemon.game.cards import Outcome
from shoe_daemon.game.house_rules import Passing
from shoe_daemon.game.wagers import Bettor, Book, Settlement
from shoe_daemon.table import events as ev
from shoe_daemon.table.arguments import Bank
from shoe_daemon.table.stakes import terms_of
from shoe_daemon.table.state import Coup
from shoe_daemon.table.turn import Refused, Turn

_SIDES = frozenset({"player", "banker"})


def bank(turn: Turn, args: Bank) -> None:
    """Staff say who holds it; only between coups."""
    house = turn.rules().house
    if house.bank is None and (turn.method is None or house.methods is None):
        raise Refused("not_in_rules")
    if turn.table.open_coup is not None:
        raise Refused("coup_open")
    if args.seat == turn.table.seat:
        raise Refused("already_set")
    if args.seat is not None and args.seat > turn.rules().seats.places:
        raise Refused("no_seat")
    _pass(turn, args.seat, args.reason or ("passed" if args.seat is None else "accepted"), None)


def goes_on(turn: Turn, coup: Coup, outcome: Outcome, money: Settlement | None) -> None:
    """A coup has its first result: what its holder must give up by the rules."""
    seat = turn.table.seat
    if seat is None or seat != coup.seat:
        return
    house = turn.rules(coup).house
    rules = {} if house.methods is None else house.methods.passes
    method = coup.method or turn.setup.procedure.method
    if house.bank is not None and outcome == "player":
        _pass(turn, None, "banker_lost", house.bank.banker_loses)
    elif method == "B" and "B" in rules and outcome == "player":
        _pass(turn, None, "banker_lost", rules["B"])
    elif method == "D" and "D" in rules and _lost(money, seat):
        _pass(turn, None, "wager_lost", rules["D"])
    else:
        offered_anew(turn, coup)


def offered_anew(turn: Turn, coup: Coup) -> None:
    """Under method E the shoe is offered again for every coup, also after a void one (NSW-8.27)."""
    methods = turn.rules(coup).house.methods
    if coup.method == "E" and methods is not None and turn.table.seat is not None:
        _pass(turn, None, "every_coup", methods.passes.get("E"))


def _lost(money: Settlement | None, seat: int) -> bool:
    """The wagers of the player at `seat` on the two hands lost; unknown where the table takes none."""
    if money is None:
        return False
    kinds = [
        line.kind
        for line in money.lines
        if (line.key.seat, line.key.backer) == (seat, "") and line.key.bet in _SIDES
    ]
    return "lose" in kinds and "win" not in kinds


def stakes_something(turn: Turn, book: Book) -> None:
    """Betting has closed: a holder of the bank without a wager on either hand gives it up (NZG-8.22.c)."""
    terms, rule, seat = terms_of(turn), turn.rules().house.bank, turn.table.seat
    if terms is None or rule is None or seat is None:
        return
    mine = [one for one in book.wagers if one.bettor == Bettor(seat) and one.bet in _SIDES]
    if not any(one.amount >= terms.sign.of(one.bettor, one.bet).minimum for one in mine):
        _pass(turn, None, "no_wager", rule.no_wager)


def _pass(turn: Turn, to: int | None, reason: Passing, rule: str | None) -> None:
    turn.emit(
        ev.BankPassed(
            shoe=turn.shoe,
            coup=turn.table.open_number,
            before=turn.table.seat,
            to=to,
            reason=reason,
            rule=rule,
        )
    )
