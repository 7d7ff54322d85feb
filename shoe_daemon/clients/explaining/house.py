"""What is told of the house, the table, the shoe, the device and the program, as sentences."""

from collections.abc import Callable
from typing import Any, Final

from shoe_daemon.clients.explaining.words import by, money, persons, plain, ruled
from shoe_daemon.clients.pages import moved

_LINKS: Final = {
    "up": "The cable to the shoe is there again",
    "down": "The cable to the shoe is gone",
    "gap": "Cards may have left the shoe unseen while the cable was gone",
}
_FRAMES: Final = {
    "unmatched": "they mean nothing that this shoe says",
    "unknown_code": "they look like a card but name none",
    "partial": "the rest never came",
    "too_long": "more came without an end than any message has",
    "bad_checksum": "they were damaged on the way",
    "repeated": "the same message came twice, and counts once",
    "no_shoe": "a card, but there is no shoe or the table is closed",
}
_LINE: Final[dict[str, str]] = {
    "link_flapping": "The cable to the shoe comes and goes",
    "link_settled": "The cable to the shoe came and went, and has settled",
    **dict.fromkeys(
        ("line_parity", "line_frame", "line_break", "line_overrun"), "Errors on the line to the shoe"
    ),
}
_NOTICED: Final = {
    "key_refused": "Somebody without leave wanted in at {what}: {reason}",
    "consumer_lagging": "What listens at {what} as {reason} does not keep up",
}
_ALARMS: Final = {"composition_exceeded": "more cards of one face were drawn than there are decks"}
_UNMASKED: Final = {
    "listen": "as the shoe sends them",
    "journal": "in the rows of the journal",
    "export": "in a copy of the journal",
}
_STARTED: Final = {"new_journal": ": what it knows begins here", "restart": " again"}
_PAUSED: Final = {"command": "", "equipment": ": the equipment", "dispute": ": a dispute"}
_PASSED: Final = {
    "accepted": "the seat accepted it",
    "passed": "its holder passed it on",
    "ordered": "so ordered",
    "banker_lost": "the Banker's Hand lost",
    "wager_lost": "its holder's wager lost",
    "no_wager": "its holder had no wager",
    "every_coup": "it is offered anew for each coup",
}
_ATTESTED: Final = {
    "inspection": "inspected",
    "spread": "spread",
    "wash": "washed",
    "stack": "stacked",
    "shuffle": "shuffled",
    "cut": "cut",
    "seal": "found sealed",
}
_LIMITS: Final = {
    "minimum": "The minimum",
    "maximum": "The maximum",
    "differential": "The differential",
    "unit": "The unit of wagers",
}
_SIGNS: Final = {"minimum": "another minimum", "closing": "closing", "game": "another game", "other": "other"}


def _requested(data: dict[str, Any]) -> str:
    return (
        f"Dealing method {data['to']}{_held(data['seat'])} was approved by {persons(data, 'approver')},"
        f" inspector {data['inspector']} informed; it waits until surveillance has seen that"
    )


def _method(data: dict[str, Any]) -> str:
    before = "" if data["from"] is None else f" instead of {data['from']}"
    said = f"Dealing method {data['to']}{before} is in force from the next coup on{_held(data['seat'])}"
    return f"{said}, approved by {persons(data, 'approver')}"


def _held(seat: int | None) -> str:
    return "" if seat is None else f", with marker or shoe at seat {seat}"


def _bank(data: dict[str, Any]) -> str:
    gone = "" if data["from"] is None else f" from seat {data['from']}"
    to = "to no seat for now" if data["to"] is None else f"to seat {data['to']}"
    why = f"{_PASSED.get(data['reason'], plain(data['reason']))}{ruled(data['rule'])}"
    return f"Bank, marker or shoe goes{gone} {to}: {why}{by(data)}"


def _rules(data: dict[str, Any]) -> str:
    said = f"The game is {data['to']} instead of {data['from']} from the next coup on"
    shuffled = "; all cards are shuffled after each coup" if data.get("reshuffled", False) else ""
    return f"{said}{shuffled}{by(data, 'approver')}"


def _limit(data: dict[str, Any]) -> str:
    seat = "" if data["seat"] is None else f" of seat {data['seat']}"
    before = "there was none" if data["from"] is None else f"it was {data['from']}"
    limit = f"{_LIMITS.get(data['what'], plain(data['what']))}{seat}"
    return f"{limit} is {money(data['to'])} from now on, before {before}{by(data, 'approver')}"


def _posted(data: dict[str, Any]) -> str:
    said = {"minimum": _minimum, "game": _game, "closing": _closing}.get(data["what"], _other)(data)
    when = f"from {data['effective_at']} on, if the program runs until then{ruled(data['rule'])}"
    may = "at once" if data["rule"] is None else when
    return f"Sign {data['id']} was put on the table: {said}; that may be done {may}{by(data, 'approver')}"


def _minimum(data: dict[str, Any]) -> str:
    before = "" if data["from"] is None else f" instead of {data['from']}"
    return f"the minimum will be {money(data['to'])}{before}"


def _game(data: dict[str, Any]) -> str:
    return f"the game will be {data['to']} instead of {data['from']}"


def _closing(data: dict[str, Any]) -> str:
    return "the table will be closed" + ("" if data["to"] is None else f", {data['to']}")


def _other(data: dict[str, Any]) -> str:
    return "its words were not noted" if data["to"] is None else str(data["to"])


def _ripe(data: dict[str, Any]) -> str:
    sign = f"Sign {data['id']} ({_SIGNS.get(data['what'], plain(data['what']))})"
    return f"{sign} has been up long enough: what it says may be done"


def _attested(data: dict[str, Any]) -> str:
    done = _ATTESTED.get(data["what"], plain(data["what"]))
    return f"The cards of the coming shoe were {done}, says {persons(data, 'by')}"


def _alarm(data: dict[str, Any]) -> str:
    if data["code"] in _LINE:
        return f"{_LINE[data['code']]}: {data['text']}"
    said = " ".join(filter(None, (data["code"], data["text"])))
    return "The shoe reported an alarm" + (f": {said}" if said else "")


def _raised(data: dict[str, Any]) -> str:
    if data["code"] == "unmasked":
        where = _UNMASKED.get(data["what"], plain(data["what"]))
        return f"Two persons asked to see faces that lie hidden, {where}{by(data)}: {data['reason']}"
    if data["code"] in _NOTICED:
        return _NOTICED[data["code"]].format(**data)
    card = "" if data["n"] is None else f" at card {data['n']}"
    return f"Alarm{card}: {_ALARMS.get(data['code'], plain(data['code']))}"


def _cleared(data: dict[str, Any]) -> str:
    if "code" in data:
        return f"What listens at {data['what']} as {data['reason']} keeps up again"
    return f"A request or an alarm was seen: {plain(data['what'])}{by(data)}"


def _clock(data: dict[str, Any]) -> str:
    return f"The machine's clock was set {moved(data['by_s'])}; until then it said {data['before']}"


def _loaded(data: dict[str, Any]) -> str:
    set_id = "" if data.get("set_id") is None else f", set {data['set_id']}"
    shuffled = "; all cards are shuffled after each coup" if data.get("reshuffled", False) else ""
    missing = ", ".join(map(plain, data.get("not_attested", ())))
    lacks = f"; nobody attested: {missing}" if missing else ""
    cards = f"{data['decks']} decks, {data['cards']} cards"
    return f"A new shoe lies on the table: {cards}{set_id}{shuffled}{lacks}{by(data)}"


def _closed(data: dict[str, Any]) -> str:
    said = f"The shoe is finished; coups dealt: {data['coups']}"
    if "cards_read" in data:
        said += f"; cards read {data['cards_read']}, unread {data['cards_unread']}, burned {data['burned']}"
    if data.get("remaining") is not None:
        differs = ", ".join(map(plain, data["discrepancies"]))
        said += f"; counted in the shoe {data['remaining']}"
        said += ", which reconciles" if data["reconciled"] else f", which does not reconcile: {differs}"
    return f"{said}{by(data)}"


def _burned_cards(data: dict[str, Any]) -> str:
    return "Burned: " + (", ".join(card or "one not read" for card in data["cards"]) or "no card")


def _witnessed(data: dict[str, Any]) -> str:
    """Who said so, where a second person stood by it."""
    return "" if data.get("second") is None else f", as said{by(data, 'person').removeprefix(',')}"


OF_HOUSE: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "method.requested": _requested,
    "method.changed": _method,
    "bank.passed": _bank,
    "rules.changed": _rules,
    "limits.changed": _limit,
    "notice.posted": _posted,
    "notice.ripe": _ripe,
    "shoe.attested": _attested,
    "shoe.loaded": _loaded,
    "shoe.burned": lambda data: f"Cards burned: {data['count']}{by(data)}",
    "shoe.burned_cards": _burned_cards,
    "shoe.cut_card": lambda data: (
        f"The cut card came out; coups still to deal, this one included: {data['last_coups']}"
    ),
    "shoe.empty": lambda _: "The shoe is empty",
    "shoe.closed": _closed,
    "staff.signed_in": lambda data: f"{data['person']} took a place at the table{_witnessed(data)}",
    "staff.signed_out": lambda data: f"{data['person']} left the table{_witnessed(data)}",
    "table.opened": lambda data: f"The table was opened{by(data)}",
    "table.closed": lambda data: (
        f"The table was closed{' in an emergency' if data['reason'] == 'emergency' else ''}{by(data)}"
    ),
    "table.paused": lambda data: (
        f"The table was paused{_PAUSED.get(data['reason'], ': an incident')}{by(data)}"
    ),
    "table.resumed": lambda data: f"The pause ended{by(data)}",
    "device.link": lambda data: _LINKS.get(data["state"], f"The cable to the shoe: {data['state']}"),
    "device.alarm": _alarm,
    "frame.rejected": lambda data: (
        f"Bytes of the shoe were not taken: {_FRAMES.get(data['reason'], plain(data['reason']))}"
    ),
    "alarm.raised": _raised,
    "alarm.cleared": _cleared,
    "service.started": lambda data: f"The program started{_STARTED.get(data['reason'], '')}",
    "service.stopped": lambda _: "The program stopped in good order",
    "clock.stepped": _clock,
    "journal.checkpoint": lambda data: f"The account was signed, up to its row {data['last']}",
}
