"""Commands about the cards of a coup: turn them, end it, name them, void it."""

from typing import Literal

from msgspec.structs import replace

from shoe_daemon.game.cards import HANDS, INITIAL
from shoe_daemon.table import events as ev
from shoe_daemon.table.arguments import Confirm, Invalidate, Name, Reveal, Which
from shoe_daemon.table.drawing import go_on
from shoe_daemon.table.ending import decided, finished, result, void
from shoe_daemon.table.exposure import told
from shoe_daemon.table.judging import judge, turn_cards
from shoe_daemon.table.places import UNSETTLED, expected_next
from shoe_daemon.table.settling import invalid, tell_settlement
from shoe_daemon.table.state import Coup, CoupCard, Item
from shoe_daemon.table.turn import Refused, Turn


def _open_coup(turn: Turn) -> Coup:
    coup = turn.table.open_coup
    if coup is None:
        raise Refused("no_coup")
    return coup


def reveal(turn: Turn, args: Reveal) -> None:
    """Cards are turned: the press, a hand, one card, or the answer to a card drawn too early."""
    coup = _open_coup(turn)
    _may_turn(turn, coup)
    procedure = turn.procedure(coup)
    asked = turn.item("drawn_before_reveal", coup)
    plain = args.hand is None and args.slot is None
    if asked is not None and not plain:
        raise Refused("held")
    if args.hand is not None and procedure.hands == "together":
        raise Refused("hands_together")
    if plain and not args.all and procedure.hands == "one-by-one" and asked is None:
        raise Refused("hand_needed")
    if len(coup.cards) < len(INITIAL):
        raise Refused("too_few_cards")
    if asked is not None:
        _late_reveal(turn, coup, asked, args.cards)
        return
    press = procedure.by_press and args.slot is None
    cards = _to_turn(coup, args, press=press)
    if not cards and not (press and not coup.pressed):
        raise Refused("nothing_down")
    _count(args.cards, len(cards))
    if press:
        turn.emit(ev.CoupPressed(shoe=coup.shoe, coup=coup.number))
    turn_cards(turn, coup, frozenset(card.serial for card in cards))


def _may_turn(turn: Turn, coup: Coup) -> None:
    """No card is turned while a misdeal is open; once one is, no wager comes off any more (NSW-13.2).

    Nor while it is not known which card lies where; one press for all cards counts once that is answered.
    """
    if turn.item("misdeal", coup) is not None:
        raise Refused("held")
    if turn.doubted(coup.cards) and not turn.procedure(coup).by_press:
        raise Refused("held")
    go_on(turn)


def _to_turn(coup: Coup, args: Reveal, *, press: bool) -> list[CoupCard]:
    down = [card for card in coup.cards if card.down]
    if press:
        return down
    placed = [card for card in down if card.slot is not None]
    if args.slot is not None:
        return [card for card in placed if card.slot == args.slot]
    if args.hand is None:
        return placed
    slots = HANDS[args.hand]
    initial = [card for card in placed if card.slot in slots[:2]]
    return initial or [card for card in placed if card.slot == slots[2]]


def _count(said: int | None, counted: int) -> None:
    if said is not None and said != counted:
        raise Refused("cards_mismatch")


def late_reveal(turn: Turn, coup: Coup, asked: Item) -> None:
    """The cards were open before the last one was drawn: the press came late."""
    _may_turn(turn, coup)
    _late_reveal(turn, coup, asked)


def _late_reveal(turn: Turn, coup: Coup, asked: Item, said: int | None = None) -> None:
    down = [card for card in coup.cards[:-1] if card.down]
    _count(said, len(down))
    if turn.procedure(coup).by_press:
        turn.emit(ev.CoupPressed(shoe=coup.shoe, coup=coup.number))
    turn.resolve(asked, "reveal", late=True)
    turn_cards(turn, coup, frozenset(card.serial for card in down))


def keep(turn: Turn, coup: Coup, asked: Item) -> None:
    """The card drawn too early lies at the shoe, judged at the reveal."""
    for serial in asked.serials:
        turn.emit(ev.CardKept(shoe=coup.shoe, coup=coup.number, serial=serial))
    turn.resolve(asked, "keep")
    judge(turn, coup)


def confirm(turn: Turn, args: Confirm) -> None:
    """The dealer ends the coup; what is still down is turned where the hands are complete."""
    coup = _open_coup(turn)
    if turn.procedure(coup).coup_ends != "confirm":
        raise Refused("not_in_procedure")
    if len(coup.cards) < len(INITIAL):
        raise Refused("too_few_cards")
    if turn.table.holds(coup):
        raise Refused("held")
    place = expected_next(coup.cards)
    if place == UNSETTLED:
        raise Refused("not_complete")
    if place is not None:
        raise Refused("third_card_missing")
    turn_cards(turn, coup, frozenset(card.serial for card in coup.cards if card.down))
    turn.emit(ev.CoupConfirmed(shoe=coup.shoe, coup=coup.number, stands=True))
    coup = turn.again(coup)
    if args.outcome is not None and finished(coup) and decided(coup).outcome != args.outcome:
        turn.raise_item("result_mismatch", shoe=coup.shoe, coup=coup.number, text=args.outcome)


def _named_coup(turn: Turn, which: Which, default: Coup | None) -> Coup:
    coup = default if which.coup is None else turn.table.find(which.coup, which.shoe)
    if coup is None:
        raise Refused("no_coup")
    return coup


def identify(turn: Turn, args: Name) -> None:
    """A person names an open card that could not be read."""
    coming = turn.table.coup
    coup = _named_coup(turn, args, coming if coming is not None and coming.cards else None)
    if coup.ended not in {"", "pending"}:
        raise Refused("closed")
    card = coup.at(args.slot)
    if card is None or card.down:
        raise Refused("not_open")
    if card.card is not None:
        raise Refused("known")
    name(turn, coup, card, args)
    for item in turn.table.items:
        if item.code in {"unreadable_card", "unknown_code"} and card.serial in item.serials:
            turn.resolve(item, "identify")
    judge_open(turn, coup)


def name(turn: Turn, coup: Coup, card: CoupCard, args: Name) -> None:
    """Tell the face that a person gave to `card`; in a coup that has no result it is exposed by it."""
    turn.emit(
        ev.CardIdentified(
            shoe=coup.shoe,
            coup=coup.number,
            n=card.n,
            slot=args.slot,
            card=args.face,
            was=card.card,
            actor=turn.actor or "",
            serial=card.serial,
        )
    )
    if coup.ended not in {"", "pending"}:
        return
    turn.emit(
        ev.CardExposed(
            shoe=coup.shoe,
            coup=coup.number,
            slot=args.slot,
            card=args.face,
            source="operator",
            serial=card.serial,
        )
    )
    told(turn, coup, args.slot, again=card.card is not None)


def judge_open(turn: Turn, coup: Coup) -> None:
    """A face became known in `coup`: cards that wait for their place may have it now."""
    if coup.ended == "":
        judge(turn, coup)


def correct(turn: Turn, args: Name) -> None:
    """A card that lies open was another one than the shoe or a person said."""
    ended = (*turn.table.past, *(coup for coup in turn.table.parked if coup.shoe == turn.table.number))
    last = max(ended, key=lambda coup: coup.number, default=None)
    coup = _named_coup(turn, args, turn.table.open_coup or last)
    if coup.ended in {"void", "invalidated"}:
        raise Refused("closed")
    card = coup.at(args.slot)
    if card is None or card.card is None:
        raise Refused("not_open")
    if card.card == args.face:
        raise Refused("same_card")
    if _moves(turn, coup, card, args):
        raise Refused("places_would_change")
    open_items = turn.table.items
    name(turn, coup, card, args)
    answered = {"duplicate_card", "result_mismatch"} if coup.ended == "result" else {"duplicate_card"}
    for item in open_items:  # a card seen twice was another one; the device counted another one
        if item.code in answered and (item.coup is None or (item.shoe, item.coup) == coup.key):
            turn.resolve(item, "correct")
    if coup.ended == "result":
        result(turn, _past(turn, coup), cause="correct")
        return
    _settled_by(turn, turn.again(coup), card, open_items)
    judge_open(turn, coup)


def _past(turn: Turn, coup: Coup) -> Coup:
    ended = (*turn.table.past, *turn.table.earlier)
    return next(other for other in ended if other.key == coup.key)


def _moves(turn: Turn, coup: Coup, changed: CoupCard, args: Name) -> bool:
    """Whether, with that face, a card would have another place or none, or a decided coup want one more."""
    faced = replace(changed, card=args.face)
    placed = [card for card in coup.cards if card.slot is not None]
    cards = [faced if card.serial == changed.serial else card for card in placed]
    if any(cards[index].slot != expected_next(cards[:index]) for index in range(len(INITIAL), len(cards))):
        return True
    in_excess = coup.ended == "" and any(waiting.coup == coup.number for waiting in turn.table.waiting)
    was_decided = in_excess or expected_next(coup.cards) is None
    return was_decided and expected_next(cards) is not None


def _settled_by(turn: Turn, coup: Coup, card: CoupCard, open_items: tuple[Item, ...]) -> None:
    """What `correct` answers: the face too many, the call that differed, the third card that was due."""
    for item in open_items:
        if (item.shoe, item.coup) != coup.key:
            continue
        face = item.code == "composition_exceeded" and card.serial in item.serials
        due = item.code == "third_card_missing" and expected_next(coup.cards) != item.slot
        if face or due or item.code == "result_mismatch":
            turn.resolve(item, "correct")
    if coup.confirmed:
        turn.emit(ev.CoupConfirmed(shoe=coup.shoe, coup=coup.number, stands=False))


def void_coup(turn: Turn, args: Which) -> None:
    """A supervisor declares the coup void."""
    coup = _named_coup(turn, args, turn.table.open_coup)
    if coup.ended not in {"", "pending"}:
        raise Refused("closed")
    if coup.ended == "" and not coup.opened:
        raise Refused("no_coup")
    void(turn, coup)


def invalidate(turn: Turn, args: Invalidate) -> None:
    """A result no longer counts: disruption or fraud (NSW-14.4)."""
    last = max(turn.table.past, key=lambda coup: coup.number, default=None)
    coup = _named_coup(turn, args, last)
    if coup.ended in {"void", "invalidated"}:
        raise Refused("closed")
    if coup.ended != "result":
        raise Refused("no_result")
    rule = turn.rules(coup).house.invalidation.get(args.ground)
    revision = coup.revision + 1
    turn.emit(
        ev.CoupInvalidated(shoe=coup.shoe, coup=coup.number, ground=args.ground, rule=rule, revision=revision)
    )
    kind: Literal["none", "return"] = "none" if coup.no_bet else "return"
    tell_settlement(turn, coup, kind, {}, invalid(turn, coup, args.forfeit), args.forfeit)
