"""The limits that a sign at the table states (NSW-6.1)."""

from typing import Final, Literal

Limit = Literal["minimum", "maximum", "differential", "unit"]
LIMITS: Final[tuple[Limit, ...]] = ("minimum", "maximum", "differential", "unit")
