"""Wagers of one coup and their settlement: limits, differential, exact payability, seats.

A library without state of its own: each operation gives a new book, or refuses with a reason.
"""

from shoe_daemon.game.wagers.attendance import after_round, may_be_asked
from shoe_daemon.game.wagers.book import Book, Placed, Removed
from shoe_daemon.game.wagers.differential import Proposal, Reduction, confirm, propose
from shoe_daemon.game.wagers.payable import grain, pay_unit, valid, valid_part
from shoe_daemon.game.wagers.seats import Message, Seat, Seats, message, repeat
from shoe_daemon.game.wagers.settlement import (
    Amounts,
    Line,
    Settlement,
    adjust,
    give_back,
    settle,
)
from shoe_daemon.game.wagers.sign import (
    BetLimits,
    OwnLimit,
    PlayerLimits,
    Sign,
    Terms,
    stated_sign,
    week_of,
    with_own_limit,
)
from shoe_daemon.game.wagers.wager import MAIN, Bettor, Reason, Wager, WagerKey, WagerRefused

__all__ = [
    "MAIN",
    "Amounts",
    "BetLimits",
    "Bettor",
    "Book",
    "Line",
    "Message",
    "OwnLimit",
    "Placed",
    "PlayerLimits",
    "Proposal",
    "Reason",
    "Reduction",
    "Removed",
    "Seat",
    "Seats",
    "Settlement",
    "Sign",
    "Terms",
    "Wager",
    "WagerKey",
    "WagerRefused",
    "adjust",
    "after_round",
    "confirm",
    "give_back",
    "grain",
    "may_be_asked",
    "message",
    "pay_unit",
    "propose",
    "repeat",
    "settle",
    "stated_sign",
    "valid",
    "valid_part",
    "week_of",
    "with_own_limit",
]
