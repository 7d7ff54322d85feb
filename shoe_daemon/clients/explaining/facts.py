"""All that was told of one coup, put together: the cards, the decisions, what happened, the results."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from shoe_daemon.clients.explaining.between import Between
from shoe_daemon.clients.explaining.cards import CardFact, Cards
from shoe_daemon.clients.explaining.coups import void
from shoe_daemon.clients.explaining.decisions import decisions, first_points
from shoe_daemon.clients.explaining.fates import Fates
from shoe_daemon.clients.explaining.irregular import raised, settled
from shoe_daemon.clients.explaining.parts import (
    Dispute,
    Explained,
    Happening,
    Irregularity,
    Revision,
    Status,
)
from shoe_daemon.clients.explaining.sentences import SHOWN_WITH_THE_CARDS, happened, moment
from shoe_daemon.clients.explaining.words import PLACES, ending, second_of
from shoe_daemon.clients.told import Told
from shoe_daemon.game.cards import INITIAL
from shoe_daemon.table.events import PUBLIC, SURVEILLANCE

OPEN_SHOE: Final = (
    "the shoe of this coup is still open, so this is what everybody at the table was told. Irregularities and"
    " who settled them, refused commands, messages of the device and what the cage was told are shown once"
    " the shoe is closed: until then nothing is said here that could betray a card nobody has turned"
)
NEVER_TURNED: Final = "faces of cards that nobody has turned: the shoe of this coup is still open"


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
        status="not_dealt" if closed and made.status == "under_way" else made.status,
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
            card.turned_second = same.turned_second


_STATUS: Final[dict[str, Status]] = {
    "coup.result": "result",
    "coup.void": "void",
    "coup.invalidated": "invalidated",
    "coup.pending": "pending",
}


def _dispute(told: Told, data: dict[str, Any]) -> Dispute:
    return Dispute(told.at, data["stage"], data["decision"], data["seat"], told.actor, second_of(data))


class _Making:
    """An account of one coup while its messages are read."""

    def __init__(self, coup: int, seen: Sequence[Told], *, closed: bool, staff: bool) -> None:
        self._coup = coup
        self._fates = Fates(seen)
        self._between = Between(seen, coup)
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
        if told.coup == self._coup or self._of_its_cards(told):
            self.times.append(told.at)
        elif not self._between.holds(told):
            return
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
                self.disputes.append(_dispute(told, told.data))
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
            raised_second=second_of(data),
        )

    def _resolved(self, told: Told, data: dict[str, Any]) -> None:
        item = self.items[data["id"]]
        item.settled_at, item.remedy, item.settled_by = told.at, data["remedy"], data["actor"]
        item.settled_second = second_of(data)
        item.late = data.get("late", False)

    def _result(self, told: Told, data: dict[str, Any]) -> None:
        self.result = data
        fields = {name: data[name] for name in Revision.__struct_fields__ if name in data}
        self.revisions.append(
            msgspec.convert({**fields, "at": told.at, "by": told.actor, "words": ending(data)}, Revision)
        )
