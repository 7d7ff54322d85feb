"""All that was told of one coup, put together: the cards, the decisions, what happened, the results."""

from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec

from shoe_daemon.clients.explaining.cards import CardFact, Cards
from shoe_daemon.clients.explaining.coups import void
from shoe_daemon.clients.explaining.decisions import Decision, decisions, first_points
from shoe_daemon.clients.explaining.fates import Fates
from shoe_daemon.clients.explaining.irregular import raised, settled
from shoe_daemon.clients.explaining.sentences import SHOWN_WITH_THE_CARDS, happened, moment
from shoe_daemon.clients.explaining.words import PLACES, ending
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
    """One thing that happened, in words. `moment`: a time that the words name, as messages say times."""

    at: str
    type: str
    words: str
    moment: str | None = None


class Irregularity(msgspec.Struct):
    """An irregularity of this coup, and how it was settled. `coup`: the one that it was raised in.

    `holds`: the coups that it holds, in turn: one about an unread card goes where that card goes.
    """

    id: int
    code: str
    rule: str | None
    kind: str
    hold: bool
    holds: list[int]
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
            there = Cards(card.to_coup, closed=closed, staff=staff)
            _there(card, made.cards.origin(card), there, seen)
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
        decisions=decisions(
            faces,
            made.revisions[-1].rule_ids if made.revisions else (),
            {card.slot for card in cards if card.slot is not None and card.went == "hand"},
        ),
        irregularities=list(made.items.values()),
        revisions=made.revisions,
        disputes=made.disputes,
        happenings=made.happenings(),
    )


def _there(card: CardFact, origin: tuple[int | None, int], there: Cards, seen: Sequence[Told]) -> None:
    """What the coup that an excess card of `origin` was carried into tells of its face."""
    for message in seen:
        there.take(message)
    for same in there.end(None, ended=True):
        if (same.left_in, same.left_n) == origin:
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
        self._fates = Fates(seen)
        self._happened: list[Told] = []
        self._lacking: str | None = None
        self.cards = Cards(coup, closed=closed, staff=staff)
        self.items: dict[int, Irregularity] = {}
        self.revisions: list[Revision] = []
        self.disputes: list[Dispute] = []
        self.times: list[str] = []
        self.status: Status = "under_way"
        self.result: dict[str, Any] | None = None

    def take(self, told: Told) -> None:
        """The next message about the shoe."""
        self.cards.take(told)
        if told.coup != self._coup and not self._of_its_cards(told):
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
            case "coup.void" if told.data["reason"] == "insufficient_cards":
                self._out_of_cards()
            case "settlement" if told.data["revision"] == len(self.revisions):
                self.revisions[-1].settlement = told.data["kind"]
                self.revisions[-1].pays = told.data["pays"]
                return
            case "dispute.noted":
                data = told.data
                note = Dispute(told.at, data["stage"], data["decision"], data["seat"], told.actor)
                self.disputes.append(note)
        if told.type not in SHOWN_WITH_THE_CARDS:
            self._happened.append(told)

    def _of_its_cards(self, told: Told) -> bool:
        """Whether it is about a card that became one of this coup, raised before that."""
        if told.type == "irregularity.resolved":
            return told.data["id"] in self.items
        return told.type == "irregularity.raised" and self._fates.went_to(told.data["id"], self._coup)

    def _out_of_cards(self) -> None:
        """The shoe is empty and this coup is void for it: which card was lacking."""
        place = self.cards.lacking()
        if place is not None:
            self._lacking = f"the {PLACES[place]} card was due and the shoe was empty"

    def happenings(self) -> list[Happening]:
        """All that happened, in order and in words."""
        return [Happening(one.at, one.type, self._words(one), moment(one)) for one in self._happened]

    def _words(self, told: Told) -> str:
        match told.type:
            case "irregularity.raised":
                return raised(told, self._coup, self._fates, self._lacking)
            case "irregularity.resolved":
                item = self.items.get(told.data["id"])
                return settled(told, None if item is None else item.coup, self._coup, self._fates)
            case "coup.void":
                return void(told.data, self._lacking)
            case _:
                return happened(told)

    def _raised(self, told: Told, data: dict[str, Any]) -> None:
        self.items[data["id"]] = Irregularity(
            id=data["id"],
            code=data["code"],
            rule=data["rule"],
            kind=data["kind"],
            hold=data["hold"],
            holds=self._fates.of(data["id"]).holds,
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
