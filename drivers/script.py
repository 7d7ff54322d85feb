"""What happens at a table, as timed actions, and its exchange with capture files.

A script is an iterable of actions in the order of their time. Whoever plays it writes each `Send` to the line
of the shoe, gives each `Operator` to the table's control and waits for the answer before going on. `NewShoe`,
`CoupOver` and `CoupVoided` move nothing: they tell what truly lay on the felt, for tests and for people who
watch.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Literal

import msgspec

from shoe_daemon.game.cards import Card


class Send(msgspec.Struct, frozen=True):
    """Bytes leave the shoe. `at_s`: seconds from the start of the script."""

    at_s: float
    data: bytes


class Operator(msgspec.Struct, frozen=True):
    """A person gives a command. `actor` is `role:id`."""

    at_s: float
    verb: str
    actor: str
    args: dict[str, Any]


class Cable(msgspec.Struct, frozen=True):
    """The cable is pulled or put back."""

    at_s: float
    state: Literal["up", "down"]


class NewShoe(msgspec.Struct, frozen=True):
    """A shoe is on the table: its `cards` in the order they leave it, the first `burned` of them burned."""

    at_s: float
    shoe: int
    cards: tuple[Card, ...]
    burned: int


class CoupOver(msgspec.Struct, frozen=True):
    """A coup lies complete: both hands in the order dealt. Numbers count from 1.

    `mistake`: what went wrong in it that a supervisor had to put right.
    """

    at_s: float
    shoe: int
    coup: int
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    no_bet: bool
    mistake: str | None = None


class CoupVoided(msgspec.Struct, frozen=True):
    """A coup ended without a result, by a supervisor's word, because of `mistake`."""

    at_s: float
    shoe: int
    coup: int
    mistake: str


Action = Send | Operator | Cable | NewShoe | CoupOver | CoupVoided


def capture_lines(  # noqa: PLR0913 - the keys of the first line
    script: Iterable[Action], *, profile_id: str, rules: str, decks: int, table: str, procedure: str
) -> Iterator[str]:
    """Lines of a capture, without line ends, that replays `script`.

    A script that opens the table itself gives `"open": false`; any other starts at P1 of a shoe.
    """
    actions = iter(script)
    first = next((one for one in actions if not isinstance(one, NewShoe)), None)
    header: dict[str, Any] = {
        "t": 0.0,
        "profile": profile_id,
        "rules": rules,
        "decks": decks,
        "table": table,
        "procedure": procedure,
    }
    if isinstance(first, Operator) and first.verb == "open_table":
        header["open"] = False
    yield json.dumps(header)
    for action in chain(() if first is None else (first,), actions):
        yield from _line(action)


def _line(action: Action) -> Iterator[str]:
    """Capture line of `action`, none for one that only tells the truth."""
    line: dict[str, Any] = {"t": round(action.at_s, 6)}
    if isinstance(action, Send):
        line["rx"] = action.data.hex()
    elif isinstance(action, Operator):
        line["cmd"] = {"verb": action.verb, "actor": action.actor, "args": action.args}
    elif isinstance(action, Cable):
        line["link"] = action.state
    else:
        return
    yield json.dumps(line)


class _Command(msgspec.Struct, frozen=True):
    verb: str
    actor: str
    args: dict[str, Any] = {}


class _Line(msgspec.Struct, frozen=True):
    t: float
    rx: str | None = None
    cmd: _Command | None = None
    link: Literal["up", "down"] | None = None


def read_capture(lines: Iterable[str | bytes], speed: float = 1.0) -> Iterator[Action]:
    """Play a capture `speed` times as fast: its bytes, commands and cable, not what a camera saw.

    The first line, which describes the table, moves nothing. Raises ValueError with the number of a bad line.
    """
    for number, text in enumerate(lines, start=1):
        if number == 1:
            continue
        try:
            line = msgspec.json.decode(text, type=_Line)
            data = None if line.rx is None else bytes.fromhex(line.rx)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        at_s = line.t / speed
        if data is not None:
            yield Send(at_s, data)
        if line.cmd is not None:
            yield Operator(at_s, line.cmd.verb, line.cmd.actor, line.cmd.args)
        if line.link is not None:
            yield Cable(at_s, line.link)
