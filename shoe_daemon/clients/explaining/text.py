"""The facts of a coup as a page for the terminal."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from shoe_daemon.clients.explaining.cards import CardFact
from shoe_daemon.clients.explaining.finding import Span
from shoe_daemon.clients.explaining.parts import Explained, Revision
from shoe_daemon.clients.explaining.words import PLACES, both, cause, pays, plain
from shoe_daemon.clients.told import Clock

WIDTH: Final = 100
_VIEWS: Final = {
    "public": "what everybody at the table was told",
    "surveillance": "what surveillance was told, with the settlement told to the cage",
}

_WENT: Final = {
    "aside": "in excess after the last coup: it lies aside and is no card of any coup",
    "burned": "in excess: none of this coup's cards; it is burned and used in no other coup",
    "waits": "in excess: none of this coup's cards; it waits for the answer whether it was seen",
    "goes": "in excess: none of this coup's cards; it goes into the next coup",
    "unused": "in excess: none of this coup's cards; it went into no other coup",
    "told_twice": "no card: the one before it was told twice",
    "not_told": "no card of this result; where it went is told to staff only",
    "nowhere": "its place was never settled",
}


def page(coup: Explained, clock: Clock, source: str) -> list[str]:
    """The coup in words. `source`: what it was read from."""
    lines = [
        f"Table {coup.table}, shoe {coup.shoe}, coup {coup.coup}",
        f"{_span(coup.begin, coup.end, clock)}; {clock.meaning}",
        *_wrapped("", _headline(coup), 0),
    ]
    sections = (
        (
            "Cards, in the order dealt (rank and suit: S spades, H hearts, C clubs, D diamonds)",
            _cards(coup, clock),
        ),
        ("How the cards decided it", _decided(coup)),
        ("What happened, in order", _happenings(coup, clock)),
        ("Results", _results(coup, clock)),
        ("What this rests on", _ground(coup, source)),
    )
    for title, body in sections:
        told = list(body)
        if told:
            lines += ["", title, *told]
    return lines


def choices(found: Sequence[Span], clock: Clock, source: str) -> list[str]:
    """Several coups that fit, with what to ask for each."""
    lines = [f"{len(found)} coups fit; {clock.meaning}. Ask for one of them:"]
    for span in found:
        when = _span(span.begin, span.end, clock)
        lines.append(f"  {when}   shoe-daemon explain {source} --shoe {span.shoe} --coup {span.coup}")
    return lines


def _span(begin: str, end: str | None, clock: Clock) -> str:
    day = "" if clock.counted else f"{clock.date(begin)} "
    if end is None:
        return f"{day}{clock.seconds(begin)}, not ended"
    until = "" if clock.date(begin) == clock.date(end) else f"{clock.date(end)} "
    return f"{day}{clock.seconds(begin)} to {until}{clock.seconds(end)}"


def _headline(coup: Explained) -> str:
    last = coup.revisions[-1] if coup.revisions else None
    won = "" if last is None else f"{last.words[0].upper()}{last.words[1:]}"
    match coup.status:
        case "result":
            again = "" if last is None or last.revision == 1 else f" (revision {last.revision})"
            bets = " It was dealt without wagers." if last is not None and last.no_bet else ""
            final = " It was the last coup of the shoe." if last is not None and last.last_coup else ""
            return f"{won}{again}.{bets}{final}"
        case "void":
            return "The coup is void: it has no result."
        case "invalidated":
            return f"{won}; that result no longer counts."
        case "pending":
            return "The coup is parked: it has no result yet, and dealing went on."
        case "under_way":
            return "The coup has no result yet."
        case "not_dealt":
            return "The coup was never dealt: its shoe was closed before."


def _wrapped(mark: str, words: str, indent: int = 2) -> list[str]:
    first = " " * indent + mark
    return textwrap.wrap(words, WIDTH, initial_indent=first, subsequent_indent=" " * len(first))


def _cards(coup: Explained, clock: Clock) -> Iterator[str]:
    for card in coup.cards:
        left = "          " if card.left_at is None else clock.time(card.left_at)
        place = PLACES.get(card.slot or "", "-") if card.went == "hand" else "-"
        yield from _wrapped(
            f"{card.n}  {left}  {card.card or '?':3}  {place:16}  ", _known(card, coup, clock)
        )


def _known(card: CardFact, coup: Explained, clock: Clock) -> str:
    """Where a card came from and went to, and how its face became known."""
    words = [*_came(card, coup), *_read(card), *_went(card)]
    if card.turned_at is not None and (card.readable is not False or not card.named):
        words.append(f"turned {clock.time(card.turned_at)}{_by(card.turned_by, card.turned_second)}")
    for naming in card.named:
        what = "named" if naming.before is None else f"corrected from {naming.before} to"
        words.append(f"{what} {naming.card} {clock.time(naming.at)}{_by(naming.by, naming.second)}")
    if card.turned_at is None and not card.named and card.went == "hand":
        never = "nobody turned it" if card.readable is not False else "nobody named it"
        words.append("its face is withheld" if card.withheld else never)
    return "; ".join(words)


def _by(person: str | None, second: str | None) -> str:
    return "" if person is None else f" by {both(person, second)}"


def _came(card: CardFact, coup: Explained) -> list[str]:
    if not card.carried:
        return []
    seen = "and had been seen" if card.seen else "and nobody had seen it"
    where = (
        "before the first coup" if card.left_in is None else f"as card {card.left_n} of coup {card.left_in}"
    )
    if card.left_in == coup.coup:
        return []
    return [f"left the shoe {where}, in excess, {seen}"]


def _read(card: CardFact) -> list[str]:
    by = _by(card.by, card.second)
    match card.source, card.readable:
        case "shoe", True:
            return ["read by the shoe"]
        case "shoe", False:
            return ["the shoe could not read it"]
        case "operator", True:
            return [f"entered by hand{by}"]
        case "operator", False:
            return [f"left the shoe unread or unseen, entered{by}"]
        case _:
            return []


def _went(card: CardFact) -> list[str]:
    if card.went == "next_coup":
        seen = "it had been seen" if card.seen else "nobody had seen it"
        return [f"in excess: none of this coup's cards, it became a card of coup {card.to_coup}; {seen}"]
    if card.went == "not_dealt":
        waited = f"it waited for coup {card.to_coup}, which was never dealt: the shoe was closed before"
        return [f"in excess: none of this coup's cards, {waited}"]
    return [] if card.went == "hand" else [_WENT[card.went]]


def _decided(coup: Explained) -> Iterator[str]:
    if coup.first_points is not None:
        player, banker = coup.first_points
        yield f"  The first two cards of each hand count: Player {player}, Banker {banker}."
    for decision in coup.decisions:
        yield from _wrapped("", decision.words)
    if coup.revisions:
        last = coup.revisions[-1]
        yield from _wrapped("", f"Result: {last.words}: {_hands(last)}.")


def _hands(revision: Revision) -> str:
    player, banker = revision.player, revision.banker
    return (
        f"Player {' '.join(player['cards'])} = {player['points']},"
        f" Banker {' '.join(banker['cards'])} = {banker['points']}"
    )


def _happenings(coup: Explained, clock: Clock) -> Iterator[str]:
    played = clock.date(next((card.left_at for card in coup.cards if card.left_at), coup.begin))
    for one in coup.happenings:
        day = "" if clock.date(one.at) == played else f"{clock.date(one.at)} "
        words = one.words
        if one.moment is not None:
            words = words.replace(one.moment, _moment(one.moment, played, clock))
        yield from _wrapped(f"{day}{clock.time(one.at)}  ", f"{words.rstrip('.')}.")


def _moment(at: str, played: str, clock: Clock) -> str:
    """A time that a sentence names, with its date where that is not the coup's."""
    day = "" if clock.date(at) == played else f"{clock.date(at)} "
    return f"{day}{clock.seconds(at)}"


def _results(coup: Explained, clock: Clock) -> Iterator[str]:
    for one in coup.revisions:
        by = "" if one.by is None else f",{_by(one.by, one.second)}"
        why = "" if one.cause is None else f" ({cause(one.cause)})"
        yield from _wrapped(
            f"{one.revision}  {clock.time(one.at)}  ", f"{one.words}: {_hands(one)}{why}{by}; {_paid(one)}."
        )
        if one.bets:
            bets = ", ".join(f"{plain(name)} {plain(how)}" for name, how in one.bets.items())
            yield from _wrapped("               ", f"side bets: {bets}.")


def _paid(revision: Revision) -> str:
    if revision.settlement is None or revision.pays is None:
        return "what it pays is told to the cage"
    return pays(revision.settlement, revision.pays, [])


def _ground(coup: Explained, source: str) -> Iterator[str]:
    yield from _wrapped("", f"Read from {source}, journal {coup.journal}: {_VIEWS[coup.view]}.")
    if coup.revisions:
        last = coup.revisions[-1]
        method = "" if last.method is None else f", dealing method {last.method}"
        yield from _wrapped("", f"Rules: profile {last.rules['name']}{method},")
        yield f"  SHA-256 {last.rules['sha256']}"
        yield from _wrapped("", f"Drawing rules recorded with the result: {', '.join(last.rule_ids)}.")
    elif coup.loaded is not None and "rules_sha256" in coup.loaded:
        yield f"  Rules: SHA-256 {coup.loaded['rules_sha256']}"
    if coup.loaded is not None and "software" in coup.loaded:
        yield f"  Software shoe-daemon {coup.loaded['software']}; shoe profile SHA-256"
        yield f"  {coup.loaded['profile_sha256']}"
    if coup.withheld is not None:
        yield from _wrapped("", f"Withheld: {coup.withheld}.")
