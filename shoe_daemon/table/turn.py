"""One input being decided: the table as it stands so far, and the events that led there."""

from collections.abc import Iterable

from shoe_daemon.game.cards import Slot
from shoe_daemon.game.methods import Method
from shoe_daemon.game.profile import RuleProfile
from shoe_daemon.table import events as ev
from shoe_daemon.table.apply import apply
from shoe_daemon.table.irregularities import ROWS
from shoe_daemon.table.procedure import Procedure
from shoe_daemon.table.setup import Setup
from shoe_daemon.table.state import Coup, CoupCard, Item, Table


class Refused(Exception):  # noqa: N818 - an answer to an operator, not an error of ours
    """A command cannot be carried out now; `reason` says why, in one word."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Turn:
    """Collects events and applies each at once, so that what follows sees what went before."""

    def __init__(self, table: Table, setup: Setup, at: int, actor: str | None = None) -> None:
        self.before = table
        self.table = table
        self.setup = setup
        self.at = at
        self.actor = actor
        self.events: list[ev.Event] = []

    def emit(self, event: ev.Event) -> None:
        """Take `event` and move the table on."""
        self.events.append(event)
        self.table = apply(self.table, event)

    @property
    def shoe(self) -> int | None:
        """Number of the present shoe, or of the last one."""
        return self.table.number

    @property
    def method(self) -> Method | None:
        """The dealing method in force: as set, or as the table is configured."""
        return self.table.method or self.setup.procedure.method

    def procedure(self, coup: Coup | None) -> Procedure:
        """The procedure that `coup` is dealt by; None: the coming coup's."""
        if coup is None:
            return self.setup.procedure_for(no_bet=False, method=self.table.method)
        return self.setup.procedure_for(no_bet=coup.no_bet, method=coup.method)

    def rules(self, coup: Coup | None = None) -> RuleProfile:
        """The rules that `coup` is decided by; those in force now for None, or until it has a card."""
        return self.setup.rules_named(self.table.rules if coup is None or not coup.cards else coup.rules)

    def raise_item(  # noqa: PLR0913 - all that is known of one item
        self,
        code: str,
        *,
        shoe: int | None,
        coup: int | None,
        card: CoupCard | None = None,
        slot: Slot | None = None,
        remedies: tuple[str, ...] | None = None,
        hold: bool | None = None,
        text: str | None = None,
    ) -> int:
        """Raise irregularity `code` about a coup, and a card of it; returns its id."""
        row = ROWS[code]
        number = self.table.last_item + 1
        about = next((live for live in self.table.live if live.key == (shoe, coup)), None)
        self.emit(
            ev.IrregularityRaised(
                shoe=shoe,
                coup=coup,
                id=number,
                code=code,
                rule=self.rules(about).rule(code),
                kind=row.kind,
                slot=card.slot if card is not None else slot,
                hold=row.hold if hold is None else hold,
                remedies=row.remedies if remedies is None else remedies,
                serials=() if card is None else (card.serial,),
                text=text,
            )
        )
        return number

    def resolve(self, item: Item, remedy: str, *, late: bool = False) -> None:
        """Close `item`: `remedy` was chosen, by the actor of this input if it has one."""
        home = self.table.home(item)
        self.emit(
            ev.IrregularityResolved(
                shoe=self.shoe if item.coup is None else item.shoe if home is None else home.shoe,
                coup=item.coup if home is None else home.number,
                id=item.id,
                code=item.code,
                remedy=remedy,
                actor=self.actor,
                late=late,
            )
        )

    def item(self, code: str, coup: Coup) -> Item | None:
        """The open item `code` of `coup`."""
        return next((i for i in self.table.items if i.code == code and (i.shoe, i.coup) == coup.key), None)

    def suspect(self, card: CoupCard) -> Item | None:
        """The open question whether `card` is the one before, told twice."""
        return next(
            (i for i in self.table.items if i.code == "suspect_double" and card.serial in i.serials), None
        )

    def doubted(self, cards: Iterable[CoupCard]) -> bool:
        """Whether one of `cards` may be the one before, told twice."""
        return any(self.suspect(card) is not None for card in cards)

    def again(self, coup: Coup) -> Coup:
        """`coup` as it stands now."""
        here = self.table.coup
        if here is not None and here.key == coup.key:
            return here
        for other in self.table.parked:
            if other.key == coup.key:
                return other
        raise LookupError(f"coup {coup.key} is no longer live")
