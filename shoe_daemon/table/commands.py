"""Commands about the table, the shoe and the bets. Each raises Refused, or emits what follows."""

from typing import Literal

from shoe_daemon.game.composition import size
from shoe_daemon.table import events as ev
from shoe_daemon.table.arguments import Args, BurnArgs, CloseShoe, CloseTable, LoadShoe, NoBet, Pause
from shoe_daemon.table.bank import stakes_something
from shoe_daemon.table.drawing import burned
from shoe_daemon.table.ending import void
from shoe_daemon.table.excess import carry, disclose_face_up, first_card_seen, open_betting_auto, unanswered
from shoe_daemon.table.excess import declare_no_bet as declare
from shoe_daemon.table.house import missing, ripe
from shoe_daemon.table.stakes import ask_seats, betting_over, send_back
from shoe_daemon.table.state import Coup, Shoe
from shoe_daemon.table.turn import Refused, Turn


def open_table(turn: Turn, _: Args) -> None:
    """The table opens; betting stays as it is."""
    if turn.table.opened:
        raise Refused("already_open")
    turn.emit(ev.TableOpened(shoe=turn.shoe, coup=turn.table.open_number, reason="command"))


def close_table(turn: Turn, args: CloseTable) -> None:
    """The table closes between coups; in an emergency at once, and a coup under way is void."""
    coup = turn.table.open_coup
    if not args.emergency:
        _no_coup(turn)
        if args.players or turn.table.book.wagers:
            ripe(turn, "closing")
    _close_betting(turn, "table_closed")
    turn.emit(ev.TableClosed(shoe=turn.shoe, reason="emergency" if args.emergency else "command"))
    if coup is not None:  # the table being closed, no betting opens after it
        void(turn, coup, "emergency")


def pause(turn: Turn, args: Pause) -> None:
    """No betting opens until the table is resumed; a coup under way is played to its end."""
    if turn.table.paused:
        raise Refused("already_paused")
    if turn.table.open_coup is None:
        _close_betting(turn, "table_paused")
    turn.emit(ev.TablePaused(shoe=turn.shoe, coup=turn.table.open_number, reason=args.reason))


def resume(turn: Turn, _: Args) -> None:
    """The pause is over; betting opens where it opens by itself."""
    if not turn.table.paused:
        raise Refused("not_paused")
    turn.emit(ev.TableResumed(shoe=turn.shoe, coup=turn.table.open_number, reason="command"))
    if turn.table.shoe is not None:
        open_betting_auto(turn)


def _close_betting(turn: Turn, reason: Literal["table_closed", "table_paused", "shoe_closed"]) -> None:
    if turn.table.betting in {"open", "withdraw_only"}:
        turn.emit(
            ev.BettingClosed(
                shoe=turn.shoe,
                coup=turn.table.coming,
                reason=reason,
                implied=True,
            )
        )
    elif reason == "table_paused":
        return  # closed by the dealer's word: the coup may still be dealt
    if turn.table.open_coup is None:
        send_back(turn, None, turn.table.book, "betting_closed")


def _no_coup(turn: Turn) -> None:
    if turn.table.open_coup is not None:
        raise Refused("coup_open")


def present_shoe(turn: Turn) -> Shoe:
    """The shoe on the table; Refused where there is none."""
    if turn.table.shoe is None:
        raise Refused("no_shoe")
    return turn.table.shoe


def load_shoe(turn: Turn, args: LoadShoe) -> None:
    """A new shoe, and betting for its first coup."""
    if turn.table.shoe is not None:
        raise Refused("shoe_loaded")
    if turn.setup.attest == "required" and missing(turn):
        raise Refused("attest_due")
    put_shoe(turn, args.set_id)
    open_betting_auto(turn)


def put_shoe(turn: Turn, set_id: str | None) -> None:
    """The next shoe of this journal lies on the table."""
    setup = turn.setup
    turn.emit(
        ev.ShoeLoaded(
            shoe=(turn.table.number or 0) + 1,
            decks=setup.decks,
            cards=size(setup.decks),
            set_id=set_id,
            software=setup.software,
            rules_sha256=turn.rules().sha256,
            profile_sha256=setup.profile_sha256,
            not_attested=missing(turn),
            reshuffled=turn.rules().reshuffled,
        )
    )


def burn(turn: Turn, args: BurnArgs) -> None:
    """The next cards go to the burn, or those of the open coup did: no more than the shoe can still hold."""
    shoe = present_shoe(turn)
    if args.reclassify:
        _reclassify(turn)
        return
    _no_coup(turn)
    if args.end:
        if shoe.burn is None:
            raise Refused("not_burning")
        burned(turn, shoe.burn.faces)
        return
    if shoe.burn is not None:
        raise Refused("burning")
    carried = turn.table.coup is not None and bool(turn.table.coup.cards)
    if carried or turn.table.waiting:
        raise Refused("card_waiting")
    if (args.count or 1) > _in_shoe(turn, shoe):
        raise Refused("bad_args")
    turn.emit(ev.BurnStarted(shoe=turn.shoe, count=args.count))


def _in_shoe(turn: Turn, shoe: Shoe) -> int:
    """Cards that must still be in the shoe by what is known of it."""
    return size(shoe.decks) - (0 if turn.rules().reshuffled else shoe.read + shoe.unread + shoe.burned)


def _reclassify(turn: Turn) -> None:
    """The cards taken for those of the open coup had been burned: it is void, and they count as burned."""
    coup = turn.table.open_coup
    if coup is None:
        raise Refused("no_coup")
    if any(card.turned for card in coup.cards):
        raise Refused("cards_exposed")
    faces = tuple(card.face for card in coup.cards)
    void(turn, coup, "burned")
    unread = sum(card.face is None or card.source != "shoe" for card in coup.cards)
    turn.emit(ev.Reclassified(shoe=coup.shoe, coup=coup.number, faces=faces, unread=unread))
    turn.emit(ev.ShoeBurned(shoe=coup.shoe, coup=None, count=len(faces)))
    turn.emit(ev.BurnedCards(shoe=coup.shoe, coup=None, faces=faces, at_close=False))


def cut_card(turn: Turn, _: Args) -> None:
    """The cut card: the present coup and as many more as the rules say, one where they say nothing."""
    if present_shoe(turn).last_coups is not None:
        raise Refused("already_cut")
    under_way = turn.table.open_coup is not None
    turn.emit(
        ev.ShoeCutCard(
            shoe=turn.shoe,
            coup=turn.table.open_number,
            last_coups=under_way + turn.rules().after_cut_card,
        )
    )
    if turn.table.no_more_coups:
        _close_betting(turn, "shoe_closed")


def close_shoe(turn: Turn, args: CloseShoe) -> None:
    """The shoe is finished; what was read, burned and left is laid side by side."""
    shoe = present_shoe(turn)
    _no_coup(turn)
    if shoe.burn is not None:
        raise Refused("burning")
    _drop_cards(turn)
    _close_betting(turn, "shoe_closed")
    counted = args.remaining is not None
    computed = _in_shoe(turn, shoe)
    discrepancies = []
    if counted and args.remaining != computed:
        discrepancies.append("count")
    if any(coup.shoe == shoe.number for coup in turn.table.parked):
        discrepancies.append("pending")
    turn.emit(
        ev.ShoeClosed(
            shoe=turn.shoe,
            coups=shoe.coups,
            cards_read=shoe.read,
            cards_unread=shoe.unread,
            burned=shoe.burned,
            computed=computed,
            remaining=args.remaining,
            reconciled=not discrepancies if counted else None,
            discrepancies=tuple(discrepancies),
        )
    )
    for faces in shoe.burns:
        turn.emit(ev.BurnedCards(shoe=turn.shoe, faces=faces, at_close=True))


def _drop_cards(turn: Turn) -> None:
    """A carried or waiting card is dropped, and what was asked about it with it."""
    table = turn.table
    gone = {waiting.card.serial for waiting in table.waiting}
    if table.coup is not None:
        gone |= {card.serial for card in table.coup.cards}
    for item in table.items:
        if gone & set(item.serials):
            turn.resolve(item, "void")


def open_betting(turn: Turn, _: Args) -> None:
    """Bets are taken for the coming coup; a coup held for evidence is parked first."""
    table = turn.table
    coup = table.open_coup
    if table.betting == "open":
        raise Refused("already_open")
    if table.paused:
        raise Refused("paused")
    if unanswered(turn) or turn.doubted(one.card for one in table.waiting):
        raise Refused("answer_due")
    left = present_shoe(turn).last_coups
    if left is not None and left - (coup is not None) <= 0:
        raise Refused("last_coup")
    disclosed = bool(table.waiting) and table.waiting[0].answer == "disclose"
    if disclosed or (coup is None and table.coup is not None and table.coup.no_bet):
        raise Refused("no_bet")
    if coup is not None:
        _park(turn, coup)
    if turn.table.open_coup is not None:
        raise Refused("coup_open")
    if turn.table.coup is not None and turn.table.coup.no_bet:
        return  # a card seen at the shoe's mouth opens the next one
    turn.emit(ev.BettingOpened(shoe=turn.shoe, coup=turn.table.coming, reason="command", implied=False))
    ask_seats(turn)


def _park(turn: Turn, coup: Coup) -> None:
    held = turn.table.holds(coup)
    if not held:
        raise Refused("coup_open")
    if any(item.kind == "game" for item in held):
        raise Refused("held")
    if len(coup.cards) < 4:  # noqa: PLR2004 - the initial deal
        raise Refused("too_few_cards")
    if any(card.down or card.slot is None for card in coup.cards):
        raise Refused("cards_down")
    turn.emit(ev.CoupPending(shoe=coup.shoe, coup=coup.number))
    carry(turn)
    disclose_face_up(turn)


def no_more_bets(turn: Turn, _: Args) -> None:
    """Betting closes by the dealer's word (NSW-7.1)."""
    if turn.table.betting not in {"open", "withdraw_only"}:
        raise Refused("betting_not_open")
    turn.emit(ev.BettingClosed(shoe=turn.shoe, coup=turn.table.coming, reason="no_more_bets", implied=False))
    if turn.table.open_coup is None:
        betting_over(turn)
        stakes_something(turn, turn.table.book)


def disclose_coming(turn: Turn) -> None:
    """The card at the shoe's mouth, or the one carried undisclosed, was seen (NSW-13.5)."""
    table = turn.table
    coming_no_bet = table.coup is not None and table.coup.no_bet
    if table.open_coup is not None or table.waiting or coming_no_bet or table.no_more_coups:
        raise Refused("nothing_waiting")
    first_card_seen(turn)


def _may_demonstrate(turn: Turn) -> None:
    allowed = turn.rules(turn.table.coup).house.demonstrations
    if allowed is None:
        raise Refused("not_in_rules")
    if present_shoe(turn).demonstrations >= allowed.per_shoe:
        raise Refused("no_more_demonstrations")


def declare_no_bet(turn: Turn, args: NoBet) -> None:
    """The coming coup is dealt without wagers, because a supervisor says so, or to show the game."""
    table = turn.table
    if table.open_coup is not None:
        raise Refused("coup_open")
    if present_shoe(turn).burn is not None:
        raise Refused("burning")
    if table.waiting:
        raise Refused("answer_due")
    if table.no_more_coups:
        raise Refused("last_coup")
    if table.coup is not None and table.coup.no_bet:
        raise Refused("no_bet")
    if args.demonstration:
        _may_demonstrate(turn)
    if table.betting == "open":
        turn.emit(ev.BettingClosed(shoe=turn.shoe, coup=table.coming, reason="no_bet", implied=True))
    declare(turn, "demonstration" if args.demonstration else "declared")
