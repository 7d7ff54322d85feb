"""A dead shoe: cards and whole coups entered by a person, judged by the same rules."""

from typing import Final

from shoe_daemon.game.cards import HANDS, Card, Hand, parse
from shoe_daemon.table.arguments import Args, Enter, EnterResult
from shoe_daemon.table.commands import no_more_bets, present_shoe
from shoe_daemon.table.drawing import Drawn, draw, in_excess_between
from shoe_daemon.table.ending import decided, end, finished
from shoe_daemon.table.excess import unanswered
from shoe_daemon.table.judging import turn_cards
from shoe_daemon.table.places import UNSETTLED, expected_next
from shoe_daemon.table.sealed import Sealed
from shoe_daemon.table.state import CoupCard
from shoe_daemon.table.turn import Refused, Turn

_MOST_CARDS: Final = 6


def enter(turn: Turn, args: Enter) -> None:
    """The next card, named by a person; it takes its place as any other."""
    present_shoe(turn)
    if turn.table.open_coup is None and unanswered(turn):
        raise Refused("answer_due")
    face = args.face
    if face is None:
        draw(turn, Drawn(None, "unreadable_card", "operator"))
    else:
        draw(turn, Drawn(Sealed(face), None, "operator"))


def enter_result(turn: Turn, args: EnterResult) -> None:
    """A coup that was dealt by hand, or the rest of the open one; every card lies open."""
    _may_begin(turn)
    hands: dict[Hand, tuple[Card, ...]] = {
        "player": tuple(map(parse, args.player)),
        "banker": tuple(map(parse, args.banker)),
    }
    for _ in range(_MOST_CARDS):
        coup = turn.table.open_coup
        place = expected_next(coup.cards if coup is not None else _carried(turn))
        if place == UNSETTLED:
            raise Refused("cards_differ")
        if place is None:
            break
        hand: Hand = "player" if place[0] == "P" else "banker"
        number = HANDS[hand].index(place)
        if number >= len(hands[hand]):
            raise Refused("cards_differ")
        draw(turn, Drawn(Sealed(hands[hand][number]), None, "operator"))
        coup = turn.table.open_coup
        if coup is not None:
            turn_cards(turn, coup, frozenset(card.serial for card in coup.cards if card.down))
    _compare(turn, args, hands)


def _may_begin(turn: Turn) -> None:
    shoe = present_shoe(turn)
    coup = turn.table.open_coup
    if shoe.burn is not None:
        raise Refused("burning")
    if coup is None and (unanswered(turn) or turn.table.waiting):
        raise Refused("answer_due")
    if coup is None and turn.table.no_more_coups:
        raise Refused("last_coup")
    if coup is not None and turn.table.holds(coup):
        raise Refused("held")
    begun = turn.table.coup
    if begun is not None and any(card.down for card in begun.cards):
        raise Refused("cards_down")  # to compare them would tell whether a guess is right
    if coup is None and in_excess_between(turn.table):
        raise Refused("betting_not_open")
    if turn.table.betting == "open":
        no_more_bets(turn, Args())


def _carried(turn: Turn) -> tuple[CoupCard, ...]:
    return turn.table.coup.cards if turn.table.coup is not None else ()


def _compare(turn: Turn, args: EnterResult, hands: dict[Hand, tuple[Card, ...]]) -> None:
    """The cards on the table are those that were said, and end as was said; then the coup ends."""
    coup = turn.table.open_coup
    if coup is None or not finished(coup) or turn.table.holds(coup):
        raise Refused("held")
    if any(coup.faces(HANDS[hand]) != faces for hand, faces in hands.items()):
        raise Refused("cards_differ")
    if decided(coup).outcome != args.outcome:
        raise Refused("outcome_differs")
    end(turn, coup)
