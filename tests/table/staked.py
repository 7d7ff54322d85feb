"""Deals at a table that takes wagers, and what its cage is told of them. Amounts are minor units."""

from typing import Any

from tests.table.dealt import Deal

SIDES = ("player", "banker")
PLAYER_WINS = ("9S", "2H", "KD", "5C")
BANKER_WINS = ("2H", "9S", "5C", "KD")
TIE = ("2H", "9S", "7C", "KD")


class Slow(Deal):
    """A capture in which time may pass without anything happening."""

    def wait(self, seconds: int) -> None:
        """Let time pass before the next thing."""
        self._t += seconds


def sign(chip: int = 500, differential: int | None = None, **of: int) -> dict[str, Any]:
    """Settings of a table that takes wagers: the smallest chip, and limits of both hands."""
    limits = dict.fromkeys((*SIDES, "tie"), of) if of else {}
    said = {"chip": chip, "limits": limits}
    return {"wagers": said if differential is None else {**said, "differential": differential}}


def nsw(differential: int | None = None, **of: int) -> Deal:
    """A table under the first document, its dealer turning the cards."""
    return Deal(rules="nsw", procedure="dealer-reveal", house=sign(500, differential, **of))


def nzg(**of: int) -> Deal:
    """A table under the Gazette, chips of 500."""
    return Deal(rules="nzg-1994", procedure="dealer-reveal", house=sign(500, **of))


def net(chip: int = 100, **of: int) -> Deal:
    """A table under the page of the game on the Internet, cards face up."""
    return Deal(rules="intercasino", procedure="face-up", house=sign(chip, **of))


def coup(deal: Deal, cards: tuple[str, ...]) -> Deal:
    """A whole coup, closed, turned and confirmed by the dealer."""
    return deal.say("no_more_bets").cards(*cards).say("reveal").say("confirm")


def wager(deal: Deal, seat: int, bet: str, amount: int, **more: Any) -> Deal:  # noqa: ANN401 - of any wager
    """A wager of a seat."""
    return deal.say("wager", "dealer:1", seat=seat, bet=bet, amount=amount, **more)


def refused(deal: Deal) -> list[str]:
    """Why commands were refused, in order."""
    return [one["reason"] for one in deal.data("command.refused")]


def placed(deal: Deal) -> list[tuple[int, str, int]]:
    """Wagers taken: seat, bet, amount."""
    return [(one["seat"], one["bet"], one["amount"]) for one in deal.data("wager.placed", "cage")]


def stakes(deal: Deal) -> list[dict[int, tuple[str, int, int, int]]]:
    """Of each settlement by seat: what became of the wager, paid, returned, kept."""
    return [
        {line["seat"]: (line["kind"], line["paid"], line["returned"], line["kept"]) for line in one["stakes"]}
        for one in deal.data("settlement", "cage")
    ]


def held(deal: Deal) -> list[tuple[int | None, str, str | None]]:
    """To whom bank, marker or shoe went, why, and by which rule."""
    return [(one["to"], one["reason"], one["rule"]) for one in deal.data("bank.passed", "cage")]
