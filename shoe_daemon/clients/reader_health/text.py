"""A reader's health as a page of plain text, in words that a technician can act on."""

from collections.abc import Iterator
from typing import Final

from shoe_daemon.clients.pages import field
from shoe_daemon.clients.reader_health.facts import LATER, By, Finding, Misread, Rate, Reading
from shoe_daemon.clients.told import Clock

_REJECTED: Final = {
    "unmatched": "whole, but nothing that the profile knows: is it the right profile?",
    "unknown_code": "like a card, but of no card of its table: is a card missing in the profile?",
    "partial": "broken off: look at the cable and its plugs",
    "too_long": "without an end: look at the speed (baud) and the profile",
    "bad_checksum": "damaged on the way: look at the cable, its length and its ground",
    "repeated": "sent twice: the shoe may not hear its answers",
    "no_shoe": "cards while no shoe was open, or the table was closed",
}
_HEADS: Final[dict[By, str]] = {
    "set": "by set",
    "place": "card of coup",
    "quarter": "by quarter",
    "hour": "by hour",
    "card": "by card",
}


def page(made: Reading, clock: Clock) -> list[str]:
    """The whole page."""
    return [
        f"READER  table {made.table}  {made.name}",
        *field(
            "journal", [f"{made.journal}, {'whole' if made.whole else 'NOT WHOLE'}, its head", f"{made.head}"]
        ),
        *field("shoes", [f"{made.shoes} loaded; {clock.meaning}"]),
        *field("cards", _cards(made)),
        *field(
            "to look at", [*map(_finding, made.findings), *map(_misread, made.misreads)], "nothing stands out"
        ),
        *(line for by, head in _HEADS.items() for line in _rates(head, by, made.rates)),
        *field("alarms", (f"{named}: {count}" for named, count in sorted(made.alarms.items()))),
        *field("rejected", (f"{count} {_REJECTED[why]}" for why, count in sorted(made.rejected.items()))),
        *field("cable", [f"down {made.cable_down} times"] if made.cable_down else [], "never down"),
    ]


def _of(cards: int, unread: int) -> str:
    return f"{unread} of {cards} unread" + (f" ({100 * unread / cards:.2f} %)" if unread else "")


def _cards(made: Reading) -> Iterator[str]:
    yield _of(made.cards, made.unread) if made.cards else "none was drawn"
    if made.unseen:
        yield f"{made.unseen} left the shoe, staff said, and the shoe sent nothing"
    if made.burned:
        yield f"{made.burned} burned, {made.burned_unread} of them known to be unread"


def _rates(head: str, by: By, rates: list[Rate]) -> Iterator[str]:
    of = [rate for rate in rates if rate.by == by]
    if by == "card":
        of = [rate for rate in of if rate.unread]
    yield from field(head, (f"{_named(rate)}: {_of(rate.cards, rate.unread)}" for rate in of))


def _named(rate: Rate) -> str:
    if rate.of == LATER:
        return "beyond the sixth"
    if rate.by == "set":
        return rate.of or "no set named"
    return f"{_ORDER[int(rate.of) - 1]} quarter" if rate.by == "quarter" else rate.of


_ORDER: Final = ("first", "second", "third", "last")


def _finding(found: Finding) -> str:
    rate = found.rate
    so = f"{_of(rate.cards, rate.unread)}, all others {found.rest_unread} of {found.rest_cards}"
    where = [one or "with no name" for one in found.sets]
    if len(where) > 1:
        return (
            f"{rate.of}: {so}, in the sets {', '.join(where)}: look at how this card is printed and at its "
            "code in the profile; it is not one bad card"
        )
    if where:
        return f"{rate.of}: {so}, all in the set {where[0]}: take its {rate.of} out and look at them"
    if rate.of == LATER:
        return f"cards beyond the sixth of a coup: {so}: watch how they are drawn"
    what, to_do = _GROUPS[rate.by]
    return f"{what.format(_named(rate))}: {so}: {to_do}"


_GROUPS: Final[dict[By, tuple[str, str]]] = {
    "set": ("set {}", "look at its cards, or change the set"),
    "place": ("card {} of the coup", "watch how it is drawn, how fast and how far"),
    "quarter": ("{} of the shoe", "look at what pushes the cards to the mouth"),
    "hour": ("the hour from {}", "ask what was other then, light, heat or who dealt"),
}


def _misread(one: Misread) -> str:
    return (
        f"{one.card} read as {one.read}, coup {one.coup} of shoe {one.shoe}, {one.slot}: corrected by "
        "a person; look at the card"
    )
