"""All wagers of one coup: what may be placed, changed and removed, and when.

`Terms` may change between coups only. A book begins empty in every coup: what lay on the felt after a tie is
placed anew by an act of its player (NZG-5.6).
"""

from collections.abc import Iterable, Mapping
from typing import Final, Literal

import msgspec

from shoe_daemon.game.wagers.payable import valid
from shoe_daemon.game.wagers.sign import Terms
from shoe_daemon.game.wagers.wager import Bettor, Wager, WagerKey, WagerRefused

_ACROSS: Final = {"player": "banker", "banker": "player"}


class Book(msgspec.Struct, frozen=True):
    """The wagers of one coup.

    `withdraw_only`: after a reconstruction, before any card is exposed, wagers may be taken off and nothing
    else (NSW-13.2); `removed` are those taken off then, or declared void. `unopened`: no bets are taken
    for it yet. `no_bet`: the coup has no wagers (NSW-13.6), and what still lies there goes back.
    """

    state: Literal["unopened", "open", "closed", "withdraw_only", "no_bet"] = "open"
    wagers: tuple[Wager, ...] = ()
    removed: tuple[WagerKey, ...] = ()

    def find(self, key: WagerKey) -> Wager | None:
        """Give the wager of that key, if it lies there."""
        return next((wager for wager in self.wagers if wager.key == key), None)

    def total(self, bet: str, terms: Terms) -> int:
        """Add up the valid parts of all wagers on a bet."""
        return sum(valid(wager, terms) for wager in self.wagers if wager.bet == bet)

    def place(self, wager: Wager, terms: Terms) -> "Placed":
        """Put a wager down, in place of the one of its key; the amount is the whole wager, not what is added.

        Refused: `only_withdraw`, `no_bet`, `betting_closed`, `no_seat`, `unknown_bet`, `not_in_rules` (a
        voucher), `not_in_chips`, `both_sides`, `below_minimum`, `above_maximum`, `above_own_limit`,
        `not_a_multiple`, `not_payable`.
        """
        self._betting()
        _offered(wager, terms)
        amount = self._within_limits(wager, terms)
        put = msgspec.structs.replace(wager, amount=amount)
        self._one_side(put, terms)
        if valid(put, terms) != put.amount:
            raise WagerRefused("not_payable")
        return Placed(self._with(put), put, raised=amount - wager.amount, void=0)

    def accept_late(self, wager: Wager, terms: Terms) -> "Placed":
        """Take up a wager that lay there unrefused when the first card came, also out of limits (NSW-6.3).

        What chips cannot pay exactly of it is void (NZG-5.4). Refused: as `place`, but the limits only where
        the rules do not let it stand; `withdrawn`; `betting_closed` where betting never opened.
        """
        if self.state == "withdraw_only":
            raise WagerRefused("only_withdraw")
        if self.state == "no_bet":
            raise WagerRefused("no_bet")
        if self.state == "unopened":  # nothing can have lain there
            raise WagerRefused("betting_closed")
        if wager.key in self.removed:
            raise WagerRefused("withdrawn")
        _offered(wager, terms)
        # Raising it now would wager more than its player put down.
        if not terms.rules.wagers.late.stands and self._within_limits(wager, terms) != wager.amount:
            raise WagerRefused("below_minimum")
        self._one_side(wager, terms)
        return Placed(self._with(wager), wager, raised=0, void=wager.amount - valid(wager, terms))

    def remove(self, key: WagerKey) -> "Removed":
        """Take a wager off. Refused: `no_bet`, `betting_closed`, `no_such_wager`."""
        if self.state != "withdraw_only":
            self._betting()
        wager = self.find(key)
        if wager is None:
            raise WagerRefused("no_such_wager")
        rest = self.without([key])
        return Removed(rest, wager, coup_void=self.state == "withdraw_only" and not rest.wagers)

    def put(self, wager: Wager) -> "Book":
        """Put down a wager that was judged already, in place of the one of its key."""
        return self._with(wager)

    def without(self, keys: Iterable[WagerKey]) -> "Book":
        """Take off wagers by their keys; in the time to withdraw they stay known as taken off."""
        gone = frozenset(keys)
        rest = tuple(one for one in self.wagers if one.key not in gone)
        late = tuple(one.key for one in self.wagers if one.key in gone and self.state == "withdraw_only")
        return Book(self.state, rest, (*self.removed, *late))

    def struck(self, keys: Iterable[WagerKey]) -> "Book":
        """Take off wagers that were declared void; none of them is taken up again late (NSW-14.3.1)."""
        gone = tuple(keys)
        rest = tuple(one for one in self.wagers if one.key not in gone)
        return Book(self.state, rest, (*self.removed, *gone))

    def renewed(self, later: "Book") -> "Book":
        """Give each player's last wagers: those in `later` of who wagered there, these of the others."""
        again = {wager.bettor for wager in later.wagers}
        kept = tuple(wager for wager in self.wagers if wager.bettor not in again)
        return Book(self.state, (*kept, *later.wagers))

    def moved(self, seat: int, to: int | None) -> "Book":
        """Give the wagers with those at `seat` put at `to`, or gone; whatever lay at `to` is gone."""
        kept = tuple(wager for wager in self.wagers if wager.seat not in {seat, to})
        if to is None:
            return Book(self.state, kept)
        mine = (msgspec.structs.replace(wager, seat=to) for wager in self.wagers if wager.seat == seat)
        return Book(self.state, (*kept, *mine))

    def reduced(self, after: Mapping[WagerKey, int]) -> "Book":
        """Lower wagers to what `after` says; one that nothing is left of is gone."""
        wagers = (
            msgspec.structs.replace(one, amount=left)
            for one in self.wagers
            if (left := after.get(one.key, one.amount))
        )
        return Book(self.state, tuple(wagers), self.removed)

    def close(self) -> "Book":
        """No more bets; or the end of the time in which wagers may be withdrawn."""
        if self.state == "no_bet":
            raise WagerRefused("no_bet")
        if self.state == "unopened":
            return self
        return Book("closed", self.wagers, self.removed)

    def withdraw_only(self) -> "Book":
        """Let wagers be taken off and nothing else (NSW-13.2). Refused: `betting_open`, `no_bet`."""
        if self.state == "open":
            raise WagerRefused("betting_open")
        if self.state == "no_bet":
            raise WagerRefused("no_bet")
        return Book("withdraw_only", self.wagers, self.removed)

    def without_bets(self) -> "Book":
        """Make the coming coup a no-bet coup (NSW-13.5); wagers that lie there go back when it is settled."""
        return Book("no_bet", self.wagers, self.removed)

    def _betting(self) -> None:
        match self.state:
            case "withdraw_only":
                raise WagerRefused("only_withdraw")
            case "no_bet":
                raise WagerRefused("no_bet")
            case "closed" | "unopened":
                raise WagerRefused("betting_closed")

    def _with(self, wager: Wager) -> "Book":
        if self.find(wager.key) is None:
            return Book(self.state, (*self.wagers, wager), self.removed)
        put = tuple(wager if one.key == wager.key else one for one in self.wagers)
        return Book(self.state, put, self.removed)

    def _within_limits(self, wager: Wager, terms: Terms) -> int:
        """Give the amount to take: as wagered, or raised; limits hold for a player's whole wager on a bet."""
        limits = terms.sign.of(wager.bettor, wager.bet)
        beside = self._beside(wager)
        amount = wager.amount
        if beside + amount < limits.minimum:
            if wager.voucher or terms.rules.wagers.below_minimum.treatment == "refuse":
                raise WagerRefused("below_minimum")
            amount = limits.minimum - beside
        if limits.maximum is not None and beside + amount > limits.maximum:
            raise WagerRefused("above_maximum")
        own = terms.sign.own_maximum(wager.bettor)
        if own is not None and beside + amount > own:
            raise WagerRefused("above_own_limit")
        if not limits.step_fits(beside + amount):
            raise WagerRefused("not_a_multiple")
        return amount

    def _beside(self, wager: Wager) -> int:
        """What the same player has on the same bet in another form: chips beside a voucher."""
        other = self.find(wager.key._replace(voucher=not wager.voucher))
        return 0 if other is None else other.amount

    def _one_side(self, wager: Wager, terms: Terms) -> None:
        across = _ACROSS.get(wager.bet)
        if not terms.rules.wagers.both_sides.allowed and (wager.bettor, across) in self._sides():
            raise WagerRefused("both_sides")

    def _sides(self) -> set[tuple[Bettor, str | None]]:
        return {(wager.bettor, wager.bet) for wager in self.wagers}


class Placed(msgspec.Struct, frozen=True):
    """A wager taken. `raised`: what was added to reach the minimum; `void`: what of it is void (NZG-5.4)."""

    book: Book
    wager: Wager
    raised: int
    void: int


class Removed(msgspec.Struct, frozen=True):
    """A wager taken off. `coup_void`: it was the last one withdrawn, so the coup is void (NSW-13.2)."""

    book: Book
    wager: Wager
    coup_void: bool


def _offered(wager: Wager, terms: Terms) -> None:
    if not 1 <= wager.seat <= terms.rules.seats.places:
        raise WagerRefused("no_seat")
    if not terms.offers(wager.bet):
        raise WagerRefused("unknown_bet")
    if wager.voucher and not terms.rules.wagers.vouchers.accepted:
        raise WagerRefused("not_in_rules")
    if not wager.voucher and wager.amount % terms.sign.chip:
        raise WagerRefused("not_in_chips")
