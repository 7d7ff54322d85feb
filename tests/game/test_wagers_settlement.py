"""What wagers bring, against a second evaluation that shares nothing with the first but the rules' words."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoe_daemon.game.cards import Outcome
from shoe_daemon.game.profile import RuleProfile, parse_rules
from shoe_daemon.game.wagers import (
    Amounts,
    Book,
    Line,
    Settlement,
    Sign,
    Terms,
    Wager,
    adjust,
    give_back,
    settle,
)
from tests.game.test_profile import NAMES, NSW, shipped
from tests.game.test_profile import RULES as RULES_FOLDER

RULES = {name: shipped(name) for name in NAMES}
NZG = (RULES_FOLDER / "nzg-1994.toml").read_text()
MARKED = parse_rules(NSW.replace('"per_coup"', '"marked"').encode(), "marked.toml")
MARKED_EXACTLY = parse_rules(NZG.replace('"per_coup"', '"marked"').encode(), "marked.toml")
SIDE_BETS = {"player-pair": ("11",), "small": ("3/2",), "dragon": ("30", "10", "1")}
OUTCOMES: tuple[Outcome, ...] = ("player", "banker", "tie")


def closed(*wagers: Wager) -> Book:
    return Book("closed", wagers)


class Ended(msgspec.Struct, frozen=True):
    """A coup as it ended. `side`: the odds won by each side bet, "0" for a push, None where it lost."""

    rules: RuleProfile
    outcome: Outcome
    points: int = 5
    chip: int = 500
    side: dict[str, str | None] = msgspec.field(default_factory=lambda: dict.fromkeys(SIDE_BETS))


def settled(coup: Ended, *wagers: Wager) -> Settlement:
    terms = Terms(coup.rules, Sign(chip=coup.chip), SIDE_BETS)
    return settle(closed(*wagers), coup.rules.pays(coup.outcome, coup.points), coup.side, terms)


def one(coup: Ended, bet: str, amount: int, *, voucher: bool = False) -> Amounts:
    [line] = settled(coup, Wager(seat=1, bet=bet, amount=amount, voucher=voucher)).lines
    return line.amounts


@pytest.mark.parametrize(
    ("coup", "bet", "amount", "expected"),
    [
        (Ended(RULES["nzg-1994"], "banker", 5, 500), "banker", 13000, Amounts(13000, 9500, 500, 13000, 0)),
        (Ended(RULES["nzg-1994"], "banker", 5, 100), "banker", 13000, Amounts(13000, 11400, 600, 13000, 0)),
        (Ended(RULES["nzg-1994"], "banker", 5, 50), "banker", 13000, Amounts(13000, 12350, 650, 13000, 0)),
        (Ended(RULES["nzg-1994"], "player", 5, 500), "banker", 13000, Amounts(13000, 0, 0, 3000, 10000)),
        (Ended(RULES["nzg-1994"], "player", 5, 500), "banker", 9500, Amounts(9500, 0, 0, 9500, 0)),
        (Ended(RULES["nsw"], "banker", 5, 500), "banker", 13000, Amounts(13000, 12500, 500, 13000, 0)),
        (Ended(RULES["nsw"], "banker", 5, 500), "banker", 500, Amounts(500, 500, 0, 500, 0)),
        (Ended(RULES["intercasino"], "banker", 5, 100), "banker", 500, Amounts(500, 475, 25, 500, 0)),
        (Ended(RULES["live"], "banker", 5, 100), "banker", 500, Amounts(500, 475, 0, 500, 0)),
        (Ended(RULES["nsw-even-money"], "banker", 6, 500), "banker", 1000, Amounts(1000, 500, 0, 1000, 0)),
        (Ended(RULES["nsw-even-money"], "banker", 7, 500), "banker", 1000, Amounts(1000, 1000, 0, 1000, 0)),
        (Ended(RULES["nsw-even-money"], "banker", 6, 500), "banker", 500, Amounts(500, 500, 0, 500, 0)),
        (Ended(RULES["nsw"], "player", 7, 500), "player", 1000, Amounts(1000, 1000, 0, 1000, 0)),
        (Ended(RULES["nsw"], "tie", 7, 500), "tie", 1000, Amounts(1000, 8000, 0, 1000, 0)),
        (Ended(RULES["nsw"], "player", 7, 500), "tie", 1000, Amounts(1000, 0, 0, 0, 1000)),
        (Ended(RULES["nsw"], "tie", 7, 500), "player", 1000, Amounts(1000, 0, 0, 1000, 0)),
        (Ended(RULES["nsw"], "tie", 7, 500), "banker", 1000, Amounts(1000, 0, 0, 1000, 0)),
    ],
)
def test_what_a_wager_brings(coup: Ended, bet: str, amount: int, expected: Amounts) -> None:
    assert one(coup, bet, amount) == expected


def test_a_marked_commission_is_owed_and_not_taken_off() -> None:
    assert one(Ended(MARKED, "banker"), "banker", 13000) == Amounts(13000, 13000, 650, 13000, 0)
    assert settled(Ended(MARKED, "banker")).commission == "marked"
    assert one(Ended(MARKED_EXACTLY, "banker"), "banker", 13000) == Amounts(13000, 13000, 650, 13000, 0)
    assert one(Ended(MARKED_EXACTLY, "banker", chip=1), "banker", 130) == Amounts(130, 120, 6, 130, 0)


def test_a_voucher_is_given_up_unless_it_stands() -> None:
    nsw = RULES["nsw"]
    assert one(Ended(nsw, "player"), "player", 1000, voucher=True) == Amounts(1000, 1000, 0, 0, 1000)
    assert one(Ended(nsw, "banker"), "player", 1000, voucher=True) == Amounts(1000, 0, 0, 0, 1000)
    assert one(Ended(nsw, "tie"), "player", 1000, voucher=True) == Amounts(1000, 0, 0, 1000, 0)
    assert one(Ended(nsw, "banker"), "banker", 300, voucher=True) == Amounts(300, 500, 0, 0, 300)
    given_up = parse_rules(NSW.replace("stay_on_push = true", "stay_on_push = false").encode(), "mine.toml")
    assert one(Ended(given_up, "tie"), "player", 1000, voucher=True) == Amounts(1000, 0, 0, 0, 1000)
    assert one(Ended(given_up, "tie"), "player", 1000) == Amounts(1000, 0, 0, 1000, 0)


def test_on_a_tie_wagers_may_be_lost_where_the_rules_say_so() -> None:
    lost = NSW.replace('bets = ["player", "banker"]', 'bets = ["banker"]')
    rules = parse_rules(lost.encode(), "mine.toml")
    assert one(Ended(rules, "tie"), "player", 1000) == Amounts(1000, 0, 0, 0, 1000)
    assert one(Ended(rules, "tie"), "banker", 1000) == Amounts(1000, 0, 0, 1000, 0)


def test_side_bets_are_paid_at_the_odds_told_of_them() -> None:
    wagers = [Wager(seat=1, bet=bet, amount=1000) for bet in SIDE_BETS]
    told = settled(
        Ended(RULES["nsw"], "player", side={"player-pair": "11", "small": "0", "dragon": None}), *wagers
    )
    kinds = {line.key.bet: (line.kind, line.amounts.paid) for line in told.lines}
    assert kinds == {"player-pair": ("win", 11000), "small": ("push", 0), "dragon": ("lose", 0)}
    assert told.pays == {"player": "1", "player-pair": "11", "small": "0"}


def test_a_wager_on_a_bet_that_nobody_judged_is_not_settled() -> None:
    with pytest.raises(ValueError, match="nothing is known of small"):
        settled(Ended(RULES["nsw"], "player", side={}), Wager(seat=1, bet="small", amount=1000))


@pytest.mark.parametrize("state", ["open", "withdraw_only"])
def test_a_book_that_can_still_change_is_not_settled(state: Literal["open", "withdraw_only"]) -> None:
    terms = Terms(RULES["nsw"], Sign(chip=500))
    with pytest.raises(ValueError, match="cannot be settled"):
        settle(Book(state), {"player": "1"}, {}, terms)


def test_a_no_bet_coup_and_a_void_one_give_wagers_back() -> None:
    terms = Terms(RULES["nsw"], Sign(chip=500))
    wagers = (Wager(seat=1, bet="tie", amount=1000), Wager(seat=2, bet="player", amount=500, voucher=True))
    bare = settle(Book("open", wagers).without_bets(), {"tie": "8"}, {}, terms)
    void = give_back(closed(*wagers), terms)
    assert (bare.kind, bare.pays, void.kind, void.pays) == ("none", {}, "return", {})
    for told in (bare, void):
        assert {line.kind for line in told.lines} == {"returned"}
        assert told.totals == Amounts(stake=1500, returned=1500)


def test_an_invalidated_coup_forfeits_a_cheats_wager_alone() -> None:
    rules = RULES["nsw"]
    wagers = [Wager(seat=seat, bet="player", amount=1000) for seat in (1, 2)]
    paid = settled(Ended(rules, "player"), *wagers)
    undone = give_back(closed(*wagers), Terms(rules, Sign(chip=500)), forfeits=[wagers[1].key])
    assert [(line.kind, line.amounts.kept) for line in undone.lines] == [("returned", 0), ("forfeited", 1000)]
    change = adjust(undone, paid)
    assert (change.kind, change.pays) == ("adjust", {})
    assert [(line.key.seat, line.amounts) for line in change.lines] == [
        (1, Amounts(0, -1000, 0, 0, 0)),
        (2, Amounts(0, -1000, 0, -1000, 1000)),
    ]


def test_a_part_that_chips_could_not_pay_is_no_wager_to_forfeit() -> None:
    wagers = [Wager(seat=1, bet="banker", amount=10500)]
    undone = give_back(closed(*wagers), Terms(RULES["nzg-1994"], Sign(chip=500)), [wagers[0].key])
    assert undone.lines == (Line(wagers[0].key, "forfeited", Amounts(10500, 0, 0, 500, 10000), 500),)


def test_a_revision_is_the_new_settlement_less_the_old() -> None:
    rules = RULES["nzg-1994"]
    wagers = [Wager(seat=1, bet="banker", amount=10000), Wager(seat=2, bet="player", amount=500)]
    change = adjust(settled(Ended(rules, "player"), *wagers), settled(Ended(rules, "banker"), *wagers))
    assert (change.kind, change.pays) == ("adjust", {"player": "1"})
    assert [(line.key.bet, line.kind, line.amounts) for line in change.lines] == [
        ("banker", "lose", Amounts(0, -9500, -500, -10000, 10000)),
        ("player", "win", Amounts(0, 500, 0, 500, -500)),
    ]
    same = settled(Ended(rules, "player"), *wagers)
    assert (adjust(same, same).lines, adjust(same, same).totals) == ((), Amounts())


def test_after_a_tie_wagers_stand_and_none_is_carried() -> None:
    wagers = [Wager(seat=1, bet="banker", amount=10000), Wager(seat=2, bet="tie", amount=500)]
    told = settled(Ended(RULES["nzg-1994"], "tie"), *wagers)
    assert [(line.key, line.kind) for line in told.lines] == [
        (wagers[0].key, "push"),
        (wagers[1].key, "win"),
    ]
    assert Book().wagers == ()


def times(stake: int, odds: str) -> Decimal:
    top, _, bottom = odds.partition("/")
    return Decimal(stake) * Decimal(top) / Decimal(bottom or 1)


def paid_at(coup: Ended, bet: str) -> str | None:
    """Say the odds of a bet once the coup has ended, from what the file says."""
    pay = coup.rules.stated.pay
    if bet in SIDE_BETS:
        return coup.side[bet]
    if coup.outcome == "tie" and bet != "tie":
        return "0"
    if coup.outcome != bet:
        return None
    if bet == "banker":
        half = [odds for won, odds in pay.banker.on_points.items() if int(won) == coup.points]
        return half[0] if half else pay.banker.odds
    return pay.player.odds if bet == "player" else pay.tie.odds


def may_pay(coup: Ended, bet: str) -> list[str]:
    """List all the odds that a bet may be paid at."""
    pay = coup.rules.stated.pay
    main = {"player": [pay.player.odds], "tie": [pay.tie.odds]}
    main["banker"] = [pay.banker.odds, *pay.banker.on_points.values()]
    return main[bet] if bet in main else list(SIDE_BETS[bet])


def payments(coup: Ended, made: Wager) -> list[int]:
    """Work out a line with decimals and trial: stake, paid, commission, returned, kept."""
    stated = coup.rules.stated
    rounding = stated.wagers.payout_rounding.method
    taken = stated.pay.banker.commission if made.bet == "banker" else "none"
    unit = 1 if rounding == "exact" else coup.chip
    whole = [(unit, odds) for odds in may_pay(coup, made.bet)]
    if taken == "marked":
        whole = [(unit, "1"), (1, stated.pay.banker.odds)]
    good = made.amount
    while good and rounding != "round_up" and any(times(good, odds) % step for step, odds in whole):
        good -= 1
    void, odds = made.amount - good, paid_at(coup, made.bet)
    if good == 0 or odds == "0":
        return [made.amount, 0, 0, made.amount, 0]
    if odds is None:
        return [made.amount, 0, 0, void, good]
    net = times(good, odds)
    due = Decimal(good) if taken == "marked" else net
    paid = int((due / unit).to_integral_value(ROUND_CEILING)) * unit
    commission = {
        "none": 0,
        "per_coup": max(0, good - paid),
        "marked": int((good - net).to_integral_value(ROUND_FLOOR)),
    }[taken]
    kept = good if made.voucher else 0
    return [made.amount, paid, commission, made.amount - kept, kept]


BETS = st.sampled_from(["player", "banker", "tie", *SIDE_BETS])
WAGERS = st.lists(st.tuples(BETS, st.integers(1, 60), st.booleans()), max_size=12)
COUPS = st.builds(
    Ended,
    st.sampled_from([*RULES.values(), MARKED, MARKED_EXACTLY]),
    st.sampled_from(OUTCOMES),
    st.integers(1, 9),
    st.sampled_from([1, 50, 500]),
    st.fixed_dictionaries({bet: st.sampled_from([None, "0", *odds]) for bet, odds in SIDE_BETS.items()}),
)


def laid(made: list[tuple[str, int, bool]], chip: int) -> tuple[Wager, ...]:
    return tuple(
        Wager(seat=seat, bet=bet, amount=chips * chip + voucher * 7, voucher=voucher)
        for seat, (bet, chips, voucher) in enumerate(made, start=1)
    )


@given(COUPS, WAGERS)
def test_every_sum_balances_and_equals_a_second_evaluation(
    coup: Ended, made: list[tuple[str, int, bool]]
) -> None:
    wagers = laid(made, coup.chip)
    told = settled(coup, *wagers)
    expected = [payments(coup, one) for one in wagers]
    assert [list(msgspec.structs.astuple(line.amounts)) for line in told.lines] == expected
    sums = [sum(column) for column in zip(*expected, strict=True)] or [0] * 5
    assert list(msgspec.structs.astuple(told.totals)) == sums
    for line in told.lines:
        money = line.amounts
        assert money.stake == money.returned + money.kept
        assert min(msgspec.structs.astuple(money)) >= 0
        assert line.void <= money.returned


@given(st.sampled_from([*RULES.values(), MARKED, MARKED_EXACTLY]), WAGERS, st.permutations(OUTCOMES))
def test_revisions_add_up_to_the_last_settlement(
    rules: RuleProfile, made: list[tuple[str, int, bool]], turns: list[Outcome]
) -> None:
    first, *others = [settled(Ended(rules, outcome), *laid(made, 500)) for outcome in turns]
    running, before = msgspec.structs.astuple(first.totals), first
    for told in others:
        change = adjust(told, before)
        total = msgspec.structs.astuple(change.totals)
        lines = [msgspec.structs.astuple(line.amounts) for line in change.lines]
        assert total == tuple(sum(column) for column in zip(*lines, strict=True)) or not (lines or any(total))
        running, before = tuple(sum(pair) for pair in zip(running, total, strict=True)), told
    assert running == msgspec.structs.astuple(before.totals)


@given(WAGERS, st.data())
def test_what_is_given_back_is_all_of_it_but_the_forfeits(
    made: list[tuple[str, int, bool]], data: st.DataObject
) -> None:
    wagers = laid(made, 1)
    forfeits = data.draw(st.sets(st.sampled_from([one.key for one in wagers]))) if wagers else set()
    told = give_back(closed(*wagers), Terms(RULES["nsw"], Sign(chip=500), SIDE_BETS), forfeits)
    kept = sum(one.amount for one in wagers if one.key in forfeits)
    whole = sum(one.amount for one in wagers)
    assert told.totals == Amounts(stake=whole, returned=whole - kept, kept=kept)
