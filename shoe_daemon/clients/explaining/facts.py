"""All that was told of one coup, put together: the cards, the decisions, what happened, the results."""

from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec

from shoe_daemon.clients.explaining.cards import CardFact, Cards
from shoe_daemon.clients.explaining.decisions import Decision, decisions, first_points
from shoe_daemon.clients.explaining.words import SHOWN_WITH_THE_CARDS, ending, happened
from shoe_daemon.clients.told import Told
from shoe_daemon.game.cards import INITIAL
from shoe_daemon.table.events import PUBLIC, SURVEILLANCE

Status = Literal["result", "void", "invalidated", "pending", "under_way"]

OPEN_SHOE: Final = (
    "the shoe of this coup is still open, so this is what everybody at the table was told. Irregularities and"
    " who settled them, refused commands, messages of the device and what the cage was told are shown once"
    " the shoe is closed: until then nothing is said here that could betray a card nobody has turned"
)
NEVER_TURNED: Final = "faces of cards that nobody has turned: the shoe of this coup is still open"


class Happening(msgspec.Struct, frozen=True):
    """One thing that happened, in words."""

    at: str
    type: str
    words: str


class Irregularity(msgspec.Struct):
    """An irregularity of this coup, and how it was settled. `coup`: the one that it was raised in."""

    id: int
    code: str
    rule: str | None
    kind: str
    hold: bool
    remedies: list[str]
    text: str | None
    coup: int | None
    raised_at: str
    raised_by: str | None
    settled_at: str | None = None
    remedy: str | None = None
    settled_by: str | None = None
    late: bool = False


class Revision(msgspec.Struct):
    """A result. `pays`: odds of the winning bets, None where the cage's messages are not shown."""

    revision: int
    at: str
    by: str | None
    cause: str | None
    outcome: str
    words: str
    player: dict[str, Any]
    banker: dict[str, Any]
    natural: bool
    no_bet: bool
    last_coup: bool
    method: str | None
    bets: dict[str, str]
    rules: dict[str, str]
    rule_ids: list[str]
    settlement: str | None = None
    pays: dict[str, str] | None = None


class Dispute(msgspec.Struct, frozen=True):
    """A dispute about this coup, one stage of it."""

    at: str
    stage: str
    decision: str | None
    seat: int | None
    by: str | None


class Explained(msgspec.Struct, frozen=True, rename={"begin": "from", "end": "to"}):
    """A coup as `view` was told of it. `withheld`: what is not shown, and why; None where all is."""

    journal: str
    table: str
    shoe: int
    coup: int
    begin: str
    end: str
    view: Literal["public", "surveillance"]
    withheld: str | None
    status: Status
    loaded: dict[str, Any] | None
    cards: list[CardFact]
    first_points: tuple[int, int] | None
    decisions: tuple[Decision, ...]
    irregularities: list[Irregularity]
    revisions: list[Revision]
    disputes: list[Dispute]
    happenings: list[Happening]


def explain(told: Sequence[Told], shoe: int, coup: int, *, delayed: bool = False) -> Explained:
    """Coup `coup` of `shoe`, from all that was told of that shoe, to every audience and in order.

    While the shoe is open this is the public's view. `delayed`: the messages were made under the delayed
    policy: then it is surveillance's, without the faces of a void coup that were never turned.
    Raises ValueError where nothing was told of the coup.
    """
    closed = any(message.type == "shoe.closed" for message in told)
    staff = closed or delayed
    audience = SURVEILLANCE if staff else PUBLIC
    seen = [one for one in told if one.audience == audience or (staff and one.type == "settlement")]
    made = _Making(coup, seen, closed=closed, staff=staff)
    for message in seen:
        made.take(message)
    if not made.times:
        raise ValueError(f"nothing was told of coup {coup} in shoe {shoe}")
    cards = list(made.cards.end(made.result, ended=made.status != "under_way"))
    for card in cards:
        if card.to_coup is not None and card.card is None:
            _there(card, coup, Cards(card.to_coup, closed=closed, staff=staff), seen)
    faces = made.cards.faces()
    withheld = None if staff else OPEN_SHOE
    if any(card.withheld for card in cards):
        withheld = NEVER_TURNED
    return Explained(
        journal=told[0].journal,
        table=told[0].table,
        shoe=shoe,
        coup=coup,
        begin=made.times[0],
        end=made.times[-1],
        view="surveillance" if staff else "public",
        withheld=withheld,
        status=made.status,
        loaded=next((one.data for one in seen if one.type == "shoe.loaded"), None),
        cards=cards,
        first_points=first_points(faces) if all(slot in faces for slot in INITIAL) else None,
        decisions=decisions(faces, made.revisions[-1].rule_ids if made.revisions else ()),
        irregularities=list(made.items.values()),
        revisions=made.revisions,
        disputes=made.disputes,
        happenings=made.happenings,
    )


def _there(card: CardFact, coup: int, there: Cards, seen: Sequence[Told]) -> None:
    """What the coup that an excess card was carried into tells of its face."""
    for message in seen:
        there.take(message)
    for same in there.end(None, ended=True):
        if (same.left_in, same.left_n) == (coup, card.n):
            card.card, card.readable, card.named = same.card, same.readable, same.named
            card.turned_at, card.turned_by = same.turned_at, same.turned_by


_STATUS: Final[dict[str, Status]] = {
    "coup.result": "result",
    "coup.void": "void",
    "coup.invalidated": "invalidated",
    "coup.pending": "pending",
}


class _Making:
    """An account of one coup while its messages are read."""

    def __init__(self, coup: int, seen: Sequence[Told], *, closed: bool, staff: bool) -> None:
        self._coup = coup
        self._sources = {one.coup for one in seen if _carried_to(one, coup)}
        self.cards = Cards(coup, closed=closed, staff=staff)
        self.items: dict[int, Irregularity] = {}
        self.revisions: list[Revision] = []
        self.disputes: list[Dispute] = []
        self.happenings: list[Happening] = []
        self.times: list[str] = []
        self.status: Status = "under_way"
        self.result: dict[str, Any] | None = None

    def take(self, told: Told) -> None:
        """The next message about the shoe."""
        self.cards.take(told)
        if told.coup != self._coup and not self._of_its_excess(told):
            return
        self.times.append(told.at)
        self.status = _STATUS.get(told.type, self.status)
        match told.type:
            case "irregularity.raised":
                self._raised(told, told.data)
            case "irregularity.resolved" if told.data["id"] in self.items:
                self._resolved(told, told.data)
            case "coup.result":
                self._result(told, told.data)
            case "settlement" if told.data["revision"] == len(self.revisions):
                self.revisions[-1].settlement = told.data["kind"]
                self.revisions[-1].pays = told.data["pays"]
                return
            case "dispute.noted":
                data = told.data
                note = Dispute(told.at, data["stage"], data["decision"], data["seat"], told.actor)
                self.disputes.append(note)
        if told.type not in SHOWN_WITH_THE_CARDS:
            self.happenings.append(Happening(told.at, told.type, happened(told)))

    def _of_its_excess(self, told: Told) -> bool:
        """Whether it is about an excess card of an earlier coup that became a card of this one."""
        if told.type == "irregularity.resolved":
            return told.data["id"] in self.items
        excess = told.type == "irregularity.raised" and told.data["code"] == "excess_card"
        return excess and told.coup in self._sources

    def _raised(self, told: Told, data: dict[str, Any]) -> None:
        self.items[data["id"]] = Irregularity(
            id=data["id"],
            code=data["code"],
            rule=data["rule"],
            kind=data["kind"],
            hold=data["hold"],
            remedies=data["remedies"],
            text=data.get("text"),
            coup=told.coup,
            raised_at=told.at,
            raised_by=told.actor,
        )

    def _resolved(self, told: Told, data: dict[str, Any]) -> None:
        item = self.items[data["id"]]
        item.settled_at, item.remedy, item.settled_by = told.at, data["remedy"], data["actor"]
        item.late = data.get("late", False)

    def _result(self, told: Told, data: dict[str, Any]) -> None:
        self.result = data
        fields = {name: data[name] for name in Revision.__struct_fields__ if name in data}
        self.revisions.append(
            msgspec.convert({**fields, "at": told.at, "by": told.actor, "words": ending(data)}, Revision)
        )


def _carried_to(told: Told, coup: int) -> bool:
    return told.type == "card.carried" and told.data["to_coup"] == coup
