"""Which wagers are taken, and what may be done with them until they are settled."""

from collections.abc import Callable
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoe_daemon.game.profile import parse_rules
from shoe_daemon.game.wagers import (
    BetLimits,
    Bettor,
    Book,
    PlayerLimits,
    Sign,
    Terms,
    Wager,
    WagerRefused,
    after_round,
    confirm,
    grain,
    may_be_asked,
    propose,
    stated_sign,
    valid,
    valid_part,
    week_of,
    with_own_limit,
)
from tests.game.test_profile import NAMES, shipped
from tests.game.test_profile import RULES as RULES_FOLDER

RULES = {name: shipped(name) for name in NAMES}
DOLLAR = 100
HOUR = 3_600_000_000


def terms(
    name: str = "nsw",
    limits: dict[str, BetLimits] | None = None,
    *,
    chip: int = 5 * DOLLAR,
    differential: int | None = None,
) -> Terms:
    sign = Sign(chip=chip, limits=limits or {}, differential=differential)
    return Terms(RULES[name], sign, {"player-pair": ("11",), "small": ("3/2",)})


def wager(seat: int, bet: str, dollars: int, *, voucher: bool = False, backer: str = "") -> Wager:
    return Wager(seat=seat, bet=bet, amount=dollars * DOLLAR, voucher=voucher, backer=backer)


def book(at: Terms, *wagers: Wager) -> Book:
    made = Book()
    for one in wagers:
        made = made.place(one, at).book
    return made


def refused(act: Callable[..., object], *args: object) -> str:
    with pytest.raises(WagerRefused) as caught:
        act(*args)
    assert str(caught.value) == caught.value.reason
    return caught.value.reason


@pytest.mark.parametrize(
    ("chip", "amount", "part"),
    [
        (500, 13000, 10000),
        (500, 9500, 0),
        (100, 13000, 12000),
        (100, 2500, 2000),
        (100, 1900, 0),
        (50, 13000, 13000),
    ],
)
def test_what_chips_can_pay_of_a_banker_wager(chip: int, amount: int, part: int) -> None:
    at = terms("nzg-1994", chip=chip)
    one = Wager(seat=1, bet="banker", amount=amount)
    assert valid(one, at) == part
    late = Book("closed").accept_late(one, at)
    assert (late.wager.amount, late.void) == (amount, amount - part)
    if part == amount:
        assert Book().place(one, at).void == 0
    else:
        assert refused(Book().place, one, at) == "not_payable"


@given(
    st.integers(0, 300),
    st.lists(
        st.fractions(min_value=Fraction(1, 30), max_value=60, max_denominator=30), min_size=1, max_size=2
    ),
    st.integers(1, 40),
)
def test_the_valid_part_is_the_largest_that_can_be_paid(amount: int, odds: list[Fraction], unit: int) -> None:
    payable = [
        stake
        for stake in range(amount + 1)
        if all((stake * one.numerator) % (one.denominator * unit) == 0 for one in odds)
    ]
    assert valid_part(amount, odds, unit) == max(payable)
    assert grain(Fraction(19, 20), unit) == (20 * unit if unit % 19 else 20 * unit // 19)


def test_rules_that_round_up_or_pay_to_the_unit_take_what_chips_cannot_pay() -> None:
    assert valid(wager(1, "banker", 130), terms("nsw")) == 13000
    assert valid(wager(1, "banker", 130), terms("intercasino")) == 13000
    assert valid(Wager(seat=1, bet="banker", amount=130), terms("intercasino", chip=1)) == 120
    assert valid(wager(1, "small", 15), terms("nzg-1994")) == 1000


def test_a_wager_is_payable_at_each_of_the_odds_that_it_may_win() -> None:
    text = (RULES_FOLDER / "nsw-even-money.toml").read_text().replace("round_up", "void_remainder")
    at = Terms(parse_rules(text.encode(), "mine.toml"), Sign(chip=500))
    assert [valid(wager(1, "banker", dollars), at) for dollars in (5, 10, 25)] == [0, 1000, 2000]


LIMITED = {"player": BetLimits(minimum=2500, maximum=50000, unit=500)}


@pytest.mark.parametrize(
    ("name", "limits", "placed", "reason"),
    [
        ("nsw", LIMITED, wager(1, "player", 20), "below_minimum"),
        ("nsw", LIMITED, wager(1, "player", 505), "above_maximum"),
        (
            "nsw",
            {"tie": BetLimits(minimum=1000, unit=1000)},
            wager(1, "tie", 15),
            "not_a_multiple",
        ),
        (
            "nsw",
            {"tie": BetLimits(minimum=1000, multiples=True)},
            wager(1, "tie", 25),
            "not_a_multiple",
        ),
        ("nsw", {}, wager(1, "tie", 3), "not_in_chips"),
        ("nsw", {}, wager(15, "tie", 5), "no_seat"),
        ("nsw", {}, wager(0, "tie", 5), "no_seat"),
        ("intercasino", {}, wager(6, "tie", 5), "no_seat"),
        ("nsw", {}, wager(1, "dragon", 5), "unknown_bet"),
        ("live", {}, wager(1, "tie", 5, voucher=True), "not_in_rules"),
    ],
)
def test_a_wager_out_of_order_is_refused(
    name: str, limits: dict[str, BetLimits], placed: Wager, reason: str
) -> None:
    assert refused(Book().place, placed, terms(name, limits)) == reason


def test_steps_above_the_minimum_are_asked_for_only_where_the_sign_states_them() -> None:
    steps = BetLimits(minimum=2500, unit=1000)
    assert Book().place(wager(1, "tie", 35), terms(limits={"tie": steps})).wager.amount == 3500
    assert (
        Book().place(wager(1, "tie", 30), terms(limits={"tie": BetLimits(minimum=2500)})).wager.amount == 3000
    )


def test_limits_hold_for_a_players_chips_and_voucher_together() -> None:
    at = terms(limits=LIMITED)
    lying = book(at, wager(1, "player", 30, voucher=True))
    assert lying.place(wager(1, "player", 5), at).wager.amount == 500
    assert refused(lying.place, wager(1, "player", 475), at) == "above_maximum"
    assert lying.place(wager(1, "player", 475, backer="Ann"), at).wager.amount == 47500


def test_steps_and_a_raised_minimum_count_the_voucher_beside() -> None:
    at = terms(limits={"tie": BetLimits(minimum=2500, unit=1000)})
    lying = book(at, wager(1, "tie", 25, voucher=True))
    assert lying.place(wager(1, "tie", 10), at).wager.amount == 1000
    assert refused(lying.place, wager(1, "tie", 15), at) == "not_a_multiple"
    text = (RULES_FOLDER / "intercasino.toml").read_text().replace("accepted = false", "accepted = true")
    rules = parse_rules(text.encode(), "mine.toml")
    free = Terms(rules, Sign(chip=100, limits={"tie": BetLimits(minimum=500)}))
    late = Book().place(wager(1, "tie", 6, voucher=True), free).book
    assert late.place(wager(1, "tie", 1), free).raised == 0
    assert refused(Book().place, wager(1, "tie", 3, voucher=True), free) == "below_minimum"
    small = Book(wagers=(wager(1, "tie", 3, voucher=True),))
    assert small.place(wager(1, "tie", 1), free).wager.amount == 200


def test_a_voucher_need_not_be_made_of_chips() -> None:
    assert Book().place(wager(1, "tie", 3, voucher=True), terms()).wager.amount == 300


def test_an_amount_replaces_the_one_before_it() -> None:
    at = terms()
    twice = book(at, wager(1, "tie", 10), wager(2, "tie", 10), wager(1, "tie", 25))
    assert [(one.seat, one.amount) for one in twice.wagers] == [(1, 2500), (2, 1000)]


def test_a_wager_below_the_minimum_is_raised_where_the_rules_say_so() -> None:
    sign = stated_sign(RULES["intercasino"])
    assert sign is not None
    at = Terms(RULES["intercasino"], sign)
    placed = Book().place(wager(1, "banker", 2), at)
    assert (placed.wager.amount, placed.raised) == (500, 300)
    assert refused(Book().place, wager(1, "banker", 301), at) == "above_maximum"
    assert refused(Book("closed").accept_late, wager(1, "banker", 2), at) == "below_minimum"
    assert stated_sign(RULES["nsw"]) is None


@pytest.mark.parametrize(("name", "taken"), [("nsw", False), ("nzg-1994", True), ("live", True)])
def test_both_sides_at_once(name: str, taken: bool) -> None:  # noqa: FBT001 - a column of the table above
    at = terms(name)
    lying = book(at, wager(1, "player", 100), wager(1, "tie", 5), wager(2, "banker", 100))
    if taken:
        assert len(lying.place(wager(1, "banker", 100), at).book.wagers) == 4
    else:
        assert refused(lying.place, wager(1, "banker", 100), at) == "both_sides"
        assert refused(lying.close().accept_late, wager(2, "player", 100), at) == "both_sides"
        assert lying.place(wager(1, "banker", 100, backer="Ann"), at).book.wagers


def test_a_wager_that_nobody_refused_in_time_stands_out_of_limits() -> None:
    at = terms(limits=LIMITED)
    for dollars in (5, 20, 600):
        late = Book("closed").accept_late(wager(1, "player", dollars), at)
        assert late.book.wagers == (wager(1, "player", dollars),)
        assert (late.raised, late.void) == (0, 0)
    assert refused(Book("closed").accept_late, wager(1, "lucky", 5), at) == "unknown_bet"


def test_a_player_may_have_limits_of_his_own() -> None:
    at = terms(limits=LIMITED)
    high = BetLimits(minimum=10000, maximum=200000)
    own = PlayerLimits(seat=3, limits={"player": high})
    mine = msgspec.structs.replace(at, sign=msgspec.structs.replace(at.sign, players=(own,)))
    assert Book().place(wager(3, "player", 2000), mine).wager.amount == 200000
    assert refused(Book().place, wager(3, "player", 50), mine) == "below_minimum"
    assert refused(Book().place, wager(4, "player", 2000), mine) == "above_maximum"


def test_an_own_maximum_is_below_the_tables_and_set_once_a_week() -> None:
    rules = RULES["intercasino"]
    sign = stated_sign(rules)
    assert sign is not None
    at = Terms(rules, sign)
    friday = 29 * HOUR
    mine = msgspec.structs.replace(at, sign=with_own_limit(at, Bettor(2), 10000, friday))
    assert Book().place(wager(2, "tie", 100), mine).wager.amount == 10000
    assert refused(Book().place, wager(2, "tie", 101), mine) == "above_own_limit"
    assert Book().place(wager(1, "tie", 101), mine).wager.amount == 10100
    assert refused(with_own_limit, mine, Bettor(2), 9000, friday + 7 * 24 * HOUR - 1) == "once_a_week"
    later = with_own_limit(mine, Bettor(2), 9000, friday + 7 * 24 * HOUR)
    assert [one.maximum for one in later.own] == [9000]
    assert refused(with_own_limit, at, Bettor(2), 30000, friday) == "above_maximum"
    assert refused(with_own_limit, at, Bettor(2), 400, friday) == "below_minimum"
    assert refused(with_own_limit, terms("nsw"), Bettor(2), 400, friday) == "not_in_rules"


def test_weeks_begin_at_midnight_of_their_day() -> None:
    assert week_of(29 * HOUR - 1, "friday", -5) + 1 == week_of(29 * HOUR, "friday", -5)
    assert week_of(-1, "thursday", 0) + 1 == week_of(0, "thursday", 0)
    assert len({week_of(29 * HOUR + day * 24 * HOUR, "friday", -5) for day in range(7)}) == 1


def test_nothing_is_taken_once_betting_is_closed() -> None:
    at = terms()
    closed = book(at, wager(1, "tie", 5)).close()
    assert refused(closed.place, wager(2, "tie", 5), at) == "betting_closed"
    assert refused(closed.remove, wager(1, "tie", 5).key) == "betting_closed"
    assert refused(book(at).remove, wager(1, "tie", 5).key) == "no_such_wager"
    assert not book(at, wager(1, "tie", 5)).remove(wager(1, "tie", 5).key).coup_void


def test_after_a_reconstruction_wagers_may_only_be_taken_off() -> None:
    at = terms()
    first, second = wager(1, "player", 100), wager(2, "tie", 5)
    assert refused(book(at, first).withdraw_only) == "betting_open"
    window = book(at, first, second).close().withdraw_only()
    for act in (window.place, window.accept_late):
        for one in (wager(3, "tie", 5), wager(1, "player", 200), wager(1, "player", 50)):
            assert refused(act, one, at) == "only_withdraw"
    off = window.remove(first.key)
    assert (off.wager, off.coup_void, off.book.wagers) == (first, False, (second,))
    assert refused(off.book.place, first, at) == "only_withdraw"
    assert refused(off.book.close().accept_late, first, at) == "withdrawn"
    assert refused(off.book.remove, first.key) == "no_such_wager"
    last = off.book.remove(second.key)
    assert (last.coup_void, last.book.wagers) == (True, ())


def test_a_no_bet_coup_takes_nothing() -> None:
    at = terms()
    bare = book(at, wager(1, "tie", 5)).without_bets()
    for act in (bare.place, bare.accept_late):
        assert refused(act, wager(2, "tie", 5), at) == "no_bet"
    assert refused(bare.close) == refused(bare.withdraw_only) == "no_bet"
    assert refused(bare.remove, wager(1, "tie", 5).key) == "no_bet"


def test_the_larger_side_is_reduced_pro_rata() -> None:
    at = terms(differential=1000 * DOLLAR)
    sides = [
        wager(1, "player", 1000),
        wager(2, "player", 500),
        wager(3, "player", 300),
        wager(4, "banker", 400),
    ]
    outside = [wager(1, "tie", 5000), wager(2, "player-pair", 5000)]
    lying = book(at, *sides, *outside)
    proposal = propose(lying, at)
    assert proposal is not None
    assert (proposal.side, proposal.factor, proposal.allowed) == ("player", "7/9", 140000)
    assert [one.after for one in proposal.reductions] == [77500, 38500, 23000]
    assert (proposal.total, proposal.rounding_loss, proposal.still_over) == (139000, 1000, 0)
    reduced = confirm(lying, proposal, at)
    assert [one.amount for one in reduced.wagers[:4]] == [77500, 38500, 23000, 40000]
    assert list(reduced.wagers[4:]) == outside
    assert propose(reduced, at) is None
    changed = lying.place(wager(4, "banker", 405), at).book
    assert refused(confirm, changed, proposal, at) == "stale_proposal"
    window = lying.close().withdraw_only()
    assert refused(confirm, window, proposal, at) == "only_withdraw"
    assert refused(confirm, lying.without_bets(), proposal, at) == "no_bet"


def test_a_difference_within_the_differential_is_left_alone() -> None:
    at = terms(differential=1000 * DOLLAR)
    assert propose(book(at, wager(1, "player", 1400), wager(2, "banker", 400)), at) is None
    assert propose(book(at, wager(1, "tie", 9000)), at) is None
    assert propose(book(terms(), wager(1, "player", 9000)), terms()) is None
    unused = terms("live", differential=1000 * DOLLAR)
    assert propose(book(unused, wager(1, "player", 9000)), unused) is None


def test_a_reduced_banker_wager_is_looked_at_again_for_exact_payment() -> None:
    at = terms("nzg-1994", differential=200 * DOLLAR)
    lying = book(at, wager(1, "banker", 300), wager(2, "banker", 100), wager(3, "player", 50))
    proposal = propose(lying, at)
    assert proposal is not None
    assert [(one.after, one.void) for one in proposal.reductions] == [(18500, 8500), (6000, 6000)]
    assert (proposal.total, proposal.rounding_loss) == (10000, 500)
    reduced = confirm(lying, proposal, at)
    assert [valid(one, at) for one in reduced.wagers] == [10000, 0, 5000]


def test_vouchers_count_in_the_differential_and_are_not_divided() -> None:
    at = terms(differential=100 * DOLLAR)
    lying = book(at, wager(1, "player", 150, voucher=True), wager(2, "player", 100), wager(3, "banker", 100))
    proposal = propose(lying, at)
    assert proposal is not None
    assert [one.after for one in proposal.reductions] == [5000]
    assert (proposal.total, proposal.still_over) == (20000, 0)
    lying = book(at, wager(1, "player", 150, voucher=True), wager(2, "player", 100))
    proposal = propose(lying, at)
    assert proposal is not None
    assert (proposal.total, proposal.still_over) == (15000, 5000)
    assert confirm(lying, proposal, at).wagers == (wager(1, "player", 150, voucher=True),)


@given(
    st.lists(st.tuples(st.sampled_from(["player", "banker", "tie"]), st.integers(1, 400)), max_size=14),
    st.integers(1, 500),
    st.sampled_from(["nsw", "nzg-1994"]),
)
def test_a_reduction_fits_and_never_raises(
    sides: list[tuple[str, int]], differential: int, name: str
) -> None:
    at = terms(name, differential=differential * 500)
    lying = Book()
    for seat, (bet, chips) in enumerate(sides, start=1):
        lying = lying.accept_late(Wager(seat=seat, bet=bet, amount=chips * 500), at).book
    proposal = propose(lying, at)
    if proposal is None:
        assert abs(lying.total("player", at) - lying.total("banker", at)) <= differential * 500
        return
    reduced = confirm(lying, proposal, at)
    large, small = proposal.side, "banker" if proposal.side == "player" else "player"
    assert reduced.total(small, at) == lying.total(small, at)
    assert reduced.total(large, at) == proposal.total <= proposal.allowed
    assert 0 <= proposal.rounding_loss < 500 * max(1, len(proposal.reductions))
    before = {one.key: one.amount for one in lying.wagers}
    assert all(one.amount <= before[one.key] and one.amount % 500 == 0 for one in reduced.wagers)


def test_who_keeps_a_place_for_three_rounds_without_a_wager_may_be_asked_to_leave() -> None:
    missed: dict[int, int] = {}
    for _ in range(2):
        missed = after_round(missed, places=3, used=[1, 2, 3], wagered=[1, 2])
    assert (missed, may_be_asked(missed)) == ({3: 2}, ())
    assert after_round(missed, places=3, used=[1, 3], wagered=[1]) == {}
    assert after_round(missed, places=3, used=[1, 2, 3], wagered=[3]) == {1: 1, 2: 1}
    missed = after_round(missed, places=3, used=[1, 2, 3], wagered=[1])
    assert (missed, may_be_asked(missed)) == ({2: 1, 3: 3}, (3,))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: BetLimits(minimum=0),
        lambda: BetLimits(minimum=10, maximum=9),
        lambda: BetLimits(unit=0),
        lambda: Sign(chip=0),
        lambda: Sign(chip=1, differential=0),
        lambda: wager(1, "tie", 0),
    ],
)
def test_a_sign_or_wager_that_makes_no_sense_cannot_be_made(wrong: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="a"):
        wrong()
