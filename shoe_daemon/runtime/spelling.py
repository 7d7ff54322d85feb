"""How values are written in a configuration file, and which paths this machine can name at all."""

import json
import os
import sys


def toml(value: object) -> str:
    """Write a text, a number or a truth; TOML writes them as JSON does, DEL apart."""
    return json.dumps(value).replace("\x7f", "\\u007f")


def unnameable(path: str) -> str | None:
    """Say why no file can have the name `path` here; None: one can."""
    if "\0" in path:
        return "a path cannot hold the character U+0000"
    try:
        os.fsencode(path)
    except UnicodeEncodeError as error:
        encoding = sys.getfilesystemencoding()
        return f"{path[error.start]!a} cannot be named in this locale ({encoding}): set LC_ALL=C.UTF-8"
    return None
