"""Wagers and whose they are, and why one is not taken."""

from typing import Final, Literal, NamedTuple

import msgspec

MAIN: Final = ("player", "banker", "tie")
"""The bets that every table has; any other name is a side bet's."""

Reason = Literal[
    "above_maximum",
    "above_own_limit",
    "answered",
    "bad_message",
    "below_minimum",
    "betting_closed",
    "betting_open",
    "both_sides",
    "coup_open",
    "excluded",
    "no_bet",
    "no_seat",
    "no_such_wager",
    "not_a_multiple",
    "not_in_chips",
    "not_in_rules",
    "not_payable",
    "once_a_week",
    "only_withdraw",
    "seat_taken",
    "stale_proposal",
    "unknown_bet",
    "waiting",
    "withdrawn",
]


class WagerRefused(Exception):  # noqa: N818 - the name says what happened, as Refused does for commands
    """A wager, or an act on wagers or at a seat, is refused; `reason` says why in one word."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Final = reason


class Bettor(NamedTuple):
    """A player: at a seat, or standing behind it under a name of its own (NSW-2.2)."""

    seat: int
    backer: str = ""


class WagerKey(NamedTuple):
    """What tells the wagers of a coup apart."""

    seat: int
    backer: str
    bet: str
    voucher: bool


class Wager(msgspec.Struct, frozen=True, kw_only=True):
    """One wager. `amount`: minor units; `bet`: one of `MAIN`, or a side bet's name; `backer`: see `Bettor`.

    A voucher is one free wager: it is given up with a win too, and cannot be divided (NSW-1.1). `player`:
    who sat there when it was last placed; empty where nobody was named.
    """

    seat: int
    bet: str
    amount: int
    voucher: bool = False
    backer: str = ""
    player: str = ""

    def __post_init__(self) -> None:
        if self.amount < 1:
            raise ValueError(f"a wager of {self.amount} is none")

    @property
    def bettor(self) -> Bettor:
        """Whose it is."""
        return Bettor(self.seat, self.backer)

    @property
    def key(self) -> WagerKey:
        """What tells it apart in its coup."""
        return WagerKey(self.seat, self.backer, self.bet, self.voucher)
