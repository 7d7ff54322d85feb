"""Side bets: what a predicate says of a finished coup, and what a bet's pay table makes of it.

Predicates are code, a closed list that knows no casino; which of their words win, at what odds, and which
push is data (`side_bets_file`). All hands are those of a finished coup: two or three cards, as dealt.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta

from shoe_daemon.game.cards import Card, Hand, rank
from shoe_daemon.game.outcome import Decision, decide_outcome

Answer = tuple[str, ...]
"""The words that are true of a coup, the most particular first; empty where there is nothing to say."""

PredicateName = Literal[
    "outcome",
    "player-margin",
    "banker-margin",
    "cards",
    "player-pair",
    "banker-pair",
    "pairs",
    "perfect-pairs",
]

Odds = Annotated[
    str,
    Meta(
        pattern=r"^[1-9][0-9]*(/[1-9][0-9]*)?\Z",
        description='odds to one as a fraction, such as "27/50" or "11"',
    ),
]
_Text = Annotated[str, Meta(min_length=1)]
_Pays = Annotated[
    dict[str, Odds], Meta(min_length=1, description="at least one line that wins, with its odds")
]


class SideBet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A bet as a file states it: of a coup's words the first in `pays` or `push` decides; with none it loses.

    `instead_of`: the main bet in whose place this one stands. `source` names where the pay table was read,
    `recalled` says that no source was found for it, `not_stated` what the source leaves open.
    """

    title: _Text
    predicate: PredicateName
    pays: _Pays
    push: tuple[str, ...] = ()
    instead_of: Literal["player", "banker", "tie"] | None = None
    source: _Text | None = None
    recalled: _Text | None = None
    not_stated: _Text | None = None

    def __post_init__(self) -> None:
        if self.source is None and self.recalled is None:
            raise ValueError("needs the source of the pay table, or recalled with the reason for it")


class BetResult(NamedTuple):
    """The end of one bet. `odds`: what a win is paid, to one; None for a loss and a push."""

    result: Literal["win", "lose", "push"]
    odds: str | None


class Finished(NamedTuple):
    """A finished coup, as the predicates see it."""

    player: Sequence[Card]
    banker: Sequence[Card]
    how: Decision


class Predicate(NamedTuple):
    """`answers`: all that it can say. `sees`: all card values, or the faces of both hands' first cards."""

    says: Callable[[Finished], Answer]
    answers: frozenset[Answer]
    sees: Literal["values", "first faces"]


def settle_bet(bet: SideBet, player: Sequence[Card], banker: Sequence[Card]) -> BetResult:
    """Give the end of a bet on a finished coup."""
    coup = Finished(player, banker, decide_outcome(player, banker))
    return judge(bet, PREDICATES[bet.predicate].says(coup))


def judge(bet: SideBet, answer: Answer) -> BetResult:
    """Give the end of a bet from what its predicate said."""
    word = deciding(bet, answer)
    if word is None:
        return BetResult("lose", None)
    odds = bet.pays.get(word)
    return BetResult("push", None) if odds is None else BetResult("win", odds)


def deciding(bet: SideBet, answer: Answer) -> str | None:
    """Give the word of an answer that decides a bet, None where the bet names none of them."""
    return next((word for word in answer if word in bet.pays or word in bet.push), None)


def _outcome(coup: Finished) -> Answer:
    how = coup.how
    match how.outcome:
        case "tie":
            return (f"tie-{how.player_points}", "tie")
        case "player":
            won = f"player-{how.player_points}"
            return (f"{won}-on-{len(coup.player)}", won, "player")
        case "banker":
            won = f"banker-{how.banker_points}"
            return (f"{won}-on-{len(coup.banker)}", won, "banker")


def _margin(how: Decision, hand: Hand) -> Answer:
    if how.outcome == "tie":
        return ("natural-tie", "tie") if how.natural else ("tie",)
    if how.outcome != hand:
        return ()
    # Where either hand has a natural no more cards are drawn, so the hand that wins has one itself.
    return ("natural",) if how.natural else (f"by-{abs(how.player_points - how.banker_points)}",)


def _player_margin(coup: Finished) -> Answer:
    return _margin(coup.how, "player")


def _banker_margin(coup: Finished) -> Answer:
    return _margin(coup.how, "banker")


_CARDS: Final[dict[int, Answer]] = {4: ("four",), 5: ("five", "five-or-six"), 6: ("six", "five-or-six")}


def _cards(coup: Finished) -> Answer:
    return _CARDS[len(coup.player) + len(coup.banker)]


def _pair(hand: Sequence[Card]) -> Answer:
    if hand[0] == hand[1]:
        return ("perfect-pair", "pair")
    return ("pair",) if rank(hand[0]) == rank(hand[1]) else ()


def _player_pair(coup: Finished) -> Answer:
    return _pair(coup.player)


def _banker_pair(coup: Finished) -> Answer:
    return _pair(coup.banker)


def _pairs(coup: Finished) -> Answer:
    how = coup.how
    if how.player_pair and how.banker_pair:
        same = rank(coup.player[0]) == rank(coup.banker[0])
        return ("both-of-one-rank", "both", "any") if same else ("both", "any")
    return ("one", "any") if how.player_pair or how.banker_pair else ()


_PERFECT: Final[tuple[Answer, ...]] = ((), ("one", "any"), ("both", "any"))


def _perfect_pairs(coup: Finished) -> Answer:
    return _PERFECT[(coup.player[0] == coup.player[1]) + (coup.banker[0] == coup.banker[1])]


def _wins(hand: Hand, least_on_two: int) -> Iterator[Answer]:
    """Give the wins of a hand: on three cards with any points but 0, on two from the least it stands on."""
    for cards, least in ((2, least_on_two), (3, 1)):
        for points in range(least, 10):
            yield f"{hand}-{points}-on-{cards}", f"{hand}-{points}", hand


_OUTCOMES: Final = frozenset[Answer](
    [
        *_wins("player", 6),
        *_wins("banker", 3),  # the Player's third card was an 8
        *((f"tie-{points}", "tie") for points in range(10)),
    ]
)
_MARGINS: Final = frozenset(
    [(), ("natural",), ("natural-tie", "tie"), ("tie",), *((f"by-{margin}",) for margin in range(1, 10))]
)
_PAIR: Final = frozenset[Answer]([(), ("pair",), ("perfect-pair", "pair")])
_PAIRS: Final = frozenset[Answer]([(), ("one", "any"), ("both", "any"), ("both-of-one-rank", "both", "any")])

PREDICATES: Final[dict[PredicateName, Predicate]] = {
    "outcome": Predicate(_outcome, _OUTCOMES, "values"),
    "player-margin": Predicate(_player_margin, _MARGINS, "values"),
    "banker-margin": Predicate(_banker_margin, _MARGINS, "values"),
    "cards": Predicate(_cards, frozenset(_CARDS.values()), "values"),
    "player-pair": Predicate(_player_pair, _PAIR, "first faces"),
    "banker-pair": Predicate(_banker_pair, _PAIR, "first faces"),
    "pairs": Predicate(_pairs, _PAIRS, "first faces"),
    "perfect-pairs": Predicate(_perfect_pairs, frozenset(_PERFECT), "first faces"),
}
