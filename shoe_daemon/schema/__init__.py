"""TOML checked against frozen msgspec structs: every problem of a file at once, each with its line.

A shape is a `msgspec.Struct`; its keys are the fields' encoded names, and no other key is allowed, whether
or not the shape forbids them itself. `Meta(description=…)` says in words what a field wants; a ValueError
raised by `__post_init__` is a problem of that table. A `pattern` is searched for, and its `$`
also matches before a last line end: anchor it with `^` and backslash Z.
"""

from shoe_daemon.schema.lines import dotted, line_of
from shoe_daemon.schema.problems import ConfigError, Problem
from shoe_daemon.schema.reader import problem, read_toml

__all__ = ["ConfigError", "Problem", "dotted", "line_of", "problem", "read_toml"]
