"""How a coup ends: a result, void, or parked while evidence is missing; and what comes next."""

from typing import Literal

from shoe_daemon.game import order
from shoe_daemon.game.cards import HANDS, INITIAL, Card, points, value
from shoe_daemon.game.outcome import Decision, decide_outcome
from shoe_daemon.game.side_bets import settle_bet
from shoe_daemon.game.wagers import Book
from shoe_daemon.table import events as ev
from shoe_daemon.table.bank import goes_on, offered_anew
from shoe_daemon.table.excess import carry, disclose_face_up, open_betting_auto
from shoe_daemon.table.irregularities import PARKED_MISSING
from shoe_daemon.table.places import UNSETTLED, expected_next
from shoe_daemon.table.sealed import Sealed
from shoe_daemon.table.settling import settled, tell_settlement
from shoe_daemon.table.stakes import count_round, send_back
from shoe_daemon.table.state import Coup
from shoe_daemon.table.turn import Turn

MICROSECONDS = 1_000_000


def conclude(turn: Turn) -> None:
    """After every input: results of parked coups that are free now, then of the open one."""
    for coup in turn.table.parked:
        if not turn.table.holds(coup):
            _third_missing(turn, coup)
            if finished(coup) and not _claimed_otherwise(turn, coup):
                result(turn, coup)
    opened = turn.table.open_coup
    if opened is not None and not _runs_out(turn, opened):
        _conclude_open(turn, opened)
    following = turn.table.open_coup
    if following is not None and opened is not None and following.key != opened.key:
        _runs_out(turn, following)


def _out_of_cards(turn: Turn, coup: Coup) -> bool:
    shoe = turn.table.shoe
    return shoe is not None and shoe.empty and expected_next(coup.cards) not in {None, UNSETTLED}


def _runs_out(turn: Turn, coup: Coup) -> bool:
    """The shoe is empty and exposed faces show that a card is due: the coup is void (NSW-13.8)."""
    if not _out_of_cards(turn, coup):
        return False
    if any(isinstance(event, ev.CardCarried) and event.to_coup == coup.number for event in turn.events):
        # It began with carried cards in this very input: its end is told as an input of its own.
        turn.emit(ev.CarriedSettling(shoe=coup.shoe, coup=coup.number, due=turn.at))
        return True
    turn.raise_item("insufficient_cards", shoe=coup.shoe, coup=coup.number)
    void(turn, coup, "insufficient_cards")
    return True


def _conclude_open(turn: Turn, coup: Coup) -> None:
    procedure = turn.procedure(coup)
    if coup.pressed:
        _third_missing(turn, coup)
    free = not turn.table.holds(coup) and finished(coup) and not _claimed_otherwise(turn, coup)
    if procedure.coup_ends == "auto":
        _settle(turn, coup, free=free)
    elif free and (coup.pressed or coup.confirmed):
        end(turn, coup)
    elif coup.due is not None and coup.due <= turn.at:
        turn.emit(ev.CoupSettling(shoe=coup.shoe, coup=coup.number, due=None))


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
    if place in INITIAL:  # a card that was pressed with the others was none
        return
    remedies = PARKED_MISSING if coup.ended == "pending" else None
    turn.raise_item("third_card_missing", shoe=coup.shoe, coup=coup.number, slot=place, remedies=remedies)


def _claimed_otherwise(turn: Turn, coup: Coup) -> bool:
    """Whether the device has another winner of a finished coup; then a person is asked."""
    if coup.claimed in {None, decided(coup).outcome}:
        return False
    turn.raise_item("result_mismatch", shoe=coup.shoe, coup=coup.number, text=coup.claimed)
    return True


def decided(coup: Coup) -> Decision:
    """The outcome of a finished coup, from its exposed faces."""
    return decide_outcome(coup.faces(HANDS["player"]), coup.faces(HANDS["banker"]))


def end(turn: Turn, coup: Coup) -> None:
    """The open coup has its result; excess cards are carried, betting opens."""
    result(turn, coup)
    next_coup(turn)


def result(turn: Turn, coup: Coup, *, cause: str | None = None) -> None:
    """Tell the result of `coup`, or a further revision of it, and what it pays."""
    rules = turn.rules(coup)
    how = decided(coup)
    player, banker = coup.faces(HANDS["player"]), coup.faces(HANDS["banker"])
    again, suspicious = coup.revision > 0, _in_order(turn, coup)
    bets = {name: settle_bet(bet, player, banker) for name, bet in turn.setup.side_bets.items()}
    book = turn.table.book_of(coup) or Book("closed")
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
            bets={name: one.result for name, one in bets.items()},
            rules=ev.RulesNamed(rules.name, rules.sha256),
            rule_ids=rules.rule_ids(_initial(player), _initial(banker)),
            corrects=coup.revision or None,
            cause=cause,
        )
    )
    if suspicious:
        turn.raise_item("order_suspicious", shoe=coup.shoe, coup=coup.number)
    kind: Literal["pay", "none", "adjust"] = "none" if coup.no_bet else "adjust" if again else "pay"
    pays = {} if coup.no_bet else rules.pays(how.outcome, how.banker_points, len(banker))
    money = settled(turn, coup, book, pays, bets)
    if not again:
        goes_on(turn, coup, how.outcome, money)
    if coup.ended == "":
        count_round(turn, coup, book)
    if not coup.no_bet:
        pays |= {name: one.odds or "0" for name, one in bets.items() if one.result != "lose"}
    tell_settlement(turn, coup, kind, pays, money)


def _in_order(turn: Turn, coup: Coup) -> bool:
    """Whether the cards of `coup`, behind those of the coups before, lie as in a new deck."""
    return coup.ended == "" and order.run(turn.table.run_into(coup), coup.known)[1]


def _initial(faces: tuple[Card, ...]) -> int:
    return points(tuple(map(value, faces[:2])))


def void(turn: Turn, coup: Coup, code: str | None = None) -> None:
    """Void `coup`, for `code` or for what held it: its open items are resolved so, its cards told."""
    if coup.ended == "" and turn.table.betting == "withdraw_only":
        number = turn.table.coming
        turn.emit(ev.BettingClosed(shoe=turn.shoe, coup=number, reason="no_more_bets", implied=True))
    held = turn.table.holds(coup)
    if code is None and held:
        code = held[0].code
    for other in turn.table.items:
        if other.about(coup) and other.code != "excess_card":
            turn.resolve(other, "void")
    book = turn.table.book_of(coup)
    if book is not None:
        send_back(turn, coup, book, "void")
    turn.emit(
        ev.CoupVoid(
            shoe=coup.shoe,
            coup=coup.number,
            reason=code or "command",
            rule=turn.rules(coup).void_rule(code) if code is not None else None,
        )
    )
    turn.emit(ev.CoupCards(shoe=coup.shoe, coup=coup.number, cards=tuple(_void_cards(coup))))
    if coup.ended == "":
        offered_anew(turn, coup)
        next_coup(turn)


def next_coup(turn: Turn) -> None:
    """The open coup has ended: excess cards are carried, a card seen at the mouth opens a no-bet coup."""
    carry(turn)
    disclose_face_up(turn)
    open_betting_auto(turn)


def _void_cards(coup: Coup) -> list[ev.VoidCard]:
    return [ev.VoidCard(card.n, card.slot, card.card or aftermath(card.face)) for card in coup.cards]


def aftermath(face: Sealed | None) -> Card | None:
    """The face of a card that can no longer be played: the coup is void, or the shoe closed."""
    return None if face is None else face.open()
