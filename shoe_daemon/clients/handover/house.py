"""The house in a period: methods, games, limits, notices; and when the program or the cable was not there."""

from typing import Final

from shoe_daemon.clients.handover.parts import Change, ClockSet, Down, Notice, second_of
from shoe_daemon.clients.handover.period import Period
from shoe_daemon.clients.told import Told

_WORDS: Final = {"program": "program stopped", "cable": "cable to the shoe down"}


class House:
    """Changes and notices up to the end of the period, message by message."""

    def __init__(self, period: Period) -> None:
        self._period = period
        self.changes: list[Change] = []
        self.notices: dict[int, Notice] = {}

    def take(self, told: Told) -> None:
        """The next message of surveillance."""
        match told.type:
            case "method.changed" | "rules.changed" | "limits.changed":
                self._changed(told)
            case "notice.posted":
                self._posted(told)
            case "notice.ripe" if told.data["id"] in self.notices:
                self.notices[told.data["id"]].ripe = True
            case "table.closed":
                self._without("closing")

    def _changed(self, told: Told) -> None:
        """A method, a game or a limit; a notice that announced it has done its work."""
        data = told.data
        if data["what"] == "rules":
            self._without("game")
        if data["what"] == "minimum" and data.get("seat") is None:
            self._without("minimum", data["to"])
        self._change(told, data["what"])

    def _posted(self, told: Told) -> None:
        """A notice."""
        data = told.data
        self.notices[data["id"]] = Notice(
            data["id"], data["what"], data["to"], told.at, str(data["effective_at"])
        )
        self._change(told, f"notice of {data['what']}")

    def _without(self, what: str, to: object = None) -> None:
        """Take down the signs of `what`, where `to` is given those of that amount."""
        self.notices = {
            id_: notice
            for id_, notice in self.notices.items()
            if notice.what != what or to not in {None, notice.to}
        }

    def _change(self, told: Told, what: str) -> None:
        if self._period.holds(told.at):
            data = told.data
            by = data.get("approver")
            seat, second = data.get("seat"), second_of(told, by)
            self.changes.append(Change(told.at, what, data["from"], data["to"], seat, by, second))


class Downtime:
    """When the program or the cable was not there, and when the clock was set, message by message."""

    def __init__(self, period: Period) -> None:
        self._period = period
        self._stopped: dict[str, str] = {}
        self._last_at: str | None = None
        self.down: list[Down] = []
        self.clock: list[ClockSet] = []

    def take(self, told: Told) -> None:
        """The next message of surveillance."""
        match told.type:
            case "service.started":
                self._started(told)
            case "service.stopped":
                self._stopped["program"] = told.at
            case "device.link":
                self._link(told)
            case "clock.stepped" if any(map(self._period.holds, (told.at, told.data["before"]))):
                self.clock.append(ClockSet(told.at, told.data["before"], told.data["by_s"]))
        self._last_at = told.at

    def end(self) -> list[Down]:
        """All of it that reaches into the period."""
        for what, begin in self._stopped.items():
            self._down(_WORDS[what], begin, None)
        return self.down

    def _started(self, told: Told) -> None:
        """The program runs; where nothing said that it stopped, it has not been heard since its last word."""
        begin = self._stopped.pop("program", None)
        if begin is not None:
            self._down(_WORDS["program"], begin, told.at)
        elif told.data["reason"] == "restart" and self._last_at is not None:
            self._down("program not heard", self._last_at, told.at)

    def _link(self, told: Told) -> None:
        """The cable."""
        if told.data["state"] == "down":
            self._stopped.setdefault("cable", told.at)
        elif told.data["state"] == "up" and (begin := self._stopped.pop("cable", None)) is not None:
            self._down(_WORDS["cable"], begin, told.at)

    def _down(self, what: str, begin: str, end: str | None) -> None:
        if (end is None or end >= self._period.begin) and begin < self._period.end:
            self.down.append(Down(what, begin, end))
