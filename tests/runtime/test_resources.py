"""Shipped files are found by name, in every kind of installation, from any directory."""

import shutil
from pathlib import Path

import pytest

import shoe_daemon
from shoe_daemon.runtime import resources
from shoe_daemon.schema import ConfigError


def test_names_are_what_is_shipped() -> None:
    assert {"nsw", "nsw-even-money", "nzg-1994", "live", "intercasino"} <= set(resources.names("rules"))
    assert "beetek-rs232" in resources.names("shoes")


def test_a_name_is_found_from_any_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = resources.rules_file("nsw")
    monkeypatch.chdir(tmp_path)
    assert resources.rules_file("nsw") == here
    assert here[1] == "rules/nsw.toml"
    assert resources.shoe_file("beetek-rs232")[1] == "shoes/beetek-rs232.toml"


def test_a_wheel_bears_its_own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site-packages" / "shoe_daemon"
    shutil.copytree(resources.folder("rules").parent, package / "_config")
    (package / "_config" / "rules" / "only-here.toml").write_text("x = 1")
    monkeypatch.setattr(shoe_daemon, "__file__", str(package / "__init__.py"))
    assert resources.rules_file("only-here") == (b"x = 1", "rules/only-here.toml")
    assert "beetek-rs232" in resources.names("shoes")


def test_a_path_starts_where_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "house.toml").write_text("x = 1")
    assert resources.rules_file("house.toml", tmp_path) == (b"x = 1", str(tmp_path / "house.toml"))
    assert resources.rules_file(str(tmp_path / "house.toml"), Path("/"))[0] == b"x = 1"
    monkeypatch.chdir(tmp_path)
    assert resources.rules_file("./house.toml")[0] == b"x = 1"


def test_a_shipped_file_is_found_by_its_whole_path_too() -> None:
    path = resources.folder("shoes") / "feig-scan.toml"
    assert resources.shoe_file(str(path))[:2] == resources.shoe_file("feig-scan")[:2]


def test_a_file_beside_a_profile_is_read_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "shoes").mkdir()
    (tmp_path / "shoes" / "mine.toml").write_text("x = 1")
    (tmp_path / "shoes" / "tags.csv").write_bytes(b"uid,card\r\n")
    *_, beside = resources.shoe_file("shoes/mine.toml", tmp_path)
    assert beside("tags.csv") == b"uid,card\r\n"
    with pytest.raises(OSError, match="No such file"):
        beside("absent.csv")
    assert resources.shoe_file("feig-scan")[2]("example-tags.csv").startswith(b"uid,card\n")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nws", 'did you mean "nsw"'),
        ("NSW", 'did you mean "nsw"'),
        ("", "there are "),
        ("zzzzzz", "there are france, intercasino, live, macau, nsw, "),
        ("..", "no rule set"),
        ("absent.toml", "cannot be read: No such file"),
        ("/", "cannot be read: Is a directory"),
    ],
)
def test_anything_else_says_what_there_is(name: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=words):
        resources.rules_file(name, tmp_path)
