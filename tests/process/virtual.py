"""The virtual shoe at a real table, and what truly lay there."""

from drivers.profile import parse_shoe
from drivers.script import Action
from drivers.virtual import VirtualOptions, virtual_shoe
from shoe_daemon.runtime.resources import shoe_file
from tests.drivers.felt import ends, lay, mistakes, share, supervised
from tests.process.conftest import Tables
from tests.process.running import Running

PROFILE = parse_shoe(*shoe_file("beetek-rs232"))
SPEED = 100
SETTLE_S = 0.6
"""Face up a coup stays open for so long, or a card too many would be one of the next."""


def table_for(tables: Tables, procedure: str) -> Running:
    """A table that deals by `procedure`, and face up gives a coup time to settle."""
    settle = {"settle_s": SETTLE_S} if procedure == "face-up" else {}
    return tables(procedure=procedure, rules="nsw", **settle)


def dealt(table: Running, options: VirtualOptions) -> list[Action]:
    """Have `simulate` deal at a running table; what truly happened, found told as it was.

    Each coup ended as its cards lay; every question was answered; a supervisor had to do with the coups that
    had a mistake in them, and with no other.
    """
    table.shoe.unplug()
    table.start(link=False)
    table.cli(
        "simulate",
        *("--link", table.shoe.name, "--config", str(table.config), "--procedure", options.procedure),
        *("--seed", str(options.seed), "--coups", str(options.coups), "--speed", str(SPEED)),
        *("--late", str(options.late), "--unread", str(options.unread)),
        *(["--mistakes"] if options.mistakes else []),
        patience_s=60 + 2 * (options.coups or 0),
    )
    assert table.stop() == 0
    table.verified()
    actions, told = list(virtual_shoe(PROFILE, options)), table.told("surveillance")
    assert ends(told) == lay(actions)
    raised = [one["data"] for one in told if one["type"] == "irregularity.raised"]
    resolved = [one["data"]["id"] for one in told if one["type"] == "irregularity.resolved"]
    assert [one["id"] for one in raised if one["remedies"]] == sorted(resolved) != []
    assert supervised(told) == set(mistakes(actions))
    assert not [one for one in told if one["type"] == "command.refused"]
    if options.mistakes:
        print("\n", share(options.procedure, told), sorted(mistakes(actions).values()))  # noqa: T201 - the figure
    return actions
