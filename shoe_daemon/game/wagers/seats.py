"""Seats that pass or deal (IC-window): who plays the coming coup, who sits it out, when the deal may start.

Times are microseconds, given by the caller. Wagers are in the book; nothing here touches them, except that a
player may ask for his last ones again.
"""

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from shoe_daemon.game.wagers.book import Book
from shoe_daemon.game.wagers.sign import Terms
from shoe_daemon.game.wagers.wager import Wager, WagerRefused

Answer = Literal["deal", "pass"]

_LONGEST: Final = 500


class Seat(msgspec.Struct, frozen=True):
    """A place with its player. `waiting`: joined during a coup; `excluded`: did not answer in time."""

    number: int
    player: str
    state: Literal["waiting", "asked", "deal", "pass", "excluded"] = "waiting"


class Seats(msgspec.Struct, frozen=True):
    """The places of a table. `deadline`: until when the seats asked may answer; None between windows."""

    places: int
    seats: tuple[Seat, ...] = ()
    deadline: int | None = None

    def at(self, number: int) -> Seat:
        """Give the seat of that number. Refused: `no_seat`."""
        for seat in self.seats:
            if seat.number == number:
                return seat
        raise WagerRefused("no_seat")

    def join(self, number: int, player: str) -> "Seats":
        """Sit down; the player plays from the next window on. Refused: `no_seat`, `seat_taken`."""
        if not 1 <= number <= self.places:
            raise WagerRefused("no_seat")
        if any(seat.number == number or seat.player == player for seat in self.seats):
            raise WagerRefused("seat_taken")
        return self._with((*self.seats, Seat(number, player)))

    def leave(self, number: int) -> "Seats":
        """Give up a place. Refused: `no_seat`."""
        gone = self.at(number)
        return self._with(seat for seat in self.seats if seat != gone)

    def move(self, number: int, to: int) -> "Seats":
        """Change to a free place, where a player waits for the next window. Refused: `no_seat`, `seat_taken`.

        Also `coup_open`, once the player is dealt in.
        """
        seat = self.at(number)
        if seat.state == "deal":
            raise WagerRefused("coup_open")
        return self.leave(number).join(to, seat.player)

    def ask(self, at: int, window_s: int) -> "Seats":
        """Open the window of the coming coup at `at`: everybody who sits is asked."""
        asked = tuple(Seat(seat.number, seat.player, "asked") for seat in self.seats)
        return Seats(self.places, asked, at + window_s * 1_000_000)

    def answer(self, number: int, answer: Answer, at: int) -> "Seats":
        """Pass or deal, once. Refused: `no_seat`, `waiting` (joined since), `excluded` (late), `answered`."""
        seat = self.after(at).at(number)
        match seat.state:
            case "waiting":
                raise WagerRefused("waiting")
            case "excluded":
                raise WagerRefused("excluded")
            case "deal" | "pass":
                raise WagerRefused("answered")
        answered = Seat(number, seat.player, answer)
        return self._with(answered if one.number == number else one for one in self.seats)

    def after(self, at: int) -> "Seats":
        """Give the seats as they are at `at`: who has not answered by the deadline is out of the coup."""
        if self.deadline is None or at < self.deadline:
            return self
        return self._with(
            Seat(one.number, one.player, "excluded") if one.state == "asked" else one for one in self.seats
        )

    def end(self) -> "Seats":
        """End the coup: everybody waits for the next window."""
        return Seats(self.places, tuple(Seat(seat.number, seat.player) for seat in self.seats))

    @property
    def ready(self) -> bool:
        """Whether every seat that was asked has answered or is out: the deal may start."""
        states = [seat.state for seat in self.seats if seat.state != "waiting"]
        return bool(states) and "asked" not in states

    @property
    def dealt_in(self) -> tuple[int, ...]:
        """The seats that play."""
        return tuple(sorted(seat.number for seat in self.seats if seat.state == "deal"))

    def _with(self, seats: Iterable[Seat]) -> "Seats":
        return Seats(self.places, tuple(seats), self.deadline)


def repeat(book: Book, last: Iterable[Wager], terms: Terms) -> Book:
    """Place a player's last wagers again, all or none, within the limits of now. Refused: as `place`."""
    for wager in last:
        book = book.place(wager, terms).book
    return book


class Message(msgspec.Struct, frozen=True):
    """Words between seats and pit: data, which no rule reads. A place is a seat's number; None is the pit."""

    sender: int | None
    to: int | None
    text: str


def message(seats: Seats, sender: int | None, to: int | None, text: str) -> Message:
    """Make a message of one line. Refused: `no_seat` (nobody sits there), `bad_message`."""
    for place in (sender, to):
        if place is not None:
            seats.at(place)
    if not 1 <= len(text) <= _LONGEST or not text.isprintable():
        raise WagerRefused("bad_message")
    return Message(sender, to, text)
