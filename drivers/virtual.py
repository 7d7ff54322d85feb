"""The virtual shoe: whole shoes, shuffled and dealt by the real rules at a human pace, as a script.

The same options give the same script, to the byte and the microsecond. Nothing here waits or writes; whoever
plays the script does.
"""

from collections.abc import Iterator
from random import Random
from typing import Literal

import msgspec

from drivers.beats import COURSES, LATE
from drivers.dealer import BEHIND_CUT, Dealer
from drivers.encoder import ProfileEncoder
from drivers.mistakes import MISTAKES, Mistake
from drivers.script import Action
from drivers.shapes import ShoeFile


class VirtualOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What is dealt, and how.

    `coups`: how many in all, None without end. `speed` divides every pause. `burn`: a number of cards, or by
    the value of the first. `late`: odds for each coup that a press is forgotten until the next card is out.
    `unread`: odds for each card that the shoe cannot read it. `mistakes`: one of them is made in each shoe,
    and a supervisor puts it right. `opening`: whether the table is opened and the first shoe loaded and
    burned; without it the script starts at P1 of a whole shoe.

    Face up the table must give a coup a few seconds to settle, or a card too many in it is one of the next.
    """

    procedure: str
    seed: int
    decks: int = 8
    coups: int | None = None
    speed: float = 1.0
    burn: int | Literal["value"] = "value"
    late: float = 0.0
    unread: float = 0.0
    mistakes: tuple[Mistake, ...] = ()
    opening: bool = True

    def __post_init__(self) -> None:
        if self.procedure not in COURSES:
            raise ValueError(f"no procedure {self.procedure!r}: one of {', '.join(COURSES)}")
        if self.late and self.procedure not in LATE:
            raise ValueError(f"a press is never late in {self.procedure}: only in {', '.join(sorted(LATE))}")
        for mistake in self.mistakes:
            if mistake not in MISTAKES[self.procedure]:
                raise ValueError(f"no mistake {mistake!r} in {self.procedure}")
        if self.decks < 1 or (self.burn != "value" and not 0 <= self.burn <= BEHIND_CUT):
            raise ValueError(f"wants at least one deck, and at most {BEHIND_CUT} cards burned")
        if self.speed <= 0:
            raise ValueError("wants a speed over 0")


def virtual_shoe(profile: ShoeFile, options: VirtualOptions) -> Iterator[Action]:
    """Script of a table whose shoe speaks as `profile` says.

    Raises ValueError where cards are to go by unread and the profile has no frame for that, and where a shoe
    has more cards of a face than the profile has tags of it.
    """
    encoder = ProfileEncoder(profile)
    if options.unread and not encoder.unread_signs:
        raise ValueError(f"a shoe of {profile.meta.id} cannot tell of an unread card")
    rng = Random(options.seed)  # noqa: S311 - a game to watch and to test with, seeded on purpose
    dealer = Dealer(encoder, rng, options.procedure, options.speed)
    if options.opening:
        yield from dealer.open_table()
    yield from dealer.new_shoe(options.decks, options.burn if options.opening else None, options.mistakes)
    dealt = 0
    while options.coups is None or dealt < options.coups:
        if dealer.shoe_is_over:
            yield from dealer.close_shoe()
            yield from dealer.new_shoe(options.decks, options.burn, options.mistakes)
        yield from dealer.deal(options.late, options.unread)
        dealt += 1
