"""Turning a card: its face is told, checked, and completes what its hand counts."""

from shoe_daemon.game.cards import HANDS, Card, Hand, Slot, points, value
from shoe_daemon.game.drawing import is_natural
from shoe_daemon.table import events as ev
from shoe_daemon.table.sealed import Sealed
from shoe_daemon.table.state import Coup, CoupCard
from shoe_daemon.table.turn import Turn


def expose(turn: Turn, coup: Coup, card: CoupCard, *, carried: bool = False) -> None:
    """Turn `card` (it has a place): its face is known to the table from here on, unless it is unread."""
    if card.face is None or card.slot is None:
        lies_open = ev.CarriedTurned if carried else ev.CardTurned
        turn.emit(lies_open(shoe=coup.shoe, coup=coup.number, serial=card.serial))
        return
    kind = ev.CarriedExposed if carried else ev.CardExposed
    turn.emit(
        kind(
            shoe=coup.shoe,
            coup=coup.number,
            slot=card.slot,
            card=open_face(card.face),
            source=card.source,
            serial=card.serial,
        )
    )
    told(turn, coup, card.slot)


def open_face(face: Sealed) -> Card:
    """The face of a card that is being turned on the table."""
    return face.open()


def told(turn: Turn, coup: Coup, slot: Slot, *, again: bool = False) -> None:
    """What a face just exposed in `slot` brings: the check of composition and the hand's announcement.

    `again`: its card lay open before, as another face.
    """
    coup = turn.again(coup)
    card = coup.at(slot)
    if card is not None and card.card is not None:
        if not again:
            once(turn, coup, card)
        audit(turn, coup, card, card.card)
    announce(turn, coup, slot)


def once(turn: Turn, coup: Coup, card: CoupCard) -> None:
    """Check a card that is now exposed: none is there twice."""
    tag = card.tag
    if tag is not None:
        here = sum(other.tag == tag and other.card is not None for other in coup.cards)
        if (here if coup.reshuffled else turn.table.tags.get(tag, 0)) > 1:
            turn.raise_item("duplicate_card", shoe=coup.shoe, coup=coup.number, card=card)


def audit(turn: Turn, coup: Coup, card: CoupCard, face: Card) -> None:
    """Check a face that is now exposed: no more of a face than there are decks."""
    shoe = turn.table.exposed.get(coup.shoe, {})
    lie = coup.known.count(face) if coup.reshuffled else shoe.get(face, 0)
    if lie <= turn.setup.decks:
        return
    turn.raise_item("composition_exceeded", shoe=coup.shoe, coup=coup.number, card=card)


def announce(turn: Turn, coup: Coup, slot: Slot) -> None:
    """Tell the points that a face just known in `slot` completes: two cards, three cards, or both."""
    hand: Hand = "player" if slot[0] == "P" else "banker"
    slots = HANDS[hand]
    first = coup.faces(slots[:2])
    third = coup.faces(slots[2:])
    if len(first) < 2:  # noqa: PLR2004 - a hand's first two cards
        return
    if slot != slots[2]:
        _announce(turn, coup, hand, first)
    if third:
        _announce(turn, coup, hand, (*first, *third))


def _announce(turn: Turn, coup: Coup, hand: Hand, faces: tuple[Card, ...]) -> None:
    count = points(tuple(map(value, faces)))
    natural = len(faces) == 2 and is_natural(count, 0)  # noqa: PLR2004 - only the initial deal (NSW-1)
    turn.emit(ev.HandAnnounced(shoe=coup.shoe, coup=coup.number, hand=hand, points=count, natural=natural))
