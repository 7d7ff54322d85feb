"""Who may say what, as `check --show` prints it."""

from pathlib import Path

from shoe_daemon.runtime.config import load_config
from shoe_daemon.runtime.matrix import matrix
from shoe_daemon.table.remedies import REMEDIES
from shoe_daemon.table.verbs import VERBS
from tests.runtime.test_config import LEAST, write


def lines(tmp_path: Path, house: str = "") -> list[str]:
    text = LEAST.replace('rules = "live"', 'rules = "nsw"')
    return list(matrix(load_config(write(tmp_path, f"{text}\n[house]\n{house}"))))


def test_every_verb_and_every_remedy_is_there_with_its_roles(tmp_path: Path) -> None:
    shown = lines(tmp_path)
    for name in VERBS.keys() | REMEDIES.keys():
        assert any(line.split()[:1] == [name] or f" {name}" in line for line in shown), name
    (void,) = {line for line in shown if line.startswith("void ")}
    assert void.split() == ["void", "game_supervisor,", "casino_supervisor,", "supervisor,", "duty_manager"]
    (keep,) = (line for line in shown if line.startswith("keep "))
    assert "dealer," in keep


def test_second_persons_are_marked_at_the_verb_and_at_the_remedy(tmp_path: Path) -> None:
    shown = lines(tmp_path, 'two_persons = ["void", "correct"]')
    assert [line.split()[0] for line in shown if "+ game" in line] == ["void", "correct", "void"]


def test_methods_say_who_must_approve_them(tmp_path: Path) -> None:
    assert "not at this table" in lines(tmp_path)[-1]
    off = lines(tmp_path, "main_floor = false\nothers = ['live']")
    (said,) = (line for line in off if line.startswith("D, E"))
    assert "duty_manager" in said
    assert "surveillance" in said
    assert off[-1] == "dealing methods under live: the rules name none"
