"""A command given to the daemon of a configuration, and what stands in its way said to the person."""

import sys
from typing import Any

from shoe_daemon.cli.output import refuse
from shoe_daemon.clients.operator import Operator, Unanswered, table_at
from shoe_daemon.clients.subscriber import ClientKeys
from shoe_daemon.runtime.config import Config
from shoe_daemon.runtime.control import CLAIMS_NOT_TAKEN
from shoe_daemon.table.verbs import ROLES, role_of


def person(option: str, named: str) -> str:
    """The person `named` by `option`; refused unless it is `role:id`."""
    if role_of(named) is None:
        refuse(f"{option} {named!r} is not role:id with a role of {', '.join(ROLES)}")
    return named


def answer_of(  # noqa: PLR0913, PLR0917 - a command, for whom, and by whose key
    settings: Config,
    verb: str,
    actor: str | None,
    args: dict[str, Any],
    expect_coup: int | None = None,
    keys: ClientKeys | None = None,
) -> dict[str, Any]:
    """The answer of the table to a command; ends where nobody answers or another table's daemon would.

    `keys` are the operator's, who may have no door but control: whose the daemon is, its own key says then.
    """
    router = settings.doors["surveillance"].router.text  # the first audience that hears of a daemon
    try:
        there = table_at(router) if keys is None else None
        if there not in {None, settings.table}:
            refuse(f"{router}: the daemon of table {there}, not of {settings.table}: nothing was said to it")
        with Operator(settings.control.text, keys=keys) as operator:
            answer = operator.say(verb, actor, args, expect_coup)
    except UnicodeEncodeError:
        refuse("actor or arguments hold letters that this locale cannot say: set LC_ALL=C.UTF-8")
    except Unanswered as error:
        refuse(str(error), 1)
    if answer.get("refused") == CLAIMS_NOT_TAKEN:
        sys.stderr.write(
            "on loopback nobody is believed: set control in [feed] to an ipc:// of the daemon's user,"
            " or control_claims = true\n"
        )
    return answer
