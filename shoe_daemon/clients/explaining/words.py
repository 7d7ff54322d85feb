"""What each message about a coup means, in words that need no knowledge of this program."""

from collections.abc import Callable
from typing import Any, Final

from shoe_daemon.clients.told import Told
from shoe_daemon.table.irregularities import REMEDIES, ROWS
from shoe_daemon.table.verbs import VERBS

PLACES: Final = {
    "P1": "Player's first",
    "B1": "Banker's first",
    "P2": "Player's second",
    "B2": "Banker's second",
    "P3": "Player's third",
    "B3": "Banker's third",
}
_CLOSED: Final = {
    "no_more_bets": "no more bets was called",
    "first_card": "with the first card",
    "no_bet": "this coup has no wagers",
    "table_closed": "the table was closed",
    "table_paused": "the table was paused",
    "shoe_closed": "the shoe was closed",
}
_LINKS: Final = {
    "up": "The cable to the shoe is there again",
    "down": "The cable to the shoe is gone",
    "gap": "Cards may have left the shoe unseen while the cable was gone",
}
_FRAMES: Final = {
    "unmatched": "they mean nothing that this shoe says",
    "unknown_code": "they look like a card but name none",
    "partial": "the rest never came",
    "too_long": "they never ended",
    "no_shoe": "a card, but there is no shoe or the table is closed",
}


def plain(name: str) -> str:
    """A name of ours as words."""
    return name.replace("_", " ")


def by(actor: str | None) -> str:
    """Who did it, empty where no person did."""
    return "" if actor is None else f", by {actor}"


def ruled(rule: str | None) -> str:
    """The rule, where one speaks."""
    return "" if rule is None else f" ({rule})"


def odds(text: str) -> str:
    """Odds as a table says them."""
    over, _, under = text.partition("/")
    return f"{over} to {under or 1}"


def pays(kind: str, paid: dict[str, str], forfeit: list[int]) -> str:
    """What the cage was told to do with the wagers on Player, Banker and Tie."""
    if kind == "return":
        seats = f"seat{'' if len(forfeit) == 1 else 's'} {', '.join(map(str, forfeit))}"
        kept = f", but those of {seats} are forfeited" if forfeit else ""
        return f"all wagers go back{kept}"
    if kind == "none":
        return "nothing to settle: there were no wagers"
    won = [f"{bet.capitalize()} {odds(paid[bet])}" for bet in paid if paid[bet] != "0"]
    back = [bet.capitalize() for bet in paid if paid[bet] == "0"]
    words = ["pays " + ", ".join(won)] if won else []
    words += ["wagers on " + " and ".join(back) + " go back"] if back else []
    return "; ".join((*words, "other wagers lose" if not back else "nothing else wins"))


def raised(data: dict[str, Any]) -> str:
    """An irregularity: its name, its rule, what raises it, what may be done."""
    row = ROWS.get(data["code"])
    what = "" if row is None else f": {row.trigger}"
    said = f" Reported with the words: {data['text']}." if data.get("text") else ""
    held = " It holds the coup." if data["hold"] else ""
    choices = ", ".join(map(plain, data["remedies"]))
    choose = f" May be settled by: {choices}." if choices else " Recorded; nothing to choose."
    name = f"Irregularity {data['id']}, {plain(data['code'])}{ruled(data['rule'])}"
    upon = f" Raised upon a command of {data['actor']}." if data.get("actor") else ""
    return f"{name}{what}.{upon}{said}{held}{choose}"


def settled(data: dict[str, Any]) -> str:
    """How an irregularity was settled, by whom, and what that means for the coup."""
    remedy = REMEDIES.get(data["remedy"])
    means = "" if remedy is None or remedy.name == "void" else f"; the coup: {remedy.coup}"
    who = f" by {data['actor']}" if data.get("actor") else " by what happened next, not by a person"
    late = " The press came late." if data.get("late") else ""
    name = f"Irregularity {data['id']}, {plain(data['code'])}, was settled"
    return f"{name}{who}: {plain(data['remedy'])}{means}.{late}"


def _opened(data: dict[str, Any]) -> str:
    return "Betting opened" + (" by itself" if data["implied"] else by(data.get("actor")))


def _closed(data: dict[str, Any]) -> str:
    if data["implied"] and data["reason"] == "no_more_bets":
        return "No wager can be taken off any more: dealing went on"
    who = "" if data["implied"] else by(data.get("actor"))
    return f"Betting closed: {_CLOSED.get(data['reason'], plain(data['reason']))}{who}"


def _no_bet(data: dict[str, Any]) -> str:
    why = "its first card was seen" if data["reason"] == "disclosed" else "so declared"
    return f"This coup is dealt without wagers{ruled(data['rule'])}: {why}{by(data.get('actor'))}"


def _refused(data: dict[str, Any]) -> str:
    verb = VERBS.get(data["verb"])
    meant = f" ({verb.help})" if verb is not None else ""
    return f"{data['actor']} said {plain(data['verb'])}{meant}; it was refused: {plain(data['reason'])}"


def _void(data: dict[str, Any]) -> str:
    why = "declared so" if data["reason"] == "command" else plain(data["reason"])
    return f"The coup is void: {why}{ruled(data['rule'])}{by(data.get('actor'))}"


def _invalidated(data: dict[str, Any]) -> str:
    return f"The result no longer counts: {data['ground']}{ruled(data['rule'])}{by(data.get('actor'))}"


def _alarm(data: dict[str, Any]) -> str:
    return f"The shoe reported an alarm: {data['code'] or ''} {data['text']}".replace(":  ", ": ")


def _dispute(data: dict[str, Any]) -> str:
    seat = "" if data["seat"] is None else f" by seat {data['seat']}"
    decided = "" if data["decision"] is None else f": {data['decision']}"
    stage = f"Dispute raised{seat}" if data["stage"] == "raised" else f"Dispute, {plain(data['stage'])}{seat}"
    return f"{stage}{decided} (noted{by(data.get('actor'))})".replace("(noted, ", "(noted ")


def cause(verb: str | None) -> str:
    """Why a result was told again."""
    return "a card was corrected" if verb == "correct" else plain(verb or "not told")


def _result(data: dict[str, Any]) -> str:
    again = "" if data["revision"] == 1 else f" (revision {data['revision']}: {cause(data['cause'])})"
    return f"Result{again}: {ending(data)}{by(data.get('actor'))}"


def ending(data: dict[str, Any]) -> str:
    """The result of a coup in one clause."""
    player, banker = data["player"]["points"], data["banker"]["points"]
    if data["outcome"] == "tie":
        return f"a Tie, {player} to {banker}"
    won, lost = (player, banker) if data["outcome"] == "player" else (banker, player)
    return f"the {data['outcome'].capitalize()} wins, {won} to {lost}"


SAID: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "betting.opened": _opened,
    "betting.closed": _closed,
    "betting.withdraw_only": lambda _: "Wagers may be taken off, none may be added",
    "coup.no_bet": _no_bet,
    "coup.held": lambda _: "The coup is held: it has no result until a person has decided",
    "coup.released": lambda _: "Nothing holds the coup any more",
    "coup.pending": lambda data: (
        f"The coup is parked: dealing goes on, its result comes later{by(data.get('actor'))}"
    ),
    "coup.result": _result,
    "coup.void": _void,
    "coup.invalidated": _invalidated,
    "settlement": lambda data: f"Cage: {pays(data['kind'], data['pays'], data['forfeit'])}",
    "irregularity.raised": raised,
    "irregularity.resolved": settled,
    "command.refused": _refused,
    "device.link": lambda data: _LINKS.get(data["state"], f"The cable to the shoe: {data['state']}"),
    "device.alarm": _alarm,
    "frame.rejected": lambda data: (
        f"Bytes of the shoe were not understood: {_FRAMES.get(data['reason'], plain(data['reason']))}"
    ),
    "alarm.raised": lambda data: f"Alarm: {plain(data['code'])}",
    "alarm.cleared": lambda data: f"Seen: {data['what']}{by(data.get('actor'))}",
    "dispute.noted": _dispute,
    "shoe.cut_card": lambda data: (
        f"The cut card came out; coups still to deal, this one included: {data['last_coups']}"
    ),
    "shoe.empty": lambda _: "The shoe is empty",
    "shoe.burned": lambda data: f"Cards burned: {data['count']}{by(data.get('actor'))}",
    "table.opened": lambda data: f"The table was opened{by(data.get('actor'))}",
    "table.closed": lambda data: f"The table was closed ({data['reason']}){by(data.get('actor'))}",
    "table.paused": lambda data: f"The table was paused ({data['reason']}){by(data.get('actor'))}",
    "table.resumed": lambda data: f"The pause ended{by(data.get('actor'))}",
    "service.started": lambda data: f"The program started ({plain(data['reason'])})",
    "service.stopped": lambda data: f"The program stopped ({plain(data['reason'])})",
}

SHOWN_WITH_THE_CARDS: Final = frozenset(
    {
        "card.drawn",
        "card.dealt",
        "card.exposed",
        "card.identified",
        "card.assigned",
        "card.carried",
        "coup.cards",
        "hand.announced",
    }
)
"""Types that are told card by card."""


def happened(message: Told) -> str:
    """One message in words; a type that is not known here by its name and what it bears."""
    known = SAID.get(message.type)
    if known is not None:
        return known(message.data)
    bears = ", ".join(
        f"{key} {value}" for key, value in message.data.items() if value is not None and value != ""
    )
    return f"{plain(message.type.replace('.', ' ')).capitalize()}: {bears}" if bears else plain(message.type)
