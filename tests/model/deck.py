"""Cards and frames that come out of a shoe, good ones and others."""

from tests.model.cards import RANKS, SUITS
from tests.model.choosing import Chooser
from tests.model.table import Frame


class Deck:
    """The cards of a shoe. `dirty`: share of frames that name no card."""

    def __init__(self, choose: Chooser, decks: int, dirty: float) -> None:
        self._choose = choose
        self._decks = decks
        self._dirty = dirty
        self._stock: list[str] = []
        self._used: list[str] = []
        self._row: list[str] = []

    def fill(self) -> None:
        """A shuffled shoe."""
        self._stock = [rank + suit for rank in RANKS for suit in SUITS] * self._decks
        self._used.clear()

    def face(self) -> str:
        """The next card; now and then one that was there already, or a row as in a new deck."""
        choose = self._choose
        if self._row:
            return self._row.pop()
        if choose.chance(0.004):
            whole = [rank + suit for suit in SUITS for rank in RANKS]
            start = choose.whole(0, 38)
            self._row = whole[start : start + 14]
            if choose.chance(0.5):
                self._row.reverse()
        if self._used and choose.chance(0.06):
            return choose.pick(self._used)
        if not self._stock:
            self.fill()
        face = self._stock.pop(choose.whole(0, len(self._stock) - 1))
        self._used.append(face)
        return face

    def frame(self) -> Frame:
        """What the shoe says next."""
        choose = self._choose
        if not choose.chance(self._dirty):
            face = self.face()
            return Frame(f"[Game]<Card:{face}>".encode(), card=True, face=face)
        kind = choose.whole(0, 5)
        if kind < 2:
            return Frame(b"[Game]<Game>", card=True)
        if kind < 4:
            raw = choose.pick((b"[Game]<Card:1D>", b"[Game]<Card:>", b"x[Game]<Card:4S>"))
            return Frame(raw, card=True, code="unknown_code", rejected="unknown_code")
        if kind == 4:
            return Frame(choose.pick((b"hello", b"[Game]<Crd:4S>")), rejected="unmatched")
        return Frame(b"[GameAlarm]<Alarm:E7 Lid Open>", alarm=("E7", "Lid Open"))
