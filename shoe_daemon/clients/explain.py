"""A coup in plain words: each card's place, each decision, and the rule it rests on."""

from collections.abc import Sequence
from typing import Any

import msgspec

from shoe_daemon.game.cards import Card, Slot, points, value
from shoe_daemon.game.drawing import is_natural, next_third
from shoe_daemon.game.outcome import decide_outcome
from shoe_daemon.game.profile import RuleProfile

INITIAL: tuple[Slot, ...] = ("P1", "B1", "P2", "B2")


class Coup(msgspec.Struct, frozen=True):
    """A coup as surveillance was told of it, or as the public was (`in_public`): its messages in order."""

    shoe: int
    number: int
    messages: tuple[dict[str, Any], ...]
    in_public: bool = False


def explain_cards(cards: Sequence[Card], rules: RuleProfile) -> list[str]:
    """How `cards`, in the order drawn, make a coup under `rules`. Raises ValueError under four cards."""
    if len(cards) < len(INITIAL):
        raise ValueError("a coup begins with four cards: P1 B1 P2 B2")
    placed: dict[Slot, Card] = dict(zip(INITIAL, cards, strict=False))
    lines = [f"{slot}  {card}" for slot, card in placed.items()]
    player = points((value(placed["P1"]), value(placed["P2"])))
    banker = points((value(placed["B1"]), value(placed["B2"])))
    lines.append(f"Player {player}, Banker {banker}" + (", a natural" if is_natural(player, banker) else ""))
    waiting = list(cards[len(INITIAL) :])
    third: int | None = None
    while (due := next_third(player, banker, third)) is not None and "B3" not in placed:
        if not waiting:
            return [*lines, f"{due} is due and no card is there: the coup is not complete"]
        placed[due] = waiting.pop(0)
        why = f"on {player}" if due == "P3" else f"on {banker}" + _against(third)
        lines.append(f"{due}  {placed[due]}   {'Player' if due == 'P3' else 'Banker'} draws {why}")
        if due == "B3":
            break
        third = value(placed["P3"])
    if "B3" not in placed and not is_natural(player, banker):
        lines.append(f"Banker stands on {banker}" + _against(third))
    lines += [f"--  {card}   in excess: none of this coup's cards" for card in waiting]
    how = decide_outcome(_hand(placed, "P"), _hand(placed, "B"))
    lines.append(
        f"{how.outcome}: Player {how.player_points}, Banker {how.banker_points}"
        f"   (rules {rules.name}: {', '.join(rules.rule_ids(player, banker))})"
    )
    return lines


def _against(third: int | None) -> str:
    return ", the Player stood" if third is None else f" against a third card of {third}"


def _hand(placed: dict[Slot, Card], side: str) -> tuple[Card, ...]:
    return tuple(card for slot, card in placed.items() if slot[0] == side)


_TOLD = {
    "card.drawn": "a card left the shoe",
    "card.dealt": "a card left the shoe",
    "card.exposed": "turned",
    "card.identified": "named by a person",
    "card.carried": "carried to the next coup",
    "hand.announced": "announced",
    "irregularity.raised": "irregularity",
    "irregularity.resolved": "settled",
    "coup.held": "held: no result until a person decides",
    "coup.released": "released",
    "coup.pending": "parked: dealing goes on",
    "coup.void": "void",
    "coup.result": "result",
}


def explain_result(coup: Coup) -> list[str]:
    """What was told of a coup, one line an event with its time."""
    why = ", as the public was told: its shoe is open" if coup.in_public else ""
    lines = [f"Shoe {coup.shoe}, coup {coup.number}{why}"]
    for message in coup.messages:
        told = _TOLD.get(message["type"])
        if told is not None:
            lines.append(f"{message['at'][11:23]}  {told}{_detail(message['type'], message['data'])}")
    return lines


def _detail(kind: str, data: dict[str, Any]) -> str:
    by = f"   by {data['actor']}" if data.get("actor") else ""
    if kind == "coup.result":
        player, banker = data["player"], data["banker"]
        hands = ", ".join(
            f"{name} {' '.join(hand['cards'])} = {hand['points']}"
            for name, hand in (("Player", player), ("Banker", banker))
        )
        rules = f"{data['rules']['name']}: {', '.join(data['rule_ids'])}"
        return f": {data['outcome']}, {hands}   (rules {rules}){by}"
    if kind.startswith("irregularity"):
        words = f" {data['code']}" + (f" ({data['rule']})" if data.get("rule") else "")
        if "remedy" in data:
            return f"{words}: {data['remedy']}{by}"
        return f"{words}: one of {', '.join(data['remedies']) or 'nothing to do'}{by}"
    if kind == "hand.announced":
        return f": {data['hand']} {data['points']}" + (", a natural" if data["natural"] else "") + by
    shown = [str(data[key]) for key in ("slot", "card", "to_coup") if data.get(key) is not None]
    return (": " + " ".join(shown) if shown else "") + by
