"""Shoe profiles: read from TOML, checked for contradictions, named by their hash."""

import hashlib

from drivers.checks import contradictions
from drivers.shapes import ShoeFile
from drivers.tags import Beside, with_tags
from shoe_daemon.schema import ConfigError, read_toml


class ShoeProfile(ShoeFile, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A profile without contradictions. `sha256`: hex digest of the file's bytes."""

    sha256: str

    @property
    def id(self) -> str:
        """Name of the profile, `beetek-rs232`."""
        return self.meta.id


def parse_shoe(data: bytes, source: str, beside: Beside | None = None) -> ShoeProfile:
    """Read a profile from TOML; `source` names it in messages, `beside` reads the file of its tags.

    Raises ConfigError with every problem; where the tags cannot be used, with the problems of those alone.
    """
    text = data.decode("utf-8", "replace")
    file = with_tags(read_toml(data, source, ShoeFile), text, source, beside)
    problems = contradictions(file, text, source)
    if problems:
        raise ConfigError(problems)
    fields = {name: getattr(file, name) for name in ShoeFile.__struct_fields__}
    return ShoeProfile(**fields, sha256=hashlib.sha256(data).hexdigest())
