"""One fault at one daemon: cards are drawn and spoiled here, a supervisor puts right what that leaves open.

Each card that left the shoe has a fate, what the daemon made of it. Invariants of knowledge of such shoes:
I1 every byte received is in the journal; I2 each card is read, or takes a place unread, or was said to be
damaged or missing; I3 no result while anything is open; I4 the process goes on; I5 no hole in a feed.
"""

import random
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Literal

from drivers.shapes import Message
from shoe_daemon.game.cards import INITIAL, Card, Slot
from shoe_daemon.table.inputs import CardRead, DeviceInput, FrameRejected, SequenceGap, draws
from tests.faults.life import Life
from tests.faults.record import Json
from tests.faults.truth import Coup, next_coup
from tests.process.running import until

Fate = Literal["read", "unread", "twice", "said", "wrong", "gap"]
"""Read right; took one place unread; took more than one, all unread; only said to be damaged; read as another
card; left the shoe while nobody could know."""
Send = Callable[[Card], Fate]

RECOVERED = ("read", "unread")


class Cell:
    """A shoe of its own at `life`. `rng`: all that is random here comes from it."""

    def __init__(self, life: Life, rng: random.Random) -> None:
        self.life, self.rng = life, rng
        self.table, self.record, self.profile = life.table, life.record, life.profile
        self.pid = life.pid()
        life.hush()
        self._used: Counter[Card] = Counter()
        self._first_tag = 0
        self._slots: list[Slot] = []
        self.shoe = self.new_shoe()
        self.record.look()
        self.first_word = len(self.record.said)
        self.first_event = len(self.record.events)
        self.first_input = len(self.record.inputs)
        self._clear_from = 0

    # -- what the shoe sends -----------------------------------------------------------------------------

    def frame(self, card: Card) -> bytes:
        """The frame of a card as the shoe sends it: numbered, of a tag of its own, read at its place.

        Where the shoe has a least time between two cards, that has passed.
        """
        encoder = self.life.encoder
        if self.profile.semantics.min_gap_ms:
            self.record.wait_received(len(self.life.written))
            self.apart(self.profile.semantics.min_gap_ms)
        form = self._tag(card) if encoder.tagged else self.rng.randrange(encoder.forms(card))
        return encoder.encode_card(card, form, self.place())

    def _tag(self, card: Card) -> int:
        """Which of its tags a card has: of another shoe the first card has not the tag told last."""
        spellings = self.profile.cards.spellings[card]
        if not self._used:
            self._first_tag = int(spellings[0] == self.life.last_tag)
        form = (self._first_tag + self._used[card]) % len(spellings)
        self._used[card] += 1
        self.life.last_tag = spellings[form]
        return form

    def place(self) -> Slot:
        """Where the next card lies; one too many is the first of the next coup."""
        return self._slots.pop(0) if self._slots else INITIAL[0]

    def new_shoe(self) -> list[Card]:
        """Put another shoe on the table; its cards."""
        self._used.clear()
        return self.life.new_shoe(self.rng)

    def message(self, event: str, **values: str) -> bytes:
        """A frame of the first message of a kind."""
        return self.filled(next(one for one in self.profile.messages if one.event == event), **values)

    def filled(self, message: Message, **values: str) -> bytes:
        """A frame of a message."""
        return self.life.encoder._filled(message, values)

    def heard(self, data: bytes) -> list[DeviceInput]:
        """Send bytes and wait until all that they mean is in the journal; what they mean."""
        before = len(self.record.inputs)
        self.life.send(data)
        self.record.wait_complete(len(self.life.written))
        return self.record.inputs[before:]

    def draw(self, card: Card) -> Fate:
        """Draw a card that goes by well."""
        return self.fate(card, b"", self.heard(self.frame(card)))

    def spoilt(self, spoil: Callable[[bytes], bytes]) -> Send:
        """Draw a card whose frame is damaged on its way."""

        def send(card: Card) -> Fate:
            bad = spoil(self.frame(card))
            return self.fate(card, bad, self.heard(bad))

        return send

    # -- what becomes of a card --------------------------------------------------------------------------

    def like(self, data: bytes) -> bool:
        """Whether damaged bytes show that they were a card."""
        like = self.profile.cards.like
        return like is not None and re.search(like.encode("latin-1"), data, re.DOTALL) is not None

    def fate(self, card: Card, bad: bytes, found: list[DeviceInput]) -> Fate:
        """What the daemon made of one card; `bad`: its damaged bytes. A silent loss is a failure."""
        faces = [one.face.open() for one in found if isinstance(one, CardRead)]
        unread = [one for one in found if draws(one) and not isinstance(one, CardRead)]
        assert len(faces) < 2, f"I2: {card} was read twice: {found}"
        if faces:
            assert not unread, f"I2: {card} was read and took a place unread: {found}"
            return "read" if faces == [card] else "wrong"
        if unread:
            return "unread" if len(unread) == 1 else "twice"
        assert any(isinstance(one, FrameRejected | SequenceGap) for one in found), (
            f"I2: {card} is lost: {found}"
        )
        assert not self.like(bad), f"I2: {card} took no place: {found}"
        return "said"

    # -- coups -------------------------------------------------------------------------------------------

    def play(self, bad: Mapping[int, Send] | None = None) -> tuple[Coup, dict[int, Fate]]:
        """Deal the next coup of the shoe, some of its cards by other ways; the coup and these cards' fates.

        Ended right where its cards can be put right; void where they cannot.
        """
        bad = bad or {}
        coup = self.coming()
        fates: dict[int, Fate] = {}
        unnamed: list[int] = []
        for place, card in enumerate(coup.cards):
            if place not in bad:
                assert self.draw(card) == "read"
            else:
                fates[place] = fate = bad[place](card)
                if fate not in RECOVERED:
                    behind = coup.cards[place + 1 :] or [self.shoe.pop(0)]
                    self.heard(self.frame(behind[0]))  # nobody has noticed yet
                    self._given_up(fate)
                    return coup, fates
                if fate == "unread":
                    unnamed.append(place)
            if place >= len(("P1", "B1", "P2", "B2")) - 1:
                for one in unnamed:
                    self.name(coup, one)
                unnamed.clear()
        self.settle()
        self.right(coup)
        return coup, fates

    def _given_up(self, fate: Fate) -> None:
        """A supervisor gives the coup up: its cards cannot be put in their places any more.

        Of bytes that do not look like a card the daemon says only that they were damaged. Where nothing else
        tells that a card is missing, the next one has its place, and the coup may have a result.
        """
        if fate == "said" and self.profile.semantics.sequence is None:
            ended = [one["coup"] for one in self.since() if one["type"] == "coup.result"]
            for coup in ended:
                self.table.must("invalidate", coup=coup, ground="disruption")
        else:
            self.no_result()
        self.void()

    def coming(self) -> Coup:
        """Take the cards of the next coup from the shoe and open the betting for it."""
        coup = next_coup(self.shoe)
        del self.shoe[: len(coup.cards)]
        self.lies(coup)
        self.bets()
        return coup

    def lies(self, coup: Coup) -> None:
        """The next cards lie where this coup has them."""
        self._slots = list(coup.slots)

    def begin_coup(self) -> None:
        """What is told from now on is of the coming coup."""
        self.record.look()
        self._clear_from = len(self.record.events)

    def bets(self) -> None:
        """Open the betting for the coming coup, unless it is open still: what was damaged opened no coup."""
        self.begin_coup()
        if self.table.snapshot("surveillance")["state"]["betting"] != "open":
            self.table.must("open_betting")

    def name(self, coup: Coup, place: int) -> None:
        """A supervisor names the card that nobody could read, at the place where it lies."""
        self.no_result()
        slot = coup.slots[place]
        asked = [one["data"]["slot"] for one in self.open_items() if one["data"]["code"] in _UNREAD]
        assert slot in asked, f"I2: {slot} is not asked for: {asked}"
        self.table.must("identify", slot=slot, card=coup.cards[place])

    def right(self, coup: Coup) -> None:
        """The coup that was dealt has its result, and no other."""
        self.record.look()
        results = [one["data"] for one in self.since() if one["type"] == "coup.result"]
        told = [(one["player"]["cards"], one["banker"]["cards"], one["outcome"]) for one in results]
        assert told == [(coup.player, coup.banker, coup.outcome)], f"wrong: {told} instead of {coup}"

    def since(self) -> list[Json]:
        """Surveillance since betting was opened for this coup."""
        return self.record.events[self._clear_from :]

    def no_result(self) -> None:
        """I3: nothing was decided, though all that came is told."""
        self.record.look()
        assert not [one for one in self.since() if one["type"] == "coup.result"], (
            "I3: a result while it is open"
        )

    # -- what people do ----------------------------------------------------------------------------------

    def open_items(self) -> list[Json]:
        """What was raised and wants an answer still, oldest first."""
        self.record.look()
        items: dict[int, Json] = {}
        for one in self.record.events[self.first_event :]:
            if one["type"] == "irregularity.raised" and one["data"]["remedies"]:
                items[one["data"]["id"]] = one
            elif one["type"] == "irregularity.resolved":
                items.pop(one["data"]["id"], None)
        return list(items.values())

    def apart(self, milliseconds: int) -> None:
        """Let a time pass in which two cards do not leave a shoe."""
        now, gone = time.monotonic_ns(), milliseconds * 1_000_000
        until(lambda: time.monotonic_ns() - now > gone)

    def void(self) -> None:
        """A supervisor voids the coup that is open, if any, and the one that places too many opened."""
        for _ in range(2):
            answer = self.table.say("void")
            assert answer["ok"] or answer["refused"] == "no_coup", answer
        self.settle()

    def settle(self, remedy: str = "none_missed") -> None:
        """A supervisor answers for what may have passed unseen."""
        for item in self.open_items():
            if remedy in item["data"]["remedies"]:
                self.table.must("resolve", id=item["data"]["id"], remedy=remedy)

    # -- the end of a cell -------------------------------------------------------------------------------

    def said(self) -> list[str]:
        """What was said since the cell began, in the words of the catalogue."""
        self.record.look()
        return self.record.said[self.first_word :]

    def wait(self, word: str, number: int = 1) -> None:
        """Wait until a word was said, `number` times in all."""
        self.record.wait_said(word, self.first_word, number)

    def inputs(self) -> list[DeviceInput]:
        """What came from the shoe since the cell began."""
        return self.record.inputs[self.first_input :]

    def finish(self) -> list[str]:
        """What was said until here. Then all is put right, a clean coup is dealt, and the invariants hold."""
        said = self.said()
        self.void()
        if self.open_items() or self.table.snapshot("surveillance")["state"]["no_bet"]:
            self.shoe = self.new_shoe()  # one place too many is a card of the next coup
        assert not self.open_items(), self.open_items()
        self.play()
        assert self.said() == said, f"a clean coup is no clean one: {self.said()[len(said) :]}"
        assert self.life.pid() == self.pid
        assert self.life.received() == bytes(self.life.written), "I1: what was received is not what was sent"
        self.life.ears.check(self.record)
        self._held()
        self._places()
        return said

    def _held(self) -> None:
        """I3 over the whole cell: at no result was anything open that holds its coup."""
        holds: dict[int, tuple[int, int]] = {}
        for one in self.record.events[self.first_event :]:
            data, key = one["data"], (one["shoe"], one["coup"])
            if one["type"] == "irregularity.raised" and data["hold"]:
                holds[data["id"]] = key
            elif one["type"] == "irregularity.resolved":
                holds.pop(data["id"], None)
            elif one["type"] == "coup.result":
                assert key not in holds.values(), f"I3: coup {key} has a result though it is held"

    def _places(self) -> None:
        """I2 over the whole cell: each card that the shoe told of is one card drawn or burned, no more."""
        told = sum(map(draws, self.inputs()))
        events = self.record.events[self.first_event :]
        drawn = sum(one["type"] == "card.drawn" and one["data"]["source"] == "shoe" for one in events)
        burned = sum(one["data"]["count"] for one in events if one["type"] == "shoe.burned")
        assert told == drawn + burned, f"I2: {told} cards came, {drawn} were drawn, {burned} burned"


_UNREAD = {"unreadable_card", "unknown_code"}
