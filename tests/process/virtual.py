"""The virtual shoe at a real table, and what truly lay there."""

from typing import Any

from drivers.profile import parse_shoe
from drivers.script import CoupOver
from drivers.virtual import VirtualOptions, virtual_shoe
from shoe_daemon.runtime.resources import shoe_file
from tests.process.running import Json, Running

PROFILE = parse_shoe(*shoe_file("beetek-rs232"))
SPEED = 100


def dealt(table: Running, procedure: str, seed: int, coups: int, late: float) -> None:
    """Have `simulate` deal at a running table, presses forgotten now and then, and compare its results."""
    table.shoe.unplug()
    table.start(link=False)
    table.cli(
        "simulate",
        *("--link", table.shoe.name, "--config", str(table.config), "--procedure", procedure),
        *("--seed", str(seed), "--coups", str(coups), "--late", str(late), "--speed", str(SPEED)),
        patience_s=40 + coups,
    )
    table.wait("coup.result", coups)
    assert table.stop() == 0
    table.verified()
    told = table.told("surveillance")
    assert results(told) == truth(procedure, seed, coups, late)
    raised = [one["data"]["id"] for one in told if one["type"] == "irregularity.raised"]
    resolved = [one["data"] for one in told if one["type"] == "irregularity.resolved"]
    assert sorted(raised) == sorted(one["id"] for one in resolved)
    assert all(one["actor"] is None or one["actor"].startswith("dealer:") for one in resolved)
    assert raised
    assert not [one for one in told if one["type"] in {"command.refused", "coup.void"}]


def results(told: list[Json]) -> list[tuple[Any, ...]]:
    """Shoe, coup, both hands and whether bets were taken, of each result told."""
    return [
        (
            one["shoe"],
            one["coup"],
            tuple(data["player"]["cards"]),
            tuple(data["banker"]["cards"]),
            data["no_bet"],
        )
        for one in told
        if one["type"] == "coup.result"
        for data in [one["data"]]
    ]


def truth(procedure: str, seed: int, coups: int, late: float) -> list[tuple[Any, ...]]:
    """The same, as it lay on the felt."""
    options = VirtualOptions(procedure=procedure, seed=seed, coups=coups, late=late)
    return [
        (one.shoe, one.coup, one.player, one.banker, one.no_bet)
        for one in virtual_shoe(PROFILE, options)
        if isinstance(one, CoupOver)
    ]
