"""The cage's own books: every wager and where its money went, from what the cage was told and nothing else.

What a result brings is worked out here from the rules files' text, apart from the program's own settlement.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from shoe_daemon.runtime.resources import rules_file

Json = dict[str, Any]
CoupKey = tuple[int, int]
FIGURES = ("stake", "paid", "commission", "returned", "kept", "void")


class Key(NamedTuple):
    """What tells the wagers of a coup apart."""

    seat: int
    backer: str
    bet: str
    voucher: bool


class End(NamedTuple):
    """What became of a wager, in minor units."""

    kind: str
    stake: int
    paid: int = 0
    commission: int = 0
    returned: int = 0
    kept: int = 0
    void: int = 0


class Terms(NamedTuple):
    """What the money is reckoned by. `side_bets`: all the odds that each may pay."""

    chip: int
    side_bets: dict[str, tuple[str, ...]]


MARKED = "-marked"
"""Ends the name of rules that are those of the file of that name, but for a commission that is marked."""


@cache
def _rules(name: str) -> Json:
    data, _ = rules_file(name.removesuffix(MARKED))
    rules: Json = tomllib.loads(data.decode())
    if name.endswith(MARKED):
        rules["pay"]["banker"]["commission"] = "marked"
    return rules


def _marked(rules: Json, bet: str) -> bool:
    return bet == "banker" and rules["pay"]["banker"]["commission"] == "marked"


def _odds(rules: Json, bet: str, terms: Terms) -> list[Fraction]:
    """All the odds that a wager on `bet` may win."""
    if bet in terms.side_bets:
        return [Fraction(one) for one in terms.side_bets[bet]]
    pay = rules["pay"][bet]
    return [Fraction(pay["odds"]), *(Fraction(one) for one in pay.get("on_points", {}).values())]


def _valid(rules: Json, bet: str, amount: int, terms: Terms) -> int:
    """The most of `amount` that could be paid without a rest, found by trying."""
    method = rules["wagers"]["payout_rounding"]["method"]
    if method == "round_up":
        return amount
    unit = terms.chip if method == "void_remainder" else 1
    odds = _odds(rules, bet, terms)
    if _marked(rules, bet):  # one to one in chips, the commission in whole minor units
        return next(n for n in range(amount, -1, -1) if n % unit == 0 and n * odds[0] % 1 == 0)
    return next(part for part in range(amount, -1, -1) if all(part * one % unit == 0 for one in odds))


def _won(rules: Json, bet: str, result: Json, pays: Json) -> Fraction | None:
    """The odds that `bet` won in `result`, 0 for a push, None where it lost."""
    if bet not in {"player", "banker", "tie"}:
        side = {"win": Fraction(pays.get(bet, "0")), "push": Fraction(0), "lose": None}
        return side[result["bets"][bet]]
    outcome = result["outcome"]
    if bet == outcome:
        main = rules["pay"][bet]
        points = str(result[outcome]["points"]) if bet == "banker" else ""
        return Fraction(main.get("on_points", {}).get(points, main["odds"]))
    push = outcome == "tie" and bet in rules["pay"]["push_on_tie"]["bets"]
    return Fraction(0) if push else None


def evaluate(key: Key, stake: int, result: Json, pays: Json, terms: Terms) -> End:
    """What `result` brings to a wager."""
    rules = _rules(result["rules"]["name"])
    part = _valid(rules, key.bet, stake, terms)
    void = stake - part
    if not part:
        return End("void", stake, returned=stake, void=stake)
    odds = _won(rules, key.bet, result, pays)
    if odds is None:
        return End("lose", stake, returned=void, kept=part, void=void)
    if odds == 0:
        gone = part if key.voucher and not rules["wagers"]["vouchers"]["stay_on_push"] else 0
        return End("push", stake, returned=stake - gone, kept=gone, void=void)
    unit = 1 if rules["wagers"]["payout_rounding"]["method"] == "exact" else terms.chip
    paid = 0
    while paid < (part if _marked(rules, key.bet) else part * odds):
        paid += unit
    taken = key.bet == "banker" and rules["pay"]["banker"]["commission"] == "per_coup"
    commission = max(0, part - paid) if taken else 0
    if _marked(rules, key.bet):
        commission = int(part - part * odds)
    gone = part if key.voucher else 0
    return End("win", stake, paid, commission, stake - gone, gone, void)


class Ledger:
    """`felt`: wagers that lie on the table, by coup; `ends`: what became of those that were settled.

    `ways`: how often money went each way, to see that a test has been there.
    """

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.felt: dict[CoupKey, dict[Key, int]] = {}
        self.ends: dict[CoupKey, dict[Key, End]] = {}
        self.ways: Counter[str] = Counter()
        self.put = 0
        self.back = 0
        self.kept = 0
        self.owed: Counter[tuple[int, str]] = Counter()
        self.collected: Counter[tuple[int, str]] = Counter()
        self._parked: set[CoupKey] = set()
        self._results: dict[CoupKey, Json] = {}

    def hear(self, event: Json) -> None:
        """Take in one event of the cage; AssertionError where its money does not fit."""
        write = getattr(self, "_" + event["type"].replace(".", "_"), None)
        if write is not None:
            write((event["shoe"], event["coup"]), event["data"])

    def balanced(self) -> None:
        """Every unit that was put down lies there, went back, or was kept."""
        there = sum(sum(wagers.values()) for wagers in self.felt.values())
        assert self.put == self.back + self.kept + there
        due: Counter[tuple[int, str]] = Counter()
        for coup, ends in self.ends.items():
            rules = _rules(self._results[coup]["rules"]["name"])
            for key, end in ends.items():
                due[key.seat, key.backer] += end.commission if _marked(rules, key.bet) else 0
        for who in due.keys() | self.owed.keys():
            assert self.owed[who] + self.collected[who] == due[who], who

    def open(self) -> dict[CoupKey, dict[Key, int]]:
        """Wagers that lie there."""
        return {coup: wagers for coup, wagers in self.felt.items() if wagers}

    def _wager_placed(self, coup: CoupKey, data: Json) -> None:
        key = _key(data)
        wagers = self.felt.setdefault(coup, {})
        self.back += wagers.get(key, 0)
        self.put += data["amount"]
        wagers[key] = data["amount"]
        self.ways["late" if data["late"] else "placed"] += 1
        self.ways["raised"] += data["raised"] > 0

    def _take(self, coup: CoupKey, key: Key, amount: int) -> None:
        lay = self.felt[coup].pop(key)
        assert lay == amount, (coup, key)
        self.back += amount

    def _wager_withdrawn(self, coup: CoupKey, data: Json) -> None:
        self._take(coup, _key(data), data["amount"])
        self.ways["withdrawn"] += 1

    def _wagers_returned(self, coup: CoupKey, data: Json) -> None:
        _sums(data["lines"], data["totals"])
        for line in data["lines"]:
            assert _end(line) == End("returned", line["stake"], returned=line["stake"])
            self._take(coup, _key(line), line["stake"])
        self.ways[f"returned: {data['reason']}"] += 1

    def _commission_marked(self, _: CoupKey, data: Json) -> None:
        who = (data["seat"], data["backer"])
        self.owed[who] += data["amount"]
        assert self.owed[who] == data["owed"]
        self.ways["marked" if data["amount"] > 0 else "marked: taken back"] += 1

    def _commission_settled(self, _: CoupKey, data: Json) -> None:
        who = (data["seat"], data["backer"])
        assert data["amount"] == self.owed[who] != 0
        self.collected[who] += self.owed.pop(who)
        self.ways["commission settled"] += 1

    def _differential_applied(self, coup: CoupKey, data: Json) -> None:
        for one in data["proposal"]["reductions"]:
            key = Key(*one["key"])
            self._take(coup, key, one["before"])
            if one["after"]:
                self.felt[coup][key] = one["after"]
                self.back -= one["after"]
        self.ways["reduced"] += 1

    def _coup_pending(self, coup: CoupKey, _: Json) -> None:
        self._parked.add(coup)

    def _coup_result(self, coup: CoupKey, data: Json) -> None:
        self._results[coup] = data

    def _settlement(self, coup: CoupKey, data: Json) -> None:
        lines = data["stakes"]
        _sums(lines, data["totals"])
        before = self.ends.get(coup, {})
        ends = dict(before)
        for line in lines:
            was = before.get(_key(line))
            now = _end(line)
            sums = [getattr(now, name) + (0 if was is None else getattr(was, name)) for name in FIGURES]
            ends[_key(line)] = End(now.kind, *sums)
        if data["revision"] == 1:
            assert {key: end.stake for key, end in ends.items()} == self.felt.pop(coup, {}), coup
            self.ways["parked"] += coup in self._parked and bool(ends)
        assert set(ends) == set(before) or not before, coup
        self.ends[coup] = ends
        for key, end in ends.items():
            assert end == self._should_be(coup, key, end.stake, data), (coup, key)
        self._count(before, ends)

    def _should_be(self, coup: CoupKey, key: Key, stake: int, data: Json) -> End:
        if data["kind"] == "return":
            self.ways[f"invalid: {'forfeited' if key.seat in data['forfeit'] else 'returned'}"] += 1
            if key.seat in data["forfeit"]:
                part = _valid(_rules(self._results[coup]["rules"]["name"]), key.bet, stake, self.terms)
                return End("forfeited", stake, returned=stake - part, kept=part, void=stake - part)
            return End("returned", stake, returned=stake)
        end = evaluate(key, stake, self._results[coup], data["pays"], self.terms)
        self.ways[f"{data['kind']}: {end.kind}"] += 1
        return end

    def _count(self, before: dict[Key, End], after: dict[Key, End]) -> None:
        for end in before.values():
            self.back -= end.returned
            self.kept -= end.kept
        for end in after.values():
            assert end.stake == end.returned + end.kept
            self.back += end.returned
            self.kept += end.kept


def _key(said: Json) -> Key:
    return Key(said["seat"], said["backer"], said["bet"], said["voucher"])


def _end(line: Json) -> End:
    return End(line["kind"], *(line[name] for name in FIGURES))


def _sums(lines: Iterable[Json], totals: Json) -> None:
    """The totals of an event are those of its lines."""
    told = list(lines)
    assert len({_key(line) for line in told}) == len(told)
    assert totals == {name: sum(line[name] for line in told) for name in FIGURES if name != "void"}
