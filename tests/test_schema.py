"""TOML against shapes: every problem, each with its line."""

import json
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Meta

from shoe_daemon.schema import ConfigError, Problem, dotted, line_of, problem, read_toml
from shoe_daemon.schema.lines import Lines

CASES = Path(__file__).parents[2] / "shared/data/cases/inputs"
Port = Annotated[int, Meta(ge=1, le=65535)]


class Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Table(Shape, frozen=True):
    id: Annotated[str, Meta(pattern=r"^[A-Z0-9-]{1,8}\Z", description="capital letters")] = "T"
    decks: int = 8
    fee: float = 0.0

    def __post_init__(self) -> None:
        if self.decks > 20:
            raise ValueError("more decks than a shoe holds")


class Shoe(Shape, frozen=True):
    port: str
    profile: Literal["beetek-rs232", "dummy"] = "dummy"
    baud: int = 9600


class Publish(Shape, frozen=True):
    trend_port: Port = 1
    surveillance_port: Port = 2
    cage_port: Port = 3
    status_port: Port = 4
    bind_address: str = "127.0.0.1"


class Message(Shape, frozen=True):
    event: Literal["card", "unread"]
    limits: tuple[int, ...] = ()


class File(Shape, frozen=True):
    table: Table = Table()
    shoe: Shoe | None = None
    publish: Publish = Publish()
    messages: tuple[Message, ...] = ()
    buttons: dict[str, str] = {}
    retries: int | Literal["forever"] = 3


def problems_of(data: bytes | str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read_toml(data, "table.toml", File)
    assert str(caught.value) == "\n".join(map(str, caught.value.problems))
    return str(caught.value).splitlines()


def test_a_good_file_becomes_its_shape() -> None:
    text = """
retries = "forever"
[table]
id = "BAC-07"
fee = 1
[shoe]
port = "/dev/shoe"
[buttons]
"shoe:enter" = "reveal"
"""
    file = read_toml(text, "table.toml", File)
    assert file.table == Table(id="BAC-07", fee=1.0)
    assert file.shoe == Shoe(port="/dev/shoe")
    assert file.buttons == {"shoe:enter": "reveal"}
    assert (file.retries, file.publish) == ("forever", Publish())
    assert read_toml(text.replace("\n", "\r\n").encode(), "table.toml", File) == file


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[shoe]\nprot = "x"\nport = "y"', "table.toml:2: shoe.prot: unknown key; did you mean shoe.port?"),
        ('[shoe]\nport = "y"\ndecks = 8', "table.toml:3: shoe.decks: unknown key; decks belongs in [table]"),
        ('[shoe]\nPORT = "y"', "table.toml:2: shoe.PORT: unknown key; did you mean shoe.port?"),
        ("baud = 1", "table.toml:1: baud: unknown key; baud belongs in [shoe]"),
        (
            "[publish]\nbind-address = 'x'",
            "table.toml:2: publish.bind-address: unknown key; did you mean publish.bind_address?",
        ),
        ("[publish]\nbuad = 1", "table.toml:2: publish.buad: unknown key; did you mean shoe.baud?"),
        ("[table]\nxyzzy = 1", "table.toml:2: table.xyzzy: unknown key; known here: id, decks, fee"),
        ("[shoe]\nbaud = 1", "table.toml:1: shoe.port: missing key, wants text"),
        ("[table]\ndecks = true", "table.toml:2: table.decks: wants a whole number, got true"),
        ("[table]\ndecks = 8.0", "table.toml:2: table.decks: wants a whole number, got 8.0"),
        ('[table]\ndecks = "8"', 'table.toml:2: table.decks: wants a whole number, got "8"'),
        ("[table]\ndecks = [8]", "table.toml:2: table.decks: wants a whole number, got a list"),
        ("[table]\ndecks = {a = 8}", "table.toml:2: table.decks: wants a whole number, got a table"),
        ("[table]\nfee = true", "table.toml:2: table.fee: wants a number, got true"),
        ("[table]\nfee = nan", "table.toml:2: table.fee: wants a finite number, got nan"),
        ("[table]\nid = 'abc'", 'table.toml:2: table.id: wants capital letters, got "abc"'),
        ('[table]\nid = "A\\n"', 'table.toml:2: table.id: wants capital letters, got "A\\n"'),
        ("\n[table]\ndecks = 21", "table.toml:2: table: more decks than a shoe holds"),
        ("table = 3", "table.toml:1: table: wants a table, got 3"),
        ("messages = 3", "table.toml:1: messages: wants a list, got 3"),
        ("retries = 'soon'", 'table.toml:1: retries: wants a whole number or "forever", got "soon"'),
        (
            "[[messages]]\nevent = 'crd'",
            'table.toml:2: messages[0].event: wants one of "card", "unread", got "crd"; did you mean "card"?',
        ),
        (
            "[[messages]]\nevent = 'card'\n[[messages]]\nlimits = [1,\n2.5]",
            "table.toml:5: messages[1].limits[1]: wants a whole number, got 2.5",
        ),
        (
            "[[messages]]\nevent = 'card'\n[[messages]]\nlimits = []",
            'table.toml:3: messages[1].event: missing key, wants one of "card", "unread"',
        ),
        ("[buttons]\n'shoe:enter' = 1", 'table.toml:2: buttons."shoe:enter": wants text, got 1'),
    ],
)
def test_one_problem_in_words(text: str, expected: str) -> None:
    assert expected in problems_of(text)


def test_a_misspelt_table_is_checked_as_the_table_that_was_meant() -> None:
    assert problems_of('[sheo]\nprot = "x"\nbaud = true') == [
        "table.toml:1: sheo: unknown key; did you mean shoe?",
        "table.toml:1: sheo.port: missing key, wants text",
        "table.toml:2: sheo.prot: unknown key; did you mean sheo.port?",
        "table.toml:3: sheo.baud: wants a whole number, got true",
    ]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            b"\xef\xbb\xbf[table]\n",
            "table.toml:1: file starts with a byte order mark: save it as UTF-8 without",
        ),
        ("[table]\n".encode("utf-16"), "table.toml: the file is UTF-16: save it as UTF-8"),
        ("[table]\n".encode("utf-16-be"), "table.toml: the file is UTF-16: save it as UTF-8"),
        ("[table]\n".encode("utf-16-le"), "table.toml: the file is UTF-16: save it as UTF-8"),
        (b"[table]\nid = '\xe9'", "table.toml:2: byte 0xe9 is no UTF-8: save the file as UTF-8"),
        (b"[table]\nid = 'A'\n\nid = 'B'", "table.toml:4: the key is given twice"),
        (b"[table]\nid = \n", "table.toml:2: Invalid value"),
        (b"[table]\nid = [1,\n", "table.toml:3: Invalid value"),
        (b"a = " + b"[" * 9000, "table.toml: is nested too deeply"),
    ],
)
def test_a_file_that_cannot_be_read(data: bytes, expected: str) -> None:
    assert expected in problems_of(data)


def test_a_byte_order_mark_hides_no_other_problem() -> None:
    told = problems_of(b"\xef\xbb\xbf[table]\r\ndecks = true\r\n[shoe]\r\n")
    assert [line.split(": ")[0] for line in told] == ["table.toml:1", "table.toml:2", "table.toml:3"]


@pytest.mark.skipif(not CASES.exists(), reason="the shared cases lie outside the repository")
@pytest.mark.parametrize(
    ("name", "lines", "words"),
    [
        ("CFG-01", [2, 3, 5, 7], ["shoe.port", "shoe.baud", "table.decks", "publish.bind_address"]),
        ("CFG-03", [2, 3, 4, 5], ["got true", "got 70000", 'got "5556"', "got 5557.0"]),
        ("CFG-07", [1], ["byte order mark"]),
    ],
)
def test_files_that_were_silently_misread_elsewhere(name: str, lines: list[int], words: list[str]) -> None:
    told = problems_of((CASES / f"{name}.toml").read_bytes())
    for line, word in zip(lines, words, strict=True):
        assert any(one.startswith(f"table.toml:{line}: ") and word in one for one in told), told


def test_problems_come_in_the_order_of_the_file() -> None:
    many = [Problem("b", 2, "k", "x"), Problem("a", 9, "", "y"), Problem("b", None, "", "z")]
    assert str(ConfigError(many)) == "a:9: y\nb: z\nb:2: k: x"


def test_a_problem_of_meaning_has_the_line_of_its_key_or_of_the_table_around_it() -> None:
    text = '[shoe]\nport = "x"\n'
    assert str(problem(text, "t.toml", "shoe.port", "is gone")) == "t.toml:2: shoe.port: is gone"
    assert problem(text, "t.toml", "shoe.baud", "").line == 1
    assert problem(text, "t.toml", "feed.public", "").line is None


TRAPS = '''# [commented]
top = 1
"quoted.key" = 2
'lit"eral' = """
[not.a.table]
also = "not a key" \\"""
"""""
[a]            # [b]
x.y = 1
x . "z w" = [ "]", # no end
  { in = "}", ner = """
,
""" }, [
    3 ] ]
dates = 1979-05-27 07:32:00 # comment
[[a.list]]
k = \'\'\'it\'s [[a.list]]
\'\'\'
[a.list.sub]
deep = { one = 1, two.three = "a#b" }
[[a.list]]
k = ''
[[a.list.more]]
m = 1
[[a.list.more]]
m = 2
["b.c".d]
e = "\\\\"
f = -inf
'''
TRAP_LINES = {
    "top": 2,
    '"quoted.key"': 3,
    '"lit\\"eral"': 4,
    "a": 8,
    "a.x": 9,
    "a.x.y": 9,
    'a.x."z w"': 10,
    'a.x."z w"[0]': 10,
    'a.x."z w"[1]': 11,
    'a.x."z w"[1].in': 11,
    'a.x."z w"[1].ner': 11,
    'a.x."z w"[2]': 13,
    'a.x."z w"[2][0]': 14,
    "a.dates": 15,
    "a.list": 16,
    "a.list[0]": 16,
    "a.list[0].k": 17,
    "a.list[0].sub": 19,
    "a.list[0].sub.deep": 20,
    "a.list[0].sub.deep.one": 20,
    "a.list[0].sub.deep.two": 20,
    "a.list[0].sub.deep.two.three": 20,
    "a.list[1]": 21,
    "a.list[1].k": 22,
    "a.list[1].more": 23,
    "a.list[1].more[0]": 23,
    "a.list[1].more[0].m": 24,
    "a.list[1].more[1]": 25,
    "a.list[1].more[1].m": 26,
    '"b.c"': 27,
    '"b.c".d': 27,
    '"b.c".d.e': 28,
    '"b.c".d.f': 29,
}


def paths(value: object, path: tuple[str | int, ...] = ()) -> set[str]:
    """Every dotted path in a parsed file."""
    inner: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return {dotted(path)} - {""} | {one for key, part in inner for one in paths(part, (*path, key))}


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_every_key_has_its_line_whatever_stands_around_it(ends: str) -> None:
    text = TRAPS.replace("\n", ends)
    assert paths(tomllib.loads(text)) == set(TRAP_LINES)
    assert {key: line_of(text, key) for key in TRAP_LINES} == TRAP_LINES


KEYS = st.text(max_size=4) | st.sampled_from(["a", "b-c", "1", "[x]", "a.b", 'q"', "#", "="])
SCALARS = (
    st.integers(-9, 9)
    | st.booleans()
    | st.text(max_size=8)
    | st.sampled_from(["\n[a]\n", '"""', "'''", "# x", "]}"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


def key_text(key: str) -> str:
    return json.dumps(key, ensure_ascii=False).replace("\x7f", "\\u007f")


def in_toml(value: object, style: int) -> str:
    """Write a value as TOML; `style` chooses among the ways."""
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{key_text(key)} = {in_toml(part, style)}" for key, part in value.items()) + "}"
        )
    if isinstance(value, list):
        glue = "" if style % 2 else " # ]\n"
        return "[" + "".join(f"{in_toml(part, style)},{glue}" for part in value) + "]"
    if isinstance(value, str):
        plain = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        return f'""{plain.replace(chr(92) + "n", chr(10))}""' if style % 3 == 0 else plain
    return json.dumps(value)


ENTRIES = st.lists(st.tuples(KEYS, VALUES), max_size=4, unique_by=lambda entry: entry[0])
SECTIONS = st.lists(st.tuples(st.lists(KEYS, min_size=1, max_size=2), st.booleans(), ENTRIES), max_size=4)


@settings(max_examples=60)
@given(SECTIONS, st.integers(0, 5))
def test_the_lines_of_any_file_name_exactly_its_keys(
    sections: list[tuple[list[str], bool, list[tuple[str, Any]]]], style: int
) -> None:
    text, expected = "", {}
    for place, (header, array, entries) in enumerate(sections):
        parts: tuple[str | int, ...] = (f"s{place}", *header)
        name = " . ".join(map(key_text, (f"s{place}", *header)))
        expected[dotted((*parts, 0) if array else parts)] = text.count("\n") + 1
        text += f"[[{name}]]\n" if array else f"[{name}] # [x]\n"
        for key, value in entries:
            path = (*parts, 0, key) if array else (*parts, key)
            expected[dotted(path)] = text.count("\n") + 1
            text += f"{key_text(key)} = {in_toml(value, style)}\n"
    lines = Lines(text)
    assert lines._at.keys() == paths(tomllib.loads(text))
    assert {key: lines.of(key) for key in expected} == expected


class Numbers(Shape, frozen=True):
    numbers: tuple[Annotated[int, Meta(ge=0)], ...] | Annotated[str, Meta(max_length=2)]


@given(st.recursive(SCALARS, st.lists, max_leaves=4))
def test_a_value_is_refused_or_read_just_as_msgspec_does(value: object) -> None:
    text = f"numbers = {in_toml(value, 1)}"
    try:
        expected = msgspec.convert(tomllib.loads(text), Numbers)
    except msgspec.ValidationError:
        with pytest.raises(ConfigError):
            read_toml(text, "n.toml", Numbers)
    else:
        assert read_toml(text, "n.toml", Numbers) == expected


class Ended(Shape, frozen=True, tag="lines", tag_field="kind"):
    ends: str


class Counted(Shape, frozen=True, tag="counted", tag_field="kind"):
    size: int
    deep: Table = Table()


class Cut(Shape, frozen=True):
    framing: Ended | Counted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ends = 'x'", ['framing.kind: missing key, wants one of "lines", "counted"']),
        (
            "kind = 'line'",
            ['framing.kind: wants one of "lines", "counted", got "line"; did you mean "lines"?'],
        ),
        ("kind = 3", ['framing.kind: wants one of "lines", "counted", got 3']),
        ("kind = 'lines'", ["framing.ends: missing key, wants text"]),
        (
            "kind = 'counted'\nsize = 'x'\nends = 'y'",
            ['framing.size: wants a whole number, got "x"', "framing.ends: unknown key"],
        ),
        (
            "kind = 'counted'\nsize = 1\n[framing.deep]\ndekcs = 1",
            ["framing.deep.dekcs: unknown key; did you mean framing.deep.decks?"],
        ),
    ],
)
def test_a_table_that_may_be_one_of_several_is_the_one_its_kind_names(text: str, expected: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        read_toml(f"[framing]\n{text}\n", "x.toml", Cut)
    said = [f"{one.key}: {one.message}" for one in caught.value.problems]
    assert len(said) == len(expected)
    assert all(one.startswith(words) for one, words in zip(sorted(said), sorted(expected), strict=True)), said


def test_the_one_that_is_named_becomes_that_shape() -> None:
    assert read_toml("[framing]\nkind = 'counted'\nsize = 4\n", "x.toml", Cut) == Cut(Counted(size=4))
