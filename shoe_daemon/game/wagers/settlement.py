"""What each wager brings: paid, lost, stood, returned; and what a revision changes of it.

Two sums hold for every line. The stake goes back or is kept: `stake = returned + kept`. What the house wins
is `kept - paid`, and a commission that was marked besides.
"""

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import Literal

import msgspec

from shoe_daemon.game.wagers.book import Book
from shoe_daemon.game.wagers.payable import pay_unit, valid
from shoe_daemon.game.wagers.sign import Terms
from shoe_daemon.game.wagers.wager import MAIN, Wager, WagerKey

Commission = Literal["none", "per_coup", "marked"]
PUSH = "0"
"""The odds of a wager that stands."""


class Amounts(msgspec.Struct, frozen=True):
    """Money in minor units. `paid`: winnings handed out, a commission taken per coup already off.

    `commission`: what was taken off, or is owed where it is marked. `stake`: all that lay there, `returned`
    of it to the player and `kept` by the house; of a voucher, its face value.
    """

    stake: int = 0
    paid: int = 0
    commission: int = 0
    returned: int = 0
    kept: int = 0

    def plus(self, other: "Amounts") -> "Amounts":
        """Add, figure by figure."""
        fields = Amounts.__struct_fields__
        return Amounts(**{field: getattr(self, field) + getattr(other, field) for field in fields})

    def less(self, other: "Amounts") -> "Amounts":
        """Subtract, figure by figure."""
        fields = Amounts.__struct_fields__
        return Amounts(**{field: getattr(self, field) - getattr(other, field) for field in fields})


class Line(msgspec.Struct, frozen=True):
    """What became of one wager. `void`: the part that could not be paid exactly, among the returned."""

    key: WagerKey
    kind: Literal["win", "lose", "push", "void", "returned", "forfeited"]
    amounts: Amounts
    void: int = 0


class Settlement(msgspec.Struct, frozen=True):
    """A settled coup, or what a revision of it changes (`adjust`: amounts are new less old, of any sign).

    `pays`: the odds of the winning bets, `"0"` for a push, losing bets absent. `commission`: whether the
    commissions were taken off, or are marked and settled later.
    """

    kind: Literal["pay", "return", "none", "adjust"]
    pays: dict[str, str]
    lines: tuple[Line, ...]
    totals: Amounts
    commission: Commission


def settle(
    book: Book,
    pays: Mapping[str, str],
    side_bets: Mapping[str, str | None],
    terms: Terms,
) -> Settlement:
    """Settle a closed book. A no-bet coup settles nothing: `none`, and what lay there goes back (NSW-13.6).

    `pays`: of the main bets, as `RuleProfile.pays` gives them. `side_bets`: of each that was offered the odds
    won, `"0"` for a push, None where it lost. Raises ValueError for a book that still takes or gives up
    wagers, and for a wager on a bet of which neither says anything.
    """
    if book.state == "no_bet":
        return _settlement("none", {}, map(_returned, book.wagers), terms)
    if book.state != "closed":
        raise ValueError(f"a book that is {book.state} cannot be settled")
    strangers = {wager.bet for wager in book.wagers} - {*MAIN, *side_bets}
    if strangers:
        raise ValueError(f"nothing is known of {', '.join(sorted(strangers))}")
    won = {**pays, **{bet: odds for bet, odds in side_bets.items() if odds is not None}}
    lines = (_line(wager, won.get(wager.bet), terms) for wager in book.wagers)
    return _settlement("pay", won, lines, terms)


def give_back(book: Book, terms: Terms, forfeits: Collection[WagerKey] = ()) -> Settlement:
    """Return every wager: the coup is void, or its outcome was invalidated (NSW-14.5).

    `forfeits`: wagers that a casino supervisor directs to be forfeited; a part that was void goes back.
    """
    lines = (_forfeited(wager, terms) if wager.key in forfeits else _returned(wager) for wager in book.wagers)
    return _settlement("return", {}, lines, terms)


def adjust(new: Settlement, old: Settlement) -> Settlement:
    """Give what a revision changes: the new settlement less the one before, wager by wager.

    Both are whole settlements, not adjustments. Wagers that changed nothing are left out.
    """
    before = {line.key: line for line in old.lines}
    after = {line.key: line for line in new.lines}
    lines = []
    for key in dict.fromkeys((*before, *after)):
        was, now = before.get(key), after.get(key)
        kind = now.kind if now is not None else "returned"
        amounts = _amounts(now).less(_amounts(was))
        void = (now.void if now is not None else 0) - (was.void if was is not None else 0)
        line = Line(key, kind, amounts, void)
        if amounts != Amounts() or was is None or now is None or was.kind != now.kind:
            lines.append(line)
    return Settlement("adjust", new.pays, tuple(lines), new.totals.less(old.totals), new.commission)


def _settlement(
    kind: Literal["pay", "return", "none"], pays: dict[str, str], lines: Iterable[Line], terms: Terms
) -> Settlement:
    told = tuple(lines)
    fields = Amounts.__struct_fields__
    totals = Amounts(**{field: sum(getattr(line.amounts, field) for line in told) for field in fields})
    return Settlement(kind, pays, told, totals, terms.rules.stated.pay.banker.commission)


def _amounts(line: Line | None) -> Amounts:
    return Amounts() if line is None else line.amounts


def _returned(wager: Wager) -> Line:
    return Line(wager.key, "returned", Amounts(stake=wager.amount, returned=wager.amount))


def _void(wager: Wager) -> Line:
    return Line(wager.key, "void", Amounts(stake=wager.amount, returned=wager.amount), wager.amount)


def _forfeited(wager: Wager, terms: Terms) -> Line:
    part = valid(wager, terms)
    void = wager.amount - part
    return Line(wager.key, "forfeited", Amounts(stake=wager.amount, returned=void, kept=part), void)


def _line(wager: Wager, odds: str | None, terms: Terms) -> Line:
    stake, part = wager.amount, valid(wager, terms)
    void = stake - part
    if part == 0:
        return _void(wager)
    lost = Amounts(stake=stake, returned=void, kept=part)
    if odds is None:
        return Line(wager.key, "lose", lost, void)
    if odds == PUSH:
        stays = not wager.voucher or terms.rules.wagers.vouchers.stay_on_push
        return Line(wager.key, "push", Amounts(stake=stake, returned=stake) if stays else lost, void)
    paid, commission = _won(wager, part, odds, terms)
    # A voucher is given up with a win too; its winnings are chips (NSW-1.1).
    gone = part if wager.voucher else 0
    return Line(wager.key, "win", Amounts(stake, paid, commission, stake - gone, gone), void)


def _won(wager: Wager, part: int, odds: str, terms: Terms) -> tuple[int, int]:
    """Give what is paid on the valid part of a winning wager, and its commission."""
    banker = terms.rules.stated.pay.banker
    taken = banker.commission if wager.bet == "banker" else "none"
    net = part * Fraction(odds)
    if taken == "marked":
        return _paid(Fraction(part), terms), int(part - net)
    paid = _paid(net, terms)
    return paid, max(0, part - paid) if taken == "per_coup" else 0


def _paid(winnings: Fraction, terms: Terms) -> int:
    """Give winnings as they can be paid; only rules that round up leave anything to round."""
    unit = pay_unit(terms)
    paid = -(-winnings // unit) * unit
    if paid != winnings and terms.rules.wagers.payout_rounding.method != "round_up":
        raise ValueError(f"{winnings} cannot be paid in units of {unit}, and the rules do not round")
    return paid
