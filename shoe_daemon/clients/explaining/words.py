"""Phrases that several sentences share, in words that need no knowledge of this program."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

PLACES: Final = {
    "P1": "Player's first",
    "B1": "Banker's first",
    "P2": "Player's second",
    "B2": "Banker's second",
    "P3": "Player's third",
    "B3": "Banker's third",
}


def plain(name: str) -> str:
    """A name of ours as words."""
    return name.replace("_", " ")


def both(person: str | None, second: str | None) -> str | None:
    """A person with the second one who stood by; None where nobody did it."""
    return person if person is None or second is None else f"{person} with {second}"


def second_of(data: Mapping[str, Any], name: str = "actor") -> str | None:
    """Who stood by the person in field `name` of a message; None where that person said nothing by it."""
    said: str | None = data.get("second")
    return said if data.get(name) is not None and data.get("actor") in {None, data[name]} else None


def persons(data: Mapping[str, Any], name: str = "actor") -> str | None:
    """The person in field `name` of a message, with the second one who stood by; None: nobody."""
    return both(data.get(name), second_of(data, name))


def by(data: Mapping[str, Any], name: str = "actor") -> str:
    """Who did it, empty where no person did."""
    who = persons(data, name)
    return "" if who is None else f", by {who}"


def ruled(rule: str | None) -> str:
    """The rule, where one speaks."""
    return "" if rule is None else f" ({rule})"


def money(amount: int) -> str:
    """An amount as messages bear it."""
    return f"{amount} (minor units)"


def listed(numbers: Sequence[int], one: str) -> str:
    """Numbered things of a kind: `seat 3`, or `seats 3, 4`."""
    return f"{one}{'' if len(numbers) == 1 else 's'} {', '.join(map(str, numbers))}"


def odds(text: str) -> str:
    """Odds as a table says them."""
    over, _, under = text.partition("/")
    return f"{over} to {under or 1}"


def pays(kind: str, paid: dict[str, str], forfeit: list[int]) -> str:
    """What the cage was told to do with the wagers on Player, Banker and Tie."""
    if kind == "return":
        kept = f", but those of {listed(forfeit, 'seat')} are forfeited" if forfeit else ""
        return f"all wagers go back{kept}"
    if kind == "none":
        return "nothing to settle: there were no wagers"
    won = [f"{bet.capitalize()} {odds(paid[bet])}" for bet in paid if paid[bet] != "0"]
    back = [bet.capitalize() for bet in paid if paid[bet] == "0"]
    words = ["pays " + ", ".join(won)] if won else []
    words += ["wagers on " + " and ".join(back) + " go back"] if back else []
    return "; ".join((*words, "other wagers lose" if not back else "nothing else wins"))


def cause(verb: str | None) -> str:
    """Why a result was told again."""
    return "a card was corrected" if verb == "correct" else plain(verb or "not told")


def ending(data: dict[str, Any]) -> str:
    """The result of a coup in one clause."""
    player, banker = data["player"]["points"], data["banker"]["points"]
    if data["outcome"] == "tie":
        return f"a Tie, {player} to {banker}"
    won, lost = (player, banker) if data["outcome"] == "player" else (banker, player)
    return f"the {data['outcome'].capitalize()} wins, {won} to {lost}"
