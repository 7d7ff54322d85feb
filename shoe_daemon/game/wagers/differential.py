"""The table differential: wagers on the larger side reduced pro rata (NSW-6.2), proposed and then confirmed.

Wagers on a tie and side bets are outside of it. All amounts are minor units.
"""

from fractions import Fraction
from typing import Literal

import msgspec

from shoe_daemon.game.wagers.book import Book
from shoe_daemon.game.wagers.payable import valid
from shoe_daemon.game.wagers.sign import Terms
from shoe_daemon.game.wagers.wager import Wager, WagerKey, WagerRefused


class Reduction(msgspec.Struct, frozen=True):
    """One wager of the larger side. `after`: what stays on the felt, `void` of it cannot be paid exactly."""

    key: WagerKey
    before: int
    after: int
    void: int


class Proposal(msgspec.Struct, frozen=True):
    """What a person is to confirm: "may", says the rule.

    `allowed`: what the side may amount to; `factor`: the fraction that each wager in chips keeps; `before`,
    `total`: the side's valid wagers before and after; `rounding_loss`: what rounding down to chips takes
    below `allowed`, void parts not counted; `still_over`: what vouchers, which are not divided, leave above.
    """

    side: Literal["player", "banker"]
    allowed: int
    factor: str
    reductions: tuple[Reduction, ...]
    before: int
    total: int
    rounding_loss: int
    still_over: int


def propose(book: Book, terms: Terms) -> Proposal | None:
    """Propose the reduction that a book needs, None where it is within the differential or none is stated."""
    differential = terms.sign.differential
    if differential is None or not terms.rules.wagers.differential.used:
        return None
    player, banker = book.total("player", terms), book.total("banker", terms)
    allowed = min(player, banker) + differential
    before = max(player, banker)
    if before <= allowed:
        return None
    side: Literal["player", "banker"] = "player" if player > banker else "banker"
    mine = [wager for wager in book.wagers if wager.bet == side]
    vouchers = sum(valid(wager, terms) for wager in mine if wager.voucher)
    room = max(0, allowed - vouchers)
    factor = Fraction(room, before - vouchers) if before > vouchers else Fraction(1)
    reductions = tuple(_reduce(wager, factor, terms) for wager in mine if not wager.voucher)
    kept = sum(one.after for one in reductions)
    return Proposal(
        side=side,
        allowed=allowed,
        factor=str(factor),
        reductions=reductions,
        before=before,
        total=vouchers + kept - sum(one.void for one in reductions),
        rounding_loss=room - kept if reductions else 0,
        still_over=max(0, vouchers - allowed),
    )


def _reduce(wager: Wager, factor: Fraction, terms: Terms) -> Reduction:
    chip = terms.sign.chip
    after = int(valid(wager, terms) * factor) // chip * chip
    void = after - _valid(wager, after, terms)
    return Reduction(wager.key, wager.amount, after, void)


def _valid(wager: Wager, amount: int, terms: Terms) -> int:
    return valid(msgspec.structs.replace(wager, amount=amount), terms) if amount else 0


def confirm(book: Book, proposal: Proposal, terms: Terms) -> Book:
    """Reduce a book as proposed. A wager reduced below the minimum stays valid (NSW-6.3).

    Refused: `stale_proposal` where the book, or what it is judged by, is not what it was; `only_withdraw`;
    `no_bet`.
    """
    if book.state == "withdraw_only":
        raise WagerRefused("only_withdraw")
    if book.state == "no_bet":
        raise WagerRefused("no_bet")
    if propose(book, terms) != proposal:
        raise WagerRefused("stale_proposal")
    return book.reduced({one.key: one.after for one in proposal.reductions})
