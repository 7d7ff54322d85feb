"""What every event has: its audiences, its place in the order, what it is about."""

from typing import ClassVar, Final

import msgspec

PUBLIC: Final = "public"
SURVEILLANCE: Final = "surveillance"
CAGE: Final = "cage"
AUDIENCES: Final = (PUBLIC, SURVEILLANCE, CAGE)
STAFF: Final = (SURVEILLANCE, CAGE)


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Something that became true. `shoe`, `coup`: what it is about, null where it is about none.

    `times`: fields in microseconds since 1970 here, told as text.
    """

    audiences: ClassVar[tuple[str, ...]] = ()
    rank: ClassVar[int] = 0
    internal: ClassVar[frozenset[str]] = frozenset()
    times: ClassVar[frozenset[str]] = frozenset()
    only: ClassVar[dict[str, tuple[str, ...]]] = {}

    shoe: int | None = None
    coup: int | None = None
