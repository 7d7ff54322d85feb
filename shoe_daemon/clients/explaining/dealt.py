"""How cards named one by one make a coup."""

from collections.abc import Sequence

from shoe_daemon.game.cards import HANDS, INITIAL, Card, Hand, Slot, points, value
from shoe_daemon.game.drawing import is_natural, next_third
from shoe_daemon.game.outcome import decide_outcome
from shoe_daemon.game.profile import RuleProfile


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
    how = decide_outcome(_hand(placed, "player"), _hand(placed, "banker"))
    lines.append(
        f"{how.outcome}: Player {how.player_points}, Banker {how.banker_points}"
        f"   (rules {rules.name}: {', '.join(rules.rule_ids(player, banker))})"
    )
    return lines


def _against(third: int | None) -> str:
    return ", the Player stood" if third is None else f" against a third card of {third}"


def _hand(placed: dict[Slot, Card], hand: Hand) -> tuple[Card, ...]:
    return tuple(placed[slot] for slot in HANDS[hand] if slot in placed)
