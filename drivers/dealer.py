"""The dealer of the virtual shoe: draws the cards, presses, now and then forgets, and puts it right alone.

Every method gives actions in the order of time. The dealer goes by the cards on the felt, as a person does:
the course of a coup follows its true faces, whatever a machine has read.
"""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Literal

import msgspec

from drivers.beats import (
    COURSES,
    DEALER,
    LATE,
    NO_BET,
    SUPERVISOR,
    Beat,
    Draw,
    Press,
    TooMany,
    beats_of,
    late,
    shows_excess,
    slots_of,
)
from drivers.encoder import ProfileEncoder
from drivers.hands import Hands
from drivers.mistakes import VOID, Mistake, mistaken
from drivers.script import Action, CoupOver, CoupVoided, NewShoe
from shoe_daemon.game.cards import INITIAL, Card, Slot, burn_count

BEHIND_CUT = 14
"""Cards behind the cut card: a coup under way, one more, and one drawn too far always find their cards."""

TAKES_CARE = 12
"""So near the cut card the dealer forgets nothing: which coup is the last one stays beyond doubt."""


class _Plan(msgspec.Struct, frozen=True):
    """How a coup is dealt: `tail` waits for a card too many; `unread`: odds for each card."""

    beats: list[Beat]
    tail: list[Beat] = []
    unread: float = 0.0
    mistake: Mistake | None = None


class Dealer(Hands):
    """One table and the shoes on it, one after another; `speed` divides every pause."""

    def __init__(self, encoder: ProfileEncoder, rng: Random, procedure: str, speed: float) -> None:
        super().__init__(encoder, rng, speed)
        self._procedure = procedure
        self._no_bet = False
        self._shoe = 0
        self._coup = 0
        self._coups_left: int | None = None
        self._mistake: Mistake | None = None
        self._due = 0

    @property
    def shoe_is_over(self) -> bool:
        """Whether the last coup after the cut card has been dealt."""
        return self._coups_left == 0

    # --- a shoe -------------------------------------------------------------------------------------------

    def open_table(self) -> Iterator[Action]:
        """Have a supervisor open the table."""
        yield self._says("open_table", SUPERVISOR)
        self._pause(2, 4)

    def new_shoe(
        self, decks: int, burn: int | Literal["value"] | None, mistakes: Sequence[Mistake] = ()
    ) -> Iterator[Action]:
        """Shuffle and load `decks` decks, then burn a number of cards, or as many as the first card says.

        With None the shoe is there already: nobody loads it, and nothing of it is burned. One of `mistakes`
        is made in the first half of the shoe, in the first coup that gives occasion for it.
        """
        order = self._shuffles(decks)
        self._shoe, self._coup, self._coups_left = self._shoe + 1, 0, None
        count = 1 + burn_count(order[0]) if burn == "value" else burn or 0
        self._chooses([one for one in mistakes if self._can_happen(one, count)], count)
        yield NewShoe(self._at(), self._shoe, self._order, count)
        if burn is not None:
            yield self._says("load_shoe", SUPERVISOR)
            self._pause(4, 6)
        forgotten = self._mistake == "burn_forgotten"
        if count and not forgotten:
            yield self._says("burn", DEALER, **({} if burn == "value" else {"count": count}))
        for _ in range(count):
            self._pause(0.7, 1.3)
            yield self._sends(self._next())
        if forgotten:
            yield from self._burned_after_all()

    def _can_happen(self, mistake: Mistake, burned: int) -> bool:
        """Whether a shoe with so many cards burned gives occasion; a tag misread is no other card's tag."""
        if mistake == "misread_card":
            return not self._encoder.tagged
        return mistake != "burn_forgotten" or burned > 0

    def _chooses(self, mistakes: Sequence[Mistake], burned: int) -> None:
        """Choose what goes wrong in this shoe, and after how many cards of it."""
        self._mistake = self._rng.choice(mistakes) if mistakes else None
        if mistakes:
            self._due = burned + self._rng.randrange(max(1, (len(self._order) - BEHIND_CUT) // 2 - burned))

    def _burned_after_all(self) -> Iterator[Action]:
        """Nobody had told the table of the burn: it took those cards for a coup, which is void."""
        self._mistake = None
        self._pause(5, 10)
        yield self._says("burn", SUPERVISOR, reclassify=True)
        self._coup += 1
        yield CoupVoided(self._at(), self._shoe, self._coup, "burn_forgotten")

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
        seen = not no_bet and not carried and self._sees_the_first_card()
        if seen:
            yield from self._shows_the_first_card()
        no_bet = no_bet or seen
        cards = [*carried, *self._order[self._used : self._used + 6]]
        slots = slots_of(cards)
        lies = dict(zip(slots, cards, strict=False))  # the cards after them belong to later coups
        if no_bet:
            mistake: Mistake | None = "face_up_card" if seen else None
            plan = _Plan(beats_of(NO_BET, slots), unread=unread_odds, mistake=mistake)
        else:
            plan = self._plans(lies, late_odds, unread_odds, fresh=not carried)
        if not no_bet and len(carried) <= 1:
            yield from self._takes_bets()
        yield from self._plays(plan.beats[len(carried) :], lies, plan.unread)
        if plan.tail:
            yield from self._draws_too_far(len(slots))
            yield from self._plays(plan.tail, lies, 0.0)
        yield self._over(lies, plan.mistake, no_bet=no_bet)
        if self._carried:
            yield from self._answers(plan.mistake, seen=shows_excess(COURSES[self._procedure], slots))
        if self._coups_left is not None:
            self._coups_left -= 1
        self._pause(4, 7)

    def _plans(self, lies: dict[Slot, Card], late_odds: float, unread_odds: float, *, fresh: bool) -> _Plan:
        """How a coup with bets runs: with the mistake due, with a press forgotten, or as it should."""
        beats = beats_of(COURSES[self._procedure], tuple(lies))
        if fresh and self._mistake is not None and self._is_due():
            wrong = mistaken(self._mistake, beats, lies, self._rng)
            if wrong is not None:
                mistake, self._mistake = self._mistake, None
                return _Plan(wrong, mistake=mistake)
        if self._forgets(late_odds):
            beats, tail = late(beats, self._which(beats))
            return _Plan(beats, tail)
        return _Plan(beats, unread=unread_odds)

    def _over(self, lies: dict[Slot, Card], mistake: Mistake | None, *, no_bet: bool) -> Action:
        if mistake in VOID:
            return CoupVoided(self._at(), self._shoe, self._coup, mistake)
        player, banker = (tuple(card for slot, card in lies.items() if slot[0] == side) for side in "PB")
        return CoupOver(self._at(), self._shoe, self._coup, player, banker, no_bet, mistake)

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
                elif beat.by_hand:
                    yield self._says("enter", SUPERVISOR, card=card)
                else:
                    yield self._sends(beat.read_as or card, beat.slot)
                shown = (beat.slot,) if beat.shown else ()
            elif isinstance(beat, TooMany):
                self._pause(2.0, 3.5)
                yield self._sends_on()
                shown = ()
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
        yield self._says(press.verb, press.actor, **press.args)

    # --- a press forgotten --------------------------------------------------------------------------------

    def _forgets(self, odds: float) -> bool:
        return self._procedure in LATE and self._far() and self._rng.random() < odds

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
            yield self._sends_on()
        self._pause(2, 4)

    def _answers(self, mistake: Mistake | None, *, seen: bool) -> Iterator[Action]:
        """Say whether the card that belongs to the next coup was seen; that coup takes no bets if it was.

        Nobody is asked where it lies face up. After a mistake it is the supervisor who looks and says.
        """
        self._no_bet = seen
        if not seen:
            self._pause(2, 4)
            self._no_bet = self._rng.random() < 1 / 3
            actor = DEALER if mistake is None else SUPERVISOR
            yield self._says("disclose" if self._no_bet else "undisclosed", actor)

    # --- a mistake of this shoe ---------------------------------------------------------------------------

    def _is_due(self) -> bool:
        return self._due <= self._used and self._far()

    def _far(self) -> bool:
        return self._used + TAKES_CARE < len(self._order) - BEHIND_CUT

    def _sees_the_first_card(self) -> bool:
        """Whether the card found face up is the first of a coup (NSW-13.5), and not found within one."""
        if self._mistake != "face_up_card" or not self._is_due() or self._rng.random() < 1 / 2:
            return False
        self._mistake = None
        return True

    def _shows_the_first_card(self) -> Iterator[Action]:
        self._pause(8, 12)
        yield self._says("report", SUPERVISOR, code="face_up_card")
