"""Choosing a remedy: by `resolve`, or by the verb that is the answer to an excess card."""

from shoe_daemon.table import events as ev
from shoe_daemon.table.arguments import Args, Resolve
from shoe_daemon.table.commands import disclose_coming, present_shoe
from shoe_daemon.table.dealing import keep, late_reveal
from shoe_daemon.table.drawing import Drawn, draw
from shoe_daemon.table.ending import void
from shoe_daemon.table.excess import Answer, answer, open_betting_auto, unanswered
from shoe_daemon.table.remedies import REMEDIES
from shoe_daemon.table.reports import reconstruct
from shoe_daemon.table.state import Coup, Item
from shoe_daemon.table.suspects import told_twice
from shoe_daemon.table.turn import Refused, Turn
from shoe_daemon.table.verbs import DEALER_REMEDIES, SUPERVISORS, role_of


def disclose(turn: Turn, _: Args) -> None:
    """The excess card was seen; with none waiting, the coming coup's first card was."""
    if unanswered(turn):
        give_answer(turn, "disclose")
    else:
        disclose_coming(turn)


def undisclosed(turn: Turn, _: Args) -> None:
    """Nobody saw the excess card."""
    if not unanswered(turn):
        raise Refused("nothing_waiting")
    give_answer(turn, "undisclosed")


def give_answer(turn: Turn, remedy: Answer) -> None:
    """Answer for all excess cards that wait; between coups betting opens if nothing forbids it."""
    answer(turn, remedy)
    open_betting_auto(turn)


def resolve(turn: Turn, args: Resolve) -> None:
    """Choose a remedy of an open item."""
    item = _find(turn, args)
    remedy = args.remedy
    if remedy not in item.remedies:
        raise Refused("not_a_remedy")
    if role_of(turn.actor or "") not in SUPERVISORS and remedy not in DEALER_REMEDIES:
        raise Refused("not_allowed")
    if REMEDIES[remedy].verb:
        raise Refused("use_verb")
    if remedy in {"disclose", "undisclosed"}:
        give_answer(turn, "disclose" if remedy == "disclose" else "undisclosed")
    else:
        _remedy(turn, item, remedy)


def _remedy(turn: Turn, item: Item, remedy: str) -> None:
    coup = turn.table.home(item)
    if remedy == "missed":
        _missed(turn, item, coup)
    elif item.code == "suspect_double" and remedy != "void":
        told_twice(turn, item, remedy)
    elif remedy == "void" and (coup is None or (coup.ended == "" and not coup.opened)):
        raise Refused("no_coup")
    elif coup is None:
        turn.resolve(item, remedy)
    elif remedy == "void":
        void(turn, coup, item.code)
    elif remedy == "reveal":
        late_reveal(turn, coup, item)
    elif remedy == "keep":
        keep(turn, coup, item)
    elif remedy == "reconstruct":
        reconstruct(turn, coup, item)
    else:
        turn.resolve(item, remedy)
        if item.code == "result_mismatch" and coup.claimed is not None:  # ours stands
            turn.emit(ev.CoupClaimed(shoe=coup.shoe, coup=coup.number, outcome=None))


def _find(turn: Turn, args: Resolve) -> Item:
    wanted = args.code if args.id is None else args.id
    found = [item for item in turn.table.items if wanted in {item.id, item.code}]
    if not found:
        raise Refused("no_such_item")
    if len(found) > 1:
        raise Refused("ambiguous")
    return found[0]


def _missed(turn: Turn, item: Item, coup: Coup | None) -> None:
    """One card left the shoe unseen while the link was down: it takes the next place, unread."""
    if item.stale or (coup is not None and coup.ended == "pending"):
        raise Refused("cards_since")
    present_shoe(turn)
    if unanswered(turn) and turn.table.open_coup is None:
        raise Refused("answer_due")
    turn.resolve(item, "missed")
    draw(turn, Drawn(None, "unreadable_card", "operator"))
