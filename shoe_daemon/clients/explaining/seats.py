"""What is told of seats and of the table differential, as sentences. Amounts are minor units."""

from collections.abc import Callable
from typing import Any, Final

from shoe_daemon.clients.explaining.words import by, listed, money, plain

_STATES: Final = {
    "waiting": "has a player who waits for the coming coup",
    "asked": "is asked whether it plays the coming coup",
    "deal": "plays the coming coup",
    "pass": "passes: it sits the coming coup out",
    "excluded": "did not answer in time and sits the coming coup out",
    "left": "was given up",
}


def _proposed(data: dict[str, Any]) -> str:
    plan = data["proposal"]
    over = f"wagers of {money(plan['before'])} on {plan['side'].capitalize()}, allowed {plan['allowed']}"
    after = f"that leaves {plan['total']}"
    if plan["rounding_loss"]:
        after += f", {plan['rounding_loss']} less than is allowed because chips are not divided"
    if plan["still_over"]:
        after += f"; vouchers, which are not divided, are still {plan['still_over']} over"
    return f"The table differential is exceeded: {over}. A person may reduce them: {_reduced(plan)}; {after}"


def _applied(data: dict[str, Any]) -> str:
    plan = data["proposal"]
    return (
        f"The wagers on {plan['side'].capitalize()} were reduced as proposed, from {plan['before']} to"
        f" {money(plan['total'])}: {_reduced(plan)}{by(data)}"
    )


def _reduced(plan: dict[str, Any]) -> str:
    """Each wager that is reduced."""
    return ", ".join(map(_reduction, plan["reductions"])) or "no wager in chips"


def _reduction(one: dict[str, Any]) -> str:
    seat, backer, *_ = one["key"]
    who = f"seat {seat}" + (f" behind it {backer}" if backer else "")
    lost = f" of which {one['void']} is void" if one["void"] else ""
    return f"{who} from {one['before']} to {one['after']}{lost}"


def _declared_void(data: dict[str, Any]) -> str:
    backer = f" of {data['backer']} behind it" if data["backer"] else ""
    bet = "" if data["bet"] is None else f" on {plain(data['bet']).capitalize()}"
    wagers = f"the wagers of seat {data['seat']}{backer}{bet}"
    return f"A supervisor declared {wagers} void (NSW-14.3.1){by(data)}"


def _changed(data: dict[str, Any]) -> str:
    state = _STATES.get(data["state"], plain(data["state"]))
    player = f" ({data['player']})" if data["player"] else ""
    return f"Seat {data['seat']}{player} {state}{by(data)}"


def _limit(data: dict[str, Any]) -> str:
    return f"{data['player']}, at seat {data['seat']}, set himself a maximum of {money(data['maximum'])}"


def _idle(data: dict[str, Any]) -> str:
    seats = listed(data["seats"], "seat")
    return f"So many rounds passed without a wager of {seats} that the players there may be asked to leave"


def _ready(data: dict[str, Any]) -> str:
    plays = f"dealt in: {listed(data['dealt_in'], 'seat')}" if data["dealt_in"] else "no seat is dealt in"
    return f"Every seat has answered or is out, the deal may start; {plays}"


def _message(data: dict[str, Any]) -> str:
    sender = "The pit" if data["sender"] is None else f"Seat {data['sender']}"
    to = "the pit" if data["to"] is None else f"seat {data['to']}"
    return f"{sender} said to {to}: {data['text']}"


OF_SEATS: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "differential.proposed": _proposed,
    "differential.applied": _applied,
    "wagers.declared_void": _declared_void,
    "seat.changed": _changed,
    "seat.limit": _limit,
    "seat.idle": _idle,
    "seats.asked": lambda data: f"Every seat may pass or deal until {data['until']}",
    "seats.ready": _ready,
    "seat.message": _message,
}
