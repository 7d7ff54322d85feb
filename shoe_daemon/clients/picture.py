"""What the trend display shows, computed from the public view; the page only draws it."""

from typing import Final, Literal

import msgspec

from shoe_daemon.game.cards import Hand, Outcome, Slot
from shoe_daemon.game.roads import Counts, Mark, bead_plate, big_road, count, latest_columns
from shoe_daemon.table.view_shapes import Entry, View

PLATE_COLUMNS: Final = 15
ROAD_COLUMNS: Final = 48

StatusCode = Literal["none", "closed", "held", "open", "withdraw", "no_bet", "dealing"]

_HANDS: Final[dict[Hand, tuple[Slot, Slot, Slot]]] = {
    "player": ("P1", "P2", "P3"),
    "banker": ("B1", "B2", "B3"),
}
_DEAL: Final[tuple[Slot, ...]] = ("P1", "B1", "P2", "B2")
_WINNER: Final[dict[Outcome, str]] = {"player": "Player wins", "banker": "Banker wins", "tie": "Tie"}


class Status(msgspec.Struct, frozen=True):
    """What a player should know first."""

    code: StatusCode
    text: str


class HandPicture(msgspec.Struct, frozen=True):
    """Cards in the order of the deal, None for one that lies face down; `points` once they are announced."""

    cards: tuple[str | None, ...] = ()
    points: int | None = None


class Result(msgspec.Struct, frozen=True):
    """The result on the felt; `outcome` is None where the coup ended without one."""

    outcome: Outcome | None
    text: str
    score: str = ""
    tags: tuple[str, ...] = ()


class Felt(msgspec.Struct, frozen=True):
    """The open coup, or the last one. `waiting`: cards out whose place is not open yet."""

    caption: str
    player: HandPicture = HandPicture()
    banker: HandPicture = HandPicture()
    waiting: int = 0
    result: Result | None = None


class BeadPicture(msgspec.Struct, frozen=True):
    """A bead in its cell, with its marks."""

    row: int
    column: int
    coup: int
    outcome: Outcome
    banker_pair: bool
    player_pair: bool
    natural: bool
    no_bet: bool


class RingPicture(msgspec.Struct, frozen=True):
    """A ring of the big road in its cell."""

    row: int
    column: int
    winner: Outcome
    ties: int


class Picture(msgspec.Struct, frozen=True):
    """All that the page draws. `coup`: the open one, else the one that betting is open for, else the last."""

    title: str
    shoe: int | None
    coup: int | None
    status: Status
    notes: tuple[str, ...]
    felt: Felt
    counts: Counts
    plate_columns: int
    beads: tuple[BeadPicture, ...]
    road_columns: int
    rings: tuple[RingPicture, ...]


def draw(view: View, title: str | None = None) -> Picture:
    """Draw the public `view`; the table's own id is the title where none is given."""
    marks = [Mark(one.outcome, one.banker_pair, one.player_pair, one.natural) for one in view.history]
    rings = latest_columns(big_road(mark.outcome for mark in marks), ROAD_COLUMNS)
    return Picture(
        title=title or view.table or "",
        shoe=view.shoe,
        coup=_coup(view),
        status=_status(view),
        notes=_notes(view),
        felt=_felt(view),
        counts=count(marks),
        plate_columns=PLATE_COLUMNS,
        beads=_beads(view.history),
        road_columns=ROAD_COLUMNS,
        rings=tuple(RingPicture(ring.row, ring.column, ring.winner, ring.ties) for ring in rings),
    )


def _coup(view: View) -> int | None:
    if view.coup is not None:
        return view.coup
    if view.betting != "closed":
        return view.betting_coup
    return view.ended.coup if view.ended else None


def _status(view: View) -> Status:
    """Give the first of these that holds."""
    over = view.shoe_closed or (view.last_coups == 0 and view.coup is None)
    cases: tuple[tuple[bool, StatusCode, str], ...] = (
        (view.at is None, "none", "Waiting for the table"),
        (not view.open, "closed", "Table closed"),
        (view.paused, "closed", "Game paused"),
        (view.shoe is None, "closed", "No shoe in play"),
        (over, "closed", "Shoe finished"),
        (bool(view.held), "held", "Please wait"),
        (view.no_bet, "no_bet", "No-bet coup"),
        (view.betting == "open", "open", "Place your bets"),
        (view.betting == "withdraw_only", "withdraw", "Bets may be withdrawn"),
        (view.coup is not None, "dealing", "No more bets"),
    )
    for holds, code, text in cases:
        if holds:
            return Status(code, text)
    return Status("closed", "Betting is closed")


def _notes(view: View) -> tuple[str, ...]:
    parked = [one.coup for one in view.pending if one.shoe == view.shoe]
    left = view.last_coups or 0
    notes = [f"Result of coup {coup} to follow" for coup in parked]
    if left and not view.shoe_closed:
        notes.append("Last coup of this shoe" if left == 1 else f"{left} coups left in this shoe")
    return tuple(notes)


def _felt(view: View) -> Felt:
    if view.coup is not None:
        return _open_felt(view, view.coup)
    if view.ended is None:
        return Felt("New shoe" if view.shoe is not None and not view.shoe_closed else "")
    caption = f"Coup {view.ended.coup}"
    entry = next((one for one in view.history if one.coup == view.ended.coup), None)
    if entry is not None:
        return Felt(
            f"Last result \N{MIDDLE DOT} {caption}",
            HandPicture(entry.player.cards, entry.player.points),
            HandPicture(entry.banker.cards, entry.banker.points),
            result=_result(entry),
        )
    text = "Result to follow" if view.ended.how == "pending" else "Coup void"
    return Felt(caption, result=Result(None, text))


def _open_felt(view: View, coup: int) -> Felt:
    """Draw the open coup: faces that are exposed, and for the first four cards of the deal their backs."""
    dealt = {slot for n, slot in enumerate(_DEAL, start=1) if n <= view.cards_out} | view.exposed.keys()
    hands = {
        hand: HandPicture(
            tuple(view.exposed.get(slot) for slot in slots if slot in dealt), view.hands.get(hand)
        )
        for hand, slots in _HANDS.items()
    }
    waiting = max(0, view.cards_out - len(dealt))
    return Felt(f"Coup {coup}", hands["player"], hands["banker"], waiting)


def _result(entry: Entry) -> Result:
    tags = (
        (entry.natural, "Natural"),
        (entry.player_pair, "Player pair"),
        (entry.banker_pair, "Banker pair"),
        (entry.no_bet, "No-bet coup"),
        (entry.revision > 1, "Corrected"),
    )
    return Result(
        entry.outcome,
        _WINNER[entry.outcome],
        f"{entry.player.points} \N{EN DASH} {entry.banker.points}",
        tuple(text for holds, text in tags if holds),
    )


def _beads(history: tuple[Entry, ...]) -> tuple[BeadPicture, ...]:
    return tuple(
        BeadPicture(
            row=bead.row,
            column=bead.column,
            coup=entry.coup,
            outcome=entry.outcome,
            banker_pair=entry.banker_pair,
            player_pair=entry.player_pair,
            natural=entry.natural,
            no_bet=entry.no_bet,
        )
        for bead in bead_plate(len(history), PLATE_COLUMNS)
        for entry in (history[bead.index],)
    )
