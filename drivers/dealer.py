"""The dealer of the virtual shoe: draws the cards, presses, now and then forgets, and puts it right alone.

Every method gives actions in the order of time. The dealer goes by the cards on the felt, as a person does:
the course of a coup follows its true faces, whatever a machine has read.
"""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any, Literal

from drivers.beats import COURSES, LATE, NO_BET, Beat, Draw, Press, beats_of, late, slots_of
from drivers.encoder import ProfileEncoder
from drivers.script import Action, CoupOver, NewShoe, Operator, Send
from shoe_daemon.game.cards import DECK, INITIAL, Card, Slot, burn_count

BEHIND_CUT = 14
"""Cards behind the cut card: a coup under way, one more, and one drawn too far always find their cards."""

TAKES_CARE = 12
"""So near the cut card the dealer forgets nothing: which coup is the last one stays beyond doubt."""

DEALER = "dealer:1"
SUPERVISOR = "supervisor:1"


class Dealer:
    """One table and the shoes on it, one after another; `speed` divides every pause."""

    def __init__(self, encoder: ProfileEncoder, rng: Random, procedure: str, speed: float) -> None:
        self._encoder = encoder
        self._rng = rng
        self._procedure = procedure
        self._speed = speed
        self._clock = 0.0
        # One device tells of an unread card always in the same way.
        self._unread_sign = rng.choice(encoder.unread_signs() or ((),))
        self._order: tuple[Card, ...] = ()
        self._used = 0
        self._carried: list[Card] = []
        self._no_bet = False
        self._shoe = 0
        self._coup = 0
        self._coups_left: int | None = None

    @property
    def shoe_is_over(self) -> bool:
        """Whether the last coup after the cut card has been dealt."""
        return self._coups_left == 0

    # --- a shoe -------------------------------------------------------------------------------------------

    def open_table(self) -> Iterator[Action]:
        """Have a supervisor open the table."""
        yield self._says("open_table", SUPERVISOR)
        self._pause(2, 4)

    def new_shoe(self, decks: int, burn: int | Literal["value"] | None) -> Iterator[Action]:
        """Shuffle and load `decks` decks, then burn a number of cards, or as many as the first card says.

        With None the shoe is there already: nobody loads it, and nothing of it is burned.
        """
        order = list(DECK) * decks
        self._rng.shuffle(order)
        self._order, self._used = tuple(order), 0
        self._shoe, self._coup, self._coups_left = self._shoe + 1, 0, None
        count = 1 + burn_count(order[0]) if burn == "value" else burn or 0
        yield NewShoe(self._at(), self._shoe, self._order, count)
        if burn is not None:
            yield self._says("load_shoe", SUPERVISOR)
            self._pause(4, 6)
        if count:
            yield self._says("burn", DEALER, **({} if burn == "value" else {"count": count}))
        for _ in range(count):
            self._pause(0.7, 1.3)
            yield self._sends(self._next())

    def close_shoe(self) -> Iterator[Action]:
        """Count the cards that are left and have a supervisor close the shoe."""
        self._pause(10, 20)
        yield self._says("close_shoe", SUPERVISOR, remaining=len(self._order) - self._used)
        self._pause(20, 30)

    # --- a coup -------------------------------------------------------------------------------------------

    def deal(self, late_odds: float, unread_odds: float) -> Iterator[Action]:
        """Deal one whole coup, with the bets before it and the payments after it."""
        self._coup += 1
        carried, self._carried = self._carried, []
        no_bet, self._no_bet = self._no_bet, False
        cards = [*carried, *self._order[self._used : self._used + 6]]
        slots = slots_of(cards)
        lies = dict(zip(slots, cards, strict=False))  # the cards after them belong to later coups
        beats, tail = beats_of(NO_BET if no_bet else COURSES[self._procedure], slots), list[Beat]()
        if not no_bet and self._forgets(late_odds):
            beats, tail = late(beats, self._which(beats))
            unread_odds = 0.0
        if not no_bet and len(carried) <= 1:
            yield from self._takes_bets()
        yield from self._plays(beats[len(carried) :], lies, unread_odds)
        if tail:
            yield from self._draws_too_far(len(slots))
            yield from self._plays(tail, lies, 0.0)
        player, banker = (tuple(card for slot, card in lies.items() if slot[0] == side) for side in "PB")
        yield CoupOver(self._at(), self._shoe, self._coup, player, banker, no_bet)
        if self._carried:
            yield from self._answers()
        if self._coups_left is not None:
            self._coups_left -= 1
        self._pause(4, 7)

    def _takes_bets(self) -> Iterator[Action]:
        self._pause(12, 17)
        if COURSES[self._procedure].calls_no_more_bets:
            yield self._says("no_more_bets", DEALER)
            self._pause(0.5, 1.5)

    def _plays(self, beats: Iterable[Beat], lies: dict[Slot, Card], unread_odds: float) -> Iterator[Action]:
        """Go through `beats`; a card that the shoe could not read is named as soon as it lies open."""
        unread: list[Slot] = []
        shown: tuple[Slot, ...]
        under_way = False
        for beat in beats:
            if isinstance(beat, Draw):
                yield from self._draws(beat.slot, under_way=under_way)
                under_way = True
                card = self._next()
                if self._rng.random() < unread_odds:
                    unread.append(beat.slot)
                    yield from self._sends_unread()
                else:
                    yield self._sends(card)
                shown = (beat.slot,) if beat.shown else ()
            else:
                yield from self._presses(beat)
                shown = beat.shows
            for slot in [slot for slot in unread if slot in shown]:
                unread.remove(slot)
                self._pause(3, 6)
                yield self._says("identify", DEALER, slot=slot, card=lies[slot])

    def _draws(self, slot: Slot, *, under_way: bool) -> Iterator[Action]:
        """Reach for a card; the cut card before it tells how many coups are left, this one included."""
        self._pause(*((0.8, 1.4) if slot in INITIAL else (2.0, 3.5)))
        if self._used == len(self._order) - BEHIND_CUT:
            self._coups_left = 2 if under_way else 1
            yield self._says("cut_card", DEALER)
            self._pause(1, 2)

    def _presses(self, press: Press) -> Iterator[Action]:
        squeezed = self._procedure == "squeeze" and press.verb == "reveal"
        self._pause(*((3, 8) if squeezed else (1.2, 2.5)))
        yield self._says(press.verb, DEALER, **press.args)

    # --- a press forgotten --------------------------------------------------------------------------------

    def _forgets(self, odds: float) -> bool:
        far = self._used + TAKES_CARE < len(self._order) - BEHIND_CUT
        return self._procedure in LATE and far and self._rng.random() < odds

    def _which(self, beats: Sequence[Beat]) -> int:
        return self._rng.choice([place for place, beat in enumerate(beats) if isinstance(beat, Press)])

    def _draws_too_far(self, dealt: int) -> Iterator[Action]:
        """Pay, take bets and begin the next coup, with the last press of this one still to come.

        With one press a coup a second card may follow before anybody looks, as long as six in all are out.
        """
        two = self._procedure == "result-button" and dealt == len(INITIAL) and self._rng.random() < 1 / 3
        self._pause(16, 24)
        for _ in range(2 if two else 1):
            self._pause(0.8, 1.4)
            self._carried.append(self._next())
            yield self._sends(self._carried[-1])
        self._pause(2, 4)

    def _answers(self) -> Iterator[Action]:
        """Say whether the card that belongs to the next coup was seen; that coup takes no bets if it was."""
        self._pause(2, 4)
        self._no_bet = self._rng.random() < 1 / 3
        yield self._says("disclose" if self._no_bet else "undisclosed", DEALER)

    # --- one action ---------------------------------------------------------------------------------------

    def _next(self) -> Card:
        self._used += 1
        return self._order[self._used - 1]

    def _pause(self, least: float, most: float) -> None:
        self._clock += self._rng.uniform(least, most) / self._speed

    def _at(self) -> float:
        return round(self._clock, 6)

    def _says(self, verb: str, actor: str, **args: Any) -> Operator:  # noqa: ANN401 - arguments of any verb
        return Operator(self._at(), verb, actor, args)

    def _sends(self, card: Card) -> Send:
        return Send(
            self._at(), self._encoder.encode_card(card, self._rng.randrange(self._encoder.forms(card)))
        )

    def _sends_unread(self) -> Iterator[Action]:
        for frame in self._unread_sign:
            yield Send(self._at(), frame)
            self._clock += 0.02 / self._speed
