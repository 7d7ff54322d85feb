"""Events: what is told to whom, in which order; irregularities as they are raised and resolved."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from tests.model.state import Card, Coup, Data, Item, Table

ALL: Final = ("public", "surveillance", "cage")
_PS: Final = ("public", "surveillance")
_SC: Final = ("surveillance", "cage")
_S: Final = ("surveillance",)
POLICIES: Final = ("delayed", "immediate")

_GROUPS: Final = (
    "command.refused",
    "service.started service.stopped device.link device.alarm frame.rejected",
    "betting.closed",
    "card.drawn card.dealt alarm.raised",
    "irregularity.raised",
    "coup.held",
    "card.identified card.assigned card.read_twice card.exposed hand.announced",
    "irregularity.resolved",
    "coup.released",
    "betting.withdraw_only coup.pending",
    "coup.void coup.cards coup.result coup.invalidated settlement",
    "card.carried coup.no_bet",
    "shoe.attested shoe.loaded shoe.burned shoe.burned_cards shoe.cut_card shoe.empty shoe.closed",
    (
        "table.opened table.closed table.paused table.resumed method.requested method.changed bank.passed"
        " rules.changed limits.changed notice.posted notice.ripe dispute.noted alarm.cleared"
        " staff.signed_in staff.signed_out"
    ),
    "betting.opened",
)
_RANK: Final = {kind: rank for rank, group in enumerate(_GROUPS) for kind in group.split()}
NEXT: Final = _RANK["card.carried"]
_AUDIENCES: Final = {
    "card.dealt": ("public",),
    "settlement": ("cage",),
    **dict.fromkeys(("card.exposed", "card.read_twice", "hand.announced"), _PS),
    **dict.fromkeys(
        (
            "irregularity.raised",
            "irregularity.resolved",
            "method.requested",
            "shoe.attested",
            "bank.passed",
        ),
        _SC,
    ),
    **dict.fromkeys(
        (
            *(
                "command.refused",
                "service.started",
                "service.stopped",
                "device.link",
                "device.alarm",
            ),
            *(
                "frame.rejected",
                "card.drawn",
                "alarm.raised",
                "card.identified",
                "card.assigned",
            ),
            *(
                "coup.cards",
                "card.carried",
                "shoe.burned_cards",
                "dispute.noted",
                "alarm.cleared",
            ),
            *("staff.signed_in", "staff.signed_out"),
        ),
        _S,
    ),
}

ITEMS: Final[dict[str, tuple[str, bool, tuple[str, ...]]]] = {
    "unreadable_card": ("evidence", True, ("identify", "void")),
    "unknown_code": ("evidence", True, ("identify", "void")),
    "suspect_double": ("evidence", True, ("accept", "read_twice", "void")),
    "composition_exceeded": ("evidence", True, ("correct", "accept", "void")),
    "result_mismatch": ("evidence", True, ("correct", "accept", "void")),
    "duplicate_card": ("evidence", True, ("correct", "accept", "void")),
    "link_gap": ("evidence", True, ("none_missed", "missed", "void")),
    "device_reset": ("evidence", True, ("none_missed", "missed", "void")),
    "sequence_gap": ("evidence", True, ("none_missed", "missed", "void")),
    "card_returned": ("evidence", True, ("accept", "void")),
    "set_changed": ("evidence", True, ("accept", "void")),
    "equipment_fault": ("evidence", True, ("continue", "moved", "void")),
    "order_suspicious": ("evidence", False, ("accept",)),
    "other": ("game", True, ("accept", "void")),
    "drawn_before_reveal": ("game", True, ("reveal", "keep", "void")),
    "third_card_missing": ("game", True, ("draw", "void")),
    "misdeal": ("game", True, ("reconstruct", "void")),
    "too_many_cards": ("game", True, ("void",)),
    "excess_card": ("game", False, ("disclose", "undisclosed")),
    "unauthorised_third_card": ("game", False, ()),
    "face_up_card": ("game", False, ()),
    "drawn_before_betting_closed": ("game", False, ()),
    "disclosed_first_card": ("game", False, ()),
    "beyond_last_coup": ("game", False, ()),
    "insufficient_cards": ("game", False, ()),
}
"""Code: kind, whether it holds, remedies (details 20)."""


class Event(NamedTuple):
    """One event of the input under way. `only`: data of some audiences; `policy`: told under that alone."""

    rank: int
    type: str
    coup: int | None
    shoe: int | None
    data: Data
    only: dict[str, Data]
    policy: str | None


@dataclass
class Ledger:
    """Collects the events of an input and tells them. `told`: messages by policy since last taken."""

    table: str
    events: list[Event] = field(default_factory=list)
    seq: dict[tuple[str, str], int] = field(default_factory=dict)
    told: dict[str, list[Data]] = field(default_factory=lambda: {policy: [] for policy in POLICIES})


class Pen:
    """Writes events of one table."""

    def __init__(self, table: Table, ledger: Ledger) -> None:
        self.t = table
        self.ledger = ledger

    def emit(  # noqa: PLR0913 - an envelope has so many fields
        self,
        kind: str,
        coup: Coup | int | None,
        data: Data | None = None,
        *,
        shoe: int | None = None,
        rank: int | None = None,
        only: dict[str, Data] | None = None,
        policy: str | None = None,
    ) -> None:
        """Write an event about `coup`. `only`: data of an audience or policy; `policy`: under it alone."""
        number = (coup.number or None) if isinstance(coup, Coup) else coup
        of = coup.shoe if isinstance(coup, Coup) else self.t.shoe if shoe is None else shoe
        at = _RANK[kind] if rank is None else rank
        self.ledger.events.append(Event(at, kind, number, of, data or {}, only or {}, policy))

    def close(self) -> None:
        """The input is over: tell its events."""
        t, ledger = self.t, self.ledger
        at = stamp(t.now)
        for policy in POLICIES:
            for event in sorted(ledger.events, key=lambda event: event.rank):
                if event.policy not in {None, policy}:
                    continue
                for audience in _AUDIENCES.get(event.type, ALL):
                    data = {
                        **event.data,
                        **event.only.get(audience, {}),
                        **event.only.get(policy, {}),
                    }
                    if audience == "surveillance" and t.actor is not None:
                        data["actor"] = t.actor
                        if t.second is not None:
                            data["second"] = t.second
                    seq = ledger.seq[policy, audience] = ledger.seq.get((policy, audience), 0) + 1
                    ledger.told[policy].append(
                        {
                            "v": 1,
                            "table": ledger.table,
                            "audience": audience,
                            "seq": seq,
                            "type": event.type,
                            "at": at,
                            "shoe": event.shoe,
                            "coup": event.coup,
                            "data": data,
                        }
                    )
        ledger.events.clear()

    # -- irregularities

    def open_item(self, coup: Coup | None, *codes: str) -> Item | None:
        """The open item of `coup` with one of `codes`."""
        return next(
            (item for item in self.t.items if item.coup is coup and item.code in codes),
            None,
        )

    def holds(self, coup: Coup, kind: str | None = None) -> bool:
        """Whether something (of `kind`) holds `coup`."""
        return any(item.hold and item.coup is coup and kind in {None, item.kind} for item in self.t.items)

    def raise_(  # noqa: PLR0913 - an item has so many fields
        self,
        code: str,
        coup: Coup | None,
        *,
        card: Card | None = None,
        slot: str | None = None,
        belongs: bool = True,
        hold: bool = True,
        remedies: tuple[str, ...] | None = None,
        text: str | None = None,
    ) -> Item:
        """Raise `code` about `coup`; where it does not belong to it, it holds nothing of it.

        `hold` False: nor do its events say that it holds.
        """
        t = self.t
        kind, holds, usual = ITEMS[code]
        if remedies is None:
            remedies = usual if coup else tuple(word for word in usual if word != "void")
        hold = hold and holds and coup is not None
        place = slot or (card.slot if card else None)
        under_way = coup and coup.status in {"coming", "open", "parked"}
        house = t.house_of(coup) if under_way else t.house
        rule = house.irregularities.get(code)
        t.item_ids += 1
        item = Item(
            id=t.item_ids,
            code=code,
            rule=rule,
            kind=kind,
            hold=hold,
            remedies=remedies,
            slot=place,  # type: ignore[arg-type] # one of the places
            coup=coup if belongs else None,
            number=(coup.number or None) if coup else None,
            shoe=coup.shoe if coup else t.shoe,
            card=card,
        )
        if remedies:
            t.items.append(item)
        self.emit(
            "irregularity.raised",
            coup,
            {
                "id": item.id,
                "code": code,
                "rule": rule,
                "kind": kind,
                "slot": place,
                "hold": hold,
                "remedies": list(remedies),
                "text": text,
            },
        )
        return item

    def resolve(self, item: Item, remedy: str, *, late: bool = False) -> None:
        """Close `item` by `remedy`."""
        if item in self.t.items:
            self.t.items.remove(item)
        self.emit(
            "irregularity.resolved",
            item.coup or item.number,
            {
                "id": item.id,
                "code": item.code,
                "remedy": remedy,
                "actor": self.t.actor,
                "late": late,
            },
            shoe=None if item.coup or item.number is None else item.shoe,
        )


def stamp(at: int) -> str:
    """`at` as events bear it."""
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=at)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
