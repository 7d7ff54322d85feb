"""The drawing decisions of a coup as sentences: the points that led to each, and the rule recorded."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal

import msgspec

from shoe_daemon.game.cards import HANDS, INITIAL, Card, Hand, Slot, points, value
from shoe_daemon.game.drawing import NATURAL, PLAYER_DRAWS_TO, is_natural, next_third

_TABLES: Final = {"NSW-10.3": "Table 1", "NSW-10.4": "Table 2", "NZG-9.3": "Table 1"}
"""Rules that say what they say in a table of the printed text."""

NOT_SEEN: Final = "a third card that nobody turned or named"


class Decision(msgspec.Struct, frozen=True):
    """What a hand did. `points`: of its first two cards; `against`: value of the Player's third card."""

    hand: Hand
    points: int
    against: int | None
    does: Literal["draws", "stands", "natural"]
    rule: str | None
    words: str


def first_points(faces: Mapping[Slot, Card]) -> tuple[int, int]:
    """Points of the Player's and of the Banker's first two cards. Raises KeyError where one is not known."""
    player, banker = (points(tuple(value(faces[slot]) for slot in slots[:2])) for slots in HANDS.values())
    return player, banker


def decisions(
    faces: Mapping[Slot, Card], rules: Sequence[str], lying: Collection[Slot] = ()
) -> tuple[Decision, ...]:
    """As many decisions as the known `faces` show. `rules`: the recorded ids, none where none are.

    `lying`: places that have a card, its face known or not.
    """
    if not all(slot in faces for slot in INITIAL):
        return ()
    player, banker = first_points(faces)
    if is_natural(player, banker):
        return (_natural(player, banker, rules),)
    player_rule, banker_rule = (rules[0], rules[-1]) if rules else (None, None)
    if next_third(player, banker, None) != "P3":
        first = _decision("player", player, None, player_rule, drawn=None)
        return first, _banker(faces, banker, None, banker_rule, lying)
    first = _decision("player", player, None, player_rule, drawn=_third("P3", faces, lying))
    if "P3" not in faces:
        return (first,)
    return first, _banker(faces, banker, value(faces["P3"]), banker_rule, lying)


def _third(slot: Slot, faces: Mapping[Slot, Card], lying: Collection[Slot]) -> str:
    """The third card that is due in `slot`, empty where none lies there."""
    return faces.get(slot) or (NOT_SEEN if slot in lying else "")


def _banker(
    faces: Mapping[Slot, Card], banker: int, third: int | None, rule: str | None, lying: Collection[Slot]
) -> Decision:
    """What the Banker does once the Player drew `third`, or (None) stood."""
    player = PLAYER_DRAWS_TO + 1 if third is None else 0
    due = next_third(player, banker, third)
    return _decision("banker", banker, third, rule, drawn=None if due is None else _third("B3", faces, lying))


def _natural(player: int, banker: int, rules: Sequence[str]) -> Decision:
    hand: Hand = "player" if player >= NATURAL else "banker"
    both = player >= NATURAL and banker >= NATURAL
    who = (
        f"The Player has {player} and the Banker {banker}, both naturals"
        if both
        else f"The {hand.capitalize()} has a natural {player if hand == 'player' else banker}"
    )
    rule = rules[0] if rules else None
    words = f"{who}: neither hand draws{_named(rule)}."
    return Decision(hand, player if hand == "player" else banker, None, "natural", rule, words)


def _decision(hand: Hand, has: int, against: int | None, rule: str | None, *, drawn: str | None) -> Decision:
    """`drawn`: the third card, empty where it is due and not there, None where the hand stands."""
    met = "" if against is None else f" against the Player's third card of {against}"
    does = "stands" if drawn is None else f"draws {drawn}" if drawn else "is to draw"
    words = f"The {hand.capitalize()} has {has}{met}, {does}{_named(rule)}."
    return Decision(hand, has, against, "stands" if drawn is None else "draws", rule, words)


def _named(rule: str | None) -> str:
    if rule is None:
        return ""
    table = _TABLES.get(rule)
    return f" ({rule})" if table is None else f" ({rule}, {table})"
