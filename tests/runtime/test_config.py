"""The configuration: what is read, and everything that may be wrong with it, told at once with its line."""

import os
import pty
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoe_daemon.runtime import checks, config
from shoe_daemon.runtime.config import Config, check, load_config, show
from shoe_daemon.runtime.shapes import FeedSection, JournalSection, ShoeSection, TableSection
from shoe_daemon.schema import ConfigError
from tests.runtime.journals import write_keys
from tests.runtime.machines import BY_ID, BY_PATH, Tree

GOOD = """\
[table]
id = "BAC-07"
rules = "nsw"
procedure = "result-button"
decks = 8
[shoe]
profile = "beetek-rs232"
port = "/dev/serial/by-id/usb-shoe"
[journal]
path = "/var/lib/shoe-daemon/BAC-07.db"
[feed]
public = "tcp://127.0.0.1:5570"
surveillance = "tcp://127.0.0.1:5572"
cage = "tcp://127.0.0.1:5574"
control = "tcp://127.0.0.1:5576"
hidden_cards = "delayed"
[buttons]
"shoe:enter" = "reveal"
"""
LEAST = """\
[table]
id = "x"
rules = "live"
procedure = "squeeze"
[shoe]
profile = "beetek-rs232"
port = "tcp://10.0.0.3:4001"
[journal]
path = "table.db"
"""
CASES = Path(__file__).parents[3] / "shared" / "data" / "cases" / "inputs"


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "table.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def change(old: str, new: str, text: str = GOOD) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)


def test_the_contracts_example_is_good(tmp_path: Path) -> None:
    checked = check(write(tmp_path, GOOD))
    assert checked.problems == ()
    (warned,) = checked.warnings
    assert "the profile beetek-rs232 has no such button" in warned.message
    conf = checked.config
    assert conf is not None
    assert (conf.table, conf.name, conf.rules.name, conf.profile.id) == ("BAC-07", "", "nsw", "beetek-rs232")
    assert (conf.decks, conf.port, conf.journal) == (
        8,
        "/dev/serial/by-id/usb-shoe",
        Path("/var/lib/shoe-daemon/BAC-07.db"),
    )
    assert {name: (doors.pub.text, doors.router.text) for name, doors in conf.doors.items()} == {
        "public": ("tcp://127.0.0.1:5570", "tcp://127.0.0.1:5571"),
        "surveillance": ("tcp://127.0.0.1:5572", "tcp://127.0.0.1:5573"),
        "cage": ("tcp://127.0.0.1:5574", "tcp://127.0.0.1:5575"),
    }
    assert (conf.control.text, conf.claims, conf.hidden_cards) == ("tcp://127.0.0.1:5576", False, "delayed")
    assert conf.buttons == {"shoe:enter": "reveal"}
    assert load_config(tmp_path / "table.toml") == conf


def test_all_else_has_a_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, LEAST)
    monkeypatch.chdir(tmp_path)
    conf = load_config(Path("table.toml"))
    assert conf.doors["cage"].router.port == 5575
    assert conf.decks == conf.rules.default_decks == 8
    assert (conf.control.port, conf.hidden_cards, conf.claims) == (5576, "delayed", False)
    assert conf.journal == tmp_path / "table.db"


def test_parts_of_a_procedure_are_set_alone(tmp_path: Path) -> None:
    parts = (
        'settle_s = 2.5\nbetting_opens = "command"\np3 = "reveal"\nfirst_four = "reveal"\ncoup_ends = "auto"'
    )
    text = change('procedure = "squeeze"', 'procedure = "method-c"\nhands = "one-by-one"\n' + parts, LEAST)
    conf = load_config(write(tmp_path, text))
    way = conf.procedure
    assert (way.settle_s, way.betting_opens, way.p3, way.first_four) == (2.5, "command", "reveal", "reveal")
    assert (way.b3, way.hands, way.coup_ends, way.method) == ("on-draw", "one-by-one", "auto", "C")


def test_control_over_ipc_takes_claims(tmp_path: Path) -> None:
    text = change('control = "tcp://127.0.0.1:5576"', 'control = "ipc:///run/shoe-daemon/control"')
    assert load_config(write(tmp_path, text)).claims
    text = change('hidden_cards = "delayed"', "control_claims = true")
    assert load_config(write(tmp_path, text)).claims


def test_immediate_needs_ipc_at_both_doors(tmp_path: Path) -> None:
    ipc = 'surveillance = "ipc:///run/s"\nsurveillance_replay = "ipc:///run/sr"'
    text = change('surveillance = "tcp://127.0.0.1:5572"', ipc)
    conf = load_config(write(tmp_path, change('"delayed"', '"immediate"', text)))
    assert conf.hidden_cards == "immediate"


ONE_PROBLEM = {
    # what is changed, into what: key, line, words of the one problem
    ('id = "BAC-07"', 'id = "BAC 07"'): ("table.id", 2, "1 to 32 of A-Z"),
    ('id = "BAC-07"', 'id = ""'): ("table.id", 2, "1 to 32 of A-Z"),
    ('id = "BAC-07"', 'id = "' + "x" * 33 + '"'): ("table.id", 2, "1 to 32 of A-Z"),
    ('id = "BAC-07"', 'id = "T\u00e4ble"'): ("table.id", 2, "1 to 32 of A-Z"),
    ('rules = "nsw"', 'rules = "nws"'): ("table.rules", 3, 'did you mean "nsw"?'),
    ('rules = "nsw"', 'rules = "./none.toml"'): ("table.rules", 3, "cannot be read: No such file"),
    ('procedure = "result-button"\n', ""): ("table.procedure", 1, "missing key"),
    ('"result-button"', '"result_button"'): ("table.procedure", 4, 'did you mean "result-button"?'),
    ("decks = 8", "decks = 7"): ("table.decks", 5, "7: the rules nsw allow "),
    ("decks = 8", "decks = true"): ("table.decks", 5, "got true"),
    ("decks = 8", "deks = 8"): ("table.deks", 5, "did you mean table.decks?"),
    ("decks = 8", "settle_s = -1"): ("table.settle_s", 5, "a number from 0"),
    ("decks = 8", "settle_s = inf"): ("table.settle_s", 5, "finite"),
    ("decks = 8", "settle_s = 2"): ("table.settle_s", 5, "only where the coup ends by itself"),
    ("decks = 8", 'first_four = "reveal"'): ("table.first_four", 5, 'contradicts coup_ends "press"'),
    ("decks = 8", 'b3 = "reveal"'): ("table.b3", 5, 'contradicts coup_ends "press"'),
    ("decks = 8", 'hands = "one-by-one"'): ("table.hands", 5, 'needs first_four "reveal"'),
    ("decks = 8", 'first_four = "on-draw"'): ("table.first_four", 5, "allow_face_up = true"),
    ('"result-button"', '"face-up"'): ("table.procedure", 4, "deal the first four face down"),
    ('profile = "beetek-rs232"', 'profile = "beetek"'): ("shoe.profile", 7, 'did you mean "beetek-rs232"?'),
    ('"/dev/serial/by-id/usb-shoe"', '"/dev/ttyUSB0"'): ("shoe.port", 8, "allow_unstable = true"),
    ('"/dev/serial/by-id/usb-shoe"', '"ttyACM12"'): ("shoe.port", 8, "/dev/serial/by-id"),
    ('"/dev/serial/by-id/usb-shoe"', '"COM3"'): ("shoe.port", 8, "is no port"),
    ('"/dev/serial/by-id/usb-shoe"', '"tcp://host"'): ("shoe.port", 8, "is no address"),
    ('"/dev/serial/by-id/usb-shoe"', '"udp://host:1"'): ("shoe.port", 8, "is no address"),
    ('"/dev/serial/by-id/usb-shoe"', '"/dev/null"'): ("shoe.port", 8, "is a device, no terminal"),
    ('"/dev/serial/by-id/usb-shoe"', '"/etc/passwd"'): ("shoe.port", 8, "is a file, no terminal"),
    ('"/dev/serial/by-id/usb-shoe"', '"/dev"'): ("shoe.port", 8, "is a folder, no terminal"),
    ('path = "/var/lib/shoe-daemon/BAC-07.db"', 'path = "/var"'): ("journal.path", 10, "is a folder"),
    ('path = "/var/lib/shoe-daemon/BAC-07.db"', 'path = ""'): ("journal.path", 10, "not empty"),
    ('path = "/var/lib/shoe-daemon/BAC-07.db"', 'path = "/dev/null"'): ("journal.path", 10, "is a device"),
    ('path = "/var/lib/shoe-daemon/BAC-07.db"', 'path = "a\\u0000b"'): ("journal.path", 10, "U+0000"),
    ('"/dev/serial/by-id/usb-shoe"', '"/dev/\\u0000"'): ("shoe.port", 8, "U+0000"),
    ('rules = "nsw"', 'rules = "./\\u0000"'): ("table.rules", 3, "U+0000"),
    ('control = "tcp://127.0.0.1:5576"', 'control = "ipc:///var/lib/x/../shoe-daemon/BAC-07.db"'): (
        "feed.control",
        15,
        "is a file of the journal",
    ),
    ('control = "tcp://127.0.0.1:5576"', 'control = "ipc:///var/lib/shoe-daemon/BAC-07.db-wal"'): (
        "feed.control",
        15,
        "is a file of the journal",
    ),
    ('cage = "tcp://127.0.0.1:5574"', 'cage = "tcp://127.0.0.1:5572"'): (
        "feed.cage",
        14,
        "tcp://127.0.0.1:5572 is feed.surveillance and feed.cage",
    ),
    ('cage = "tcp://127.0.0.1:5574"', 'cage = "tcp://127.0.0.1:5573"'): (
        "feed.cage",
        14,
        "is the ROUTER of feed.surveillance and feed.cage",
    ),
    ('control = "tcp://127.0.0.1:5576"', 'control = "tcp://127.0.0.1:5575"'): (
        "feed.control",
        15,
        "is the ROUTER of feed.cage and feed.control",
    ),
    ('cage = "tcp://127.0.0.1:5574"', 'cage = "tcp://127.0.0.1"'): ("feed.cage", 14, "lacks a port"),
    ('cage = "tcp://127.0.0.1:5574"', 'cage = "tcp://127.0.0.1:70000"'): ("feed.cage", 14, "lacks a port"),
    ('cage = "tcp://127.0.0.1:5574"', 'cage = "tcp://127.0.0.1:65535"'): ("feed.cage", 14, "no next port"),
    ('cage = "tcp://127.0.0.1:5574"', "cage = 5574"): ("feed.cage", 14, "wants text"),
    ('cage = "tcp://127.0.0.1:5574"', 'cage = "tcp://0.0.0.0:5574"'): ("feed.cage", 14, "needs keys"),
    ('cage = "tcp://127.0.0.1:5574"', 'cage = "tcp://10.1.1.1:5574"'): ("feed.cage", 14, "needs keys"),
    ('cage = "tcp://127.0.0.1:5574"', 'cage = "ipc:///run/cage"'): (
        "feed.cage",
        14,
        "needs its ROUTER named",
    ),
    ('cage = "tcp://127.0.0.1:5574"', 'cage = "ipc:///r/c"\ncage_replay = "ipc:///r/./c"'): (
        "feed.cage_replay",
        15,
        "is feed.cage and feed.cage_replay",
    ),
    ('control = "tcp://127.0.0.1:5576"', 'control = "nonsense"'): ("feed.control", 15, "is no endpoint"),
    ('"delayed"', '"immediate"'): ("feed.hidden_cards", 16, "must be ipc:// for it"),
    ('"delayed"', '"immediatly"'): ("feed.hidden_cards", 16, 'did you mean "immediate"?'),
    ('"shoe:enter" = "reveal"', '"shoe:enter" = "reveel"'): (
        'buttons."shoe:enter"',
        18,
        'did you mean "reveal"?',
    ),
    ('"shoe:enter" = "reveal"', '"enter" = "reveal"'): ("buttons.enter", 18, 'write "shoe:NAME"'),
    ('"shoe:enter" = "reveal"', '"shoe:enter" = 1'): ('buttons."shoe:enter"', 18, "wants text"),
    ("[journal]", "[jurnal]"): ("jurnal", 9, "did you mean journal?"),
    ("[table]", "[table"): ("", 1, ""),
}
SEVERAL = {("[journal]", "[jurnal]"), ('"delayed"', '"immediate"')}


@pytest.mark.parametrize(("old", "new"), ONE_PROBLEM)
def test_a_problem_is_named_with_its_line(tmp_path: Path, old: str, new: str) -> None:
    key, line, words = ONE_PROBLEM[old, new]
    path = write(tmp_path, change(old, new))
    checked = check(path)
    assert checked.config is None
    found = [problem for problem in checked.problems if (problem.key, problem.line) == (key, line)]
    assert any(words in problem.message for problem in found), checked.problems
    assert (old, new) in SEVERAL or len(checked.problems) == 1
    with pytest.raises(ConfigError, match=re.escape(f"table.toml:{line}: ")):
        load_config(path)


def test_problems_of_form_and_of_meaning_are_told_together(tmp_path: Path) -> None:
    text = change('id = "BAC-07"\n', "")
    text = change("decks = 8", "decks = 5", text)
    text = change('"beetek-rs232"', '"betek"', text)
    text = change("[journal]", 'prot = "x"\n[journal]', text)
    text = change('"/dev/serial/by-id/usb-shoe"', '"/dev/ttyUSB0"', text)
    text = change('cage = "tcp://127.0.0.1:5574"', 'cage = "tcp://127.0.0.1:5570"\ncaeg = 1', text)
    text = change('"shoe:enter" = "reveal"', '"shoe:enter" = "rveal"', text)
    checked = check(write(tmp_path, "\ufeff" + text))
    assert [(problem.line, problem.key) for problem in checked.problems] == [
        (1, ""),
        (1, "table.id"),
        (4, "table.decks"),
        (6, "shoe.profile"),
        (7, "shoe.port"),
        (8, "shoe.prot"),
        (14, "feed.cage"),
        (15, "feed.caeg"),
        (19, 'buttons."shoe:enter"'),
    ]
    assert "byte order mark" in checked.problems[0].message


@pytest.mark.parametrize("key", FeedSection.__struct_fields__)
def test_a_key_of_the_feed_that_is_none_of_its_type_hides_nothing_but_itself(
    tmp_path: Path, key: str
) -> None:
    """Of four endpoints in the wrong, those that are not `key` are all told; what it would give is not."""
    feed = {
        "public": "tcp://127.0.0.1:7000",
        "public_replay": "nonsense",
        "surveillance": "tcp://127.0.0.1:7004",
        "surveillance_replay": "tcp://10.0.0.1:7005",
        "cage": "tcp://127.0.0.1:7000",
        "cage_replay": "tcp://127.0.0.1:7007",
        "control": "tcp://127.0.0.1",
    }
    text = "".join(f'{one} = "{value}"\n' for one, value in feed.items() if one != key)
    found = {
        problem.key for problem in check(write(tmp_path, f"{LEAST}[feed]\n{text}{key} = [5]\n")).problems
    }
    wrong = {"feed.public_replay", "feed.surveillance_replay", "feed.cage", "feed.control"}
    assert found == (wrong - {"feed.cage"} if key == "public" else wrong) | {f"feed.{key}"}


@pytest.mark.parametrize(
    "lines",
    [
        'control = 5\ncage = "tcp://127.0.0.1:5576"',
        'public = 5\ncage = "tcp://127.0.0.1:5570"',
        'public_replay = 5\ncage = "tcp://127.0.0.1:5571"\ncage_replay = "tcp://127.0.0.1:7000"',
    ],
)
def test_the_default_of_a_key_in_the_wrong_takes_no_address(tmp_path: Path, lines: str) -> None:
    (problem,) = check(write(tmp_path, f"{LEAST}[feed]\n{lines}\n")).problems
    assert problem.key == f"feed.{lines.split(maxsplit=1)[0]}"


def test_a_journal_with_two_names_is_told(tmp_path: Path) -> None:
    (tmp_path / "table.db").touch()
    path = write(tmp_path, LEAST)
    assert not check(path).problems
    (tmp_path / "other.db").hardlink_to(tmp_path / "table.db")
    (problem,) = check(path).problems
    assert (problem.key, problem.line) == ("journal.path", 9)
    assert "2 names" in problem.message


def test_an_empty_file_lacks_three_tables(tmp_path: Path) -> None:
    assert [problem.key for problem in check(write(tmp_path, "")).problems] == ["table", "shoe", "journal"]


def test_utf16_is_named(tmp_path: Path) -> None:
    (problem,) = check(write(tmp_path, GOOD.encode("utf-16"))).problems
    assert "UTF-16" in problem.message


def test_line_ends_of_windows_are_fine(tmp_path: Path) -> None:
    assert not check(write(tmp_path, GOOD.replace("\n", "\r\n"))).problems


def test_an_absent_file_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none.toml: cannot be read: No such file"):
        load_config(tmp_path / "none.toml")


def test_an_absent_device_is_none(tmp_path: Path) -> None:
    assert not check(write(tmp_path, change("usb-shoe", "usb-not-here"))).problems


def test_a_terminal_is_a_port_by_any_path(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    try:
        link = tmp_path / "shoe"
        link.symlink_to(os.ttyname(slave))
        for path in (os.ttyname(slave), str(link)):
            assert not check(write(tmp_path, change("/dev/serial/by-id/usb-shoe", path))).problems
    finally:
        os.close(master)
        os.close(slave)


def test_an_unstable_name_may_be_allowed_and_the_stable_one_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = change("/dev/serial/by-id/usb-shoe", "/dev/ttyUSB77")
    (tmp_path / "usb-good-name").symlink_to("/dev/ttyUSB77")
    monkeypatch.setattr(checks, "_BY_ID", tmp_path)
    (problem,) = check(write(tmp_path, text)).problems
    assert f"({tmp_path}/usb-good-name)" in problem.message
    assert not check(write(tmp_path, change("[journal]", "allow_unstable = true\n[journal]", text))).problems


def test_face_up_may_be_allowed_and_is_a_warning_then(tmp_path: Path) -> None:
    text = change('procedure = "result-button"', 'procedure = "face-up"\nallow_face_up = true')
    checked = check(write(tmp_path, text))
    assert checked.config is not None
    first, second, button = checked.warnings
    assert button.key == 'buttons."shoe:enter"'
    assert "NSW-13.4" in first.message
    assert "NSW-13.5" in first.message
    assert "face down" in second.message
    text = change("decks = 8", 'betting_opens = "command"', text)
    assert [problem.message for problem in check(write(tmp_path, text)).warnings] == [
        second.message,
        button.message,
    ]


def test_the_warning_about_excess_cards_goes_with_its_cause(tmp_path: Path) -> None:
    face_up = change('procedure = "squeeze"', 'procedure = "face-up"', LEAST)
    (warning,) = check(write(tmp_path, face_up)).warnings
    assert (warning.key, warning.line) == ("table.procedure", 4)
    for part in ("settle_s = 3", 'betting_opens = "command"'):
        text = change('procedure = "face-up"', f'procedure = "face-up"\n{part}', face_up)
        assert not check(write(tmp_path, text)).warnings
    assert not check(write(tmp_path, LEAST)).warnings


def test_problems_of_the_files_it_names_are_told_with_theirs(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text("nonsense = 1\n")
    problems = check(write(tmp_path, change('"nsw"', '"./house.toml"'))).problems
    assert {problem.source for problem in problems} == {str(tmp_path / "house.toml")}
    assert any(problem.line == 1 for problem in problems)


@pytest.mark.parametrize("name", ["CFG-01", "CFG-03", "CFG-04", "CFG-06", "CFG-07"])
def test_known_cases_raise_nothing_but_problems(name: str) -> None:
    path = CASES / f"{name}.toml"
    if not path.exists():
        pytest.skip("the collected cases are not here")
    assert check(path).problems


@given(st.binary(max_size=200))
def test_no_bytes_raise(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    assert check(write(tmp_path_factory.getbasetemp(), data)).problems


_KEYS = [
    f"{shape.__name__.removesuffix('Section').lower()}.{key}"
    for shape in (TableSection, ShoeSection, JournalSection, FeedSection)
    for key in shape.__struct_fields__
]


@given(
    st.dictionaries(
        st.sampled_from(_KEYS), st.sampled_from(["1", "-1", "true", '"x"', '"press"', "[]", "{}", "inf"])
    )
)
def test_any_values_give_problems_or_a_configuration(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, str]
) -> None:
    text = "".join(f"{key} = {value}\n" for key, value in values.items())
    checked = check(write(tmp_path_factory.getbasetemp(), text))
    assert (checked.config is None) == bool(checked.problems)


SIGNED = change("BAC-07.db", 'BAC-07.db"\nsigning_key = "key.pem')


@pytest.mark.parametrize("text", [GOOD, LEAST, SIGNED])
def test_what_show_prints_reads_as_the_same(tmp_path: Path, text: str) -> None:
    write_keys(tmp_path)
    unsaid = {"signing_key"} if text != SIGNED else set()
    text = change("[shoe]", 'name = "T\u00e4ble \\"7\\" \\u007f"\n[shoe]', text)
    conf = load_config(write(tmp_path, text))
    shown = show(conf)
    other = tmp_path / "elsewhere"
    other.mkdir()
    again = load_config(write(other, shown))
    assert _plain(again) == _plain(conf)
    data = tomllib.loads(shown)
    for shape in (TableSection, ShoeSection, JournalSection, FeedSection):
        section = data[shape.__name__.removesuffix("Section").lower()]
        assert tuple(section) == tuple(key for key in shape.__struct_fields__ if key not in unsaid)


def test_a_key_that_cannot_sign_is_found_with_its_line(tmp_path: Path) -> None:
    def found() -> str:
        (problem,) = check(write(tmp_path, SIGNED)).problems
        assert (problem.key, problem.line) == ("journal.signing_key", 11)
        return problem.message

    assert "key.pem: cannot be read: No such file or directory" in found()
    private, public = write_keys(tmp_path)
    assert load_config(write(tmp_path, SIGNED)).signing_key == private
    private.chmod(0o640)
    assert "others may read it: chmod 600" in found()
    private.chmod(0o600)
    private.write_bytes(public.read_bytes())
    assert "is no private key in PEM" in found()
    private.unlink()
    private.mkdir()
    assert "cannot be read: Is a directory" in found()


def _plain(conf: Config) -> dict[str, object]:
    return {key: getattr(conf, key) for key in config.Config.__struct_fields__ if key != "source"}


ALIKE = change("/dev/serial/by-id/usb-shoe", f"{BY_ID}/usb-10c4_0001-if00")


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """A machine that has nothing yet."""
    return Tree((tmp_path / "machine").resolve())


def test_a_name_that_two_adapters_have_is_refused_before_anything_is_opened(
    tmp_path: Path, tree: Tree
) -> None:
    tree.adapter("ttyUSB0", "1-1", "10c4:ea60", "0001")
    tree.adapter("ttyUSB3", "1-2", "10c4:ea60", "0001")
    file = write(tmp_path, ALIKE)
    (problem,) = check(file, tree.host()).problems
    assert (problem.key, problem.line) == ("shoe.port", 8)
    assert "is the name of /dev/ttyUSB0 and /dev/ttyUSB3 (10c4:ea60, serial number 0001)" in problem.message
    assert problem.message.endswith(f"set port to the shoe's socket: {BY_PATH}/1-1 or {BY_PATH}/1-2")
    by_path = change(f"{BY_ID}/usb-10c4_0001-if00", f"{BY_PATH}/1-1", ALIKE)
    assert not check(write(tmp_path, by_path), tree.host()).problems
    # Whoever only wants the endpoints does not care what is plugged in.
    assert not check(write(tmp_path, ALIKE)).problems


@pytest.mark.parametrize("kind", ["10c4:ea61", "10c5:ea60"])
def test_adapters_of_other_kinds_have_other_names(tmp_path: Path, tree: Tree, kind: str) -> None:
    tree.adapter("ttyUSB0", "1-1", "10c4:ea60", "0001")
    tree.adapter("ttyUSB3", "1-2", kind, "0001")
    assert not check(write(tmp_path, ALIKE), tree.host()).problems


def test_a_number_that_makers_leave_is_a_warning(tmp_path: Path, tree: Tree) -> None:
    tree.adapter("ttyUSB0", "1-1", "10c4:ea60", "0001")
    checked = check(write(tmp_path, ALIKE), tree.host())
    assert not checked.problems
    (warning,) = [one for one in checked.warnings if one.key == "shoe.port"]
    assert "has no number of its own" in warning.message
    assert warning.message.endswith(f"better the name of its socket: {BY_PATH}/1-1")


def test_two_ports_of_one_adapter_are_no_two_adapters(tmp_path: Path, tree: Tree) -> None:
    tree.adapter("ttyUSB0", "1-1", "0403:6011", "FT77")
    tree.folder("/sys/devices/usb1/1-1/1-1:1.1/ttyUSB1")
    tree.link("/sys/class/tty/ttyUSB1/device", "/sys/devices/usb1/1-1/1-1:1.1/ttyUSB1")
    tree.write("/dev/ttyUSB1")
    checked = check(write(tmp_path, change("usb-10c4_0001-if00", "usb-0403_FT77-if00", ALIKE)), tree.host())
    assert not checked.problems
    assert not [one for one in checked.warnings if one.key == "shoe.port"]


def test_a_machine_that_tells_nothing_of_its_adapters_refuses_nothing(tmp_path: Path, tree: Tree) -> None:
    file = write(tmp_path, ALIKE)
    assert not check(file, tree.host()).problems
    tree.write("/dev/ttyUSB0")
    tree.link(f"{BY_ID}/usb-10c4_0001-if00", "/dev/ttyUSB0")
    assert not check(file, tree.host()).problems
    tree.adapter("ttyUSB0", "1-1")
    (problem,) = check(write(tmp_path, change("usb-10c4", "\\u0000", ALIKE)), tree.host()).problems
    assert "U+0000" in problem.message
