"""What happened at a table in a period, and what is open at its end, from all that was told."""

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from shoe_daemon.clients.handover.coups import Coups
from shoe_daemon.clients.handover.house import Downtime, House
from shoe_daemon.clients.handover.parts import Dispute, Handover, OpenItem, ShoeLine, Tally, second_of
from shoe_daemon.clients.handover.period import Period
from shoe_daemon.clients.told import Told
from shoe_daemon.table.events import AUDIENCES, SURVEILLANCE


def handover(told: Iterable[Told], period: Period) -> Handover:
    """Put the period together from all messages of the journal, in order and of every audience."""
    making = _Making(period)
    for message in told:
        making.take(message)
    return making.end()


class _Making:
    """The account while it is read. Messages after the period only tell which shoes are closed by now."""

    def __init__(self, period: Period) -> None:
        self._period = period
        self._coups = Coups(period)
        self._house = House(period)
        self._downtime = Downtime(period)
        self._items: dict[int, Told] = {}
        self._codes: dict[int, Told] = {}
        self._raised: list[Told] = []
        self._settled: list[Told] = []
        self._disputes: list[Told] = []
        self._shoes: dict[int, ShoeLine] = {}
        self._open: int | None = None
        self._refused = 0
        self._ends: dict[str, tuple[int, int]] = {}
        self._of: tuple[str | None, str | None] = (None, None)

    def take(self, told: Told) -> None:
        """The next message."""
        self._of = (told.journal, told.table)
        if told.type in {"shoe.loaded", "shoe.closed"}:
            self._open = told.shoe if told.type == "shoe.loaded" else None
        if told.at >= self._period.end:
            return
        inside = self._period.holds(told.at)
        if inside:
            first, _ = self._ends.get(told.audience, (told.seq, told.seq))
            self._ends[told.audience] = (first, told.seq)
        if told.audience == SURVEILLANCE:
            self._house.take(told)
            self._downtime.take(told)
            self._refused += inside and told.type == "command.refused"
            self._shoe(told)
            if self._period.is_about(told.shoe):
                self._coups.take(told)
                self._take(told, inside=inside)

    def _take(self, told: Told, *, inside: bool) -> None:
        """What is about one coup or one shoe."""
        match told.type:
            case "irregularity.raised":
                self._codes[told.data["id"]] = told
                if told.data["remedies"]:
                    self._items[told.data["id"]] = told
                self._raised += [told] if inside else []
            case "irregularity.resolved":
                self._items.pop(told.data["id"], None)
                self._settled += [told] if inside else []
            case "dispute.noted" if inside:
                self._disputes.append(told)

    def _shoe(self, told: Told) -> None:
        match told.type:
            case "shoe.loaded" if told.shoe is not None:
                missing = told.data.get("not_attested", [])
                line = ShoeLine(told.shoe, told.at, told.data["cards"], not_attested=missing)
                line.reshuffled = told.data.get("reshuffled", False)
                self._shoes[told.shoe] = line
            case "rules.changed" if self._open in self._shoes:
                self._shoes[self._open].reshuffled = told.data.get("reshuffled", False)
            case "shoe.closed" if told.shoe in self._shoes:
                _close(self._shoes[told.shoe], told)

    def end(self) -> Handover:
        """All of it. Of the shoe that is open now nothing is said that the public does not know."""
        public = self._open
        coups = self._coups
        disputes = [_dispute(one) for one in self._disputes if not self._secret(one)]
        journal, table = self._of
        return Handover(
            name=self._period.name,
            begin=self._period.begin,
            end=self._period.end,
            journal=journal,
            table=table,
            results=coups.results(),
            no_bets=coups.no_bets(),
            voids=coups.voids,
            invalidated=coups.invalidated(),
            revisions=[
                replace(one, by=None, second=None) if one.shoe == public else one for one in coups.revisions
            ],
            pending=list(coups.pending),
            under_way=coups.under_way,
            held=list(coups.held),
            items=[_open_item(one, secret=self._secret(one)) for one in self._items.values()],
            notices=list(self._house.notices.values()),
            irregularities=self._tallies(),
            open_shoe=public,
            open_shoe_irregularities=sum(map(self._secret, self._raised)),
            open_shoe_disputes=len(self._disputes) - len(disputes),
            shoes=self._shoes_told(),
            changes=self._house.changes,
            disputes=disputes,
            refused=self._refused,
            down=self._downtime.end(),
            clock=self._downtime.clock,
            sequences=self._sequences(),
        )

    def _sequences(self) -> dict[str, tuple[int, int] | None]:
        """Where an alarm takes a number, one more of surveillance's tells of a face that nobody has seen."""
        told = {audience: self._ends.get(audience) for audience in AUDIENCES}
        return told if self._open is None else told | {SURVEILLANCE: None}

    def _secret(self, told: Told) -> bool:
        """Whether it is about the shoe that is open now."""
        return self._open is not None and told.shoe == self._open

    def _shoes_told(self) -> list[ShoeLine]:
        of_period = [
            line
            for line in self._shoes.values()
            if self._period.is_about(line.shoe)
            and (line.closed_at is None or line.closed_at >= self._period.begin)
        ]
        return [replace(line, not_attested=[]) if line.shoe == self._open else line for line in of_period]

    def _tallies(self) -> list[Tally]:
        raised = [one.data for one in self._raised if not self._secret(one)]
        tallies = {data["code"]: Tally(data["code"], data["rule"]) for data in raised}
        for data in raised:
            tallies[data["code"]].raised += 1
        for one in self._settled:
            origin = self._codes.get(one.data["id"])
            if origin is not None and not self._secret(origin):
                data = origin.data
                tally = tallies.setdefault(data["code"], Tally(data["code"], data["rule"]))
                tally.settled = dict(Counter(tally.settled) + Counter([one.data["remedy"]]))
        return sorted(tallies.values(), key=lambda tally: tally.code)


def _close(line: ShoeLine, told: Told) -> None:
    """A shoe is finished: what was read, and what was counted."""
    data = told.data
    line.closed_at, line.coups = told.at, data["coups"]
    line.read, line.unread, line.burned = data["cards_read"], data["cards_unread"], data["burned"]
    gone = data["cards_read"] + data["cards_unread"] + data["burned"]
    less = line.cards if line.reshuffled else line.cards - gone
    computed = data.get("computed")
    line.left = less if computed is None else computed
    # Only where all cards go back is anything else left than what did not leave the shoe.
    line.reshuffled = line.left != line.cards - gone or line.reshuffled
    line.remaining, line.reconciled = data["remaining"], data["reconciled"]
    line.discrepancies = data["discrepancies"]


def _open_item(told: Told, *, secret: bool) -> OpenItem:
    data = told.data
    known = (None, None) if secret else (data["code"], data["remedies"])
    return OpenItem(data["id"], told.shoe, told.coup, data["hold"], *known)


def _dispute(told: Told) -> Dispute:
    data = told.data
    second = second_of(told, told.actor)
    return Dispute(told.at, told.shoe, told.coup, data["stage"], data["decision"], told.actor, second)
