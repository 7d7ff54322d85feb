"""How a table deals: the procedures of the house as rows of data, each part settable alone."""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from shoe_daemon.game.cards import Slot
from shoe_daemon.game.methods import Method

When = Literal["on-draw", "press", "reveal"]

TURN_ORDER: Final[tuple[Slot, ...]] = ("P1", "P2", "B1", "B2", "P3", "B3")
"""The order in which cards are turned and told: Player, Banker, third cards."""


class Procedure(msgspec.Struct, frozen=True, kw_only=True):
    """One way of dealing. `settle_s`: seconds from a complete coup to its result where it ends by itself."""

    name: str
    betting_closes: Literal["first-card", "no-more-bets"]
    first_four: When
    p3: When
    b3: When
    hands: Literal["together", "one-by-one"]
    coup_ends: Literal["auto", "press", "confirm"]
    settle_s: float = 0.0
    betting_opens: Literal["auto", "command"] = "auto"
    method: Method | None = None

    def on_draw(self, slot: Slot) -> bool:
        """Whether a card in `slot` lies face up as soon as it is drawn."""
        when = self.p3 if slot == "P3" else self.b3 if slot == "B3" else self.first_four
        return when == "on-draw"

    @property
    def by_press(self) -> bool:
        """One press a coup: the fifth and sixth card wait for it."""
        return self.coup_ends == "press"


PROCEDURES: Final[Mapping[str, Procedure]] = {
    row.name: row
    for row in (
        Procedure(
            name="face-up",
            betting_closes="first-card",
            first_four="on-draw",
            p3="on-draw",
            b3="on-draw",
            hands="together",
            coup_ends="auto",
        ),
        Procedure(
            name="result-button",
            betting_closes="first-card",
            first_four="press",
            p3="press",
            b3="press",
            hands="together",
            coup_ends="press",
        ),
        Procedure(
            name="dealer-reveal",
            betting_closes="no-more-bets",
            first_four="reveal",
            p3="reveal",
            b3="reveal",
            hands="together",
            coup_ends="confirm",
        ),
        Procedure(
            name="squeeze",
            betting_closes="no-more-bets",
            first_four="reveal",
            p3="reveal",
            b3="reveal",
            hands="one-by-one",
            coup_ends="confirm",
        ),
        Procedure(
            name="method-b",
            betting_closes="no-more-bets",
            first_four="reveal",
            p3="on-draw",
            b3="reveal",
            hands="together",
            coup_ends="confirm",
            method="B",
        ),
        Procedure(
            name="method-c",
            betting_closes="no-more-bets",
            first_four="reveal",
            p3="on-draw",
            b3="on-draw",
            hands="together",
            coup_ends="confirm",
            method="C",
        ),
    )
}

METHOD_C: Final = PROCEDURES["method-c"]
"""How every no-bet coup is dealt (NSW-13.6)."""

METHODS: Final[Mapping[Method, Procedure]] = {
    "A": PROCEDURES["squeeze"],
    "B": PROCEDURES["method-b"],
    "C": METHOD_C,
    "D": PROCEDURES["squeeze"],
    "E": PROCEDURES["squeeze"],
}
"""How cards are turned under each dealing method (NSW-10.6)."""

PARTS: Final = tuple(name for name in Procedure.__struct_fields__ if name not in {"name", "method"})
"""The keys by which a part of a procedure is set alone, in configuration and captures."""
