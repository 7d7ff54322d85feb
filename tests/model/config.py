"""How coups are dealt, and what stays the same while a table runs (contracts 7 and 8)."""

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, kw_only=True)
class Parts:
    """How a coup is dealt (contracts 7)."""

    closes: Literal["first-card", "no-more-bets"]
    four: Literal["on-draw", "press", "reveal"]
    p3: Literal["on-draw", "press", "reveal"]
    b3: Literal["on-draw", "press", "reveal"]
    one_by_one: bool = False
    ends: Literal["auto", "press", "confirm"]

    def on_draw(self, slot: str) -> bool:
        """Whether a card in `slot` is turned as it is drawn."""
        when = self.p3 if slot == "P3" else self.b3 if slot == "B3" else self.four
        return when == "on-draw"


def _word(
    p3: Literal["on-draw", "reveal"],
    b3: Literal["on-draw", "reveal"],
    *,
    one_by_one: bool = False,
) -> Parts:
    return Parts(
        closes="no-more-bets",
        four="reveal",
        p3=p3,
        b3=b3,
        one_by_one=one_by_one,
        ends="confirm",
    )


PROCEDURES: Final[dict[str, Parts]] = {
    "face-up": Parts(closes="first-card", four="on-draw", p3="on-draw", b3="on-draw", ends="auto"),
    "result-button": Parts(closes="first-card", four="press", p3="press", b3="press", ends="press"),
    "dealer-reveal": _word("reveal", "reveal"),
    "squeeze": _word("reveal", "reveal", one_by_one=True),
    "method-b": _word("on-draw", "reveal"),
    "method-c": _word("on-draw", "on-draw"),
}
METHODS: Final = {
    "A": "squeeze",
    "B": "method-b",
    "C": "method-c",
    "D": "squeeze",
    "E": "squeeze",
}


@dataclass(frozen=True, kw_only=True)
class Config:
    """What stays the same while a table runs."""

    table: str = "TABLE"
    rules: str = "nsw"
    others: tuple[str, ...] = ()
    procedure: str = "face-up"
    decks: int = 8
    settle_s: float = 0
    betting_opens: Literal["auto", "command"] = "auto"
    side_bets: tuple[str, ...] = ()
    two_persons: frozenset[str] = frozenset()
    attest: Literal["recorded", "required"] = "recorded"
    main_floor: bool = True
    opened: bool = True
    min_gap_ms: int = 0
    """The shoe cannot give two cards sooner after each other; 0: no such limit."""
