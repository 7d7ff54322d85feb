"""How a running daemon is: asked at the snapshots of its feed, as any consumer asks."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from shoe_daemon.clients.operator import Asker, Unanswered
from shoe_daemon.clients.subscriber import ClientKeys
from shoe_daemon.runtime.endpoints import Doors

PATIENCE_S: Final = 2.0


class Health(msgspec.Struct):
    """What was found. `problems` in words, each with what to do; the rest stays None where nobody answered.

    `tops`: last seq of each audience. `held`: coups that wait for a person. `behind`: for each consumer, by
    audience and name, how many events it has not acknowledged.
    """

    table: str
    problems: list[str] = msgspec.field(default_factory=list)
    tops: dict[str, int] = msgspec.field(default_factory=dict)
    journal: str | None = None
    link: str | None = None
    held: list[int] | None = None
    behind: dict[str, int] = msgspec.field(default_factory=dict)

    @property
    def well(self) -> bool:
        """Nothing is wrong."""
        return not self.problems

    def as_json(self) -> dict[str, Any]:
        """One object for programs: each audience's top by its name."""
        found: dict[str, Any] = {"table": self.table, "well": self.well, "problems": self.problems}
        optional = {
            "journal": self.journal,
            "link": self.link,
            "held": self.held,
            "behind": self.behind or None,
        }
        return {**found, **self.tops, **{key: value for key, value in optional.items() if value is not None}}


def ask_health(
    table: str, doors: Mapping[str, Doors], *, immediate: bool = False, keys: ClientKeys | None = None
) -> Health:
    """Ask every audience's ROUTER for its snapshot; what does not answer is a problem.

    `immediate`: surveillance hears of faces at the draw, so that how much it was told is told to nobody else.
    """
    health = Health(table)
    try:
        for audience, door in doors.items():
            with Asker(door.router.text, PATIENCE_S, keys) as asker:
                answer = asker.ask({"snapshot": True})
                known = asker.ask({"cursors": True})
            if "error" in answer:
                health.problems.append(f"{door.router.text}: {answer['error']}")
                continue
            if not (immediate and audience == "surveillance"):
                health.tops[audience] = answer["seq"]
                for name, seq in known.get("cursors", {}).items():
                    health.behind[f"{audience} {name}"] = known["top"] - seq
            health.journal = answer["journal"]
            there = answer["state"]["table"]
            if there not in {None, table}:
                health.problems.append(f"{door.router.text}: the daemon of table {there}, not of {table}")
            if audience == "surveillance":
                _look(health, answer["state"])
    except Unanswered as error:
        health.problems.append(str(error))
    return health


def _look(health: Health, state: Mapping[str, Any]) -> None:
    health.link, health.held = state["device"], state["held"]
    if state["device"] != "up":
        health.problems.append("device.link down: look at the cable, the power and [shoe] port")
    for item in state["irregularities"]:
        remedies = ", ".join(item["remedies"])
        health.problems.append(f"open irregularity {item['id']} {item['code']}: {remedies}")
