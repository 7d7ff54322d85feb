"""Every reason for which the product refuses a command or voids a coup has a plain phrase."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from shoe_daemon.clients.explaining.sentences import happened
from shoe_daemon.clients.told import Told
from shoe_daemon.game.wagers import Reason
from shoe_daemon.table.irregularities import ROWS
from shoe_daemon.table.reasons import REFUSED, VOID
from tests.clients.accounts import AT

SOURCE = Path(__file__).resolve().parents[2] / "shoe_daemon"
HANDED_ON = {"what.refused", "refused.reason", "item.code"}
"""What bears a reason that another place gave."""


def trees() -> list[ast.Module]:
    return [ast.parse(file.read_text(encoding="utf-8")) for file in sorted(SOURCE.rglob("*.py"))]


TREES = trees()
CONSTANTS = {
    node.target.id: node.value.value
    for tree in TREES
    for node in tree.body
    if isinstance(node, ast.AnnAssign)
    and isinstance(node.target, ast.Name)
    and isinstance(node.value, ast.Constant)
}
"""Names that stand for one value in the product."""


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Every call in the product, with the name of what is called."""
    for node in (node for tree in TREES for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield node.func.id if isinstance(node.func, ast.Name) else node.func.attr, node


def texts(node: ast.expr) -> set[str]:
    """The texts that an argument may be: itself, either one of a choice, what a name stands for."""
    if isinstance(node, ast.IfExp):
        return texts(node.body) | texts(node.orelse)
    if ast.unparse(node) in HANDED_ON:
        return set()
    value = CONSTANTS[node.id] if isinstance(node, ast.Name) else ast.literal_eval(node)
    assert isinstance(value, str), ast.unparse(node)
    return {value}


def refusals() -> set[str]:
    """Reasons that refusals are raised with, and those that the door gives a command."""
    found: set[str] = set()
    for name, call in calls():
        given = call.args[:1] if name in {"Refused", "WagerRefused"} else []
        named = [one.value for one in call.keywords if one.arg == "refused" and name == "Request"]
        found = found.union(*map(texts, [*given, *named]))
    return found


def voids() -> set[str]:
    """Reasons that `void` is called with, and codes of what may hold a coup until it is void."""
    said = {text for name, call in calls() if name == "void" for one in call.args[2:] for text in texts(one)}
    return said | {"command"} | {row.code for row in ROWS.values() if row.hold or "void" in row.remedies}


def test_no_reason_to_refuse_is_without_a_phrase() -> None:
    assert refusals() >= {"bad_args", "coup_moved_on", "waiting", "excluded", "claims_not_taken", "use_verb"}
    assert set(REFUSED) == refusals() | set(get_args(Reason))


def test_no_reason_of_a_void_coup_is_without_a_phrase() -> None:
    assert voids() >= {"burned", "emergency", "wagers_removed", "insufficient_cards"}
    assert set(VOID) == voids()


@pytest.mark.parametrize(("reason", "phrase"), [*REFUSED.items(), *VOID.items()])
def test_a_phrase_is_no_name(reason: str, phrase: str) -> None:
    assert "_" not in phrase
    assert phrase != reason.replace("_", " ")
    assert not phrase.endswith(".")


def test_a_reason_of_a_later_program_is_said_by_its_name_alone() -> None:
    data = {"verb": "confirm", "actor": "dealer:17", "reason": "too_late"}
    told = Told("J", "T", "surveillance", 1, "command.refused", AT, 1, 1, data)
    assert happened(told).endswith("it was refused: too late")


def test_a_coup_whose_cards_were_burned_says_so() -> None:
    told = Told("J", "T", "public", 1, "coup.void", AT, 1, 1, {"reason": "burned", "rule": None})
    assert happened(told) == "The coup is void: its cards were burned after all"
