"""What is told of betting and of a coup as a whole, as sentences."""

from collections.abc import Callable
from typing import Any, Final

from shoe_daemon.clients.explaining.words import by, cause, ending, pays, persons, plain, ruled
from shoe_daemon.table.reasons import REFUSED, VOID
from shoe_daemon.table.verbs import VERBS

_CLOSED: Final = {
    "no_more_bets": "no more bets was called",
    "first_card": "with the first card",
    "no_bet": "this coup has no wagers",
    "table_closed": "the table was closed",
    "table_paused": "the table was paused",
    "shoe_closed": "the shoe was closed",
}


def _opened(data: dict[str, Any]) -> str:
    return "Betting opened" + (" by itself" if data["implied"] else by(data))


def _closed(data: dict[str, Any]) -> str:
    if data["implied"] and data["reason"] == "no_more_bets":
        return "No wager can be taken off any more"
    who = "" if data["implied"] else by(data)
    return f"Betting closed: {_CLOSED.get(data['reason'], plain(data['reason']))}{who}"


def _no_bet(data: dict[str, Any]) -> str:
    rule, who = ruled(data["rule"]), by(data)
    if data["reason"] == "demonstration":
        return f"This coup is a demonstration round, dealt without wagers{rule}{who}"
    why = "its first card was seen" if data["reason"] == "disclosed" else "so declared"
    return f"This coup is dealt without wagers{rule}: {why}{who}"


def _refused(data: dict[str, Any]) -> str:
    verb = VERBS.get(data["verb"])
    meant = f" ({verb.help})" if verb is not None else ""
    why = REFUSED.get(data["reason"], plain(data["reason"]))
    return f"{persons(data)} said {plain(data['verb'])}{meant}; it was refused: {why}"


def void(data: dict[str, Any], lacking: str | None = None) -> str:
    """A coup is void. `lacking`: the card that an empty shoe did not have, where that was why."""
    why = lacking or VOID.get(data["reason"], plain(data["reason"]))
    return f"The coup is void: {why}{ruled(data['rule'])}{by(data)}"


def _invalidated(data: dict[str, Any]) -> str:
    return f"The result no longer counts: {data['ground']}{ruled(data['rule'])}{by(data)}"


def _dispute(data: dict[str, Any]) -> str:
    seat = "" if data["seat"] is None else f" of seat {data['seat']}"
    if data["stage"] == "raised":
        stage = "raised"
    else:
        reached = "went to" if data["decision"] is None else "decided by"
        stage = f"{reached} the {plain(data['stage'])}"
    decided = "" if data["decision"] is None else f": {data['decision']}"
    who = persons(data)
    noted = "" if who is None else f" (noted by {who})"
    return f"Dispute{seat}, {stage}{decided}{noted}"


def _result(data: dict[str, Any]) -> str:
    again = "" if data["revision"] == 1 else f" (revision {data['revision']}: {cause(data['cause'])})"
    return f"Result{again}: {ending(data)}{by(data)}"


OF_COUPS: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "betting.opened": _opened,
    "betting.closed": _closed,
    "betting.withdraw_only": lambda _: "Wagers may be taken off, none may be added",
    "coup.no_bet": _no_bet,
    "coup.held": lambda _: "The coup is held: it has no result until a person has decided",
    "coup.released": lambda _: "Nothing holds the coup any more",
    "coup.pending": lambda data: f"The coup is parked: dealing goes on, its result comes later{by(data)}",
    "coup.result": _result,
    "coup.void": void,
    "coup.invalidated": _invalidated,
    "settlement": lambda data: f"Cage: {pays(data['kind'], data['pays'], data['forfeit'])}",
    "command.refused": _refused,
    "dispute.noted": _dispute,
}
