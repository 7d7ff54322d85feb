"""Who may say what at one table: verbs and remedies by role, second persons, dealing methods."""

from collections.abc import Iterable, Iterator

from shoe_daemon.game.house_rules import Methods
from shoe_daemon.runtime.config import Config
from shoe_daemon.table.remedies import REMEDIES
from shoe_daemon.table.verbs import DEALER, DEALER_REMEDIES, ROLES, SUPERVISORS, VERBS


def matrix(config: Config) -> Iterator[str]:
    """The matrix in words, a line each. `+`: a second person stands by it, named in `args.second`."""
    two = frozenset(config.house.two_persons) | {verb.name for verb in VERBS.values() if verb.two}
    yield "who may say what; + with a second person who may say it too, named in args.second"
    for verb in VERBS.values():
        yield _line(verb.name, verb.roles, two)
    yield ""
    yield "who may choose which remedy by resolve"
    for remedy in REMEDIES.values():
        if not remedy.verb:
            yield _line(remedy.name, DEALER if remedy.name in DEALER_REMEDIES else SUPERVISORS, two)
    yield "by a verb or card of their own: " + ", ".join(one.name for one in REMEDIES.values() if one.verb)
    for rules in (config.rules, *config.settled.others):
        yield ""
        yield from _methods(rules.name, rules.house.methods, main_floor=config.house.main_floor)


def _line(name: str, roles: Iterable[str], two: frozenset[str]) -> str:
    return f"{name:14}{'+' if name in two else ' '} {', '.join(role for role in ROLES if role in roles)}"


def _methods(game: str, methods: Methods | None, *, main_floor: bool) -> Iterator[str]:
    """What set_method takes under the rules of `game`."""
    if methods is None:
        yield f"dealing methods under {game}: the rules name none"
        return
    yield f"dealing methods under {game} ({methods.rule})"
    free = [method for method in methods.allowed if method not in methods.approval]
    yield f"{', '.join(free):14}  whoever may say set_method"
    by = "not at this table: it stands on the main floor" if main_floor else "duty_manager, inspector named"
    known = "" if main_floor else f", in force when surveillance acknowledges it ({methods.informed_rule})"
    yield f"{', '.join(methods.approval):14}  {by} ({methods.approval_rule}){known}"
