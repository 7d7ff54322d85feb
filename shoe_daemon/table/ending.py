"""How a coup ends: a result, void, or parked while evidence is missing; and what comes next."""

from typing import Literal

from shoe_daemon.game.cards import HANDS, Card, points, value
from shoe_daemon.game.outcome import Decision, decide_outcome
from shoe_daemon.table import events as ev
from shoe_daemon.table.excess import carry, open_betting_auto
from shoe_daemon.table.irregularities import PARKED_MISSING
from shoe_daemon.table.places import UNSETTLED, expected_next
from shoe_daemon.table.sealed import Sealed
from shoe_daemon.table.state import Coup, Item
from shoe_daemon.table.turn import Turn

MICROSECONDS = 1_000_000


def conclude(turn: Turn) -> None:
    """After every input: results of parked coups that are free now, then of the open one."""
    for coup in turn.table.parked:
        if not turn.table.holds(coup):
            _third_missing(turn, coup)
            if finished(coup):
                result(turn, coup)
    opened = turn.table.open_coup
    if opened is not None:
        _conclude_open(turn, opened)


def _conclude_open(turn: Turn, coup: Coup) -> None:
    procedure = turn.procedure(coup)
    if coup.pressed:
        _third_missing(turn, coup)
    free = not turn.table.holds(coup) and finished(coup)
    if procedure.coup_ends == "auto":
        _settle(turn, coup, free=free)
    elif free and (coup.pressed or coup.confirmed):
        end(turn, coup)


def _settle(turn: Turn, coup: Coup, *, free: bool) -> None:
    wait = round(turn.procedure(coup).settle_s * MICROSECONDS)
    if free and (wait == 0 or (coup.due is not None and coup.due <= turn.at)):
        end(turn, coup)
    elif free and coup.due is None:
        turn.emit(ev.CoupSettling(shoe=coup.shoe, coup=coup.number, due=turn.at + wait))
    elif not free and coup.due is not None:
        turn.emit(ev.CoupSettling(shoe=coup.shoe, coup=coup.number, due=None))


def finished(coup: Coup) -> bool:
    """Every card has its place and an open, known face, and no further card is due."""
    return expected_next(coup.cards) is None and all(card.card is not None for card in coup.cards)


def _third_missing(turn: Turn, coup: Coup) -> None:
    """A coup that was called complete lacks a card that exposed faces show to be due."""
    place = expected_next(coup.cards)
    if place is None or place == UNSETTLED or turn.item("third_card_missing", coup) is not None:
        return
    remedies = PARKED_MISSING if coup.ended == "pending" else None
    turn.raise_item("third_card_missing", shoe=coup.shoe, coup=coup.number, slot=place, remedies=remedies)


def decided(coup: Coup) -> Decision:
    """The outcome of a finished coup, from its exposed faces."""
    return decide_outcome(coup.faces(HANDS["player"]), coup.faces(HANDS["banker"]))


def end(turn: Turn, coup: Coup) -> None:
    """The open coup has its result; excess cards are carried, betting opens."""
    result(turn, coup)
    carry(turn)
    open_betting_auto(turn)


def result(turn: Turn, coup: Coup, *, cause: str | None = None) -> None:
    """Tell the result of `coup`, or a further revision of it, and what it pays."""
    rules = turn.setup.rules
    how = decided(coup)
    player, banker = coup.faces(HANDS["player"]), coup.faces(HANDS["banker"])
    again = coup.revision > 0
    turn.emit(
        ev.CoupResult(
            shoe=coup.shoe,
            coup=coup.number,
            revision=coup.revision + 1,
            outcome=how.outcome,
            player=ev.Handed(player, how.player_points),
            banker=ev.Handed(banker, how.banker_points),
            natural=how.natural,
            pairs=ev.Pairs(how.player_pair, how.banker_pair),
            no_bet=coup.no_bet,
            method=turn.procedure(coup).method,
            last_coup=coup.last or (coup.ended == "" and turn.table.in_last_coup),
            bets={},
            rules=ev.RulesNamed(rules.name, rules.sha256),
            rule_ids=rules.rule_ids(_initial(player), _initial(banker)),
            corrects=coup.revision or None,
            cause=cause,
        )
    )
    kind: Literal["pay", "none", "adjust"] = "none" if coup.no_bet else "adjust" if again else "pay"
    pays = {} if coup.no_bet else rules.pays(how.outcome, how.banker_points)
    turn.emit(
        ev.Settlement(shoe=coup.shoe, coup=coup.number, revision=coup.revision + 1, kind=kind, pays=pays)
    )


def _initial(faces: tuple[Card, ...]) -> int:
    return points(tuple(map(value, faces[:2])))


def void(turn: Turn, coup: Coup, cause: Item | None) -> None:
    """Void `coup`: its open items are resolved so, its cards told to surveillance."""
    held = turn.table.holds(coup)
    item = cause or (held[0] if held else None)
    serials = {card.serial for card in coup.cards}
    for other in turn.table.items:
        mine = (other.shoe, other.coup) == coup.key or bool(serials & set(other.serials))
        if mine and other.code != "excess_card" and not _of_excess(turn, other):
            turn.resolve(other, "void")
    turn.emit(
        ev.CoupVoid(
            shoe=coup.shoe,
            coup=coup.number,
            reason=item.code if item is not None else "command",
            rule=item.rule if item is not None else None,
        )
    )
    turn.emit(ev.CoupCards(shoe=coup.shoe, coup=coup.number, cards=tuple(_void_cards(coup))))
    if coup.ended == "":
        carry(turn)
        open_betting_auto(turn)


def _of_excess(turn: Turn, item: Item) -> bool:
    """`item` is about an unread excess card: it goes where that card goes."""
    return any(waiting.card.serial in item.serials for waiting in turn.table.waiting)


def _void_cards(coup: Coup) -> list[ev.VoidCard]:
    return [ev.VoidCard(card.n, card.slot, card.card or aftermath(card.face)) for card in coup.cards]


def aftermath(face: Sealed | None) -> Card | None:
    """The face of a card that can no longer be played: the coup is void, or the shoe closed."""
    return None if face is None else face.open()
