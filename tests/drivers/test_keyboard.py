"""Keys to bytes: every key, Shift, repeats, releases, what is unknown, what the kernel dropped."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.decoder import ProfileDecoder
from drivers.keyboard import SUBSTITUTE, TYPED, Keys
from drivers.profile import parse_shoe
from shoe_daemon.runtime.resources import shoe_file
from shoe_daemon.schema import ConfigError
from shoe_daemon.table.inputs import CardRead, DeviceInput, FrameRejected
from tests.drivers.keys import CODES, DROPPED, Event, down, press, repeat, up

SHIFTED = dict(zip("1234567890-=[];'`\\,./", '!@#$%^&*()_+{}:"~|<>?', strict=True))
SHIFTED |= {letter: letter.upper() for letter in string.ascii_lowercase}
SILENT = {"CAPSLOCK", "NUMLOCK", "SCROLLLOCK"}
SHIFTS = ("LEFTSHIFT", "RIGHTSHIFT")
COMMANDS = ("LEFTCTRL", "RIGHTCTRL", "LEFTALT", "RIGHTALT", "LEFTMETA", "RIGHTMETA")
SUB = bytes([SUBSTITUTE])


def typed(events: list[Event]) -> bytes:
    return Keys().read(events)


def plain(key: str) -> bytes:
    """The byte that `key` types by itself, as this test has it."""
    known = {"ENTER": b"\r", "KPENTER": b"\r", "TAB": b"\t"}
    if key in known:
        return known[key]
    if len(key) == 1:
        return key.encode()
    if len(key) == 3 and key.startswith("KP"):
        return key[2:].encode()
    return b"" if key in SILENT or key in SHIFTS or key in COMMANDS else SUB


@pytest.mark.parametrize("key", CODES)
def test_each_key_alone(key: str) -> None:
    assert typed(press(key)) == plain(key)


@pytest.mark.parametrize("key", CODES)
def test_each_key_with_shift(key: str) -> None:
    expected = SHIFTED.get(key, "").encode() or plain(key)
    for shift in SHIFTS:
        assert typed([*down(shift), *press(key), *up(shift)]) == expected
        assert typed([*press(shift), *press(key)]) == plain(key)


@pytest.mark.parametrize("key", CODES)
def test_each_key_with_a_key_that_makes_it_no_text(key: str) -> None:
    silent = plain(key) == b""
    for held in COMMANDS:
        assert typed([*down(held), *press(key), *up(held)]) == (b"" if silent else SUB)
        assert typed([*press(held), *press(key)]) == plain(key)


@pytest.mark.parametrize("lock", sorted(SILENT))
def test_locks_have_no_influence(lock: str) -> None:
    assert typed(press(lock, "a", "1", "KP1", lock, "a")) == b"a11a"
    assert typed([*press(lock), *down("LEFTSHIFT"), *press("a"), *up("LEFTSHIFT")]) == b"A"


def test_every_code_of_the_kernel_gives_one_byte_or_is_known_to_give_none() -> None:
    known = {code: plain(key) for key, code in CODES.items()}
    for code in range(0x300):
        assert typed([(1, code, 1), (1, code, 0)]) == known.get(code, SUB), code
    assert SUBSTITUTE not in TYPED
    assert frozenset(b"".join(known.values())) - {SUBSTITUTE} <= TYPED
    assert frozenset("".join(SHIFTED.values()).encode()) <= TYPED


def test_releases_and_repeats_type_nothing() -> None:
    assert typed([*down("4"), *repeat("4") * 40, *up("4")]) == b"4"
    assert typed([*up("4"), *repeat("4")]) == b""
    held = [*down("LEFTSHIFT"), *repeat("LEFTSHIFT"), *press("a"), *up("LEFTSHIFT"), *press("a")]
    assert typed(held) == b"Aa"


def test_a_key_pressed_before_the_last_one_is_up_is_typed_in_its_order() -> None:
    events = [*down("1"), *down("0"), *up("1"), *down("1"), *up("0"), *down("0"), *up("1"), *up("0")]
    assert typed(events) == b"1010"


def test_one_shift_of_two_is_still_shift() -> None:
    both = [*down("LEFTSHIFT"), *down("RIGHTSHIFT"), *up("LEFTSHIFT"), *press("a"), *up("RIGHTSHIFT")]
    assert typed([*both, *press("a")]) == b"Aa"


def test_what_is_no_key_types_nothing() -> None:
    assert typed([(2, 0, 5), (3, 1, 1), (4, 4, 30), (17, 1, 1), (0, 0, 0), (0, 1, 0)]) == b""


def test_after_a_drop_nothing_is_read() -> None:
    keys = Keys()
    assert keys.read([*press("1", "0"), DROPPED, *press("3", "0", "ENTER")]) == b"10" + SUB
    assert keys.overrun
    assert keys.read(press("4")) == b""
    assert not Keys().overrun


@given(keys=st.lists(st.sampled_from(sorted(CODES)), max_size=20), data=st.data())
def test_nothing_hangs_on_how_the_events_are_cut(keys: list[str], data: st.DataObject) -> None:
    events = press(*keys)
    cut = data.draw(st.integers(0, len(events)))
    whole, pieces = Keys(), Keys()
    assert whole.read(events) == pieces.read(events[:cut]) + pieces.read(events[cut:])


def decoded(*parts: bytes) -> list[DeviceInput]:
    decoder = ProfileDecoder(parse_shoe(*shoe_file("barcode4-hid")))
    found = [one for part in parts for one in decoder.feed(part, 0)]
    return found + decoder.tick(10**7)


def code(text: str) -> list[Event]:
    return press(*text, "ENTER")


def test_two_scanners_are_two_streams() -> None:
    """Their keys come by turns; each has a reader of its own, and Shift at one is none at the other."""
    first, second = code("1010"), code("4130")
    one, other = Keys(), Keys()
    got_one, got_other = b"", other.read(down("LEFTSHIFT"))
    for mine, yours in zip(first, second, strict=True):
        got_one += one.read([mine])
        got_other += other.read([yours])
    assert got_one == b"1010\r"
    assert got_other == b"$!#)\r"


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize(
    "odd",
    [press("F1"), press("102ND"), [*down("LEFTALT"), *press("KP1"), *up("LEFTALT")], [DROPPED]],
    ids=["function", "102nd", "alt", "dropped"],
)
def test_a_code_with_a_key_that_cannot_be_told_is_rejected_and_takes_a_place(
    odd: list[Event], place: int
) -> None:
    events = code("1010")
    at = place * len(press("1"))
    (found,) = decoded(typed([*events[:at], *odd, *events[at:]]))
    assert isinstance(found, FrameRejected)
    assert found.card_like


@pytest.mark.parametrize("end", ["ENTER", "KPENTER", "TAB"])
def test_a_code_is_read_whatever_ends_it(end: str) -> None:
    (found,) = decoded(typed(press(*"2130", end)))
    assert isinstance(found, CardRead)
    assert found.face.open() == "KH"


def test_a_code_is_read_from_the_keypad_too() -> None:
    (found,) = decoded(typed(press("NUMLOCK", "KP2", "KP1", "KP3", "KP0", "KPENTER", "NUMLOCK")))
    assert isinstance(found, CardRead)
    assert found.face.open() == "KH"


def test_a_scanner_set_to_french_types_no_card() -> None:
    """It types digits with Shift."""
    (found,) = decoded(typed([*down("LEFTSHIFT"), *code("1010"), *up("LEFTSHIFT")]))
    assert isinstance(found, FrameRejected)


def problems(old: str, new: str) -> list[tuple[str, str]]:
    text = shoe_file("barcode4-hid")[0].decode()
    assert text.count(old) == 1, old
    with pytest.raises(ConfigError) as caught:
        parse_shoe(text.replace(old, new).encode(), "x.toml")
    return [(one.key, one.message) for one in caught.value.problems]


def test_a_profile_of_a_keyboard_has_no_settings_of_a_line_and_only_what_keys_type() -> None:
    for setting in ("baud = 9600", "bits = 7", 'parity = "even"', "stop = 2"):
        assert problems('kind = "hid"', f'kind = "hid"\n{setting}') == [
            (f"transport.{setting.split()[0]}", "a keyboard has no such setting")
        ]
    ends = 'ends = ["\\r", "\\t"]', 'ends = ["\\r", "\\n"]'
    text = shoe_file("barcode4-hid")[0].decode().replace(*ends)
    with pytest.raises(ConfigError, match=r"no key types '\\n'"):
        parse_shoe(text.replace('example = "1010\\r"', 'example = "1010\\r\\n"').encode(), "x.toml")
    assert problems('kind = "hid"', 'kind = "serial"') == [
        ("transport.baud", "missing key: a serial line has a speed")
    ]
