"""What chips can pay exactly (NZG-5.3, 5.4), for any odds and any smallest chip."""

from collections.abc import Iterable
from fractions import Fraction
from math import gcd, lcm

from shoe_daemon.game.wagers.sign import Terms
from shoe_daemon.game.wagers.wager import Wager


def grain(odds: Fraction, unit: int) -> int:
    """Give the stake of which every exactly payable one is a multiple, its winnings made of `unit`s.

    Minor units. At 19/20 it is 20 units, unless 19 divides the unit.
    """
    return odds.denominator * unit // gcd(unit, odds.numerator)


def valid_part(amount: int, odds: Iterable[Fraction], unit: int) -> int:
    """Give the largest part of a wager that could be paid exactly at each of `odds` (NZG-5.4)."""
    step = lcm(*(grain(one, unit) for one in odds))
    return amount // step * step


def pay_unit(terms: Terms) -> int:
    """Give what payments are made of: the smallest chip, or the minor unit where no chips are paid."""
    return 1 if terms.rules.wagers.payout_rounding.method == "exact" else terms.sign.chip


def valid(wager: Wager, terms: Terms) -> int:
    """Give the valid part of a wager; the rest is void and goes back whatever the coup brings."""
    if terms.rules.wagers.payout_rounding.method == "round_up":
        return wager.amount
    banker = terms.rules.stated.pay.banker
    odds = [Fraction(one) for one in terms.odds(wager.bet)]
    unit = pay_unit(terms)
    if wager.bet == "banker" and banker.commission == "marked":
        # One to one is paid now; the commission is written down and must be whole minor units.
        step = lcm(unit, grain(Fraction(banker.odds), 1))
        return wager.amount // step * step
    return valid_part(wager.amount, odds, unit)
