"""What a configuration file must not say, though each of its values is well-formed."""

import difflib
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Final

import msgspec

from drivers.profile import ShoeProfile
from shoe_daemon.game.profile import RuleProfile
from shoe_daemon.runtime import hidport, tcpport
from shoe_daemon.runtime.endpoints import Endpoint, parse, router_of
from shoe_daemon.runtime.host.adapters import borrowed_name, shared_name
from shoe_daemon.runtime.host.finding import Host
from shoe_daemon.runtime.keys import KeyFileError, Keys
from shoe_daemon.runtime.shapes import File, ShoeSection, TableSection
from shoe_daemon.runtime.spelling import unnameable
from shoe_daemon.schema import dotted
from shoe_daemon.table.events import AUDIENCES
from shoe_daemon.table.procedure import PARTS, PROCEDURES, Procedure
from shoe_daemon.table.verbs import VERBS

Found = Iterator[tuple[str, str]]
"""Key and words of each thing found."""

_UNSTABLE: Final = re.compile(r"(?:/dev/)?tty(?:USB|ACM)\d+")
_BUTTON: Final = re.compile(r"shoe:[A-Za-z0-9_-]+")
_TERMINALS: Final = Path("/proc/tty/drivers")
_BY_ID: Final = Path("/dev/serial/by-id")
_INPUT: Final = Path(hidport.FOLDER)
_EXTRA: Final = "shoe-daemon[hid]"
_OPEN: Final = (
    "is open to other machines: that needs keys: set folder in [keys], or use an address of 127.0.0.1 or"
    " ipc://"
)
_ONE_NAME: Final = "by the other name a second daemon could write it: remove that, or copy the file"
_BLIND: Final = (
    "betting opens again in the instant of the result: an excess card (NSW-13.4) and a disclosed first card"
    ' (NSW-13.5) cannot be seen; set settle_s, or betting_opens = "command"'
)


class View(msgspec.Struct, frozen=True):
    """A file as far as it can be read; `rules` and `profile` where they could be.

    `malformed`: keys of [feed] whose value is none of theirs; they stand at their defaults here. `host`: the
    machine whose adapters are looked at, None to look at none.
    """

    file: File
    base: Path
    rules: RuleProfile | None
    profile: ShoeProfile | None
    malformed: frozenset[str] = frozenset()
    host: Host | None = None


def procedure_of(table: TableSection) -> Procedure:
    """Give the procedure with the parts that the file sets alone."""
    parts = {part: value for part in PARTS if (value := getattr(table, part)) is not None}
    return msgspec.structs.replace(PROCEDURES[table.procedure], **parts)


def endpoints(
    file: File, malformed: frozenset[str] = frozenset()
) -> tuple[dict[str, Endpoint], list[tuple[str, str]]]:
    """Give every endpoint by its key, derived ones too, and what is wrong with the others.

    `malformed` keys are passed over, and what would be derived in their place.
    """
    good: dict[str, Endpoint] = {}
    wrong: list[tuple[str, str]] = []
    for name in (*AUDIENCES, "control"):
        key, replay = f"feed.{name}", f"feed.{name}_replay"
        given = getattr(file.feed, f"{name}_replay", None)
        try:
            if key not in malformed:
                good[key] = pub = parse(getattr(file.feed, name))
                if name != "control" and given is None and replay not in malformed:
                    good[replay] = router_of(pub)
        except ValueError as error:
            wrong.append((key, str(error)))
        try:
            if given is not None:
                good[replay] = parse(given)
        except ValueError as error:
            wrong.append((replay, str(error)))
    return good, wrong


def check_decks(view: View) -> Found:
    """Deck count against the rules."""
    decks = view.file.table.decks
    if view.rules and decks is not None and decks not in view.rules.decks:
        allowed = ", ".join(map(str, view.rules.decks))
        yield "table.decks", f"{decks}: the rules {view.rules.name} allow {allowed}"


def check_procedure(view: View) -> Found:
    """Parts that contradict one another, and cards that the rules want face down."""
    table = view.file.table
    way = procedure_of(table)
    turns = {"first_four": way.first_four, "p3": way.p3, "b3": way.b3}
    for part, when in turns.items():
        if when == "press" and not way.by_press:
            yield (
                _key(table, part, "coup_ends"),
                f'{part} "press" needs coup_ends "press", not "{way.coup_ends}"',
            )
        if when == "reveal" and way.by_press:
            yield (
                _key(table, part, "coup_ends"),
                f'{part} "reveal" contradicts coup_ends "press": one press a coup',
            )
    if way.hands == "one-by-one" and way.first_four != "reveal":
        yield (
            _key(table, "hands", "first_four"),
            f'hands "one-by-one" needs first_four "reveal", not "{way.first_four}"',
        )
    if way.settle_s > 0 and way.coup_ends != "auto":
        yield (
            "table.settle_s",
            f'settle_s acts only where the coup ends by itself, not with coup_ends "{way.coup_ends}"',
        )
    if (face_up := _face_up(view)) and not table.allow_face_up:
        hint = ": choose another procedure, or set allow_face_up = true"
        yield _key(table, "first_four"), face_up + hint


def check_port(view: View) -> Found:
    """Port of the shoe: a stable name that no other has, a terminal or a keyboard if it is there at all."""
    shoe = view.file.shoe
    if "://" in shoe.port:
        try:
            tcpport.address(shoe.port)
        except ValueError as error:
            yield "shoe.port", str(error)
        return
    if (why := unnameable(shoe.port)) is not None:
        yield "shoe.port", why
    elif hidport.is_keyboard(shoe.port):
        yield from _keyboard(shoe, view.profile)
    elif view.profile is not None and view.profile.transport.kind == "hid":
        words = f"the profile {view.profile.id} is of a scanner that types as a keyboard, {shoe.port} is none"
        yield "shoe.port", f"{words}: use its name in {_INPUT / 'by-id'}, or tcp://host:port"
    elif _UNSTABLE.fullmatch(shoe.port) and not shoe.allow_unstable:
        yield "shoe.port", _unstable(shoe.port, _BY_ID, Path("/dev"))
    elif not shoe.port.startswith("/"):
        yield "shoe.port", f'"{shoe.port}" is no port: write a path that starts with /dev, or tcp://host:port'
    elif (what := _what_else(Path(shoe.port), _is_terminal)) is not None:
        yield "shoe.port", f"{shoe.port} is {what}, no terminal"
    elif view.host is not None and (shared := shared_name(view.host, shoe.port)) is not None:
        yield "shoe.port", shared


def _keyboard(shoe: ShoeSection, profile: ShoeProfile | None) -> Found:
    """A scanner that types: its profile, its name, an input device if it is there, and what reads it."""
    if profile is not None and profile.transport.kind != "hid":
        words = f"{shoe.port} is a keyboard, the profile {profile.id} is of a serial line"
        yield "shoe.port", f'{words}: use one with kind = "hid" in its [transport]'
    elif hidport.UNSTABLE.fullmatch(shoe.port) and not shoe.allow_unstable:
        yield "shoe.port", _unstable(shoe.port, _INPUT / "by-id", _INPUT)
    elif not shoe.port.startswith("/"):
        yield "shoe.port", f'"{shoe.port}" is no port: write {_INPUT / shoe.port}'
    elif (what := _what_else(Path(shoe.port), hidport.MAJOR.__eq__)) is not None:
        yield "shoe.port", f"{shoe.port} is {what}, no keyboard"
    if (why := hidport.missing()) is not None:
        words = f"{shoe.port} is read with the package evdev, which is not here ({why})"
        yield "shoe.port", f"{words}: pip install '{_EXTRA}'"


def check_journal(view: View) -> Found:
    """Path of the journal: a file, by one name, that no endpoint has too."""
    text = view.file.journal.path
    if (why := unnameable(text)) is not None:
        yield "journal.path", why
        return
    path = view.base / text
    try:
        found = path.stat()
    except OSError:
        found = None
    if found is not None and stat.S_ISDIR(found.st_mode):
        yield "journal.path", f"{text} is a folder: name a file in it"
    elif found is not None and not stat.S_ISREG(found.st_mode):
        yield "journal.path", f"{text} is a device or a socket: name a file"
    elif found is not None and found.st_nlink > 1:
        yield (
            "journal.path",
            f"{text} has {found.st_nlink} names (hard links), a journal has one: {_ONE_NAME}",
        )
    files = {os.path.realpath(f"{path}{ending}") for ending in ("", "-wal", "-shm", ".lock")}
    for key, endpoint in endpoints(view.file, view.malformed)[0].items():
        if endpoint.scheme != "ipc" or unnameable(endpoint.path) is not None:
            continue
        if {os.path.realpath(f"{endpoint.path}{ending}") for ending in ("", ".lock")} & files:
            yield key, f"{endpoint.text} is a file of the journal"


def check_signing_key(view: View) -> Found:
    """Key that signs checkpoints: there, readable by its owner alone, and one that can."""
    text = view.file.journal.signing_key
    if text is None:
        return
    from shoe_daemon.runtime.signing import SigningError, load_key  # noqa: PLC0415 - loaded where a key is named

    if (why := unnameable(text)) is not None:
        yield "journal.signing_key", why
        return
    try:
        load_key(view.base / text)
    except SigningError as error:
        yield "journal.signing_key", str(error)


def check_endpoints(view: View) -> Found:
    """Endpoints, each by itself: well-formed, and on this machine."""
    good, wrong = endpoints(view.file, view.malformed)
    yield from wrong
    for key, endpoint in good.items():
        if _given(view.file, key) != key:
            continue
        if not endpoint.loopback and view.file.keys is None:
            yield key, f"{endpoint.text} {_OPEN}"
        if (why := unnameable(endpoint.path)) is not None:
            yield key, why


def check_doubles(view: View) -> Found:
    """Endpoints, each its own."""
    good, _ = endpoints(view.file, view.malformed)
    for (one, first), (other, second) in combinations(good.items(), 2):
        derived = _given(view.file, one) != one and _given(view.file, other) != other
        if _same(first, second) and not derived:  # two derived ones are the same where their PUBs are
            both = f"{_named(view.file, one)} and {_named(view.file, other)}"
            yield _given(view.file, other), f"{second.text} is {both}"


def check_hidden_cards(view: View) -> Found:
    """What surveillance gets early stays private."""
    good, _ = endpoints(view.file, view.malformed)
    if view.file.feed.hidden_cards == "immediate" and view.file.keys is None:
        for key in ("feed.surveillance", "feed.surveillance_replay"):
            if key in good and good[key].scheme != "ipc":
                one = f"{_named(view.file, key)}, {good[key].text},"
                needs = f"{one} must be ipc:// for it, or [keys] must be set"
                yield "feed.hidden_cards", f'"immediate" shows faces that nobody has seen: {needs}'


def check_keys(view: View) -> Found:
    """The daemon's own pair is there, for its owner alone."""
    if view.file.keys is not None:
        try:
            Keys(view.base / view.file.keys.folder).look()
        except KeyFileError as error:
            yield "keys.folder", str(error)


def check_buttons(view: View) -> Found:
    """Buttons: known kinds, verbs that exist."""
    for button, verb in view.file.buttons.items():
        key = dotted(("buttons", button))
        if not _BUTTON.fullmatch(button):
            yield key, f'"{button}" is no button: write "shoe:NAME"'
        if verb not in VERBS:
            near = difflib.get_close_matches(verb, VERBS, 1)
            yield key, f'unknown verb "{verb}"' + (f'; did you mean "{near[0]}"?' if near else "")


PROCEDURE_KEYS: Final = ("table.procedure", *(f"table.{part}" for part in PARTS))
CHECKS: Final[tuple[tuple[tuple[str, ...], Callable[[View], Found]], ...]] = (
    (("table.decks",), check_decks),
    (PROCEDURE_KEYS, check_procedure),
    (("shoe.port", "shoe.allow_unstable"), check_port),
    (("journal.path",), check_journal),
    (("journal.signing_key",), check_signing_key),
    ((), check_endpoints),
    ((), check_doubles),
    (("feed.hidden_cards",), check_hidden_cards),
    (("keys.folder",), check_keys),
    ((), check_buttons),
)
"""Each check with the keys that it needs in good form."""


def warnings(view: View) -> Found:
    """Find what is allowed and yet worth a word."""
    table = view.file.table
    way = procedure_of(table)
    if way.betting_opens == "auto" and way.coup_ends == "auto" and way.settle_s == 0:
        yield _key(table, "settle_s", "betting_opens"), _BLIND
    if table.allow_face_up and (face_up := _face_up(view)):
        yield _key(table, "first_four"), face_up
    if view.host is not None and unnameable(view.file.shoe.port) is None:
        borrowed = borrowed_name(view.host, view.file.shoe.port)
        yield from [("shoe.port", borrowed)] if borrowed is not None else []
    if view.profile is not None:
        yield from _never_pressed(view.file.buttons, view.profile)


def _never_pressed(buttons: Mapping[str, str], profile: ShoeProfile) -> Found:
    has = {f"shoe:{message.button}" for message in profile.messages if message.button is not None}
    for button in buttons:
        if _BUTTON.fullmatch(button) and button not in has:
            words = f"the profile {profile.id} has no such button: nothing will ever press it"
            yield dotted(("buttons", button)), words


def _face_up(view: View) -> str | None:
    """Words for cards that lie open where the rules want them face down."""
    if not view.rules or not view.rules.face_down or procedure_of(view.file.table).first_four != "on-draw":
        return None
    return f"the rules {view.rules.name} deal the first four face down, this shows them as they are drawn"


def _key(table: TableSection, *parts: str) -> str:
    """Key to name for a part: the first of `parts` that the file sets, else the procedure."""
    return next((f"table.{part}" for part in parts if getattr(table, part) is not None), "table.procedure")


def _given(file: File, key: str) -> str:
    """Key that is in the file, for an endpoint that may be derived."""
    return key if getattr(file.feed, key.removeprefix("feed.")) is not None else key.removesuffix("_replay")


def _named(file: File, key: str) -> str:
    given = _given(file, key)
    return given if given == key else f"the ROUTER of {given}"


def _same(one: Endpoint, other: Endpoint) -> bool:
    if one.scheme == "ipc" or other.scheme == "ipc":
        return one.scheme == other.scheme and os.path.normpath(one.path) == os.path.normpath(other.path)
    return (one.host, one.port) == (other.host, other.port)


def _unstable(port: str, by_id: Path, nodes: Path) -> str:
    """Say what to name instead of `port`, a node in `nodes`: the link of `by_id` that leads there, if any."""
    links = sorted(by_id.glob("*")) if by_id.is_dir() else []
    stable = next((f" ({link})" for link in links if link.resolve() == nodes / port), "")
    words = f"{port} may be another device after the next start: use its name in {by_id}{stable}"
    return f"{words}, or set allow_unstable = true"


def _what_else(path: Path, fits: Callable[[int], bool]) -> str | None:
    """Say what `path` is instead of a device that `fits`; None: it is one, or not there. Nothing is opened.

    `fits` is asked with the number of the device's kind (major).
    """
    try:
        found = path.stat()
    except OSError:
        return None
    if stat.S_ISDIR(found.st_mode):
        return "a folder"
    if not stat.S_ISCHR(found.st_mode):
        return "a file"
    return None if fits(os.major(found.st_rdev)) else "a device"


def _is_terminal(major: int) -> bool:
    """Whether the kernel lists terminals under this number; so too where it lists none."""
    try:
        lines = _TERMINALS.read_text().splitlines()
    except OSError:
        return True
    return any(str(major) == fields[2] for line in lines if len(fields := line.split()) > 2)  # noqa: PLR2004 - name, node, major
