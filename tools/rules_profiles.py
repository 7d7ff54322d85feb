"""What the profiles state by a rule, what they do not state, and what is done instead: rows for the page."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from tools.rules_data import Profile

Cells = tuple[str, ...]
"""The cells of one row."""


def not_stated(known: Mapping[str, Profile]) -> Iterator[Cells]:
    """Give profiles, key, value and reason of each value that no document states."""
    found = ((_value(*marked) for marked in _not_stated(one.stated)) for one in known.values())
    return _by_profile(_merged(found), known)


def gaps(known: Mapping[str, Profile]) -> Iterator[Cells]:
    """Give profiles, matter, what is done and reason of each other gap of a document."""
    found = (
        ((gap["matter"], gap["default"], gap["why"]) for gap in one.stated.get("gaps", ()))
        for one in known.values()
    )
    return _by_profile(_merged(found), known)


def by_a_rule(table: Mapping[str, Any], at: str = "") -> Iterator[Cells]:
    """Give key, value and rule of every value of a profile that bears a rule, or is one."""
    for key, value in table.items():
        dotted = f"{at}.{key}" if at else key
        if isinstance(value, dict):
            if "rule" in value:
                yield f"`{dotted}`", _said(value), value["rule"]
            else:
                yield from by_a_rule(value, dotted)
        elif isinstance(value, str) and at == "drawing":
            yield f"`{dotted}`", "as the program has it", value
        elif isinstance(value, str) and at == "irregularities":
            yield f"`{dotted}`", "the rule that is named with it", value


def _not_stated(table: Mapping[str, Any], at: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every table in `table` that says `not_stated`, with its dotted key."""
    if "not_stated" in table:
        yield at, table
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _not_stated(value, f"{at}.{key}" if at else key)


def _value(key: str, table: Mapping[str, Any]) -> Cells:
    return f"`{key}`", _said(table), table["not_stated"]


def _said(table: Mapping[str, Any]) -> str:
    said = ", ".join(
        f"{name} = {msgspec.json.encode(value).decode()}"
        for name, value in table.items()
        if name not in {"not_stated", "rule"}
    )
    return f"`{said}`"


def _merged(found: Iterable[Iterable[Cells]]) -> dict[Cells, list[int]]:
    """Cells with the numbers of the profiles that have just these, in the order of the first of them."""
    merged: dict[Cells, list[int]] = {}
    for number, rows in enumerate(found):
        for cells in rows:
            merged.setdefault(cells, []).append(number)
    return merged


def _by_profile(merged: Mapping[Cells, list[int]], known: Mapping[str, Profile]) -> Iterator[Cells]:
    names = tuple(known)
    for cells, numbers in merged.items():
        yield ", ".join(f"`{names[number]}`" for number in numbers), *cells
