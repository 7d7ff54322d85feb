"""CURVE keys: the daemon's own pair, and who may come in at which door.

A folder holds `server.key` (mode 0600) and `server.pub`, and a file `allowed/DOOR/NAME.toml` for each key
that may come in at a door: one of the three audiences, or `control`. Keys are Z85 text of 40 characters, as
ZeroMQ writes them. Secrets are in files alone, never an argument.
"""

import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Final, get_args

import msgspec

from shoe_daemon.schema import ConfigError, read_toml
from shoe_daemon.table.inputs import Door
from shoe_daemon.table.verbs import ROLES

DOORS: Final[tuple[Door, ...]] = get_args(Door)
SERVER_KEY: Final = "server.key"
SERVER_PUB: Final = "server.pub"
_ALLOWED: Final = "allowed"
_Z85: Final = r"(?!0{40})[0-9a-zA-Z.\-:+=^!/*?&<>()\[\]{}@%$#]{40}"
Key = Annotated[
    str, msgspec.Meta(pattern=rf"^{_Z85}\Z", description="a key: 40 characters of Z85, not all 0")
]
_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


class KeyFileError(Exception):
    """A file of keys cannot be used; the text says which, why and what to do."""


class KeyPair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pair of keys. Its repr has no secret."""

    public: Key
    secret: Key

    def __repr__(self) -> str:
        return f"KeyPair({self.public})"


class Allowed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A key that may come in. `roles`: at control, those of the persons for whom it vouches."""

    key: Key
    roles: tuple[str, ...] = ()


class Entry(msgspec.Struct, frozen=True):
    """An allowed key with its door and its name."""

    door: Door
    name: str
    key: str
    roles: tuple[str, ...] = ()


def write_pair(file: Path, pair: KeyPair) -> None:
    """Write `pair` to a new file of mode 0600. Raises KeyFileError, also where the file is there already."""
    words = "# A pair of CURVE keys. The secret one stays in this file."
    _write(file, f'{words}\npublic = "{pair.public}"\nsecret = "{pair.secret}"\n', 0o600)


def read_pair(file: Path) -> KeyPair:
    """Read a pair. Raises KeyFileError, also where others than its owner may read it."""
    try:
        handle = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise KeyFileError(_absent(file, error)) from error
    with os.fdopen(handle, "rb") as opened:
        mode = stat.S_IMODE(os.fstat(opened.fileno()).st_mode)
        if mode & 0o077:
            raise KeyFileError(_open_to_others(file, mode))
        data = opened.read()
    try:
        return read_toml(data, str(file), KeyPair)
    except ConfigError:  # its problems may quote the secret
        raise KeyFileError(f"{file}: is no pair of keys as shoe-daemon keys new writes one") from None


def public_key(file: Path) -> str:
    """Read a public key, alone in its file. Raises KeyFileError."""
    try:
        text = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise KeyFileError(f"{file}: cannot be read: {error}") from error
    if re.fullmatch(_Z85, text) is None:
        raise KeyFileError(f"{file}: is no public key of 40 characters")
    return text


class Keys:
    """The folder of one daemon."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def server(self) -> KeyPair:
        """The daemon's own pair. Raises KeyFileError."""
        return read_pair(self.folder / SERVER_KEY)

    def server_public(self) -> str:
        """The daemon's public key, as its clients know it. Raises KeyFileError."""
        return public_key(self.folder / SERVER_PUB)

    def make(self, pair: KeyPair) -> None:
        """Make the folder and put the daemon's new pair there. Raises KeyFileError where there is one."""
        try:
            self.folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        except OSError as error:
            raise KeyFileError(f"{self.folder}: {error.strerror}") from error
        write_pair(self.folder / SERVER_KEY, pair)
        (self.folder / SERVER_PUB).unlink(missing_ok=True)
        _write(self.folder / SERVER_PUB, pair.public + "\n", 0o644)

    def look(self) -> None:
        """Make sure that the daemon's pair is there, for its owner alone. Raises KeyFileError.

        Others may look too: what is in it, the daemon reads.
        """
        file = self.folder / SERVER_KEY
        try:
            mode = stat.S_IMODE(file.stat().st_mode)
        except OSError as error:
            raise KeyFileError(_absent(file, error)) from error
        if mode & 0o077:
            raise KeyFileError(_open_to_others(file, mode))
        if os.access(file, os.R_OK):
            self.server()

    def allow(self, entry: Entry) -> None:
        """Let a key in from its next try on. Raises KeyFileError, also where name or key is taken."""
        if _NAME.fullmatch(entry.name) is None or entry.name.startswith("."):
            raise KeyFileError(f"{entry.name!r} is no name: A-Z, a-z, 0-9, dot, _ and -, no dot first")
        if re.fullmatch(_Z85, entry.key) is None:
            raise KeyFileError(f"{entry.key!r} is no public key: keys new prints one of 40 characters")
        for role in entry.roles:
            if role not in ROLES:
                raise KeyFileError(f"{role!r} is no role: {', '.join(ROLES)}")
        if (entry.door == "control") != bool(entry.roles):
            raise KeyFileError("roles go with control, and control with roles: for whom does the key vouch?")
        for other in self.entries(entry.door, _raise):
            if other.key == entry.key:
                raise KeyFileError(f"this key may come in at {entry.door} already, as {other.name}")
        folder = self._at(entry.door)
        try:
            folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        except OSError as error:
            raise KeyFileError(f"{folder}: {error.strerror}") from error
        lines = [f'key = "{entry.key}"']
        if entry.roles:
            lines.append("roles = [" + ", ".join(f'"{role}"' for role in entry.roles) + "]")
        _write(folder / f"{entry.name}.toml", "\n".join(lines) + "\n", 0o644)

    def revoke(self, door: Door, name: str) -> None:
        """Let a key in no more; what it has open is closed. Raises KeyFileError where there is none."""
        file = self._at(door) / f"{name}.toml"
        try:
            file.unlink()
        except FileNotFoundError:
            raise KeyFileError(
                f"no key {name} may come in at {door}: shoe-daemon keys show lists them"
            ) from None
        except OSError as error:
            raise KeyFileError(f"{file}: {error.strerror}") from error

    def entries(self, door: Door, wrong: Callable[[str], None]) -> Iterator[Entry]:
        """Who may come in at `door`. `wrong` is told of each file that cannot be used: it lets nobody in."""
        for file in sorted(self._at(door).glob("*.toml")):
            try:
                allowed = read_toml(file.read_bytes(), str(file), Allowed)
            except FileNotFoundError:  # revoked in this moment
                continue
            except OSError as error:
                wrong(f"{file}: {error.strerror}")
            except ConfigError as error:
                wrong("\n".join(map(str, error.problems)))
            else:
                yield Entry(door, file.stem, allowed.key, allowed.roles)

    def _at(self, door: Door) -> Path:
        return self.folder / _ALLOWED / door


def _absent(file: Path, error: OSError) -> str:
    return f"{file}: {error.strerror}: shoe-daemon keys new {file} makes one"


def _open_to_others(file: Path, mode: int) -> str:
    return f"{file}: has mode {mode:04o}, others may have read it: chmod 600, best with a new pair"


def _raise(words: str) -> None:
    raise KeyFileError(words)


def _write(file: Path, text: str, mode: int) -> None:
    """Write a whole new file, or none."""
    part = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    except OSError as error:
        raise KeyFileError(f"{file}: {error.strerror}") from error
    try:
        with os.fdopen(handle, "w", encoding="ascii") as opened:
            os.fchmod(opened.fileno(), mode)
            opened.write(text)
            opened.flush()
            os.fsync(opened.fileno())
        os.link(part, file)  # unlike a rename, never over one that is there
    except FileExistsError:
        raise KeyFileError(f"{file}: is there already: choose another name, or remove it") from None
    except OSError as error:
        raise KeyFileError(f"{file}: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)
