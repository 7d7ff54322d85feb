"""An irregularity in words: what it is, what it holds, what may be done; and how it was settled."""

from typing import Any, Final

from shoe_daemon.clients.explaining.fates import Fate, Fates
from shoe_daemon.clients.explaining.words import persons, plain, ruled
from shoe_daemon.clients.told import Told
from shoe_daemon.table.irregularities import ROWS
from shoe_daemon.table.remedies import REMEDIES

_TRIGGERS: Final = {
    "link_gap": "the cable or the program came back with a shoe open",
    "unknown_code": "the shoe told of what looks like a card, but named none that there is",
}
"""What raises them, where the documents say it in words of this program."""

_BETWEEN: Final = {
    "missed": "; one card was said to have left the shoe unseen, and was entered as not read",
}
"""What a remedy means that was chosen while there was no coup."""


def raised(told: Told, page: int, fates: Fates, lacking: str | None) -> str:
    """It was raised, for the page of coup `page`. `lacking`: the card that an empty shoe did not have."""
    data, fate = told.data, fates.of(told.data["id"])
    row = ROWS.get(data["code"])
    what = "" if row is None else f": {_TRIGGERS.get(row.code, row.trigger)}"
    if data["code"] == "insufficient_cards" and lacking is not None:
        what = f": {lacking}, so the coup is void"
    upon = f" Raised upon a command of {persons(data)}." if data.get("actor") else ""
    about = _about(told, page, fates)
    name = f"Irregularity {data['id']}, {plain(data['code'])}{ruled(data['rule'])}{about}"
    held = _held(told.coup, page, fate) if data["hold"] else ""
    return f"{name}{what}.{upon}{_said(data)}{held}{_choices(data['code'], data['remedies'])}"


def _about(told: Told, page: int, fates: Fates) -> str:
    """What of another time than that of the page's coup it is about."""
    if told.coup == page:
        return ""
    item = told.data["id"]
    if told.coup is None and not fates.went_to(item, page):
        return ", raised between coups"
    became = "was to be" if fates.dropped(page) else "became"
    return f", about a card drawn {_when(told, fates.of(item))} that {became} one of this coup"


def _said(data: dict[str, Any]) -> str:
    """The words of who reported it, or what the dealer called."""
    if not data.get("text"):
        return ""
    if data["code"] == "result_mismatch":
        return f" The dealer called {data['text'].capitalize()}."
    if data["code"] == "sequence_gap" and "actor" not in data:
        return f" By the numbers of the shoe's own messages: {data['text']}."
    return f" Reported with the words: {data['text']}."


def _when(told: Told, fate: Fate) -> str:
    return "before the first coup" if fate.drawn == "before" else f"{fate.drawn} coup {told.coup}"


def _held(coup: int | None, page: int, fate: Fate) -> str:
    """What it holds: the coup that it was raised in, or the one into which its card goes."""
    if fate.unused:
        return " It holds no coup: the card is used in none."
    if fate.out and not fate.coups:
        return " It holds the coup into which the card goes."
    if not fate.coups:
        return " It holds the coup."
    coups = ", then ".join("this coup" if one == page else f"coup {one}" for one in fate.holds)
    into = "" if coup != page else ", into which the card goes"
    return f" It holds {coups}{into}."


def _choices(code: str, remedies: list[str]) -> str:
    if remedies:
        return f" May be settled by: {', '.join(map(plain, remedies))}."
    if code == "excess_card":
        return " By these rules the card is burned: it is used in no coup."
    return " Recorded; nothing to choose."


def settled(told: Told, origin: int | None, page: int, fates: Fates) -> str:
    """How it was settled, by whom, and what that means. `origin`: the coup that it was raised in."""
    data = told.data
    name = f"Irregularity {data['id']}, {plain(data['code'])}, was settled"
    if fates.of(data["id"]).unused:
        return f"{name} as it was raised: nobody need say what card that is"
    who = f" by {persons(data)}" if data.get("actor") else " by what happened next, not by a person"
    if data["remedy"] == "void" and not fates.voided(told.coup):
        return f"{name}{who}: the card belongs to no coup"
    late = " The press came late." if data.get("late") else ""
    return f"{name}{who}: {plain(data['remedy'])}{_means(told, origin, page, fates)}.{late}"


def _means(told: Told, origin: int | None, page: int, fates: Fates) -> str:
    name = told.data["remedy"]
    if name in {"disclose", "undisclosed"}:
        before = "" if origin is None else f"; coup {origin} is unchanged"
        coups = fates.of(told.data["id"]).coups
        after = fates.betting(coups[-1], name) if coups else "the card goes into the next coup"
        return f"{before}; {after}"
    if told.coup is None:
        return _BETWEEN.get(name, "")
    remedy = REMEDIES.get(name)
    if remedy is None or name == "void":
        return ""
    coup = "the coup" if told.coup == page else f"coup {told.coup}"
    return f"; {coup}: {remedy.coup}"
