"""`advance`: the next step of the procedure, so that one key deals a whole coup."""

from shoe_daemon.game.cards import INITIAL
from shoe_daemon.table import commands, dealing
from shoe_daemon.table.arguments import Args, Confirm, Reveal
from shoe_daemon.table.places import expected_next
from shoe_daemon.table.state import Coup
from shoe_daemon.table.turn import Refused, Turn


def advance(turn: Turn, args: Args) -> None:
    """Do what a dealer does next: open or close betting, turn the cards, call the end."""
    table = turn.table
    coup = table.open_coup
    if coup is not None and table.holds(coup):
        raise Refused("held")
    if coup is not None:
        _coup(turn, coup)
    elif table.betting == "open" and turn.procedure(None).betting_closes == "no-more-bets":
        commands.no_more_bets(turn, args)
    elif table.betting == "unopened":
        commands.open_betting(turn, args)
    else:
        raise Refused("nothing_next")


def _coup(turn: Turn, coup: Coup) -> None:
    procedure = turn.procedure(coup)
    if len(coup.cards) < len(INITIAL):
        raise Refused("too_few_cards")
    down = any(card.down for card in coup.cards)
    if procedure.by_press:
        dealing.reveal(turn, Reveal(all=True))
    elif down:
        dealing.reveal(turn, Reveal(all=procedure.hands == "one-by-one"))
    elif expected_next(coup.cards) is None and procedure.coup_ends == "confirm":
        dealing.confirm(turn, Confirm())
    else:
        raise Refused("nothing_next")
