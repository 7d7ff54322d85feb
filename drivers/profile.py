"""Shoe profiles: read from TOML, checked for contradictions, named by their hash."""

import hashlib

from drivers.checks import contradictions
from drivers.shapes import ShoeFile
from shoe_daemon.schema import ConfigError, read_toml


class ShoeProfile(ShoeFile, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A profile without contradictions. `sha256`: hex digest of the file's bytes."""

    sha256: str

    @property
    def id(self) -> str:
        """Name of the profile, `beetek-rs232`."""
        return self.meta.id


def parse_shoe(data: bytes, source: str) -> ShoeProfile:
    """Read a profile from TOML; `source` names it in messages. Raises ConfigError with every problem."""
    file = read_toml(data, source, ShoeFile)
    problems = contradictions(file, data.decode(), source)
    if problems:
        raise ConfigError(problems)
    fields = {name: getattr(file, name) for name in ShoeFile.__struct_fields__}
    return ShoeProfile(**fields, sha256=hashlib.sha256(data).hexdigest())
