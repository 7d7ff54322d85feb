"""The file of side bets: read as data, and refused for all in it that contradicts itself."""

import difflib
import hashlib
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from shoe_daemon.game.side_bets import PREDICATES, SideBet, deciding
from shoe_daemon.schema import ConfigError, Problem, dotted, problem, read_toml

_Name = Annotated[
    str,
    Meta(
        pattern=r"^[a-z0-9][a-z0-9-]{0,31}\Z",
        description="a name of small letters, digits and hyphens, 32 at most",
    ),
]
_Text = Annotated[str, Meta(min_length=1)]
_MAIN: Final = ("player", "banker", "tie")
_NEAR: Final = 0.5


class BetsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that a file of side bets says. The names of its bets are those in `coup.result`."""

    name: _Name
    title: _Text
    bets: dict[_Name, SideBet]


class SideBets(msgspec.Struct, frozen=True):
    """The side bets there are. `sha256`: hex digest of the file's bytes."""

    stated: BetsFile
    sha256: str

    def offered(self, names: Iterable[str]) -> dict[str, SideBet]:
        """Give the bets of these names, in their order; raises KeyError on a name that is none of ours."""
        return {name: self.stated.bets[name] for name in names}


def parse_bets(data: bytes, source: str) -> SideBets:
    """Read a file of side bets; raises ConfigError with every problem, `source` naming the file in them."""
    stated = read_toml(data, source, BetsFile)
    text = data.decode()
    found = [
        problem(text, source, dotted(("bets", name, *path)), words)
        for name, bet in stated.bets.items()
        for path, words in _contradictions(name, bet)
    ]
    if found:
        raise ConfigError(found)
    return SideBets(stated, hashlib.sha256(data).hexdigest())


def offer_problems(data: bytes, source: str, names: Iterable[str], bets: SideBets) -> list[Problem]:
    """Give what is wrong with `names`, the `side_bets` of a rules file whose bytes are `data`."""
    text, found, seen = data.decode(), list[Problem](), set[str]()
    for place, name in enumerate(names):
        words = _offer(name, bets) if name not in seen else f"{name} is offered twice"
        if words is not None:
            found.append(problem(text, source, f"side_bets[{place}]", words))
        seen.add(name)
    return found


def _offer(name: str, bets: SideBets) -> str | None:
    bet = bets.stated.bets.get(name)
    if bet is None:
        return f"no side bet {name} in {bets.stated.name}{_hint(name, bets.stated.bets)}"
    if bet.instead_of is not None:
        return f"{name} stands in place of the {bet.instead_of} bet: say so in [pay.{bet.instead_of}]"
    return None


_Place = tuple[str | int, ...]


def _contradictions(name: str, bet: SideBet) -> Iterator[tuple[_Place, str]]:
    answers = PREDICATES[bet.predicate].answers
    words = {word for answer in answers for word in answer}
    decide = {deciding(bet, answer) for answer in answers}
    if name in _MAIN:
        yield (), f"{name} is the name of a main bet"
    if None not in decide:
        yield (), "never loses: some coup must be against every bet"
    for place, word in _named(bet):
        if word not in words:
            yield place, f"{bet.predicate} never says {word}{_hint(word, words)}"
        elif word not in decide:
            yield place, f"{word} never decides: the words more particular than it are all named"
    yield from _odds_and_pushes(bet)


def _named(bet: SideBet) -> Iterator[tuple[_Place, str]]:
    yield from ((("pays", word), word) for word in bet.pays)
    yield from ((("push", place), word) for place, word in enumerate(bet.push))


def _odds_and_pushes(bet: SideBet) -> Iterator[tuple[_Place, str]]:
    for word, odds in bet.pays.items():
        if (lowest := str(Fraction(odds))) != odds:
            yield ("pays", word), f"odds {odds} are to be written in lowest terms, {lowest}"
    for place, word in enumerate(bet.push):
        if word in bet.pays:
            yield ("push", place), f"{word} both wins and pushes"
        if word in bet.push[:place]:
            yield ("push", place), f"{word} is listed twice"


def _hint(word: str, known: Iterable[str]) -> str:
    """Say which of `known` was probably meant, else list them."""
    listed = sorted(known)
    near = difflib.get_close_matches(word.lower(), listed, 1, _NEAR)
    return f'; did you mean "{near[0]}"?' if near else f"; there are {', '.join(listed)}"
