"""An event in a few plain words for a picture or a log: capital letters, at most 32 characters a line.

Nothing is said that the surveillance feed did not tell. Recorders draw some characters as blanks or take them
for marks, so that a line has A to Z, 0 to 9, space and `- : / .` alone.
"""

import re
import string
import textwrap
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any, Final

from shoe_daemon.clients.told import Told

WIDTH: Final = 32
ALPHABET: Final = frozenset(string.ascii_uppercase + string.digits + " -:/.")
"""All characters of a line."""
_OTHER: Final = re.compile(r"[^A-Z0-9 \-:/.]+")
_LEFT_OUT: Final = frozenset({"raw", "software", "rules_sha256", "profile_sha256", "actor", "source"})
_SIDES: Final = {"player": "P", "banker": "B"}


def lines(told: Told, *, stamp: bool = True) -> list[str]:
    """Table, shoe and coup; with `stamp` time and number; then what happened, a line or more."""
    place = [told.table]
    place += [f"{letter}{number}" for letter, number in (("S", told.shoe), ("C", told.coup)) if number]
    found = [" ".join(place)]
    if stamp:
        found.append(f"{told.at[:10]} {told.at[11:23]} N{told.seq}")
    found += _SAID.get(told.type, _plain)(told)
    if told.actor is not None:
        found.append(f"by {told.actor}")
    return [line for text in found for line in _folded(text)]


def sentence(told: Told) -> str:
    """What happened in one line, without its time."""
    return " ".join(lines(told, stamp=False))


def _folded(text: str) -> list[str]:
    """Lines of `text` that any recorder can draw."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().upper()
    return textwrap.wrap(" ".join(_OTHER.sub(" ", plain).split()), WIDTH, break_on_hyphens=False)


def _plain(told: Told) -> list[str]:
    """The type, and its data where they are single words or numbers."""
    said = [re.sub(r"[._]", " ", told.type)]
    for key, value in told.data.items():
        if key in _LEFT_OUT or value is None or value is False or isinstance(value, dict | list):
            continue
        if value is True:
            said.append(key)
        else:
            said.append(value if isinstance(value, str) else f"{key} {value}")
    return [" ".join(said).replace("_", " ")]


def _drawn(told: Told) -> list[str]:
    data = told.data
    face = "unreadable" if not data.get("readable", True) else data.get("card") or "face down"
    return [f"card {data.get('n')} drawn {data.get('slot') or ''} {face}"]


def _exposed(told: Told) -> list[str]:
    return [f"{told.data.get('slot') or ''} {told.data.get('card') or ''}"]


def _announced(told: Told) -> list[str]:
    natural = " natural" if told.data.get("natural") else ""
    return [f"{told.data.get('hand')} {told.data.get('points')}{natural}"]


def _result(told: Told) -> list[str]:
    """`P 4H 9C 3`, `B KS 8D 8`, `BANKER NATURAL`."""
    data = told.data
    hands = [f"{letter} {_hand(data.get(side) or {})}" for side, letter in _SIDES.items()]
    end = [str(data.get("outcome"))]
    end += [words for key, words in (("natural", "natural"), ("no_bet", "no bet")) if data.get(key)]
    if (revision := data.get("revision", 1)) > 1:
        end.append(f"revision {revision}")
    return [*hands, " ".join(end)]


def _hand(hand: dict[str, Any]) -> str:
    return " ".join([*(card or "unread" for card in hand.get("cards", ())), str(hand.get("points", ""))])


def _faces(told: Told) -> list[str]:
    """`COUP CARDS P1 9D B1 4S`."""
    return [
        f"{told.type.replace('.', ' ')} {' '.join(_places(told.data.get('cards') or ()))}".replace("_", " ")
    ]


def _places(cards: Any) -> Iterator[str]:  # noqa: ANN401 - a list of JSON
    for one in cards:
        if isinstance(one, dict):
            yield f"{one.get('slot') or one.get('n')} {one.get('card') or 'unread'}"
        else:
            yield one or "unread"


_SAID: Final[dict[str, Callable[[Told], list[str]]]] = {
    "card.drawn": _drawn,
    "card.exposed": _exposed,
    "hand.announced": _announced,
    "coup.result": _result,
    "coup.cards": _faces,
    "shoe.burned_cards": _faces,
}
